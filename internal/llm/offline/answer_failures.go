package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// Codes of failed results that call for other words than the error's own.
const (
	codeRefused   = "refused"
	codeCancelled = "cancelled"
	codeTimeout   = "timeout"
	codeNoData    = "no_data"
	codeCrashed   = "crashed"
)

// failureLines repeats what went wrong, each thing once, with what to do next.
func (r results) failureLines() []string {
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, q := range r.quotes {
		for _, e := range q.objects("errors") {
			add(fmt.Sprintf("! **%s**: %s %s", e.textOrAbsent("symbol"), asSentence(e.Text("error")), nextStep(ToolQuote, "")))
		}
	}
	for _, f := range groupFailures(r.failures) {
		add(f.text())
	}
	for _, name := range r.truncated {
		add(fmt.Sprintf("! The result of `%s` arrived cut short; what it lacks is shown as %s.", name, absent))
	}
	for _, name := range r.unread {
		add(fmt.Sprintf("`%s` has answered; reading its result takes a language model. Its card shows what it said.", CleanLine(name, 60)))
	}
	return out
}

// failure is an error with all the tools that reported it: a symbol that two tools do not know is
// reported once.
type failure struct {
	ToolOutcome
	tools []string
}

func groupFailures(outcomes []ToolOutcome) []failure {
	var out []failure
	for _, o := range outcomes {
		at := slices.IndexFunc(out, func(f failure) bool { return f.Err == o.Err && f.Code == o.Code })
		if at < 0 {
			out = append(out, failure{o, []string{o.Tool}})
		} else if !slices.Contains(out[at].tools, o.Tool) {
			out[at].tools = append(out[at].tools, o.Tool)
		}
	}
	return out
}

// text is a failed call in the tool's own words and the next move.
func (f failure) text() string {
	if f.Code == codeRefused {
		return fmt.Sprintf("Understood: %s was not run, and nothing was changed. %s", InlineCode(f.tools...), asSentence(f.Err))
	}
	move := nextStep(f.Tool, f.Code)
	if f.Code == codeNoData && strings.Contains(f.Err, "no prices") && !isUserDataTool(f.Tool) {
		move = "Ask for another symbol." // no other range would help
	}
	return strings.TrimSpace(fmt.Sprintf("! %s: %s %s", InlineCode(f.tools...), asSentence(f.Err), move))
}

// asSentence is a text of a tool as a sentence of its own, in the words for people.
func asSentence(text string) string {
	// CleanLine keeps MaxQuoteBytes; rewording what it would cut off is wasted work.
	text = CleanLine(humanize.ForPeople(CutBytes(text, 4*MaxQuoteBytes)), MaxQuoteBytes)
	switch {
	case text == "":
		return absent + "."
	case strings.HasSuffix(text, "?"), strings.HasSuffix(text, "!"), strings.HasSuffix(text, "."):
		return EscapeMarkdown(text)
	}
	return EscapeMarkdown(text) + "."
}

func nextStep(tool, code string) string {
	switch code {
	case codeTimeout:
		return "Ask again, or for less at once."
	case codeCancelled:
		return "Ask again when you want it."
	case codeCrashed:
		return "The log has the details."
	}
	if isUserDataTool(tool) {
		return "" // these say themselves what to do
	}
	if code == codeNoData {
		return "Ask again with another symbol or range."
	}
	if IsWorkflowTool(tool) {
		return "" // what is at fault may be the skill, not the question
	}
	switch tool {
	case ToolCalculate:
		return "Write the expression another way, and ask again."
	case ToolSkill:
		return "Name another skill, or ask for the figures themselves."
	default:
		return "Check the spelling or the range, and ask again."
	}
}

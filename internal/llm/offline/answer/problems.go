package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
	"github.com/nfa-cli/nfa/internal/wording"
)

// Codes of failed results that call for other words than the error's own.
const (
	codeRefused   = "refused"
	codeCancelled = "cancelled"
	codeTimeout   = "timeout"
	codeNoData    = "no_data"
	codeCrashed   = "crashed"
)

// problems repeats what went wrong, each thing once, with what to do next.
func (r results) problems() []string {
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, q := range r.quotes {
		for _, e := range q.objects("errors") {
			add(fmt.Sprintf("! **%s**: %s %s", e.known("symbol"), sentenceOf(e.Text("error")), nextMove(toolname.Quote, "")))
		}
	}
	for _, f := range alike(r.failures) {
		add(f.told())
	}
	for _, name := range r.cut {
		add(fmt.Sprintf("! The result of `%s` arrived cut short; what it lacks is shown as %s.", name, absent))
	}
	for _, name := range r.unread {
		add(fmt.Sprintf("`%s` has answered; reading its result takes a language model. Its card shows what it said.", quoted.Line(name, 60)))
	}
	return out
}

// failure is what went wrong, with all the tools that it went wrong for: a symbol
// that two tools do not know is told once.
type failure struct {
	Outcome
	tools []string
}

func alike(outcomes []Outcome) []failure {
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

// told is a failed call in the tool's own words and the next move.
func (f failure) told() string {
	if f.Code == codeRefused {
		return fmt.Sprintf("Understood: %s was not run, and nothing was changed. %s", quoted.Code(f.tools...), sentenceOf(f.Err))
	}
	move := nextMove(f.Tool, f.Code)
	if f.Code == codeNoData && strings.Contains(f.Err, "no prices") && !isOwn(f.Tool) {
		move = "Ask for another symbol." // no other range would help
	}
	return strings.TrimSpace(fmt.Sprintf("! %s: %s %s", quoted.Code(f.tools...), sentenceOf(f.Err), move))
}

// sentenceOf is a text of a tool as a sentence of its own, in the words for people.
func sentenceOf(text string) string {
	// What oneLine would cut off need not be put into words first.
	text = quoted.Line(wording.ForPeople(quoted.Cut(text, 4*quoted.Longest)), quoted.Longest)
	switch {
	case text == "":
		return absent + "."
	case strings.HasSuffix(text, "?"), strings.HasSuffix(text, "!"), strings.HasSuffix(text, "."):
		return quoted.Escaped(text)
	}
	return quoted.Escaped(text) + "."
}

func nextMove(tool, code string) string {
	switch code {
	case codeTimeout:
		return "Ask again, or for less at once."
	case codeCancelled:
		return "Ask again when you want it."
	case codeCrashed:
		return "The log has the details."
	}
	if isOwn(tool) {
		return "" // these say themselves what to do
	}
	if code == codeNoData {
		return "Ask again with another symbol or range."
	}
	if toolname.IsWorkflow(tool) {
		return "" // what is at fault may be the skill, not the question
	}
	switch tool {
	case toolname.Calculate:
		return "Write the expression another way, and ask again."
	case toolname.Skill:
		return "Name another skill, or ask for the figures themselves."
	default:
		return "Check the spelling or the range, and ask again."
	}
}

package repl

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// noAnswerReason is the reason of a refusal if the input ended before an answer.
const noAnswerReason = "nobody is there to answer"

// askApproval asks for an approval until there is an answer. It reports whether the
// user would rather have the turn stopped.
func (c *chat) askApproval(q tui.ApprovalRequest) (stop bool, err error) {
	c.printApproval(q)
	askedAt := c.Now()
	for {
		text, event := c.readNext(labelAnswer, q.Canceled)
		switch event {
		case readEnd:
			q.Answer(tool.Answer{Reason: noAnswerReason})
			return false, nil
		case readCanceled:
			c.out.say(labelNotice, "the question is not asked any more")
			return false, nil
		case readInterrupt:
			q.Answer(tool.Answer{Person: true})
			c.out.say(labelNotice, "refused, and stopping; press Ctrl+C again to leave")
			return true, nil
		}
		answer, understood := parseAnswer(text, q.Approval.Pattern != "")
		// A line that was sent before the question appeared is no yes to it.
		if c.cfg.Interactive && answer.Allowed && c.Now().Sub(askedAt) < widget.ApprovalQuietTime {
			c.out.say(labelNotice, "that came too soon after the question; again, please")
			continue
		}
		if understood {
			q.Answer(answer)
			return false, nil
		}
		c.out.say(labelNotice, "that is no answer. "+answerHint(q.Approval.Pattern))
	}
}

// printApproval says what is wanted, exactly, and which answers there are.
func (c *chat) printApproval(q tui.ApprovalRequest) {
	request := q.Approval
	exactly := widget.FormatExactArguments(request.Call.Arguments, noWrapWidth)
	if len(request.Plan) > 0 {
		exactly = nil
		for _, line := range request.Plan {
			exactly = append(exactly, widget.EscapeInvisible(strings.TrimSpace(line)))
		}
	}
	for _, line := range request.Changes {
		exactly = append(exactly, widget.EscapeInvisible(line))
	}
	head := widget.EscapeInvisible(request.Call.Name) + " " + widget.DescribeEffect(request.Effect) + "."
	c.out.lines(labelApproval, slices.Concat([]string{head}, exactly, []string{answerHint(request.Pattern)}))
}

func answerHint(pattern string) string {
	text := "Answer n (no, and why if you like), y (once), s (session)"
	if pattern != "" {
		text += ", a (always for " + widget.EscapeInvisible(pattern) + ")"
	}
	return text + ":"
}

// parseAnswer takes a line as an answer: a letter or its word alone, or a no with the
// reason behind it.
func parseAnswer(text string, always bool) (answer tool.Answer, understood bool) {
	word, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	reason = strings.TrimSpace(reason)
	yes := tool.Answer{Allowed: true, Person: true}
	switch word = strings.ToLower(strings.TrimRight(word, ",:")); {
	case word == "n" || word == "no":
		return tool.Answer{Reason: reason, Person: true}, true
	case reason != "":
		return tool.Answer{}, false
	case word == "y" || word == "yes" || word == "once":
		yes.Scope = tool.Once
	case word == "s" || word == "session":
		yes.Scope = tool.Session
	case always && (word == "a" || word == "always"):
		yes.Scope = tool.Always
	default:
		return tool.Answer{}, false
	}
	return yes, true
}

// Answers that are no values.
const (
	emptyCommand  = "/empty"
	cancelCommand = "/cancel"
)

// fillForm asks for the values of a form, a line each, and continues with the result: other
// values, a turn or text.
func (c *chat) fillForm(text string, missing *tui.MissingInputError) error {
	values := map[string]string{}
	for {
		askedCount, ok := c.askValues(missing, values)
		if !ok {
			return c.cancelForm(text, missing)
		}
		var result tui.InputResult
		var fault error
		if err := c.waitFor(func() { result, fault = missing.Complete(values, text) }, nil); err != nil {
			return err
		}
		next := tui.AsMissingInput(fault)
		switch {
		case next != nil && askedCount > 0:
			missing = next
		case fault != nil || result.Turn == nil:
			return c.printResult(text, result.Markdown, fault)
		default:
			return c.runTurn(text, *result.Turn)
		}
	}
}

// cancelForm prints what follows from a canceled form.
func (c *chat) cancelForm(text string, missing *tui.MissingInputError) error {
	if missing.OnCancel == nil || c.input.ended {
		c.out.say(labelNotice, "given up; nothing was done")
		return nil
	}
	shown, err := missing.OnCancel()
	return c.printResult(text, shown, err)
}

// askValues asks for the fields that have a problem, or else for those that have no
// value yet, and returns how many it asked for.
// ok is false if the user canceled the form.
func (c *chat) askValues(missing *tui.MissingInputError, values map[string]string) (askedCount int, ok bool) {
	wrong := slices.ContainsFunc(missing.Fields, func(f widget.FormField) bool { return f.Problem != "" })
	c.out.say(labelNotice, missing.Title+"; an empty line keeps what stands there, /cancel gives it up")
	for _, f := range missing.Fields {
		_, hasValue := values[f.Name]
		switch {
		case wrong && hasValue && f.Problem == "":
			continue
		case f.Secret:
			values[f.Name] = ""
			c.out.say(labelNotice, f.Name+" is not typed here, where it would be seen: "+f.About)
			continue
		}
		if hasValue {
			f.Value = values[f.Name]
		}
		askedCount++
		value, ok := c.askValue(f)
		if !ok {
			return askedCount, false
		}
		values[f.Name] = value
	}
	return askedCount, true
}

// askValue asks for one value until it has one.
func (c *chat) askValue(f widget.FormField) (string, bool) {
	c.out.say(labelNotice, fieldPrompt(f))
	for {
		text, event := c.read(labelField)
		text = strings.TrimSpace(text)
		switch {
		case event != readLine || text == cancelCommand:
			return "", false
		case text == emptyCommand:
			text = ""
		case text == "":
			text = f.Value
		}
		if text != "" || !f.Required {
			return text, true
		}
		c.out.say(labelNotice, f.Name+": a value is needed")
	}
}

// fieldPrompt says what is asked for, in one line.
func fieldPrompt(f widget.FormField) string {
	text := f.Name
	if f.Required {
		text += " (required)"
	}
	var parts []string
	for _, part := range []string{f.About, f.Hint} {
		if part != "" {
			parts = append(parts, strings.TrimSuffix(part, "."))
		}
	}
	if len(f.Choices) > 0 {
		parts = append(parts, "One of: "+strings.Join(f.Choices, ", "))
	}
	if f.Value != "" {
		parts = append(parts, "Now: "+f.Value)
	}
	if f.Problem != "" {
		parts = append(parts, "What stands there will not do: "+f.Problem)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ". ")
	}
	return markdown.SanitizeLine(text)
}

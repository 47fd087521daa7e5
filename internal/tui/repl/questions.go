package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// noAnswerReason is the reason for a refusal if the input ended before an answer.
const noAnswerReason = "no one answered"

// askApproval asks for an approval until there is an answer. It reports whether the user pressed Ctrl+C
// to stop the turn instead.
func (c *chat) askApproval(q tui.ApprovalRequest) (stop bool, err error) {
	if q.Question != "" {
		return c.askConfirmation(q)
	}
	c.printApproval(q)
	if !c.cfg.Interactive {
		return false, c.answerUnattended(q)
	}
	printedAt := c.Now()
	for {
		text, event := c.readNext(labelAnswer, q.Canceled)
		switch event {
		case readEnd:
			q.Answer(tool.Answer{Reason: noAnswerReason})
			return false, nil
		case readCanceled:
			c.out.say(labelNotice, "The question was withdrawn.")
			return false, nil
		case readInterrupt:
			q.Answer(tool.Answer{Person: true})
			c.out.say(labelNotice, "Refused. Stopping. Press Ctrl+C again to quit.")
			return true, nil
		}
		answer, understood := parseAnswer(text, q.Approval.Pattern != "")
		// A line that was typed before the question appeared must not approve anything.
		if c.cfg.Interactive && answer.Allowed && c.Now().Sub(printedAt) < widget.ApprovalQuietTime {
			c.out.say(labelNotice, "Too soon after the question. Please answer again.")
			continue
		}
		if understood {
			q.Answer(answer)
			return false, nil
		}
		c.out.say(labelNotice, "Not understood. "+answerHint(q.Approval.Pattern))
	}
}

// answerUnattended answers an approval if nobody types: a line of a pipe is not a person's answer.
func (c *chat) answerUnattended(q tui.ApprovalRequest) error {
	approver := c.cfg.Unattended
	if approver == nil {
		approver = tool.Policy{}
	}
	answer, err := approver.Approve(c.ctx, q.Approval)
	if answer.Scope == tool.Always {
		answer.Scope = tool.Once
	}
	if answer.Allowed {
		c.out.say(labelNotice, "Approved by --yes or --allow.")
	} else {
		c.out.say(labelNotice, "Refused: "+answer.Reason+".")
	}
	q.Answer(answer)
	return err
}

// askConfirmation asks the question of a command until there is an answer. A script cannot confirm.
func (c *chat) askConfirmation(q tui.ApprovalRequest) (stop bool, err error) {
	if !c.cfg.Interactive {
		q.Answer(tool.Answer{})
		c.out.say(labelNotice, q.Question+" Confirmation required: run in a terminal or pass --yes.")
		return false, nil
	}
	lines := append([]string{q.Question}, q.Detail...)
	for i, line := range lines {
		lines[i] = markdown.EscapeInvisible(line)
	}
	c.out.lines(labelApproval, append(lines, "Answer y (yes) or n (no):"))
	printedAt := c.Now()
	for {
		text, event := c.readNext(labelAnswer, q.Canceled)
		yes := strings.EqualFold(strings.TrimSpace(text), "y") || strings.EqualFold(strings.TrimSpace(text), "yes")
		switch {
		case event == readInterrupt:
			q.Answer(tool.Answer{Person: true})
			return true, nil
		case event != readLine:
			q.Answer(tool.Answer{})
			return false, nil
		case yes && c.Now().Sub(printedAt) < widget.ApprovalQuietTime:
			c.out.say(labelNotice, "Too soon after the question. Please answer again.")
			continue
		}
		q.Answer(tool.Answer{Allowed: yes, Person: true})
		return false, nil
	}
}

// printApproval prints the request in full and the possible answers.
func (c *chat) printApproval(q tui.ApprovalRequest) {
	request := q.Approval
	head := markdown.EscapeInvisible(widget.ApprovalQuestion(request))
	if !strings.ContainsAny(head[len(head)-1:], ".?") {
		head += "."
	}
	lines := []string{head}
	for _, touch := range widget.ApprovalTouches(request, "") {
		lines = append(lines, touch[0]+": "+markdown.EscapeInvisible(touch[1]))
	}
	for _, line := range request.Details() {
		lines = append(lines, markdown.EscapeInvisible(strings.TrimSpace(line)))
	}
	for _, line := range request.Changes {
		lines = append(lines, markdown.EscapeInvisible(line))
	}
	if c.cfg.Interactive {
		lines = append(lines, answerHint(request.Pattern))
	}
	c.out.lines(labelApproval, lines)
}

func answerHint(pattern string) string {
	text := "Answer n (no; you can add a reason), y (yes, once), s (yes, this session)"
	if pattern != "" {
		text += ", a (always for " + markdown.EscapeInvisible(pattern) + ")"
	}
	return text + ":"
}

// parseAnswer parses an answer: a letter or its word. After a no, a reason may follow.
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

// Commands that the user may type instead of a value.
const (
	emptyCommand  = "/empty"
	cancelCommand = "/cancel"
)

// fillForm asks for the values of a form, one line each, and continues with the result: more values, a
// turn or text.
func (c *chat) fillForm(text string, missing *tui.MissingInputError) error {
	values := map[string]string{}
	for {
		count, ok := c.askValues(missing, values)
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
		case next != nil && count > 0:
			missing = next
		case fault == nil && result.Line != "":
			c.out.say(labelYou, result.Line)
			return c.submit(result.Line)
		case fault != nil || result.Turn == nil:
			return c.printResult(text, result.Markdown, fault)
		default:
			return c.runTurn(text, *result.Turn)
		}
	}
}

// cancelForm prints the result of a canceled form.
func (c *chat) cancelForm(text string, missing *tui.MissingInputError) error {
	if missing.OnCancel == nil || c.input.ended {
		c.out.say(labelNotice, "Canceled. Nothing was changed.")
		return nil
	}
	shown, err := missing.OnCancel()
	return c.printResult(text, shown, err)
}

// askValues asks for all fields or, if one has a problem, only for those with a problem or without a
// value. It returns their number; ok is false if the user canceled the form.
func (c *chat) askValues(missing *tui.MissingInputError, values map[string]string) (count int, ok bool) {
	hasProblem := slices.ContainsFunc(missing.Fields, func(f widget.FormField) bool { return f.Problem != "" })
	c.out.say(labelNotice, missing.Title+". Enter keeps the current value; /cancel discards your changes.")
	for _, f := range missing.Fields {
		_, hasValue := values[f.Name]
		switch {
		case hasProblem && hasValue && f.Problem == "":
			continue
		case f.Secret:
			values[f.Name] = ""
			c.out.say(labelNotice, strings.TrimSpace(cmp.Or(f.Label, f.Name)+" cannot be typed here, because it would be visible. "+f.About))
			continue
		}
		if hasValue {
			f.Value = values[f.Name]
		}
		count++
		value, ok := c.askValue(f)
		if !ok {
			return count, false
		}
		values[f.Name] = value
	}
	return count, true
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
		default:
			text = chosenByNumber(text, f.Choices)
		}
		if text != "" || !f.Required {
			return text, true
		}
		c.out.say(labelNotice, f.Name+": a value is required")
	}
}

// chosenByNumber returns the choice with the typed number, or the text itself.
func chosenByNumber(text string, choices []string) string {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(choices) && !slices.Contains(choices, text) {
		return choices[n-1]
	}
	return text
}

// fieldPrompt returns the line that asks for a value.
func fieldPrompt(f widget.FormField) string {
	text := cmp.Or(f.Label, f.Name)
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
		numbered := make([]string, len(f.Choices))
		for i, choice := range f.Choices {
			numbered[i] = fmt.Sprintf("%d: %s", i+1, choice)
		}
		parts = append(parts, "Choose by number or name: "+strings.Join(numbered, ", "))
	}
	if f.Value != "" {
		parts = append(parts, "Current value: "+f.Value)
	}
	if f.Problem != "" {
		parts = append(parts, "Invalid: "+f.Problem)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ". ")
	}
	return markdown.SanitizeLine(text)
}

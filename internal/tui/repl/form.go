package repl

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

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

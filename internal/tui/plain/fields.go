package plain

import (
	"errors"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// Words that are no value.
const (
	wordEmpty  = "/empty"
	wordCancel = "/cancel"
)

// fill asks for the values of a form, a line each, and goes on with what they come
// to: other values, a turn, or words.
func (c *chat) fill(text string, needs *tui.NeedsError) error {
	values := map[string]string{}
	for {
		asked, how := c.values(needs, values)
		if how == formLeft {
			return c.left(text, needs)
		}
		var in agent.Input
		var shown string
		var fault error
		err := c.await(func() {
			switch {
			case needs.Shown != nil:
				shown, fault = needs.Shown(values)
			case needs.Fill != nil:
				in, fault = needs.Fill(values)
			}
		})
		if err != nil {
			return err
		}
		var again *tui.NeedsError
		switch {
		case errors.As(fault, &again) && asked > 0:
			needs = again
		case fault != nil || needs.Shown != nil:
			return c.result(text, shown, fault)
		default:
			return c.run(text, in)
		}
	}
}

// left is what comes of a form that was given up.
func (c *chat) left(text string, needs *tui.NeedsError) error {
	if needs.Leave == nil || c.input.ended {
		c.out.say(labelNotice, "given up; nothing was done")
		return nil
	}
	shown, err := needs.Leave()
	return c.result(text, shown, err)
}

type formEnd int

const (
	formFilled formEnd = iota
	formLeft
)

// values asks for the fields that have a problem, or else for those that have no
// value yet, and reports how many it asked for.
func (c *chat) values(needs *tui.NeedsError, values map[string]string) (asked int, how formEnd) {
	wrong := slices.ContainsFunc(needs.Fields, func(f form.Field) bool { return f.Problem != "" })
	c.out.say(labelNotice, needs.Title+"; an empty line keeps what stands there, /cancel gives it up")
	for _, f := range needs.Fields {
		_, known := values[f.Name]
		switch {
		case wrong && known && f.Problem == "":
			continue
		case f.Secret:
			values[f.Name] = ""
			c.out.say(labelNotice, f.Name+" is not typed here, where it would be seen: "+f.About)
			continue
		}
		if known {
			f.Value = values[f.Name]
		}
		asked++
		value, ok := c.value(f)
		if !ok {
			return asked, formLeft
		}
		values[f.Name] = value
	}
	return asked, formFilled
}

// value asks for one value until it has one.
func (c *chat) value(f form.Field) (string, bool) {
	c.out.say(labelNotice, question(f))
	for {
		text, how := c.read(labelField)
		text = strings.TrimSpace(text)
		switch {
		case how != lineCame || text == wordCancel:
			return "", false
		case text == wordEmpty:
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

// question says what is asked for, in one line.
func question(f form.Field) string {
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

package command

import (
	"cmp"
	"errors"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/filling"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// NeedsError is what Command.Prepare or Command.Show returns when the words after
// the name do not suffice: the chat then asks for Fields and calls Fill, or for
// what is shown Shown, with all the values by name, without the blanks around them.
// Fill may take its time. It returns the turn to run, whose Text is the line as sent
// when it is empty; or another *NeedsError, whose fields the form shows from then on,
// with what was typed in those of the same name; or any other error, which is shown
// while the form stays as it is. Shown returns Markdown to show instead of a turn.
type NeedsError struct {
	Title  string // the name of the command when empty
	Fields []form.Field
	Fill   func(values map[string]string) (agent.Input, error)
	Shown  func(values map[string]string) (string, error)
	// Leave says what is shown in the place of a form that is given up, as Markdown.
	// Nil gives the line back that asked.
	Leave func() (string, error)
}

// Error names the fields that have a problem or no value.
func (e *NeedsError) Error() string {
	return cmp.Or(form.Problems(e.Fields), "more values are needed")
}

// Needs gives what err asks for, or nil where it asks for nothing that can be given.
func Needs(err error) *NeedsError {
	var needs *NeedsError
	if errors.As(err, &needs) && len(needs.Fields) > 0 && (needs.Fill != nil || needs.Shown != nil) {
		return needs
	}
	return nil
}

// Outcome is what given values came to: a turn to run, or where that is nil Markdown to
// show.
type Outcome struct {
	Turn  *agent.Input
	Shown string
}

// Form is the form that asks, for the command of that name and the line that was sent.
func (e *NeedsError) Form(name, line string) *filling.Asked[Outcome] {
	asked := &filling.Asked[Outcome]{Title: cmp.Or(e.Title, name), Fields: e.Fields, Verb: "run", Leave: e.Leave}
	come := e.run
	if e.Shown != nil {
		asked.Verb, come = "save", e.show
	}
	asked.Fill = func(values map[string]string) filling.Answer[Outcome] {
		done, err := come(values, line)
		if again := Needs(err); again != nil {
			return filling.Answer[Outcome]{Again: again.Form(asked.Title, line)}
		}
		return filling.Answer[Outcome]{Err: err, Done: done}
	}
	return asked
}

func (e *NeedsError) run(values map[string]string, line string) (Outcome, error) {
	input, err := e.Fill(values)
	input.Text = cmp.Or(input.Text, line)
	return Outcome{Turn: &input}, err
}

func (e *NeedsError) show(values map[string]string, _ string) (Outcome, error) {
	text, err := e.Shown(values)
	return Outcome{Shown: text}, err
}

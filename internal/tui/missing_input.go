package tui

import (
	"cmp"
	"errors"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// MissingInputError is what Command.Prepare or Command.Show returns when the words after
// the name do not suffice: the chat then asks for Fields and calls Fill, or for
// what is shown Shown, with all the values by name, without the blanks around them.
// Fill may take its time. It returns the turn to run, whose Text is the line as sent
// when it is empty; or another *MissingInputError, whose fields the form shows from then on,
// with what was typed in those of the same name; or any other error, which is shown
// while the form stays as it is. Shown returns Markdown to show instead of a turn.
type MissingInputError struct {
	Title  string // the name of the command when empty
	Fields []widget.FormField
	Fill   func(values map[string]string) (agent.Input, error)
	Show   func(values map[string]string) (string, error)
	// OnCancel says what is shown in the place of a form that is given up, as Markdown.
	// Nil gives the line back that asked.
	OnCancel func() (string, error)
}

// Error names the fields that have a problem or no value.
func (e *MissingInputError) Error() string {
	return cmp.Or(widget.FormProblems(e.Fields), "more values are needed")
}

// AsMissingInput gives what err asks for, or nil where it asks for nothing that can be given.
func AsMissingInput(err error) *MissingInputError {
	var needs *MissingInputError
	if errors.As(err, &needs) && len(needs.Fields) > 0 && (needs.Fill != nil || needs.Show != nil) {
		return needs
	}
	return nil
}

// InputResult is what given values came to: a turn to run, or where that is nil Markdown to
// show.
type InputResult struct {
	Turn     *agent.Input
	Markdown string
}

// FormRequest is the form that asks, for the command of that name and the line that was sent.
func (e *MissingInputError) FormRequest(name, line string) *widget.FormRequest[InputResult] {
	request := &widget.FormRequest[InputResult]{Title: cmp.Or(e.Title, name), Fields: e.Fields, Verb: "run", OnCancel: e.OnCancel}
	complete := e.run
	if e.Show != nil {
		request.Verb, complete = "save", e.show
	}
	request.Fill = func(values map[string]string) widget.FormResult[InputResult] {
		result, err := complete(values, line)
		if again := AsMissingInput(err); again != nil {
			return widget.FormResult[InputResult]{Again: again.FormRequest(request.Title, line)}
		}
		return widget.FormResult[InputResult]{Err: err, Value: result}
	}
	return request
}

func (e *MissingInputError) run(values map[string]string, line string) (InputResult, error) {
	input, err := e.Fill(values)
	input.Text = cmp.Or(input.Text, line)
	return InputResult{Turn: &input}, err
}

func (e *MissingInputError) show(values map[string]string, _ string) (InputResult, error) {
	text, err := e.Show(values)
	return InputResult{Markdown: text}, err
}

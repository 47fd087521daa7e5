package tui

import (
	"cmp"
	"errors"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// MissingInputError is returned by Command.Prepare or Command.Show if the arguments do not
// suffice. The chat then shows a form with Fields, and passes all values by name, trimmed, to
// Fill, or to Show if it is set. Fill may be slow. It returns the turn to run (an empty Text
// stands for the line as sent); or another *MissingInputError, whose fields the form then shows,
// with what was typed in fields of the same name; or any other error, which the form shows and
// stays open. Show returns Markdown to show instead of a turn.
type MissingInputError struct {
	Title  string // the name of the command when empty
	Fields []widget.FormField
	Fill   func(values map[string]string) (agent.Input, error)
	Show   func(values map[string]string) (string, error)
	// OnCancel returns the Markdown to show if the form is canceled. If it is nil, the line that
	// opened the form returns to the composer.
	OnCancel func() (string, error)
}

// Error names the fields that have a problem or no value.
func (e *MissingInputError) Error() string {
	return cmp.Or(widget.FormProblems(e.Fields), "more values are needed")
}

// AsMissingInput returns the *MissingInputError in err, or nil if there is none with fields to ask
// for.
func AsMissingInput(err error) *MissingInputError {
	var needs *MissingInputError
	if errors.As(err, &needs) && len(needs.Fields) > 0 && (needs.Fill != nil || needs.Show != nil) {
		return needs
	}
	return nil
}

// InputResult is the result of a completed form: a turn to run or, if that is nil, Markdown to
// show.
type InputResult struct {
	Turn     *agent.Input
	Markdown string
}

// FormRequest returns the form that asks for the values of the named command, which was sent as
// line.
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

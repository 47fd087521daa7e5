package tui

import (
	"cmp"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// openForm is a form shown in place of the composer, with the submission that opened it.
type openForm struct {
	*widget.Form[InputResult]
	submission Submission
}

// formFilledMsg carries the result of a completed form.
type formFilledMsg struct {
	form   *openForm
	result widget.FormResult[InputResult]
}

// pressForm handles a key while a form is open.
func (m *Model) pressForm(k tea.KeyPressMsg) tea.Cmd {
	f := m.form
	cmd, canceled := f.Press(k, func(r widget.FormResult[InputResult]) tea.Msg { return formFilledMsg{f, r} })
	if canceled {
		return m.cancelForm()
	}
	return cmd
}

// openForm opens a form in place of the composer. It must not be called during a turn. The composer
// keeps a draft that was typed in the meantime.
func (m *Model) openForm(from Submission, name string, missing *MissingInputError) {
	m.form = &openForm{widget.NewForm(m.st, m.chat.Keys, m.chat.Now, missing.FormRequest(name, from.Text)), from}
	if !m.input.composer.Empty() {
		// The next Enter may be meant for the draft.
		m.form.BlockEnter()
	}
	m.input.commandList.Close()
	m.transcript.Blur()
	m.transcript.Follow()
}

// cancelForm closes the form and returns its line to the composer, with the queued messages, which may
// depend on its answer.
func (m *Model) cancelForm() tea.Cmd {
	if leave, from := m.form.OnCancel(), m.form.submission; leave != nil {
		m.form = nil
		return tea.Batch(m.continueQueue(true), func() tea.Msg {
			text, err := leave()
			return formCanceledMsg{from, text, err}
		})
	}
	m.input.queue.Prepend(m.form.submission)
	m.form = nil
	return m.continueQueue(false)
}

// showCanceledForm shows the result of MissingInputError.OnCancel.
func (m *Model) showCanceledForm(msg formCanceledMsg) {
	m.transcript.AddCommand(msg.submission.Text)
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return
	}
	m.transcript.Show(msg.text)
}

// applyFormResult continues with the result of Fill. It does nothing if the form was canceled in the
// meantime.
func (m *Model) applyFormResult(msg formFilledMsg) tea.Cmd {
	if m.form != msg.form {
		return nil
	}
	if finished := m.form.Apply(msg.result); !finished {
		if msg.result.Err != nil {
			m.transcript.Say(transcript.Error, msg.result.Err.Error())
		}
		return nil
	}
	m.form = nil
	o := msg.result.Value
	if o.Line != "" {
		return tea.Batch(m.input.remember(m.ctx, o.Line), m.start(m.chat.Parse(o.Line)))
	}
	if o.Turn != nil {
		m.input.composer.History.Remember(o.Turn.Text)
		return m.runTurn(o.Turn.Text, *o.Turn)
	}
	m.transcript.AddCommand(msg.form.submission.Text)
	m.transcript.Show(o.Markdown)
	m.refreshStatus() // because the values may have changed the status
	return m.continueQueue(true)
}

// MissingInputError is returned by Command.Prepare or Command.Run if arguments are missing. The chat
// then shows a form with Fields, and passes all values by name, trimmed, to Fill, or to Show or Line if
// it is set. They may be slow.
//
// Fill returns the turn to run; an empty Text means the line as sent. If it returns another
// *MissingInputError, the form shows the new fields and keeps the values of equal names. After any
// other error the form stays open. Show returns Markdown to show instead of a turn. Line returns the
// complete command, which is then sent.
type MissingInputError struct {
	Title  string // default: the name of the command
	Fields []widget.FormField
	Fill   func(values map[string]string) (agent.Input, error)
	Show   func(values map[string]string) (string, error)
	Line   func(values map[string]string) (string, error)
	// OnCancel returns the Markdown to show if the form is canceled. If nil, the line that opened the
	// form returns to the composer.
	OnCancel func() (string, error)
}

// Error names the fields that have a problem or no value.
func (e *MissingInputError) Error() string {
	return cmp.Or(widget.FormProblems(e.Fields), "required values are missing")
}

// AsMissingInput returns the *MissingInputError in err if it has fields to ask for, or nil.
func AsMissingInput(err error) *MissingInputError {
	var needs *MissingInputError
	if errors.As(err, &needs) && len(needs.Fields) > 0 && (needs.Fill != nil || needs.Show != nil || needs.Line != nil) {
		return needs
	}
	return nil
}

// InputResult is the result of a completed form: a turn to run, a line to send, or Markdown to show.
type InputResult struct {
	Turn     *agent.Input
	Line     string
	Markdown string
}

// FormRequest returns the form for the named command, which was sent as line.
func (e *MissingInputError) FormRequest(name, line string) *widget.FormRequest[InputResult] {
	request := &widget.FormRequest[InputResult]{Title: cmp.Or(e.Title, name), Fields: e.Fields, Verb: "run", OnCancel: e.OnCancel}
	if e.Show != nil {
		request.Verb = "save"
	}
	request.Fill = func(values map[string]string) widget.FormResult[InputResult] {
		result, err := e.Complete(values, line)
		if again := AsMissingInput(err); again != nil {
			return widget.FormResult[InputResult]{Again: again.FormRequest(request.Title, line)}
		}
		return widget.FormResult[InputResult]{Err: err, Value: result}
	}
	return request
}

// Complete returns the result of the values for the command that was sent as line. It may be slow.
func (e *MissingInputError) Complete(values map[string]string, line string) (InputResult, error) {
	switch {
	case e.Show != nil:
		text, err := e.Show(values)
		return InputResult{Markdown: text}, err
	case e.Line != nil:
		line, err := e.Line(values)
		return InputResult{Line: line}, err
	}
	input, err := e.Fill(values)
	input.Text = cmp.Or(input.Text, line)
	return InputResult{Turn: &input}, err
}

package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// openForm is a form in the place of the composer, with the submission that opened it.
type openForm struct {
	*widget.FormDialog[InputResult]
	submission submission
}

// formFilledMsg carries the result of the values of a form.
type formFilledMsg struct {
	form   *openForm
	result widget.FormResult[InputResult]
}

// formKeys are the keys that a form names: Ctrl+Enter where the terminal tells it
// from Enter.
func (m *Model) formKeys() widget.FormKeys {
	k := widget.FormKeys{Enter: m.keys.Label("form-enter"), Run: m.keys.Label("form-run"), Cancel: m.keys.Label("form-cancel")}
	if best := "ctrl+enter"; m.hasCtrlEnter && slices.Contains(m.keys.Keys("form-run"), best) {
		k.RunPreferred = widget.KeyLabel(best)
	}
	return k
}

// formKey handles every key but Esc.
func (m *Model) formKey(k tea.KeyPressMsg) tea.Cmd {
	f := m.form
	return f.Press(k, m.componentKey(widget.ScopeForm, k), m.cfg.Now(), func(a widget.FormResult[InputResult]) tea.Msg { return formFilledMsg{f, a} })
}

// openForm opens a form in the place of the composer. No turn runs then: a skill
// sent during one is queued, and prepared when the turn has ended. What was
// being written meanwhile stays in the composer, below the form.
func (m *Model) openForm(from submission, name string, needs *MissingInputError) {
	m.form = &openForm{widget.NewFormDialog(m.st, m.formKeys(), needs.FormRequest(name, from.text)), from}
	if !m.composer.Empty() {
		// The Enter that was meant for a draft must not run anything.
		m.form.BlockEnter(m.cfg.Now().Add(widget.ApprovalQuietTime))
	}
	m.commandList.Close()
	m.transcript.Blur()
	m.transcript.Follow()
}

// cancelForm closes the form and returns its line, and what was queued after it, to the composer:
// queued messages may depend on the answer.
func (m *Model) cancelForm() tea.Cmd {
	if leave, from := m.form.OnCancel(), m.form.submission; leave != nil {
		m.form = nil
		return tea.Batch(m.continueQueue(true), func() tea.Msg {
			text, err := leave()
			return resultMsg{submission: from, markdown: text, err: err}
		})
	}
	m.queue.Prepend(m.form.submission)
	m.form = nil
	return m.continueQueue(false)
}

// applyFormResult continues with what Fill returned. A form that was canceled in the meantime runs
// nothing.
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
	return m.useFormResult(msg.result.Value)
}

// useFormResult runs the turn or shows the Markdown that the values of a form resulted in.
func (m *Model) useFormResult(o InputResult) tea.Cmd {
	if o.Turn != nil {
		m.composer.History.Remember(o.Turn.Text)
		return m.runTurn(o.Turn.Text, *o.Turn)
	}
	m.transcript.Show(o.Markdown)
	m.refreshStatus() // because the values may have changed the status
	return m.continueQueue(true)
}

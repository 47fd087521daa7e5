package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// openForm is a form in the place of the composer, and what asks.
type openForm struct {
	*widget.FormDialog[InputResult]
	submission submission
}

// formFilledMsg brings what the values of a form came to.
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

// formKey handles a key but Esc.
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

// cancelForm gives the line back that opened the form, and what was queued
// after it: it may have been written for the answer.
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

// applyFormResult goes on with what Fill returned. A form that was cancelled meanwhile
// runs nothing.
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

// useFormResult does what values that will do came to.
func (m *Model) useFormResult(o InputResult) tea.Cmd {
	if o.Turn != nil {
		m.composer.History.Remember(o.Turn.Text)
		return m.runTurn(o.Turn.Text, *o.Turn)
	}
	m.transcript.Show(o.Markdown)
	m.refreshStatus() // which the values may have changed
	return m.continueQueue(true)
}

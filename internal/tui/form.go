package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/command"
	"github.com/nfa-cli/nfa/internal/tui/filling"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// asked is a form in the place of the composer, and what asks.
type asked struct {
	*filling.Form[command.Outcome]
	from submission
}

// filledMsg brings what the values of a form came to.
type filledMsg struct {
	form   *asked
	answer filling.Answer[command.Outcome]
}

// formKeys are the keys that a form names: Ctrl+Enter where the terminal tells it
// from Enter.
func (m *Model) formKeys() form.Keys {
	k := form.Keys{Enter: m.keys.Label("form-enter"), Run: m.keys.Label("form-run"), Cancel: m.keys.Label("form-cancel")}
	if best := "ctrl+enter"; m.tellsCtrlEnter && slices.Contains(m.keys.Keys("form-run"), best) {
		k.Better = keymap.Label(best)
	}
	return k
}

// formKey handles a key but Esc.
func (m *Model) formKey(k tea.KeyPressMsg) tea.Cmd {
	f := m.form
	return f.Press(k, m.known(keymap.Form, k), m.cfg.Now(), func(a filling.Answer[command.Outcome]) tea.Msg { return filledMsg{f, a} })
}

// ask opens a form in the place of the composer. No turn runs then: a skill
// sent during one is queued, and prepared when the turn has ended. What was
// being written meanwhile stays in the composer, below the form.
func (m *Model) ask(from submission, name string, needs *NeedsError) {
	m.form = &asked{filling.New(m.st, m.formKeys(), needs.Form(name, from.text)), from}
	if !m.composer.Empty() {
		// The Enter that was meant for a draft must not run anything.
		m.form.Hold(m.cfg.Now().Add(ask.Quiet))
	}
	m.completion.Close()
	m.transcript.Blur()
	m.transcript.Follow()
}

// cancelForm gives the line back that opened the form, and what was queued
// after it: it may have been written for the answer.
func (m *Model) cancelForm() tea.Cmd {
	if leave, from := m.form.Leave(), m.form.from; leave != nil {
		m.form = nil
		return tea.Batch(m.afterwards(true), func() tea.Msg {
			text, err := leave()
			return resultMsg{from: from, markdown: text, err: err}
		})
	}
	m.queue.Precede(m.form.from)
	m.form = nil
	return m.afterwards(false)
}

// filled goes on with what Fill returned. A form that was cancelled meanwhile
// runs nothing.
func (m *Model) filled(msg filledMsg) tea.Cmd {
	if m.form != msg.form {
		return nil
	}
	if done := m.form.Take(msg.answer); !done {
		if msg.answer.Err != nil {
			m.transcript.Say(transcript.Error, msg.answer.Err.Error())
		}
		return nil
	}
	m.form = nil
	return m.goOn(msg.answer.Done)
}

// goOn does what values that will do came to.
func (m *Model) goOn(o command.Outcome) tea.Cmd {
	if o.Turn != nil {
		m.composer.History.Remember(o.Turn.Text)
		return m.run(o.Turn.Text, *o.Turn)
	}
	m.transcript.Show(o.Shown)
	m.showStatus() // which the values may have changed
	return m.afterwards(true)
}

package tui

import (
	"cmp"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/filling"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
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

// askedFor gives the form that err asks for, or nil.
func askedFor(err error) *NeedsError {
	var needs *NeedsError
	if errors.As(err, &needs) && len(needs.Fields) > 0 && (needs.Fill != nil || needs.Shown != nil) {
		return needs
	}
	return nil
}

// deed is what the chat does with values that will do.
type deed = func(*Model) tea.Cmd

// asked is a form in the place of the composer, and what asks.
type asked struct {
	*filling.Form[deed]
	from submission
}

// filledMsg brings what the values of a form came to.
type filledMsg struct {
	form   *asked
	answer filling.Answer[deed]
}

// asking makes the form of a line that was sent.
func (e *NeedsError) asking(title string, from submission) *filling.Asked[deed] {
	title = cmp.Or(e.Title, title)
	if e.Shown != nil {
		return e.showing(title, from)
	}
	return &filling.Asked[deed]{Title: title, Fields: e.Fields, Verb: "run", Leave: e.Leave, Fill: func(values map[string]string) filling.Answer[deed] {
		input, err := e.Fill(values)
		if again := askedFor(err); again != nil {
			return filling.Answer[deed]{Again: again.asking(title, from)}
		}
		if err != nil {
			return filling.Answer[deed]{Err: err}
		}
		input.Text = cmp.Or(input.Text, from.text)
		return filling.Answer[deed]{Done: func(m *Model) tea.Cmd {
			m.composer.History.Remember(input.Text)
			return m.run(input.Text, input)
		}}
	}}
}

// showing makes the form of a command that runs no turn.
func (e *NeedsError) showing(title string, from submission) *filling.Asked[deed] {
	return &filling.Asked[deed]{Title: title, Fields: e.Fields, Verb: "save", Leave: e.Leave, Fill: func(values map[string]string) filling.Answer[deed] {
		text, err := e.Shown(values)
		if again := askedFor(err); again != nil {
			return filling.Answer[deed]{Again: again.asking(title, from)}
		}
		if err != nil {
			return filling.Answer[deed]{Err: err}
		}
		return filling.Answer[deed]{Done: func(m *Model) tea.Cmd {
			m.transcript.Show(text)
			m.showStatus() // which the values may have changed
			return m.afterwards(true)
		}}
	}}
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
	return f.Press(k, m.known(keymap.Form, k), m.cfg.Now(), func(a filling.Answer[deed]) tea.Msg { return filledMsg{f, a} })
}

// ask opens a form in the place of the composer. No turn runs then: a skill
// sent during one is queued, and prepared when the turn has ended. What was
// being written meanwhile stays in the composer, below the form.
func (m *Model) ask(from submission, name string, needs *NeedsError) {
	m.form = &asked{filling.New(m.st, m.formKeys(), needs.asking(name, from)), from}
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
	m.queue = slices.Insert(m.queue, 0, m.form.from)
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
	return msg.answer.Done(m)
}

package tui

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// NeedsError is what Command.Prepare or Command.Show returns when the words after
// the name do not suffice: the chat then asks for Fields and calls Fill, or for
// what is shown Shown, with all the values by name, without the blanks around them. Fill may take its time. It returns
// the turn to run, whose Text is the line as sent when it is empty; or another
// *NeedsError, whose fields the form shows from then on, with what was typed in
// those of the same name; or any other error, which is shown while the form
// stays as it is. Shown returns Markdown to show instead of a turn.
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

// asking is what a form asks for, whoever wants it.
type asking struct {
	title  string
	fields []form.Field
	verb   string // what its last key does: "run"
	fill   func(values map[string]string) answer
	leave  func() (string, error) // nil: the line is given back
}

// answer is what values came to: they are asked for again, they will not do, or
// done goes on with them.
type answer struct {
	again *asking
	err   error
	done  func(*Model) tea.Cmd
}

// asking makes the form of a line that was sent.
func (e *NeedsError) asking(title string, from submission) *asking {
	title = cmp.Or(e.Title, title)
	if e.Shown != nil {
		return e.showing(title, from)
	}
	return &asking{title: title, fields: e.Fields, verb: "run", leave: e.Leave, fill: func(values map[string]string) answer {
		input, err := e.Fill(values)
		if again := askedFor(err); again != nil {
			return answer{again: again.asking(title, from)}
		}
		if err != nil {
			return answer{err: err}
		}
		input.Text = cmp.Or(input.Text, from.text)
		return answer{done: func(m *Model) tea.Cmd {
			m.composer.History.Remember(input.Text)
			return m.run(input.Text, input)
		}}
	}}
}

// showing makes the form of a command that runs no turn.
func (e *NeedsError) showing(title string, from submission) *asking {
	return &asking{title: title, fields: e.Fields, verb: "save", leave: e.Leave, fill: func(values map[string]string) answer {
		text, err := e.Shown(values)
		if again := askedFor(err); again != nil {
			return answer{again: again.asking(title, from)}
		}
		if err != nil {
			return answer{err: err}
		}
		return answer{done: func(m *Model) tea.Cmd {
			m.transcript.Show(text)
			m.showStatus() // which the values may have changed
			return m.afterwards(true)
		}}
	}}
}

// filling is a form that is open: in the place of the composer for the values
// that a skill needs, or on a shelf.
type filling struct {
	*form.Form[composer.Field]
	fill  func(values map[string]string) answer
	leave func() (string, error)
	on    *browsing  // the shelf that asks, or nil
	from  submission // what asks in the place of the composer
}

type filledMsg struct {
	form   *filling
	answer answer
}

func (m *Model) newForm(a *asking) *filling {
	f := &filling{Form: form.New(m.st, m.formKeys(), composer.NewField)}
	f.ask(a)
	return f
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

func (f *filling) ask(a *asking) {
	f.fill, f.leave = a.fill, a.leave
	f.SetLeaving(a.leave != nil)
	f.Ask(a.title, a.verb, a.fields)
}

// write takes a key or a paste into the value being written.
func (f *filling) write(msg tea.Msg) (cmd tea.Cmd) {
	if p, ok := msg.(tea.PasteMsg); ok {
		// A line is often copied with its end.
		p.Content = strings.TrimRight(p.Content, "\r\n")
		msg = p
	}
	f.Edit(func(v composer.Field) { cmd = v.Update(msg) })
	return cmd
}

// formKey handles a key but Esc, which is for whoever opened the form.
func (m *Model) formKey(f *filling, k tea.KeyPressMsg) tea.Cmd {
	switch f.Press(m.known(keymap.Form, k), m.cfg.Now()) {
	case form.Typed:
		return f.write(k)
	case form.Filled:
		fill, values := f.fill, f.Values()
		return func() tea.Msg { return filledMsg{f, fill(values)} }
	default:
		return nil
	}
}

// cursor stands in the current value, at a line of View that has so many.
func (f *filling) cursor() (c *tea.Cursor, lines int) {
	x, y, lines, ok := f.Place()
	if !ok {
		return nil, 0
	}
	if c = f.Editor().Cursor(); c == nil {
		return nil, 0
	}
	if mask, ok := f.Mask(); ok {
		c.X, c.Y = len(mask), 0
	}
	c.X += x
	c.Y += y
	return c, lines
}

// ask opens a form in the place of the composer. No turn runs then: a skill
// sent during one is queued, and prepared when the turn has ended. What was
// being written meanwhile stays in the composer, below the form.
func (m *Model) ask(from submission, name string, needs *NeedsError) {
	m.form = m.newForm(needs.asking(name, from))
	m.form.from = from
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
	if leave, from := m.form.leave, m.form.from; leave != nil {
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
	f, shelved := msg.form, msg.form.on != nil
	if shelved && (m.shelf != f.on || f.on.form != f) {
		return m.late(f.on, nil)
	}
	if !shelved && m.form != f {
		return nil
	}
	if again := msg.answer.again; again != nil {
		f.ask(again)
		return nil
	}
	if err := msg.answer.err; err != nil && shelved {
		f.Resume()
		f.on.browser.Fail(err.Error())
		return m.stock(f.on)
	} else if err != nil {
		f.Resume()
		m.transcript.Say(transcript.Error, err.Error())
		return nil
	}
	if shelved {
		f.on.form = nil
	} else {
		m.form = nil
	}
	return msg.answer.done(m)
}

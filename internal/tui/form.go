package tui

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// Field is a value that a form asks for.
type Field struct {
	Name     string   // the key of the value that Fill gets
	About    string   // what it is for, one line
	Hint     string   // what else helps to fill it: a default, a type, what the book holds
	Value    string   // what stands there to begin with
	Required bool     // the form refuses to run while it is empty
	Choices  []string // what Left and Right go through; other values may be typed
	Problem  string   // why Value will not do, shown until it is changed
}

// NeedsError is what Command.Prepare returns when the words after the name do
// not suffice: the chat then asks for Fields and calls Fill with all the values
// by name, without the blanks around them. Fill may take its time. It returns
// the turn to run, whose Text is the line as sent when it is empty; or another
// *NeedsError, whose fields the form shows from then on, with what was typed in
// those of the same name; or any other error, which is shown while the form
// stays as it is.
type NeedsError struct {
	Title  string // the name of the command when empty
	Fields []Field
	Fill   func(values map[string]string) (agent.Input, error)
}

// Error names the fields that have a problem or no value.
func (e *NeedsError) Error() string {
	var words []string
	for _, f := range e.Fields {
		switch {
		case f.Problem != "":
			words = append(words, f.Name+": "+f.Problem)
		case f.Required && f.Value == "":
			words = append(words, f.Name+": "+valueNeeded)
		}
	}
	if len(words) == 0 {
		return "more values are needed"
	}
	return strings.Join(words, "; ")
}

const valueNeeded = "a value is needed"

// askedFor gives the form that err asks for, or nil.
func askedFor(err error) *NeedsError {
	var needs *NeedsError
	if errors.As(err, &needs) && len(needs.Fields) > 0 && needs.Fill != nil {
		return needs
	}
	return nil
}

// asking is what a form asks for, whoever wants it.
type asking struct {
	title  string
	fields []Field
	verb   string // what its last key does: "run"
	fill   func(values map[string]string) answer
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
	return &asking{title: title, fields: e.Fields, verb: "run", fill: func(values map[string]string) answer {
		input, err := e.Fill(values)
		if again := askedFor(err); again != nil {
			return answer{again: again.asking(title, from)}
		}
		if err != nil {
			return answer{err: err}
		}
		input.Text = cmp.Or(input.Text, from.text)
		return answer{done: func(m *Model) tea.Cmd {
			m.composer.remember(input.Text)
			return m.run(input.Text, input)
		}}
	}}
}

// form asks for values: in the place of the composer for those that a skill
// needs, or on a shelf.
type form struct {
	st            *draw.Styles
	width, height int

	asking
	on      *browsing  // the shelf that asks, or nil
	from    submission // what asks in the place of the composer
	entries []*entry
	at      int       // the entry being edited
	column  int       // where the values begin
	filling bool      // Fill runs; the values stand still
	armed   time.Time // from when on Enter counts

	// tellsCtrlEnter is whether the terminal tells Ctrl+Enter from Enter.
	tellsCtrlEnter bool
}

// entry is a field with what is written there.
type entry struct {
	Field
	area *composer

	name, star, hint, about string // as drawn
	width, rows             int    // of the area
}

func newEntry(field Field) *entry {
	e := &entry{Field: field, name: draw.OneLine(field.Name), hint: draw.OneLine(field.Hint), about: draw.OneLine(field.About)}
	if field.Required {
		e.star = " *"
	}
	if len(field.Choices) > 0 {
		e.hint = strings.TrimSpace("(" + draw.OneLine(strings.Join(field.Choices, " ")) + ") " + e.hint)
	}
	return e
}

type filledMsg struct {
	form   *form
	answer answer
}

// take shows the fields that are asked for. Text that was typed already stays.
func (f *form) take(a *asking) {
	f.filling, f.asking = false, *a
	entries := make([]*entry, 0, len(a.fields))
	for _, field := range a.fields {
		e := newEntry(field)
		same := slices.IndexFunc(f.entries, func(old *entry) bool { return old.Name == field.Name })
		if same >= 0 {
			e.area = f.entries[same].area
		} else {
			e.area = newComposer(f.st, "")
			e.write(field.Value)
		}
		entries = append(entries, e)
	}
	f.entries = entries
	f.at = f.first()
}

// first is where there is something to do: a problem, else a value that is
// needed, else the beginning.
func (f *form) first() int {
	if i := slices.IndexFunc(f.entries, func(e *entry) bool { return e.Problem != "" }); i >= 0 {
		return i
	}
	return max(slices.IndexFunc(f.entries, (*entry).missing), 0)
}

func (f *form) current() *entry { return f.entries[f.at] }
func (f *form) last() bool      { return f.at == len(f.entries)-1 }

func (f *form) move(step int) { f.at = (f.at + step + len(f.entries)) % len(f.entries) }

func (f *form) setStyles(st *draw.Styles) {
	f.st = st
	for _, e := range f.entries {
		e.area.setStyles(st)
	}
}

// Update takes what is written into the current entry. While Fill runs it takes
// nothing: the answer has to be about what stands there.
func (f *form) Update(msg tea.Msg) tea.Cmd {
	if f.filling {
		return nil
	}
	if p, ok := msg.(tea.PasteMsg); ok {
		// A line is often copied with its end.
		p.Content = strings.TrimRight(p.Content, "\r\n")
		msg = p
	}
	e := f.current()
	before := e.area.value()
	cmd := e.area.Update(msg)
	if e.area.value() != before {
		e.Problem = ""
	}
	return cmd
}

// choose goes through the choices of the current entry, and reports whether it
// has any.
func (f *form) choose(step int) bool {
	e := f.current()
	if len(e.Choices) == 0 {
		return false
	}
	if !f.filling {
		e.choose(step)
	}
	return true
}

// run calls Fill, unless a value that is needed is missing.
func (f *form) run() tea.Cmd {
	if f.filling {
		return nil
	}
	for i, e := range slices.Backward(f.entries) {
		if e.missing() {
			e.Problem = valueNeeded
			f.at = i
		}
	}
	if f.current().missing() {
		return nil
	}
	f.filling = true
	fill, values := f.fill, make(map[string]string, len(f.entries))
	for _, e := range f.entries {
		values[e.Name] = e.text()
	}
	return func() tea.Msg { return filledMsg{f, fill(values)} }
}

func (e *entry) text() string      { return strings.TrimSpace(e.area.value()) }
func (e *entry) write(text string) { e.area.set(markdown.Sanitize(text)) }
func (e *entry) missing() bool     { return e.Required && e.text() == "" }

// choose writes the next choice, or the one before with -1. What may be left
// empty can be emptied again.
func (e *entry) choose(step int) {
	options := e.Choices
	if !e.Required {
		options = slices.Concat([]string{""}, e.Choices)
	}
	at := slices.Index(options, e.text())
	if at < 0 && step < 0 {
		at = 0
	}
	e.write(options[(at+step+len(options))%len(options)])
	e.Problem = ""
}

// ask opens a form in the place of the composer. No turn runs then: a skill
// sent during one is queued, and prepared when the turn has ended. What was
// being written meanwhile stays in the composer, below the form.
func (m *Model) ask(from submission, needs *NeedsError) {
	m.form = &form{st: m.st, from: from, tellsCtrlEnter: m.tellsCtrlEnter}
	m.form.take(needs.asking(from.skill.Name, from))
	if !m.composer.empty() {
		// The Enter that was meant for a draft must not run anything.
		m.form.armed = m.cfg.Now().Add(armTime)
	}
	m.completion.close()
	m.transcript.Blur()
	m.transcript.Follow()
}

// key handles a key but Esc, which is for whoever opened the form.
func (f *form) key(k tea.KeyPressMsg, now time.Time) tea.Cmd {
	switch name := k.String(); name {
	case "tab", "down":
		f.move(+1)
	case "shift+tab", "up":
		f.move(-1)
	case "enter", "ctrl+enter", "ctrl+r":
		if now.Before(f.armed) {
			return nil
		}
		if name == "enter" && !f.last() {
			f.move(+1)
			return nil
		}
		return f.run()
	case "left", "right":
		if step := map[string]int{"left": -1, "right": +1}[name]; !f.choose(step) {
			return f.Update(k)
		}
	default:
		return f.Update(k)
	}
	return nil
}

// cancelForm gives the line back that opened the form, and what was queued
// after it: it may have been written for the answer.
func (m *Model) cancelForm() tea.Cmd {
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
		f.take(again)
		return nil
	}
	if err := msg.answer.err; err != nil && shelved {
		f.filling = false
		f.on.browser.Fail(err.Error())
		return m.stock(f.on)
	} else if err != nil {
		f.filling = false
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

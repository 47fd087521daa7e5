package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/shelf"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// confirmation is a question on a shelf, and what a yes to it does.
type confirmation struct {
	*ask.Confirmation
	action string // the name of what asks
	yes    func() (Outcome, error)
}

// browsing is a shelf that is open: the screen, and what its actions wait for.
type browsing struct {
	*Shelf
	browser *shelf.Browser
	items   map[string]Item

	asking    bool   // Items is being asked
	outdated  bool   // and has to be asked again after that
	selecting string // the item to stand on, once it is there
	doing     string // the action that runs

	form    *filling
	confirm *confirmation
}

type (
	itemsMsg struct {
		on    *browsing
		items []Item
	}
	pageMsg struct {
		on    *browsing
		draft shelf.Draft
	}
	outcomeMsg struct {
		on      *browsing
		action  string
		outcome Outcome
		err     error
	}
	execMsg struct {
		on     *browsing
		action string
		then   func(error) (Outcome, error)
		err    error
	}
)

// browse opens a shelf over the transcript, with only what words find.
func (m *Model) browse(s *Shelf, words string) tea.Cmd {
	if s == nil {
		return nil
	}
	m.shelf = &browsing{Shelf: s, browser: shelf.New(m.st, s.Title, s.Empty)}
	m.shelf.browser.SetKeys(shelf.Keys{All: m.shelfKeys(), Help: m.keys.Label("shelf-keys"), Back: m.keys.Label("shelf-back")})
	m.shelf.browser.Filter(words)
	m.completion.Close()
	m.transcript.Blur()
	return m.stock(m.shelf)
}

// leave closes the shelf, and asks what there is after it.
func (m *Model) leave() tea.Cmd {
	m.shelf = nil
	return m.refresh()
}

// stock asks for the items, once at a time.
func (m *Model) stock(on *browsing) tea.Cmd {
	if on.asking {
		on.outdated = true
		return nil
	}
	on.asking = true
	return func() tea.Msg { return itemsMsg{on, on.Items()} }
}

func (m *Model) stocked(msg itemsMsg) tea.Cmd {
	on := msg.on
	on.asking = false
	on.items = make(map[string]Item, len(msg.items))
	rows := make([]shelf.Row, 0, len(msg.items))
	for _, i := range msg.items {
		on.items[i.Name] = i
		rows = append(rows, shelf.Row{
			Key: i.Name, Label: cmp.Or(i.Title, i.Name), Group: i.Group, About: i.About, Alone: i.Alone, Words: i.Words, Marks: i.Marks, Problem: i.Problem,
		})
	}
	on.browser.SetRows(rows)
	if on.selecting != "" && (on.browser.Select(on.selecting) || !on.outdated) {
		on.selecting = ""
	}
	if on.outdated {
		on.outdated = false
		return m.stock(on)
	}
	return nil
}

// readShelf makes the page in sight beside the screen.
func (m *Model) readShelf() tea.Cmd {
	if m.shelf == nil {
		return nil
	}
	on := m.shelf
	job, wanted := on.browser.Wanted()
	if !wanted {
		return nil
	}
	read := on.Read
	if read == nil {
		read = func(string) (string, error) { return "", nil }
	}
	return func() tea.Msg { return pageMsg{on, job.Do(read)} }
}

// offered are the actions for the item at the cursor and for the whole.
func (on *browsing) offered() []Action {
	name, there := on.browser.Current()
	return slices.DeleteFunc(slices.Clone(on.Actions), func(a Action) bool {
		return !a.Whole && (!there || a.Offer != nil && !a.Offer(on.items[name]))
	})
}

// shelfKey handles a key while a shelf is open: first what was asked, then what
// the screen does itself, then the actions. Enter is an action's where one
// wants it.
func (m *Model) shelfKey(k tea.KeyPressMsg) tea.Cmd {
	on, name := m.shelf, m.known(keymap.Shelf, k)
	on.browser.Hush()
	switch {
	case on.form != nil && m.known(keymap.Form, k) == "esc":
		on.form = nil
		return nil
	case on.form != nil:
		return m.formKey(on.form, k)
	case on.confirm != nil:
		return m.confirmKey(k)
	}
	offered := on.offered()
	at := slices.IndexFunc(offered, func(a Action) bool { return m.known(on.scopeOf(a), k) == a.Key })
	if at < 0 || name != "enter" {
		switch on.browser.Press(name, k.Text) {
		case shelf.Closed:
			return m.leave()
		case shelf.Taken:
			return nil
		}
	}
	if at < 0 {
		return nil
	}
	item, _ := on.browser.Current()
	run := offered[at].Run
	return m.act(on, offered[at].Name, func() (Outcome, error) { return run(item) })
}

// scopeOf is where the key of an action stands in the table.
func (on *browsing) scopeOf(a Action) keymap.Scope {
	if a.Key == "enter" {
		return keymap.Shelf
	}
	return on.Scope
}

// hint is an action with the key that the user has for it.
func (m *Model) hint(on *browsing, a Action) shelf.Hint {
	h := shelf.Hint{Key: keymap.Label(a.Key), Name: a.Name, About: a.About}
	if b, ok := m.keys.Find(on.scopeOf(a), a.Key); ok {
		h.Key, h.About = "", cmp.Or(a.About, b.About)
		if len(b.Keys) > 0 {
			h.Key = keymap.Label(b.Keys[0])
		}
	}
	return h
}

// act runs a part of an action beside the screen, one at a time.
func (m *Model) act(on *browsing, action string, run func() (Outcome, error)) tea.Cmd {
	if on.doing != "" {
		on.browser.Say(on.doing + " is not done yet")
		return nil
	}
	on.doing = action
	return func() tea.Msg {
		outcome, err := run()
		return outcomeMsg{on, action, outcome, err}
	}
}

func (m *Model) confirmKey(k tea.KeyPressMsg) tea.Cmd {
	on, c := m.shelf, m.shelf.confirm
	switch c.Press(m.known(keymap.Meant, k)) {
	case ask.Agreed:
		on.confirm = nil
		return m.act(on, c.action, c.yes)
	case ask.Refused:
		on.confirm = nil
	}
	return nil
}

// acted goes on with what an action came to.
func (m *Model) acted(msg outcomeMsg) tea.Cmd {
	on := msg.on
	on.doing = ""
	m.lender.TakeBack()
	if m.shelf != on {
		return m.late(on, &msg)
	}
	if msg.err != nil {
		on.browser.Fail(msg.err.Error())
		return m.stock(on)
	}
	return m.goOn(on, msg.action, msg.outcome)
}

// goOn does what an outcome says. The items are asked anew in any case: what an
// action changed is its own affair.
func (m *Model) goOn(on *browsing, action string, o Outcome) tea.Cmd {
	on.selecting = cmp.Or(o.Select, on.selecting)
	if o.Said != "" {
		on.browser.Say(o.Said)
	}
	stock := m.stock(on)
	switch {
	case o.Ask.askable():
		on.form = m.newForm(o.Ask.asking(on, action))
		on.form.on = on
	case o.Confirm != nil:
		question := ask.NewConfirmation(m.st, m.cfg.Now, o.Confirm.Question, o.Confirm.Detail)
		question.SetKeys(ask.ConfirmationKeys{
			No: m.keys.Label("meant-no"), Yes: m.keys.Label("meant-yes"), Up: m.keys.Label("meant-up"), Down: m.keys.Label("meant-down"),
		})
		on.confirm = &confirmation{Confirmation: question, action: action, yes: o.Confirm.Yes}
	case o.Exec != nil:
		return tea.Batch(stock, m.execute(on, action, o.Exec))
	case o.Compose != "":
		m.insert(o.Compose)
		return m.leave()
	case o.Resume != nil:
		return tea.Batch(stock, m.resume(o.Resume))
	case o.Show != "":
		on.browser.Show(action, o.Show)
	}
	return stock
}

// late is for what comes of an action after its shelf, or its form, was closed:
// nothing goes on, but what went wrong is said, and what changed is asked.
func (m *Model) late(on *browsing, msg *outcomeMsg) tea.Cmd {
	if msg != nil && msg.outcome.Resume != nil {
		msg.outcome.Resume.Done(false)
	}
	if m.shelf == on {
		return m.stock(on)
	}
	if msg != nil && msg.err != nil {
		m.transcript.Say(transcript.Error, msg.action+": "+msg.err.Error())
	} else if msg != nil && msg.outcome.Said != "" {
		m.transcript.Say(transcript.Info, msg.outcome.Said)
	}
	return m.refresh()
}

// askable says whether there is something to ask.
func (f *Form) askable() bool { return f != nil && len(f.Fields) > 0 && f.Fill != nil }

// asking makes the form of an action.
func (f *Form) asking(on *browsing, action string) *asking {
	return &asking{title: f.Title, fields: f.Fields, verb: "done", fill: func(values map[string]string) answer {
		outcome, err := f.Fill(values)
		if err != nil {
			return answer{err: err}
		}
		if again := outcome.Ask; again.askable() && again.Title == f.Title {
			return answer{again: again.asking(on, action)}
		}
		return answer{done: func(m *Model) tea.Cmd { return m.goOn(on, action, outcome) }}
	}}
}

// execute gives the terminal to a program.
func (m *Model) execute(on *browsing, action string, e *Exec) tea.Cmd {
	on.doing = action
	return m.lender.Lend(e.Cmd, func(err error) tea.Msg { return execMsg{on, action, e.Then, err} })
}

func (m *Model) executed(msg execMsg) tea.Cmd {
	msg.on.doing = ""
	if msg.then == nil {
		return m.acted(outcomeMsg{on: msg.on, action: msg.action, err: msg.err})
	}
	return m.act(msg.on, msg.action, func() (Outcome, error) { return msg.then(msg.err) })
}

// insert puts text before what is being written.
func (m *Model) insert(text string) {
	text = markdown.Sanitize(text)
	if !m.composer.Empty() && !strings.HasSuffix(text, " ") {
		text += " "
	}
	m.composer.Set(text + m.composer.Value())
	m.typed()
}

func (on *browsing) setStyles(st *draw.Styles) {
	on.browser.SetStyles(st)
	if on.form != nil {
		on.form.SetStyles(st)
	}
	if on.confirm != nil {
		on.confirm.SetStyles(st)
	}
}

// paste goes where letters go.
func (on *browsing) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case on.form != nil:
		return on.form.write(msg)
	case on.confirm != nil:
		on.confirm.Disturb()
	default:
		on.browser.Paste(msg.Content)
	}
	return nil
}

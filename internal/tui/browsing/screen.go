package browsing

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/filling"
	"github.com/nfa-cli/nfa/internal/tui/form"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/shelf"
)

// Means are what a Screen is drawn and worked with.
type Means struct {
	Styles   *draw.Styles
	Keys     keymap.Map
	FormKeys func() form.Keys // which may change while the terminal tells more of itself
	Now      func() time.Time
}

// confirmation is a question on a shelf, and what a yes to it does.
type confirmation struct {
	*ask.Confirmation
	action string // the name of what asks
	yes    func() (Outcome, error)
}

// Screen is a shelf that is open, and what its actions wait for. It is not safe for
// concurrent use; its commands are done beside it.
type Screen struct {
	of      *Shelf
	with    Means
	browser *shelf.Browser
	items   map[string]Item
	height  int

	asking    bool   // Items is being asked
	outdated  bool   // and has to be asked again after that
	selecting string // the item to stand on, once it is there
	doing     string // the action that runs

	form    *filling.Form[Outcome]
	asks    string // the action that form is of
	confirm *confirmation
}

// Open opens a shelf with only what words find. Stock has it ask for its items.
func Open(s *Shelf, with Means, words string) *Screen {
	on := &Screen{of: s, with: with, browser: shelf.New(with.Styles, s.Title, s.Empty)}
	on.browser.SetKeys(shelf.Keys{All: on.ownKeys(), Help: on.with.Keys.Label("shelf-keys"), Back: on.with.Keys.Label("shelf-back")})
	on.browser.Filter(words)
	return on
}

// ownKeys are the keys of any shelf, for its list of keys.
func (on *Screen) ownKeys() []shelf.Hint {
	var hints []shelf.Hint
	for _, b := range on.with.Keys.Bindings(keymap.Shelf) {
		if len(b.Keys) > 0 {
			hints = append(hints, shelf.Hint{Key: b.Labels(), About: b.About})
		}
	}
	return hints
}

// Stock asks for the items, once at a time.
func (on *Screen) Stock() tea.Cmd {
	if on.asking {
		on.outdated = true
		return nil
	}
	on.asking = true
	return func() tea.Msg {
		items := on.of.Items()
		return Msg{on, func(bool) (Deed, tea.Cmd) { return Deed{}, on.stocked(items) }}
	}
}

func (on *Screen) stocked(items []Item) tea.Cmd {
	on.asking = false
	on.items = make(map[string]Item, len(items))
	rows := make([]shelf.Row, 0, len(items))
	for _, i := range items {
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
		return on.Stock()
	}
	return nil
}

// ReadPage makes the page in sight, where it is not there yet.
func (on *Screen) ReadPage() tea.Cmd {
	job, wanted := on.browser.Wanted()
	if !wanted {
		return nil
	}
	read := on.of.Read
	if read == nil {
		read = func(string) (string, error) { return "", nil }
	}
	return func() tea.Msg {
		page := job.Do(read)
		return Msg{on, func(bool) (Deed, tea.Cmd) {
			on.browser.Take(page)
			return Deed{}, nil
		}}
	}
}

// offered are the actions for the item at the cursor and for the whole.
func (on *Screen) offered() []Action {
	name, there := on.browser.Current()
	return slices.DeleteFunc(slices.Clone(on.of.Actions), func(a Action) bool {
		return !a.Whole && (!there || a.Offer != nil && !a.Offer(on.items[name]))
	})
}

// Press handles a key: first what was asked, then what the screen does itself, then the
// actions. Enter is an action's where one wants it. It reports whether the key closes
// the screen.
func (on *Screen) Press(k tea.KeyPressMsg) (cmd tea.Cmd, closed bool) {
	name := on.known(keymap.Shelf, k)
	on.browser.Hush()
	switch {
	case on.form != nil:
		return on.formKey(k), false
	case on.confirm != nil:
		return on.confirmKey(k), false
	}
	offered := on.offered()
	at := slices.IndexFunc(offered, func(a Action) bool { return on.known(on.scopeOf(a), k) == a.Key })
	if at < 0 || name != "enter" {
		switch on.browser.Press(name, k.Text) {
		case shelf.Closed:
			return nil, true
		case shelf.Taken:
			return nil, false
		}
	}
	if at < 0 {
		return nil, false
	}
	item, _ := on.browser.Current()
	run := offered[at].Run
	return on.act(offered[at].Name, func() (Outcome, error) { return run(item) }), false
}

// known is the name that components of the scope have for a pressed key.
func (on *Screen) known(scope keymap.Scope, k tea.KeyPressMsg) string {
	return on.with.Keys.Known(scope, k.String())
}

// scopeOf is where the key of an action stands in the table.
func (on *Screen) scopeOf(a Action) keymap.Scope {
	if a.Key == "enter" {
		return keymap.Shelf
	}
	return on.of.Scope
}

// hint is an action with the key that the user has for it.
func (on *Screen) hint(a Action) shelf.Hint {
	h := shelf.Hint{Key: keymap.Label(a.Key), Name: a.Name, About: a.About}
	if b, ok := on.with.Keys.Find(on.scopeOf(a), a.Key); ok {
		h.Key, h.About = "", cmp.Or(a.About, b.About)
		if len(b.Keys) > 0 {
			h.Key = keymap.Label(b.Keys[0])
		}
	}
	return h
}

func (on *Screen) formKey(k tea.KeyPressMsg) tea.Cmd {
	name := on.known(keymap.Form, k)
	if name == "esc" {
		on.form = nil
		return nil
	}
	f := on.form
	return f.Press(k, name, on.with.Now(), func(a filling.Answer[Outcome]) tea.Msg {
		return Msg{on, func(open bool) (Deed, tea.Cmd) { return on.filled(f, a, open) }}
	})
}

func (on *Screen) confirmKey(k tea.KeyPressMsg) tea.Cmd {
	c := on.confirm
	switch c.Press(on.known(keymap.Meant, k)) {
	case ask.Agreed:
		on.confirm = nil
		return on.act(c.action, c.yes)
	case ask.Refused:
		on.confirm = nil
	}
	return nil
}

// Paste goes where letters go.
func (on *Screen) Paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case on.form != nil:
		return on.form.Write(msg)
	case on.confirm != nil:
		on.confirm.Disturb()
	default:
		on.browser.Paste(msg.Content)
	}
	return nil
}

// Cancel gives up what is asked for on the screen.
func (on *Screen) Cancel() { on.form, on.confirm = nil, nil }

// Fail says what went wrong, until the next key.
func (on *Screen) Fail(text string) { on.browser.Fail(text) }

// Package shelf is a screen of things to browse: a list in groups, a pane to
// read in, and a filter. It knows neither what the things are nor what is done
// with them. It takes rows and the names of keys and gives lines; what takes
// time it hands out as a Job, so that whoever drives it never waits.
//
// All that it is given may come from outside and is cleaned before it is drawn.
package shelf

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Row is a thing in the list.
type Row struct {
	Key     string   // tells it from the others
	Label   string   // its name, as drawn
	Group   string   // the heading it stands under; none when empty
	About   string   // one line
	Alone   string   // drawn in the place of Label and About where no page is beside the list
	Words   string   // also found by the filter, and not drawn
	Marks   []string // drawn beside the name
	Problem bool     // drawn with !
}

// Hint is a key, as people write it, that does something with the row at the cursor.
type Hint struct{ Key, Name, About string }

// Keys are those of the screen itself, as people write them; "" where none does it.
type Keys struct {
	All        []Hint // for the list of keys
	Help, Back string // which the last line names
}

// Browser is the screen. Make it with New; it is for one goroutine.
type Browser struct {
	st            *draw.Styles
	title, empty  string
	width, height int

	list    list
	pane    pane
	reading bool // the pane has the focus; where there is one column it is open
	typing  bool // the filter is being typed

	hints   []Hint // of what can be done with an item
	keys    Keys   // of the screen itself
	aside   string // what goes on meanwhile
	message string // stays until the next key
	failed  bool   // the message is about something that went wrong
	docked  bool   // something else has the last lines of the screen
}

// New makes a screen that waits for its rows. Empty is said when there are none.
func New(st *draw.Styles, title, empty string) *Browser {
	return &Browser{st: st, title: draw.OneLine(title), empty: draw.OneLine(empty), keys: Keys{Help: "?", Back: "Esc"}}
}

// SetStyles changes the theme.
func (b *Browser) SetStyles(st *draw.Styles) { b.st = st }

// SetSize gives the screen its width and height.
func (b *Browser) SetSize(width, height int) {
	b.width, b.height = max(width, 0), max(height, 0)
}

// SetRows gives the rows, anew or for the first time. The cursor stays on its
// row; if that is gone, on the one which has its place now.
func (b *Browser) SetRows(rows []Row) {
	b.list.set(rows)
	key, _ := b.Current()
	b.pane.outdate(key)
	if key == "" && b.pane.front == nil {
		b.reading = false
	}
}

// SetHints says which keys do something now.
func (b *Browser) SetHints(hints []Hint) { b.hints = hints }

// SetKeys says what the keys of the screen itself are called. Press goes on to take
// the names.
func (b *Browser) SetKeys(k Keys) { b.keys = k }

// SetAside says what goes on meanwhile, in a word or two; "" is nothing.
func (b *Browser) SetAside(text string) { b.aside = draw.OneLine(text) }

// SetDocked says whether something below has the keys, which then are not
// named here.
func (b *Browser) SetDocked(docked bool) { b.docked = docked }

// Say shows a line until the next key.
func (b *Browser) Say(text string) { b.message, b.failed = draw.OneLine(text), false }

// Fail shows what went wrong until the next key.
func (b *Browser) Fail(text string) { b.message, b.failed = draw.OneLine(text), true }

// Hush takes the line of Say or Fail away.
func (b *Browser) Hush() { b.message = "" }

// Show puts Markdown into the pane, in front of the row's own, to be read.
func (b *Browser) Show(title, markdown string) {
	b.pane.show(draw.OneLine(title), markdown)
	b.reading, b.typing = true, false
}

// Filter leaves the rows that match words.
func (b *Browser) Filter(words string) {
	b.list.setFilter(draw.OneLine(words))
	b.moved()
}

// Select puts the cursor on a row, and reports whether it is in the list. A
// filter that hides it is cleared.
func (b *Browser) Select(key string) bool {
	if !slices.ContainsFunc(b.list.rows, func(r row) bool { return r.Key == key }) {
		return false
	}
	if !b.list.stand(key) {
		b.list.setFilter("")
		b.list.stand(key)
	}
	b.moved()
	return true
}

// Current is the key of the row at the cursor, if there is one.
func (b *Browser) Current() (key string, ok bool) {
	r, ok := b.list.current()
	return r.Key, ok
}

// moved follows the cursor with the pane.
func (b *Browser) moved() {
	key, _ := b.Current()
	b.pane.turnTo(key)
}

// besides is the width from which list and pane stand side by side.
const besides = 78

func (b *Browser) wide() bool { return b.width >= besides }

// columns are the widths of list and pane; one is 0 where the other has all.
func (b *Browser) columns() (list, pane int) {
	const gap = 3
	switch {
	case b.wide():
		// The list has what the page does not need to be read, up to its share.
		list = max(b.width/3, min(b.width*2/5, b.width-gap-draw.Measure))
		return list, b.width - list - gap
	case b.reading:
		return 0, b.width
	default:
		return b.width, 0
	}
}

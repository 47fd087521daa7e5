package widget

import (
	"slices"
)

// BrowserRow is a thing in the list.
type BrowserRow struct {
	Key         string   // tells it from the others
	Label       string   // its name, as drawn
	Group       string   // the heading it stands under; none when empty
	About       string   // one line
	FullText    string   // drawn in the place of Label and About where no page is beside the list
	SearchTerms string   // also found by the filter, and not drawn
	Marks       []string // drawn beside the name
	Problem     bool     // drawn with !
}

// KeyHint is a key, as people write it, that does something with the row at the cursor.
type KeyHint struct{ Key, Name, About string }

// BrowserKeys are those of the screen itself, as people write them; "" where none does it.
type BrowserKeys struct {
	All        []KeyHint // for the list of keys
	Help, Back string    // which the last line names
}

// Browser is the screen. Make it with New; it is for one goroutine.
type Browser struct {
	st            *Styles
	title, empty  string
	width, height int

	list        rowList
	pane        browserPane
	paneFocused bool // the pane has the focus; where there is one column it is open
	filtering   bool // the filter is being typed

	hints    []KeyHint   // of what can be done with an item
	keys     BrowserKeys // of the screen itself
	activity string      // what goes on meanwhile
	message  string      // stays until the next key
	failed   bool        // the message is about something that went wrong
	docked   bool        // something else has the last lines of the screen
}

// NewBrowser makes a screen that waits for its rows. Empty is said when there are none.
func NewBrowser(st *Styles, title, empty string) *Browser {
	return &Browser{st: st, title: OneLine(title), empty: OneLine(empty), keys: BrowserKeys{Help: "?", Back: "Esc"}}
}

// SetStyles changes the theme.
func (b *Browser) SetStyles(st *Styles) { b.st = st }

// SetSize gives the screen its width and height.
func (b *Browser) SetSize(width, height int) {
	b.width, b.height = max(width, 0), max(height, 0)
}

// SetRows gives the rows, anew or for the first time. The cursor stays on its
// row; if that is gone, on the one which has its place now.
func (b *Browser) SetRows(rows []BrowserRow) {
	b.list.set(rows)
	key, _ := b.Current()
	b.pane.invalidate(key)
	if key == "" && b.pane.front == nil {
		b.paneFocused = false
	}
}

// SetHints says which keys do something now.
func (b *Browser) SetHints(hints []KeyHint) { b.hints = hints }

// SetKeys says what the keys of the screen itself are called. Press goes on to take
// the names.
func (b *Browser) SetKeys(k BrowserKeys) { b.keys = k }

// SetActivity says what goes on meanwhile, in a word or two; "" is nothing.
func (b *Browser) SetActivity(text string) { b.activity = OneLine(text) }

// SetDocked says whether something below has the keys, which then are not
// named here.
func (b *Browser) SetDocked(docked bool) { b.docked = docked }

// ShowMessage shows a line until the next key.
func (b *Browser) ShowMessage(text string) { b.message, b.failed = OneLine(text), false }

// ShowError shows what went wrong until the next key.
func (b *Browser) ShowError(text string) { b.message, b.failed = OneLine(text), true }

// ClearMessage takes the line of Say or Fail away.
func (b *Browser) ClearMessage() { b.message = "" }

// ShowPage puts Markdown into the pane, in front of the row's own, to be read.
func (b *Browser) ShowPage(title, markdown string) {
	b.pane.show(OneLine(title), markdown)
	b.paneFocused, b.filtering = true, false
}

// Filter leaves the rows that match words.
func (b *Browser) Filter(words string) {
	b.list.setFilter(OneLine(words))
	b.followCursor()
}

// Select puts the cursor on a row, and reports whether it is in the list. A
// filter that hides it is cleared.
func (b *Browser) Select(key string) bool {
	if !slices.ContainsFunc(b.list.rows, func(r filterRow) bool { return r.Key == key }) {
		return false
	}
	if !b.list.moveTo(key) {
		b.list.setFilter("")
		b.list.moveTo(key)
	}
	b.followCursor()
	return true
}

// Current is the key of the row at the cursor, if there is one.
func (b *Browser) Current() (key string, ok bool) {
	r, ok := b.list.current()
	return r.Key, ok
}

// followCursor follows the cursor with the pane.
func (b *Browser) followCursor() {
	key, _ := b.Current()
	b.pane.turnTo(key)
}

// minSplitWidth is the width from which list and pane stand side by side.
const minSplitWidth = 78

func (b *Browser) wide() bool { return b.width >= minSplitWidth }

// columns are the widths of list and pane; one is 0 where the other has all.
func (b *Browser) columns() (list, pane int) {
	const gap = 3
	switch {
	case b.wide():
		// The list has what the page does not need to be read, up to its share.
		list = max(b.width/3, min(b.width*2/5, b.width-gap-ProseWidth))
		return list, b.width - list - gap
	case b.paneFocused:
		return 0, b.width
	default:
		return b.width, 0
	}
}

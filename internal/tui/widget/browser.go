package widget

import (
	"slices"
)

// BrowserRow is a row of the list.
type BrowserRow struct {
	Key         string   // identifies the row
	Label       string   // its name, as drawn
	Group       string   // the heading it stands under; none when empty
	About       string   // one line
	FullText    string   // drawn in the place of Label and About if no page is next to the list
	SearchTerms string   // also found by the filter, and not drawn
	Marks       []string // drawn beside the name
	Problem     bool     // drawn with !
}

// KeyHint is the label of a key and what it does with the row at the cursor.
type KeyHint struct{ Key, Name, About string }

// BrowserKeys are the labels of the screen's own keys; "" if there is none.
type BrowserKeys struct {
	All        []KeyHint // for the list of keys
	Help, Back string    // shown in the last line
}

// Browser is a screen with a list and a pane. Create it with NewBrowser; it is not safe for
// concurrent use.
type Browser struct {
	st            *Styles
	title, empty  string
	width, height int

	list        rowList
	pane        browserPane
	paneFocused bool // the pane has the focus; with one column, it is shown instead of the list
	filtering   bool // the filter is being typed

	hints    []KeyHint   // the keys for an item
	keys     BrowserKeys // the keys of the screen itself
	activity string      // what is running below the screen
	message  string      // stays until the next key
	failed   bool        // the message is an error
	docked   bool        // a dialog has the last lines of the screen
}

// NewBrowser returns a Browser that waits for its rows. It shows empty if there are none.
func NewBrowser(st *Styles, title, empty string) *Browser {
	return &Browser{st: st, title: OneLine(title), empty: OneLine(empty), keys: BrowserKeys{Help: "?", Back: "Esc"}}
}

// SetStyles changes the theme.
func (b *Browser) SetStyles(st *Styles) { b.st = st }

// SetSize gives the screen its width and height.
func (b *Browser) SetSize(width, height int) {
	b.width, b.height = max(width, 0), max(height, 0)
}

// SetRows sets the rows. The cursor stays on its row; if that is gone, on the row at its position.
func (b *Browser) SetRows(rows []BrowserRow) {
	b.list.set(rows)
	key, _ := b.Current()
	b.pane.invalidate(key)
	if key == "" && b.pane.front == nil {
		b.paneFocused = false
	}
}

// SetHints sets the keys that are available now.
func (b *Browser) SetHints(hints []KeyHint) { b.hints = hints }

// SetKeys sets the labels of the screen's own keys. Press still takes the default names.
func (b *Browser) SetKeys(k BrowserKeys) { b.keys = k }

// SetActivity sets what is running below the screen, in a word or two; "" means nothing.
func (b *Browser) SetActivity(text string) { b.activity = OneLine(text) }

// SetDocked says whether a dialog below gets the keys, so that the browser does not list its own.
func (b *Browser) SetDocked(docked bool) { b.docked = docked }

// ShowMessage shows a line until the next key.
func (b *Browser) ShowMessage(text string) { b.message, b.failed = OneLine(text), false }

// ShowError shows an error until the next key.
func (b *Browser) ShowError(text string) { b.message, b.failed = OneLine(text), true }

// ClearMessage removes the line of ShowMessage or ShowError.
func (b *Browser) ClearMessage() { b.message = "" }

// ShowPage shows Markdown in the pane, in front of the row's own page.
func (b *Browser) ShowPage(title, markdown string) {
	b.pane.show(OneLine(title), markdown)
	b.paneFocused, b.filtering = true, false
}

// Filter keeps the rows that match words.
func (b *Browser) Filter(words string) {
	b.list.setFilter(OneLine(words))
	b.followCursor()
}

// Select moves the cursor to a row, and reports whether it is in the list. A filter that hides the
// row is cleared.
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

// Current returns the key of the row at the cursor, if there is one.
func (b *Browser) Current() (key string, ok bool) {
	r, ok := b.list.current()
	return r.Key, ok
}

// followCursor shows the page of the row at the cursor.
func (b *Browser) followCursor() {
	key, _ := b.Current()
	b.pane.turnTo(key)
}

// minSplitWidth is the width from which list and pane are side by side.
const minSplitWidth = 78

func (b *Browser) wide() bool { return b.width >= minSplitWidth }

// columns returns the widths of list and pane; one is 0 if the other has all.
func (b *Browser) columns() (list, pane int) {
	const gap = 3
	switch {
	case b.wide():
		// The list gets what the page does not need to be read, up to its share.
		list = max(b.width/3, min(b.width*2/5, b.width-gap-ProseWidth))
		return list, b.width - list - gap
	case b.paneFocused:
		return 0, b.width
	default:
		return b.width, 0
	}
}

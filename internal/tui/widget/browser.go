package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// ListItem is an item of a list screen.
type ListItem struct {
	Name        string   // identifies the item
	Title       string   // shown instead of Name, unless empty
	Group       string   // the heading of the item; groups keep the order of their first items
	About       string   // one line
	FullText    string   // shown instead of Title and About if the list has the whole width
	SearchTerms string   // not shown, but the filter finds the item by them
	Marks       []string // shown next to the name: "disabled", "builtin"
	Problem     bool     // cannot be used: drawn with !
}

// KeyHint is the label of a key and what it does with the item at the cursor.
type KeyHint struct{ Key, Name, About string }

// Browser is a screen with a list and a pane. Create it with NewBrowser; it is not safe for
// concurrent use.
type Browser struct {
	st            *Styles
	title, empty  string
	width, height int

	list        rowList
	pane        browserPane
	paneFocused bool                                         // the pane has the focus; with one column, it is shown instead of the list
	filtering   bool                                         // the filter is being typed
	overview    func(st *Styles, width, height int) []string // or nil

	keys     KeyMap
	hints    []KeyHint // the keys for an item
	activity string    // the task running below the screen
	message  string    // stays until the next key
	failed   bool      // the message is an error
	docked   bool      // a dialog covers the last lines of the screen
}

// NewBrowser returns a Browser without items. Once SetItems has set an empty list, it shows empty.
func NewBrowser(st *Styles, keys KeyMap, title, empty string) *Browser {
	return &Browser{st: st, keys: keys, title: OneLine(title), empty: OneLine(empty)}
}

// SetSize sets the width and height of the screen.
func (b *Browser) SetSize(width, height int) {
	b.width, b.height = max(width, 0), max(height, 0)
}

// SetItems sets the items. The cursor stays on its item; if that is gone, at its position.
func (b *Browser) SetItems(items []ListItem) {
	b.list.set(items)
	key, _ := b.Current()
	b.pane.invalidate(key)
	if key == "" && b.pane.front == nil {
		b.paneFocused = false
	}
}

// SetOverview sets the page that is drawn, in at most height lines, instead of the list while the filter
// is empty. Letters are then typed into the filter at once.
func (b *Browser) SetOverview(draw func(st *Styles, width, height int) []string) {
	b.overview, b.filtering = draw, draw != nil
}

// showsOverview reports whether the overview is visible.
func (b *Browser) showsOverview() bool {
	return b.overview != nil && b.list.filter == "" && b.pane.front == nil
}

// SetHints sets the keys that are available now.
func (b *Browser) SetHints(hints []KeyHint) { b.hints = hints }

// SetActivity sets the label of the task running below the screen; "" means none.
func (b *Browser) SetActivity(text string) { b.activity = OneLine(text) }

// SetDocked hides the key line while a dialog below gets the keys.
func (b *Browser) SetDocked(docked bool) { b.docked = docked }

// ShowMessage shows a line until the next key.
func (b *Browser) ShowMessage(text string) { b.message, b.failed = OneLine(text), false }

// ShowError shows an error until the next key.
func (b *Browser) ShowError(text string) { b.message, b.failed = OneLine(text), true }

// ClearMessage removes the line of ShowMessage or ShowError.
func (b *Browser) ClearMessage() { b.message = "" }

// ShowPage shows Markdown in the pane, over the page of the row.
func (b *Browser) ShowPage(title, markdown string) {
	b.pane.show(OneLine(title), markdown)
	b.paneFocused, b.filtering = true, false
}

// Filter shows only the rows that match filter.
func (b *Browser) Filter(filter string) {
	b.list.setFilter(OneLine(filter))
	b.followCursor()
}

// Select moves the cursor to a row, and reports whether it is in the list. A filter that hides the
// row is cleared.
func (b *Browser) Select(key string) bool {
	if !slices.ContainsFunc(b.list.rows, func(r filterRow) bool { return r.Name == key }) {
		return false
	}
	if !b.list.moveTo(key) {
		b.list.setFilter("")
		b.list.moveTo(key)
	}
	b.followCursor()
	return true
}

// Current returns the key of the row at the cursor, if one is visible.
func (b *Browser) Current() (key string, ok bool) {
	if b.showsOverview() {
		return "", false
	}
	r, ok := b.list.current()
	return r.Name, ok
}

// followCursor shows the page of the row at the cursor.
func (b *Browser) followCursor() {
	key, _ := b.Current()
	b.pane.turnTo(key)
}

// minSplitWidth is the minimum width for list and pane side by side.
const minSplitWidth = 78

func (b *Browser) wide() bool { return b.width >= minSplitWidth }

// columns returns the widths of list and pane; one is 0 if the other has all.
func (b *Browser) columns() (list, pane int) {
	const gap = 3
	switch {
	case b.wide():
		// The page needs at most ProseWidth; the list gets the rest, up to two fifths.
		list = max(b.width/3, min(b.width*2/5, b.width-gap-ProseWidth))
		return list, b.width - list - gap
	case b.paneFocused:
		return 0, b.width
	default:
		return b.width, 0
	}
}

// BrowserReply is the effect of a key on the Browser.
type BrowserReply int

// Replies.
const (
	BrowserReplyIgnored BrowserReply = iota // not a key of the Browser
	BrowserReplyHandled
	BrowserReplyClosed // close the screen
)

// Press handles a key.
func (b *Browser) Press(k tea.KeyPressMsg) BrowserReply {
	action := b.keys.Action(ScopeListScreen, k)
	if b.filtering {
		return b.pressFilter(k, action)
	}
	switch action {
	case "screen-up":
		b.move(-1)
	case "screen-down":
		b.move(+1)
	case "screen-page-up":
		b.move(-b.pageHeight())
	case "screen-page-down":
		b.move(+b.pageHeight())
	case "screen-first":
		b.move(-b.scrollLimit())
	case "screen-last":
		b.move(+b.scrollLimit())
	case "screen-side":
		b.focus(!b.paneFocused)
	case "screen-enter":
		b.focus(true)
	case "screen-filter":
		b.filtering, b.paneFocused = true, false
		b.pane.closeFront()
	case "screen-keys":
		b.ShowPage("Keys", b.keyPage())
	case "screen-back":
		return b.back()
	default:
		return BrowserReplyIgnored
	}
	return BrowserReplyHandled
}

// pressFilter handles a key while the filter is being typed.
func (b *Browser) pressFilter(k tea.KeyPressMsg, action string) BrowserReply {
	switch {
	case k.Text != "":
		// Letters are typed into the filter even if they have an action.
		b.typeFilter(b.list.filter + k.Text)
	case k.Code == tea.KeyBackspace:
		b.typeFilter(trimLastCharacter(b.list.filter))
	case action == "screen-filter-clear":
		b.typeFilter("")
	case action == "screen-back" && b.showsOverview():
		return BrowserReplyClosed
	case action == "screen-back":
		b.filtering = b.overview != nil
		b.Filter("")
	case action == "screen-enter", action == "screen-side":
		b.filtering = false
		if b.overview != nil {
			b.focus(true)
		}
	case action == "screen-up":
		b.move(-1)
	case action == "screen-down":
		b.move(+1)
	case action == "screen-page-up":
		b.move(-b.pageHeight())
	case action == "screen-page-down":
		b.move(+b.pageHeight())
	default:
		return BrowserReplyIgnored
	}
	return BrowserReplyHandled
}

// Paste adds text to the filter while it is being typed.
func (b *Browser) Paste(text string) {
	if b.filtering {
		b.typeFilter(b.list.filter + text)
	}
}

// typeFilter is Filter while typing: it keeps a space at the end.
func (b *Browser) typeFilter(text string) {
	b.list.setFilter(strings.TrimLeft(markdown.SanitizeLine(text), " "))
	b.followCursor()
}

// trimLastCharacter removes the last grapheme cluster.
func trimLastCharacter(text string) string {
	last := ""
	for g := displaywidth.StringGraphemes(text); g.Next(); {
		last = g.Value()
	}
	return strings.TrimSuffix(text, last)
}

// Filtering reports whether the filter is being typed.
func (b *Browser) Filtering() bool { return b.filtering }

// focus moves the focus to the pane or back to the list.
func (b *Browser) focus(pane bool) {
	_, hasRow := b.Current()
	b.paneFocused = pane && (hasRow || b.pane.front != nil)
	if !b.paneFocused && b.pane.front != nil {
		b.pane.closeFront()
	}
	if b.overview != nil {
		b.filtering = !b.paneFocused
	}
}

// back closes the first that is open of: the page in front, the pane, the filter, the screen.
func (b *Browser) back() BrowserReply {
	switch {
	case b.pane.front != nil, b.paneFocused:
		b.pane.closeFront()
		b.paneFocused, b.filtering = false, b.overview != nil
	case b.list.filter != "":
		b.Filter("")
	default:
		return BrowserReplyClosed
	}
	return BrowserReplyHandled
}

// move moves n rows down the list, or scrolls the pane if it has the focus.
func (b *Browser) move(n int) {
	if b.paneFocused {
		b.pane.from = max(b.pane.from+n, 0)
		return
	}
	b.list.move(n)
	b.followCursor()
}

// pageHeight returns how many rows a page moves; one line stays visible.
func (b *Browser) pageHeight() int { return max(b.bodyHeight()-2, 1) }

// scrollLimit is larger than any scroll position.
func (b *Browser) scrollLimit() int {
	if b.paneFocused {
		return len(b.pane.lines()) + b.pane.from
	}
	return len(b.list.rowLines)
}

// Wheel scrolls the part at column x by n lines.
func (b *Browser) Wheel(x, n int) {
	list, _ := b.columns()
	if overPane := x >= list; overPane {
		b.pane.from = max(b.pane.from+n, 0)
		return
	}
	b.list.move(n)
	b.followCursor()
}

// Click selects the row at column x of line y, or focuses the pane.
func (b *Browser) Click(x, y int) {
	width, _ := b.columns()
	head := len(b.head())
	if y < head || y >= head+b.bodyHeight() || b.showsOverview() {
		return
	}
	b.focus(x >= width)
	if b.paneFocused {
		return
	}
	lines, from := b.list.visible(b.bodyHeight())
	if y -= head; y < len(lines) && lines[y].row >= 0 {
		b.list.moveTo(b.list.rows[lines[y].row].Name)
		b.followCursor()
	}
	b.list.from = from
}

// keyPage returns the list of keys as Markdown.
func (b *Browser) keyPage() string {
	var out strings.Builder
	hints := b.hints
	for _, binding := range b.keys.Bindings(ScopeListScreen) {
		hints = append(hints[:len(hints):len(hints)], KeyHint{Key: binding.Labels(), About: binding.About})
	}
	for _, h := range hints {
		if h.Key != "" {
			fmt.Fprintf(&out, "- **%s**: %s\n", EscapeMarkdown(h.Key), EscapeMarkdown(cmp.Or(h.About, h.Name)))
		}
	}
	return out.String()
}

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
	Folded      bool     // its group is folded until it is expanded or a filter is typed
	Columns     []string // shown next to the title, aligned across items
	About       string   // one line
	FullText    string   // shown instead of Title and About if the list has the whole width
	SearchTerms string   // not shown, but the filter finds the item by them
	Marks       []string // shown next to the name: "disabled", "builtin"
	Problem     bool     // cannot be used: drawn with !
}

// KeyHint is the label of a key and what it does with the item at the cursor.
type KeyHint struct{ Key, Name, About string }

// Browser is a screen with a list and, once it is opened, a pane with the page of an item. Letters are
// typed into the filter. Create it with NewBrowser; it is not safe for concurrent use.
type Browser struct {
	st            *Styles
	title, empty  string
	width, height int

	list       rowList
	pane       browserPane
	paneOpen   bool                                         // with one column, it is shown instead of the list
	overview   func(st *Styles, width, height int) []string // or nil
	frame      FrameFunc                                    // or nil
	letterKeys bool                                         // letters are keys, and there is no filter
	step       string                                       // the label of Esc if the screen is a step of a dialog
	names      bool                                         // folded groups show the names of their items

	keys     KeyMap
	hints    []KeyHint // the keys for an item
	actions  string    // the names of the actions in the menu
	activity string    // the task running below the screen
	message  string    // stays until the next key
	failed   bool      // the message is an error
	docked   bool      // a dialog covers the last lines of the screen
}

// FrameFunc returns what is drawn around a list. current is the key of the row at the cursor, or "".
type FrameFunc = func(st *Styles, width int, current string) BrowserFrame

// BrowserFrame is what is drawn around a list.
type BrowserFrame struct {
	Right string   // at the right of the title
	Top   []string // above the list
	Heads []string // of the titles and the columns, which are then aligned to the right
	// Numeric has true for each column that is aligned to the right, the titles first. It is for a list
	// without Heads.
	Numeric []bool
	End     []string // below the list
}

// NewBrowser returns a Browser without items. Once SetItems has set an empty list, it shows empty.
func NewBrowser(st *Styles, keys KeyMap, title, empty string) *Browser {
	return &Browser{st: st, keys: keys, title: OneLine(title), empty: OneLine(empty)}
}

// SetFrame sets the function that returns what is drawn around the list.
func (b *Browser) SetFrame(frame FrameFunc) { b.frame = frame }

// SetLetterKeys makes letters keys of actions instead of a filter.
func (b *Browser) SetLetterKeys(on bool) { b.letterKeys = on }

// SetStep sets the label of Esc, unless it is empty, and whether folded groups show the names of their
// items.
func (b *Browser) SetStep(label string, namesFolded bool) { b.step, b.names = label, namesFolded }

// Items returns the items.
func (b *Browser) Items() []ListItem {
	items := make([]ListItem, len(b.list.rows))
	for i, r := range b.list.rows {
		items[i] = r.ListItem
	}
	return items
}

// currentFrame returns what is drawn around the list now.
func (b *Browser) currentFrame() BrowserFrame {
	if b.frame == nil || b.showsOverview() {
		return BrowserFrame{}
	}
	current, _ := b.Current()
	return b.frame(b.st, b.width, current)
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
		b.paneOpen = false
	}
}

// SetOverview sets the page that is drawn, in at most height lines, instead of the list while the filter
// is empty.
func (b *Browser) SetOverview(draw func(st *Styles, width, height int) []string) { b.overview = draw }

// showsOverview reports whether the overview is visible.
func (b *Browser) showsOverview() bool {
	return b.overview != nil && b.list.filter == "" && b.pane.front == nil
}

// SetHints sets the keys that are available now, and the names of the actions in the menu.
func (b *Browser) SetHints(hints []KeyHint, actions string) {
	b.hints, b.actions = hints, OneLine(actions)
}

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
	b.paneOpen = true
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
		b.list.expandGroupOf(key)
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
	case !b.paneOpen:
		return b.width, 0
	case b.wide():
		// The page needs at most ProseWidth; the list gets the rest, up to two fifths.
		list = max(b.width/3, min(b.width*2/5, b.width-gap-ProseWidth))
		return list, b.width - list - gap
	default:
		return 0, b.width
	}
}

// BrowserReply is the effect of a key on the Browser.
type BrowserReply int

// Replies.
const (
	BrowserReplyIgnored BrowserReply = iota // not a key of the Browser
	BrowserReplyHandled
	BrowserReplyActions // open the menu of actions
	BrowserReplyClosed  // close the screen
)

// Press handles a key.
func (b *Browser) Press(k tea.KeyPressMsg) BrowserReply {
	action := b.keys.Action(ScopeListScreen, k)
	if k.Text != "" && (!b.letterKeys || action != "screen-keys") {
		return b.pressText(k, action)
	}
	switch action {
	case "screen-up":
		b.move(-1)
	case "screen-down":
		b.move(+1)
	case "screen-page-up":
		b.movePage(-1)
	case "screen-page-down":
		b.movePage(+1)
	case "screen-first":
		b.move(-b.scrollLimit())
	case "screen-last":
		b.move(+b.scrollLimit())
	case "screen-detail":
		b.openPane()
	case "screen-list":
		b.closePane()
	case "screen-actions":
		if b.showsOverview() {
			return BrowserReplyHandled
		}
		return BrowserReplyActions
	case "screen-enter":
		if !b.list.expand() {
			b.openPane()
		}
	case "screen-filter-clear":
		b.typeFilter("")
	case "screen-keys":
		b.ShowPage("Keys", b.keyPage())
	case "screen-back":
		return b.back()
	default:
		if k.Code != tea.KeyBackspace || b.letterKeys {
			return BrowserReplyIgnored
		}
		b.typeFilter(trimLastCharacter(b.list.filter))
	}
	return BrowserReplyHandled
}

// pressText types a letter into the filter, even if it has an action.
func (b *Browser) pressText(k tea.KeyPressMsg, action string) BrowserReply {
	switch {
	case b.letterKeys:
		return BrowserReplyIgnored
	case action == "screen-keys" && b.list.filter == "" && b.overview == nil:
		b.ShowPage("Keys", b.keyPage())
	default:
		b.pane.closeFront()
		b.paneOpen = false
		b.typeFilter(b.list.filter + k.Text)
	}
	return BrowserReplyHandled
}

// ShowsPage reports whether a page is shown in front of the list.
func (b *Browser) ShowsPage() bool { return b.pane.front != nil }

// OnFolded reports whether the cursor is on the heading of a folded group.
func (b *Browser) OnFolded() bool { return !b.showsOverview() && b.list.onFolded() }

// Paste adds text to the filter.
func (b *Browser) Paste(text string) {
	if !b.letterKeys {
		b.typeFilter(b.list.filter + text)
	}
}

// typeFilter works like Filter while typing: it keeps a space at the end.
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

// openPane opens the pane with the page of the row at the cursor.
func (b *Browser) openPane() {
	if _, hasRow := b.Current(); hasRow || b.pane.front != nil {
		b.paneOpen = true
	}
}

// closePane closes the pane. If none is open, it folds the group at the cursor.
func (b *Browser) closePane() {
	if !b.paneOpen {
		b.list.fold()
		b.followCursor()
	}
	b.pane.closeFront()
	b.paneOpen = false
}

// back closes the pane if it is open, else clears the filter, else closes the screen.
func (b *Browser) back() BrowserReply {
	switch {
	case b.paneOpen:
		b.closePane()
	case b.list.filter != "":
		b.Filter("")
	default:
		return BrowserReplyClosed
	}
	return BrowserReplyHandled
}

// scrollsPane reports whether Up and Down scroll the pane, because the list is hidden or because the pane
// shows a page other than the item's.
func (b *Browser) scrollsPane() bool { return b.paneOpen && (!b.wide() || b.pane.front != nil) }

// move moves n rows down the list, or scrolls the pane.
func (b *Browser) move(n int) {
	if b.scrollsPane() {
		b.pane.from = max(b.pane.from+n, 0)
		return
	}
	b.list.move(n)
	b.followCursor()
}

// movePage moves a page down the list (1) or up (-1). An open pane is scrolled.
func (b *Browser) movePage(step int) {
	if b.paneOpen {
		b.pane.from = max(b.pane.from+step*b.pageHeight(), 0)
		return
	}
	b.move(step * b.pageHeight())
}

// pageHeight returns how many rows a page moves; one line stays visible.
func (b *Browser) pageHeight() int { return max(b.bodyHeight()-2, 1) }

// scrollLimit returns a number larger than any scroll position.
func (b *Browser) scrollLimit() int {
	if b.scrollsPane() {
		return len(b.pane.lines()) + b.pane.from
	}
	return len(b.list.rowLines)
}

// Wheel scrolls the part at column x by n lines.
func (b *Browser) Wheel(x, n int) {
	if list, _ := b.columns(); b.paneOpen && x >= list {
		b.pane.from = max(b.pane.from+n, 0)
		return
	}
	b.list.move(n)
	b.followCursor()
}

// Click selects the row at column x of line y.
func (b *Browser) Click(x, y int) {
	width, _ := b.columns()
	head := len(b.head())
	if y < head || y >= head+b.bodyHeight() || x >= width || b.showsOverview() {
		return
	}
	lines, from := b.list.visible(b.bodyHeight())
	if y -= head; y < len(lines) {
		b.list.moveToLine(from + y)
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

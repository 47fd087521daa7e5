package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// BrowserReply is the effect of a key on the Browser.
type BrowserReply int

// Replies.
const (
	BrowserReplyIgnored BrowserReply = iota // none; the key may mean something to others
	BrowserReplyHandled
	BrowserReplyClosed // the screen has to be closed
)

// Press handles a key by its name, as Bubble Tea gives it, with the text it types.
func (b *Browser) Press(name, text string) BrowserReply {
	if b.filtering {
		return b.pressFilter(name, text)
	}
	switch name {
	case "up", "k":
		b.move(-1)
	case "down", "j":
		b.move(+1)
	case "pgup":
		b.move(-b.pageHeight())
	case "pgdown":
		b.move(+b.pageHeight())
	case "home", "g":
		b.move(-b.scrollLimit())
	case "end", "G":
		b.move(+b.scrollLimit())
	case "tab", "shift+tab":
		b.focus(!b.paneFocused)
	case "enter":
		b.focus(true)
	case "/":
		b.filtering, b.paneFocused = true, false
		b.pane.closeFront()
	case "?":
		b.ShowPage("Keys", b.keyPage())
	case "esc", "q":
		return b.back()
	default:
		return BrowserReplyIgnored
	}
	return BrowserReplyHandled
}

// pressFilter handles a key while the filter is being typed.
func (b *Browser) pressFilter(name, text string) BrowserReply {
	switch {
	case text != "":
		// Letters go into the filter, whatever they do otherwise.
		b.typeFilter(b.list.filter + text)
	case name == "esc":
		b.filtering = false
		b.Filter("")
	case name == "enter", name == "tab":
		b.filtering = false
	case name == "up":
		b.move(-1)
	case name == "down":
		b.move(+1)
	case name == "pgup":
		b.move(-b.pageHeight())
	case name == "pgdown":
		b.move(+b.pageHeight())
	case name == "backspace":
		b.typeFilter(trimLastCharacter(b.list.filter))
	case name == "ctrl+u":
		b.typeFilter("")
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

// typeFilter is Filter while typing: the blank at the end of the text is kept.
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
}

// back closes the innermost of: the page in front, the pane, the filter, the screen.
func (b *Browser) back() BrowserReply {
	switch {
	case b.pane.front != nil, b.paneFocused:
		b.pane.closeFront()
		b.paneFocused = false
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

// Wheel scrolls what is at column x by n lines.
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
	if y < head || y >= head+b.bodyHeight() {
		return
	}
	b.focus(x >= width)
	if b.paneFocused {
		return
	}
	lines, from := b.list.visible(b.bodyHeight())
	if y -= head; y < len(lines) && lines[y].row >= 0 {
		b.list.moveTo(b.list.rows[lines[y].row].Key)
		b.followCursor()
	}
	b.list.from = from
}

// keyPage returns the list of keys as Markdown.
func (b *Browser) keyPage() string {
	var out strings.Builder
	for _, h := range slices.Concat(b.hints, b.keys.All) {
		if h.Key != "" {
			fmt.Fprintf(&out, "- **%s**: %s\n", escapeMarkdown(h.Key), escapeMarkdown(cmp.Or(h.About, h.Name)))
		}
	}
	return out.String()
}

// escapeMarkdown escapes the characters that have a meaning in Markdown.
func escapeMarkdown(text string) string {
	var out strings.Builder
	for _, r := range markdown.SanitizeLine(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

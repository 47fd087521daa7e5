package shelf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// Reply says what a key meant to the screen.
type Reply int

// Replies.
const (
	Ignored Reply = iota // nothing; it may mean something to others
	Taken
	Closed // the screen is to be left
)

// Press takes a key by its name, as Bubble Tea gives it, with the text it types.
func (b *Browser) Press(name, text string) Reply {
	if b.typing {
		return b.pressFilter(name, text)
	}
	switch name {
	case "up", "k":
		b.move(-1)
	case "down", "j":
		b.move(+1)
	case "pgup":
		b.move(-b.pageful())
	case "pgdown":
		b.move(+b.pageful())
	case "home", "g":
		b.move(-b.length())
	case "end", "G":
		b.move(+b.length())
	case "tab", "shift+tab":
		b.focus(!b.reading)
	case "enter":
		b.focus(true)
	case "/":
		b.typing, b.reading = true, false
		b.pane.putAway()
	case "?":
		b.Show("Keys", b.keyPage())
	case "esc", "q":
		return b.back()
	default:
		return Ignored
	}
	return Taken
}

// pressFilter takes a key while the filter is being typed.
func (b *Browser) pressFilter(name, text string) Reply {
	switch {
	case text != "":
		// Whatever a letter does elsewhere.
		b.typeFilter(b.list.filter + text)
	case name == "esc":
		b.typing = false
		b.Filter("")
	case name == "enter", name == "tab":
		b.typing = false
	case name == "up":
		b.move(-1)
	case name == "down":
		b.move(+1)
	case name == "pgup":
		b.move(-b.pageful())
	case name == "pgdown":
		b.move(+b.pageful())
	case name == "backspace":
		b.typeFilter(withoutLast(b.list.filter))
	case name == "ctrl+u":
		b.typeFilter("")
	default:
		return Ignored
	}
	return Taken
}

// Paste takes text into the filter while it is being typed.
func (b *Browser) Paste(text string) {
	if b.typing {
		b.typeFilter(b.list.filter + text)
	}
}

// typeFilter is Filter for a text that goes on: the blank at its end stays.
func (b *Browser) typeFilter(text string) {
	b.list.setFilter(strings.TrimLeft(markdown.SanitizeLine(text), " "))
	b.moved()
}

// withoutLast takes away what a reader sees as the last character.
func withoutLast(text string) string {
	last := ""
	for g := displaywidth.StringGraphemes(text); g.Next(); {
		last = g.Value()
	}
	return strings.TrimSuffix(text, last)
}

// Typing says whether letters go into the filter.
func (b *Browser) Typing() bool { return b.typing }

// focus goes to the pane or back to the list.
func (b *Browser) focus(pane bool) {
	_, there := b.Current()
	b.reading = pane && (there || b.pane.front != nil)
	if !b.reading && b.pane.front != nil {
		b.pane.putAway()
	}
}

// back takes one step out: of what is shown, of the pane, of the filter, of the
// screen.
func (b *Browser) back() Reply {
	switch {
	case b.pane.front != nil, b.reading:
		b.pane.putAway()
		b.reading = false
	case b.list.filter != "":
		b.Filter("")
	default:
		return Closed
	}
	return Taken
}

// move goes n rows down the list, or scrolls the pane where that has the focus.
func (b *Browser) move(n int) {
	if b.reading {
		b.pane.from = max(b.pane.from+n, 0)
		return
	}
	b.list.move(n)
	b.moved()
}

// pageful is how far a page goes; one line stays in sight.
func (b *Browser) pageful() int { return max(b.bodyHeight()-2, 1) }

// length is further than any end.
func (b *Browser) length() int {
	if b.reading {
		return len(b.pane.lines()) + b.pane.from
	}
	return len(b.list.places)
}

// Wheel scrolls what is under column x by n lines.
func (b *Browser) Wheel(x, n int) {
	list, _ := b.columns()
	if over := x >= list; over {
		b.pane.from = max(b.pane.from+n, 0)
		return
	}
	b.list.move(n)
	b.moved()
}

// Click goes to the row at column x of line y, or to the pane.
func (b *Browser) Click(x, y int) {
	width, _ := b.columns()
	head := len(b.head())
	if y < head || y >= head+b.bodyHeight() {
		return
	}
	b.focus(x >= width)
	if b.reading {
		return
	}
	lines, from := b.list.sight(b.bodyHeight())
	if y -= head; y < len(lines) && lines[y].row >= 0 {
		b.list.stand(b.list.rows[lines[y].row].Key)
		b.moved()
	}
	b.list.from = from
}

// keyPage is the list of keys as Markdown.
func (b *Browser) keyPage() string {
	var out strings.Builder
	for _, h := range slices.Concat(b.hints, b.keys.All) {
		if h.Key != "" {
			fmt.Fprintf(&out, "- **%s**: %s\n", literal(h.Key), literal(cmp.Or(h.About, h.Name)))
		}
	}
	return out.String()
}

// literal has Markdown take no sign of a text for one of its own.
func literal(text string) string {
	var out strings.Builder
	for _, r := range markdown.SanitizeLine(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

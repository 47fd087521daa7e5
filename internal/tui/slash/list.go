package slash

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// List is the list over the line while a name is being typed. Make it with
// NewList; it is for one goroutine.
type List struct {
	menu *Menu
	set  Set

	typed    string // what the items match
	closedAt string // Close was called at this text; a changed one opens again
	items    []Item
}

// NewList makes a closed list of what set offers.
func NewList(st *draw.Styles, set Set) *List { return &List{menu: NewMenu(st, ""), set: set} }

// SetStyles changes the theme.
func (l *List) SetStyles(st *draw.Styles) { l.menu.SetStyles(st) }

// SetSet changes what there is, for what is typed from now on.
func (l *List) SetSet(set Set) { l.set = set }

// SetSize gives the list its room.
func (l *List) SetSize(width, height int) { l.menu.SetSize(width, height) }

// Follow takes the text of the line.
func (l *List) Follow(text string) {
	rest, slash := strings.CutPrefix(text, "/")
	switch {
	case !slash || strings.ContainsAny(rest, " \t\n/"):
		l.typed, l.closedAt = "", ""
		l.offer(nil)
	case text == l.closedAt:
		l.offer(nil)
	case l.items == nil || rest != l.typed:
		l.closedAt, l.typed = "", rest
		l.offer(l.set.Match(rest))
	}
}

func (l *List) offer(items []Item) {
	l.items = items
	rows := make([]Row, len(items))
	for i, item := range items {
		rows[i] = Row{Label: "/" + markdown.SanitizeLine(item.Name), About: item.About, Kind: item.kind()}
	}
	l.menu.Offer(rows)
}

// Open says whether there is something to choose from.
func (l *List) Open() bool { return l.menu.Open() }

// Close hides the list until the text changes.
func (l *List) Close() {
	if l.Open() {
		l.closedAt = "/" + l.typed
		l.offer(nil)
	}
}

// Choose moves the highlight, around at both ends.
func (l *List) Choose(step int) { l.menu.Choose(step) }

// Current is the highlighted item of an open list. Exact says whether its name
// was typed to the end.
func (l *List) Current() (item Item, exact bool) {
	item = l.items[l.menu.Chosen()]
	return item, item.Name == l.typed
}

// Height is the rows that View takes.
func (l *List) Height() int { return l.menu.Height() }

// View draws the list in a frame, or nothing where there is no room.
func (l *List) View() []string { return l.menu.View() }

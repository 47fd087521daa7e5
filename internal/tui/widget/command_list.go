package widget

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// CommandList is the list over the line while a name is being typed. Make it with
// NewCommandList; it is for one goroutine.
type CommandList struct {
	menu  *Menu
	index CommandIndex

	typed    string // what the items match
	closedAt string // Close was called at this text; a changed one opens again
	items    []CommandItem
}

// NewCommandList makes a closed list of what set offers.
func NewCommandList(st *Styles, set CommandIndex) *CommandList {
	return &CommandList{menu: NewMenu(st, ""), index: set}
}

// SetStyles changes the theme.
func (l *CommandList) SetStyles(st *Styles) { l.menu.SetStyles(st) }

// SetIndex changes what there is, for what is typed from now on.
func (l *CommandList) SetIndex(set CommandIndex) { l.index = set }

// SetSize gives the list its room.
func (l *CommandList) SetSize(width, height int) { l.menu.SetSize(width, height) }

// Follow takes the text of the line.
func (l *CommandList) Follow(text string) {
	rest, slash := strings.CutPrefix(text, "/")
	switch {
	case !slash || strings.ContainsAny(rest, " \t\n/"):
		l.typed, l.closedAt = "", ""
		l.offer(nil)
	case text == l.closedAt:
		l.offer(nil)
	case l.items == nil || rest != l.typed:
		l.closedAt, l.typed = "", rest
		l.offer(l.index.Match(rest))
	}
}

func (l *CommandList) offer(items []CommandItem) {
	l.items = items
	rows := make([]MenuRow, len(items))
	for i, item := range items {
		rows[i] = MenuRow{Label: "/" + markdown.SanitizeLine(item.Name), About: item.About, Kind: item.kind()}
	}
	l.menu.SetRows(rows)
}

// Open says whether there is something to choose from.
func (l *CommandList) Open() bool { return l.menu.Open() }

// Close hides the list until the text changes.
func (l *CommandList) Close() {
	if l.Open() {
		l.closedAt = "/" + l.typed
		l.offer(nil)
	}
}

// Choose moves the highlight, around at both ends.
func (l *CommandList) Choose(step int) { l.menu.Choose(step) }

// Current is the highlighted item of an open list. Exact says whether its name
// was typed to the end.
func (l *CommandList) Current() (item CommandItem, exact bool) {
	item = l.items[l.menu.Chosen()]
	return item, item.Name == l.typed
}

// Height is the rows that View takes.
func (l *CommandList) Height() int { return l.menu.Height() }

// View draws the list in a frame, or nothing where there is no room.
func (l *CommandList) View() []string { return l.menu.View() }

package widget

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// CommandList is the list above the composer while a command name is being typed. Create it with
// NewCommandList; it is not safe for concurrent use.
type CommandList struct {
	menu  *Menu
	index CommandIndex

	typed    string // what the items match
	closedAt string // Close was called at this text; a changed one opens again
	items    []CommandItem
}

// NewCommandList returns a closed list of the items of set.
func NewCommandList(st *Styles, set CommandIndex) *CommandList {
	return &CommandList{menu: NewMenu(st, ""), index: set}
}

// SetStyles changes the theme.
func (l *CommandList) SetStyles(st *Styles) { l.menu.SetStyles(st) }

// SetIndex replaces the items, from the next typed text on.
func (l *CommandList) SetIndex(set CommandIndex) { l.index = set }

// SetSize sets the width of the list and its maximum height.
func (l *CommandList) SetSize(width, height int) { l.menu.SetSize(width, height) }

// Follow updates the list for the text of the composer.
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

// Open reports whether the list has items and is shown.
func (l *CommandList) Open() bool { return l.menu.Open() }

// Close hides the list until the text changes.
func (l *CommandList) Close() {
	if l.Open() {
		l.closedAt = "/" + l.typed
		l.offer(nil)
	}
}

// Choose moves the highlight and wraps at both ends.
func (l *CommandList) Choose(step int) { l.menu.Choose(step) }

// Current returns the highlighted item of an open list. exact reports whether its whole name was
// typed.
func (l *CommandList) Current() (item CommandItem, exact bool) {
	item = l.items[l.menu.Chosen()]
	return item, item.Name == l.typed
}

// Height returns the number of rows of View.
func (l *CommandList) Height() int { return l.menu.Height() }

// View draws the list in a frame, or nothing if it does not fit.
func (l *CommandList) View() []string { return l.menu.View() }

package slash

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// List is the list over the line while a name is being typed. Make it with
// NewList; it is for one goroutine.
type List struct {
	st    *draw.Styles
	set   Set
	width int
	most  int // rows it may take, its frame included

	typed    string // what the items match
	closedAt string // Close was called at this text; a changed one opens again
	items    []Item
	chosen   int
	from     int // the first item in sight
}

// NewList makes a closed list of what set offers.
func NewList(st *draw.Styles, set Set) *List { return &List{st: st, set: set} }

// SetStyles changes the theme.
func (l *List) SetStyles(st *draw.Styles) { l.st = st }

// SetSet changes what there is, for what is typed from now on.
func (l *List) SetSet(set Set) { l.set = set }

// SetSize gives the list its room.
func (l *List) SetSize(width, height int) {
	l.width, l.most = width, height
	l.show()
}

// Follow takes the text of the line.
func (l *List) Follow(text string) {
	rest, slash := strings.CutPrefix(text, "/")
	switch {
	case !slash || strings.ContainsAny(rest, " \t\n/"):
		l.items, l.typed, l.closedAt = nil, "", ""
	case text == l.closedAt:
		l.items = nil
	case l.items == nil || rest != l.typed:
		l.closedAt, l.typed = "", rest
		l.items, l.chosen, l.from = l.set.Match(rest), 0, 0
	}
}

// Open says whether there is something to choose from.
func (l *List) Open() bool { return len(l.items) > 0 }

// Close hides the list until the text changes.
func (l *List) Close() {
	if l.Open() {
		l.items, l.closedAt = nil, "/"+l.typed
	}
}

// Choose moves the highlight, around at both ends.
func (l *List) Choose(step int) {
	n := len(l.items)
	l.chosen = (l.chosen + step + n) % n
	l.show()
}

// show keeps the highlighted item in sight.
func (l *List) show() {
	if rows := l.rows(); l.chosen < l.from {
		l.from = l.chosen
	} else if rows > 0 && l.chosen >= l.from+rows {
		l.from = l.chosen - rows + 1
	}
}

// Current is the highlighted item of an open list. Exact says whether its name
// was typed to the end.
func (l *List) Current() (item Item, exact bool) {
	item = l.items[l.chosen]
	return item, item.Name == l.typed
}

func (l *List) rows() int {
	const most = 8
	return min(len(l.items), most, l.most-2)
}

// Height is the rows that View takes.
func (l *List) Height() int {
	if rows := l.rows(); rows > 0 && l.width >= 8 {
		return rows + 2
	}
	return 0
}

// View draws the list in a frame, or nothing where there is no room.
func (l *List) View() []string {
	if l.Height() == 0 {
		return nil
	}
	inner, rows := l.width-4, l.rows()
	bar := strings.Repeat("─", l.width-2)
	out := []string{l.st.Dim.Apply("┌" + bar + "┐")}
	for i := l.from; i < l.from+rows; i++ {
		row := l.row(l.items[i], inner)
		row += strings.Repeat(" ", max(inner-ansi.StringWidth(row), 0))
		edge := " "
		if i == l.chosen {
			edge, row = l.st.Accent.Apply("›"), l.st.Accent.Apply(row)
		}
		out = append(out, l.st.Dim.Apply("│")+edge+row+" "+l.st.Dim.Apply("│"))
	}
	foot := "└" + bar + "┘"
	if more := len(l.items) - l.from - rows; more > 0 && l.width > 20 {
		foot = "└─ ↓ more " + strings.Repeat("─", l.width-12) + "┘"
	}
	return append(out, l.st.Dim.Apply(foot))
}

func (l *List) row(item Item, width int) string {
	name := "/" + markdown.SanitizeLine(item.Name)
	if width < draw.Narrow {
		return draw.Fit(name, width)
	}
	const kindColumn = 7
	nameColumn := 0
	for _, i := range l.items {
		nameColumn = max(nameColumn, ansi.StringWidth(i.Name)+1)
	}
	nameColumn = min(nameColumn, width/3)
	name = draw.Fit(name, nameColumn)
	about := draw.Fit(draw.OneLine(item.About), width-nameColumn-2-kindColumn-2)
	left := name + strings.Repeat(" ", nameColumn-ansi.StringWidth(name)+2) + about
	return left + strings.Repeat(" ", max(width-kindColumn-ansi.StringWidth(left), 0)) + item.kind()
}

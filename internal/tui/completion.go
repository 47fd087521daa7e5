package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// completion is the list over the composer while a command is being typed.
type completion struct {
	st       *draw.Styles
	commands commandSet
	width    int
	most     int // rows it may take, its frame included

	typed    string // what the items match
	closedAt string // Esc was pressed at this text; a changed one opens again
	items    []Command
	chosen   int
	from     int // the first item in sight
}

// SetSize gives the list its room.
func (c *completion) SetSize(width, height int) {
	c.width, c.most = width, height
	c.show()
}

// update follows the composer's text.
func (c *completion) update(text string) {
	rest, slash := strings.CutPrefix(text, "/")
	switch {
	case !slash || strings.ContainsAny(rest, " \t\n/"):
		c.items, c.typed, c.closedAt = nil, "", ""
	case text == c.closedAt:
		c.items = nil
	case c.items == nil || rest != c.typed:
		c.closedAt, c.typed = "", rest
		c.items, c.chosen, c.from = c.commands.match(rest), 0, 0
	}
}

func (c *completion) open() bool { return len(c.items) > 0 }

// close hides the list until the text changes.
func (c *completion) close() {
	if c.open() {
		c.items, c.closedAt = nil, "/"+c.typed
	}
}

// choose moves the highlight, around at both ends.
func (c *completion) choose(step int) {
	n := len(c.items)
	c.chosen = (c.chosen + step + n) % n
	c.show()
}

// show keeps the highlighted item in sight.
func (c *completion) show() {
	if rows := c.rows(); c.chosen < c.from {
		c.from = c.chosen
	} else if rows > 0 && c.chosen >= c.from+rows {
		c.from = c.chosen - rows + 1
	}
}

func (c *completion) current() Command { return c.items[c.chosen] }

// completionRows is how many items are in sight at most.
const completionRows = 8

func (c *completion) rows() int { return min(len(c.items), completionRows, c.most-2) }

// height is the rows that View takes.
func (c *completion) height() int {
	if rows := c.rows(); rows > 0 && c.width >= 8 {
		return rows + 2
	}
	return 0
}

// View draws the list in a frame, or nothing where there is no room.
func (c *completion) View() []string {
	if c.height() == 0 {
		return nil
	}
	inner, rows := c.width-4, c.rows()
	bar := strings.Repeat("─", c.width-2)
	out := []string{c.st.Dim.Apply("┌" + bar + "┐")}
	for i := c.from; i < c.from+rows; i++ {
		row := c.item(c.items[i], inner)
		row += strings.Repeat(" ", max(inner-ansi.StringWidth(row), 0))
		edge := " "
		if i == c.chosen {
			edge, row = c.st.Accent.Apply("›"), c.st.Accent.Apply(row)
		}
		out = append(out, c.st.Dim.Apply("│")+edge+row+" "+c.st.Dim.Apply("│"))
	}
	foot := "└" + bar + "┘"
	if more := len(c.items) - c.from - rows; more > 0 && c.width > 20 {
		foot = "└─ ↓ more " + strings.Repeat("─", c.width-12) + "┘"
	}
	return append(out, c.st.Dim.Apply(foot))
}

// narrow is where columns beside a name no longer help.
const narrow = 50

func (c *completion) item(cmd Command, width int) string {
	name := "/" + markdown.SanitizeLine(cmd.Name)
	if width < narrow {
		return draw.Fit(name, width)
	}
	const kindColumn = 7
	nameColumn := 0
	for _, i := range c.items {
		nameColumn = max(nameColumn, ansi.StringWidth(i.Name)+1)
	}
	nameColumn = min(nameColumn, width/3)
	name = draw.Fit(name, nameColumn)
	about := draw.Fit(draw.OneLine(cmd.About), width-nameColumn-2-kindColumn-2)
	left := name + strings.Repeat(" ", nameColumn-ansi.StringWidth(name)+2) + about
	return left + strings.Repeat(" ", max(width-kindColumn-ansi.StringWidth(left), 0)) + cmd.Kind.String()
}

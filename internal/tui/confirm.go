package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// confirmation asks for the yes that an action on a shelf needs.
type confirmation struct {
	*Confirm
	st            *draw.Styles
	arming        arming
	action        string // the name of what asks
	width, height int
	from          int // the first line of the detail in sight
}

// verdict is what a key says to a question.
type verdict int

const (
	undecided verdict = iota
	refused
	agreed
)

// key takes a key: only a y that comes after a quiet time is a yes.
func (c *confirmation) key(k tea.KeyPressMsg) verdict {
	armed := c.arming.take(k)
	switch k.String() {
	case "y", "Y":
		if armed {
			return agreed
		}
	case "n", "N", "enter", "esc", "q":
		return refused
	case "down":
		c.from++
	case "up":
		c.from = max(c.from-1, 0)
	}
	return undecided
}

// SetSize gives the question its width and the most lines it may take.
func (c *confirmation) SetSize(width, height int) { c.width, c.height = width, height }

// View draws the question, what exactly it is about, and the answers.
func (c *confirmation) View() []string {
	head := draw.Wrap("! "+draw.Visible(c.Question), c.width)
	for i, row := range head {
		head[i] = c.st.Strong.Apply(row)
	}
	answers := c.st.Accent.Apply("n") + " no   " + c.st.Accent.Apply("y") + " yes"
	var detail []string
	for _, d := range c.Detail {
		detail = append(detail, draw.Wrap(draw.Visible(d), c.width-2)...)
	}
	if len(detail) > 0 {
		detail = inSight(c.st, detail, &c.from, c.height-len(head)-1, c.width)
	}
	return slices.Concat(head, detail, []string{answers})
}

package ask

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Confirmation asks whether an action is meant. Make it with NewConfirmation as
// it is shown; it is for one goroutine.
type Confirmation struct {
	st            *draw.Styles
	arming        arming
	question      string
	detail        []string
	width, height int
	from          int // the first line of the detail in sight
	keys          ConfirmationKeys
}

// ConfirmationKeys are those that answer and scroll, as people write them; "" where
// none does.
type ConfirmationKeys struct{ No, Yes, Up, Down string }

// SetKeys says what the answers are given with. Press goes on to take the names.
func (c *Confirmation) SetKeys(k ConfirmationKeys) { c.keys = k }

// NewConfirmation asks question about what detail says, a line each.
func NewConfirmation(st *draw.Styles, now func() time.Time, question string, detail []string) *Confirmation {
	c := &Confirmation{st: st, arming: arming{now: now}, question: question, detail: detail}
	c.keys = ConfirmationKeys{No: "n", Yes: "y", Up: "Up", Down: "Down"}
	c.arming.begin()
	return c
}

// Verdict is what a key says to a question.
type Verdict int

// Verdicts.
const (
	Undecided Verdict = iota
	Refused
	Agreed
)

// Press takes a key by its name: only a y that comes after a quiet time is a
// yes.
func (c *Confirmation) Press(name string) Verdict {
	armed := c.arming.take()
	switch name {
	case "y", "Y":
		if armed {
			return Agreed
		}
	case "n", "N", "enter", "esc", "q":
		return Refused
	case "down":
		c.from++
	case "up":
		c.from = max(c.from-1, 0)
	}
	return Undecided
}

// Disturb ends the quiet time: something was pasted.
func (c *Confirmation) Disturb() { c.arming.take() }

// SetStyles changes the theme.
func (c *Confirmation) SetStyles(st *draw.Styles) { c.st = st }

// SetSize gives the question its width and the most lines it may take.
func (c *Confirmation) SetSize(width, height int) { c.width, c.height = width, height }

// View draws the question, what exactly it is about, and the answers.
func (c *Confirmation) View() []string {
	head := draw.Wrap("! "+draw.Visible(c.question), c.width)
	for i, row := range head {
		head[i] = c.st.Strong.Apply(row)
	}
	answers := offers(c.st, "   ", [2]string{c.keys.No, "no"}, [2]string{c.keys.Yes, "yes"})
	var detail []string
	for _, d := range c.detail {
		detail = append(detail, draw.Wrap(draw.Visible(d), c.width-2)...)
	}
	if len(detail) > 0 {
		detail = inSight(c.st, detail, &c.from, c.height-len(head)-1, c.width, both(c.keys.Up, c.keys.Down))
	}
	return slices.Concat(head, detail, []string{answers})
}

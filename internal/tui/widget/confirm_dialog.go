package widget

import (
	"slices"
	"time"
)

// ConfirmDialog asks whether an action is meant. Make it with NewConfirmDialog as
// it is shown; it is for one goroutine.
type ConfirmDialog struct {
	st            *Styles
	quietTimer    quietTimer
	question      string
	detail        []string
	width, height int
	from          int // the first line of the detail in sight
	keys          ConfirmDialogKeys
}

// ConfirmDialogKeys are those that answer and scroll, as people write them; "" where
// none does.
type ConfirmDialogKeys struct{ No, Yes, Up, Down string }

// SetKeys says what the answers are given with. Press goes on to take the names.
func (c *ConfirmDialog) SetKeys(k ConfirmDialogKeys) { c.keys = k }

// NewConfirmDialog asks question about what detail says, a line each.
func NewConfirmDialog(st *Styles, now func() time.Time, question string, detail []string) *ConfirmDialog {
	c := &ConfirmDialog{st: st, quietTimer: quietTimer{now: now}, question: question, detail: detail}
	c.keys = ConfirmDialogKeys{No: "n", Yes: "y", Up: "Up", Down: "Down"}
	c.quietTimer.start()
	return c
}

// Verdict is what a key says to a question.
type Verdict int

// Verdicts.
const (
	VerdictPending Verdict = iota
	VerdictNo
	VerdictYes
)

// Press takes a key by its name: only a y that comes after a quiet time is a
// yes.
func (c *ConfirmDialog) Press(name string) Verdict {
	armed := c.quietTimer.register()
	switch name {
	case "y", "Y":
		if armed {
			return VerdictYes
		}
	case "n", "N", "enter", "esc", "q":
		return VerdictNo
	case "down":
		c.from++
	case "up":
		c.from = max(c.from-1, 0)
	}
	return VerdictPending
}

// RestartQuietTime ends the quiet time: something was pasted.
func (c *ConfirmDialog) RestartQuietTime() { c.quietTimer.register() }

// SetStyles changes the theme.
func (c *ConfirmDialog) SetStyles(st *Styles) { c.st = st }

// SetSize gives the question its width and the most lines it may take.
func (c *ConfirmDialog) SetSize(width, height int) { c.width, c.height = width, height }

// View draws the question, what exactly it is about, and the answers.
func (c *ConfirmDialog) View() []string {
	head := WrapText("! "+EscapeInvisible(c.question), c.width)
	for i, row := range head {
		head[i] = c.st.Strong.Apply(row)
	}
	answers := answerHints(c.st, "   ", [2]string{c.keys.No, "no"}, [2]string{c.keys.Yes, "yes"})
	var detail []string
	for _, d := range c.detail {
		detail = append(detail, WrapText(EscapeInvisible(d), c.width-2)...)
	}
	if len(detail) > 0 {
		detail = visibleRows(c.st, detail, &c.from, c.height-len(head)-1, c.width, joinKeys(c.keys.Up, c.keys.Down))
	}
	return slices.Concat(head, detail, []string{answers})
}

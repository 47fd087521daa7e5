package widget

import (
	"slices"
	"time"
)

// ConfirmDialog asks for confirmation of an action. Create it with NewConfirmDialog when it is
// shown; it is not safe for concurrent use.
type ConfirmDialog struct {
	st            *Styles
	quietTimer    quietTimer
	question      string
	detail        []string
	width, height int
	from          int // the first visible line of the detail
	keys          ConfirmDialogKeys
}

// ConfirmDialogKeys are the labels of the keys that answer and scroll; "" if there is none.
type ConfirmDialogKeys struct{ No, Yes, Up, Down string }

// SetKeys sets the labels of the keys that answer. Press still takes the default names.
func (c *ConfirmDialog) SetKeys(k ConfirmDialogKeys) { c.keys = k }

// NewConfirmDialog returns a dialog with a question and its detail, one line each.
func NewConfirmDialog(st *Styles, now func() time.Time, question string, detail []string) *ConfirmDialog {
	c := &ConfirmDialog{st: st, quietTimer: quietTimer{now: now}, question: question, detail: detail}
	c.keys = ConfirmDialogKeys{No: "n", Yes: "y", Up: "Up", Down: "Down"}
	c.quietTimer.start()
	return c
}

// Verdict is the effect of a key on the question.
type Verdict int

// Verdicts.
const (
	VerdictPending Verdict = iota
	VerdictNo
	VerdictYes
)

// Press handles a key by its name: only a y after the quiet time is a yes.
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

// RestartQuietTime restarts the quiet time after a paste.
func (c *ConfirmDialog) RestartQuietTime() { c.quietTimer.register() }

// SetStyles changes the theme.
func (c *ConfirmDialog) SetStyles(st *Styles) { c.st = st }

// SetSize sets the width of the question and its maximum height.
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

package widget

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
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
	keys          KeyMap
}

// NewConfirmDialog returns a dialog with a question and its detail, one line each.
func NewConfirmDialog(st *Styles, keys KeyMap, now func() time.Time, question string, detail []string) *ConfirmDialog {
	c := &ConfirmDialog{st: st, keys: keys, quietTimer: quietTimer{now: now}, question: question, detail: detail}
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

// Press handles a key: only a yes after the quiet time counts.
func (c *ConfirmDialog) Press(k tea.KeyPressMsg) Verdict {
	armed := c.quietTimer.register()
	switch c.keys.Action(ScopeConfirm, k) {
	case "confirm-yes":
		if armed {
			return VerdictYes
		}
	case "confirm-no":
		return VerdictNo
	case "confirm-down":
		c.from++
	case "confirm-up":
		c.from = max(c.from-1, 0)
	}
	return VerdictPending
}

// RestartQuietTime restarts the quiet time after a paste.
func (c *ConfirmDialog) RestartQuietTime() { c.quietTimer.register() }

// SetSize sets the width of the question and its maximum height.
func (c *ConfirmDialog) SetSize(width, height int) { c.width, c.height = width, height }

// View draws the question, its detail and the answers.
func (c *ConfirmDialog) View() []string {
	head := WrapText("! "+markdown.EscapeInvisible(c.question), c.width)
	for i, row := range head {
		head[i] = c.st.Strong.Apply(row)
	}
	answers := c.keys.Hints(c.st.Accent, "   ", ActionHint{"confirm-no", "no"}, ActionHint{"confirm-yes", "yes"})
	if escape := (tea.KeyPressMsg{Code: tea.KeyEscape}); c.keys.Action(ScopeConfirm, escape) == "confirm-no" {
		answers += "   " + c.st.Accent.Apply(KeyLabel("esc")) + " no"
	}
	var detail []string
	for _, d := range c.detail {
		detail = append(detail, WrapText(markdown.EscapeInvisible(d), c.width-2)...)
	}
	if len(detail) > 0 {
		detail = visibleRows(c.st, detail, &c.from, c.height-len(head)-1, c.width, c.keys.Label("confirm-up"), c.keys.Label("confirm-down"))
	}
	return slices.Concat(head, detail, []string{answers})
}

// ApprovalQuietTime is how long the keyboard has to be quiet before a question accepts a yes, so
// that a user who is typing when it appears does not approve anything.
const ApprovalQuietTime = 400 * time.Millisecond

// quietTimer distinguishes an intended yes from a key that was typed for something else.
type quietTimer struct {
	now       func() time.Time
	lastInput time.Time // the last key or paste, or when the question was shown
}

// start begins the quiet time. Call it when the question is shown.
func (a *quietTimer) start() { a.lastInput = a.now() }

// register records a key or a paste, reports whether the keyboard was quiet before it, and restarts
// the quiet time.
func (a *quietTimer) register() bool {
	armed := a.now().Sub(a.lastInput) >= ApprovalQuietTime
	a.lastInput = a.now()
	return armed
}

// visibleRows returns at most height rows, starting at *from, and says if there are more, because
// users must not approve what they cannot see. up and down are the labels of the keys that scroll.
func visibleRows(st *Styles, rows []string, from *int, height, width int, up, down string) []string {
	const indent = "  "
	height = max(height, 1)
	if len(rows) > height {
		*from = min(*from, len(rows)-max(height-1, 1))
		shown := rows[*from : *from+max(height-1, 1)]
		position := fmt.Sprintf("lines %d to %d of %d", *from+1, *from+len(shown), len(rows))
		keys := up + down
		if up != "" && down != "" {
			keys = up + " and " + down
		}
		if keys != "" {
			position += " · " + keys
			if long := position + " to scroll"; ansi.StringWidth(long) <= width-len(indent) {
				position = long
			}
		}
		rows = append(shown[:len(shown):len(shown)], st.Warn.Apply(FitLine(position, width-len(indent))))
	}
	for i, row := range rows {
		rows[i] = indent + row
	}
	return rows
}

package widget

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// ApprovalQuietTime is how long the keyboard has to be quiet before a question accepts a yes, so
// that a user who is typing when it appears does not approve anything.
const ApprovalQuietTime = 400 * time.Millisecond

// quietTimer distinguishes an intended yes from a key that was typed for something else.
type quietTimer struct {
	now       func() time.Time
	lastInput time.Time // when the last key came, or the question was shown
}

// start is called when the question is shown.
func (a *quietTimer) start() { a.lastInput = a.now() }

// register records a key or a paste and reports whether it came after a quiet time. Each input
// restarts the quiet time, also a yes that came too early: it was part of something longer.
func (a *quietTimer) register() bool {
	armed := a.now().Sub(a.lastInput) >= ApprovalQuietTime
	a.lastInput = a.now()
	return armed
}

// joinKeys joins the labels of two keys for a sentence, without an empty one.
func joinKeys(up, down string) string {
	if up == "" || down == "" {
		return up + down
	}
	return strings.Join([]string{up, down}, " and ")
}

// visibleRows returns at most height rows, starting at *from, and says if there are more, because
// users must not approve what they cannot see. keys are the labels of the keys that scroll.
func visibleRows(st *Styles, rows []string, from *int, height, width int, keys string) []string {
	const indent = "  "
	height = max(height, 1)
	if len(rows) > height {
		*from = min(*from, len(rows)-max(height-1, 1))
		shown := rows[*from : *from+max(height-1, 1)]
		position := fmt.Sprintf("lines %d to %d of %d", *from+1, *from+len(shown), len(rows))
		if keys != "" {
			position += ", " + keys
			if long := position + " for the rest"; ansi.StringWidth(long) <= width-len(indent) {
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

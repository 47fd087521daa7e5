package widget

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// ApprovalQuietTime is how long the keyboard has to be quiet before a question takes a yes:
// somebody who types on as it comes up must not approve anything.
const ApprovalQuietTime = 400 * time.Millisecond

// quietTimer tells a yes that was meant from a key that was under way.
type quietTimer struct {
	now       func() time.Time
	lastInput time.Time // when the last key came, or the question was shown
}

// start is called as the question is shown.
func (a *quietTimer) start() { a.lastInput = a.now() }

// register says whether a key or a paste came after a quiet time. It ends that, a
// yes that came too early as well: it was part of something longer.
func (a *quietTimer) register() bool {
	armed := a.now().Sub(a.lastInput) >= ApprovalQuietTime
	a.lastInput = a.now()
	return armed
}

// joinKeys are two keys as a sentence has them, without one that there is not.
func joinKeys(up, down string) string {
	if up == "" || down == "" {
		return up + down
	}
	return strings.Join([]string{up, down}, " and ")
}

// visibleRows gives as many rows as there is room for, from the one at from on, and
// says when there are more: what cannot be seen must not be agreed to unawares.
// The keys are what scrolls, as people write them.
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

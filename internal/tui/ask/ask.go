// Package ask puts questions that wait for a yes: whether a tool may go on, and
// whether an action is meant. A yes counts only where it was surely one, and
// what it is about is shown so that nothing hides.
//
// It takes the names of keys and gives lines. What it asks about may come from
// outside and is made visible before it is drawn.
package ask

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Quiet is how long the keyboard has to be quiet before a question takes a yes:
// somebody who types on as it comes up must not approve anything.
const Quiet = 400 * time.Millisecond

// arming tells a yes that was meant from a key that was under way.
type arming struct {
	now   func() time.Time
	quiet time.Time // when the last key came, or the question was shown
}

// begin is called as the question is shown.
func (a *arming) begin() { a.quiet = a.now() }

// take says whether a key or a paste came after a quiet time. It ends that, a
// yes that came too early as well: it was part of something longer.
func (a *arming) take() bool {
	armed := a.now().Sub(a.quiet) >= Quiet
	a.quiet = a.now()
	return armed
}

// both are two keys as a sentence has them, without one that there is not.
func both(up, down string) string {
	if up == "" || down == "" {
		return up + down
	}
	return strings.Join([]string{up, down}, " and ")
}

// inSight gives as many rows as there is room for, from the one at from on, and
// says when there are more: what cannot be seen must not be agreed to unawares.
// The keys are what scrolls, as people write them.
func inSight(st *draw.Styles, rows []string, from *int, room, width int, keys string) []string {
	const indent = "  "
	room = max(room, 1)
	if len(rows) > room {
		*from = min(*from, len(rows)-max(room-1, 1))
		shown := rows[*from : *from+max(room-1, 1)]
		rest := fmt.Sprintf("lines %d to %d of %d", *from+1, *from+len(shown), len(rows))
		if keys != "" {
			rest += ", " + keys
			if long := rest + " for the rest"; ansi.StringWidth(long) <= width-len(indent) {
				rest = long
			}
		}
		rows = append(shown[:len(shown):len(shown)], st.Warn.Apply(draw.Fit(rest, width-len(indent))))
	}
	for i, row := range rows {
		rows[i] = indent + row
	}
	return rows
}

package agent

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/trace"
)

// ErrNoFigures means that no answer of the conversation states a figure.
var ErrNoFigures = errors.New("no answer contains a figure yet")

// Why explains figures of the last answer that states any. "3" is its third note,
// or a number as it stands there; "" is every figure. An earlier answer is looked
// at for a number that the last one does not state. What is in none gives no
// figures. It returns ErrBusy while a turn runs.
func (c *Conversation) Why(query string) (FiguresReport, error) {
	leave, err := c.gate.enter()
	if err != nil {
		return FiguresReport{}, err
	}
	defer leave()
	if len(c.reports) == 0 {
		return FiguresReport{}, ErrNoFigures
	}
	last := c.reports[len(c.reports)-1]
	query = strings.TrimSpace(query)
	if query == "" {
		return last, nil
	}
	if note, err := strconv.Atoi(query); err == nil && note > 0 && note <= len(last.Notes) {
		return last.filter(func(n trace.MatchedNumber) bool { return n.Note == note }), nil
	}
	for i := len(c.reports) - 1; i >= 0; i-- {
		if found := c.reports[i].filter(func(n trace.MatchedNumber) bool { return trace.SameNumber(n.Text, query) }); found.Total > 0 {
			return found, nil
		}
	}
	return FiguresReport{Untraced: []string{}}, nil
}

// filter is the part of a report on the numbers that keep is true of.
func (r FiguresReport) filter(keep func(trace.MatchedNumber) bool) FiguresReport {
	out := FiguresReport{Untraced: []string{}}
	noted := map[int]bool{}
	for _, n := range r.Numbers {
		if !keep(n) {
			continue
		}
		out.Total++
		out.Numbers = append(out.Numbers, n)
		switch n.Status {
		case trace.Traced:
			out.Traced++
		case trace.Contradicted:
			out.Contradicted++
		}
		if n.Status != trace.Traced {
			out.Untraced = append(out.Untraced, n.Text)
		}
		if n.Note > 0 && n.Note <= len(r.Notes) && !noted[n.Note] {
			noted[n.Note] = true
			out.Notes = append(out.Notes, r.Notes[n.Note-1])
		}
	}
	return out
}

// maxReports is how many answers back Why looks for a number, and maxRechecked
// how many entries back a resumed conversation looks for them.
const (
	maxReports   = 20
	maxRechecked = 200
)

// addReport keeps a report for Why.
func (c *Conversation) addReport(r FiguresReport) {
	if r.Total == 0 {
		return
	}
	if len(c.reports) == maxReports {
		c.reports = slices.Delete(c.reports, 0, 1)
	}
	c.reports = append(c.reports, r)
}

// recheck makes the report on a recorded answer anew, from what was known when it
// was given. Its entry is so many from the end.
func (c *Conversation) recheck(sources *sourceIndex, e session.Entry, d Display, fromEnd int) {
	if d.Report != nil && fromEnd <= maxRechecked {
		c.addReport(sources.check(e.Message.Content))
	}
}

// withoutNotes is the report as it is kept with its answer. The figures of its notes
// are kept already, with the results that gave them.
func (r FiguresReport) withoutNotes() *FiguresReport {
	r.Notes = nil
	return &r
}

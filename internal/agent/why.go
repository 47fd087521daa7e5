package agent

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/figures"
	"github.com/nfa-cli/nfa/internal/figures/numeral"
	"github.com/nfa-cli/nfa/internal/session"
)

// ErrNoFigures means that no answer of the conversation states a figure.
var ErrNoFigures = errors.New("no answer here states a figure yet")

// Why explains figures of the last answer that states any. "3" is its third note,
// or a number as it stands there; "" is every figure. An earlier answer is looked
// at for a number that the last one does not state. What is in none gives no
// figures. It returns ErrBusy while a turn runs.
func (c *Conversation) Why(asked string) (FiguresReport, error) {
	leave, err := c.gate.enter()
	if err != nil {
		return FiguresReport{}, err
	}
	defer leave()
	if len(c.reports) == 0 {
		return FiguresReport{}, ErrNoFigures
	}
	last := c.reports[len(c.reports)-1]
	asked = strings.TrimSpace(asked)
	if asked == "" {
		return last, nil
	}
	if note, err := strconv.Atoi(asked); err == nil && note > 0 && note <= len(last.Notes) {
		return last.only(func(n figures.Matched) bool { return n.Note == note }), nil
	}
	for i := len(c.reports) - 1; i >= 0; i-- {
		if found := c.reports[i].only(func(n figures.Matched) bool { return numeral.Same(n.Text, asked) }); found.Total > 0 {
			return found, nil
		}
	}
	return FiguresReport{Untraced: []string{}}, nil
}

// only is the part of a report on the numbers that keep is true of.
func (r FiguresReport) only(keep func(figures.Matched) bool) FiguresReport {
	out := FiguresReport{Untraced: []string{}}
	noted := map[int]bool{}
	for _, n := range r.Numbers {
		if !keep(n) {
			continue
		}
		out.Total++
		out.Numbers = append(out.Numbers, n)
		switch n.Status {
		case figures.Traced:
			out.Traced++
		case figures.Contradicted:
			out.Contradicted++
		}
		if n.Status != figures.Traced {
			out.Untraced = append(out.Untraced, n.Text)
		}
		if n.Note > 0 && n.Note <= len(r.Notes) && !noted[n.Note] {
			noted[n.Note] = true
			out.Notes = append(out.Notes, r.Notes[n.Note-1])
		}
	}
	return out
}

// mostReports is how many answers back Why looks for a number, and mostRechecked
// how many entries back a resumed conversation looks for them.
const (
	mostReports   = 20
	mostRechecked = 200
)

// reported keeps a report for Why.
func (c *Conversation) reported(r FiguresReport) {
	if r.Total == 0 {
		return
	}
	if len(c.reports) == mostReports {
		c.reports = slices.Delete(c.reports, 0, 1)
	}
	c.reports = append(c.reports, r)
}

// recheck makes the report on a recorded answer anew, from what was known when it
// was given. Its entry is so many from the end.
func (c *Conversation) recheck(known *evidence, e session.Entry, d Display, fromEnd int) {
	if d.Report != nil && fromEnd <= mostRechecked {
		c.reported(known.check(e.Message.Content))
	}
}

// recorded is the report as it is kept with its answer. The figures of its notes
// are kept already, with the results that gave them.
func (r FiguresReport) recorded() *FiguresReport {
	r.Notes = nil
	return &r
}

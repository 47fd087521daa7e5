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

// Why returns figures of the last answer that has any: all for "", the third row for "3", the number
// for "53.3%", and the figures of the answer before the last for "last 2". If the last answer lacks the
// number, earlier ones are searched. The report of an unknown figure is empty. Why returns ErrBusy while
// a turn runs.
func (c *Conversation) Why(query string) (FiguresReport, error) {
	leave, err := c.gate.enter()
	if err != nil {
		return FiguresReport{}, err
	}
	defer leave()
	if len(c.reports) == 0 {
		return FiguresReport{}, ErrNoFigures
	}
	query = strings.TrimSpace(query)
	last := len(c.reports) - 1
	if back, ok := strings.CutPrefix(query, "last"); ok {
		back, query, _ = strings.Cut(strings.TrimSpace(back), " ")
		n, err := strconv.Atoi(back)
		if err != nil || n < 1 || n > len(c.reports) {
			return FiguresReport{Untraced: []string{}}, nil
		}
		last -= n - 1
	}
	report := c.reports[last]
	if query == "" {
		return report, nil
	}
	if i, err := strconv.Atoi(query); err == nil && i > 0 {
		if rows := report.Rows(); i <= len(rows) {
			return report.filter(func(n trace.MatchedNumber) bool { return n.Text == rows[i-1].Text && n.Note == rows[i-1].Note }), nil
		}
	}
	for i := last; i >= 0; i-- {
		if found := c.reports[i].filter(func(n trace.MatchedNumber) bool { return trace.SameNumber(n.Text, query) }); found.Total > 0 {
			return found, nil
		}
	}
	return FiguresReport{Untraced: []string{}}, nil
}

// Rows lists the distinct figures of a report: contradicted ones first, then those that are not traced,
// each in the order of the answer.
func (r FiguresReport) Rows() []trace.MatchedNumber {
	var rows []trace.MatchedNumber
	for _, status := range []trace.Status{trace.Contradicted, trace.Untraced, trace.Traced} {
		for _, n := range r.Numbers {
			same := func(o trace.MatchedNumber) bool { return o.Text == n.Text && o.Note == n.Note }
			if n.Status == status && !slices.ContainsFunc(rows, same) {
				rows = append(rows, n)
			}
		}
	}
	return rows
}

// filter returns the report of the numbers for which keep is true.
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

// Why searches the last maxReports answers. A resumed session checks the answers among its last
// maxRechecked entries.
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

// recheck checks a recorded answer again, with the sources that were known at that time. fromEnd is the
// number of entries after it.
func (c *Conversation) recheck(sources *sourceIndex, e session.Entry, d Display, fromEnd int) {
	if d.Report != nil && fromEnd <= maxRechecked {
		c.addReport(sources.check(e.Message.Content))
	}
}

// withoutNotes returns the report as it is stored with its answer. The figures of its notes are stored
// with the results.
func (r FiguresReport) withoutNotes() *FiguresReport {
	r.Notes = nil
	return &r
}

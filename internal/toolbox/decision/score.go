package decision

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// score is what became of one decision.
func (j *decisions) score(d journal.Decision, of map[market.Symbol]history, full bool) scoreLine {
	line := scoreLine{
		ID: d.ID, Date: present.Dated(d.Date), Decision: d.Action, Due: d.Due(j.Today()), ReviewOn: present.Dated(d.ReviewOn),
		Closed: present.Dated(d.Closed), Outcome: beginning(d.Outcome), Notes: []string{}, decision: d,
	}
	for _, m := range d.Marks {
		line.Symbols = append(line.Symbols, m.Symbol)
	}
	if d.Benchmark != nil {
		line.Benchmark = d.Benchmark.Symbol
	}
	switch {
	case full:
		line.Thesis, line.Disproof, line.Outcome = d.Thesis, d.Disproof, d.Outcome
	case line.Due:
		line.Thesis, line.Disproof = beginning(d.Thesis), beginning(d.Disproof)
	}
	line.grown, line.Notes = growths(d, of, j.Today())
	line.judge(d, j.Today())
	return line
}

// judge sets what the growths come to.
func (line *scoreLine) judge(d journal.Decision, today market.Date) {
	var own []journal.Growth
	for _, m := range d.Marks {
		if g, ok := line.grown[m.Symbol]; ok {
			own = append(own, g.Growth)
		}
	}
	var against *journal.Growth
	if g, ok := line.grown[line.Benchmark]; ok && d.Benchmark != nil {
		against = &g.Growth
	}
	s, err := journal.ScoreOf(d, today, own, against)
	if err != nil {
		line.Notes = append(line.Notes, err.Error())
		line.score = journal.Score{ID: d.ID, Due: line.Due}
		return
	}
	if d.Benchmark != nil && against == nil {
		// That there is one, and nothing is known of it, is said already.
		s.Notes = slices.DeleteFunc(s.Notes, func(n string) bool { return len(line.Notes) > 0 && n == journal.NoBenchmark })
	}
	line.score, line.Notes = s, append(append([]string{}, line.Notes...), s.Notes...)
	if s.Right != nil && s.Edge != nil && present.RoundedPercent(*s.Edge, 2).IsZero() {
		// As it is shown: what is even by its hundredths proves nobody right or wrong.
		s.Right, s.Notes = nil, append(slices.Clone(s.Notes), "it did as its benchmark did: neither right nor wrong")
		line.score, line.Notes = s, append(line.Notes, s.Notes[len(s.Notes)-1])
	}
	line.From, line.To, line.Days, line.Right = present.Dated(s.From), present.Dated(s.To), s.Days, s.Right
	line.ReturnPct, line.BenchmarkPct, line.ExcessPct, line.EdgePct = percentOrNull(s.Return), percentOrNull(s.Benchmark), percentOrNull(s.Excess), percentOrNull(s.Edge)
	line.ReturnYearPct, line.BenchmarkYearPct = percentOrNull(s.ReturnYear), percentOrNull(s.BenchmarkYear)
	if s.Return != nil {
		line.ReturnKind = returnKind(line.grown[d.Marks[0].Symbol].Total)
	}
}

func returnKind(total bool) string {
	if total {
		return "total return, dividends reinvested"
	}
	return "price return, no dividends"
}

func percentOrNull(v *float64) *decimal.Decimal {
	if v == nil {
		return nil
	}
	pct := present.RoundedPercent(*v, 2)
	return &pct
}

func summaryOf(s journal.Summary) reviewSummary {
	out := reviewSummary{
		Decisions: s.Decisions, Judged: s.Judged, Right: s.Right, HitRatePct: percentOrNull(s.HitRate), MeanEdgePct: percentOrNull(s.MeanEdge),
		Confidents: s.Confidents, Due: s.Due,
	}
	if s.Interval != nil {
		out.LowPct, out.HighPct = percentOrNull(&s.Interval.Low), percentOrNull(&s.Interval.High)
	}
	if s.Brier != nil {
		brier := present.Rounded(*s.Brier, 4)
		out.Brier = &brier
	}
	out.Says = out.says()
	return out
}

func (s reviewSummary) says() string {
	text := fmt.Sprintf("%d of %d judged decisions right", s.Right, s.Judged)
	if s.Judged == 0 {
		text = "none judged yet"
	} else if s.HitRatePct == nil {
		text += fmt.Sprintf(", too few for a rate (from %d on)", journal.Fewest)
	} else {
		text += fmt.Sprintf(" (%s %%, 95 %% interval %s to %s %%)", s.HitRatePct, s.LowPct, s.HighPct)
	}
	return text + fmt.Sprintf(" · %d due", s.Due)
}

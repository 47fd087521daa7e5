package advice

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// newScoreLine is what became of one decision.
func (j *journalTool) newScoreLine(d investor.Decision, histories map[market.Symbol]assetHistory, full bool) scoreLine {
	line := scoreLine{
		ID: d.ID, Date: toolkit.FormatDate(d.Date), Decision: d.Action, Due: d.Due(j.Today()), ReviewOn: toolkit.FormatDate(d.ReviewOn),
		Closed: toolkit.FormatDate(d.Closed), Outcome: listExcerpt(d.Outcome), Notes: []string{}, decision: d,
	}
	for _, m := range d.Assets {
		line.Symbols = append(line.Symbols, m.Symbol)
	}
	if d.Benchmark != nil {
		line.Benchmark = d.Benchmark.Symbol
	}
	switch {
	case full:
		line.Thesis, line.Disproof, line.Outcome = d.Thesis, d.Invalidation, d.Outcome
	case line.Due:
		line.Thesis, line.Disproof = listExcerpt(d.Thesis), listExcerpt(d.Invalidation)
	}
	line.growths, line.Notes = measureGrowths(d, histories, j.Today())
	line.setReturns(d, j.Today())
	return line
}

// setReturns sets what the growths come to.
func (line *scoreLine) setReturns(d investor.Decision, today market.Date) {
	var growths []investor.AssetReturn
	for _, m := range d.Assets {
		if g, ok := line.growths[m.Symbol]; ok {
			growths = append(growths, g.AssetReturn)
		}
	}
	var against *investor.AssetReturn
	if g, ok := line.growths[line.Benchmark]; ok && d.Benchmark != nil {
		against = &g.AssetReturn
	}
	s, err := investor.ScoreDecision(d, today, growths, against)
	if err != nil {
		line.Notes = append(line.Notes, err.Error())
		line.score = investor.DecisionScore{ID: d.ID, Due: line.Due}
		return
	}
	if d.Benchmark != nil && against == nil {
		// That there is one, and nothing is known of it, is said already.
		s.Notes = slices.DeleteFunc(s.Notes, func(n string) bool { return len(line.Notes) > 0 && n == investor.NoBenchmark })
	}
	line.score, line.Notes = s, append(append([]string{}, line.Notes...), s.Notes...)
	if s.Right != nil && s.Edge != nil && toolkit.RoundPercent(*s.Edge, 2).IsZero() {
		// As it is shown: what is even by its hundredths proves nobody right or wrong.
		s.Right, s.Notes = nil, append(slices.Clone(s.Notes), "it did as its benchmark did: neither right nor wrong")
		line.score, line.Notes = s, append(line.Notes, s.Notes[len(s.Notes)-1])
	}
	line.From, line.To, line.Days, line.Right = toolkit.FormatDate(s.From), toolkit.FormatDate(s.To), s.Days, s.Right
	line.ReturnPct, line.BenchmarkPct, line.ExcessPct, line.EdgePct = roundPercentOrNil(s.Return), roundPercentOrNil(s.Benchmark), roundPercentOrNil(s.Excess), roundPercentOrNil(s.Edge)
	line.ReturnYearPct, line.BenchmarkYearPct = roundPercentOrNil(s.ReturnYear), roundPercentOrNil(s.BenchmarkYear)
	if s.Return != nil {
		line.ReturnKind = returnKind(line.growths[d.Assets[0].Symbol].Total)
	}
}

func returnKind(total bool) string {
	if total {
		return "total return, dividends reinvested"
	}
	return "price return, no dividends"
}

func roundPercentOrNil(v *float64) *decimal.Decimal {
	if v == nil {
		return nil
	}
	pct := toolkit.RoundPercent(*v, 2)
	return &pct
}

func newReviewSummary(s investor.DecisionSummary) reviewSummary {
	out := reviewSummary{
		Decisions: s.Decisions, Judged: s.Judged, Right: s.Right, HitRatePct: roundPercentOrNil(s.HitRate), MeanEdgePct: roundPercentOrNil(s.MeanEdge),
		Confidents: s.WithConfidence, Due: s.Due,
	}
	if s.Interval != nil {
		out.LowPct, out.HighPct = roundPercentOrNil(&s.Interval.Low), roundPercentOrNil(&s.Interval.High)
	}
	if s.Brier != nil {
		brier := toolkit.RoundDecimal(*s.Brier, 4)
		out.Brier = &brier
	}
	out.Says = out.verdict()
	return out
}

func (s reviewSummary) verdict() string {
	text := fmt.Sprintf("%d of %d judged decisions right", s.Right, s.Judged)
	if s.Judged == 0 {
		text = "none judged yet"
	} else if s.HitRatePct == nil {
		text += fmt.Sprintf(", too few for a rate (from %d on)", investor.MinScores)
	} else {
		text += fmt.Sprintf(" (%s %%, 95 %% interval %s to %s %%)", s.HitRatePct, s.LowPct, s.HighPct)
	}
	return text + fmt.Sprintf(" · %d due", s.Due)
}

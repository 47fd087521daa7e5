package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// figures are the numbers of the review.
func (a reviewAnswer) figures() []tool.Figure {
	var out []tool.Figure
	for _, line := range a.Scores {
		out = append(out, line.figures()...)
	}
	s := a.Summary
	add := func(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{ID: "review." + id, Label: label, Value: *v, Unit: unit, AsOf: a.day, Source: a.Source, Formula: formula, Inputs: inputs})
		}
	}
	count := func(n int) *decimal.Decimal { v := decimal.NewFromInt(int64(n)); return &v }
	right, judged := fmt.Sprintf("right %d", s.Right), fmt.Sprintf("judged %d", s.Judged)
	add("decisions", "decisions reviewed", count(s.Decisions), "decisions", "")
	add("judged", "decisions judged", count(s.Judged), "decisions", "count of those that are right or wrong")
	add("right", "decisions that were right", count(s.Right), "decisions", "count of those whose edge is above zero; of hold, not below")
	add("due", "decisions due for review", count(s.Due), "decisions", "count of open ones whose day of review has come")
	add("hit_rate", "hit rate", s.HitRatePct, "%", "right / judged * 100", right, judged)
	add("hit_rate_low", "hit rate, low end of the 95 % interval", s.LowPct, "%", wilsonFormula+" with -", right, judged)
	add("hit_rate_high", "hit rate, high end of the 95 % interval", s.HighPct, "%", wilsonFormula+" with +", right, judged)
	add("mean_edge", "mean edge per decision", s.MeanEdgePct, "%", "sum of the edges / judged", a.meanInputs(edgeText)...)
	add("brier", "Brier score", s.Brier, "score", "mean of (confidence - result)^2, result 1 for right and 0 for wrong", a.meanInputs(confidenceText)...)
	return out
}

// meanInputs says of each decision that is right or wrong what a mean counts of it.
func (a reviewAnswer) meanInputs(format func(scoreLine) string) []string {
	var out []string
	for _, line := range a.Scores {
		if line.Right == nil {
			continue
		}
		if text := format(line); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func edgeText(line scoreLine) string { return fmt.Sprintf("edge of %s %s %%", line.ID, line.EdgePct) }

func confidenceText(line scoreLine) string {
	if line.score.Confidence == nil {
		return ""
	}
	return fmt.Sprintf("%s: confidence %s, right %t", line.ID, line.decision.Confidence.Decimal, *line.Right)
}

// wilsonFormula is the interval of package journal in words.
const wilsonFormula = "(2 h + z^2 ± z sqrt(z^2 + 4 h (1 - h / n))) / (2 (n + z^2)) * 100, h right of n judged, z = 1.959964 (Wilson 1927)"

func (line scoreLine) figures() []tool.Figure {
	var out []tool.Figure
	add := func(id, label string, v *decimal.Decimal, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{
				ID: line.ID + "." + id, Label: fmt.Sprintf("%s of %s %s of %s", label, line.Decision, toolkit.Abbreviate(joinSymbols(line.decision)), line.Date),
				Value: *v, Unit: "%", AsOf: line.score.To, Source: line.sources(), Formula: formula, Inputs: inputs,
			})
		}
	}
	inputs, formula := line.inputs(), returnFormula
	if len(line.Symbols) > 1 {
		formula = "mean of " + returnFormula + " over the symbols"
	}
	add("return", "return", line.ReturnPct, formula, inputs...)
	if line.BenchmarkPct != nil {
		against := line.growths[line.Benchmark].inputs()
		add("benchmark_return", "benchmark's return", line.BenchmarkPct, returnFormula, against...)
		add("excess", "excess return", line.ExcessPct, "return - benchmark's return, each before rounding", slices.Concat(inputs, against)...)
		if line.EdgePct != nil && !line.EdgePct.Equal(*line.ExcessPct) {
			add("edge", "edge", line.EdgePct, "-(return - benchmark's return): it was sold or avoided", slices.Concat(inputs, against)...)
		}
	}
	days := fmt.Sprintf("days %d", line.Days)
	add("return_a_year", "yearly return", line.ReturnYearPct, "((1 + return)^(365.25 / days) - 1) * 100", append(slices.Clone(inputs), days)...)
	if line.BenchmarkPct != nil {
		add("benchmark_a_year", "benchmark's yearly return", line.BenchmarkYearPct, "((1 + return)^(365.25 / days) - 1) * 100", append(line.growths[line.Benchmark].inputs(), days)...)
	}
	return out
}

const returnFormula = "(last close / first close - 1) * 100"

// inputs are the closes that the return of a decision's own assets is between.
func (line scoreLine) inputs() []string {
	var out []string
	for _, sym := range line.Symbols {
		if g, ok := line.growths[sym]; ok {
			out = append(out, g.inputs()...)
		}
	}
	return out
}

func (g measuredGrowth) inputs() []string {
	kind := "close"
	if g.Total {
		kind = "close adjusted for dividends"
	}
	return []string{
		fmt.Sprintf("first %s of %s %s on %s", kind, g.Symbol, g.first, toolkit.FormatDate(g.From)),
		fmt.Sprintf("last %s of %s %s on %s", kind, g.Symbol, g.last, toolkit.FormatDate(g.To)),
	}
}

// sources names where the prices of a decision are from.
func (line scoreLine) sources() string {
	var names []string
	for _, m := range comparedMarks(line.decision) {
		if g, ok := line.growths[m.Symbol]; ok && !slices.Contains(names, g.Source) {
			names = append(names, g.Source)
		}
	}
	return strings.Join(names, ", ")
}

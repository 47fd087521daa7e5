package positions

import (
	"math"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
)

// benchmarkChart compares the portfolio with its benchmark over the longest window in which
// both are known. Each starts at 100 and follows the time-weighted returns of the answer. It is
// nil if there is no such window.
func benchmarkChart(h *performance.History, windows []windowAnswer, benchmark *market.Series) *chart.Spec {
	for _, w := range slices.Backward(windows) {
		if benchmark == nil || w.Why != "" {
			continue
		}
		g, err := h.Growth(*benchmark, w.report.From, w.report.To)
		if err != nil || g.Reason != "" || len(g.Dates) < 2 {
			continue
		}
		return &chart.Spec{
			Kind: chart.KindCompare, Rebased: true, Title: "Portfolio and " + string(benchmark.Symbol) + ", time-weighted, " + w.Name,
			Series: []chart.Series{
				{Name: "portfolio", Times: g.Dates, Values: g.Portfolio},
				{Name: string(benchmark.Symbol), Times: g.Dates, Values: g.Benchmark},
			},
		}
	}
	return nil
}

// valueChart draws the value of the portfolio at the close of each day of the longest window,
// deposits and withdrawals included; a day on which something had no price is a gap. It is nil
// if no window has a value.
func valueChart(h *performance.History, windows []windowAnswer, currency string) *chart.Spec {
	for i := len(windows) - 1; i >= 0; i-- {
		if windows[i].Why != "" {
			continue
		}
		line, known := chart.Series{}, 0
		for _, day := range h.Days(windows[i].report.From, windows[i].report.To) {
			value := math.NaN()
			if day.Value.Valid {
				value = day.Value.Decimal.InexactFloat64()
				known++
			}
			line.Times, line.Values = append(line.Times, day.Date), append(line.Values, value)
		}
		if known < 2 {
			return nil
		}
		return &chart.Spec{
			Kind: chart.KindLine, Title: "Value of the portfolio, payments included", Unit: currency, Series: []chart.Series{line},
		}
	}
	return nil
}

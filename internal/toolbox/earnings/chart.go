package earnings

import (
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/chart"
)

// charted draws what the book was worth at the close of each day of the longest
// window, what was paid in and out included; a day on which something had no price is
// a gap. Nil where no window has a value.
func charted(h *performance.History, windows []windowAnswer, currency string) *chart.Spec {
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
			Kind: chart.KindLine, Title: "Value of the book, payments included", Unit: currency, Series: []chart.Series{line},
		}
	}
	return nil
}

package toolkit

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// CallerSource is the source of closes that came with the call.
const CallerSource = "given in the call"

// ParseDays reads the dates of a caller's own closes, which are oldest first and each
// of another day.
func ParseDays(texts []string) ([]market.Date, error) {
	days := make([]market.Date, len(texts))
	for i, text := range texts {
		day, err := ParseDay("date", text)
		switch {
		case err != nil:
			return nil, err
		case i > 0 && !day.After(days[i-1]):
			return nil, fmt.Errorf("%.20s after %.20s; give the dates oldest first, each once", text, texts[i-1])
		}
		days[i] = day
	}
	return days, nil
}

// CallerSeries is a series of closes, one for each day, that came with the call, in a
// currency or in none that is known. A close that is not above zero is an error.
// Its interval stays open: the dates alone say what belongs together.
func CallerSeries(name, currency string, days []market.Date, closes []float64) (market.Series, error) {
	s := market.Series{
		Instrument: market.Instrument{Symbol: market.Symbol(name)},
		Provenance: market.Provenance{Source: CallerSource, Currency: currency, Unit: "price", Adjustment: market.AdjustmentUnknown},
	}
	if len(closes) != len(days) {
		return s, fmt.Errorf("%d closes for %d dates", len(closes), len(days))
	}
	for i, v := range closes {
		if !(v > 0) || math.IsInf(v, 0) {
			return s, fmt.Errorf("close %v on %s; returns need prices above zero", v, days[i].Format("2006-01-02"))
		}
		s.Bars = append(s.Bars, market.Bar{Date: days[i], Close: decimal.NewFromFloat(v)})
		s.Provenance.AsOf = days[i]
	}
	return s, nil
}

package rebalance_test

import (
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
)

func TestCheck_Overlap(t *testing.T) {
	with := func(pairs []rebalance.CorrelatedPair, unpaired ...string) rebalance.Portfolio {
		b := portfolioOf(stock("A", "0.4"), stock("B", "0.3"), stock("C", "0.3"))
		b.Pairs, b.Uncorrelated = pairs, unpaired
		return b
	}
	pairs := []rebalance.CorrelatedPair{{A: "A", B: "B", Correlation: 0.2, Weeks: 156}, {A: "A", B: "C", Correlation: 0.97, Weeks: 100}}
	wantResults(t, rebalance.RuleOverlap, []checkExample{
		{"two move as one", with(pairs), rebalance.Limits{}, "fail 0.97 of 0.95", "A and C moved almost in step over 100 weeks, so holding both adds little diversification. Pairs above the threshold: 1."},
		{"one that is unknown does not matter then", with(pairs, "B and C: too few"), rebalance.Limits{}, "fail 0.97 of 0.95", ""},
		{"none does", with(pairs[:1]), rebalance.Limits{}, "pass 0.2 of 0.95", "A and B 0.2 over 156 weeks"},
		{"one is not known", with(pairs[:1], "B and C: too few"), rebalance.Limits{}, "not judged 0.2 of 0.95", "B and C: too few"},
		{"none is known", with(nil, "A: no closes"), rebalance.Limits{}, "not judged of 0.95", "A: no closes"},
		{"alone", portfolioOf(stock("A", "1")), rebalance.Limits{}, "pass of 0.95", "fewer than two"},
		{"no number", with([]rebalance.CorrelatedPair{{A: "A", B: "B", Correlation: math.NaN()}}), rebalance.Limits{}, "not judged of 0.95", "outside -1 to 1"},
	})
}

// fridays returns closes once a week, the last one on the day of the tests.
func fridays(sym string, closes []float64) market.Series {
	s := market.Series{Instrument: market.Instrument{Symbol: market.Symbol(sym)}, Interval: market.Daily}
	for i, c := range closes {
		date := checkupDay().AddDate(0, 0, -7*(len(closes)-1-i))
		// Closes before the last of their week do not count.
		s.Bars = append(s.Bars, market.Bar{Date: date.AddDate(0, 0, -1), Close: decimal.NewFromInt(7)}, market.Bar{Date: date, Close: decimal.NewFromFloat(c)})
	}
	return s
}

// Alternating returns of +10% and -10%, and the opposite.
func TestCorrelatePositions_OfWeeklyReturns(t *testing.T) {
	up, down, still := []float64{100}, []float64{100}, []float64{100}
	for i := range 30 {
		step := 1.1
		if i%2 == 1 {
			step = 0.9
		}
		up, down, still = append(up, up[i]*step), append(down, down[i]*(2-step)), append(still, 100)
	}
	series := []market.Series{fridays("UP", up), fridays("DOWN", down), fridays("STILL", still), fridays("SHORT", up[:20])}
	pairs, unpaired := rebalance.CorrelatePositions(series, checkupDay())
	if len(pairs) != 1 || math.Abs(pairs[0].Correlation+1) > 1e-9 || pairs[0].Weeks != 30 {
		t.Errorf("pairs = %+v; want UP and DOWN at -1 over 30 weeks", pairs)
	}
	if said := strings.Join(unpaired, "; "); len(unpaired) != 5 || !strings.Contains(said, "UP and STILL: returns do not vary") || !strings.Contains(said, "UP and SHORT: 19 common weekly returns, fewer than 26") {
		t.Errorf("unpaired = %q; want STILL that does not vary and SHORT of 19 returns", said)
	}
}

// Closes more than three years back, or after the day, are not used.
func TestCorrelatePositions_LooksBackThreeYears(t *testing.T) {
	var closes []float64
	for i := range 400 {
		closes = append(closes, 100+float64(i*i%17))
	}
	pairs, _ := rebalance.CorrelatePositions([]market.Series{fridays("A", closes), fridays("B", closes)}, checkupDay())
	if len(pairs) != 1 || pairs[0].Weeks != 156 || pairs[0].Correlation < 0.999 {
		t.Errorf("pairs = %+v; want one of 156 weeks at 1", pairs)
	}
	pairs, _ = rebalance.CorrelatePositions([]market.Series{fridays("A", closes), fridays("B", closes)}, checkupDay().AddDate(0, 0, -7*380))
	if len(pairs) != 0 {
		t.Errorf("pairs of 20 weeks = %+v; want none", pairs)
	}
}

// A week that one of the two lacks does not become a return over two weeks.
func TestCorrelatePositions_SkipsWeeksThatOneLacks(t *testing.T) {
	var closes []float64
	for i := range 40 {
		closes = append(closes, 100+float64(i*i%17))
	}
	a, b := fridays("A", closes), fridays("B", closes)
	b.Bars = append(b.Bars[:40:40], b.Bars[42:]...) // without one week in the middle
	pairs, _ := rebalance.CorrelatePositions([]market.Series{a, b}, checkupDay())
	if len(pairs) != 1 || pairs[0].Weeks != 37 {
		t.Errorf("pairs = %+v; want one of 37 of 39 returns", pairs)
	}
}

// A share and its twin, which was split ten for one in the twentieth week: their correlation is one,
// whether prices are as traded or adjusted. If prices are as traded and their splits are not known, the
// correlation is not known either.
func TestCorrelatePositions_OfSharesThatWereSplit(t *testing.T) {
	var closes, traded []float64
	for i := range 40 {
		closes = append(closes, 100+float64(i*i%17))
		traded = append(traded, closes[i])
		if i < 20 {
			traded[i] *= 10
		}
	}
	a, b := fridays("A", closes), fridays("B", traded)
	b.Kind, b.Provenance.Source, b.Provenance.Adjustment = "equity", "a source", market.AdjustmentRaw
	b.Actions = []market.Action{{Kind: market.ActionSplit, Date: b.Bars[40].Date, New: decimal.NewFromInt(10), Old: decimal.NewFromInt(1)}}
	pairs, unpaired := rebalance.CorrelatePositions([]market.Series{a, b}, checkupDay())
	if len(pairs) != 1 || math.Abs(pairs[0].Correlation-1) > 1e-9 || pairs[0].Weeks != 39 {
		t.Errorf("pairs = %+v, unpaired %q; want one at 1 over 39 weeks", pairs, unpaired)
	}
	b.Actions = nil
	pairs, unpaired = rebalance.CorrelatePositions([]market.Series{a, b, fridays("C", closes)}, checkupDay())
	if len(pairs) != 1 || pairs[0].B != "C" || len(unpaired) != 1 || !strings.Contains(unpaired[0], "B: ") || !strings.Contains(unpaired[0], "a source") {
		t.Errorf("pairs = %+v, unpaired %q; want A and C, and why there is none of B", pairs, unpaired)
	}
}

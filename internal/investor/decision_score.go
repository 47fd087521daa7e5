package investor

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// DecisionScore is the result of a decision. Unknown values are nil, and Notes say why. Returns are
// fractions.
type DecisionScore struct {
	ID   string      `json:"id"`
	From market.Date `json:"from"`
	To   market.Date `json:"to"`
	Days int         `json:"days"`
	// Return is the mean return of all assets, bought in equal parts and never rebalanced.
	Return    *float64 `json:"return"`
	Benchmark *float64 `json:"benchmark"`
	// Excess is Return less Benchmark.
	Excess *float64 `json:"excess"`
	// Edge is the value of the decision against the benchmark: Excess, negated if the asset was
	// sold or avoided.
	Edge *float64 `json:"edge"`
	// ReturnYear and BenchmarkYear are annual: (1 + return)^(365.25 / days) - 1, only for a year or more.
	ReturnYear    *float64 `json:"return_a_year"`
	BenchmarkYear *float64 `json:"benchmark_a_year"`
	// Right reports whether the asset did what the action expected: a purchase beat the benchmark,
	// a held asset did not trail it, a sold or avoided one trailed it.
	Right *bool `json:"right"`
	// Confidence is that of the decision.
	Confidence *float64 `json:"confidence,omitempty"`
	// Due reports whether the decision is open and its review date has come.
	Due   bool     `json:"due"`
	Notes []string `json:"notes,omitempty"`
}

// NoBenchmark is the note of a DecisionScore without a benchmark.
const NoBenchmark = "no benchmark, so the decision has no score"

const (
	fullYear        = 365 // minimum number of days for an annualized figure
	daysInYear      = 365.25
	maxDateDistance = 7 * 24 * time.Hour
	oneDay          = 24 * time.Hour
)

// End returns the last date that counts for a decision: its closing date, or today.
func (d Decision) End(today market.Date) market.Date {
	if !d.Closed.IsZero() && d.Closed.Before(today) {
		return d.Closed
	}
	return today
}

// Due reports whether a decision is open and its review date has come.
func (d Decision) Due(today market.Date) bool {
	return d.Closed.IsZero() && !d.ReviewOn.IsZero() && !today.Before(d.ReviewOn)
}

// ScoreDecision scores a decision by the returns of its assets, one AssetReturn for each asset in
// any order, and of the benchmark, nil if unknown. A return of another symbol, starting more than
// two weeks before the decision, or ending after its end is ErrMismatch.
func ScoreDecision(d Decision, today market.Date, assets []AssetReturn, benchmark *AssetReturn) (DecisionScore, error) {
	s := DecisionScore{ID: d.ID, Due: d.Due(today)}
	if d.Confidence.Valid {
		s.Confidence = floatPtr(d.Confidence.Decimal.InexactFloat64())
	}
	for _, g := range assets {
		if err := d.checkReturn(g, today, false); err != nil {
			return DecisionScore{}, err
		}
	}
	if benchmark != nil {
		if err := d.checkReturn(*benchmark, today, true); err != nil {
			return DecisionScore{}, err
		}
	}
	combined, err := d.averageReturn(assets)
	if err != nil {
		s.addNote("%s", err)
		return s, nil
	}
	s.From, s.To, s.Return = combined.From, combined.To, floatPtr(combined.Return)
	s.Days = int(combined.To.Sub(combined.From) / oneDay)
	s.ReturnYear = annualized(combined.Return, s.Days)
	if s.ReturnYear == nil {
		s.addNote("less than a year: not annualized")
	}
	s.compareBenchmark(combined, benchmark)
	s.setOutcome(d.Action)
	return s, nil
}

// checkReturn checks that a return belongs to the decision.
func (d Decision) checkReturn(g AssetReturn, today market.Date, benchmark bool) error {
	listed := benchmark && d.Benchmark != nil && d.Benchmark.Symbol == g.Symbol
	for _, m := range d.Assets {
		listed = listed || !benchmark && m.Symbol == g.Symbol
	}
	switch {
	case !listed:
		return fmt.Errorf("return of %s for decision %s: %w", g.Symbol, d.ID, ErrMismatch)
	case g.From.After(d.Date) || d.Date.Sub(g.From) > maxCloseAge || g.To.Before(g.From) || g.To.After(d.End(today)):
		return fmt.Errorf("return of %s from %s to %s for decision %s of %s: %w", g.Symbol,
			g.From.Format(time.DateOnly), g.To.Format(time.DateOnly), d.ID, d.Date.Format(time.DateOnly), ErrMismatch)
	case math.IsNaN(g.Return) || math.IsInf(g.Return, 0) || g.Return < -1:
		return fmt.Errorf("return of %s by %v for decision %s: %w", g.Symbol, g.Return, d.ID, ErrInvalidEntry)
	}
	return nil
}

// averageReturn returns the mean return of all assets. The error is a sentence for the user.
func (d Decision) averageReturn(assets []AssetReturn) (AssetReturn, error) {
	bySymbol := map[market.Symbol]AssetReturn{}
	for _, g := range assets {
		bySymbol[g.Symbol] = g
	}
	var all AssetReturn
	for i, m := range d.Assets {
		g, ok := bySymbol[m.Symbol]
		switch {
		case !ok:
			return AssetReturn{}, fmt.Errorf("return of %s since the decision is unknown", m.Symbol)
		case i == 0:
			all = g
			continue
		}
		if why := all.mismatch(g); why != "" {
			return AssetReturn{}, fmt.Errorf("%s and %s cannot be combined: %s", d.Assets[0].Symbol, m.Symbol, why)
		}
		all.Return += g.Return
	}
	all.Return /= float64(max(len(d.Assets), 1))
	return all, nil
}

// mismatch returns why two returns cannot be compared, or "".
func (g AssetReturn) mismatch(o AssetReturn) string {
	switch {
	case g.Currency != o.Currency:
		return fmt.Sprintf("one is in %s, the other in %s", cmp.Or(g.Currency, "no currency"), cmp.Or(o.Currency, "no currency"))
	case g.Total != o.Total:
		return "one includes dividends, the other does not"
	case g.From.Sub(o.From).Abs() > maxDateDistance || g.To.Sub(o.To).Abs() > maxDateDistance:
		return "the dates differ"
	}
	return ""
}

// compareBenchmark adds the benchmark's return and compares it with the decision's.
func (s *DecisionScore) compareBenchmark(combined AssetReturn, benchmark *AssetReturn) {
	switch {
	case benchmark == nil:
		s.addNote(NoBenchmark)
		return
	case combined.mismatch(*benchmark) != "":
		s.addNote("the benchmark cannot be compared: %s", combined.mismatch(*benchmark))
		return
	}
	s.Benchmark, s.BenchmarkYear = floatPtr(benchmark.Return), annualized(benchmark.Return, s.Days)
	s.Excess = floatPtr(combined.Return - benchmark.Return)
	if !combined.Total {
		s.addNote("both exclude dividends")
	}
}

func (s *DecisionScore) setOutcome(a DecisionAction) {
	switch {
	case s.Excess == nil:
		return
	case s.Days == 0:
		s.addNote("less than a day has passed")
		return
	case a != ActionBuy && a != ActionHold && a != ActionSell && a != ActionAvoid:
		s.addNote("the action has no direction to score")
		return
	}
	edge := *s.Excess
	if a == ActionSell || a == ActionAvoid {
		edge = -edge
	}
	right := edge > 0 || a == ActionHold && edge == 0
	s.Edge, s.Right = &edge, &right
}

func (s *DecisionScore) addNote(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

func annualized(total float64, days int) *float64 {
	if days < fullYear {
		return nil
	}
	return floatPtr(math.Pow(1+total, daysInYear/float64(days)) - 1)
}

func floatPtr(x float64) *float64 { return &x }

// MinScores is the minimum number of scored decisions for a rate or mean; fewer would only show
// chance.
const MinScores = 5

// DecisionSummary summarizes scores. Values that need more decisions are nil; counts are always
// set.
type DecisionSummary struct {
	Decisions int `json:"decisions"`
	// Judged is the number of decisions that are right or wrong, and Right the number that are
	// right.
	Judged int `json:"judged"`
	Right  int `json:"right"`
	// HitRate is Right / Judged.
	HitRate *float64 `json:"hit_rate"`
	// Interval is the 95% confidence interval of HitRate.
	Interval *RateInterval `json:"interval"`
	// MeanEdge is the mean edge of judged decisions. It is per decision, not per year, because
	// their periods differ.
	MeanEdge *float64 `json:"mean_edge"`
	// Brier is the mean squared difference of confidence and result (1 right, 0 wrong) of decisions
	// with both: 0 is perfect, and a constant confidence of one half scores 0.25 (Brier 1950).
	Brier          *float64 `json:"brier"`
	WithConfidence int      `json:"confidents"`
	Due            int      `json:"due"`
}

// RateInterval is an interval of a rate.
type RateInterval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// SummarizeScores summarizes scores.
func SummarizeScores(scores []DecisionScore) DecisionSummary {
	sum := DecisionSummary{Decisions: len(scores)}
	var edges, squares float64
	for _, s := range scores {
		if s.Due {
			sum.Due++
		}
		if s.Right == nil || s.Edge == nil {
			continue
		}
		result := 0.0
		sum.Judged++
		edges += *s.Edge
		if *s.Right {
			sum.Right++
			result = 1
		}
		if s.Confidence != nil {
			sum.WithConfidence++
			squares += (*s.Confidence - result) * (*s.Confidence - result)
		}
	}
	if sum.Judged >= MinScores {
		sum.HitRate = floatPtr(float64(sum.Right) / float64(sum.Judged))
		interval := WilsonInterval(sum.Right, sum.Judged)
		sum.Interval = &interval
		sum.MeanEdge = floatPtr(edges / float64(sum.Judged))
	}
	if sum.WithConfidence >= MinScores {
		sum.Brier = floatPtr(squares / float64(sum.WithConfidence))
	}
	return sum
}

// WilsonInterval returns the Wilson (1927) interval at 95% for a number of hits in n trials:
//
//	(2 h + z² ± z √(z² + 4 h (1 - h/n))) / (2 (n + z²)), z = 1.959964
//
// Without trials it is 0 to 1.
func WilsonInterval(hits, n int) RateInterval {
	if n <= 0 {
		return RateInterval{Low: 0, High: 1}
	}
	const z = 1.959963984540054
	h, count := float64(hits), float64(n)
	middle := 2*h + z*z
	half := z * math.Sqrt(z*z+4*h*(1-h/count))
	below := 2 * (count + z*z)
	return RateInterval{Low: max(0, (middle-half)/below), High: min(1, (middle+half)/below)}
}

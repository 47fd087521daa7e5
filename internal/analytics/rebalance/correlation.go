package rebalance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/shopspring/decimal"
	"gonum.org/v1/gonum/stat"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	defaultCorrelation = "0.95"
	reasonCorrelation  = "convention: above this, one position explains more than 90% of the other's variance"
)

// checkOverlap looks for positions that move together.
func (b Portfolio) checkOverlap(l Limits) CheckResult {
	row := CheckResult{Rule: RuleOverlap, Measures: "largest correlation of two positions", Unit: UnitRatio, Formula: "Pearson's r of weekly returns over up to three years, each in its own currency"}.
		withThreshold(l.Correlation.orDefault(defaultCorrelation, reasonCorrelation), AtMost)
	if slices.ContainsFunc(b.Pairs, func(p CorrelatedPair) bool { return !(p.Correlation >= -1 && p.Correlation <= 1) }) {
		return row.notJudged("a correlation is outside -1 to 1", "")
	}
	if len(b.Pairs) == 0 {
		if len(b.Uncorrelated) > 0 {
			return row.notJudged("no correlation is available: "+joinReasons(b.Uncorrelated), "")
		}
		row.Outcome, row.Inputs = Pass, []string{"there are fewer than two securities"}
		return row
	}
	pairs := slices.Clone(b.Pairs)
	slices.SortStableFunc(pairs, func(x, y CorrelatedPair) int { return cmp.Compare(y.Correlation, x.Correlation) })
	highest := decimal.NewFromFloat(pairs[0].Correlation)
	row = row.judge(highest)
	above := 0
	for _, p := range pairs {
		r := decimal.NewFromFloat(p.Correlation)
		if r.GreaterThan(row.Threshold.Decimal) {
			above++
		}
		if len(row.Inputs) < maxListed {
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s and %s %s over %d weeks", p.A, p.B, r.Round(3), p.Weeks))
		}
	}
	if row.Outcome == Pass && len(b.Uncorrelated) > 0 {
		return row.notJudged("some correlations are missing: "+joinReasons(b.Uncorrelated), "")
	}
	return row.explain(fmt.Sprintf("%s and %s moved almost in step over %d weeks, so holding both adds little diversification. Pairs above the threshold: %d.", pairs[0].A, pairs[0].B, pairs[0].Weeks, above), "", "")
}

// The basis of a correlation of weekly returns.
const (
	CorrelationYears     = 3  // maximum length of the history
	minCommonReturns     = 26 // half a year
	correlationTolerance = 1e-12
)

// CorrelatePositions returns the correlation of each pair of daily series over the CorrelationYears before
// a day, from weekly returns: the last closes of consecutive weeks that both have. Raw prices are adjusted
// for splits first. unpaired explains which pairs or series have none. Source: Pearson, as
// analytics.Correlation.
func CorrelatePositions(series []market.Series, day market.Date) (pairs []CorrelatedPair, unpaired []string) {
	series, unpaired = comparableSeries(series)
	weekly := make([][]weekClose, len(series))
	for i, s := range series {
		weekly[i] = weeklyCloses(s, market.Range{From: day.AddDate(-CorrelationYears, 0, 0), To: day})
	}
	for i := range series {
		for j := i + 1; j < len(series); j++ {
			r, n, err := correlation(weekly[i], weekly[j])
			if err != nil {
				unpaired = append(unpaired, fmt.Sprintf("%s and %s: %v", series[i].Symbol, series[j].Symbol, err))
				continue
			}
			pairs = append(pairs, CorrelatedPair{A: series[i].Symbol, B: series[j].Symbol, Correlation: r, Weeks: n})
		}
	}
	return pairs, unpaired
}

// comparableSeries returns the series whose closes refer to the same kind of share throughout, and why the
// others were excluded.
func comparableSeries(series []market.Series) (out []market.Series, excluded []string) {
	for _, s := range series {
		if s.Provenance.Adjustment == market.AdjustmentRaw {
			adjusted, err := s.SplitAdjusted()
			if err != nil {
				excluded = append(excluded, fmt.Sprintf("%s: %v", s.Symbol, err))
				continue
			}
			s = adjusted
		}
		out = append(out, s)
	}
	return out, excluded
}

// weekClose is the last close of a week. Weeks begin on Monday and are numbered from 1970.
type weekClose struct {
	week  int64
	close float64
}

func weeklyCloses(s market.Series, r market.Range) []weekClose {
	const week, monday = 7 * 24 * 3600, 4 * 24 * 3600 // the first Monday of 1970 was January 5
	var out []weekClose
	for _, bar := range s.Bars {
		close := bar.Close.InexactFloat64()
		if !r.Contains(bar.Date) || !(close > 0) || math.IsInf(close, 0) {
			continue
		}
		at := (bar.Date.Unix() - monday) / week
		if n := len(out); n > 0 && out[n-1].week == at {
			out[n-1].close = close
			continue
		}
		out = append(out, weekClose{at, close})
	}
	return out
}

// correlation uses the returns from each common week to the next.
func correlation(a, b []weekClose) (r float64, returns int, err error) {
	var x, y []float64
	i, j := 0, 0
	lastA, lastB := -1, -1
	for i < len(a) && j < len(b) {
		switch {
		case a[i].week < b[j].week:
			i++
			continue
		case a[i].week > b[j].week:
			j++
			continue
		}
		if lastA >= 0 && a[i].week == a[lastA].week+1 {
			x, y = append(x, a[i].close/a[lastA].close-1), append(y, b[j].close/b[lastB].close-1)
		}
		lastA, lastB = i, j
		i, j = i+1, j+1
	}
	if len(x) < minCommonReturns {
		return 0, 0, fmt.Errorf("%d common weekly returns, fewer than %d", len(x), minCommonReturns)
	}
	if stat.StdDev(x, nil) < correlationTolerance || stat.StdDev(y, nil) < correlationTolerance {
		return 0, 0, errors.New("returns do not vary")
	}
	r = stat.Correlation(x, y, nil)
	if math.IsNaN(r) {
		return 0, 0, errors.New("returns too large to compare")
	}
	// Rounding may carry a perfect correlation beyond 1.
	return max(-1, min(1, r)), len(x), nil
}

package indicator

import "math"

// DirectionalMovement is the output of ADX, each 0 to 100.
type DirectionalMovement struct {
	ADX         []float64 // ADX: how strong a trend is, whichever way
	Plus, Minus []float64 // +DI and -DI: how much of the range went up, and down
}

// ADX is Wilder's average directional index. Of two bars the larger of the moves
// H - H[t-1] and L[t-1] - L counts, if it is above zero: as +DM or as -DM. Then,
// with Wilder's averages over n,
//
//	+DI = 100 * avg(+DM) / avg(TR),  -DI = 100 * avg(-DM) / avg(TR)
//	DX = 100 * |+DI - -DI| / (+DI + -DI),  ADX = avg(DX)
//
// Seeds: the means of the first n moves and true ranges, both from the second bar
// on, and of the first n DX. Without any movement DX is 0. Warm-up: n for the two
// lines, 2n-1 for the index. Undefined while the run had no range at all. Usual
// length: 14. Source: Wilder, as RSI.
func ADX(b Bars, n int) DirectionalMovement {
	up := func(before, at int) float64 { return b.High[at] - b.High[before] }
	down := func(before, at int) float64 { return b.Low[before] - b.Low[at] }
	columns := [][]float64{b.High, b.Low, b.Close}
	larger := func(this, other func(before, at int) float64) []float64 {
		return wilder(combineWithPrevious(func(before, at int) float64 {
			if move := this(before, at); move > max(other(before, at), 0) {
				return move
			}
			return 0
		}, columns...), n)
	}
	tr := TrueRange(b)
	ranges := wilder(combineWithPrevious(func(_, at int) float64 { return tr[at] }, columns...), n)
	share := func(v ...float64) float64 { return 100 * ratio(v[0], v[1]) }
	m := DirectionalMovement{Plus: combineColumns(share, larger(up, down), ranges), Minus: combineColumns(share, larger(down, up), ranges)}
	m.ADX = wilder(combineColumns(imbalance, m.Plus, m.Minus), n)
	return m
}

// imbalance is DX.
func imbalance(v ...float64) float64 {
	plus, minus := v[0], v[1]
	if plus == 0 && minus == 0 {
		return 0
	}
	return 100 * math.Abs(plus-minus) / (plus + minus)
}

// Aroon tells how long ago the extremes were, 100 being now and 0 being n bars
// ago:
//
//	up = 100 * (n - bars since the highest high) / n,  down alike with the lowest low
//
// over the last n+1 bars; of equal extremes the latest counts. Its oscillator is
// up - down. Warm-up: n. Usual length: 25. Source: T. Chande and S. Kroll, "The New
// Technical Trader", 1994.
func Aroon(b Bars, n int) (up, down []float64) {
	if n < 1 {
		return undefinedColumn(b.Len()), undefinedColumn(b.Len())
	}
	recency := func(last, best int) float64 { return 100 * float64(n-(last-best)) / float64(n) }
	return extremes(b.High, n+1, seekLargest, recency), extremes(b.Low, n+1, seekSmallest, recency)
}

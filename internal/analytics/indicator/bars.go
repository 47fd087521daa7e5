package indicator

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/shopspring/decimal"
	"gonum.org/v1/gonum/stat"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

// Bars are the columns of a price series, oldest first and of equal length. A value that the source does
// not have is NaN. There are no opens, because no indicator uses them.
type Bars struct {
	High, Low, Close, Volume []float64
}

// Len returns the number of bars.
func (b Bars) Len() int { return len(b.Close) }

// NewBars converts the bars of a series to columns of float64. It rejects dates that do not
// increase (analytics.ErrDisordered), numbers beyond float64 (analytics.ErrOutOfRange), a high
// below its low and a negative volume. Prices may be negative, as those of futures have been.
func NewBars(bars []market.Bar) (Bars, error) {
	n := len(bars)
	out := Bars{High: undefinedColumn(n), Low: undefinedColumn(n), Close: undefinedColumn(n), Volume: undefinedColumn(n)}
	for i, bar := range bars {
		day := bar.Date.Format(time.DateOnly)
		if i > 0 && !bar.Date.After(bars[i-1].Date) {
			return Bars{}, fmt.Errorf("%s after %s: %w", day, bars[i-1].Date.Format(time.DateOnly), analytics.ErrDisordered)
		}
		out.Close[i] = bar.Close.InexactFloat64()
		out.High[i], out.Low[i], out.Volume[i] = orNaN(bar.High), orNaN(bar.Low), orNaN(bar.Volume)
		switch {
		case out.High[i] < out.Low[i]:
			return Bars{}, fmt.Errorf("high %s below low %s on %s", bar.High.Decimal, bar.Low.Decimal, day)
		case out.Volume[i] < 0:
			return Bars{}, fmt.Errorf("negative volume %s on %s", bar.Volume.Decimal, day)
		}
		for _, v := range [...]float64{out.High[i], out.Low[i], out.Close[i], out.Volume[i]} {
			if math.IsInf(v, 0) {
				return Bars{}, fmt.Errorf("bar of %s: %w", day, analytics.ErrOutOfRange)
			}
		}
	}
	return out, nil
}

func orNaN(d decimal.NullDecimal) float64 {
	if !d.Valid {
		return math.NaN()
	}
	return d.Decimal.InexactFloat64()
}

// typical returns the mean of high, low and close.
func (b Bars) typical() []float64 {
	return combineColumns(func(v ...float64) float64 { return (v[0] + v[1] + v[2]) / 3 }, b.High, b.Low, b.Close)
}

// undefinedColumn returns a column of n NaN values.
func undefinedColumn(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// gaplessRuns yields the ranges [from, to) of at least n bars without a gap in any column. If n is
// below one, it yields none.
func gaplessRuns(n int, columns ...[]float64) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		if n < 1 {
			return
		}
		from, size := 0, len(columns[0])
		for i := 0; i <= size; i++ {
			if i < size && allKnown(i, columns) {
				continue
			}
			if i-from >= n && !yield(from, i) {
				return
			}
			from = i + 1
		}
	}
}

func allKnown(i int, columns [][]float64) bool {
	for _, c := range columns {
		if math.IsNaN(c[i]) {
			return false
		}
	}
	return true
}

// rolling applies f to each window of n consecutive values, dated by its last. Each window is
// computed from scratch, because a running sum would accumulate rounding and never return to
// exactly zero.
func rolling(x []float64, n int, f func(window []float64) float64) []float64 {
	out := undefinedColumn(len(x))
	for from, to := range gaplessRuns(n, x) {
		for i := from + n; i <= to; i++ {
			out[i-1] = f(x[i-n : i])
		}
	}
	return out
}

func highest(x []float64, n int) []float64 {
	return rolling(x, n, func(window []float64) float64 { return slices.Max(window) })
}

func lowest(x []float64, n int) []float64 {
	return rolling(x, n, func(window []float64) float64 { return slices.Min(window) })
}

// smooth computes the recursion s += weight * (x - s), starting from the mean of the first n values.
func smooth(x []float64, n int, weight float64) []float64 {
	out := undefinedColumn(len(x))
	for from, to := range gaplessRuns(n, x) {
		first := from + n - 1
		out[first] = stat.Mean(x[from:first+1], nil)
		for i := first + 1; i < to; i++ {
			out[i] = out[i-1] + weight*(x[i]-out[i-1])
		}
	}
	return out
}

// wilder returns Wilder's average: each value moves it by 1/n of the distance.
func wilder(x []float64, n int) []float64 { return smooth(x, n, 1/float64(n)) }

// combineColumns computes a column from others, bar by bar.
func combineColumns(f func(v ...float64) float64, columns ...[]float64) []float64 {
	out, row := make([]float64, len(columns[0])), make([]float64, len(columns))
	for i := range out {
		for j, c := range columns {
			row[j] = c[i]
		}
		out[i] = f(row...)
	}
	return out
}

// combineWithPrevious computes a column from each bar and the previous one; the first bar of a run
// has no value.
func combineWithPrevious(f func(before, at int) float64, columns ...[]float64) []float64 {
	out := undefinedColumn(len(columns[0]))
	for from, to := range gaplessRuns(2, columns...) {
		for i := from + 1; i < to; i++ {
			out[i] = f(i-1, i)
		}
	}
	return out
}

// ratio returns a/b, or NaN if b is zero.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

func difference(v ...float64) float64 { return v[0] - v[1] }

func middle(v ...float64) float64 { return (v[0] + v[1]) / 2 }

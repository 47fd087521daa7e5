package indicator

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/stat"
)

// undefinedColumn is a column without a single value.
func undefinedColumn(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// gaplessRuns yields the stretches [from, to) of at least n bars in which no column has
// a gap. Below one, n yields none.
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

// rolling is f of each window of n consecutive values, dated by its last. The
// window is summed anew for each bar: a running sum would carry its rounding
// along, and never come back to exactly zero where nothing moves.
func rolling(x []float64, n int, f func(window []float64) float64) []float64 {
	out := undefinedColumn(len(x))
	for from, to := range gaplessRuns(n, x) {
		for i := from + n; i <= to; i++ {
			out[i-1] = f(x[i-n : i])
		}
	}
	return out
}

// smooth is the recursion s += weight * (x - s), begun with the mean of the first
// n values.
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

// wilder is Wilder's average: each value moves it by 1/n of the distance.
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

// combineWithPrevious computes a column from each bar and the one before it; the first bar of a
// run has none before it, and no value.
func combineWithPrevious(f func(before, at int) float64, columns ...[]float64) []float64 {
	out := undefinedColumn(len(columns[0]))
	for from, to := range gaplessRuns(2, columns...) {
		for i := from + 1; i < to; i++ {
			out[i] = f(i-1, i)
		}
	}
	return out
}

// ratio is a/b, and NaN where b is zero: an infinite strength means nothing.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

func difference(v ...float64) float64 { return v[0] - v[1] }

func middle(v ...float64) float64 { return (v[0] + v[1]) / 2 }

package indicator

// What is sought: the largest value of a window, or the smallest.
const (
	seekLargest  = +1.0
	seekSmallest = -1.0
)

func highest(x []float64, n int) []float64 {
	return extremes(x, n, seekLargest, func(_, best int) float64 { return x[best] })
}

func lowest(x []float64, n int) []float64 {
	return extremes(x, n, seekSmallest, func(_, best int) float64 { return x[best] })
}

// candidate is a value that will be the best of a window to come unless one behind
// it is as good.
type candidate struct {
	at    int
	value float64 // times the sign of what is sought
}

// extremes calls f for each window of n consecutive values with the index of its end and the
// index of its best value; the latest of equal ones. The time it takes does not depend on n.
func extremes(x []float64, n int, sought float64, f func(last, best int) float64) []float64 {
	out := undefinedColumn(len(x))
	for from, to := range gaplessRuns(n, x) {
		// In the order of the bars, and so from the best on.
		queue, first := make([]candidate, 0, 2*min(n, to-from)), 0
		for i := from; i < to; i++ {
			value := sought * x[i]
			for len(queue) > first && queue[len(queue)-1].value <= value {
				queue = queue[:len(queue)-1]
			}
			if len(queue) == cap(queue) {
				// At most n are left, so the slice is moved to its start only once in n bars.
				queue, first = append(queue[:0], queue[first:]...), 0
			}
			queue = append(queue, candidate{i, value})
			if queue[first].at <= i-n {
				first++
			}
			if i >= from+n-1 {
				out[i] = f(i, queue[first].at)
			}
		}
	}
	return out
}

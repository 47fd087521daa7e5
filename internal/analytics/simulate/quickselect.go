package simulate

import (
	"math/bits"
	"slices"
)

// selectRanks moves the values of some ranks, ascending and counted from 0, to where
// sorting x would put them; the rest of x is in no order. Five percentiles of a
// hundred thousand balances need a fraction of what sorting them all would take.
func selectRanks(x []float64, ranks []int) { selectRanksFrom(0, x, ranks, 2*bits.Len(uint(len(x)))) }

// selectRanksFrom does so for a range starting at a rank. After several tries that did not shrink
// it much, the range is sorted, so no order of the values is slow.
func selectRanksFrom(first int, x []float64, ranks []int, tries int) {
	const few = 16
	for len(ranks) > 0 {
		if len(x) <= few || tries == 0 {
			slices.Sort(x)
			return
		}
		tries--
		cut := partition(x)
		left, _ := slices.BinarySearch(ranks, first+cut)
		selectRanksFrom(first, x[:cut], ranks[:left], tries)
		first, x, ranks = first+cut, x[cut:], ranks[left:]
	}
}

// partition puts the smaller values of x before the larger ones and gives where these
// begin, neither part being empty. What is equal to the pivot is spread over both, so
// that many equal balances, as of those who are ruined, make no lopsided parts.
func partition(x []float64) int {
	pivot := medianOfThree(x[len(x)/4], x[len(x)/2], x[len(x)/4*3])
	i, j := 0, len(x)-1
	for {
		for x[i] < pivot {
			i++
		}
		for pivot < x[j] {
			j--
		}
		if i >= j {
			return j + 1
		}
		x[i], x[j] = x[j], x[i]
		i++
		j--
	}
}

func medianOfThree(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

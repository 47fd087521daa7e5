package simulate

import (
	"math/bits"
	"slices"
)

// selectRanks moves the values of the given ranks (ascending, from 0) to their sorted positions in
// x; the rest of x is unordered. Five percentiles of 100,000 balances need a fraction of the time
// of sorting.
func selectRanks(x []float64, ranks []int) { selectRanksFrom(0, x, ranks, 2*bits.Len(uint(len(x)))) }

// selectRanksFrom does the same for a range that starts at rank first. After several tries that did not
// shrink the range enough it is sorted, so no order of values is slow.
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

// partition moves the smaller values of x before the larger ones and returns where these start;
// neither part is empty. Values equal to the pivot go to both parts, so that many equal balances,
// such as zero, do not make the parts unequal.
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

package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// yardstick sorts a million whole numbers: the same work at any time and place, of
// ordinary compiled Go with branches and memory. It needs no disk and no other
// process, and no instruction that one processor has and the next has not, as a hash
// or a product of matrices would.
func yardstick() time.Duration {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := make([]int, 1_000_000)
	for i := range numbers {
		numbers[i] = random.Int()
	}
	begun := time.Now()
	slices.Sort(numbers)
	return time.Since(begun)
}

// spread is the least and the most of a figure that ought to stay the same.
type spread struct{ least, most float64 }

func spreadOf(seconds []float64) spread {
	if len(seconds) == 0 {
		return spread{}
	}
	return spread{slices.Min(seconds), slices.Max(seconds)}
}

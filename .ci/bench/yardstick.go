package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// yardstick sorts a million integers. This uses branches and memory, but no disk, no other process
// and no special instructions, unlike hashing or matrix products.
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

// spread is the minimum and maximum of a figure that should be constant.
type spread struct{ least, most float64 }

func spreadOf(seconds []float64) spread {
	if len(seconds) == 0 {
		return spread{}
	}
	return spread{slices.Min(seconds), slices.Max(seconds)}
}

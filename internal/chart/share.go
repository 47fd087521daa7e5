package chart

import (
	"cmp"
	"math"
	"slices"
)

// roundedShares are per cents with one decimal that sum to what the whole is: 100.0, or,
// where values are per cents, their sum. What rounding leaves over goes to the parts
// that lost most by it (the method of the largest remainder, Hamilton 1792). Nil
// where the values have no sum above zero.
func roundedShares(parts []Part, unit string) []float64 {
	total := 0.0
	for _, one := range parts {
		total += one.Value
	}
	factor := 10.0
	if unit != "%" {
		if total < MinMagnitude {
			return nil
		}
		factor = 1000 / total
	}
	tenths := make([]float64, len(parts))
	order := make([]int, len(parts))
	left := math.Round(total * factor)
	for i, one := range parts {
		tenths[i], order[i] = math.Floor(one.Value*factor), i
		left -= tenths[i]
	}
	remainder := func(i int) float64 { return parts[i].Value*factor - tenths[i] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for _, i := range order[:min(max(int(left), 0), len(order))] {
		tenths[i]++
	}
	for i := range tenths {
		tenths[i] /= 10
	}
	return tenths
}

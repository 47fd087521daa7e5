package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The test is inside the package because a plan has no balances in these orders.
func TestSelectRanks_PutsEachRankWhereSortingWould(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, value := range map[string]func(i, n int) float64{
		"random":         func(int, int) float64 { return random.NormFloat64() },
		"mostly ruined":  func(int, int) float64 { return max(random.NormFloat64()-1, 0) },
		"all the same":   func(int, int) float64 { return 7 },
		"ascending":      func(i, _ int) float64 { return float64(i) },
		"descending":     func(i, _ int) float64 { return -float64(i) },
		"up and down":    func(i, n int) float64 { return float64(min(i, n-i)) },
		"few values":     func(int, int) float64 { return float64(random.IntN(3)) },
		"the largest at": func(i, n int) float64 { return float64((i + n/2) % n) },
	} {
		for _, n := range []int{1, 2, 3, 4, 16, 17, 18, 19, 100, 1_001, 20_000} {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				x := make([]float64, n)
				for i := range x {
					x[i] = value(i, n)
				}
				want := slices.Sorted(slices.Values(x))
				ranks := []int{0, n / 20, n / 4, n / 4, n / 2, n - 1 - n/20, n - 1}
				slices.Sort(ranks)
				selectRanks(x, ranks)
				for _, rank := range ranks {
					if x[rank] != want[rank] {
						t.Errorf("arrange: rank %d = %v, want %v", rank, x[rank], want[rank])
					}
				}
				if !slices.Equal(slices.Sorted(slices.Values(x)), want) {
					t.Error("arrange lost a value")
				}
			})
		}
	}
}

func FuzzArrange(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"), uint8(3), uint8(40))
	f.Add([]byte("zzzzzzzzzzzzzzzzzzzzzzzzzzzzza"), uint8(0), uint8(29))
	f.Fuzz(func(t *testing.T, values []byte, a, b uint8) {
		if len(values) == 0 {
			return
		}
		x := make([]float64, len(values))
		for i, v := range values {
			x[i] = float64(v)
		}
		want := slices.Sorted(slices.Values(x))
		ranks := []int{int(a) % len(x), int(b) % len(x)}
		slices.Sort(ranks)
		selectRanks(x, ranks)
		for _, rank := range ranks {
			if x[rank] != want[rank] {
				t.Errorf("arrange of %v: rank %d = %v, want %v", values, rank, x[rank], want[rank])
			}
		}
	})
}

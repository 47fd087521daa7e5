package optimize_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func BenchmarkMinVolatility(b *testing.B) {
	for _, n := range []int{50, 125, 250, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, _ := randomAssets(b, 1, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := optimize.MinVolatility(c, optimize.LongOnly(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// With a cap of 1% at least a hundred assets are held.
func BenchmarkMinVolatility_Capped(b *testing.B) {
	c, _ := randomAssets(b, 1, 500)
	l := optimize.LongOnly(500)
	for i := range l.Upper {
		l.Upper[i] = 0.01
	}
	for b.Loop() {
		if _, err := optimize.MinVolatility(c, l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrontier(b *testing.B) {
	for _, n := range []int{50, 125, 250, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, expected := randomAssets(b, 1, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := optimize.NewFrontier(expected, c, optimize.LongOnly(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMinCVaR(b *testing.B) {
	for _, n := range []int{10, 12, 25, 50} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := sampleOf(b, randomReturns(seededRand(1), 2500, n), 252)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := optimize.MinCVaR(s, 0.95, optimize.LongOnly(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRiskParity(b *testing.B) {
	for _, n := range []int{50, 125, 250, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, _ := randomAssets(b, 1, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := optimize.RiskParity(c, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

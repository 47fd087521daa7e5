package allocation_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/allocation"
)

func BenchmarkMinVolatility(b *testing.B) {
	for _, n := range []int{50, 125, 250, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, _ := world(b, 1, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := allocation.MinVolatility(c, allocation.LongOnly(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// With a cap of 1 % at least a hundred assets are held.
func BenchmarkMinVolatility_Capped(b *testing.B) {
	c, _ := world(b, 1, 500)
	l := allocation.LongOnly(500)
	for i := range l.Upper {
		l.Upper[i] = 0.01
	}
	for b.Loop() {
		if _, err := allocation.MinVolatility(c, l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrontier(b *testing.B) {
	for _, n := range []int{50, 125, 250, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, expected := world(b, 1, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := allocation.NewFrontier(expected, c, allocation.LongOnly(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMinCVaR(b *testing.B) {
	for _, n := range []int{10, 12, 25, 50} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := sampleOf(b, columns(random(1), 2500, n), 252)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := allocation.MinCVaR(s, 0.95, allocation.LongOnly(n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRiskParity(b *testing.B) {
	for _, n := range []int{50, 125, 250, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, _ := world(b, 1, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := allocation.RiskParity(c, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

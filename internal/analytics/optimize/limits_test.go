package optimize_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func TestLimits_SayWhatCannotHoldTogether(t *testing.T) {
	with := func(change func(*optimize.Limits)) optimize.Limits {
		l := optimize.LongOnly(4)
		change(&l)
		return l
	}
	for _, tt := range []struct {
		name   string
		limits optimize.Limits
		part   string
	}{
		{"lower bounds above one", with(func(l *optimize.Limits) { l.Lower = []float64{0.3, 0.3, 0.3, 0.3} }), "lower bounds sum to 1.2"},
		{"upper bounds below one", with(func(l *optimize.Limits) { l.Upper = []float64{0.2, 0.2, 0.2, 0.2} }), "upper bounds sum to 0.8"},
		{"bounds crossed", with(func(l *optimize.Limits) { l.Lower[2] = 0.6; l.Upper[2] = 0.5 }), "the minimum of asset 2, 0.6, exceeds its maximum, 0.5"},
		{"a group above its bounds", with(func(l *optimize.Limits) {
			l.Upper = []float64{0.3, 0.3, 1, 1}
			l.Groups = []optimize.Group{{Name: "tech", Members: []int{0, 1}, Min: 0.7, Max: 1}}
		}), "tech is at least 0.7, but the upper bounds of its assets sum to 0.6"},
		{"a group below its bounds", with(func(l *optimize.Limits) {
			l.Lower = []float64{0.2, 0.2, 0, 0}
			l.Groups = []optimize.Group{{Name: "tech", Members: []int{0, 1}, Min: 0, Max: 0.3}}
		}), "tech is at most 0.3, but the lower bounds of its assets sum to 0.4"},
		{"groups against one another", with(func(l *optimize.Limits) {
			l.Groups = []optimize.Group{
				{Name: "idle", Members: []int{3}, Min: 0, Max: 1},
				{Name: "tech", Members: []int{0, 1}, Min: 0.6, Max: 1},
				{Name: "energy", Members: []int{2, 3}, Min: 0.6, Max: 1},
			}
		}), "the limits of tech (0.6 to 1), energy (0.6 to 1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := optimize.MinVolatility(diagonalCovariance(1, 1, 1, 1), tt.limits)
			if !errors.Is(err, optimize.ErrInfeasible) || !strings.Contains(err.Error(), tt.part) {
				t.Fatalf("MinVolatility = %v, want ErrInfeasible with %q", err, tt.part)
			}
			if strings.Contains(err.Error(), "idle") {
				t.Errorf("%v: names a limit that does no harm", err)
			}
		})
	}
}

func TestLimits_RefuseWhatIsNone(t *testing.T) {
	for name, l := range map[string]optimize.Limits{
		"empty":          {},
		"unequal":        {Lower: []float64{0}, Upper: []float64{1, 1}},
		"no members":     {Lower: []float64{0}, Upper: []float64{1}, Groups: []optimize.Group{{Name: "tech", Max: 1}}},
		"unknown member": {Lower: []float64{0}, Upper: []float64{1}, Groups: []optimize.Group{{Name: "tech", Members: []int{1}, Max: 1}}},
	} {
		if err := l.Check(); !errors.Is(err, optimize.ErrMalformed) {
			t.Errorf("%s: Check = %v, want ErrMalformed", name, err)
		}
	}
	if err := optimize.LongOnly(3).Check(); err != nil {
		t.Errorf("Check of long only = %v", err)
	}
}

func TestLimits_BoundsThatLeaveOnePointAreMet(t *testing.T) {
	l := optimize.LongOnly(4)
	l.Upper = []float64{0.25, 0.25, 0.25, 0.25}
	got, err := optimize.MinVolatility(diagonalCovariance(1, 2, 3, 4), l)
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "MinVolatility", got, optimize.EqualWeights(4), 1e-12)
}

func TestLimits_BreachNamesWhatIsMissed(t *testing.T) {
	l := optimize.LongOnly(2)
	l.Groups = []optimize.Group{{Name: "tech", Members: []int{0}, Min: 0.2, Max: 0.4}}
	for _, tt := range []struct {
		weights []float64
		part    string
	}{{[]float64{0.3, 0.7}, ""}, {[]float64{-0.1, 1.1}, "asset 0 has a weight of -0.1"}, {[]float64{0.5, 0.5}, "tech has a weight of 0.5"}} {
		if got := l.Violation(tt.weights); !strings.Contains(got, tt.part) || tt.part == "" && got != "" {
			t.Errorf("Breach(%v) = %q, want %q", tt.weights, got, tt.part)
		}
	}
}

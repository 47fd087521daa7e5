package optimize_test

import (
	"errors"
	"math"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func amounts(texts ...string) []decimal.Decimal {
	out := make([]decimal.Decimal, len(texts))
	for i, s := range texts {
		out[i] = decimal.RequireFromString(s)
	}
	return out
}

// 1000 in halves at 300 and 40: one share and twelve, which leave 220. The first lacks 200 and costs too
// much, the second lacks 20 and is bought once more.
func TestWholeShares_ByHand(t *testing.T) {
	p, err := optimize.WholeShares([]float64{0.5, 0.5}, amounts("300", "40"), decimal.NewFromInt(1000))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Shares[0].Equal(decimal.NewFromInt(1)) || !p.Shares[1].Equal(decimal.NewFromInt(13)) {
		t.Errorf("shares = %v, want 1 and 13", p.Shares)
	}
	if p.Spent.String() != "820" || p.Unspent.String() != "180" || p.Values[1].String() != "520" {
		t.Errorf("spent %s, left %s, second worth %s, want 820, 180, 520", p.Spent, p.Unspent, p.Values[1])
	}
}

func TestWholeShares_ThatComeOutEvenLeaveNothing(t *testing.T) {
	p, err := optimize.WholeShares([]float64{0.2, 0.3, 0.5}, amounts("0.1", "0.3", "25"), decimal.NewFromInt(100))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Unspent.IsZero() || p.Shares[0].String() != "200" || p.Shares[1].String() != "100" || p.Shares[2].String() != "2" {
		t.Errorf("shares %v, left %s, want 200, 100, 2 and nothing", p.Shares, p.Unspent)
	}
}

func TestWholeShares_AreNeverMoreThanTheSumPays(t *testing.T) {
	for seed := range uint64(200) {
		r := seededRand(seed)
		n := 1 + r.IntN(12)
		weights, prices := make([]float64, n), make([]decimal.Decimal, n)
		total := 0.0
		for i := range weights {
			weights[i] = r.Float64() * float64(r.IntN(3))
			total += weights[i]
			prices[i] = decimal.New(1+r.Int64N(90000), -2)
		}
		for i := range weights {
			weights[i] /= math.Max(total, 1e-9)
		}
		sum := decimal.New(1+r.Int64N(5000000), -2)
		p, err := optimize.WholeShares(weights, prices, sum)
		if err != nil {
			t.Fatal(err)
		}
		worth := decimal.Zero
		for i, shares := range p.Shares {
			if !shares.IsInteger() || shares.IsNegative() || weights[i] == 0 && !shares.IsZero() {
				t.Errorf("seed %d: %s shares of weight %g", seed, shares, weights[i])
			}
			worth = worth.Add(shares.Mul(prices[i]))
			lacks := decimal.NewFromFloat(weights[i]).Mul(sum).Sub(p.Values[i])
			if lacks.IsPositive() && prices[i].LessThanOrEqual(p.Unspent) {
				t.Errorf("seed %d: asset %d lacks %s and %s are left, which buy one at %s", seed, i, lacks, p.Unspent, prices[i])
			}
		}
		if p.Unspent.IsNegative() || !worth.Equal(p.Spent) || !p.Spent.Add(p.Unspent).Equal(sum) {
			t.Errorf("seed %d: worth %s, spent %s, left %s of %s", seed, worth, p.Spent, p.Unspent, sum)
		}
	}
}

func TestWholeShares_RefusesWhatCannotBeBought(t *testing.T) {
	for _, tt := range []struct {
		name    string
		weights []float64
		prices  []decimal.Decimal
		sum     string
	}{
		{"short", []float64{1.2, -0.2}, amounts("1", "1"), "100"},
		{"not a number", []float64{math.NaN(), 0}, amounts("1", "1"), "100"},
		{"no price", []float64{0.5, 0.5}, amounts("1", "0"), "100"},
		{"no sum", []float64{0.5, 0.5}, amounts("1", "1"), "0"},
		{"unequal", []float64{1}, amounts("1", "1"), "100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := optimize.WholeShares(tt.weights, tt.prices, decimal.RequireFromString(tt.sum)); !errors.Is(err, optimize.ErrMalformed) {
				t.Errorf("WholeShares = %v, want ErrMalformed", err)
			}
		})
	}
}

// The weights of an optimum may sum to slightly more than one.
func TestWholeShares_RoundedWeightsDoNotOverspend(t *testing.T) {
	p, err := optimize.WholeShares([]float64{0.5000000005, 0.5}, amounts("0.5", "0.5"), decimal.NewFromInt(1000000000))
	if err != nil {
		t.Fatal(err)
	}
	if p.Unspent.IsNegative() || p.Spent.GreaterThan(decimal.NewFromInt(1000000000)) {
		t.Errorf("spent %s, left %s of 1000000000", p.Spent, p.Unspent)
	}
}

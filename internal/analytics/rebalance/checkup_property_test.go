package rebalance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// randomPortfolio returns a portfolio of all kinds of holding, in which any fact may be unknown.
func randomPortfolio(r *rand.Rand) rebalance.Portfolio {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	n := 1 + r.IntN(8)
	b := rebalance.Portfolio{Day: checkupDay(), Base: "USD"}
	left := decimal.NewFromInt(1)
	for i := range n {
		weight := left.Mul(decimal.New(int64(r.IntN(100)), -2)).Round(4)
		left = left.Sub(weight)
		h := rebalance.CheckedPosition{
			Symbol: market.Symbol(fmt.Sprint("S", i)), Weight: weight, Form: rebalance.AssetForm(pick("", "single", "fund")), Class: portfolio.Class(pick("", "equity", "bond", "cash", "mixed")),
			Region: pick("", "US", "Europe", "World"), Currency: pick("", "USD", "EUR"), PricedOn: checkupDay().AddDate(0, 0, -r.IntN(9)),
		}
		if r.IntN(2) == 0 {
			h.Fee = decimal.NewNullDecimal(decimal.New(int64(r.IntN(100)), -4))
		}
		b.Positions = append(b.Positions, h)
		b.Targets = append(b.Targets, portfolio.Target{Symbol: h.Symbol, Weight: decimal.New(int64(r.IntN(100/n)), -2)})
		if i > 0 {
			b.Pairs = append(b.Pairs, rebalance.CorrelatedPair{A: "S0", B: h.Symbol, Correlation: r.Float64(), Weeks: 50})
		}
		b.IncomeSources = append(b.IncomeSources, rebalance.IncomeSource{Name: string(h.Symbol), Share: decimal.New(int64(r.IntN(50)), -4)})
	}
	b.Cash = []rebalance.CashWeight{{Currency: pick("USD", "EUR"), Weight: left}}
	if r.IntN(2) == 0 {
		b.Reserve = decimal.NewNullDecimal(decimal.New(int64(r.IntN(50)), -2))
	}
	return b
}

// limitsAt returns thresholds that are looser the larger ease is.
func limitsAt(ease int64) rebalance.Limits {
	most := rebalance.Limit{Value: decimal.NewNullDecimal(decimal.New(ease, -2))}
	least := rebalance.Limit{Value: decimal.NewNullDecimal(decimal.New(100-ease, -2))}
	days := rebalance.Limit{Value: decimal.NewNullDecimal(decimal.NewFromInt(ease / 10))}
	return rebalance.Limits{
		Largest: most, TopFive: most, Foreign: most, Region: most, Fee: rebalance.Limit{Value: decimal.NewNullDecimal(decimal.New(ease, -4))}, MaxCash: most,
		Drift: most, Correlation: most, Payer: most, Yield: least, PriceDays: days,
		Effective: rebalance.Limit{Value: decimal.NewNullDecimal(decimal.NewFromInt(1 + (100-ease)/20))},
		Classes:   []rebalance.ClassLimit{{Class: portfolio.ClassEquity, Max: most.Value, Min: least.Value}},
	}
}

// A looser threshold never makes a rule fail that passed, nor one fail that was not
// judged, nor one not judged that passed.
func TestCheck_ALooserThresholdIsNeverWorse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rank := map[rebalance.Outcome]int{rebalance.Fail: 0, rebalance.NotJudged: 1, rebalance.Pass: 2}
	for range 500 {
		b := randomPortfolio(r)
		tight := int64(r.IntN(100))
		loose := tight + int64(r.IntN(int(101-tight)))
		before, after := b.Check(limitsAt(tight)), b.Check(limitsAt(loose))
		for i := range before {
			if rank[after[i].Outcome] < rank[before[i].Outcome] {
				t.Fatalf("%s: %s at %d, %s at %d; want it no worse\n%+v", before[i].Rule, outcomeText(before[i]), tight, outcomeText(after[i]), loose, b)
			}
		}
	}
}

// More known facts turn "not judged" into a verdict, and never change a verdict.
func TestCheck_WhatBecomesKnownTurnsNoVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		b := randomPortfolio(r)
		completed := b
		completed.Positions = append([]rebalance.CheckedPosition(nil), b.Positions...)
		for i := range completed.Positions {
			h := &completed.Positions[i]
			if h.Form == "" {
				h.Form = []rebalance.AssetForm{rebalance.FormFund, rebalance.FormSingle}[r.IntN(2)]
			}
			if h.Class == "" {
				h.Class = portfolio.ClassEquity
			}
			if h.Region == "" {
				h.Region = "Asia"
			}
			if h.Currency == "" {
				h.Currency = "EUR"
			}
			if !h.Fee.Valid && h.Form == rebalance.FormFund {
				h.Fee = decimal.NewNullDecimal(decimal.New(int64(r.IntN(300)), -4))
			}
		}
		before, after := b.Check(rebalance.Limits{}), completed.Check(rebalance.Limits{})
		for i := range before {
			if before[i].Outcome != rebalance.NotJudged && after[i].Outcome != before[i].Outcome {
				t.Fatalf("%s = %s, and %s when more is known\n%+v\n%+v", before[i].Rule, before[i].Outcome, after[i].Outcome, before[i], after[i])
			}
		}
	}
}

// The order of holdings does not matter.
func TestCheck_TheOrderOfHoldingsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		b := randomPortfolio(r)
		shuffled := b
		shuffled.Positions = append([]rebalance.CheckedPosition(nil), b.Positions...)
		r.Shuffle(len(shuffled.Positions), func(i, j int) {
			shuffled.Positions[i], shuffled.Positions[j] = shuffled.Positions[j], shuffled.Positions[i]
		})
		before, after := b.Check(rebalance.Limits{}), shuffled.Check(rebalance.Limits{})
		for i := range before {
			if diff := cmp.Diff(outcomeText(before[i]), outcomeText(after[i])); diff != "" {
				t.Fatalf("%s (-in order +shuffled):\n%s", before[i].Rule, diff)
			}
		}
	}
}

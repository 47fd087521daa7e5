package client

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// SplitFromFactor is the split that a server writes as a factor: 1.5 is three for two. written
// says whether the server would write a ratio so, with the digits that it has.
//
// Companies split by small numbers, and so many for twenty, fifty or a hundred; with
// any others most factors would be near to some ratio. They consolidate any number of
// shares into one, which is taken where no other number is written so. A factor of
// none of them is the change of price in a spin-off, or a mistake; that is a guess, and
// flagged as one.
func SplitFromFactor(day market.Date, factor decimal.Decimal, roundsTo func(fresh, old decimal.Decimal) bool) market.Action {
	if old, ok := reverseSplitRatio(factor, roundsTo); ok {
		return market.Action{Kind: market.ActionSplit, Date: day, New: decimal.NewFromInt(1), Old: old}
	}
	for _, parts := range []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100} {
		old := decimal.NewFromInt(parts)
		if fresh := factor.Mul(old).Round(0); fresh.IsPositive() && roundsTo(fresh, old) {
			return market.Action{Kind: market.ActionSplit, Date: day, New: fresh, Old: old}
		}
	}
	a := market.Action{Kind: market.ActionSplit, Date: day, New: factor, Old: decimal.NewFromInt(1), Flags: []market.Flag{market.FlagSuspect}}
	if factor.GreaterThan(a.Old) {
		a.Kind = market.ActionSpinOff
	}
	return a
}

// reverseSplitRatio is how many shares became one, where the factor says that without doubt.
func reverseSplitRatio(factor decimal.Decimal, roundsTo func(fresh, old decimal.Decimal) bool) (decimal.Decimal, bool) {
	const digits = 20
	one := decimal.NewFromInt(1)
	if !factor.IsPositive() || !factor.LessThan(one) {
		return decimal.Decimal{}, false
	}
	old := one.DivRound(factor, digits).Round(0)
	return old, roundsTo(one, old) && !roundsTo(one, old.Add(one)) && !roundsTo(one, decimal.Max(old.Sub(one), one))
}

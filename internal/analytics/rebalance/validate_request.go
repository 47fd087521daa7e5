package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Limits of input numbers: more digits than any portfolio needs, but few enough to keep calculations fast.
const (
	maxDigits   = 48
	maxExponent = 18
	minExponent = 36
)

func isBounded(d decimal.Decimal) bool {
	return d.Exponent() >= -minExponent && d.Exponent() <= maxExponent && d.NumDigits() <= maxDigits
}

func isFraction(d decimal.Decimal) bool {
	return isBounded(d) && !d.IsNegative() && !d.GreaterThan(decimalOne())
}

func decimalOne() decimal.Decimal { return decimal.NewFromInt(1) }

func (r *Request) check() error {
	for _, c := range []func() error{r.checkRules, r.checkTargets, r.checkAccounts} {
		if err := c(); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalidRequest, err)
		}
	}
	return nil
}

func (r *Request) checkRules() error {
	for _, n := range []decimal.NullDecimal{r.Band.Absolute, r.Band.Relative, r.Rates.Short, r.Rates.Long} {
		if n.Valid && !isFraction(n.Decimal) {
			return fmt.Errorf("bands and rates must be between 0 and 1, not %s; write 5%% as 0.05", formatNumber(n.Decimal))
		}
	}
	switch {
	case !isFraction(r.Fee.Rate) || r.Fee.Rate.Equal(decimalOne()):
		return fmt.Errorf("invalid fee rate %s; write 0.1%% as 0.001", formatNumber(r.Fee.Rate))
	case !isBounded(r.Fee.Fixed) || r.Fee.Fixed.IsNegative():
		return fmt.Errorf("invalid fee per trade %s", formatNumber(r.Fee.Fixed))
	case !isBounded(r.MinTrade) || r.MinTrade.IsNegative():
		return fmt.Errorf("invalid minimum trade %s", formatNumber(r.MinTrade))
	case r.Aim != "" && r.Aim != AimTarget && r.Aim != AimEdge:
		return fmt.Errorf("unknown aim %.40q; use %s or %s", r.Aim, AimTarget, AimEdge)
	case r.Day.IsZero():
		return fmt.Errorf("the date is missing")
	}
	return nil
}

func (r *Request) checkTargets() error {
	sum, seen := decimal.Zero, map[market.Symbol]bool{}
	for _, t := range r.Targets {
		switch {
		case t.Symbol == "":
			return fmt.Errorf("target without a symbol; cash is the remainder and needs no target")
		case seen[t.Symbol]:
			return fmt.Errorf("duplicate target for %s", t.Symbol)
		case r.Excluded[t.Symbol]:
			return fmt.Errorf("%s has a target but is excluded", t.Symbol)
		case !isFraction(t.Weight):
			return fmt.Errorf("invalid target %s for %s; write 60%% as 0.6", formatNumber(t.Weight), t.Symbol)
		}
		if err := r.checkPrice(t.Symbol); err != nil && t.Weight.IsPositive() {
			return err
		}
		seen[t.Symbol], sum = true, sum.Add(t.Weight)
	}
	if sum.GreaterThan(decimalOne()) {
		return fmt.Errorf("targets add up to %s, more than 1", sum)
	}
	for _, a := range r.Accounts {
		for _, h := range a.Positions {
			if !seen[h.Symbol] && !r.Excluded[h.Symbol] {
				return fmt.Errorf("%s in %s has no target; set one (0 to sell it) or exclude it", h.Symbol, a.Name)
			}
		}
	}
	return nil
}

func (r *Request) checkPrice(sym market.Symbol) error {
	price, ok := r.Prices[sym]
	switch {
	case !ok:
		return fmt.Errorf("no price for %s", sym)
	case !isBounded(price) || !price.IsPositive():
		return fmt.Errorf("invalid price %s for %s", formatNumber(price), sym)
	}
	return nil
}

// checkAccounts relies on guarantees of the ledger: each account and symbol appears once, and lots
// add up to their position.
func (r *Request) checkAccounts() error {
	for _, a := range r.Accounts {
		if !isBounded(a.Flow) {
			return fmt.Errorf("invalid amount of new cash %s", formatNumber(a.Flow))
		}
		for _, h := range a.Positions {
			if r.Excluded[h.Symbol] {
				continue
			}
			if h.Quantity.IsNegative() {
				return fmt.Errorf("%s in %s is a short position of %s, which cannot have a target; exclude it", h.Symbol, a.Name, h.Quantity)
			}
			if err := r.checkPrice(h.Symbol); err != nil {
				return err
			}
		}
	}
	return nil
}

// formatNumber formats a number for a message, unless it has too many digits.
func formatNumber(d decimal.Decimal) string {
	if !isBounded(d) {
		return "(number with too many digits)"
	}
	return d.String()
}

package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Bounds of numbers that come from outside: more digits than any book needs, and
// fewer than would keep a computer busy.
const (
	mostDigits   = 48
	mostExponent = 18
	leastPlace   = 36
)

func sane(d decimal.Decimal) bool {
	return d.Exponent() >= -leastPlace && d.Exponent() <= mostExponent && d.NumDigits() <= mostDigits
}

func fraction(d decimal.Decimal) bool {
	return sane(d) && !d.IsNegative() && !d.GreaterThan(one())
}

func one() decimal.Decimal { return decimal.NewFromInt(1) }

func (r *Request) check() error {
	for _, c := range []func() error{r.checkRules, r.checkTargets, r.checkAccounts} {
		if err := c(); err != nil {
			return fmt.Errorf("%w: %w", ErrInput, err)
		}
	}
	return nil
}

func (r *Request) checkRules() error {
	for _, n := range []decimal.NullDecimal{r.Band.Absolute, r.Band.Relative, r.Rates.Short, r.Rates.Long} {
		if n.Valid && !fraction(n.Decimal) {
			return fmt.Errorf("bands and rates are between 0 and 1; give 5 %% as 0.05, not %s", shown(n.Decimal))
		}
	}
	switch {
	case !fraction(r.Fee.Rate) || r.Fee.Rate.Equal(one()):
		return fmt.Errorf("a fee of %s of the value; give 0.1 %% as 0.001", shown(r.Fee.Rate))
	case !sane(r.Fee.Fixed) || r.Fee.Fixed.IsNegative():
		return fmt.Errorf("a fee of %s a trade", shown(r.Fee.Fixed))
	case !sane(r.Smallest) || r.Smallest.IsNegative():
		return fmt.Errorf("a smallest trade of %s", shown(r.Smallest))
	case r.Aim != "" && r.Aim != AimTarget && r.Aim != AimEdge:
		return fmt.Errorf("no aim %.40q: %s or %s", r.Aim, AimTarget, AimEdge)
	case r.Day.IsZero():
		return fmt.Errorf("no day")
	}
	for sym, step := range r.Steps {
		if !sane(step) || !step.IsPositive() {
			return fmt.Errorf("%s traded in steps of %s", sym, shown(step))
		}
	}
	return nil
}

func (r *Request) checkTargets() error {
	sum, seen := decimal.Zero, map[market.Symbol]bool{}
	for _, t := range r.Targets {
		switch {
		case t.Symbol == "":
			return fmt.Errorf("a target without a symbol; cash has what the others leave")
		case seen[t.Symbol]:
			return fmt.Errorf("two targets for %s", t.Symbol)
		case r.Leave[t.Symbol]:
			return fmt.Errorf("%s has a target and is to be left alone", t.Symbol)
		case !fraction(t.Weight):
			return fmt.Errorf("a target of %s for %s; give 60 %% as 0.6", shown(t.Weight), t.Symbol)
		}
		if err := r.checkPrice(t.Symbol); err != nil && t.Weight.IsPositive() {
			return err
		}
		seen[t.Symbol], sum = true, sum.Add(t.Weight)
	}
	if sum.GreaterThan(one()) {
		return fmt.Errorf("targets add up to %s, more than one", sum)
	}
	for _, a := range r.Accounts {
		for _, h := range a.Holdings {
			if !seen[h.Symbol] && !r.Leave[h.Symbol] {
				return fmt.Errorf("%s in %s has no target: give it one, 0 to sell it, or leave it out of the plan", h.Symbol, a.Name)
			}
		}
	}
	return nil
}

func (r *Request) checkPrice(sym market.Symbol) error {
	price, ok := r.Prices[sym]
	switch {
	case !ok:
		return fmt.Errorf("no price of %s", sym)
	case !sane(price) || !price.IsPositive():
		return fmt.Errorf("a price of %s for %s", shown(price), sym)
	}
	return nil
}

func (r *Request) checkAccounts() error {
	seen := map[string]bool{}
	for _, a := range r.Accounts {
		switch {
		case seen[a.Name]:
			return fmt.Errorf("two accounts %q", a.Name)
		case !sane(a.Cash) || !sane(a.Flow):
			return fmt.Errorf("cash of %s and %s in %s", shown(a.Cash), shown(a.Flow), a.Name)
		}
		seen[a.Name] = true
		held := map[market.Symbol]bool{}
		for _, h := range a.Holdings {
			if r.Leave[h.Symbol] {
				continue
			}
			if held[h.Symbol] {
				return fmt.Errorf("%s twice in %s", h.Symbol, a.Name)
			}
			held[h.Symbol] = true
			if err := h.check(); err != nil {
				return fmt.Errorf("%s in %s: %w", h.Symbol, a.Name, err)
			}
			if err := r.checkPrice(h.Symbol); err != nil {
				return err
			}
		}
		if err := checkMethod(a.Method); err != nil {
			return fmt.Errorf("account %s: %w", a.Name, err)
		}
	}
	return nil
}

func checkMethod(m portfolio.Method) error {
	if m == "" {
		return nil
	}
	for _, known := range portfolio.Methods() {
		if m == known {
			return nil
		}
	}
	return fmt.Errorf("no method %.40q", m)
}

func (h Holding) check() error {
	switch {
	case !sane(h.Quantity):
		return fmt.Errorf("a quantity of %s", shown(h.Quantity))
	case h.Quantity.IsNegative():
		return fmt.Errorf("a short position of %s, which no target can be for: leave it out of the plan", h.Quantity)
	case len(h.Lots) == 0:
		return nil
	}
	sum := decimal.Zero
	for _, l := range h.Lots {
		if !sane(l.Quantity) || l.Quantity.IsNegative() || l.Cost.Valid && !sane(l.Cost.Decimal) {
			return fmt.Errorf("lot %.40q of %s at %s", l.ID, shown(l.Quantity), shown(l.Cost.Decimal))
		}
		sum = sum.Add(l.Quantity)
	}
	if !sum.Equal(h.Quantity) {
		return fmt.Errorf("lots of %s altogether, where %s are held", sum, h.Quantity)
	}
	return nil
}

// shown is a number in a message: one that is not sane could have any length.
func shown(d decimal.Decimal) string {
	if !sane(d) {
		return "(a number of too many digits)"
	}
	return d.String()
}

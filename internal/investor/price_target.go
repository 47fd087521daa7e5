package investor

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Describe is a target as people say it: "above 200 USD", of an index "above 5000 points".
func (t PriceTarget) Describe() string {
	if t.Currency == "" {
		return fmt.Sprintf("%s %s points", t.Side, t.Price)
	}
	return fmt.Sprintf("%s %s %s", t.Side, t.Price, t.Currency)
}

// TargetCheck is a target held against a quote.
type TargetCheck struct {
	PriceTarget
	// Comparable tells whether it could be held against the quote at all; Reason says why
	// not.
	Comparable bool   `json:"known"`
	Reason     string `json:"reason,omitempty"`
	Reached    bool   `json:"reached"`
	// Distance is how far the price must go to the target, as a fraction of the
	// price: target / price - 1. Invalid where it is not known.
	Distance decimal.NullDecimal `json:"distance,omitzero"`
}

const distanceDigits = 18

// CheckTargets holds the targets of w against a quote, in their order. A price in
// another currency, or one of the embedded samples, reaches no target; one without a
// currency only that of an index. A quote of another symbol is ErrMismatch.
func CheckTargets(w WatchedSymbol, q market.Quote) ([]TargetCheck, error) {
	if q.Symbol != w.Symbol {
		return nil, fmt.Errorf("a quote of %s for the watch of %s: %w", q.Symbol, w.Symbol, ErrMismatch)
	}
	checks := make([]TargetCheck, len(w.Targets))
	for i, t := range w.Targets {
		checks[i] = t.evaluate(q)
	}
	return checks, nil
}

func (t PriceTarget) evaluate(q market.Quote) TargetCheck {
	c := TargetCheck{PriceTarget: t}
	switch {
	case q.Provenance.Has(market.FlagSample):
		c.Reason = "the price is an embedded sample and not of the market"
	case q.Provenance.Currency != t.Currency:
		c.Reason = fmt.Sprintf("the price is in %s and the target in %s", cmp.Or(q.Provenance.Currency, "no currency"), cmp.Or(t.Currency, "no currency"))
	case t.Currency == "" && q.Kind != kindIndex:
		c.Reason = "the currency of the price is not known"
	case !q.Price.IsPositive():
		c.Reason = "the price is not above zero"
	default:
		c.Comparable = true
		c.Reached = t.Side == Above && q.Price.GreaterThanOrEqual(t.Price) || t.Side == Below && q.Price.LessThanOrEqual(t.Price)
		c.Distance = decimal.NewNullDecimal(t.Price.Sub(q.Price).DivRound(q.Price, distanceDigits))
	}
	return c
}

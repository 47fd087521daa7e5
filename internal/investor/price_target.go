package investor

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Describe formats a target: "above 200 USD", or "above 5000 points" for an index.
func (t PriceTarget) Describe() string {
	if t.Currency == "" {
		return fmt.Sprintf("%s %s points", t.Side, t.Price)
	}
	return fmt.Sprintf("%s %s %s", t.Side, t.Price, t.Currency)
}

// TargetCheck is a target compared with a quote.
type TargetCheck struct {
	PriceTarget
	// Comparable reports whether the comparison was possible; if not, Reason explains why.
	Comparable bool   `json:"known"`
	Reason     string `json:"reason,omitempty"`
	Reached    bool   `json:"reached"`
	// Distance is the return from the price to the target, as a fraction: target / price - 1.
	// Invalid if unknown.
	Distance decimal.NullDecimal `json:"distance,omitzero"`
}

const distanceDigits = 18

// CheckTargets compares the targets of w with a quote, in order. Prices in another currency and
// sample data reach no target; a price without a currency only reaches targets of an index. A quote
// of another symbol is ErrMismatch.
func CheckTargets(w WatchedSymbol, q market.Quote) ([]TargetCheck, error) {
	if q.Symbol != w.Symbol {
		return nil, fmt.Errorf("quote of %s for watched symbol %s: %w", q.Symbol, w.Symbol, ErrMismatch)
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
		c.Reason = "the price is sample data, not a market price"
	case q.Provenance.Currency != t.Currency:
		c.Reason = fmt.Sprintf("the price is in %s, but the target is in %s", cmp.Or(q.Provenance.Currency, "no currency"), cmp.Or(t.Currency, "no currency"))
	case t.Currency == "" && q.Kind != kindIndex:
		c.Reason = "the currency of the price is unknown"
	case !q.Price.IsPositive():
		c.Reason = "the price is zero or negative"
	default:
		c.Comparable = true
		c.Reached = t.Side == Above && q.Price.GreaterThanOrEqual(t.Price) || t.Side == Below && q.Price.LessThanOrEqual(t.Price)
		c.Distance = decimal.NewNullDecimal(t.Price.Sub(q.Price).DivRound(q.Price, distanceDigits))
	}
	return c
}

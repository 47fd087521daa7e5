package ledger

import (
	"context"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// settleAmount computes the amount exactly from quantity and price. It fails if a given amount
// differs by more than rounding.
func settleAmount(t *portfolio.Transaction) error {
	if !t.Price.Valid || t.Price.Decimal.IsZero() || t.Quantity.IsZero() || t.CostUnknown {
		return nil
	}
	product := t.Quantity.Mul(t.Price.Decimal)
	if t.Amount.IsZero() {
		t.Amount = product
		return nil
	}
	half := decimal.New(5, -1)
	slack := half.Shift(-toolkit.CurrencyPlaces(t.Currency)).Add(t.Quantity.Mul(half.Shift(min(t.Price.Decimal.Exponent(), 0))))
	if away := t.Amount.Sub(product).Abs(); away.GreaterThan(slack) {
		return fmt.Errorf("%w: %s at %s is %s, but amount is %s: omit the wrong value; amount is before fee and tax", errEntry, t.Quantity, t.Price.Decimal, product, t.Amount)
	}
	return nil
}

// fillCurrency fills in an omitted currency from earlier transactions of the security in the
// account, from its price or from its listing. The note names the origin.
func (d Deps) fillCurrency(ctx context.Context, l portfolio.Ledger, t *portfolio.Transaction) (note string, err error) {
	if t.Currency != "" || t.Amount.IsZero() && t.Fee.IsZero() && t.Tax.IsZero() && !t.Price.Valid {
		return "", nil
	}
	if t.Symbol != "" {
		used, several := currencyUsed(l, *t)
		if used != "" {
			t.Currency = used
			return fmt.Sprintf("currency %s, as in earlier transactions of %s", used, t.Symbol), nil
		}
		if priced := d.priceCurrency(ctx, l, *t); priced != "" {
			t.Currency = priced
			return fmt.Sprintf("currency %s, the quote currency of %s", priced, t.Symbol), nil
		}
		if listed := listingCurrency(positions.ResolveTransaction(l.Aliases, *t)); listed != "" && !several {
			t.Currency = listed
			return fmt.Sprintf("currency %s, in which %s is listed", listed, t.Symbol), nil
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return "", fmt.Errorf("%w: set currency, such as USD", errEntry)
}

// listingCurrency returns the currency in which a known symbol is listed, or "". London quotes in pence, in
// pounds and in dollars, so its symbols have none.
func listingCurrency(sym market.Symbol) string {
	if listed := reference.Describe(sym); listed.MIC != "XLON" {
		return listed.TradingCurrency
	}
	return ""
}

// currencyUsed returns the only currency of a security's trades in an account, or "" if there are none or
// several.
func currencyUsed(l portfolio.Ledger, t portfolio.Transaction) (used string, several bool) {
	for i := range l.Transactions {
		o := &l.Transactions[i]
		if o.Account != t.Account || o.Symbol != t.Symbol || o.Currency == "" || o.Currency == used {
			continue
		}
		if used != "" {
			return "", true
		}
		used = o.Currency
	}
	return used, false
}

func (d Deps) priceCurrency(ctx context.Context, l portfolio.Ledger, t portfolio.Transaction) string {
	if d.Quotes == nil {
		return ""
	}
	if t.Symbol == "" {
		return ""
	}
	q, err := d.Quotes.Quote(ctx, positions.ResolveTransaction(l.Aliases, t))
	if err != nil {
		return ""
	}
	return q.Provenance.Currency
}

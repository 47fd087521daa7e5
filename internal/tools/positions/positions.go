package positions

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
)

type positionsInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"accounts to look at, by their names; all when left out"`
	Account  string   `json:"account,omitempty" jsonschema:"one account; instead of accounts"`
	Currency string   `json:"currency,omitempty" jsonschema:"currency to add up in, ISO 4217 such as USD; the user's base currency when left out"`
	At       string   `json:"at,omitempty" jsonschema:"day to look at, YYYY-MM-DD: what was held then, at the closes that were paid then; today when left out"`
}

const positionsDescription = `Shows what the user holds: every security with quantity, price, value, weight, unrealised gain, day change, and the cash of each account; the total in one currency with the days of the exchange rates.
Use it for "what do I own", "what is my portfolio worth", and before any advice on the user's own holdings. For weights by class, currency or region use portfolio_allocation, for returns portfolio_performance, for lots and taxes tax_lots.
value_base and total are in currency; price, value and cost are in the currency of the price; weights and *_pct are in per cent. gain is value less cost in the currency of both; gain_base counts each lot's cost at the exchange rate of the day it was acquired. day_change runs from the price before, previous_as_of.
whole false means that something has no value: it stands under unvalued with the reason and what to do, and total and weights are of the rest. Say the warnings to the user first: a split that the book lacks makes a value wrong by its factor. at shows the book of a past day.`

// newPositions is the tool that shows what is held.
func newPositions(d OverviewDeps) tool.Tool {
	return tool.New("portfolio_positions", positionsDescription, tool.Reads, func(ctx context.Context, in positionsInput) (tool.Result, error) {
		past, err := d.AsOf(in.At)
		if err != nil {
			return d.ErrorResult(err)
		}
		d := OverviewDeps{past}
		o, v, err := d.LoadAndValue(ctx, RequestedAccounts(in.Accounts, in.Account), in.Currency)
		if err != nil {
			return d.ErrorResult(err)
		}
		a := d.newPositionsAnswer(ctx, o, v)
		if err := ctx.Err(); err != nil {
			return tool.Result{}, err
		}
		return a.result(d.HideAmounts)
	})
}

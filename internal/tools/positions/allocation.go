package positions

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
)

type allocationInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"accounts to look at, by their names; all when left out"`
	Account  string   `json:"account,omitempty" jsonschema:"one account; instead of accounts"`
	Currency string   `json:"currency,omitempty" jsonschema:"currency to add up in, ISO 4217 such as USD; the user's base currency when left out"`
	At       string   `json:"at,omitempty" jsonschema:"day to look at, YYYY-MM-DD; today when left out"`
}

const allocationDescription = `Shows how the user's book is divided: weights in per cent by asset class, currency, region, sector, account and symbol, cash included, and how far each symbol is from the target that the user set (drift in percentage points).
Use it for "how diversified am I", "how much is in dollars", "am I off my targets". For single positions with gains use portfolio_positions.
Class, region and sector are what the user recorded; without that, a share of one company counts as equity, a coin as crypto, a currency as cash, and everything else stands under "not known": never guess it, ask the user and record it with portfolio_settings. A fund's class is not known from its name. currency is that in which the price is quoted, not what a fund holds.
Weights of one dimension add up to 100 per cent of total. whole false means that something has no value and the weights are of the rest.`

// newAllocation is the tool that shows how the book is divided.
func newAllocation(d OverviewDeps) tool.Tool {
	return tool.New("portfolio_allocation", allocationDescription, tool.Reads, func(ctx context.Context, in allocationInput) (tool.Result, error) {
		past, err := d.AsOf(in.At)
		if err != nil {
			return d.ErrorResult(err)
		}
		d := OverviewDeps{past}
		accounts := RequestedAccounts(in.Accounts, in.Account)
		o, v, err := d.LoadAndValue(ctx, accounts, in.Currency)
		if err != nil {
			return d.ErrorResult(err)
		}
		a := newAllocationAnswer(o, v)
		if len(accounts) == 0 {
			a.drift(o, v)
		} else if len(o.Targets) > 0 {
			a.Notes = append(a.Notes, "targets are of the whole book: ask for all accounts to see the drift")
		}
		return a.result(d.HideAmounts)
	})
}

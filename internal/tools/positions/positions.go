package positions

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type positionsInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"Account names. Default: all accounts."`
	Account  string   `json:"account,omitempty" arg:"unsent" jsonschema:"One account; instead of accounts."`
	Currency string   `json:"currency,omitempty" jsonschema:"Currency of the totals, such as USD. Default: the base currency."`
	At       string   `json:"at,omitempty" jsonschema:"Portfolio on a past day, YYYY-MM-DD. Default: today."`
	Returns  bool     `json:"returns,omitempty" arg:"rare" jsonschema:"true to add the time-weighted returns and the benchmark's."`
}

const positionsDescription = `Positions of the user's portfolio: quantity, price, market value, weight, unrealized gain, day change, and cash by account. Use for "what do I own"; for weights by class use portfolio_allocation, for lots tax_lots. If whole is false, name what is missing.`

const positionsDetails = `Each position has its quantity, price, market value, weight, unrealized gain and change of the day. Cash is listed by account. The total is in one currency, with the dates of the exchange rates.
value_base and total are in the base currency, or in the currency requested. price, value and cost are in the currency of the price. Weights and fields that end in _pct are in percent.
gain = value - cost, in the currency of both. gain_base converts the cost of each lot at the exchange rate of the day on which it was acquired. day_change is the change since the previous price, dated previous_as_of.
If whole is false, a position has no market value. unvalued lists it with the reason and what to do; total and weights cover the other positions. If a stock split is missing from the ledger, the market value is wrong by the split ratio; a warning reports this.
returns has the time-weighted return of each period, next to that of the benchmark. A period is absent if its return is unknown; portfolio_performance says why.
With at, the result has the positions of that day at its closing prices.`

const positionsKeywords = "position positions holding holdings hold own owned many stocks shares funds portfolio account worth net value cash balance unrealized gain today 持仓 持有 账户 市值 总资产 浮盈 现金 股票"

var positionsPhrasings = []string{
	"show my positions",
	"what is my portfolio worth right now",
	"how many shares of <sym> do I have",
	"how much cash is in my accounts",
	"what did I own on <num>",
	"我的持仓",
	"我手里有哪些股票",
	"我的总资产是多少",
}

// OverviewTools returns the tools that show the positions and the allocation.
func OverviewTools(d Deps) []tool.Tool { return []tool.Tool{newPositions(d), newAllocation(d)} }

// newPositions returns the tool that shows the positions.
func newPositions(d Deps) tool.Tool {
	return tool.New("portfolio_positions", positionsDescription, tool.Reads, func(ctx context.Context, in positionsInput) (tool.Result, error) {
		d, err := d.AsOf(in.At)
		if err != nil {
			return d.ErrorResult(err)
		}
		d.byHolder = true
		o, v, err := d.LoadAndValue(ctx, RequestedAccounts(in.Accounts, in.Account), in.Currency)
		if err != nil {
			return d.ErrorResult(err)
		}
		a := d.newPositionsAnswer(ctx, o, v)
		if in.Returns && !d.Replay {
			a.Returns = d.periodReturns(ctx, in, v.Base)
		}
		if err := ctx.Err(); err != nil {
			return tool.Result{}, err
		}
		return toolkit.Render(a), nil
	}).WithOutput(toolkit.OutputSchema[positionsAnswer]()).WithDetails(positionsDetails).Find("portfolio", positionsKeywords, positionsPhrasings...)
}

package positions

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type allocationInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"Account names. Default: all accounts."`
	Account  string   `json:"account,omitempty" arg:"unsent" jsonschema:"One account; instead of accounts."`
	Currency string   `json:"currency,omitempty" jsonschema:"Currency of the total, such as USD. Default: the base currency."`
	At       string   `json:"at,omitempty" jsonschema:"Portfolio on a past day, YYYY-MM-DD. Default: today."`
}

const allocationDescription = `Weights of the user's portfolio by asset class, currency, region, sector, account and symbol, and drift from the target weights. Use for "how is my portfolio split"; for gains use portfolio_positions. Never guess what is "not known": ask the user.`

const allocationDetails = `Weights are in percent of total and include cash. The weights of one dimension add up to 100%. drift_pp is the difference from the symbol's target weight in percentage points. Targets apply to the whole portfolio, so drift is shown only for all accounts.
Class, region and sector come from portfolio_settings. Without a setting, shares of one company count as equity, coins as crypto and currencies as cash; everything else is "not known", because a fund's name does not determine its class.
The currency dimension uses the quote currency of each position, not the currencies of a fund's holdings.
If whole is false, a position has no market value, and the weights cover the other positions.`

const allocationKeywords = "allocation weight weights split mix breakdown diversified exposure class sector region country currency dollars bonds target drift portfolio pie 配置 占比 比例 权重 行业 地区 分散 偏离"

var allocationPhrasings = []string{
	"asset allocation of my portfolio",
	"what share of my money is in bonds",
	"how much of my portfolio is in dollars",
	"sector and region breakdown of my account",
	"how far am I from my target weights",
	"我的资产配置",
	"股票和债券各占多少比例",
	"我的持仓行业分布",
}

// newAllocation returns the tool that shows the weights of the portfolio.
func newAllocation(d Deps) tool.Tool {
	return tool.New("portfolio_allocation", allocationDescription, tool.Reads, func(ctx context.Context, in allocationInput) (tool.Result, error) {
		d, err := d.AsOf(in.At)
		if err != nil {
			return d.ErrorResult(err)
		}
		accounts := RequestedAccounts(in.Accounts, in.Account)
		o, v, err := d.LoadAndValue(ctx, accounts, in.Currency)
		if err != nil {
			return d.ErrorResult(err)
		}
		a := newAllocationAnswer(o, v)
		if len(accounts) == 0 {
			a.drift(o, v)
		} else if len(o.Targets) > 0 {
			a.Notes.Add("targets_of_all", "Targets apply to the whole portfolio: ask for all accounts to see the drift.")
		}
		return toolkit.Render(a), nil
	}).WithOutput(toolkit.OutputSchema[allocationAnswer]()).WithDetails(allocationDetails).Find("portfolio", allocationKeywords, allocationPhrasings...)
}

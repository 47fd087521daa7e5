package advice

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type rebalanceInput struct {
	Targets     map[string]float64 `json:"targets,omitempty" jsonschema:"Weights: {\"VTI\": 0.6, \"BND\": 0.3}. Default: the saved targets."`
	Band        *float64           `json:"band,omitempty" jsonschema:"Allowed drift, a fraction of the portfolio. Default 0.05."`
	Relative    *float64           `json:"relative_band,omitempty" arg:"rare" jsonschema:"Allowed drift, a fraction of the target. Default 0.25."`
	Aim         string             `json:"aim,omitempty" arg:"rare" jsonschema:"Sell down to: target or edge (of the band). Default target."`
	NewCash     float64            `json:"new_cash,omitempty" jsonschema:"Amount to invest; negative to withdraw."`
	CashAccount string             `json:"cash_account,omitempty" arg:"rare" jsonschema:"Account of new_cash; required if the plan has several accounts."`
	Whole       *bool              `json:"whole_shares,omitempty" arg:"rare" jsonschema:"Default true; false trades 0.0001 shares. Never for coins."`
	MinTrade    float64            `json:"min_trade,omitempty" arg:"rare" jsonschema:"Smallest trade value. Default 0."`
	Fee         float64            `json:"fee,omitempty" arg:"rare" jsonschema:"Fee of each trade, an amount. Default 0."`
	FeeRate     float64            `json:"fee_rate,omitempty" arg:"rare" jsonschema:"Fee as a fraction of each trade. Default 0."`
	ShortRate   *float64           `json:"tax_short,omitempty" arg:"rare" jsonschema:"Tax rate on short-term gains. Default: the profile's."`
	LongRate    *float64           `json:"tax_long,omitempty" arg:"rare" jsonschema:"Tax rate on long-term gains. Default: the profile's."`
	Accounts    []string           `json:"accounts,omitempty" jsonschema:"Account names. Default: all accounts."`
	Leave       []string           `json:"leave,omitempty" jsonschema:"Symbols to leave out of the trades and weights."`
	Full        bool               `json:"full,omitempty" jsonschema:"true to also show drift, lots, cash and limits."`
	OnlyBuy     bool               `json:"only_buy,omitempty" jsonschema:"true to sell nothing."`
	Currency    string             `json:"currency,omitempty" jsonschema:"Currency of the plan, such as USD. Default: the base currency."`
}

const rebalanceDescription = `Plans trades toward target weights: cash first, then sales by each account's cost basis method. Use for "rebalance my portfolio" or "invest 5000 by my targets". Places no orders. If code is refused, name the broken limit first and do not recommend the trades.`

const rebalanceDetails = `Cash is invested first. Then positions outside their band are sold, first where no tax is due, then in the order of the account's cost basis method; with method specific, the lots with the lowest tax come first. tax_with_chosen_lots is the tax if the user tells the broker which lots to sell; it is shown only if lower. Lots whose loss a wash sale would disallow are not sold. The result has drift, trades with lots, fees, tax, and weights before and after.
Weights, rates and bands are fractions. The rest of the targets up to 1 is cash. A position is sold only if its weight is outside its band: band in points of the portfolio, relative_band as a fraction of the target; the smaller of both applies. The defaults are 0.05 and 0.25; if only one is given, only that one applies. aim edge sells only down to the edge of the band.
new_cash is in the currency of the plan; a negative amount is withdrawn. cash_account is required if the plan has several accounts. whole_shares false trades in ten-thousandths of a share; coins are always traded in fractions. tax_short applies to all gains if the jurisdiction has no holding periods.
The weights after the trades are checked against the limits of the investor profile. If one is broken, the result is an error with code refused. verdict states whether the advice is personal and what is missing from the profile.
Taxes are estimates, and prices move before an order is filled.`

const rebalanceKeywords = "rebalance rebalancing target targets weights drift trades invest contribution deposit new cash withdraw orders sell band tax-efficient portfolio 再平衡 调仓 平衡 目标 比例 加仓 投入"

var rebalancePhrasings = []string{
	"rebalance my portfolio to my targets",
	"which trades bring me back to <pct> <sym> and <pct> <sym>",
	"invest <num> in line with my target weights",
	"rebalance without selling anything",
	"take <num> out and stay close to my targets",
	"帮我做一次再平衡",
	"按目标比例投入<num>怎么分",
	"调仓到<pct>股票<pct>债券",
}

// newRebalancePlan returns the tool that plans trades.
func newRebalancePlan(d SuitabilityDeps) tool.Tool {
	return tool.New("rebalance_plan", rebalanceDescription, tool.Reads, func(ctx context.Context, in rebalanceInput) (tool.Result, error) {
		a, err := d.rebalance(ctx, in)
		if err != nil {
			return d.errorResult(err)
		}
		return a.result(in.Full), nil
	}).WithOutput(toolkit.OutputSchema[rebalanceAnswer]()).WithDetails(rebalanceDetails).Find("portfolio", rebalanceKeywords, rebalancePhrasings...)
}

// errFraction means that a plan would cover only a part of the portfolio.
var errFraction = errors.New("cannot plan trades for only part of the portfolio")

func (d SuitabilityDeps) rebalance(ctx context.Context, in rebalanceInput) (rebalanceAnswer, error) {
	o, v, err := d.loadAndValue(ctx, nil, in.Currency)
	if err != nil {
		return rebalanceAnswer{}, err
	}
	if missing := v.Unvalued(); len(missing) > 0 {
		return rebalanceAnswer{}, fmt.Errorf("%w: no market value for %s; if a security was renamed, record its new symbol; if it is worthless, record a sale at price 0; if a source failed, try again later", errFraction, joinFew(missing))
	}
	profile, err := d.loadProfile(ctx)
	if err != nil {
		return rebalanceAnswer{}, err
	}
	p := planner{in: in, opened: o, valuation: v, person: profile, rates: d.NewRateCache(), origins: valuationOrigins(v)}
	p.costs = d.NewCostConverter(ctx, v.Base, v.Lots())
	if err := p.prepare(ctx, d); err != nil {
		return rebalanceAnswer{}, err
	}
	if err := p.solve(); err != nil {
		return rebalanceAnswer{}, err
	}
	p.judge(ctx)
	return p.answer(), ctx.Err()
}

package advice

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/tool"
)

type rebalanceInput struct {
	Targets     map[string]float64 `json:"targets,omitempty" jsonschema:"wanted part of each symbol, a fraction of the whole: {\"VTI\": 0.6, \"BND\": 0.3}; what they leave of 1 is for cash; the book's targets when left out"`
	Band        *float64           `json:"band,omitempty" jsonschema:"how far from its target a weight may be before anything is sold, in points as a fraction; 0.05 when neither this nor relative_band is given"`
	Relative    *float64           `json:"relative_band,omitempty" jsonschema:"the same as a part of the target; 0.25 when neither is given; the smaller of both holds"`
	Aim         string             `json:"aim,omitempty" jsonschema:"how far sales go: target (when left out) or edge, no further than the edge of the band"`
	NewCash     float64            `json:"new_cash,omitempty" jsonschema:"sum in the currency of the plan that comes in to be invested; below zero is to be taken out"`
	CashAccount string             `json:"cash_account,omitempty" jsonschema:"account that new_cash comes into; needed where several take part"`
	Whole       *bool              `json:"whole_shares,omitempty" jsonschema:"true when left out; false trades in ten-thousandths; coins are never whole"`
	MinTrade    float64            `json:"min_trade,omitempty" jsonschema:"value below which nothing is traded; 0 when left out"`
	Fee         float64            `json:"fee,omitempty" jsonschema:"of each trade, a sum; 0 when left out"`
	FeeRate     float64            `json:"fee_rate,omitempty" jsonschema:"of the value of each trade, a fraction; 0 when left out"`
	ShortRate   *float64           `json:"tax_short,omitempty" jsonschema:"tax on short-term gains, or on all where there are no terms, a fraction; the profile's when left out"`
	LongRate    *float64           `json:"tax_long,omitempty" jsonschema:"tax on long-term gains, a fraction; the profile's when left out"`
	Accounts    []string           `json:"accounts,omitempty" jsonschema:"accounts that take part; all when left out"`
	Leave       []string           `json:"leave,omitempty" jsonschema:"symbols that are neither traded nor counted"`
	OnlyBuy     bool               `json:"only_buy,omitempty" jsonschema:"sell nothing"`
	Currency    string             `json:"currency,omitempty" jsonschema:"ISO 4217 code of the plan; the user's setting when left out"`
}

const rebalanceDescription = `Plans the trades that bring the user's book back to its targets: cash is invested first, then what is outside its band is sold where no tax is due, then the lots that cost the least tax; losses that a wash sale would disallow are kept. Gives drift, trades with lots, fees, tax, and weights before and after. Nothing is ordered.
The weights after then pass the gate of the user's own limits. Where one fails the answer is an error with code refused: say NO first, which limit, and never present the trades as a recommendation.
Use it for "rebalance my portfolio", "invest 5000 in line with my targets". Weights, rates and bands are fractions. Say whether the advice is general and what the profile lacks, each warning, that taxes are estimates, and that prices move before an order is filled.`

// newRebalancePlan is the tool that plans trades.
func newRebalancePlan(d SuitabilityDeps) tool.Tool {
	return tool.New("rebalance_plan", rebalanceDescription, tool.Reads, func(ctx context.Context, in rebalanceInput) (tool.Result, error) {
		a, err := d.rebalance(ctx, in)
		if err != nil {
			return d.errorResult(err)
		}
		return a.result(d.HideAmounts)
	})
}

// errFraction means that a plan would be of a part of the book.
var errFraction = errors.New("no plan of a part of the book")

func (d SuitabilityDeps) rebalance(ctx context.Context, in rebalanceInput) (rebalanceAnswer, error) {
	o, v, err := d.loadAndValue(ctx, nil, in.Currency)
	if err != nil {
		return rebalanceAnswer{}, err
	}
	if missing := v.Unvalued(); len(missing) > 0 {
		return rebalanceAnswer{}, fmt.Errorf("%w: %s; weights of the rest would mislead. Give what was renamed its new symbol, record a sale at a price of 0 of what is worth nothing, or ask again when the source answers", errFraction, joinFew(missing))
	}
	profile, err := d.loadProfile(ctx)
	if err != nil {
		return rebalanceAnswer{}, err
	}
	p := planner{in: in, opened: o, valuation: v, person: profile, rates: d.NewRateCache(), origins: valuationOrigins(v)}
	if err := p.prepare(ctx, d); err != nil {
		return rebalanceAnswer{}, err
	}
	if err := p.solve(); err != nil {
		return rebalanceAnswer{}, err
	}
	p.judge(ctx)
	return p.answer(), ctx.Err()
}

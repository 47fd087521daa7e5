package advice

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
)

type checkupInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"names of accounts; all when left out"`
	Currency string   `json:"currency,omitempty" jsonschema:"ISO 4217 code to add up in; the user's setting when left out"`

	Largest     *float64 `json:"max_holding,omitempty" jsonschema:"threshold, a fraction: of any single holding; standard 0.1, of what is not a fund"`
	TopFive     *float64 `json:"max_five_largest,omitempty" jsonschema:"a fraction: of the five largest together; standard 0.4, of what is not a fund"`
	Effective   *float64 `json:"min_effective,omitempty" jsonschema:"effective number of holdings at least; standard 10"`
	Foreign     *float64 `json:"max_foreign_currency,omitempty" jsonschema:"a fraction; standard 0.5"`
	Region      *float64 `json:"max_region,omitempty" jsonschema:"a fraction of the securities; standard 0.7"`
	Fee         *float64 `json:"max_fee,omitempty" jsonschema:"of funds a year, a fraction; standard 0.005"`
	Cash        *float64 `json:"max_cash,omitempty" jsonschema:"a fraction; standard 0.1, or what needs or targets ask for"`
	Band        *float64 `json:"max_drift,omitempty" jsonschema:"from a target, in points as a fraction; standard 0.05, or a quarter of the target where that is less"`
	Correlation *float64 `json:"max_correlation,omitempty" jsonschema:"of two holdings; standard 0.95"`
	Payer       *float64 `json:"max_payer,omitempty" jsonschema:"part of the income from one payer, a fraction; standard 0.5"`
	Yield       *float64 `json:"min_yield,omitempty" jsonschema:"income a year over worth, a fraction; not judged when left out"`
	PriceDays   *float64 `json:"max_price_days,omitempty" jsonschema:"age of a price in days; standard 5"`
}

const checkupDescription = `Holds the user's book against rules of thumb and the limits of their profile: largest holding, five largest, effective number of holdings, classes, foreign currency, region, fund fees, cash for needs and idle cash, drift from targets, holdings that move as one, dependence on one payer, missing and old prices. Each row has the number, the threshold with where it is from, and pass, fail or not judged.
Use it for "is my portfolio all right", "am I diversified", "what is wrong with it", and before rebalance_plan. Fractions are of the whole with its cash.
Pass on every fail with its meaning, what is not judged with what the user can say to have it judged, and that standard thresholds are conventions. It is no advice to trade.`

// newPortfolioCheckup is the tool that holds the book against rules.
func newPortfolioCheckup(d SuitabilityDeps) tool.Tool {
	return tool.New("portfolio_checkup", checkupDescription, tool.Reads, func(ctx context.Context, in checkupInput) (tool.Result, error) {
		a, err := d.checkup(ctx, in)
		if err != nil {
			return d.errorResult(err)
		}
		return a.result(d.HideAmounts)
	})
}

func (d SuitabilityDeps) checkup(ctx context.Context, in checkupInput) (checkupAnswer, error) {
	limits, err := in.limits()
	if err != nil {
		return checkupAnswer{}, err
	}
	o, v, err := d.loadAndValue(ctx, in.Accounts, in.Currency)
	if err != nil {
		return checkupAnswer{}, err
	}
	profile, err := d.loadProfile(ctx)
	if err != nil {
		return checkupAnswer{}, err
	}
	profile.setLimits(&limits)
	b, err := d.checkupPortfolio(ctx, o, v, profile)
	if err != nil {
		return checkupAnswer{}, err
	}
	return newCheckupAnswer(o, v, b.Check(limits), profile), nil
}

// limits are the thresholds that the call sets.
func (in checkupInput) limits() (rebalance.Limits, error) {
	var l rebalance.Limits
	for _, limit := range []struct {
		name     string
		given    *float64
		into     *rebalance.Limit
		low, top float64
	}{
		{"max_holding", in.Largest, &l.Largest, 0, 1}, {"max_five_largest", in.TopFive, &l.TopFive, 0, 1},
		{"min_effective", in.Effective, &l.Effective, 1, 1e6}, {"max_foreign_currency", in.Foreign, &l.Foreign, 0, 1},
		{"max_region", in.Region, &l.Region, 0, 1}, {"max_fee", in.Fee, &l.Fee, 0, 1}, {"max_cash", in.Cash, &l.MaxCash, 0, 1},
		{"max_drift", in.Band, &l.Drift, 0, 1}, {"max_correlation", in.Correlation, &l.Correlation, -1, 1},
		{"max_payer", in.Payer, &l.Payer, 0, 1}, {"min_yield", in.Yield, &l.Yield, 0, 1}, {"max_price_days", in.PriceDays, &l.PriceDays, 0, 1e4},
	} {
		if limit.given == nil {
			continue
		}
		if v := *limit.given; !(v >= limit.low && v <= limit.top) {
			return l, fmt.Errorf("%w: %s is from %v to %v; 10 %% is 0.1", errInvalidRequest, limit.name, limit.low, limit.top)
		}
		*limit.into = rebalance.Limit{Value: decimal.NewNullDecimal(decimal.NewFromFloat(*limit.given)), Reason: "this call"}
	}
	return l, nil
}

const fromProfileNote = "your profile"

// setLimits sets what the user's profile does, where the call did not.
func (p investorProfile) setLimits(l *rebalance.Limits) {
	limits := p.Limits
	if limits.LargestPosition.Valid && !l.Largest.Value.Valid {
		l.Largest = rebalance.Limit{Value: limits.LargestPosition, Reason: fromProfileNote}
	}
	if limits.Classes != nil || limits.ExcludedClasses != nil {
		l.Classes = []rebalance.ClassLimit{}
	}
	excluded := func(c investor.Class) bool { return slices.Contains(limits.ExcludedClasses, c) }
	for _, c := range limits.Classes {
		if !excluded(c.Class) {
			l.Classes = append(l.Classes, rebalance.ClassLimit{Class: portfolio.Class(c.Class), Min: c.Min, Max: c.Max, Reason: fromProfileNote})
		}
	}
	for _, c := range limits.ExcludedClasses {
		l.Classes = append(l.Classes, rebalance.ClassLimit{Class: portfolio.Class(c), Max: decimal.NewNullDecimal(decimal.Zero), Reason: fromProfileNote + ", which excludes it"})
	}
}

package advice

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type checkupInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"Account names. Default: all accounts."`
	Currency string   `json:"currency,omitempty" jsonschema:"Currency of the totals, such as USD. Default: the base currency."`

	Largest     *float64 `json:"max_holding,omitempty" arg:"rare" jsonschema:"Weight of any position. Default 0.1, without funds."`
	TopFive     *float64 `json:"max_five_largest,omitempty" arg:"rare" jsonschema:"Weight of the five largest. Default 0.4, without funds."`
	Effective   *float64 `json:"min_effective,omitempty" arg:"rare" jsonschema:"Effective number of positions. Default 10."`
	Foreign     *float64 `json:"max_foreign_currency,omitempty" arg:"rare" jsonschema:"Weight of foreign currencies. Default 0.5."`
	Region      *float64 `json:"max_region,omitempty" arg:"rare" jsonschema:"Share of one region in the securities. Default 0.7."`
	Fee         *float64 `json:"max_fee,omitempty" arg:"rare" jsonschema:"Expense ratio of the funds. Default 0.005."`
	Cash        *float64 `json:"max_cash,omitempty" arg:"rare" jsonschema:"Weight of cash. Default 0.1, or what needs or targets require."`
	Band        *float64 `json:"max_drift,omitempty" arg:"rare" jsonschema:"Drift from a target. Default: 0.05 or a quarter of the target."`
	Correlation *float64 `json:"max_correlation,omitempty" arg:"rare" jsonschema:"Correlation of two positions. Default 0.95."`
	Payer       *float64 `json:"max_payer,omitempty" arg:"rare" jsonschema:"Share of the income from one payer. Default 0.5."`
	Yield       *float64 `json:"min_yield,omitempty" arg:"rare" jsonschema:"Annual income over market value. Default: not checked."`
	PriceDays   *float64 `json:"max_price_days,omitempty" arg:"rare" jsonschema:"Age of a price in days. Default 5."`
}

const checkupDescription = `Checks the user's portfolio: concentration, classes, currencies, regions, fund fees, cash, drift, correlation and income. Use for "is my portfolio all right", and before rebalance_plan. Report each failure, and for each rule not judged, what the user can add.`

const checkupDetails = `Each row has the number, the threshold with its origin, and pass, fail or not judged. Rules: largest position, five largest, effective number of positions, asset classes, foreign currency, region, fund fees, cash for needs, idle cash, drift from targets, highly correlated positions, dependence on one payer of income, and missing or old prices.
Fractions are of the total portfolio including cash; region is of securities only. A threshold comes from the call, otherwise from the investor profile, otherwise from the defaults. The defaults are conventions: largest position 0.1 and five largest 0.4 (both without funds), effective number 10, foreign currency 0.5, region 0.7, fund fees 0.005 a year, cash 0.1 or more if needs or targets require it, drift 0.05 or a quarter of the target, whichever is less, correlation 0.95, one payer 0.5 of the income, prices 5 days old. min_yield is checked only if set.
The result is not advice to trade.`

const checkupKeywords = "checkup check health review wrong risk risks diversified diversification concentration concentrated fees cash overlap correlated problem weak safe portfolio 体检 检查 诊断 健康 集中 分散 问题 风险"

var checkupPhrasings = []string{
	"is my portfolio healthy",
	"what is wrong with my portfolio",
	"am I too concentrated in <sym>",
	"do my funds overlap or cost too much",
	"check my account against my limits",
	"给我的投资组合做个体检",
	"我的持仓是不是太集中",
	"我的组合有什么问题",
}

// newPortfolioCheckup returns the tool that checks the portfolio against rules.
func newPortfolioCheckup(d SuitabilityDeps) tool.Tool {
	return tool.New("portfolio_checkup", checkupDescription, tool.Reads, func(ctx context.Context, in checkupInput) (tool.Result, error) {
		a, err := d.checkup(ctx, in)
		if err != nil {
			return d.errorResult(err)
		}
		return toolkit.Render(a), nil
	}).WithOutput(toolkit.OutputSchema[checkupAnswer]()).WithDetails(checkupDetails).Find("portfolio", checkupKeywords, checkupPhrasings...)
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

// limits returns the thresholds set by the call.
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
			hint := ""
			if limit.top == 1 {
				hint = "; write 0.1 for 10%"
			}
			return l, fmt.Errorf("%w: %s must be from %v to %v%s", errInvalidRequest, limit.name, limit.low, limit.top, hint)
		}
		*limit.into = rebalance.Limit{Value: decimal.NewNullDecimal(decimal.NewFromFloat(*limit.given)), Reason: "this call"}
	}
	return l, nil
}

const fromProfileNote = "your profile"

// setLimits fills in limits from the user's profile that the call did not set.
func (p investorProfile) setLimits(l *rebalance.Limits) {
	limits := p.Limits
	if limits.LargestPosition.Valid && !l.Largest.Value.Valid {
		l.Largest = rebalance.Limit{Value: limits.LargestPosition, Reason: fromProfileNote}
	}
	if limits.Classes != nil || limits.ExcludedClasses != nil {
		l.Classes = []rebalance.ClassLimit{}
	}
	excluded := func(c portfolio.Class) bool { return slices.Contains(limits.ExcludedClasses, c) }
	for _, c := range limits.Classes {
		if !excluded(c.Class) {
			l.Classes = append(l.Classes, rebalance.ClassLimit{Class: c.Class, Min: c.Min, Max: c.Max, Reason: fromProfileNote})
		}
	}
	for _, c := range limits.ExcludedClasses {
		l.Classes = append(l.Classes, rebalance.ClassLimit{Class: c, Max: decimal.NewNullDecimal(decimal.Zero), Reason: fromProfileNote + " excludes it"})
	}
}

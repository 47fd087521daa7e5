package planning

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type retirementInput struct {
	Start         float64 `json:"current_balance"`
	Years         int     `json:"years" jsonschema:"Saving and spending."`
	Contribution  float64 `json:"annual_contribution,omitempty"`
	SavingYears   int     `json:"contribution_years,omitempty" jsonschema:"Years of saving."`
	Raise         float64 `json:"contribution_raise,omitempty" arg:"rare" jsonschema:"Annual, on top of inflation, such as 0.01."`
	Withdrawal    float64 `json:"annual_withdrawal,omitempty" jsonschema:"Omit and give withdrawal_from_year to solve for it."`
	From          int     `json:"withdrawal_from_year,omitempty" arg:"rare" jsonschema:"First year of spending. Default: after contribution_years."`
	Bequest       float64 `json:"ending_balance,omitempty" arg:"rare" jsonschema:"Target balance at the end, in today's money."`
	Inflation     float64 `json:"inflation,omitempty"`
	Fee           float64 `json:"fee,omitempty" arg:"rare" jsonschema:"Annual, of the balance, such as 0.005. Default 0."`
	Tax           float64 `json:"tax_on_gains,omitempty" arg:"rare" jsonschema:"Tax on the gain of each year, such as 0.25. Default 0."`
	SuccessTarget float64 `json:"success_probability,omitempty" arg:"rare" jsonschema:"Required share of futures. Default 0.9."`
	Currency      string  `json:"currency,omitempty" jsonschema:"ISO 4217 code of the amounts."`
	marketInput
}

const retirementDescription = `Share of simulated futures in which the money lasts, with balance paths and the saving or spending needed. Use for "can I retire at 60"; for one sum at a date use goal_plan. HYPOTHETICAL: say so. Take mean_return and volatility from the user or returns_stats.`

const retirementDetails = `Simulates a plan of saving and spending in thousands of possible futures (Monte Carlo from a normal distribution or from blocks of past returns), or in the past from every starting date. The result has the share of futures in which the money lasts, percentile paths of the balance, when the money ran out, and the start, saving or spending needed for success_probability. State method, assumptions, paths and seed. A share of simulated futures is not a real-life probability.

Each year has the withdrawal first, then the return after tax and fee, then the contribution. Amounts are in today's money and rise with inflation; balances are in today's money too. contribution_years count from the first year. Without annual_withdrawal, give withdrawal_from_year (1 is the first year of the plan) to solve for the spending.

` + marketDetails

const retirementKeywords = "retire retirement pension savings last withdrawal withdraw spending fire drawdown monte carlo simulation outlive income nest egg safe rate enough money age decumulation 退休 养老 提取率 够不够 蒙特卡洛 养老金 花光 退休金 财务自由"

var retirementPhrasings = []string{
	"can I retire at <num> with <num>",
	"will <num> last <num> years if I spend <num> a year",
	"how much can I withdraw each year from <num>",
	"is a <pct> withdrawal rate safe for <num> years",
	"monte carlo simulation of my retirement",
	"<num>岁退休需要多少钱",
	"<num>万够我退休吗",
	"每年提取<pct>能用多少年",
}

// newRetirement returns the tool that simulates a retirement plan.
func newRetirement(d Deps) tool.Tool {
	return toolkit.New("retirement_simulation", retirementDescription, tool.Reads, func(ctx context.Context, in retirementInput) (planResult, error) {
		a, err := d.runRetirement(ctx, in)
		return a, refusal("retirement_simulation", err)
	}).
		WithDetails(retirementDetails).Find("planning", retirementKeywords, retirementPhrasings...)
}

// defaultSuccessTarget is the default share of futures in which a plan has to succeed.
const defaultSuccessTarget = 0.9

func (d Deps) runRetirement(ctx context.Context, in retirementInput) (planResult, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return planResult{}, err
	}
	plan, err := in.plan()
	if err != nil {
		return planResult{}, err
	}
	w, err := d.loadMarket(ctx, in.marketInput)
	if err != nil {
		return planResult{}, err
	}
	return simulatePlan(ctx, plan, w, in.SuccessTarget, currency)
}

func (in retirementInput) plan() (simulate.Plan, error) {
	p := simulate.Plan{
		Start: in.Start, Years: in.Years, Contribution: in.Contribution, ContributionYears: in.SavingYears, AnnualRaise: in.Raise, Withdrawal: in.Withdrawal,
		WithdrawalFrom: in.From, Goal: in.Bequest, Inflation: in.Inflation, Fee: in.Fee, TaxOnGains: in.Tax,
	}
	switch {
	case p.Contribution > 0 && p.ContributionYears == 0:
		return p, fmt.Errorf("%w: annual_contribution needs contribution_years", simulate.ErrInvalidPlan)
	case p.Withdrawal > 0 && p.WithdrawalFrom == 0 && in.SavingYears >= in.Years:
		return p, fmt.Errorf("%w: contribution_years covers all %d years and leaves none for spending; years is the length of the whole plan", simulate.ErrInvalidPlan, in.Years)
	case p.Withdrawal > 0 && p.WithdrawalFrom == 0:
		p.WithdrawalFrom = in.SavingYears + 1
	}
	return p, nil
}

// refusal marks an error that a different call would avoid.
func refusal(name string, err error) error {
	for _, invalid := range []error{errInvalidMarket, errInvalidBacktest, toolkit.ErrPeriod, simulate.ErrInvalidPlan, simulate.ErrInvalidBacktest} {
		if errors.Is(err, invalid) {
			return toolkit.InvalidArgsf("%s: %w", name, err)
		}
	}
	for _, unusable := range []error{analytics.ErrNonPositive, analytics.ErrOutOfRange, analytics.ErrUnaligned, analytics.ErrDisordered} {
		if errors.Is(err, unusable) {
			return toolkit.Unusablef("%s: %v; these prices have no usable returns; choose another instrument", name, err)
		}
	}
	return err
}

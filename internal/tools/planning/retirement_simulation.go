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
	Start         float64 `json:"current_balance" jsonschema:"invested today"`
	Years         int     `json:"years" jsonschema:"length of the whole plan, saving and spending"`
	Contribution  float64 `json:"annual_contribution,omitempty" jsonschema:"saved at the end of each year of saving, in today's money"`
	SavingYears   int     `json:"contribution_years,omitempty" jsonschema:"years of saving, from the first on; spending begins after them"`
	Raise         float64 `json:"contribution_raise,omitempty" jsonschema:"a year on top of inflation, a fraction"`
	Withdrawal    float64 `json:"annual_withdrawal,omitempty" jsonschema:"spent at the beginning of each year of spending, in today's money; leave out and give withdrawal_from_year to be told how much can be spent"`
	From          int     `json:"withdrawal_from_year,omitempty" jsonschema:"first year of spending, 1 for the first of the plan; the year after contribution_years when left out"`
	Bequest       float64 `json:"ending_balance,omitempty" jsonschema:"wanted to be left at the end, in today's money"`
	Inflation     float64 `json:"inflation,omitempty" jsonschema:"a year, a fraction; raises contribution, withdrawal and ending_balance; 0 when left out"`
	Fee           float64 `json:"fee,omitempty" jsonschema:"of the balance a year, a fraction; 0 when left out"`
	Tax           float64 `json:"tax_on_gains,omitempty" jsonschema:"part of each year's gain that is paid as tax, a fraction; 0 when left out"`
	SuccessTarget float64 `json:"success_probability,omitempty" jsonschema:"share of futures for what would be needed: 0.9 when left out"`
	Currency      string  `json:"currency,omitempty" jsonschema:"ISO 4217 code of the sums"`
	marketInput
}

const retirementDescription = `Plays a plan of saving and spending through thousands of possible futures (Monte Carlo, by a normal market or by blocks of the past) or through the past from every start: the share in which the money lasts, percentile paths of the balance, when it ran out, and what start, saving or spending would be needed for a wanted share.
Within a year the withdrawal comes first, then the return less tax and fee, then the contribution. Sums are in today's money and rise with inflation; balances are given in today's money, too. The same seed gives the same answer.
Everything is HYPOTHETICAL: state method, assumptions, paths and seed, and never call a share of futures a probability of real life. Mean and volatility must come from the user or from returns_stats, not from you unasked.`

// newRetirement is the tool that plays a plan.
func newRetirement(d Deps) tool.Tool {
	return tool.New("retirement_simulation", retirementDescription, tool.Reads, func(ctx context.Context, in retirementInput) (tool.Result, error) {
		return d.runRetirement(ctx, in)
	})
}

// defaultSuccessTarget is the share of futures where a call names none.
const defaultSuccessTarget = 0.9

func (d Deps) runRetirement(ctx context.Context, in retirementInput) (tool.Result, error) {
	const name = "retirement_simulation"
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	plan, err := in.plan()
	if err != nil {
		return invalidResult(name, err)
	}
	w, err := d.loadMarket(ctx, in.marketInput, name)
	if err != nil {
		return invalidResult(name, err)
	}
	a, err := simulatePlan(ctx, plan, w, in.SuccessTarget, currency)
	if err != nil {
		return invalidResult(name, err)
	}
	return a.result(w), nil
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
		return p, fmt.Errorf("%w: contribution_years fill all %d years, and leave none of spending; make years the length of the whole plan", simulate.ErrInvalidPlan, in.Years)
	case p.Withdrawal > 0 && p.WithdrawalFrom == 0:
		p.WithdrawalFrom = in.SavingYears + 1
	}
	return p, nil
}

// invalidResult turns what a call can mend into a result for the model.
func invalidResult(name string, err error) (tool.Result, error) {
	switch {
	case errors.Is(err, errInvalidMarket), errors.Is(err, errInvalidBacktest), errors.Is(err, toolkit.ErrPeriod), errors.Is(err, simulate.ErrInvalidPlan), errors.Is(err, simulate.ErrInvalidBacktest):
		return toolkit.InvalidResult(fmt.Errorf("%s: %w", name, err))
	case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange), errors.Is(err, analytics.ErrUnaligned), errors.Is(err, analytics.ErrDisordered):
		return tool.Errorf("%s: %v; no returns can be taken of these prices, leave that instrument out", name, err)
	}
	return toolkit.SourceErrorResult(err)
}

package planning

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type goalInput struct {
	Goal          float64 `json:"goal" jsonschema:"sum wanted, in today's money"`
	Years         int     `json:"years,omitempty" jsonschema:"until it is wanted; leave out to be told how long it takes"`
	Start         float64 `json:"current_balance,omitempty" jsonschema:"set aside today; 0 when left out"`
	Contribution  float64 `json:"annual_contribution,omitempty" jsonschema:"saved at the end of each year, in today's money; leave out to be told how much is needed"`
	Raise         float64 `json:"contribution_raise,omitempty" jsonschema:"a year on top of inflation, a fraction; 0 when left out"`
	Inflation     float64 `json:"inflation,omitempty" jsonschema:"a year, a fraction; raises goal and contribution; 0 when left out"`
	Fee           float64 `json:"fee,omitempty" jsonschema:"of the balance a year, a fraction; 0 when left out"`
	Tax           float64 `json:"tax_on_gains,omitempty" jsonschema:"part of each year's gain that is paid as tax, a fraction; 0 when left out"`
	SuccessTarget float64 `json:"success_probability,omitempty" jsonschema:"share of futures in which the goal is to be met: 0.9 when left out"`
	Currency      string  `json:"currency,omitempty" jsonschema:"ISO 4217 code of the sums"`
	marketInput
}

const goalDescription = `Plans for a sum at a date (a house, studies, a purchase): how likely the goal is met, what must be saved a year or set aside today for a wanted share of futures, and where years is left out how long it takes. without_chance is the same by plain compound interest.
Saving is at the end of each year, sums are in today's money and rise with inflation. Futures come from mean_return and volatility, or from the past of a symbol or of returns given, as in retirement_simulation.
Everything is HYPOTHETICAL: state method, assumptions, paths and seed. For spending from a balance use retirement_simulation.`

// newGoal is the tool that plans for a sum.
func newGoal(d Deps) tool.Tool {
	return tool.New("goal_plan", goalDescription, tool.Reads, func(ctx context.Context, in goalInput) (tool.Result, error) {
		return d.runGoalPlan(ctx, in)
	})
}

func (d Deps) runGoalPlan(ctx context.Context, in goalInput) (tool.Result, error) {
	const name = "goal_plan"
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	if !(in.Goal > 0) {
		return toolkit.InvalidResult(fmt.Errorf("%s: a goal of %v; it must be positive", name, in.Goal))
	}
	w, err := d.loadMarket(ctx, in.marketInput, name)
	if err != nil {
		return invalidResult(name, err)
	}
	plan := simulate.Plan{
		Start: in.Start, Years: in.Years, Contribution: in.Contribution, ContributionYears: in.Years, AnnualRaise: in.Raise, Goal: in.Goal,
		Inflation: in.Inflation, Fee: in.Fee, TaxOnGains: in.Tax,
	}
	if in.Years == 0 {
		if plan.Years, err = yearsToGoal(ctx, plan, w, in.SuccessTarget); err != nil {
			return invalidResult(name, err)
		}
		plan.ContributionYears = plan.Years
	}
	a, err := simulatePlan(ctx, plan, w, in.SuccessTarget, currency)
	if err != nil {
		return invalidResult(name, err)
	}
	if in.Years == 0 {
		a.YearsNeeded = &plan.Years
	}
	if err := a.addCertain(ctx, plan, w); err != nil {
		return invalidResult(name, err)
	}
	return a.result(w), nil
}

// maxSearchYears is how many years a goal may be away where none are given.
const maxSearchYears = 60

// yearsToGoal is the least number of years in which the goal is met in the wanted share
// of the futures.
func yearsToGoal(ctx context.Context, p simulate.Plan, model returnMarket, wanted float64) (int, error) {
	share, err := successTarget(wanted)
	if err != nil {
		return 0, err
	}
	switch {
	case p.Start <= 0 && p.Contribution <= 0:
		return 0, fmt.Errorf("%w: with nothing set aside and nothing saved the goal is never met; give years to be told what is needed", simulate.ErrInvalidPlan)
	case p.Start >= p.Goal:
		return 0, fmt.Errorf("%w: current_balance is the goal already; give years to be told in how many futures it stays so", simulate.ErrInvalidPlan)
	}
	years, err := simulate.YearsToGoal(ctx, p, model.market, model.options, maxSearchYears, share)
	if err == nil && years == 0 {
		err = fmt.Errorf("%w: the goal is not met in %s of the futures within %d years, or within what the past has; save more, or give years to be told what is needed", simulate.ErrInvalidPlan, formatPercent(share), maxSearchYears)
	}
	return years, err
}

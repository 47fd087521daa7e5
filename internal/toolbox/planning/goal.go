package planning

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/simulation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type goalInput struct {
	Goal         float64 `json:"goal" jsonschema:"sum wanted, in today's money"`
	Years        int     `json:"years,omitempty" jsonschema:"until it is wanted; leave out to be told how long it takes"`
	Start        float64 `json:"current_balance,omitempty" jsonschema:"set aside today; 0 when left out"`
	Contribution float64 `json:"annual_contribution,omitempty" jsonschema:"saved at the end of each year, in today's money; leave out to be told how much is needed"`
	Raise        float64 `json:"contribution_raise,omitempty" jsonschema:"a year on top of inflation, a fraction; 0 when left out"`
	Inflation    float64 `json:"inflation,omitempty" jsonschema:"a year, a fraction; raises goal and contribution; 0 when left out"`
	Fee          float64 `json:"fee,omitempty" jsonschema:"of the balance a year, a fraction; 0 when left out"`
	Tax          float64 `json:"tax_on_gains,omitempty" jsonschema:"part of each year's gain that is paid as tax, a fraction; 0 when left out"`
	Wanted       float64 `json:"success_probability,omitempty" jsonschema:"share of futures in which the goal is to be met: 0.9 when left out"`
	Currency     string  `json:"currency,omitempty" jsonschema:"ISO 4217 code of the sums"`
	futures
}

const goalDescription = `Plans for a sum at a date (a house, studies, a purchase): how likely the goal is met, what must be saved a year or set aside today for a wanted share of futures, and where years is left out how long it takes. without_chance is the same by plain compound interest.
Saving is at the end of each year, sums are in today's money and rise with inflation. Futures come from mean_return and volatility, or from the past of a symbol or of returns given, as in retirement_simulation.
Everything is HYPOTHETICAL: state method, assumptions, paths and seed. For spending from a balance use retirement_simulation.`

// newGoal is the tool that plans for a sum.
func newGoal(d Deps) tool.Tool {
	return tool.New("goal_plan", goalDescription, tool.Reads, func(ctx context.Context, in goalInput) (tool.Result, error) {
		return d.planFor(ctx, in)
	})
}

func (d Deps) planFor(ctx context.Context, in goalInput) (tool.Result, error) {
	const name = "goal_plan"
	currency, err := question.Currency(in.Currency)
	if err != nil {
		return present.Invalid(err)
	}
	if !(in.Goal > 0) {
		return present.Invalid(fmt.Errorf("%s: a goal of %v; it must be positive", name, in.Goal))
	}
	w, err := d.worldOf(ctx, in.futures, name)
	if err != nil {
		return refused(name, err)
	}
	plan := simulation.Plan{
		Start: in.Start, Years: in.Years, Contribution: in.Contribution, ContributionYears: in.Years, Raise: in.Raise, Goal: in.Goal,
		Inflation: in.Inflation, Fee: in.Fee, TaxOnGains: in.Tax,
	}
	if in.Years == 0 {
		if plan.Years, err = soonest(ctx, plan, w, in.Wanted); err != nil {
			return refused(name, err)
		}
		plan.ContributionYears = plan.Years
	}
	a, err := played(ctx, plan, w, in.Wanted, currency)
	if err != nil {
		return refused(name, err)
	}
	if in.Years == 0 {
		a.YearsNeeded = &plan.Years
	}
	if err := a.certain(ctx, plan, w); err != nil {
		return refused(name, err)
	}
	return a.result(w), nil
}

// longestSearch is how many years a goal may be away where none are given.
const longestSearch = 60

// soonest is the least number of years in which the goal is met in the wanted share
// of the futures.
func soonest(ctx context.Context, p simulation.Plan, w world, wanted float64) (int, error) {
	share, err := shareWanted(wanted)
	if err != nil {
		return 0, err
	}
	switch {
	case p.Start <= 0 && p.Contribution <= 0:
		return 0, fmt.Errorf("%w: with nothing set aside and nothing saved the goal is never met; give years to be told what is needed", simulation.ErrInput)
	case p.Start >= p.Goal:
		return 0, fmt.Errorf("%w: current_balance is the goal already; give years to be told in how many futures it stays so", simulation.ErrInput)
	}
	years, err := simulation.Soonest(ctx, p, w.market, w.options, longestSearch, share)
	if err == nil && years == 0 {
		err = fmt.Errorf("%w: the goal is not met in %s of the futures within %d years, or within what the past has; save more, or give years to be told what is needed", simulation.ErrInput, percentText(share), longestSearch)
	}
	return years, err
}

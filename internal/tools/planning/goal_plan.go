package planning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type goalInput struct {
	Goal          float64 `json:"goal" jsonschema:"In today's money."`
	Years         int     `json:"years,omitempty" jsonschema:"Omit to solve for it."`
	Start         float64 `json:"current_balance,omitempty"`
	Contribution  float64 `json:"annual_contribution,omitempty" jsonschema:"Omit to solve for it."`
	Raise         float64 `json:"contribution_raise,omitempty" arg:"rare" jsonschema:"Annual, on top of inflation, such as 0.01."`
	Inflation     float64 `json:"inflation,omitempty"`
	Fee           float64 `json:"fee,omitempty" arg:"rare" jsonschema:"Annual, of the balance, such as 0.005. Default 0."`
	Tax           float64 `json:"tax_on_gains,omitempty" arg:"rare" jsonschema:"Tax on the gain of each year, such as 0.25. Default 0."`
	SuccessTarget float64 `json:"success_probability,omitempty" arg:"rare" jsonschema:"Required share of futures. Default 0.9."`
	Currency      string  `json:"currency,omitempty" jsonschema:"ISO 4217 code of the amounts."`
	marketInput
}

const goalDescription = "How likely a savings goal is reached by a date, and the saving needed; without years, how long it takes. Use for a house, studies or a purchase; for spending in retirement use retirement_simulation. HYPOTHETICAL: state method, assumptions, paths and seed."

const goalDetails = `The result has the share of simulated futures that meet the goal, and the annual saving or starting balance needed for success_probability. without_chance is the same with a constant return (compound interest).

Savings are added at the end of each year. Amounts are in today's money; goal and contribution rise with inflation. Futures are drawn from mean_return and volatility, or from past returns of a symbol or your own returns.

` + marketDetails

const goalKeywords = "goal target save saving savings house home down payment college education tuition purchase reach afford monthly yearly contribution plan accumulate million deadline 目标 储蓄 攒钱 买房 首付 学费 每年存多少 存钱 计划"

var goalPhrasings = []string{
	"how much must I save a year to have <num> in <num> years",
	"will I reach <num> by <num>",
	"saving for a house that costs <num>",
	"how long until I have <num> if I save <num> a year",
	"college fund of <num> in <num> years",
	"<num>年攒够<num>万每年要存多少",
	"多久能存到<num>",
	"存钱买房的计划",
}

// newGoal returns the tool that plans for a savings goal.
func newGoal(d Deps) tool.Tool {
	return toolkit.New("goal_plan", goalDescription, tool.Reads, func(ctx context.Context, in goalInput) (planResult, error) {
		a, err := d.runGoalPlan(ctx, in)
		return a, refusal("goal_plan", err)
	}).
		WithDetails(goalDetails).Find("planning", goalKeywords, goalPhrasings...)
}

func (d Deps) runGoalPlan(ctx context.Context, in goalInput) (planResult, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return planResult{}, err
	}
	if !(in.Goal > 0) {
		return planResult{}, toolkit.InvalidArgsf("goal_plan: goal %v must be positive", in.Goal)
	}
	w, err := d.loadMarket(ctx, in.marketInput)
	if err != nil {
		return planResult{}, err
	}
	plan := simulate.Plan{
		Start: in.Start, Years: in.Years, Contribution: in.Contribution, ContributionYears: in.Years, AnnualRaise: in.Raise, Goal: in.Goal,
		Inflation: in.Inflation, Fee: in.Fee, TaxOnGains: in.Tax,
	}
	if in.Years == 0 {
		if plan.Years, err = yearsToGoal(ctx, plan, w, in.SuccessTarget); err != nil {
			return planResult{}, err
		}
		plan.ContributionYears = plan.Years
	}
	a, err := simulatePlan(ctx, plan, w, in.SuccessTarget, currency)
	if err != nil {
		return planResult{}, err
	}
	if in.Years == 0 {
		a.YearsNeeded = &plan.Years
	}
	return a, a.addCertain(ctx, plan, w)
}

// maxSearchYears limits the years to a goal if the call gives none.
const maxSearchYears = 60

// yearsToGoal returns the smallest number of years in which the goal is met in the required share
// of futures.
func yearsToGoal(ctx context.Context, p simulate.Plan, model returnMarket, target float64) (int, error) {
	share, err := successTarget(target)
	if err != nil {
		return 0, err
	}
	switch {
	case p.Start <= 0 && p.Contribution <= 0:
		return 0, fmt.Errorf("%w: without a balance or savings the goal is never met; set years to compute what is needed", simulate.ErrInvalidPlan)
	case p.Start >= p.Goal:
		return 0, fmt.Errorf("%w: current_balance already meets the goal; set years to compute how often the balance stays above it", simulate.ErrInvalidPlan)
	}
	years, err := simulate.YearsToGoal(ctx, p, model.market, model.options, maxSearchYears, share)
	if err == nil && years == 0 {
		err = fmt.Errorf("%w: the goal is not met in %s of futures within %d years, or within the available history; save more, or set years to compute what is needed", simulate.ErrInvalidPlan, formatPercent(share), maxSearchYears)
	}
	return years, err
}

// constantReturn is a plan with the same return every year: compound interest.
type constantReturn struct {
	Growth  float64  `json:"growth" label:"annual growth, constant return" as:"rate" formula:"the given mean, or the compound growth of the past"` // before fee and tax
	Balance float64  `json:"ending_balance" label:"balance at the end, constant return" as:"money"`
	Start   float64  `json:"needed_start" label:"balance needed today, constant return" as:"money"`
	Contrib *float64 `json:"needed_contribution,omitempty" label:"annual saving needed, constant return" as:"money"`
}

// addCertain runs the plan with a constant return, as other calculators do. If returns vary, more
// than half of the futures end below it.
func (a *planResult) addCertain(ctx context.Context, p simulate.Plan, w returnMarket) error {
	o, err := simulate.Simulate(ctx, p, simulate.HistoricalSequences{PastReturns: simulate.PastReturns{Returns: slices.Repeat([]float64{w.growth}, p.Years), PerYear: 1}}, simulate.SimulationOptions{})
	if err != nil {
		return err
	}
	end := o.Balances[p.Years].P50 * math.Pow(1+p.Inflation, -float64(p.Years))
	start, err := o.NeededStart(1)
	if err != nil {
		return err
	}
	a.Certain = &constantReturn{Growth: w.growth, Balance: end, Start: a.roundToCoin(start, math.Ceil)}
	if v, err := o.NeededContribution(1); err == nil {
		v = a.roundToCoin(v, math.Ceil)
		a.Certain.Contrib = &v
	}
	if drawn, ok := w.market.(simulate.NormalReturns); ok && drawn.Deviation > 0 {
		a.Warnings.Warn("arithmetic_mean", "If returns vary, more than half of the outcomes end below the figures with a constant return.")
	}
	return nil
}

package planning

import (
	"context"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
)

// constantReturn is a plan where every year brings the same: compound interest.
type constantReturn struct {
	Growth  float64  `json:"growth" label:"growth a year without chance" as:"rate" formula:"the mean given, or the compound growth of the past"` // before fee and tax
	Balance float64  `json:"ending_balance" label:"balance at the end without chance" as:"money"`
	Start   float64  `json:"needed_start" label:"balance needed today without chance" as:"money"`
	Contrib *float64 `json:"needed_contribution,omitempty" label:"saving a year needed without chance" as:"money"`
}

// addCertain plays the plan with one rate of growth. Half of the futures and more end
// below it where returns scatter; it is the number that calculators elsewhere give.
func (a *planResult) addCertain(ctx context.Context, p simulate.Plan, w returnMarket) error {
	o, err := simulate.Simulate(ctx, p, simulate.HistoricalSequences{PastReturns: constantReturns(w.growth, p.Years)}, simulate.SimulationOptions{})
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
		a.Warnings.Warn("arithmetic_mean", "without chance means the arithmetic mean every year: more than half of the futures end below it where returns scatter")
	}
	return nil
}

func constantReturns(growth float64, years int) simulate.PastReturns {
	p := simulate.PastReturns{PerYear: 1}
	for range years {
		p.Returns = append(p.Returns, growth)
	}
	return p
}

package planning

import (
	"context"
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// constantReturnJSON is a plan where every year brings the same: compound interest.
type constantReturnJSON struct {
	Growth  float64  `json:"growth"` // a year, before fee and tax
	Balance float64  `json:"ending_balance"`
	Start   float64  `json:"needed_start"`
	Contrib *float64 `json:"needed_contribution,omitempty"`
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
	a.Certain = &constantReturnJSON{Growth: toolkit.RoundFraction(w.growth), Balance: toolkit.RoundDecimal(end, a.places()).InexactFloat64(), Start: a.roundToCoin(start, math.Ceil)}
	if v, err := o.NeededContribution(1); err == nil {
		v = a.roundToCoin(v, math.Ceil)
		a.Certain.Contrib = &v
	}
	if drawn, ok := w.market.(simulate.NormalReturns); ok && drawn.Deviation > 0 {
		a.Warnings = append(a.Warnings, "without chance means the arithmetic mean every year: more than half of the futures end below it where returns scatter")
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

func (c *constantReturnJSON) lines(money string) []toolkit.SheetLine {
	if c == nil {
		return nil
	}
	each := fmt.Sprintf("compound interest at %s a year, less fee and tax", formatPercent(c.Growth))
	line := func(id, label string, v float64) toolkit.SheetLine {
		return toolkit.SheetLine{ID: id, Label: label, Value: toolkit.RoundDecimal(v, 4), Unit: money, Formula: each}
	}
	out := []toolkit.SheetLine{
		{ID: "certain_growth", Label: "growth a year without chance", Value: toolkit.RoundPercent(c.Growth, 4), Unit: "%", Formula: "the mean given, or the compound growth of the past"},
		line("certain_balance", "balance at the end without chance", c.Balance),
		line("certain_start", "balance needed today without chance", c.Start),
	}
	if c.Contrib != nil {
		out = append(out, line("certain_contribution", "saving a year needed without chance", *c.Contrib))
	}
	return out
}

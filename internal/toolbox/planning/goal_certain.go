package planning

import (
	"context"
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/simulation"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// certainJSON is a plan where every year brings the same: compound interest.
type certainJSON struct {
	Growth  float64  `json:"growth"` // a year, before fee and tax
	Balance float64  `json:"ending_balance"`
	Start   float64  `json:"needed_start"`
	Contrib *float64 `json:"needed_contribution,omitempty"`
}

// certain plays the plan with one rate of growth. Half of the futures and more end
// below it where returns scatter; it is the number that calculators elsewhere give.
func (a *planAnswer) certain(ctx context.Context, p simulation.Plan, w world) error {
	o, err := simulation.Run(ctx, p, simulation.Sequences{Past: steady(w.growth, p.Years)}, simulation.Options{})
	if err != nil {
		return err
	}
	end := o.Balances[p.Years].P50 * math.Pow(1+p.Inflation, -float64(p.Years))
	start, err := o.NeededStart(1)
	if err != nil {
		return err
	}
	a.Certain = &certainJSON{Growth: present.Fraction(w.growth), Balance: present.Rounded(end, a.places()).InexactFloat64(), Start: a.whole(start, math.Ceil)}
	if v, err := o.NeededContribution(1); err == nil {
		v = a.whole(v, math.Ceil)
		a.Certain.Contrib = &v
	}
	if drawn, ok := w.market.(simulation.Normal); ok && drawn.Deviation > 0 {
		a.Warnings = append(a.Warnings, "without chance means the arithmetic mean every year: more than half of the futures end below it where returns scatter")
	}
	return nil
}

func steady(growth float64, years int) simulation.Past {
	p := simulation.Past{PerYear: 1}
	for range years {
		p.Returns = append(p.Returns, growth)
	}
	return p
}

func (c *certainJSON) lines(money string) []present.Line {
	if c == nil {
		return nil
	}
	each := fmt.Sprintf("compound interest at %s a year, less fee and tax", percentText(c.Growth))
	line := func(id, label string, v float64) present.Line {
		return present.Line{ID: id, Label: label, Value: present.Rounded(v, 4), Unit: money, Formula: each}
	}
	out := []present.Line{
		{ID: "certain_growth", Label: "growth a year without chance", Value: present.RoundedPercent(c.Growth, 4), Unit: "%", Formula: "the mean given, or the compound growth of the past"},
		line("certain_balance", "balance at the end without chance", c.Balance),
		line("certain_start", "balance needed today without chance", c.Start),
	}
	if c.Contrib != nil {
		out = append(out, line("certain_contribution", "saving a year needed without chance", *c.Contrib))
	}
	return out
}

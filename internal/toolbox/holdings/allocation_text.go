package holdings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func (a allocationAnswer) result(hide bool) (tool.Result, error) {
	most := 0
	for _, d := range a.Dimensions {
		most = max(most, len(d.Parts))
	}
	text, err := present.Fitted(most, func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := present.Warned(fmt.Sprintf("%d symbols", len(a.Prices)), a.Warnings, book.LoudOf(a.Prices))
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: "allocation · " + a.Day, Summary: summary, Figures: a.figures(), Chart: a.chart(),
	}, nil
}

// chart draws the parts by symbol, the finest of the dimensions; nil where nothing has
// a value.
func (a allocationAnswer) chart() *chart.Spec {
	var parts []chart.Part
	for _, d := range a.Dimensions {
		if d.By != bySymbol {
			continue
		}
		for _, p := range d.Parts {
			parts = append(parts, chart.Part{Label: p.Name, Value: p.worth.InexactFloat64()})
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &chart.Spec{Kind: chart.KindBars, Title: "Allocation by symbol", Unit: a.Currency, Parts: parts}
}

// forModel has at most n parts of each dimension, without sums where amounts are the
// user's own matter.
func (a allocationAnswer) forModel(n int, hide bool) any {
	a.Dimensions = slices.Clone(a.Dimensions)
	var fewer []string
	for i, d := range a.Dimensions {
		parts := slices.Clone(d.Parts[:min(n, len(d.Parts))])
		if left := len(d.Parts) - len(parts); left > 0 {
			fewer = append(fewer, fmt.Sprintf("the %d smallest by %s are left out here", left, d.By))
		}
		for j := range parts {
			if hide {
				parts[j].Value = nil
			}
		}
		a.Dimensions[i].Parts = parts
	}
	a.Prices = a.Prices[:min(n, len(a.Prices))]
	a.Drift = a.Drift[:min(n, len(a.Drift))]
	if hide {
		a.Total = nil
		a.Warnings, a.Notes = present.MaskedAll(a.Warnings, present.KeptSaid, a.spared...), append(present.MaskedAll(a.Notes, present.KeptSaid, a.spared...), present.AmountsHidden)
	}
	// Behind the masking: how many there are is no amount.
	a.Notes, a.Outside = slices.Concat(a.Notes, fewer), outsideNames
	return a
}

func (a allocationAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Allocation** on %s · %s\n\n", a.Day, present.Cell(strings.Join(a.Accounts, ", ")))
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", present.Cell(present.ForPeople(w)))
	}
	for _, d := range a.Dimensions {
		b.WriteString(d.table(a.Currency) + "\n")
	}
	if len(a.Drift) > 0 {
		rows := make([][]string, len(a.Drift))
		for i, l := range a.Drift {
			rows[i] = []string{l.Symbol, l.WeightPct.StringFixed(2), present.Percent(l.TargetPct), present.Change(l.DriftPP)}
		}
		b.WriteString(present.Table([]string{"target of", "weight %:", "target %:", "drift points:"}, rows) + "\n")
	}
	for _, u := range a.Unvalued {
		fmt.Fprintf(&b, "- without a value: %s: %s; %s\n", present.Cell(u.What), present.Cell(u.Reason), present.Cell(present.ForPeople(u.Do)))
	}
	for _, n := range a.Notes {
		b.WriteString("- " + present.Cell(present.ForPeople(n)) + "\n")
	}
	b.WriteString("\n" + book.Footers(a.Prices, a.Rates))
	return b.String()
}

// allocationBar is how many characters the longest bar of a dimension has.
const allocationBar = 10

func (d dimension) table(currency string) string {
	largest := decimal.Zero
	for _, p := range d.Parts {
		if p.WeightPct != nil {
			largest = decimal.Max(largest, *p.WeightPct)
		}
	}
	rows := make([][]string, len(d.Parts))
	for i, p := range d.Parts {
		rows[i] = []string{p.Name, present.Percent(p.WeightPct), barOf(p.WeightPct, largest, allocationBar), book.Shown(p.Value, currency)}
	}
	return present.Table([]string{"by " + d.By, "weight %:", "", currency + ":"}, rows)
}

func (a allocationAnswer) figures() []tool.Figure {
	source := book.SourcesOf(a.Prices)
	out := book.RateFigures(a.Rates)
	add := func(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{ID: id, Label: label, Value: *v, Unit: unit, AsOf: a.day, Source: source, Formula: formula, Inputs: inputs})
		}
	}
	total := present.Input("total", a.total, a.Currency)
	add("total", "value of the book", a.Total, a.Currency, "sum of all values")
	for _, d := range a.Dimensions {
		for _, p := range d.Parts {
			id, label := d.By+"."+p.Name, d.By+" "+p.Name
			add(id+".value", label, p.Value, a.Currency, "sum of "+book.FormulaValue)
			if p.Value != nil {
				add(id+".weight_pct", "weight of "+label, p.WeightPct, "%", formulaWeight, present.Input("value", *p.Value, a.Currency), total)
			}
		}
	}
	for _, l := range a.Drift {
		add("drift."+l.Symbol+".target_pct", "target of "+l.Symbol, l.TargetPct, "%", "as the user set it; what all leave is for cash")
		if l.DriftPP != nil {
			add("drift."+l.Symbol+".drift_pp", "drift of "+l.Symbol, l.DriftPP, "percentage points", "weight - target",
				present.Input("weight", l.WeightPct, "%"), present.Input("target", *l.TargetPct, "%"))
		}
	}
	return out
}

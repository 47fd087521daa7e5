package positions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a allocationAnswer) result(hide bool) (tool.Result, error) {
	maxParts := 0
	for _, d := range a.Dimensions {
		maxParts = max(maxParts, len(d.Parts))
	}
	text, err := toolkit.FitToLimit(maxParts, func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	summary := toolkit.WithWarningCount(fmt.Sprintf("%d symbols", len(a.Prices)), a.Warnings, JoinFlagText(a.Prices))
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
			parts = append(parts, chart.Part{Label: p.Name, Value: p.marketValue.InexactFloat64()})
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
		if omitted := len(d.Parts) - len(parts); omitted > 0 {
			fewer = append(fewer, fmt.Sprintf("the %d smallest by %s are left out here", omitted, d.By))
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
		a.Warnings, a.Notes = toolkit.MaskEach(a.Warnings, toolkit.KeepMessageNumbers, a.maskExempt...), append(toolkit.MaskEach(a.Notes, toolkit.KeepMessageNumbers, a.maskExempt...), toolkit.AmountsHiddenNote)
	}
	// Behind the masking: how many there are is no amount.
	a.Notes, a.Outside = slices.Concat(a.Notes, fewer), outsideNamesNote
	return a
}

func (a allocationAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Allocation** on %s · %s\n\n", a.Day, toolkit.TableCell(strings.Join(a.Accounts, ", ")))
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", toolkit.TableCell(toolkit.TextForUser(w)))
	}
	for _, d := range a.Dimensions {
		b.WriteString(d.table(a.Currency) + "\n")
	}
	if len(a.Drift) > 0 {
		rows := make([][]string, len(a.Drift))
		for i, l := range a.Drift {
			rows[i] = []string{l.Symbol, l.WeightPct.StringFixed(2), toolkit.FormatPercent(l.TargetPct), toolkit.FormatChange(l.DriftPP)}
		}
		b.WriteString(toolkit.MarkdownTable([]string{"target of", "weight %:", "target %:", "drift points:"}, rows) + "\n")
	}
	for _, u := range a.Unvalued {
		fmt.Fprintf(&b, "- without a value: %s: %s; %s\n", toolkit.TableCell(u.What), toolkit.TableCell(u.Reason), toolkit.TableCell(toolkit.TextForUser(u.Do)))
	}
	for _, n := range a.Notes {
		b.WriteString("- " + toolkit.TableCell(toolkit.TextForUser(n)) + "\n")
	}
	b.WriteString("\n" + OriginFooters(a.Prices, a.Rates))
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
		rows[i] = []string{p.Name, toolkit.FormatPercent(p.WeightPct), weightBarOf(p.WeightPct, largest, allocationBar), FormatMoney(p.Value, currency)}
	}
	return toolkit.MarkdownTable([]string{"by " + d.By, "weight %:", "", currency + ":"}, rows)
}

func (a allocationAnswer) figures() []tool.Figure {
	source := JoinSources(a.Prices)
	out := RateFigures(a.Rates)
	add := func(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{ID: id, Label: label, Value: *v, Unit: unit, AsOf: a.day, Source: source, Formula: formula, Inputs: inputs})
		}
	}
	total := toolkit.FigureInput("total", a.total, a.Currency)
	add("total", "value of the book", a.Total, a.Currency, "sum of all values")
	for _, d := range a.Dimensions {
		for _, p := range d.Parts {
			id, label := d.By+"."+p.Name, d.By+" "+p.Name
			add(id+".value", label, p.Value, a.Currency, "sum of "+FormulaValue)
			if p.Value != nil {
				add(id+".weight_pct", "weight of "+label, p.WeightPct, "%", formulaWeight, toolkit.FigureInput("value", *p.Value, a.Currency), total)
			}
		}
	}
	for _, l := range a.Drift {
		add("drift."+l.Symbol+".target_pct", "target of "+l.Symbol, l.TargetPct, "%", "as the user set it; what all leave is for cash")
		if l.DriftPP != nil {
			add("drift."+l.Symbol+".drift_pp", "drift of "+l.Symbol, l.DriftPP, "percentage points", "weight - target",
				toolkit.FigureInput("weight", l.WeightPct, "%"), toolkit.FigureInput("target", *l.TargetPct, "%"))
		}
	}
	return out
}

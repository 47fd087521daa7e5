package positions

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Formulas of the tools of this package, in addition to those that several portfolio tools use.
const (
	formulaWeight = "value / total * 100"
	formulaDay    = "(price - price before) * quantity * exchange rate of now"
)

func (a positionsAnswer) figures() []tool.Figure {
	var out []tool.Figure
	add := func(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{ID: id, Label: label, Value: *v, Unit: unit, AsOf: a.day, Source: LedgerSource, Formula: formula, Inputs: inputs})
		}
	}
	var parts, costs, moves []string
	for _, p := range a.Positions {
		figures := p.figures(a.Currency, a.Total)
		out = append(out, figures...)
		if p.ValueBase != nil {
			parts = append(parts, toolkit.FigureInput(string(p.Symbol), *p.ValueBase, a.Currency))
		}
		if p.CostBase != nil {
			costs = append(costs, toolkit.FigureInput("cost of "+string(p.Symbol), *p.CostBase, a.Currency))
		}
		if p.DayChange != nil {
			moves = append(moves, toolkit.FigureInput(string(p.Symbol), *p.DayChange, a.Currency))
		}
	}
	for _, c := range a.Cash {
		id := "cash." + c.Account + "." + c.Currency
		label := fmt.Sprintf("cash of %s in %s", c.Account, c.Currency)
		add(id, label, c.Amount, c.Currency, "sum of all postings of the account")
		add(id+".weight_pct", "weight of "+label, c.WeightPct, "%", formulaWeight)
		if c.ValueBase != nil {
			add(id+".value_base", label+", worth", c.ValueBase, a.Currency, "amount * exchange rate", toolkit.FigureInput("rate", c.cash.Rate.Value, "of "+toolkit.FormatDate(c.cash.Rate.Rate.Date)))
			parts = append(parts, toolkit.FigureInput(label, *c.ValueBase, a.Currency))
		}
	}
	out = append(out, RateFigures(a.Rates)...)
	add("total", "value of the book", a.Total, a.Currency, "sum of all values", parts...)
	add("cost_base", "cost of all positions", a.Cost, a.Currency, FormulaBaseCost, costs...)
	add("gain_base", "unrealised gain", a.Gain, a.Currency, FormulaGain, append(parts, costs...)...)
	add("gain_base_pct", "unrealised gain", a.GainPct, "%", "gain / cost * 100", costs...)
	add("day_change_base", "change since the closes before", a.DayChange, a.Currency, formulaDay, moves...)
	add("day_change_pct", "change since the closes before", a.DayChangePct, "%", "change / (total - change) * 100", moves...)
	add("positions", "number of positions", toolkit.CountValue(len(a.Positions)), "positions", "")
	return out
}

func (p positionLine) figures(base string, total *decimal.Decimal) []tool.Figure {
	asOf, source := p.line.Price.Provenance.AsOf, p.line.Price.Provenance.Source
	var out []tool.Figure
	add := func(id string, v *decimal.Decimal, unit, from, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{
				ID: string(p.Symbol) + "." + id, Label: fmt.Sprintf("%s %s", p.Symbol, id), Value: *v, Unit: unit, AsOf: asOf, Source: from, Formula: formula, Inputs: inputs,
			})
		}
	}
	add("quantity", p.Quantity, "units", LedgerSource, "sum of all lots")
	if p.Cost != nil {
		add("cost", p.Cost, p.CostCurrency, LedgerSource, "sum of what all lots cost, fees included")
	}
	if p.Price == nil {
		return out
	}
	currency, both := p.Origin.Currency, LedgerSource+"; "+source
	inputs := []string{toolkit.FigureInput("quantity", *p.Quantity, ""), toolkit.FigureInput("price", *p.Price, currency)}
	add("price", p.Price, currency, source, "")
	add("value", p.Value, currency, both, "quantity * price", inputs...)
	if p.ValueBase != nil && p.line.Rate.Provenance.Source != "" {
		inputs = append(inputs, toolkit.FigureInput("rate "+p.line.Rate.Pair.String(), p.line.Rate.Value, "of "+toolkit.FormatDate(p.line.Rate.Rate.Date)))
	}
	add("value_base", p.ValueBase, base, both, FormulaValue, inputs...)
	if total != nil && p.ValueBase != nil {
		add("weight_pct", p.WeightPct, "%", both, formulaWeight, toolkit.FigureInput("value", *p.ValueBase, base), toolkit.FigureInput("total", *total, base))
	}
	if p.Gain != nil {
		spent := []string{toolkit.FigureInput("value", *p.Value, currency), toolkit.FigureInput("cost", *p.Cost, currency)}
		add("gain", p.Gain, currency, both, "value - cost", spent...)
		add("gain_pct", p.GainPct, "%", both, "(value - cost) / cost * 100", spent...)
	}
	if p.GainBase != nil {
		spent := []string{toolkit.FigureInput("value", *p.ValueBase, base), toolkit.FigureInput("cost", *p.CostBase, base)}
		add("cost_base", p.CostBase, base, both, FormulaBaseCost)
		add("gain_base", p.GainBase, base, both, FormulaGain, spent...)
		add("gain_base_pct", p.GainBasePct, "%", both, "(value - cost) / cost * 100", spent...)
	}
	if p.DayChangePct != nil {
		moved := []string{toolkit.FigureInput("price", *p.Price, currency), toolkit.FigureInput("price before", p.line.Price.Previous.Decimal, currency+" of "+p.PreviousAsOf)}
		add("day_change_pct", p.DayChangePct, "%", source, "(price - price before) / price before * 100", moved...)
		add("day_change_base", p.DayChange, base, both, formulaDay, moved...)
	}
	return out
}

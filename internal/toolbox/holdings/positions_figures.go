package holdings

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// ours is the source of what is computed from the user's book.
const ours = "the user's book"

const (
	formulaValue  = "quantity * price * exchange rate"
	formulaWeight = "value / total * 100"
	formulaGain   = "value - cost; cost = " + formulaBaseCost
	formulaDay    = "(price - price before) * quantity * exchange rate of now"
)

func (a positionsAnswer) figures() []tool.Figure {
	var out []tool.Figure
	add := func(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
		if v != nil {
			out = append(out, tool.Figure{ID: id, Label: label, Value: *v, Unit: unit, AsOf: a.day, Source: ours, Formula: formula, Inputs: inputs})
		}
	}
	var parts, costs, moves []string
	for _, p := range a.Positions {
		figures := p.figures(a.Currency, a.Total)
		out = append(out, figures...)
		if p.ValueBase != nil {
			parts = append(parts, inWords(string(p.Symbol), *p.ValueBase, a.Currency))
		}
		if p.CostBase != nil {
			costs = append(costs, inWords("cost of "+string(p.Symbol), *p.CostBase, a.Currency))
		}
		if p.DayChange != nil {
			moves = append(moves, inWords(string(p.Symbol), *p.DayChange, a.Currency))
		}
	}
	for _, c := range a.Cash {
		id := "cash." + c.Account + "." + c.Currency
		label := fmt.Sprintf("cash of %s in %s", c.Account, c.Currency)
		add(id, label, c.Amount, c.Currency, "sum of all postings of the account")
		add(id+".weight_pct", "weight of "+label, c.WeightPct, "%", formulaWeight)
		if c.ValueBase != nil {
			add(id+".value_base", label+", worth", c.ValueBase, a.Currency, "amount * exchange rate", inWords("rate", c.cash.Rate.Value, "of "+present.Dated(c.cash.Rate.Rate.Date)))
			parts = append(parts, inWords(label, *c.ValueBase, a.Currency))
		}
	}
	out = append(out, rateFigures(a.Rates)...)
	add("total", "value of the book", a.Total, a.Currency, "sum of all values", parts...)
	add("cost_base", "cost of all positions", a.Cost, a.Currency, formulaBaseCost, costs...)
	add("gain_base", "unrealised gain", a.Gain, a.Currency, formulaGain, append(parts, costs...)...)
	add("gain_base_pct", "unrealised gain", a.GainPct, "%", "gain / cost * 100", costs...)
	add("day_change_base", "change since the closes before", a.DayChange, a.Currency, formulaDay, moves...)
	add("day_change_pct", "change since the closes before", a.DayChangePct, "%", "change / (total - change) * 100", moves...)
	add("positions", "number of positions", countOf(len(a.Positions)), "positions", "")
	return out
}

// rateFigures are the exchange rates of an answer.
func rateFigures(rates []rateLine) []tool.Figure {
	var out []tool.Figure
	for _, r := range rates {
		out = append(out, tool.Figure{ID: "rate." + r.Pair, Label: "rate of " + r.Pair, Value: r.Rate, Unit: "rate", AsOf: r.day, Source: r.Source})
	}
	return out
}

func countOf(n int) *decimal.Decimal {
	d := decimal.NewFromInt(int64(n))
	return &d
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
	add("quantity", p.Quantity, "units", ours, "sum of all lots")
	if p.Cost != nil {
		add("cost", p.Cost, p.CostCurrency, ours, "sum of what all lots cost, fees included")
	}
	if p.Price == nil {
		return out
	}
	currency, both := p.Origin.Currency, ours+"; "+source
	inputs := []string{inWords("quantity", *p.Quantity, ""), inWords("price", *p.Price, currency)}
	add("price", p.Price, currency, source, "")
	add("value", p.Value, currency, both, "quantity * price", inputs...)
	if p.ValueBase != nil && p.line.Rate.Provenance.Source != "" {
		inputs = append(inputs, inWords("rate "+p.line.Rate.Pair.String(), p.line.Rate.Value, "of "+present.Dated(p.line.Rate.Rate.Date)))
	}
	add("value_base", p.ValueBase, base, both, formulaValue, inputs...)
	if total != nil && p.ValueBase != nil {
		add("weight_pct", p.WeightPct, "%", both, formulaWeight, inWords("value", *p.ValueBase, base), inWords("total", *total, base))
	}
	if p.Gain != nil {
		spent := []string{inWords("value", *p.Value, currency), inWords("cost", *p.Cost, currency)}
		add("gain", p.Gain, currency, both, "value - cost", spent...)
		add("gain_pct", p.GainPct, "%", both, "(value - cost) / cost * 100", spent...)
	}
	if p.GainBase != nil {
		spent := []string{inWords("value", *p.ValueBase, base), inWords("cost", *p.CostBase, base)}
		add("cost_base", p.CostBase, base, both, formulaBaseCost)
		add("gain_base", p.GainBase, base, both, formulaGain, spent...)
		add("gain_base_pct", p.GainBasePct, "%", both, "(value - cost) / cost * 100", spent...)
	}
	if p.DayChangePct != nil {
		moved := []string{inWords("price", *p.Price, currency), inWords("price before", p.line.Price.Previous.Decimal, currency+" of "+p.PreviousAsOf)}
		add("day_change_pct", p.DayChangePct, "%", source, "(price - price before) / price before * 100", moved...)
		add("day_change_base", p.DayChange, base, both, formulaDay, moved...)
	}
	return out
}

package positions

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxLotFigures bounds the figures of one answer: those of the lines that are shown.
const maxLotFigures = maxLotRows

func (a lotsAnswer) figures() []tool.Figure {
	g := &toolkit.Figures{AsOf: a.day, Source: JoinSources(a.Prices)}
	g.All = append(g.All, RateFigures(a.Rates)...)
	for _, l := range firstN(a.Open, maxLotFigures) {
		l.figures(g, a.Currency)
	}
	for i, c := range firstN(a.Closed, maxLotFigures) {
		c.figures(g, i+1, a.Currency)
	}
	for _, y := range a.Years {
		id := fmt.Sprintf("%d.%s.%s.%s.%t", y.Year, y.Owner, termText(y.Term), y.Currency, y.Untaxed)
		label := fmt.Sprintf("%d, %s in %s%s", y.Year, termText(y.Term), y.Currency, untaxedMark(y.Untaxed))
		g.Add(id+".proceeds", "proceeds of "+label, y.Proceeds, y.Currency, "sum of the sales")
		g.Add(id+".cost", "cost of "+label, y.Cost, y.Currency, "sum of the sales, with what wash sales added")
		g.Add(id+".disallowed", "disallowed losses of "+label, y.Disallowed, y.Currency, "sum of wash sales")
		g.Add(id+".gain", "gain of "+label, y.Gain, y.Currency, "proceeds - cost + disallowed",
			toolkit.FigureInput("proceeds", *y.Proceeds, ""), toolkit.FigureInput("cost", *y.Cost, ""), toolkit.FigureInput("disallowed", *y.Disallowed, ""))
		g.Add(id+".sales", "sales of "+label, toolkit.CountValue(y.Sales), "sales", "")
	}
	for _, y := range a.BaseYears {
		g.Add(fmt.Sprintf("%d.%s.%t.gain_base", y.Year, termText(y.Term), y.Untaxed), fmt.Sprintf("gain of %d, %s%s, before wash sales", y.Year, termText(y.Term), untaxedMark(y.Untaxed)),
			y.Gain, a.Currency, formulaRealisedBase, fmt.Sprintf("%d sales, %d of them not known", y.Sales, y.Unknown))
	}
	for i, w := range firstN(a.Washes, maxLotFigures) {
		id := fmt.Sprintf("wash.%s.%s.%s.%d", w.Sale, w.Lot, w.Replacement, i+1)
		g.Add(id+".disallowed", fmt.Sprintf("disallowed loss of %s sold on %s", w.Symbol, toolkit.FormatDate(w.Date)), w.Disallowed, w.Currency,
			"loss * quantity replaced / quantity sold", toolkit.FigureInput("quantity", *w.Quantity, ""), "replaced by "+w.Replacement+" on "+toolkit.FormatDate(w.ReplacementDate))
		g.Add(id+".quantity", "quantity sold that was replaced", w.Quantity, "units", "")
		g.Add(id+".replacement_quantity", "quantity that replaced it", w.Replaced, "units", "")
		days := decimal.NewFromInt(int64(w.Days))
		g.Add(id+".days", "days to the replacement", &days, "days", "")
	}
	for i, w := range firstN(a.Waiting, maxLotFigures) {
		id := fmt.Sprintf("open.%s.%s.%d", w.Sale, w.Lot, i+1)
		g.Add(id+".quantity", "quantity sold that is not replaced", w.Quantity, "units", "")
		g.Add(id+".loss", fmt.Sprintf("loss of %s sold on %s that a purchase would disallow", w.Symbol, w.Sold), w.Loss, w.Currency, "cost - proceeds of what is not replaced")
	}
	return g.All
}

const formulaRealisedBase = "sum of proceeds * rate of the day of sale - cost * rate of the day of acquisition"

func (l openLot) figures(g *toolkit.Figures, base string) {
	id := fmt.Sprintf("lot.%s.%s.%s", l.Symbol, l.Account, l.Lot)
	suffix := fmt.Sprintf("of %s acquired %s", l.Symbol, l.Acquired)
	g.Add(id+".quantity", "quantity "+suffix, l.Quantity, "units", "")
	g.Add(id+".cost", "cost "+suffix, l.Cost, l.CostUnit, "what it cost, fees included")
	if l.DaysHeld != nil {
		g.Add(id+".days_held", "days held "+suffix, toolkit.CountValue(*l.DaysHeld), "days", "today - acquired")
	}
	for i, added := range l.Added {
		key := fmt.Sprintf("%s.added.%d", id, i+1)
		g.Add(key, "added by a wash sale to the cost "+suffix, added.Amount, added.Currency, "the loss that was disallowed")
		g.Add(key+".quantity", "quantity that it went to "+suffix, added.Quantity, "units", "")
	}
	if l.Value == nil {
		return
	}
	price := []string{toolkit.FigureInput("quantity", *l.Quantity, ""), toolkit.FigureInput("price", *l.Price, l.PriceUnit+" of "+toolkit.FormatDate(l.asOf))}
	g.Add(id+".value", "value "+suffix, l.Value, l.PriceUnit, "quantity * price", price...)
	g.Add(id+".price", "price of "+string(l.Symbol), l.Price, l.PriceUnit, "")
	if l.Gain != nil {
		spent := []string{toolkit.FigureInput("value", *l.Value, l.PriceUnit), toolkit.FigureInput("cost", *l.Cost, l.CostUnit)}
		g.Add(id+".gain", "gain "+suffix, l.Gain, l.CostUnit, "value - cost", spent...)
		g.Add(id+".gain_pct", "gain "+suffix, l.GainPct, "%", "(value - cost) / cost * 100", spent...)
	}
	g.Add(id+".value_base", "value "+suffix, l.ValueBase, base, FormulaValue, price...)
	if l.GainBase != nil {
		spent := []string{toolkit.FigureInput("value", *l.ValueBase, base), toolkit.FigureInput("cost", *l.CostBase, base)}
		g.Add(id+".cost_base", "cost "+suffix, l.CostBase, base, FormulaBaseCost)
		g.Add(id+".gain_base", "gain "+suffix, l.GainBase, base, FormulaGain, spent...)
		g.Add(id+".gain_with_wash_sales_base", "gain with what wash sales added to the cost "+suffix, l.TaxGain, base, FormulaGain+" - what was added", spent...)
		g.Add(id+".gain_base_pct", "gain "+suffix, l.GainBasePct, "%", "(value - cost) / cost * 100", spent...)
	}
}

func (c closedLot) figures(g *toolkit.Figures, place int, base string) {
	id := fmt.Sprintf("sale.%s.%s.%d", c.Transaction, c.Lot, place)
	suffix := fmt.Sprintf("of %s sold %s", c.Symbol, c.Sold)
	g.Add(id+".quantity", "quantity "+suffix, c.Quantity, "units", "")
	g.Add(id+".cost", "cost "+suffix, c.Cost, cmp.Or(c.CostCurrency, c.Currency), "what it cost, fees included")
	g.Add(id+".added_to_cost", "added by wash sales to the cost "+suffix, c.Added, cmp.Or(c.sale.AddedBasisCurrency, c.Currency), "losses that were disallowed")
	g.Add(id+".disallowed", "disallowed loss "+suffix, c.Disallowed, c.Currency, "loss * quantity replaced / quantity sold")
	g.Add(id+".proceeds_base", "proceeds "+suffix, c.ProceedsBase, base, "proceeds * rate of the day of sale")
	g.Add(id+".cost_base", "cost "+suffix, c.CostBase, base, "cost * rate of the day of acquisition")
	g.Add(id+".proceeds", "proceeds "+suffix, c.Proceeds, c.Currency, "after fees and taxes of the sale")
	if c.Gain != nil {
		spent := []string{toolkit.FigureInput("proceeds", *c.Proceeds, c.Currency), toolkit.FigureInput("cost", *c.Cost, c.Currency)}
		if c.Added != nil {
			spent = append(spent, toolkit.FigureInput("added to the cost", *c.Added, ""))
		}
		if c.Disallowed != nil {
			spent = append(spent, toolkit.FigureInput("disallowed", *c.Disallowed, ""))
		}
		g.Add(id+".gain", "gain "+suffix, c.Gain, c.Currency, "proceeds - cost - added to the cost + disallowed", spent...)
		g.Add(id+".gain_pct", "gain "+suffix, c.GainPct, "%", "gain / cost * 100", spent...)
	}
	if c.GainBase != nil {
		g.Add(id+".gain_base", "gain "+suffix+", before wash sales", c.GainBase, base, formulaRealisedBase,
			toolkit.FigureInput("proceeds", *c.ProceedsBase, base), toolkit.FigureInput("cost", *c.CostBase, base))
	}
}

package taxlots

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// mostFigures bounds the figures of one answer: those of the lines that are shown.
const mostFigures = mostRows

func (a lotsAnswer) figures() []tool.Figure {
	g := &present.Figures{AsOf: a.day, Source: book.SourcesOf(a.Prices)}
	g.All = append(g.All, book.RateFigures(a.Rates)...)
	for _, l := range first(a.Open, mostFigures) {
		l.figures(g, a.Currency)
	}
	for i, c := range first(a.Closed, mostFigures) {
		c.figures(g, i+1, a.Currency)
	}
	for _, y := range a.Years {
		id := fmt.Sprintf("%d.%s.%s.%s.%t", y.Year, y.Owner, termOf(y.Term), y.Currency, y.Untaxed)
		label := fmt.Sprintf("%d, %s in %s%s", y.Year, termOf(y.Term), y.Currency, untaxed(y.Untaxed))
		g.Add(id+".proceeds", "proceeds of "+label, y.Proceeds, y.Currency, "sum of the sales")
		g.Add(id+".cost", "cost of "+label, y.Cost, y.Currency, "sum of the sales, with what wash sales added")
		g.Add(id+".disallowed", "disallowed losses of "+label, y.Disallowed, y.Currency, "sum of wash sales")
		g.Add(id+".gain", "gain of "+label, y.Gain, y.Currency, "proceeds - cost + disallowed",
			present.Input("proceeds", *y.Proceeds, ""), present.Input("cost", *y.Cost, ""), present.Input("disallowed", *y.Disallowed, ""))
		g.Add(id+".sales", "sales of "+label, present.CountOf(y.Sales), "sales", "")
	}
	for _, y := range a.BaseYears {
		g.Add(fmt.Sprintf("%d.%s.%t.gain_base", y.Year, termOf(y.Term), y.Untaxed), fmt.Sprintf("gain of %d, %s%s, before wash sales", y.Year, termOf(y.Term), untaxed(y.Untaxed)),
			y.Gain, a.Currency, formulaRealisedBase, fmt.Sprintf("%d sales, %d of them not known", y.Sales, y.Unknown))
	}
	for i, w := range first(a.Washes, mostFigures) {
		id := fmt.Sprintf("wash.%s.%s.%s.%d", w.Sale, w.Lot, w.Replacement, i+1)
		g.Add(id+".disallowed", fmt.Sprintf("disallowed loss of %s sold on %s", w.Symbol, present.Dated(w.Date)), w.Disallowed, w.Currency,
			"loss * quantity replaced / quantity sold", present.Input("quantity", *w.Quantity, ""), "replaced by "+w.Replacement+" on "+present.Dated(w.ReplacementDate))
		g.Add(id+".quantity", "quantity sold that was replaced", w.Quantity, "units", "")
		g.Add(id+".replacement_quantity", "quantity that replaced it", w.Replaced, "units", "")
		days := decimal.NewFromInt(int64(w.Days))
		g.Add(id+".days", "days to the replacement", &days, "days", "")
	}
	for i, w := range first(a.Waiting, mostFigures) {
		id := fmt.Sprintf("open.%s.%s.%d", w.Sale, w.Lot, i+1)
		g.Add(id+".quantity", "quantity sold that is not replaced", w.Quantity, "units", "")
		g.Add(id+".loss", fmt.Sprintf("loss of %s sold on %s that a purchase would disallow", w.Symbol, w.Sold), w.Loss, w.Currency, "cost - proceeds of what is not replaced")
	}
	return g.All
}

const formulaRealisedBase = "sum of proceeds * rate of the day of sale - cost * rate of the day of acquisition"

func (l openLot) figures(g *present.Figures, base string) {
	id := fmt.Sprintf("lot.%s.%s.%s", l.Symbol, l.Account, l.Lot)
	of := fmt.Sprintf("of %s acquired %s", l.Symbol, l.Acquired)
	g.Add(id+".quantity", "quantity "+of, l.Quantity, "units", "")
	g.Add(id+".cost", "cost "+of, l.Cost, l.CostUnit, "what it cost, fees included")
	if l.DaysHeld != nil {
		g.Add(id+".days_held", "days held "+of, present.CountOf(*l.DaysHeld), "days", "today - acquired")
	}
	for i, added := range l.Added {
		key := fmt.Sprintf("%s.added.%d", id, i+1)
		g.Add(key, "added by a wash sale to the cost "+of, added.Amount, added.Currency, "the loss that was disallowed")
		g.Add(key+".quantity", "quantity that it went to "+of, added.Quantity, "units", "")
	}
	if l.Value == nil {
		return
	}
	price := []string{present.Input("quantity", *l.Quantity, ""), present.Input("price", *l.Price, l.PriceUnit+" of "+present.Dated(l.asOf))}
	g.Add(id+".value", "value "+of, l.Value, l.PriceUnit, "quantity * price", price...)
	g.Add(id+".price", "price of "+string(l.Symbol), l.Price, l.PriceUnit, "")
	if l.Gain != nil {
		spent := []string{present.Input("value", *l.Value, l.PriceUnit), present.Input("cost", *l.Cost, l.CostUnit)}
		g.Add(id+".gain", "gain "+of, l.Gain, l.CostUnit, "value - cost", spent...)
		g.Add(id+".gain_pct", "gain "+of, l.GainPct, "%", "(value - cost) / cost * 100", spent...)
	}
	g.Add(id+".value_base", "value "+of, l.ValueBase, base, book.FormulaValue, price...)
	if l.GainBase != nil {
		spent := []string{present.Input("value", *l.ValueBase, base), present.Input("cost", *l.CostBase, base)}
		g.Add(id+".cost_base", "cost "+of, l.CostBase, base, book.FormulaBaseCost)
		g.Add(id+".gain_base", "gain "+of, l.GainBase, base, book.FormulaGain, spent...)
		g.Add(id+".gain_with_wash_sales_base", "gain with what wash sales added to the cost "+of, l.TaxGain, base, book.FormulaGain+" - what was added", spent...)
		g.Add(id+".gain_base_pct", "gain "+of, l.GainBasePct, "%", "(value - cost) / cost * 100", spent...)
	}
}

func (c closedLot) figures(g *present.Figures, place int, base string) {
	id := fmt.Sprintf("sale.%s.%s.%d", c.Transaction, c.Lot, place)
	of := fmt.Sprintf("of %s sold %s", c.Symbol, c.Sold)
	g.Add(id+".quantity", "quantity "+of, c.Quantity, "units", "")
	g.Add(id+".cost", "cost "+of, c.Cost, cmp.Or(c.CostCurrency, c.Currency), "what it cost, fees included")
	g.Add(id+".added_to_cost", "added by wash sales to the cost "+of, c.Added, cmp.Or(c.sale.AddedCurrency, c.Currency), "losses that were disallowed")
	g.Add(id+".disallowed", "disallowed loss "+of, c.Disallowed, c.Currency, "loss * quantity replaced / quantity sold")
	g.Add(id+".proceeds_base", "proceeds "+of, c.ProceedsBase, base, "proceeds * rate of the day of sale")
	g.Add(id+".cost_base", "cost "+of, c.CostBase, base, "cost * rate of the day of acquisition")
	g.Add(id+".proceeds", "proceeds "+of, c.Proceeds, c.Currency, "after fees and taxes of the sale")
	if c.Gain != nil {
		spent := []string{present.Input("proceeds", *c.Proceeds, c.Currency), present.Input("cost", *c.Cost, c.Currency)}
		if c.Added != nil {
			spent = append(spent, present.Input("added to the cost", *c.Added, ""))
		}
		if c.Disallowed != nil {
			spent = append(spent, present.Input("disallowed", *c.Disallowed, ""))
		}
		g.Add(id+".gain", "gain "+of, c.Gain, c.Currency, "proceeds - cost - added to the cost + disallowed", spent...)
		g.Add(id+".gain_pct", "gain "+of, c.GainPct, "%", "gain / cost * 100", spent...)
	}
	if c.GainBase != nil {
		g.Add(id+".gain_base", "gain "+of+", before wash sales", c.GainBase, base, formulaRealisedBase,
			present.Input("proceeds", *c.ProceedsBase, base), present.Input("cost", *c.CostBase, base))
	}
}

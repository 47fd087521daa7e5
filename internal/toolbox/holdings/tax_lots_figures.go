package holdings

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// mostFigures bounds the figures of one answer: those of the lines that are shown.
const mostFigures = mostRows

func (a lotsAnswer) figures() []tool.Figure {
	g := &gathered{asOf: a.day, source: ours}
	for _, p := range a.Prices {
		if !strings.Contains(g.source, p.Source) {
			g.source += "; " + p.Source
		}
	}
	g.out = append(g.out, rateFigures(a.Rates)...)
	for _, l := range first(a.Open, mostFigures) {
		l.figures(g, a.Currency)
	}
	for i, c := range first(a.Closed, mostFigures) {
		c.figures(g, i+1, a.Currency)
	}
	for _, y := range a.Years {
		id := fmt.Sprintf("%d.%s.%s.%s.%t", y.Year, y.Owner, termOf(y.Term), y.Currency, y.Untaxed)
		label := fmt.Sprintf("%d, %s in %s%s", y.Year, termOf(y.Term), y.Currency, untaxed(y.Untaxed))
		g.add(id+".proceeds", "proceeds of "+label, y.Proceeds, y.Currency, "sum of the sales")
		g.add(id+".cost", "cost of "+label, y.Cost, y.Currency, "sum of the sales, with what wash sales added")
		g.add(id+".disallowed", "disallowed losses of "+label, y.Disallowed, y.Currency, "sum of wash sales")
		g.add(id+".gain", "gain of "+label, y.Gain, y.Currency, "proceeds - cost + disallowed",
			inWords("proceeds", *y.Proceeds, ""), inWords("cost", *y.Cost, ""), inWords("disallowed", *y.Disallowed, ""))
		g.add(id+".sales", "sales of "+label, countOf(y.Sales), "sales", "")
	}
	for _, y := range a.BaseYears {
		g.add(fmt.Sprintf("%d.%s.%t.gain_base", y.Year, termOf(y.Term), y.Untaxed), fmt.Sprintf("gain of %d, %s%s, before wash sales", y.Year, termOf(y.Term), untaxed(y.Untaxed)),
			y.Gain, a.Currency, formulaRealisedBase, fmt.Sprintf("%d sales, %d of them not known", y.Sales, y.Unknown))
	}
	for i, w := range first(a.Washes, mostFigures) {
		id := fmt.Sprintf("wash.%s.%s.%s.%d", w.Sale, w.Lot, w.Replacement, i+1)
		g.add(id+".disallowed", fmt.Sprintf("disallowed loss of %s sold on %s", w.Symbol, present.Dated(w.Date)), w.Disallowed, w.Currency,
			"loss * quantity replaced / quantity sold", inWords("quantity", *w.Quantity, ""), "replaced by "+w.Replacement+" on "+present.Dated(w.ReplacementDate))
		g.add(id+".quantity", "quantity sold that was replaced", w.Quantity, "units", "")
		g.add(id+".replacement_quantity", "quantity that replaced it", w.Replaced, "units", "")
		days := decimal.NewFromInt(int64(w.Days))
		g.add(id+".days", "days to the replacement", &days, "days", "")
	}
	for i, w := range first(a.Waiting, mostFigures) {
		id := fmt.Sprintf("open.%s.%s.%d", w.Sale, w.Lot, i+1)
		g.add(id+".quantity", "quantity sold that is not replaced", w.Quantity, "units", "")
		g.add(id+".loss", fmt.Sprintf("loss of %s sold on %s that a purchase would disallow", w.Symbol, w.Sold), w.Loss, w.Currency, "cost - proceeds of what is not replaced")
	}
	return g.out
}

const formulaRealisedBase = "sum of proceeds * rate of the day of sale - cost * rate of the day of acquisition"

func (l openLot) figures(g *gathered, base string) {
	id := fmt.Sprintf("lot.%s.%s.%s", l.Symbol, l.Account, l.Lot)
	of := fmt.Sprintf("of %s acquired %s", l.Symbol, l.Acquired)
	g.add(id+".quantity", "quantity "+of, l.Quantity, "units", "")
	g.add(id+".cost", "cost "+of, l.Cost, l.CostUnit, "what it cost, fees included")
	if l.DaysHeld != nil {
		g.add(id+".days_held", "days held "+of, countOf(*l.DaysHeld), "days", "today - acquired")
	}
	for i, added := range l.Added {
		key := fmt.Sprintf("%s.added.%d", id, i+1)
		g.add(key, "added by a wash sale to the cost "+of, added.Amount, added.Currency, "the loss that was disallowed")
		g.add(key+".quantity", "quantity that it went to "+of, added.Quantity, "units", "")
	}
	if l.Value == nil {
		return
	}
	price := []string{inWords("quantity", *l.Quantity, ""), inWords("price", *l.Price, l.PriceUnit+" of "+present.Dated(l.asOf))}
	g.add(id+".value", "value "+of, l.Value, l.PriceUnit, "quantity * price", price...)
	g.add(id+".price", "price of "+string(l.Symbol), l.Price, l.PriceUnit, "")
	if l.Gain != nil {
		spent := []string{inWords("value", *l.Value, l.PriceUnit), inWords("cost", *l.Cost, l.CostUnit)}
		g.add(id+".gain", "gain "+of, l.Gain, l.CostUnit, "value - cost", spent...)
		g.add(id+".gain_pct", "gain "+of, l.GainPct, "%", "(value - cost) / cost * 100", spent...)
	}
	g.add(id+".value_base", "value "+of, l.ValueBase, base, formulaValue, price...)
	if l.GainBase != nil {
		spent := []string{inWords("value", *l.ValueBase, base), inWords("cost", *l.CostBase, base)}
		g.add(id+".cost_base", "cost "+of, l.CostBase, base, formulaBaseCost)
		g.add(id+".gain_base", "gain "+of, l.GainBase, base, formulaGain, spent...)
		g.add(id+".gain_with_wash_sales_base", "gain with what wash sales added to the cost "+of, l.TaxGain, base, formulaGain+" - what was added", spent...)
		g.add(id+".gain_base_pct", "gain "+of, l.GainBasePct, "%", "(value - cost) / cost * 100", spent...)
	}
}

func (c closedLot) figures(g *gathered, place int, base string) {
	id := fmt.Sprintf("sale.%s.%s.%d", c.Transaction, c.Lot, place)
	of := fmt.Sprintf("of %s sold %s", c.Symbol, c.Sold)
	g.add(id+".quantity", "quantity "+of, c.Quantity, "units", "")
	g.add(id+".cost", "cost "+of, c.Cost, cmp.Or(c.CostCurrency, c.Currency), "what it cost, fees included")
	g.add(id+".added_to_cost", "added by wash sales to the cost "+of, c.Added, cmp.Or(c.sale.AddedCurrency, c.Currency), "losses that were disallowed")
	g.add(id+".disallowed", "disallowed loss "+of, c.Disallowed, c.Currency, "loss * quantity replaced / quantity sold")
	g.add(id+".proceeds_base", "proceeds "+of, c.ProceedsBase, base, "proceeds * rate of the day of sale")
	g.add(id+".cost_base", "cost "+of, c.CostBase, base, "cost * rate of the day of acquisition")
	g.add(id+".proceeds", "proceeds "+of, c.Proceeds, c.Currency, "after fees and taxes of the sale")
	if c.Gain != nil {
		spent := []string{inWords("proceeds", *c.Proceeds, c.Currency), inWords("cost", *c.Cost, c.Currency)}
		if c.Added != nil {
			spent = append(spent, inWords("added to the cost", *c.Added, ""))
		}
		if c.Disallowed != nil {
			spent = append(spent, inWords("disallowed", *c.Disallowed, ""))
		}
		g.add(id+".gain", "gain "+of, c.Gain, c.Currency, "proceeds - cost - added to the cost + disallowed", spent...)
		g.add(id+".gain_pct", "gain "+of, c.GainPct, "%", "gain / cost * 100", spent...)
	}
	if c.GainBase != nil {
		g.add(id+".gain_base", "gain "+of+", before wash sales", c.GainBase, base, formulaRealisedBase,
			inWords("proceeds", *c.ProceedsBase, base), inWords("cost", *c.CostBase, base))
	}
}

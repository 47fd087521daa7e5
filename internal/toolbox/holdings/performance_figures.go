package holdings

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// gathered are the figures of one answer, of one day and source.
type gathered struct {
	asOf   market.Date
	source string
	out    []tool.Figure
}

func (g *gathered) add(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
	if v != nil {
		g.out = append(g.out, tool.Figure{ID: id, Label: label, Value: *v, Unit: unit, AsOf: g.asOf, Source: g.source, Formula: formula, Inputs: inputs})
	}
}

func (a performanceAnswer) figures() []tool.Figure {
	g := &gathered{asOf: a.day, source: ours}
	for _, p := range a.Prices {
		if !strings.Contains(g.source, p.Source) {
			g.source += "; " + p.Source
		}
	}
	for _, w := range a.Windows {
		if w.Why == "" {
			w.figures(g, a.Currency)
		}
	}
	return g.out
}

func (w windowAnswer) figures(g *gathered, base string) {
	label := func(what string) string { return what + ", " + w.Name }
	id := func(what string) string { return w.id + "." + what }
	g.add(id("days"), label("days"), countOf(w.Days), "days", "days from "+w.From+" to "+w.To)
	g.add(id("flow_days"), label("days on which something came or went"), countOf(w.FlowDays), "days", "")
	g.add(id("start"), label("value at the start"), w.Start, base, performance.FormulaValue, "at the close of "+w.From)
	g.add(id("end"), label("value at the end"), w.End, base, performance.FormulaValue, "at the close of "+w.To)
	g.add(id("net_flow"), label("paid in less taken out"), w.NetFlow, base, performance.FormulaNetFlow)
	w.returnFigures(g, w.id, w.Name, w.Returns)
	if w.Divided != nil {
		var parts []string
		for _, e := range w.Divided.Effects {
			if e.Amount != nil {
				parts = append(parts, inWords(e.Name, *e.Amount, base))
			}
		}
		for _, e := range w.Divided.Effects {
			g.add(id(e.Name), label(e.Name), e.Amount, base, performance.FormulaGain, parts...)
			g.add(id(e.Name+"_pct"), label(e.Name+" in per cent"), e.Pct, "%", performance.FormulaContribution, parts...)
		}
	}
	for _, f := range w.Flows {
		g.add(id("flow."+f.Date), label("paid in or taken out on "+f.Date), f.Amount, base, "amount * rate of the day; securities at the close of the day")
	}
	if rest := largest(w.Parts, mostParts, base); len(rest) < len(w.Parts) {
		other := rest[len(rest)-1]
		g.add(id("contribution.others"), label("contribution of "+other.Of), other.Gain, base, "sum of their gains")
		g.add(id("contribution.others_pct"), label("contribution of "+other.Of), other.Pct, "%", performance.FormulaContribution)
	}
	for _, c := range w.Parts {
		key := id("contribution." + c.Of)
		inputs := []string{inWords("start", *c.Start, base), inWords("end", *c.End, base)}
		g.add(key, label("contribution of "+c.Of), c.Gain, base, "end - start - what was paid for it + what came of it", inputs...)
		if c.Gain != nil {
			inputs = append(inputs, inWords("gain", *c.Gain, base))
		}
		g.add(key+"_pct", label("contribution of "+c.Of), c.Pct, "%", performance.FormulaContribution, inputs...)
	}
	w.Realised.figures(g, id("realised"), label("realised gain"), base)
	w.Unrealised.figures(g, id("unrealised"), label("unrealised gain"), base)
	w.benchmarkFigures(g, base)
}

func (l *gainLine) figures(g *gathered, id, label, base string) {
	if l == nil {
		return
	}
	g.add(id, label, l.Amount, base, l.Formula, fmt.Sprintf("%d lots, %d of them not known", l.Lots, l.Unknown))
	g.add(id+".lots", "lots of the "+label, countOf(l.Lots), "lots", "")
	g.add(id+".unknown", "lots whose gain is not known, of the "+label, countOf(l.Unknown), "lots", "")
}

func (w windowAnswer) returnFigures(g *gathered, id, name string, returns []returnLine) {
	for _, r := range returns {
		words := strings.ReplaceAll(r.Method, "_", "-") + " return, " + name
		g.add(id+"."+r.Method, words, r.Pct, "%", r.Formula, r.inputs...)
		if r.Pct != nil {
			g.add(id+"."+r.Method+"_annual", words+", a year", r.AnnualPct, "%", performance.FormulaAnnual, inWords("return", *r.Pct, "%"), fmt.Sprintf("%d days", w.Days))
		}
	}
}

func (w windowAnswer) benchmarkFigures(g *gathered, base string) {
	c := w.Benchmark
	if c == nil {
		return
	}
	id, name := w.id+".benchmark", w.Name+", of "+c.Symbol
	g.add(id+".end", "end value, "+name, c.End, base, c.Formula)
	if c.End != nil && w.End != nil {
		g.add(id+".ahead", "what the book has more than "+c.Symbol+", "+w.Name, c.Ahead, base, "end of the book - end of the benchmark", inWords("book", *w.End, base), inWords("benchmark", *c.End, base))
	}
	w.returnFigures(g, id, name, c.Returns)
	g.add(id+".ahead_time_weighted_pp", "time-weighted return ahead of "+c.Symbol+", "+w.Name, c.AheadTimePP, "percentage points", "return of the book - return of the benchmark")
	g.add(id+".ahead_money_weighted_pp", "money-weighted return ahead of "+c.Symbol+", "+w.Name, c.AheadMoney, "percentage points", "return of the book - return of the benchmark")
}

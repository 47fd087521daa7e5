package positions

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a performanceAnswer) figures() []tool.Figure {
	g := &toolkit.Figures{AsOf: a.day, Source: JoinSources(a.Prices)}
	for _, w := range a.Windows {
		if w.Why == "" {
			w.figures(g, a.Currency)
		}
	}
	return g.All
}

func (w windowAnswer) figures(g *toolkit.Figures, base string) {
	label := func(what string) string { return what + ", " + w.Name }
	id := func(what string) string { return w.id + "." + what }
	g.Add(id("days"), label("days"), toolkit.CountValue(w.Days), "days", "days from "+w.From+" to "+w.To)
	g.Add(id("flow_days"), label("days on which something came or went"), toolkit.CountValue(w.FlowDays), "days", "")
	g.Add(id("start"), label("value at the start"), w.Start, base, performance.FormulaValue, "at the close of "+w.From)
	g.Add(id("end"), label("value at the end"), w.End, base, performance.FormulaValue, "at the close of "+w.To)
	g.Add(id("net_flow"), label("paid in less taken out"), w.NetFlow, base, performance.FormulaNetFlow)
	w.returnFigures(g, w.id, w.Name, w.Returns)
	if w.Divided != nil {
		var parts []string
		for _, e := range w.Divided.Effects {
			if e.Amount != nil {
				parts = append(parts, toolkit.FigureInput(e.Name, *e.Amount, base))
			}
		}
		for _, e := range w.Divided.Effects {
			g.Add(id(e.Name), label(e.Name), e.Amount, base, performance.FormulaGain, parts...)
			g.Add(id(e.Name+"_pct"), label(e.Name+" in per cent"), e.Pct, "%", performance.FormulaContribution, parts...)
		}
	}
	for _, f := range w.Flows {
		g.Add(id("flow."+f.Date), label("paid in or taken out on "+f.Date), f.Amount, base, "amount * rate of the day; securities at the close of the day")
	}
	if shown := largestContributions(w.Parts, maxContributions, base); len(shown) < len(w.Parts) {
		remainder := shown[len(shown)-1]
		g.Add(id("contribution.others"), label("contribution of "+remainder.Of), remainder.Gain, base, "sum of their gains")
		g.Add(id("contribution.others_pct"), label("contribution of "+remainder.Of), remainder.Pct, "%", performance.FormulaContribution)
	}
	for _, c := range w.Parts {
		key := id("contribution." + c.Of)
		inputs := []string{toolkit.FigureInput("start", *c.Start, base), toolkit.FigureInput("end", *c.End, base)}
		g.Add(key, label("contribution of "+c.Of), c.Gain, base, "end - start - what was paid for it + what came of it", inputs...)
		if c.Gain != nil {
			inputs = append(inputs, toolkit.FigureInput("gain", *c.Gain, base))
		}
		g.Add(key+"_pct", label("contribution of "+c.Of), c.Pct, "%", performance.FormulaContribution, inputs...)
	}
	w.Realised.figures(g, id("realised"), label("realised gain"), base)
	w.Unrealised.figures(g, id("unrealised"), label("unrealised gain"), base)
	w.benchmarkFigures(g, base)
}

func (l *gainLine) figures(g *toolkit.Figures, id, label, base string) {
	if l == nil {
		return
	}
	g.Add(id, label, l.Amount, base, l.Formula, fmt.Sprintf("%d lots, %d of them not known", l.Lots, l.Unknown))
	g.Add(id+".lots", "lots of the "+label, toolkit.CountValue(l.Lots), "lots", "")
	g.Add(id+".unknown", "lots whose gain is not known, of the "+label, toolkit.CountValue(l.Unknown), "lots", "")
}

func (w windowAnswer) returnFigures(g *toolkit.Figures, id, name string, lines []returnLine) {
	for _, r := range lines {
		label := strings.ReplaceAll(r.Method, "_", "-") + " return, " + name
		g.Add(id+"."+r.Method, label, r.Pct, "%", r.Formula, r.inputs...)
		if r.Pct != nil {
			g.Add(id+"."+r.Method+"_annual", label+", a year", r.AnnualPct, "%", performance.FormulaAnnual, toolkit.FigureInput("return", *r.Pct, "%"), fmt.Sprintf("%d days", w.Days))
		}
	}
}

func (w windowAnswer) benchmarkFigures(g *toolkit.Figures, base string) {
	c := w.Benchmark
	if c == nil {
		return
	}
	id, name := w.id+".benchmark", w.Name+", of "+c.Symbol
	g.Add(id+".end", "end value, "+name, c.End, base, c.Formula)
	if c.End != nil && w.End != nil {
		g.Add(id+".ahead", "what the book has more than "+c.Symbol+", "+w.Name, c.Ahead, base, "end of the book - end of the benchmark", toolkit.FigureInput("book", *w.End, base), toolkit.FigureInput("benchmark", *c.End, base))
	}
	w.returnFigures(g, id, name, c.Returns)
	g.Add(id+".ahead_time_weighted_pp", "time-weighted return ahead of "+c.Symbol+", "+w.Name, c.AheadTimePP, "percentage points", "return of the book - return of the benchmark")
	g.Add(id+".ahead_money_weighted_pp", "money-weighted return ahead of "+c.Symbol+", "+w.Name, c.AheadMoney, "percentage points", "return of the book - return of the benchmark")
}

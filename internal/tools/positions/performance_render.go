package positions

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// shownWindow returns the longest period with a return, or else the longest with a value; ok is false if
// there is neither.
func (a performanceAnswer) shownWindow() (w windowAnswer, ok bool) {
	for _, returns := range []bool{true, false} {
		for _, w := range slices.Backward(a.Windows) {
			known := w.End != nil
			if returns {
				known = slices.ContainsFunc(w.Returns, func(r returnLine) bool { return r.Pct != nil })
			}
			if known {
				return w, true
			}
		}
	}
	return windowAnswer{}, false
}

func (a *performanceAnswer) setKeys() {
	w, _ := a.shownWindow()
	a.TimeWeighted, a.MoneyWeighted = findReturn(w.Returns, "time_weighted").Pct, findReturn(w.Returns, "money_weighted").Pct
	a.Gain, a.End = w.effect("gain").Amount, w.End
}

// findReturn returns the return computed with method, zero if there is none.
func findReturn(returns []returnLine, method string) returnLine {
	for _, r := range returns {
		if r.Method == method {
			return r
		}
	}
	return returnLine{}
}

// effect returns the named part of the gain, zero if there is none.
func (w windowAnswer) effect(name string) effect {
	if w.Divided != nil {
		for _, e := range w.Divided.Effects {
			if e.Name == name {
				return e
			}
		}
	}
	return effect{}
}

// addReasons notes why figures are missing, each reason once. In JSON the reasons are next to the
// missing figures.
func (a *performanceAnswer) addReasons() {
	periods := map[toolkit.OwnWords][]string{}
	for _, w := range a.Windows {
		if w.Why != "" {
			periods[w.Why] = append(periods[w.Why], w.Name)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(periods)) {
		a.Warnings.Note("period_missing", "%s: %s", strings.Join(periods[why], ", "), why)
	}
	for _, w := range a.Windows {
		methods := map[toolkit.OwnWords][]string{}
		for _, r := range w.Returns {
			if r.Why != "" {
				methods[r.Why] = append(methods[r.Why], r.Name)
			}
			for _, text := range r.Notes {
				a.Warnings.Note("return", "%s: %s", w.Name, text)
			}
		}
		for _, why := range slices.Sorted(maps.Keys(methods)) {
			names := strings.Join(methods[why], ", ")
			if n := len(methods[why]); n > 1 && n == len(w.Returns) {
				names = "all returns"
			}
			a.Warnings.Note("return_missing", "%s, %s: %s", w.Name, names, why)
		}
		if w.Benchmark != nil && w.Benchmark.Why != "" {
			a.Warnings.Note("benchmark_missing", "%s, benchmark: %s", w.Name, w.Benchmark.Why)
		}
	}
	a.Warnings.Note("gain_adds_up", "Price, income, currency, fees and taxes add up to the gain, and so do the contributions.")
	if a.hasBenchmark() {
		a.Warnings.Note("benchmark_hypothetical", "The benchmark is hypothetical, before costs and taxes.")
	}
}

func (a performanceAnswer) hasBenchmark() bool {
	return slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return w.Benchmark != nil })
}

// Title implements [toolkit.Titled].
func (a performanceAnswer) Title() string {
	title := "performance · "
	if w, ok := a.shownWindow(); ok && !strings.HasSuffix(w.Name, a.To) {
		title += w.Name + " · "
	}
	title += "to " + a.To + " · " + strings.Join(a.Accounts, ", ")
	if len(a.Without) > 0 {
		title += " · without " + strings.Join(a.Without, ", ")
	}
	return title
}

// Headline implements [toolkit.Answer].
func (a performanceAnswer) Headline(lang string) string {
	w, _ := a.shownWindow()
	i := slices.IndexFunc(w.Returns, func(r returnLine) bool { return r.Pct != nil })
	if i < 0 {
		if lang == "zh" {
			return "截至 " + a.To + "，投资组合的收益率未知。"
		}
		return "The return of the portfolio to " + a.To + " is unknown."
	}
	r, gain, versus := w.Returns[i], "", ""
	words := []string{", a gain of ", ", a loss of ", "; %s returned %s"}
	if lang == "zh" {
		words = []string{"，收益 ", "，亏损 ", "；%s 为 %s"}
	}
	if a.Gain != nil {
		gain = words[0]
		if a.Gain.IsNegative() {
			gain = words[1]
		}
		gain += toolkit.Format(a.Gain.Abs(), toolkit.Money, a.Currency)
	}
	if w.Benchmark != nil {
		versus = fmt.Sprintf(words[2], w.Benchmark.Symbol, percentChange(findReturn(w.Benchmark.Returns, r.Method).Pct))
	}
	if lang == "zh" {
		return fmt.Sprintf("投资组合%s的%s收益率为 %s%s%s。", periodName(w, lang), methodNamesZH[r.Method], percentChange(r.Pct), gain, versus)
	}
	return fmt.Sprintf("The portfolio returned %s %s (%s)%s%s.", percentChange(r.Pct), periodName(w, lang), r.Name, gain, versus)
}

var methodNamesZH = map[string]string{
	"time_weighted": "时间加权", "money_weighted": "资金加权", "modified_dietz": "修正 Dietz", "linked_modified_dietz": "链接修正 Dietz",
}

// periodName describes a period within a sentence.
func periodName(w windowAnswer, lang string) string {
	years, _, isYears := strings.Cut(w.Name, " year")
	switch {
	case lang == "zh" && w.Name == "since inception":
		return "自建仓以来"
	case lang == "zh" && isYears:
		return "过去 " + years + " 年"
	case lang == "zh":
		return "从 " + w.From + " 到 " + w.To
	case w.Name == "since inception":
		return w.Name
	case isYears:
		return "in " + w.Name
	}
	return "from " + w.Name
}

// Chart implements [toolkit.Charter].
func (a performanceAnswer) Chart() *chart.Spec { return a.chart }

// Explain implements [toolkit.Explainer].
func (a performanceAnswer) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Source: JoinSources(a.Prices), AsOf: a.day}
	switch field {
	case "TimeWeighted":
		e.Omit = a.TimeWeighted == nil
	case "MoneyWeighted":
		e.Omit = a.MoneyWeighted == nil
	case "Gain":
		e.Omit = a.Gain == nil
	case "End":
		e.Omit = a.End == nil
	case "windows.start", "windows.end":
		e.Formula = performance.FormulaValue
	case "windows.net_flow":
		e.Formula = performance.FormulaNetFlow
	case "windows.attribution.effects.amount":
		e.Formula = performance.FormulaGain
	case "windows.attribution.effects.pct", "windows.contributions.pct", "windows.other_contributions.pct":
		e.Formula = performance.FormulaContribution
	case "windows.benchmark.end":
		e.Formula = performance.FormulaBenchmark
	}
	return e
}

// Explain implements [toolkit.Explainer].
func (l returnLine) Explain(field string) toolkit.Explanation {
	if field == "annual_pct" && l.Pct != nil {
		return toolkit.Explanation{Formula: performance.FormulaAnnual, Inputs: []string{"return " + percentChange(l.Pct)}}
	}
	return toolkit.Explanation{Formula: l.Formula, Inputs: l.inputs}
}

// Explain implements [toolkit.Explainer].
func (l gainLine) Explain(field string) toolkit.Explanation {
	if field != "amount" {
		return toolkit.Explanation{}
	}
	return toolkit.Explanation{Formula: l.Formula, Inputs: []string{fmt.Sprintf("%s, %d with unknown gain", humanize.Count(l.Lots, "lot", "lots"), l.Unknown)}}
}

// Tables implements [toolkit.Tabler].
func (a performanceAnswer) Tables() []toolkit.Table {
	tables := []toolkit.Table{a.returnsTable(), a.moneyTable(), a.contributionsTable()}
	if a.hasBenchmark() {
		tables = append(tables, a.benchmarkTable())
	}
	tables = append(tables, a.flowsTable(), a.gapsTable())
	return slices.DeleteFunc(tables, func(t toolkit.Table) bool { return len(t.Rows) == 0 })
}

// measure is a row of a table with a column for each period.
type measure struct {
	name string
	text func(w windowAnswer) string
}

// acrossPeriods returns a table with a column for each period, without rows that are unknown in all
// of them.
func (a performanceAnswer) acrossPeriods(title, first string, measures ...measure) toolkit.Table {
	t := toolkit.Table{Title: title, Columns: []string{first}}
	for _, w := range a.Windows {
		t.Columns = append(t.Columns, w.Name+":")
	}
	for _, m := range measures {
		row, known := []string{m.name}, false
		for _, w := range a.Windows {
			text := toolkit.NotAvailable
			if w.Why == "" {
				text = m.text(w)
			}
			known = known || text != toolkit.NotAvailable
			row = append(row, text)
		}
		if known {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (a performanceAnswer) returnsTable() toolkit.Table {
	var all []measure
	for _, method := range returnMethods() {
		name := strings.ReplaceAll(method, "_", "-")
		all = append(all,
			measure{name, func(w windowAnswer) string { return percentChange(findReturn(w.Returns, method).Pct) }},
			measure{name + ", annual", func(w windowAnswer) string { return percentChange(findReturn(w.Returns, method).AnnualPct) }})
	}
	return a.acrossPeriods("Returns", "return", append(all, measure{"days", func(w windowAnswer) string { return toolkit.Format(w.Days, toolkit.Count, "") }})...)
}

func (a performanceAnswer) moneyTable() toolkit.Table {
	all := []measure{
		{"value at start", func(w windowAnswer) string { return sumText(w.Start, toolkit.Money, a.Currency) }},
		{"deposits - withdrawals", func(w windowAnswer) string { return sumText(w.NetFlow, toolkit.Gain, a.Currency) }},
	}
	for _, name := range []string{"price", "income", "currency", "fees", "taxes", "gain"} {
		all = append(all, measure{name, func(w windowAnswer) string { return sumText(w.effect(name).Amount, toolkit.Gain, a.Currency) }})
	}
	return a.acrossPeriods("Gain and value in "+a.Currency, "amount", append(all,
		measure{"value at end", func(w windowAnswer) string { return sumText(w.End, toolkit.Money, a.Currency) }},
		measure{"realized, by lot", func(w windowAnswer) string { return w.Realized.text(a.Currency) }},
		measure{"unrealized, by lot", func(w windowAnswer) string { return w.Unrealized.text(a.Currency) }})...)
}

func (l *gainLine) text(currency string) string {
	switch {
	case l == nil:
		return toolkit.NotAvailable
	case l.Unknown > 0:
		return fmt.Sprintf("%s (without %d of %d lots of unknown gain)", sumText(l.Amount, toolkit.Gain, currency), l.Unknown, l.Lots)
	}
	return sumText(l.Amount, toolkit.Gain, currency)
}

func (a performanceAnswer) contributionsTable() toolkit.Table {
	shown := func(w windowAnswer) []contribution {
		parts := w.Parts[:min(len(w.Parts), maxContributions)]
		if w.Others != nil {
			parts = append(slices.Clone(parts), *w.Others)
		}
		return parts
	}
	var all []measure
	for _, longest := range slices.Backward(a.Windows) {
		for _, c := range shown(longest) {
			if slices.ContainsFunc(all, func(m measure) bool { return m.name == c.Of }) {
				continue
			}
			all = append(all, measure{c.Of, func(w windowAnswer) string {
				parts := shown(w)
				i := slices.IndexFunc(parts, func(o contribution) bool { return o.Of == c.Of })
				if i < 0 {
					return toolkit.NotAvailable
				}
				return fmt.Sprintf("%s (%s)", sumText(parts[i].Gain, toolkit.Gain, a.Currency), percentChange(parts[i].Pct))
			}})
		}
	}
	return a.acrossPeriods("Contributions in "+a.Currency, "position", all...)
}

func (a performanceAnswer) benchmarkTable() toolkit.Table {
	symbol := ""
	with := func(text func(c comparisonAnswer) string) func(w windowAnswer) string {
		return func(w windowAnswer) string {
			if w.Benchmark == nil {
				return toolkit.NotAvailable
			}
			return text(*w.Benchmark)
		}
	}
	for _, w := range a.Windows {
		if w.Benchmark != nil {
			symbol = w.Benchmark.Symbol
		}
	}
	method := func(name string) func(w windowAnswer) string {
		return with(func(c comparisonAnswer) string { return percentChange(findReturn(c.Returns, name).Pct) })
	}
	return a.acrossPeriods("The same money in "+symbol, "benchmark",
		measure{"value at end, " + a.Currency, with(func(c comparisonAnswer) string { return sumText(c.End, toolkit.Money, a.Currency) })},
		measure{"portfolio ahead, " + a.Currency, with(func(c comparisonAnswer) string { return sumText(c.Ahead, toolkit.Gain, a.Currency) })},
		measure{"time-weighted", method("time_weighted")},
		measure{"money-weighted", method("money_weighted")},
		measure{"without deposits and withdrawals", method("series")},
		measure{"ahead, time-weighted", with(func(c comparisonAnswer) string { return percentText(c.AheadTimePP, toolkit.Points) })},
		measure{"ahead, money-weighted", with(func(c comparisonAnswer) string { return percentText(c.AheadMoney, toolkit.Points) })})
}

// flowsTable lists the latest flows of the last window.
func (a performanceAnswer) flowsTable() toolkit.Table {
	if len(a.Windows) == 0 {
		return toolkit.Table{}
	}
	w := a.Windows[len(a.Windows)-1]
	t := toolkit.Table{Title: "Deposits and withdrawals, " + w.Name, Columns: []string{"date", "amount in " + a.Currency + ":"}}
	for _, f := range w.Flows[len(w.Flows)-min(len(w.Flows), maxFlows):] {
		t.Rows = append(t.Rows, []string{f.Date, sumText(f.Amount, toolkit.Gain, a.Currency)})
	}
	return t
}

func (a performanceAnswer) gapsTable() toolkit.Table {
	t := toolkit.Table{Title: "Days without a value", Columns: []string{"security or rate", "from", "to", "reason"}}
	for _, g := range a.Gaps {
		t.Rows = append(t.Rows, []string{g.What, g.From, g.To, g.Why})
	}
	return t
}

// percentChange formats a percentage with its sign.
func percentChange(pct *decimal.Decimal) string { return percentText(pct, toolkit.Change) }

// sumText formats an amount without its currency, which the table names.
func sumText(amount *decimal.Decimal, style toolkit.Style, currency string) string {
	return strings.TrimSuffix(toolkit.Format(amount, style, currency), " "+currency)
}

// benchmarkChart compares the portfolio with its benchmark over the longest window in which both
// are known. Both start at 100 and follow the time-weighted returns of the answer. It returns nil
// if there is no such window.
func benchmarkChart(h *performance.History, windows []windowAnswer, benchmark *market.Series) *chart.Spec {
	for _, w := range slices.Backward(windows) {
		if benchmark == nil || w.Why != "" {
			continue
		}
		g, err := h.Growth(*benchmark, w.report.From, w.report.To)
		if err != nil || g.Reason != "" || len(g.Dates) < 2 {
			continue
		}
		return &chart.Spec{
			Kind: chart.KindCompare, Rebased: true, Title: "Portfolio and " + string(benchmark.Symbol) + ", time-weighted, " + w.Name,
			Series: []chart.Series{
				{Name: "portfolio", Times: g.Dates, Values: g.Portfolio},
				{Name: string(benchmark.Symbol), Times: g.Dates, Values: g.Benchmark},
			},
		}
	}
	return nil
}

// valueChart draws the value of the portfolio at the close of each day of the longest window,
// including deposits and withdrawals. A day without a price is a gap. It returns nil if no window
// has a value.
func valueChart(h *performance.History, windows []windowAnswer, currency string) *chart.Spec {
	for i := len(windows) - 1; i >= 0; i-- {
		if windows[i].Why != "" {
			continue
		}
		line, known := chart.Series{}, 0
		for _, day := range h.Days(windows[i].report.From, windows[i].report.To) {
			value := math.NaN()
			if day.Value.Valid {
				value = day.Value.Decimal.InexactFloat64()
				known++
			}
			line.Times, line.Values = append(line.Times, day.Date), append(line.Values, value)
		}
		if known < 2 {
			return nil
		}
		return &chart.Spec{
			Kind: chart.KindLine, Title: "Portfolio value, including deposits and withdrawals", Unit: currency, Series: []chart.Series{line},
		}
	}
	return nil
}

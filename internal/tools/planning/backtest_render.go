package planning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a backtestResult) result(s backtestPrices) tool.Result {
	sheet := &toolkit.CalculationSheet{Tool: s.source, Currency: a.Currency, AsOf: s.prices.Dates[len(s.prices.Dates)-1]}
	inputs := append([]string{fmt.Sprintf("%s, %s to %s", strings.Join(a.Symbols, ", "), a.From, a.To)}, a.Assumptions...)
	var b strings.Builder
	fmt.Fprintf(&b, "**%s backtest** of %s, %s to %s: %s\n\n", hypotheticalLabel, toolkit.TableCell(strings.Join(a.Symbols, ", ")), a.From, a.To, toolkit.TableCell(a.Rule))
	b.WriteString(a.measuresTable(sheet, inputs))
	b.WriteString("\n" + a.holdingsTable(sheet, inputs))
	b.WriteString("\n" + a.equityTable(sheet, inputs))
	for _, text := range append(slices.Clone(a.Assumptions[1:]), a.Warnings...) {
		b.WriteString("\n- " + toolkit.TableCell(text))
	}
	b.WriteString("\n")
	if len(a.Sources) > 0 {
		b.WriteString("\n" + strings.Join(toolkit.OriginFooters(a.Sources), "\n\n") + "\n")
	}
	summary := fmt.Sprintf("%s: %s in all, %s for the benchmark %s", hypotheticalLabel, toolkit.FormatRate(a.Result.Total), toolkit.FormatRate(a.Benchmark.Total), toolkit.CombinedFlagText(a.Sources))
	return tool.Result{
		Value: a, ForUser: b.String(), Title: fmt.Sprintf("%s · %s to %s", strings.ReplaceAll(a.Strategy, "_", " "), a.From, a.To),
		Summary: strings.TrimSpace(summary), Figures: sheet.Figures(), Chart: a.chart,
	}
}

// measuresTable is the table of the strategy next to its benchmark.
func (a backtestResult) measuresTable(sheet *toolkit.CalculationSheet, inputs []string) string {
	var rows [][]string
	for _, l := range a.lines(sheet.MoneyUnit()) {
		row := []string{l.label, "–", "–", l.formula}
		for i, v := range []*float64{l.strategy, l.benchmark} {
			if v == nil {
				continue
			}
			line := toolkit.SheetLine{ID: l.id, Label: l.label, Value: toolkit.RoundDecimal(*v, 2), Unit: l.unit, Formula: l.formula, Inputs: inputs}
			if i == 1 {
				line.ID, line.Label = "benchmark_"+l.id, l.label+" of "+a.Benchmark.Name
			}
			sheet.AddFigure(line)
			row[1+i] = line.Value.String() + " " + l.unit
		}
		rows = append(rows, row)
	}
	return toolkit.MarkdownTable([]string{"measure", "rule:", a.Benchmark.Name + ":", "formula"}, rows)
}

// holdingsTable is the table of what the rule holds at the end, with its figures.
func (a backtestResult) holdingsTable(sheet *toolkit.CalculationSheet, inputs []string) string {
	var rows [][]string
	add := func(id, name string, weight float64, formula string) {
		v := toolkit.RoundPercent(weight, 2)
		sheet.AddFigure(toolkit.SheetLine{ID: id, Label: "weight of " + name + " at the end", Value: v, Unit: "%", Formula: formula, Inputs: inputs})
		rows = append(rows, []string{name, v.String() + " %"})
	}
	cash := 1.0
	for _, w := range a.Weights {
		cash -= w.Weight
		add("weight_"+strings.ToLower(w.Symbol), w.Symbol, w.Weight, "value / equity")
	}
	add("cash_weight", "cash", max(toolkit.RoundFraction(cash), 0), "1 - the weights")
	return toolkit.MarkdownTable([]string{"held at the end", "weight:"}, rows)
}

// equityTable is the table of the curves, with its figures.
func (a backtestResult) equityTable(sheet *toolkit.CalculationSheet, inputs []string) string {
	var rows [][]string
	for _, e := range a.Equity {
		row := []string{e.Date}
		for _, c := range []struct {
			id, label string
			value     float64
		}{{"equity_", "equity", e.Equity}, {"benchmark_equity_", "equity of " + a.Benchmark.Name, e.Benchmark}} {
			v := toolkit.RoundDecimal(c.value, 2)
			sheet.AddFigure(toolkit.SheetLine{ID: c.id + e.Date, Label: c.label + " on " + e.Date, Value: v, Unit: sheet.MoneyUnit(), Formula: "cash + units * close", Inputs: inputs})
			row = append(row, v.String())
		}
		rows = append(rows, row)
	}
	return toolkit.MarkdownTable([]string{"equity on", "rule:", a.Benchmark.Name + ":"}, rows)
}

// runLine is a measure of the rule and, where it has one, of the benchmark.
type runLine struct {
	id, label, unit, formula string
	strategy, benchmark      *float64
}

func (a backtestResult) lines(money string) []runLine {
	r, b := a.Result, a.Benchmark
	lines := []runLine{
		{"final_equity", "equity at the end", money, "cash + units * close", &r.Final, &b.Final},
		{"total_return", "total return", "%", "last equity / first - 1", &r.Total, &b.Total},
		{"annual_return", "annual return", "%", "(last equity / first)^(365.25 / days) - 1", r.Annual, b.Annual},
		{"annual_volatility", "volatility", "%", "sample standard deviation * sqrt(k), k bars a year", r.Vol, b.Vol},
		{"sharpe_ratio", "Sharpe ratio", "ratio", "mean(r - c) / s(r - c) * sqrt(k), c what cash earns", r.Sharpe, b.Sharpe},
		{"max_drawdown", "maximum drawdown", "%", "min(equity / highest before - 1)", r.MaxDrawdown, b.MaxDrawdown},
		{"excess_return", "annual return above the benchmark", "points", "annual return - that of the benchmark", a.Excess, nil},
		{"beta", "beta to the benchmark", "ratio", "cov(r, b) / var(b)", a.Beta, nil},
	}
	trades, bars := float64(a.Trades), float64(a.Bars)
	lines = append(lines,
		runLine{"trades", "trades", "trades", "of one instrument each", &trades, nil},
		runLine{"annual_turnover", "turnover a year", "%", "half of what was bought and sold / equity, a year", a.Turnover, nil},
		runLine{"costs_paid", "costs paid", money, "sum over the trades", &a.Costs, nil},
		runLine{"average_exposure", "invested on average", "%", "mean of what is invested / equity", &a.Exposure, nil},
		runLine{"bars", "bars", "bars", "count", &bars, nil})
	for i := range lines {
		if lines[i].unit == "%" || lines[i].unit == "points" {
			lines[i].strategy, lines[i].benchmark = hundredfold(lines[i].strategy), hundredfold(lines[i].benchmark)
		}
	}
	return slices.DeleteFunc(lines, func(l runLine) bool { return l.strategy == nil && l.benchmark == nil })
}

func hundredfold(v *float64) *float64 {
	if v == nil {
		return nil
	}
	out := *v * 100
	return &out
}

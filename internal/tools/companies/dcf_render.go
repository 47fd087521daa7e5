package companies

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// dcfFormulas are what the model computed by, in words.
type dcfFormulas struct{ present, terminal, terminalNow, implied string }

func (m dcfModel) formulas() dcfFormulas {
	f := dcfFormulas{"cash flow / (1 + r)^t", "last cash flow * (1 + g) / (r - g)", "terminal value / (1 + r)^n", "terminal value / last cash flow"}
	if m.dcf.MidYear {
		f.present, f.terminalNow, f.implied = "cash flow / (1 + r)^(t - 1/2)", "terminal value / (1 + r)^(n - 1/2)", "terminal value * (1 + r)^(1/2) / last cash flow"
	}
	if m.dcf.ByMultiple {
		f.terminal, f.terminalNow, f.implied = "multiple * metric", "terminal value / (1 + r)^n", "(TV r - CF) / (TV + CF)"
		if m.dcf.MidYear {
			f.implied = "(TV r - CF (1 + r)^(1/2)) / (TV + CF (1 + r)^(1/2))"
		}
	}
	return f
}

func (a dcfResult) result(m dcfModel) tool.Result {
	s := toolkit.CalculationSheet{Tool: "dcf_valuation", Currency: a.Currency}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := toolkit.SheetLine{ID: id, Label: label, Value: toolkit.RoundDecimalSignificant(v, places), Unit: unit, Formula: formula, Inputs: a.Assumptions}
		if unit == "%" {
			l.Value = toolkit.RoundPercent(v, places)
		}
		s.Add(l)
	}
	f := m.formulas()
	add("value_per_share", "value a share", a.PerShare, 4, s.MoneyUnit(), "equity / shares")
	add("equity_value", "equity", a.Equity, 2, s.MoneyUnit(), "firm - net debt")
	add("enterprise_value", "firm", a.Firm, 2, s.MoneyUnit(), "forecast + terminal value, discounted")
	add("present_value_of_forecast", "forecast, discounted", a.Explicit, 2, s.MoneyUnit(), "sum("+f.present+")")
	add("present_value_of_terminal", "terminal value, discounted", a.TerminalNow, 2, s.MoneyUnit(), f.terminalNow)
	add("terminal_value", "terminal value", a.Terminal, 2, s.MoneyUnit(), f.terminal)
	if a.TerminalShare != nil {
		add("terminal_share", "part of the terminal value", *a.TerminalShare, 2, "%", "terminal value, discounted / firm")
	}
	add("discount_rate", "discount rate", a.Rate, 4, "%", "E/V * cost of equity + D/V * cost of debt * (1 - tax), or as given")
	if a.CostOfEquity != nil {
		add("cost_of_equity", "cost of equity", *a.CostOfEquity, 4, "%", "risk-free + beta * premium, or as given")
	}
	if a.ImpliedExit != nil {
		add("implied_exit_multiple", "multiple of the last cash flow that growth implies", *a.ImpliedExit, 2, "x", f.implied)
	}
	if a.ImpliedGrowth != nil {
		add("implied_terminal_growth", "growth for ever that the multiple implies", *a.ImpliedGrowth, 2, "%", f.implied)
	}
	if a.Price != nil {
		add("price", "price", *a.Price, 4, s.MoneyUnit(), "as given")
	}
	if a.Upside != nil {
		add("upside", "value above the price", *a.Upside, 2, "%", "value a share / price - 1")
	}
	if a.PriceImplies != nil {
		add("growth_implied_by_price", fmt.Sprintf("growth that the price implies, in each of %d years", len(a.Forecast)), *a.PriceImplies, 2, "%", "the growth at which the value a share is the price")
	}
	a.addTableFigures(&s, f.present)
	shown := s.Table(strings.TrimSpace("Discounted cash flow "+toolkit.TableCell(a.Company)), append(append([]string{}, a.Assumptions...), a.Warnings...))
	low, high := a.Grid.valueRange()
	return tool.Result{
		Value: a, ForUser: shown + "\n" + a.forecastTable() + "\n" + a.Grid.table(), Title: strings.TrimSpace("DCF " + toolkit.Abbreviate(a.Company)),
		Summary: fmt.Sprintf("%v %s a share, %v to %v in the grid", toolkit.RoundDecimalSignificant(a.PerShare, 2), s.MoneyUnit(), toolkit.RoundDecimalSignificant(low, 2), toolkit.RoundDecimalSignificant(high, 2)),
		Figures: s.Figures(),
	}
}

// addTableFigures makes figures of what stands in the tables of forecast and sensitivity.
func (a dcfResult) addTableFigures(s *toolkit.CalculationSheet, formula string) {
	for _, y := range a.Forecast {
		s.AddFigure(toolkit.SheetLine{ID: fmt.Sprintf("cash_flow_%d", y.Year), Label: fmt.Sprintf("cash flow of year %d", y.Year), Value: toolkit.RoundDecimalSignificant(y.CashFlow, 4), Unit: s.MoneyUnit(), Formula: "forecast", Inputs: a.Assumptions})
		s.AddFigure(toolkit.SheetLine{ID: fmt.Sprintf("present_value_%d", y.Year), Label: fmt.Sprintf("present value of year %d", y.Year), Value: toolkit.RoundDecimalSignificant(y.Present, 4), Unit: s.MoneyUnit(), Formula: formula, Inputs: a.Assumptions})
	}
	for i, row := range a.Grid.Values {
		for j, v := range row {
			if v == nil {
				continue
			}
			at := fmt.Sprintf("discount rate %s %%, %s", toolkit.FractionToPercent(a.Grid.Rates[i]), a.Grid.column(j))
			s.AddFigure(toolkit.SheetLine{ID: fmt.Sprintf("grid_%d_%d", i+1, j+1), Label: "value a share at " + at, Value: toolkit.RoundDecimalSignificant(*v, 4), Unit: s.MoneyUnit(), Formula: "as the value a share", Inputs: []string{at}})
		}
	}
}

func (a dcfResult) forecastTable() string {
	rows := make([][]string, len(a.Forecast))
	for i, y := range a.Forecast {
		growth := ""
		if y.Growth != nil {
			growth = toolkit.FormatRate(*y.Growth)
		}
		rows[i] = []string{fmt.Sprint(y.Year), growth, toolkit.RoundDecimalSignificant(y.CashFlow, 2).String(), toolkit.RoundDecimalSignificant(y.Present, 2).String()}
	}
	return toolkit.MarkdownTable([]string{"year:", "growth:", "cash flow:", "present value:"}, rows)
}

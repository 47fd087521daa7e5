package valuation

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// formulas are what the model computed by, in words.
type formulas struct{ present, terminal, terminalNow, implied string }

func (m model) formulas() formulas {
	f := formulas{"cash flow / (1 + r)^t", "last cash flow * (1 + g) / (r - g)", "terminal value / (1 + r)^n", "terminal value / last cash flow"}
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

func (a dcfAnswer) result(m model) tool.Result {
	s := present.Sheet{Tool: "dcf_valuation", Currency: a.Currency}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := present.Line{ID: id, Label: label, Value: present.Significant(v, places), Unit: unit, Formula: formula, Inputs: a.Assumptions}
		if unit == "%" {
			l.Value = present.RoundedPercent(v, places)
		}
		s.Add(l)
	}
	f := m.formulas()
	add("value_per_share", "value a share", a.PerShare, 4, s.Money(), "equity / shares")
	add("equity_value", "equity", a.Equity, 2, s.Money(), "firm - net debt")
	add("enterprise_value", "firm", a.Firm, 2, s.Money(), "forecast + terminal value, discounted")
	add("present_value_of_forecast", "forecast, discounted", a.Explicit, 2, s.Money(), "sum("+f.present+")")
	add("present_value_of_terminal", "terminal value, discounted", a.TerminalNow, 2, s.Money(), f.terminalNow)
	add("terminal_value", "terminal value", a.Terminal, 2, s.Money(), f.terminal)
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
		add("price", "price", *a.Price, 4, s.Money(), "as given")
	}
	if a.Margin != nil {
		add("upside", "value above the price", *a.Margin, 2, "%", "value a share / price - 1")
	}
	if a.PriceImplies != nil {
		add("growth_implied_by_price", fmt.Sprintf("growth that the price implies, in each of %d years", len(a.Forecast)), *a.PriceImplies, 2, "%", "the growth at which the value a share is the price")
	}
	a.unseen(&s, f.present)
	shown := s.Table(strings.TrimSpace("Discounted cash flow "+present.Cell(a.Company)), append(append([]string{}, a.Assumptions...), a.Warnings...))
	low, high := a.Grid.reach()
	return tool.Result{
		Value: a, ForUser: shown + "\n" + a.forecastTable() + "\n" + a.Grid.table(), Title: strings.TrimSpace("DCF " + present.Abridged(a.Company)),
		Summary: fmt.Sprintf("%v %s a share, %v to %v in the grid", present.Significant(a.PerShare, 2), s.Money(), present.Significant(low, 2), present.Significant(high, 2)),
		Figures: s.Figures(),
	}
}

// unseen makes figures of what stands in the tables of forecast and sensitivity.
func (a dcfAnswer) unseen(s *present.Sheet, formula string) {
	for _, y := range a.Forecast {
		s.AddUnseen(present.Line{ID: fmt.Sprintf("cash_flow_%d", y.Year), Label: fmt.Sprintf("cash flow of year %d", y.Year), Value: present.Significant(y.CashFlow, 4), Unit: s.Money(), Formula: "forecast", Inputs: a.Assumptions})
		s.AddUnseen(present.Line{ID: fmt.Sprintf("present_value_%d", y.Year), Label: fmt.Sprintf("present value of year %d", y.Year), Value: present.Significant(y.Present, 4), Unit: s.Money(), Formula: formula, Inputs: a.Assumptions})
	}
	for i, row := range a.Grid.Values {
		for j, v := range row {
			if v == nil {
				continue
			}
			at := fmt.Sprintf("discount rate %s %%, %s", present.AsPercent(a.Grid.Rates[i]), a.Grid.column(j))
			s.AddUnseen(present.Line{ID: fmt.Sprintf("grid_%d_%d", i+1, j+1), Label: "value a share at " + at, Value: present.Significant(*v, 4), Unit: s.Money(), Formula: "as the value a share", Inputs: []string{at}})
		}
	}
}

func (a dcfAnswer) forecastTable() string {
	rows := make([][]string, len(a.Forecast))
	for i, y := range a.Forecast {
		growth := ""
		if y.Growth != nil {
			growth = present.PercentOf(*y.Growth)
		}
		rows[i] = []string{fmt.Sprint(y.Year), growth, present.Significant(y.CashFlow, 2).String(), present.Significant(y.Present, 2).String()}
	}
	return present.Table([]string{"year:", "growth:", "cash flow:", "present value:"}, rows)
}

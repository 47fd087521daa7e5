package valuation

import (
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/valuation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type dcfAnswer struct {
	Company       string     `json:"company,omitempty"`
	Currency      string     `json:"currency,omitempty"`
	PerShare      float64    `json:"value_per_share"`
	Equity        float64    `json:"equity_value"`
	Firm          float64    `json:"enterprise_value"`
	Explicit      float64    `json:"present_value_of_forecast"`
	Terminal      float64    `json:"terminal_value"`
	TerminalNow   float64    `json:"present_value_of_terminal"`
	TerminalShare float64    `json:"terminal_share"`
	Rate          float64    `json:"discount_rate"`
	CostOfEquity  *float64   `json:"cost_of_equity,omitempty"`
	Forecast      []yearJSON `json:"forecast"`
	ImpliedGrowth *float64   `json:"terminal_growth_implied_by_multiple,omitempty"`
	ImpliedExit   *float64   `json:"exit_multiple_of_cash_flow_implied_by_growth,omitempty"`
	Price         *float64   `json:"price,omitempty"`
	Margin        *float64   `json:"upside,omitempty"`
	PriceImplies  *float64   `json:"growth_implied_by_price,omitempty"`
	Grid          grid       `json:"sensitivity"`
	Assumptions   []string   `json:"assumptions"`
	Warnings      []string   `json:"warnings"`
}

type yearJSON struct {
	Year     int      `json:"year"`
	Growth   *float64 `json:"growth,omitempty"`
	CashFlow float64  `json:"cash_flow"`
	Present  float64  `json:"present_value"`
}

// grid is the value a share under other assumptions; null where they allow none.
type grid struct {
	Rates   []float64    `json:"discount_rates"`
	Endings []float64    `json:"terminal_growths,omitempty"`
	Exits   []float64    `json:"exit_multiples,omitempty"`
	Values  [][]*float64 `json:"values_per_share"` // a row for each rate
}

func answerOf(m model) dcfAnswer {
	v := m.value
	a := dcfAnswer{
		Company: m.in.Company, Currency: m.currency, PerShare: present.Tidy(v.PerShare), Equity: present.Tidy(v.Equity), Firm: present.Tidy(v.Firm),
		Explicit: present.Tidy(v.Explicit), Terminal: present.Tidy(v.Terminal), TerminalNow: present.Tidy(v.TerminalNow),
		TerminalShare: present.Fraction(v.TerminalShare), Rate: present.Fraction(m.dcf.Rate), Grid: gridOf(m.dcf), Warnings: []string{},
	}
	for i, c := range m.dcf.CashFlows {
		year := yearJSON{Year: i + 1, CashFlow: present.Tidy(c), Present: present.Tidy(v.Present[i])}
		if m.growth != nil {
			g := present.Fraction(m.growth[i])
			year.Growth = &g
		}
		a.Forecast = append(a.Forecast, year)
	}
	implied := present.Tidy(v.Implied)
	if m.dcf.ByMultiple {
		a.ImpliedGrowth = &implied
	} else {
		a.ImpliedExit = &implied
	}
	if m.in.WACC != nil {
		cost := present.Fraction(m.equity)
		a.CostOfEquity = &cost
	}
	a.priced(m)
	a.Assumptions = m.assumptions()
	a.warn(m)
	return a
}

// priced sets the value against the price, and says what that implies.
func (a *dcfAnswer) priced(m model) {
	if m.in.Price <= 0 {
		return
	}
	price, upside := m.in.Price, present.Fraction(m.value.PerShare/m.in.Price-1)
	a.Price, a.Margin = &price, &upside
	if m.in.Base <= 0 {
		a.Warnings = append(a.Warnings, "no growth implied by the price: it needs a positive base_cash_flow to start from")
		return
	}
	from := valuation.Base{CashFlow: m.in.Base}
	if m.dcf.ByMultiple {
		// The metric of the year that the cash flow is of, as far as both grow alike.
		from.Metric = m.dcf.Metric * m.in.Base / m.dcf.CashFlows[len(m.dcf.CashFlows)-1]
	}
	implied, err := m.dcf.ImpliedGrowth(from, price)
	if err != nil {
		a.Warnings = append(a.Warnings, "no growth implied by the price: "+err.Error())
		return
	}
	implied = present.Fraction(implied)
	a.PriceImplies = &implied
}

const (
	heavyTerminal   = 0.75
	likelyTerminal  = 0.04 // the economy hardly grows faster for ever
	narrowestSpread = 0.02
)

func (a *dcfAnswer) warn(m model) {
	note := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	if a.TerminalShare > heavyTerminal {
		note("%s of the value lies after the forecast", present.AsPercent(a.TerminalShare).StringFixed(0)+" %")
	}
	growth := m.dcf.Growth
	if m.dcf.ByMultiple {
		growth = m.value.Implied
	}
	if growth > likelyTerminal {
		note("growth for ever of %s is faster than economies grow", present.PercentOf(growth))
	}
	if !m.dcf.ByMultiple && m.dcf.Rate-m.dcf.Growth < narrowestSpread {
		note("the discount rate is only %s above the growth for ever: small changes move the value a lot", present.AsPercent(m.dcf.Rate-m.dcf.Growth).StringFixed(2)+" points")
	}
	if m.value.Equity < 0 {
		note("net debt is larger than the firm: the shares are worth nothing under these assumptions")
	}
}

func (m model) assumptions() []string {
	out := []string{fmt.Sprintf("%d years of cash flow to the firm", len(m.dcf.CashFlows))}
	if m.growth != nil {
		out = append(out, fmt.Sprintf("grown from %v by %s to %s a year", present.Rounded(m.in.Base, 4), present.PercentOf(m.growth[0]), present.PercentOf(m.growth[len(m.growth)-1])))
	}
	out = append(out, "discount rate "+present.AsPercent(present.Fraction(m.dcf.Rate)).String()+" %")
	if w := m.in.WACC; w != nil {
		out = append(out, fmt.Sprintf("cost of equity %s %%, of debt %s %% before a tax of %s %%, equity %v and debt %v",
			present.AsPercent(present.Fraction(m.equity)), present.AsPercent(w.CostDebt), present.AsPercent(w.TaxRate), present.Rounded(w.Equity, 4), present.Rounded(w.Debt, 4)))
	}
	if m.dcf.ByMultiple {
		out = append(out, fmt.Sprintf("sold at the end for %v times %v", m.dcf.Multiple, present.Rounded(m.dcf.Metric, 4)))
	} else {
		out = append(out, "growth for ever "+present.AsPercent(m.dcf.Growth).String()+" %")
	}
	out = append(out, fmt.Sprintf("net debt %v, shares %v", present.Rounded(m.dcf.NetDebt, 4), present.Rounded(m.dcf.Shares, 4)))
	if m.dcf.MidYear {
		return append(out, "cash discounted from the middle of each year")
	}
	return append(out, "cash discounted from the end of each year")
}

// gridOf moves the discount rate by up to two points, and growth by up to one or
// the multiple by up to a fifth.
func gridOf(d valuation.DCF) grid {
	var g grid
	for _, shift := range []float64{-0.02, -0.01, 0, 0.01, 0.02} {
		g.Rates = append(g.Rates, present.Fraction(d.Rate+shift))
	}
	for _, shift := range []float64{-0.01, -0.005, 0, 0.005, 0.01} {
		if d.ByMultiple {
			g.Exits = append(g.Exits, present.Tidy(d.Multiple*(1+20*shift)))
		} else {
			g.Endings = append(g.Endings, present.Fraction(d.Growth+shift))
		}
	}
	for _, rate := range g.Rates {
		var row []*float64
		for i := range 5 {
			d.Rate = rate
			if d.ByMultiple {
				d.Multiple = g.Exits[i]
			} else {
				d.Growth = g.Endings[i]
			}
			row = append(row, perShare(d))
		}
		g.Values = append(g.Values, row)
	}
	return g
}

func perShare(d valuation.DCF) *float64 {
	v, err := d.Value()
	if err != nil {
		return nil
	}
	out := present.Tidy(v.PerShare)
	return &out
}

func (a dcfAnswer) result(m model) tool.Result {
	s := present.Sheet{Tool: "dcf_valuation", Currency: a.Currency}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := present.Line{ID: id, Label: label, Value: present.Rounded(v, places), Unit: unit, Formula: formula, Inputs: a.Assumptions}
		if unit == "%" {
			l.Value = present.RoundedPercent(v, places)
		}
		s.Add(l)
	}
	terminal := "last cash flow * (1 + g) / (r - g)"
	if m.dcf.ByMultiple {
		terminal = "multiple * metric"
	}
	add("value_per_share", "value a share", a.PerShare, 4, s.Money(), "equity / shares")
	add("equity_value", "equity", a.Equity, 2, s.Money(), "firm - net debt")
	add("enterprise_value", "firm", a.Firm, 2, s.Money(), "forecast + terminal value, discounted")
	add("present_value_of_forecast", "forecast, discounted", a.Explicit, 2, s.Money(), "sum(cash flow / (1 + r)^t)")
	add("present_value_of_terminal", "terminal value, discounted", a.TerminalNow, 2, s.Money(), "terminal value / (1 + r)^n")
	add("terminal_value", "terminal value", a.Terminal, 2, s.Money(), terminal)
	add("terminal_share", "part of the terminal value", a.TerminalShare, 2, "%", "terminal value, discounted / firm")
	add("discount_rate", "discount rate", a.Rate, 4, "%", "E/V * cost of equity + D/V * cost of debt * (1 - tax), or as given")
	if a.CostOfEquity != nil {
		add("cost_of_equity", "cost of equity", *a.CostOfEquity, 4, "%", "risk-free + beta * premium, or as given")
	}
	if a.ImpliedExit != nil {
		add("implied_exit_multiple", "multiple of the last cash flow that growth implies", *a.ImpliedExit, 2, "x", "terminal value / last cash flow")
	}
	if a.ImpliedGrowth != nil {
		add("implied_terminal_growth", "growth for ever that the multiple implies", *a.ImpliedGrowth, 2, "%", "(TV r - CF) / (TV + CF)")
	}
	if a.Price != nil {
		add("price", "price", *a.Price, 4, s.Money(), "as given")
		add("upside", "value above the price", *a.Margin, 2, "%", "value a share / price - 1")
	}
	if a.PriceImplies != nil {
		add("growth_implied_by_price", "growth a year that the price implies", *a.PriceImplies, 2, "%", "the growth at which the value a share is the price")
	}
	a.unseen(&s)
	shown := s.Table(strings.TrimSpace("Discounted cash flow "+present.Cell(a.Company)), append(append([]string{}, a.Assumptions...), a.Warnings...))
	low, high := a.Grid.reach()
	return tool.Result{
		Value: a, ForUser: shown + "\n" + a.forecastTable() + "\n" + a.Grid.table(), Title: strings.TrimSpace("DCF " + present.Abridged(a.Company)),
		Summary: fmt.Sprintf("%v %s a share, %v to %v in the grid", present.Rounded(a.PerShare, 2), s.Money(), present.Rounded(low, 2), present.Rounded(high, 2)),
		Figures: s.Figures(),
	}
}

// unseen makes figures of what stands in the tables of forecast and sensitivity.
func (a dcfAnswer) unseen(s *present.Sheet) {
	for _, y := range a.Forecast {
		s.AddUnseen(present.Line{ID: fmt.Sprintf("cash_flow_%d", y.Year), Label: fmt.Sprintf("cash flow of year %d", y.Year), Value: present.Rounded(y.CashFlow, 4), Unit: s.Money(), Formula: "forecast", Inputs: a.Assumptions})
		s.AddUnseen(present.Line{ID: fmt.Sprintf("present_value_%d", y.Year), Label: fmt.Sprintf("present value of year %d", y.Year), Value: present.Rounded(y.Present, 4), Unit: s.Money(), Formula: "cash flow / (1 + r)^t", Inputs: a.Assumptions})
	}
	for i, row := range a.Grid.Values {
		for j, v := range row {
			if v == nil {
				continue
			}
			at := fmt.Sprintf("discount rate %s %%, %s", present.AsPercent(a.Grid.Rates[i]), a.Grid.column(j))
			s.AddUnseen(present.Line{ID: fmt.Sprintf("grid_%d_%d", i+1, j+1), Label: "value a share at " + at, Value: present.Rounded(*v, 4), Unit: s.Money(), Formula: "as the value a share", Inputs: []string{at}})
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
		rows[i] = []string{fmt.Sprint(y.Year), growth, present.Rounded(y.CashFlow, 2).String(), present.Rounded(y.Present, 2).String()}
	}
	return present.Table([]string{"year:", "growth:", "cash flow:", "present value:"}, rows)
}

func (g grid) column(j int) string {
	if len(g.Exits) > 0 {
		return fmt.Sprintf("multiple %v", g.Exits[j])
	}
	return fmt.Sprintf("growth %s %%", present.AsPercent(g.Endings[j]))
}

func (g grid) table() string {
	columns := []string{"value a share at:"}
	for j := range g.Values[0] {
		columns = append(columns, g.column(j)+":")
	}
	var rows [][]string
	for i, values := range g.Values {
		row := []string{present.AsPercent(g.Rates[i]).String() + " %"}
		for _, v := range values {
			if v == nil {
				row = append(row, "–")
				continue
			}
			row = append(row, present.Rounded(*v, 2).String())
		}
		rows = append(rows, row)
	}
	return present.Table(columns, rows)
}

// reach is the lowest and the highest value of the grid.
func (g grid) reach() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range g.Values {
		for _, v := range row {
			if v != nil {
				low, high = math.Min(low, *v), math.Max(high, *v)
			}
		}
	}
	return low, high
}

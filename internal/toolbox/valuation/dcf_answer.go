package valuation

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/valuation"
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
	TerminalShare *float64   `json:"terminal_share"` // null where the firm is worth nothing
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

func answerOf(m model) dcfAnswer {
	v := m.value
	a := dcfAnswer{
		Company: m.in.Company, Currency: m.currency, PerShare: present.Tidy(v.PerShare), Equity: present.Tidy(v.Equity), Firm: present.Tidy(v.Firm),
		Explicit: present.Tidy(v.Explicit), Terminal: present.Tidy(v.Terminal), TerminalNow: present.Tidy(v.TerminalNow),
		Rate: present.Fraction(m.dcf.Rate), Grid: gridOf(m.dcf), Warnings: []string{},
	}
	for i, c := range m.dcf.CashFlows {
		year := yearJSON{Year: i + 1, CashFlow: present.Tidy(c), Present: present.Tidy(v.Present[i])}
		if m.growth != nil {
			g := present.Fraction(m.growth[i])
			year.Growth = &g
		}
		a.Forecast = append(a.Forecast, year)
	}
	if v.TerminalShare != nil {
		a.TerminalShare = new(present.Fraction(*v.TerminalShare))
	}
	switch {
	case v.Implied == nil:
	case m.dcf.ByMultiple:
		a.ImpliedGrowth = new(present.Fraction(*v.Implied))
	default:
		a.ImpliedExit = new(present.Tidy(*v.Implied))
	}
	if m.in.WACC != nil {
		a.CostOfEquity = new(present.Fraction(m.capital.CostOfEquity))
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
	price := m.in.Price
	a.Price = &price
	// Nobody loses more than the price: of shares worth nothing there is no upside.
	if m.value.PerShare > 0 {
		a.Margin = new(present.Fraction(m.value.PerShare/price - 1))
	}
	a.Warnings = append(a.Warnings, doubtedUnits(m.value.PerShare/price)...)
	last := m.dcf.CashFlows[len(m.dcf.CashFlows)-1]
	if m.in.Base <= 0 || last <= 0 {
		a.Warnings = append(a.Warnings, "no growth implied by the price: it needs a positive base_cash_flow to start from, and a positive last cash flow")
		return
	}
	from := valuation.Base{CashFlow: m.in.Base}
	if m.dcf.ByMultiple {
		// The metric of the year that the cash flow is of, as far as both grow alike.
		from.Metric = m.dcf.Metric * m.in.Base / last
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
	farOff          = 20.0 // value over price, or the other way
)

// doubtedUnits is about a value so far from the price that thousands or millions are
// more likely mixed up than the market is wrong.
func doubtedUnits(valueOverPrice float64) []string {
	if valueOverPrice <= farOff && (valueOverPrice <= 0 || valueOverPrice >= 1/farOff) {
		return nil
	}
	return []string{fmt.Sprintf("the value is %v times the price: check that all sums, net_debt and shares are in one unit, and in the currency of the price", present.Significant(valueOverPrice, 2))}
}

func (a *dcfAnswer) warn(m model) {
	note := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	if a.TerminalShare != nil && *a.TerminalShare > heavyTerminal {
		note("%s of the value lies after the forecast", present.AsPercent(*a.TerminalShare).StringFixed(0)+" %")
	}
	for i, g := range m.growth {
		if g > 1 {
			note("growth of %s in year %d: give 8 %% as 0.08", present.PercentOf(g), i+1)
			break
		}
	}
	growth := m.dcf.Growth
	if a.ImpliedGrowth != nil {
		growth = *a.ImpliedGrowth
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
			present.AsPercent(present.Fraction(m.capital.CostOfEquity)), present.AsPercent(m.capital.CostOfDebt), present.AsPercent(m.capital.TaxRate), present.Rounded(w.Equity, 4), present.Rounded(w.Debt, 4)))
	}
	if m.dcf.ByMultiple {
		out = append(out, fmt.Sprintf("sold at the end for %v times %v", m.dcf.Multiple, present.Rounded(m.dcf.Metric, 4)))
	} else {
		out = append(out, "growth for ever "+present.AsPercent(m.dcf.Growth).String()+" %")
	}
	out = append(out, fmt.Sprintf("net debt %v, shares %v", present.Rounded(m.dcf.NetDebt, 4), present.Rounded(m.dcf.Shares, 4)))
	if m.dcf.MidYear {
		return append(out, "cash discounted from the middle of each year, the first half a year from today")
	}
	return append(out, "cash discounted from the end of each year, the first a year from today")
}

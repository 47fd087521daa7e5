package companies

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type dcfResult struct {
	Company       string          `json:"company,omitempty"`
	Currency      string          `json:"currency,omitempty"`
	PerShare      float64         `json:"value_per_share"`
	Equity        float64         `json:"equity_value"`
	Firm          float64         `json:"enterprise_value"`
	Explicit      float64         `json:"present_value_of_forecast"`
	Terminal      float64         `json:"terminal_value"`
	TerminalNow   float64         `json:"present_value_of_terminal"`
	TerminalShare *float64        `json:"terminal_share"` // null where the firm is worth nothing
	Rate          float64         `json:"discount_rate"`
	CostOfEquity  *float64        `json:"cost_of_equity,omitempty"`
	Forecast      []yearJSON      `json:"forecast"`
	ImpliedGrowth *float64        `json:"terminal_growth_implied_by_multiple,omitempty"`
	ImpliedExit   *float64        `json:"exit_multiple_of_cash_flow_implied_by_growth,omitempty"`
	Price         *float64        `json:"price,omitempty"`
	Upside        *float64        `json:"upside,omitempty"`
	PriceImplies  *float64        `json:"growth_implied_by_price,omitempty"`
	Grid          sensitivityGrid `json:"sensitivity"`
	Assumptions   []string        `json:"assumptions"`
	Warnings      []string        `json:"warnings"`
}

type yearJSON struct {
	Year     int      `json:"year"`
	Growth   *float64 `json:"growth,omitempty"`
	CashFlow float64  `json:"cash_flow"`
	Present  float64  `json:"present_value"`
}

func newDCFResult(m dcfModel) dcfResult {
	v := m.value
	a := dcfResult{
		Company: m.in.Company, Currency: m.currency, PerShare: toolkit.RoundSignificant(v.PerShare), Equity: toolkit.RoundSignificant(v.Equity), Firm: toolkit.RoundSignificant(v.EnterpriseValue),
		Explicit: toolkit.RoundSignificant(v.ForecastValue), Terminal: toolkit.RoundSignificant(v.Terminal), TerminalNow: toolkit.RoundSignificant(v.TerminalPresent),
		Rate: toolkit.RoundFraction(m.dcf.Rate), Grid: newSensitivityGrid(m.dcf), Warnings: []string{},
	}
	for i, c := range m.dcf.CashFlows {
		year := yearJSON{Year: i + 1, CashFlow: toolkit.RoundSignificant(c), Present: toolkit.RoundSignificant(v.Present[i])}
		if m.growth != nil {
			g := toolkit.RoundFraction(m.growth[i])
			year.Growth = &g
		}
		a.Forecast = append(a.Forecast, year)
	}
	if v.TerminalShare != nil {
		a.TerminalShare = new(toolkit.RoundFraction(*v.TerminalShare))
	}
	switch {
	case v.Implied == nil:
	case m.dcf.ByMultiple:
		a.ImpliedGrowth = new(toolkit.RoundFraction(*v.Implied))
	default:
		a.ImpliedExit = new(toolkit.RoundSignificant(*v.Implied))
	}
	if m.in.WACC != nil {
		a.CostOfEquity = new(toolkit.RoundFraction(m.capital.CostOfEquity))
	}
	a.addPrice(m)
	a.Assumptions = m.assumptions()
	a.addWarnings(m)
	return a
}

// addPrice sets the value against the price, and says what that implies.
func (a *dcfResult) addPrice(m dcfModel) {
	if m.in.Price <= 0 {
		return
	}
	price := m.in.Price
	a.Price = &price
	// Nobody loses more than the price: of shares worth nothing there is no upside.
	if m.value.PerShare > 0 {
		a.Upside = new(toolkit.RoundFraction(m.value.PerShare/price - 1))
	}
	a.Warnings = append(a.Warnings, unitWarnings(m.value.PerShare/price)...)
	last := m.dcf.CashFlows[len(m.dcf.CashFlows)-1]
	if m.in.Base <= 0 || last <= 0 {
		a.Warnings = append(a.Warnings, "no growth implied by the price: it needs a positive base_cash_flow to start from, and a positive last cash flow")
		return
	}
	from := fundamental.BaseYear{CashFlow: m.in.Base}
	if m.dcf.ByMultiple {
		// The metric of the year that the cash flow is of, as far as both grow alike.
		from.Metric = m.dcf.Metric * m.in.Base / last
	}
	implied, err := m.dcf.ImpliedGrowth(from, price)
	if err != nil {
		a.Warnings = append(a.Warnings, "no growth implied by the price: "+err.Error())
		return
	}
	implied = toolkit.RoundFraction(implied)
	a.PriceImplies = &implied
}

const (
	highTerminalShare       = 0.75
	maxLikelyTerminalGrowth = 0.04 // the economy hardly grows faster for ever
	minRateSpread           = 0.02
	maxPriceRatio           = 20.0 // value over price, or the other way
)

// unitWarnings is about a value so far from the price that thousands or millions are
// more likely mixed up than the market is wrong.
func unitWarnings(valueOverPrice float64) []string {
	if valueOverPrice <= maxPriceRatio && (valueOverPrice <= 0 || valueOverPrice >= 1/maxPriceRatio) {
		return nil
	}
	return []string{fmt.Sprintf("the value is %v times the price: check that all sums, net_debt and shares are in one unit, and in the currency of the price", toolkit.RoundDecimalSignificant(valueOverPrice, 2))}
}

func (a *dcfResult) addWarnings(m dcfModel) {
	note := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	if a.TerminalShare != nil && *a.TerminalShare > highTerminalShare {
		note("%s of the value lies after the forecast", toolkit.FractionToPercent(*a.TerminalShare).StringFixed(0)+" %")
	}
	for i, g := range m.growth {
		if g > 1 {
			note("growth of %s in year %d: give 8 %% as 0.08", toolkit.FormatRate(g), i+1)
			break
		}
	}
	growth := m.dcf.Growth
	if a.ImpliedGrowth != nil {
		growth = *a.ImpliedGrowth
	}
	if growth > maxLikelyTerminalGrowth {
		note("growth for ever of %s is faster than economies grow", toolkit.FormatRate(growth))
	}
	if !m.dcf.ByMultiple && m.dcf.Rate-m.dcf.Growth < minRateSpread {
		note("the discount rate is only %s above the growth for ever: small changes move the value a lot", toolkit.FractionToPercent(m.dcf.Rate-m.dcf.Growth).StringFixed(2)+" points")
	}
	if m.value.Equity < 0 {
		note("net debt is larger than the firm: the shares are worth nothing under these assumptions")
	}
}

func (m dcfModel) assumptions() []string {
	out := []string{fmt.Sprintf("%d years of cash flow to the firm", len(m.dcf.CashFlows))}
	if m.growth != nil {
		out = append(out, fmt.Sprintf("grown from %v by %s to %s a year", toolkit.RoundDecimal(m.in.Base, 4), toolkit.FormatRate(m.growth[0]), toolkit.FormatRate(m.growth[len(m.growth)-1])))
	}
	out = append(out, "discount rate "+toolkit.FractionToPercent(toolkit.RoundFraction(m.dcf.Rate)).String()+" %")
	if w := m.in.WACC; w != nil {
		out = append(out, fmt.Sprintf("cost of equity %s %%, of debt %s %% before a tax of %s %%, equity %v and debt %v",
			toolkit.FractionToPercent(toolkit.RoundFraction(m.capital.CostOfEquity)), toolkit.FractionToPercent(m.capital.CostOfDebt), toolkit.FractionToPercent(m.capital.TaxRate), toolkit.RoundDecimal(w.Equity, 4), toolkit.RoundDecimal(w.Debt, 4)))
	}
	if m.dcf.ByMultiple {
		out = append(out, fmt.Sprintf("sold at the end for %v times %v", m.dcf.Multiple, toolkit.RoundDecimal(m.dcf.Metric, 4)))
	} else {
		out = append(out, "growth for ever "+toolkit.FractionToPercent(m.dcf.Growth).String()+" %")
	}
	out = append(out, fmt.Sprintf("net debt %v, shares %v", toolkit.RoundDecimal(m.dcf.NetDebt, 4), toolkit.RoundDecimal(m.dcf.Shares, 4)))
	if m.dcf.MidYear {
		return append(out, "cash discounted from the middle of each year, the first half a year from today")
	}
	return append(out, "cash discounted from the end of each year, the first a year from today")
}

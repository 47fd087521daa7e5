package companies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type dcfInput struct {
	Base      float64   `json:"base_cash_flow,omitempty"`
	Growth    []float64 `json:"growth,omitempty" jsonschema:"[0.08]; or first and last year, [0.1, 0.04]."`
	CashFlows []float64 `json:"cash_flows,omitempty" jsonschema:"Free cash flow of each future year, instead of base_cash_flow." arg:"rare"`
	Years     int       `json:"years,omitempty" jsonschema:"Years of the forecast. Default 10." arg:"rare"`

	Rate    float64    `json:"discount_rate,omitempty" jsonschema:"0.09"`
	WACC    *waccInput `json:"wacc,omitempty" jsonschema:"Parts of the discount rate; equity_value is required." arg:"rare"`
	Ending  *float64   `json:"terminal_growth,omitempty" jsonschema:"0.02"`
	Exit    float64    `json:"exit_multiple,omitempty" jsonschema:"Terminal value as a multiple of exit_metric." arg:"rare"`
	Metric  float64    `json:"exit_metric,omitempty" jsonschema:"Metric of the last forecast year, such as EBITDA." arg:"rare"`
	NetDebt float64    `json:"net_debt"`
	Shares  float64    `json:"shares"`
	Price   float64    `json:"price,omitempty"`
	MidYear bool       `json:"mid_year,omitempty" jsonschema:"true to discount from the middle of each year." arg:"rare"`

	Currency string `json:"currency,omitempty" jsonschema:"ISO code of the amounts." arg:"rare"`
	Company  string `json:"company,omitempty" jsonschema:"Name or symbol, for the heading." arg:"rare"`
}

type waccInput struct {
	RiskFree   *float64 `json:"risk_free_rate,omitempty" jsonschema:"0.04 for 4%."`
	Beta       *float64 `json:"beta,omitempty"`
	Premium    *float64 `json:"equity_risk_premium,omitempty" jsonschema:"0.05 for 5%."`
	CostEquity *float64 `json:"cost_of_equity,omitempty" jsonschema:"Instead of the three CAPM inputs."`
	CostDebt   *float64 `json:"cost_of_debt,omitempty" jsonschema:"Before tax. Required with debt."`
	TaxRate    *float64 `json:"tax_rate,omitempty" jsonschema:"Required with debt."`
	Equity     float64  `json:"equity_value" jsonschema:"Market value."`
	Debt       float64  `json:"debt_value,omitempty" jsonschema:"Market value. Default 0."`
}

// capital returns the capital structure. It does not guess missing parts, because a missing part
// would lower the rate and raise the value.
func (w waccInput) capital() (fundamental.CapitalStructure, error) {
	c := fundamental.CapitalStructure{Equity: w.Equity, Debt: w.Debt}
	parts := w.RiskFree != nil || w.Beta != nil || w.Premium != nil
	switch {
	case w.CostEquity != nil && parts:
		return c, errors.New("wacc: use either cost_of_equity, or risk_free_rate, beta and equity_risk_premium")
	case w.CostEquity != nil:
		c.CostOfEquity = *w.CostEquity
	case w.RiskFree == nil || w.Beta == nil || w.Premium == nil:
		return c, errors.New("wacc: cost_of_equity is required, or all of risk_free_rate, beta and equity_risk_premium")
	default:
		c.CostOfEquity = fundamental.CAPM(*w.RiskFree, *w.Beta, *w.Premium)
	}
	if w.Debt == 0 {
		return c, nil
	}
	if w.CostDebt == nil || w.TaxRate == nil {
		return c, errors.New("wacc: debt_value requires cost_of_debt and tax_rate")
	}
	c.CostOfDebt, c.TaxRate = *w.CostDebt, *w.TaxRate
	return c, nil
}

const dcfDescription = `Discounted free cash flow (DCF): value per share, sensitivity, growth implied by a price. Use for "intrinsic value of X" with inputs from financial_statements. Not for banks. State assumptions and range.`

const dcfDetails = `Free cash flow to the firm is given year by year, or grown from the last reported one, and discounted at the cost of capital. The terminal value comes from perpetual growth or an exit multiple. The result has enterprise value, equity value, value per share, the share of the terminal value, and a sensitivity grid. With a price it also has the margin of safety and the growth that the price implies (reverse DCF), which needs base_cash_flow.
Give cash_flows, or base_cash_flow and growth. One growth value applies to all years; two values are the first and the last year, with a straight line between. Give discount_rate or wacc; in wacc give cost_of_equity, or risk_free_rate, beta and equity_risk_premium (CAPM: risk-free rate plus beta times premium). Debt also needs cost_of_debt and tax_rate. Give terminal_growth, or exit_multiple and exit_metric. mid_year discounts from the middle of each year. Rates are fractions: 0.08 is 8%.
net_debt is in the unit of the cash flows. shares must match: if cash flows are in millions, give millions of shares. The tool is not for banks and insurers, because debt is part of their business. A valuation depends on its assumptions and is not a forecast: quote the range, never a single value.`

const dcfKeywords = `dcf discounted discount intrinsic fair value valuation worth wacc terminal growth reverse implied model cost capital enterprise equity undervalued margin safety 估值 折现 现金流折现 内在价值 合理价值 永续增长 贴现 资本成本 隐含增长 低估`

var dcfPhrasings = []string{
	"intrinsic value of <sym> from its free cash flow",
	"dcf with <pct> growth and a <pct> discount rate",
	"what growth does the price of <sym> imply",
	"fair value per share at a wacc of <pct>",
	"is <sym> undervalued on its cash flows",
	"用现金流折现给<sym>估值",
	"<sym>的内在价值是多少",
}

// newDCF returns the tool that discounts cash flows.
func newDCF() tool.Tool {
	return toolkit.New("dcf_valuation", dcfDescription, tool.Reads, func(_ context.Context, in dcfInput) (dcfResult, error) {
		m, err := in.newModel()
		if err == nil {
			m.value, err = m.dcf.Value()
		}
		if err != nil {
			return dcfResult{}, toolkit.InvalidArgsf("dcf_valuation: %w", err)
		}
		return newDCFResult(m), nil
	}).
		WithDetails(dcfDetails).Find("valuation", dcfKeywords, dcfPhrasings...)
}

// dcfModel is a validated call.
type dcfModel struct {
	in       dcfInput
	dcf      fundamental.DCF
	growth   []float64                    // for each year; nil if the caller passed cash flows
	capital  fundamental.CapitalStructure // set if the discount rate was computed from wacc
	currency string
	value    fundamental.DCFValue
}

const (
	defaultYears = 10
	maxGrowth    = 5 // per year; a larger number was probably meant in percent
)

func (in dcfInput) newModel() (dcfModel, error) {
	m := dcfModel{in: in}
	var err error
	if m.currency, err = toolkit.ParseCurrency(in.Currency); err != nil {
		return m, err
	}
	m.dcf = fundamental.DCF{CashFlows: in.CashFlows, Rate: in.Rate, NetDebt: in.NetDebt, Shares: in.Shares, MidYear: in.MidYear}
	switch {
	case in.Price > 0 && in.Price < minPrice:
		return m, fmt.Errorf("price %v is too small; use the price of one share", in.Price)
	case in.Price < 0 || in.Base < 0 && len(in.CashFlows) == 0:
		return m, fmt.Errorf("price %v and base_cash_flow %v must not be negative; for negative cash flows use cash_flows", in.Price, in.Base)
	case len(in.CashFlows) > 0 && in.Years != 0 && in.Years != len(in.CashFlows):
		return m, fmt.Errorf("%d cash_flows do not match years %d; omit years", len(in.CashFlows), in.Years)
	case len(in.CashFlows) > 0 && len(in.Growth) > 0:
		return m, errors.New("use either cash_flows or growth, not both")
	case len(in.CashFlows) == 0 && (in.Base == 0 || len(in.Growth) == 0):
		return m, errors.New("cash_flows is required, or base_cash_flow and growth")
	case len(in.CashFlows) == 0:
		if m.growth, err = in.growthPath(); err != nil {
			return m, err
		}
		m.dcf.CashFlows = fundamental.GrowCashFlow(in.Base, m.growth)
	}
	switch {
	case (in.Ending != nil) == (in.Exit != 0):
		return m, errors.New("use either terminal_growth, or exit_multiple and exit_metric")
	case in.Ending != nil:
		m.dcf.Growth = *in.Ending
	default:
		m.dcf.ByMultiple, m.dcf.Multiple, m.dcf.Metric = true, in.Exit, in.Metric
	}
	return m, m.setDiscountRate()
}

// growthPath returns the growth of each year.
func (in dcfInput) growthPath() ([]float64, error) {
	years := in.Years
	if years == 0 {
		years = defaultYears
	}
	if years < 1 || years > 50 {
		return nil, fmt.Errorf("years %d is out of range; use 1 to 50", years)
	}
	for _, g := range in.Growth {
		if !(g > -1) || g > maxGrowth {
			return nil, fmt.Errorf("growth %v is out of range; it is an annual fraction: write 8%% as 0.08", g)
		}
	}
	switch len(in.Growth) {
	case 1:
		return fundamental.FadeGrowth(in.Growth[0], in.Growth[0], years), nil
	case 2:
		if in.Years != 2 {
			return fundamental.FadeGrowth(in.Growth[0], in.Growth[1], years), nil
		}
	}
	if in.Years != 0 && in.Years != len(in.Growth) {
		return nil, fmt.Errorf("growth has %d values for %d years; use one, two or one per year", len(in.Growth), in.Years)
	}
	return in.Growth, nil
}

// setDiscountRate computes the rate from wacc, if it is set.
func (m *dcfModel) setDiscountRate() error {
	w := m.in.WACC
	switch {
	case (w != nil) == (m.in.Rate != 0):
		return errors.New("use either discount_rate or wacc")
	case w == nil:
		return nil
	}
	var err error
	if m.capital, err = w.capital(); err != nil {
		return err
	}
	m.dcf.Rate, err = m.capital.WACC()
	return err
}

type dcfResult struct {
	Company       string          `json:"company,omitempty"`
	Currency      string          `json:"currency,omitempty"`
	PerShare      float64         `json:"value_per_share" label:"value per share" as:"money" key:"1" formula:"equity value / shares"`
	Equity        float64         `json:"equity_value" label:"equity value" as:"money" formula:"enterprise value - net debt"`
	Firm          float64         `json:"enterprise_value" label:"enterprise value" as:"money" key:"4" formula:"forecast + terminal value, discounted"`
	Explicit      float64         `json:"present_value_of_forecast" label:"forecast, discounted" as:"money"`
	TerminalNow   float64         `json:"present_value_of_terminal" label:"terminal value, discounted" as:"money"`
	Terminal      float64         `json:"terminal_value" label:"terminal value" as:"money"`
	TerminalShare *float64        `json:"terminal_share" label:"share of the terminal value" as:"percent" formula:"terminal value, discounted / enterprise value"` // null if the enterprise value is not positive
	Rate          float64         `json:"discount_rate" label:"discount rate" as:"rate" formula:"E/V * cost of equity + D/V * cost of debt * (1 - tax), or as given"`
	CostOfEquity  *float64        `json:"cost_of_equity,omitempty" label:"cost of equity" as:"rate" formula:"risk-free + beta * premium, or as given"`
	ImpliedExit   *float64        `json:"exit_multiple_of_cash_flow_implied_by_growth,omitempty" label:"multiple of the last cash flow implied by growth" unit:"x"`
	ImpliedGrowth *float64        `json:"terminal_growth_implied_by_multiple,omitempty" label:"terminal growth implied by the multiple" as:"change"`
	Price         *float64        `json:"price,omitempty" label:"price" as:"price" formula:"as given"`
	Upside        *float64        `json:"upside,omitempty" label:"value above the price" as:"change" key:"2" formula:"value per share / price - 1"`
	PriceImplies  *float64        `json:"growth_implied_by_price,omitempty" label:"annual cash flow growth implied by the price" as:"change" key:"3" formula:"growth at which the value per share equals the price"`
	Forecast      []forecastYear  `json:"forecast" table:"Forecast"`
	Grid          sensitivityGrid `json:"sensitivity"`
	Assumptions   []string        `json:"assumptions" as:"notes"`
	Warnings      toolkit.Notes   `json:"warnings"`

	formulas map[string]string // formulas that depend on the model, by field
}

type forecastYear struct {
	Year     int      `json:"year" label:"year"`
	Growth   *float64 `json:"growth,omitempty" label:"growth" as:"change" formula:"as given"`
	CashFlow float64  `json:"cash_flow" label:"free cash flow" as:"money" formula:"forecast"`
	Present  float64  `json:"present_value" label:"present value" as:"money"`
}

func newDCFResult(m dcfModel) dcfResult {
	v := m.value
	a := dcfResult{
		Company: m.in.Company, Currency: m.currency, PerShare: v.PerShare, Equity: v.Equity, Firm: v.EnterpriseValue, Explicit: v.ForecastValue, Terminal: v.Terminal, TerminalNow: v.TerminalPresent,
		TerminalShare: v.TerminalShare, Rate: m.dcf.Rate, Grid: newSensitivityGrid(m.dcf), Assumptions: m.assumptions(), formulas: m.formulas(),
	}
	for i, c := range m.dcf.CashFlows {
		year := forecastYear{Year: i + 1, CashFlow: c, Present: v.Present[i]}
		if m.growth != nil {
			year.Growth = &m.growth[i]
		}
		a.Forecast = append(a.Forecast, year)
	}
	if m.dcf.ByMultiple {
		a.ImpliedGrowth = v.Implied
	} else {
		a.ImpliedExit = v.Implied
	}
	if m.in.WACC != nil {
		a.CostOfEquity = &m.capital.CostOfEquity
	}
	a.addPrice(m)
	a.addWarnings(m)
	return a
}

// addPrice compares the value with the price and computes the growth implied by the price.
func (a *dcfResult) addPrice(m dcfModel) {
	if m.in.Price <= 0 {
		return
	}
	price := m.in.Price
	a.Price = &price
	// No upside for worthless shares, because a loss cannot exceed the price.
	if m.value.PerShare > 0 {
		a.Upside = new(m.value.PerShare/price - 1)
	}
	warnOfUnits(&a.Warnings, m.value.PerShare/price)
	const code = "no_implied_growth"
	last := m.dcf.CashFlows[len(m.dcf.CashFlows)-1]
	if m.in.Base <= 0 || last <= 0 {
		a.Warnings.Warn(code, "no growth implied by the price: base_cash_flow and the last cash flow must be positive")
		return
	}
	from := fundamental.BaseYear{CashFlow: m.in.Base}
	if m.dcf.ByMultiple {
		// The metric of the base year, assuming that it grows as the cash flow does.
		from.Metric = m.dcf.Metric * m.in.Base / last
	}
	implied, err := m.dcf.ImpliedGrowth(from, price)
	if err != nil {
		a.Warnings.Warn(code, "no growth implied by the price: %v", err)
		return
	}
	a.PriceImplies = &implied
}

const (
	highTerminalShare       = 0.75
	maxLikelyTerminalGrowth = 0.04 // economies do not grow faster for long
	minRateSpread           = 0.02
	maxPriceRatio           = 20.0 // value / price, or price / value
)

// warnOfUnits warns if the value is so far from the price that the units are probably mixed up.
func warnOfUnits(n *toolkit.Notes, valueOverPrice float64) {
	if valueOverPrice > maxPriceRatio || valueOverPrice > 0 && valueOverPrice < 1/maxPriceRatio {
		n.Warn("units", "the value is %s times the price: check that all amounts and shares have the same unit and currency", toolkit.Format(valueOverPrice, toolkit.Number, ""))
	}
}

func (a *dcfResult) addWarnings(m dcfModel) {
	percent := func(v float64) string { return toolkit.Format(v, toolkit.Percent, "") }
	if a.TerminalShare != nil && *a.TerminalShare > highTerminalShare {
		a.Warnings.Warn("terminal_value", "%s of the value comes from the years after the forecast", percent(*a.TerminalShare))
	}
	for i, g := range m.growth {
		if g > 1 {
			a.Warnings.Warn("unusual_growth", "growth of %s in year %d is unusual; 8%% is written 0.08", percent(g), i+1)
			break
		}
	}
	growth := m.dcf.Growth
	if a.ImpliedGrowth != nil {
		growth = *a.ImpliedGrowth
	}
	if growth > maxLikelyTerminalGrowth {
		a.Warnings.Warn("terminal_growth", "terminal growth of %s is higher than the long-run growth of economies", percent(growth))
	}
	if spread := m.dcf.Rate - m.dcf.Growth; !m.dcf.ByMultiple && spread < minRateSpread {
		a.Warnings.Warn("rate_spread", "the discount rate is only %s above terminal growth: small changes in either change the value a lot", strings.TrimPrefix(toolkit.Format(spread, toolkit.Points, ""), "+"))
	}
	if m.value.Equity < 0 {
		a.Warnings.Warn("no_equity", "net debt exceeds the enterprise value: under these assumptions the shares are worthless")
	}
}

func (m dcfModel) assumptions() []string {
	number := func(v float64) string { return toolkit.Format(v, toolkit.Number, "") }
	rate := func(v float64) string { return toolkit.Format(v, toolkit.Rate, "") }
	out := []string{fmt.Sprintf("%d years of free cash flow to the firm", len(m.dcf.CashFlows))}
	if m.growth != nil {
		out = append(out, fmt.Sprintf("cash flow starts at %s and grows by %s to %s a year", number(m.in.Base), rate(m.growth[0]), rate(m.growth[len(m.growth)-1])))
	}
	out = append(out, "discount rate "+rate(m.dcf.Rate))
	if w := m.in.WACC; w != nil {
		out = append(out, fmt.Sprintf("cost of equity %s, cost of debt %s before a tax of %s, equity %s and debt %s",
			rate(m.capital.CostOfEquity), rate(m.capital.CostOfDebt), rate(m.capital.TaxRate), number(w.Equity), number(w.Debt)))
	}
	if m.dcf.ByMultiple {
		out = append(out, fmt.Sprintf("terminal value is %s times %s", number(m.dcf.Multiple), number(m.dcf.Metric)))
	} else {
		out = append(out, "terminal growth "+rate(m.dcf.Growth))
	}
	out = append(out, fmt.Sprintf("net debt %s, shares %s", number(m.dcf.NetDebt), number(m.dcf.Shares)))
	if m.dcf.MidYear {
		return append(out, "cash flows discounted from the middle of each year, the first one half a year from today")
	}
	return append(out, "cash flows discounted from the end of each year, the first one a year from today")
}

// formulas returns the formulas that depend on the terminal value and the timing of cash flows.
func (m dcfModel) formulas() map[string]string {
	present, terminal, terminalNow, implied := "cash flow / (1 + r)^t", "last cash flow * (1 + g) / (r - g)", "terminal value / (1 + r)^n", "terminal value / last cash flow"
	if m.dcf.MidYear {
		present, terminalNow, implied = "cash flow / (1 + r)^(t - 1/2)", "terminal value / (1 + r)^(n - 1/2)", "terminal value * (1 + r)^(1/2) / last cash flow"
	}
	if m.dcf.ByMultiple {
		terminal, terminalNow, implied = "multiple * metric", "terminal value / (1 + r)^n", "(TV r - CF) / (TV + CF)"
		if m.dcf.MidYear {
			implied = "(TV r - CF (1 + r)^(1/2)) / (TV + CF (1 + r)^(1/2))"
		}
	}
	return map[string]string{
		"forecast.present_value": present, "present_value_of_forecast": "sum(" + present + ")", "terminal_value": terminal, "present_value_of_terminal": terminalNow,
		"exit_multiple_of_cash_flow_implied_by_growth": implied, "terminal_growth_implied_by_multiple": implied,
	}
}

func (a dcfResult) Headline(lang string) string {
	low, high := a.Grid.valueRange()
	values := perShareText(lang, a.PerShare, low, high, a.Currency) + fromPriceText(lang, a.Upside)
	name := toolkit.Abbreviate(a.Company)
	switch {
	case lang == "zh":
		return "现金流折现：" + name + values + "。"
	case name == "":
		return "DCF gives " + values + "."
	}
	return "DCF values " + name + " at " + values + "."
}

// perShareText formats a value and its range: "52.00 USD per share (50.00 to 54.00)".
func perShareText(lang string, v, low, high float64, currency string) string {
	value, from, to := toolkit.Format(v, toolkit.Money, currency), formatBare(low, currency), formatBare(high, currency)
	if lang == "zh" {
		return fmt.Sprintf("每股价值 %s（%s 至 %s）", value, from, to)
	}
	return fmt.Sprintf("%s per share (%s to %s)", value, from, to)
}

// formatBare formats an amount without its currency.
func formatBare(v any, currency string) string {
	return strings.TrimSuffix(toolkit.Format(v, toolkit.Money, currency), " "+currency)
}

// fromPriceText states the difference between value and price, or returns "" without a price.
func fromPriceText(lang string, upside *float64) string {
	change := toolkit.Format(upside, toolkit.Change, "")
	switch {
	case upside == nil:
		return ""
	case lang == "zh":
		return "，相对价格 " + change
	}
	return ", " + change + " vs. the price"
}

func (a dcfResult) Title() string {
	return strings.TrimSpace("DCF " + toolkit.Abbreviate(a.Company))
}

func (a dcfResult) Explain(field string) toolkit.Explanation {
	return toolkit.Explanation{Formula: a.formulas[field], Inputs: a.Assumptions}
}

func (a dcfResult) Tables() []toolkit.Table { return []toolkit.Table{a.Grid.table(a.Currency)} }

// sensitivityGrid holds the value per share under other assumptions; null if they allow no value.
type sensitivityGrid struct {
	Rates   []float64    `json:"discount_rates"`
	Endings []float64    `json:"terminal_growths,omitempty"`
	Exits   []float64    `json:"exit_multiples,omitempty"`
	Values  [][]*float64 `json:"values_per_share"` // a row for each rate
}

// newSensitivityGrid varies the discount rate by up to two percentage points, and growth by up to one
// or the multiple by up to a fifth.
func newSensitivityGrid(d fundamental.DCF) sensitivityGrid {
	var g sensitivityGrid
	for _, shift := range []float64{-0.01, -0.005, 0, 0.005, 0.01} {
		g.Rates = append(g.Rates, d.Rate+2*shift)
		if d.ByMultiple {
			g.Exits = append(g.Exits, d.Multiple*(1+20*shift))
		} else {
			g.Endings = append(g.Endings, d.Growth+shift)
		}
	}
	for _, rate := range g.Rates {
		d.Rate = rate
		row := make([]*float64, 5)
		for i := range row {
			if d.ByMultiple {
				d.Multiple = g.Exits[i]
			} else {
				d.Growth = g.Endings[i]
			}
			if v, err := d.Value(); err == nil {
				row[i] = &v.PerShare
			}
		}
		g.Values = append(g.Values, row)
	}
	return g
}

func (g sensitivityGrid) table(currency string) toolkit.Table {
	rate := func(v float64) string { return toolkit.Format(v, toolkit.Rate, "") }
	ending := func(j int) string {
		if len(g.Exits) > 0 {
			return "multiple " + toolkit.Format(g.Exits[j], toolkit.Number, "")
		}
		return "growth " + rate(g.Endings[j])
	}
	t := toolkit.Table{Title: "Sensitivity of the value per share", Columns: []string{"discount rate:"}}
	for j := range g.Values[0] {
		t.Columns = append(t.Columns, ending(j)+":")
	}
	for i, values := range g.Values {
		row := []string{rate(g.Rates[i])}
		for j, v := range values {
			row = append(row, formatBare(v, currency))
			if v != nil {
				at := "discount rate " + rate(g.Rates[i]) + ", " + ending(j)
				t.Figures = append(t.Figures, tool.Figure{
					ID: fmt.Sprintf("sensitivity.values_per_share.%d.%d", i, j), Label: "value per share at " + at, Value: decimal.NewFromFloat(*v),
					Unit: cmp.Or(currency, "units of money"), Formula: "as the value per share", Inputs: []string{at},
				})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// valueRange returns the lowest and the highest value of the grid.
func (g sensitivityGrid) valueRange() (low, high float64) {
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

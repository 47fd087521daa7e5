package companies

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type dcfInput struct {
	CashFlows []float64 `json:"cash_flows,omitempty" jsonschema:"Free, by year; or base_cash_flow and growth."`
	Base      float64   `json:"base_cash_flow,omitempty" jsonschema:"Last reported; growth starts from it."`
	Growth    []float64 `json:"growth,omitempty" jsonschema:"[0.08] for all years; [0.1, 0.04] from first to last."`
	Years     int       `json:"years,omitempty" jsonschema:"Years of the forecast. Default 10." arg:"rare"`

	Rate    float64    `json:"discount_rate,omitempty" jsonschema:"0.09; or details.wacc with equity_value and cost_of_equity or beta."`
	WACC    *waccInput `json:"wacc,omitempty" jsonschema:"Parts of the discount rate; equity_value is required." arg:"rare"`
	Ending  *float64   `json:"terminal_growth,omitempty" jsonschema:"0.02; or details.exit_multiple and details.exit_metric."`
	Exit    float64    `json:"exit_multiple,omitempty" jsonschema:"Terminal value as a multiple of exit_metric." arg:"rare"`
	Metric  float64    `json:"exit_metric,omitempty" jsonschema:"Metric of the last forecast year, such as EBITDA." arg:"rare"`
	NetDebt float64    `json:"net_debt" jsonschema:"Debt less cash, same unit as the cash flows."`
	Shares  float64    `json:"shares" jsonschema:"Diluted; millions if cash flows are in millions."`
	Price   float64    `json:"price,omitempty" jsonschema:"Of a share, for margin and implied growth."`
	MidYear bool       `json:"mid_year,omitempty" jsonschema:"Discount from the middle of each year." arg:"rare"`

	Currency string `json:"currency,omitempty" jsonschema:"ISO code of the amounts."`
	Company  string `json:"company,omitempty" jsonschema:"Name or symbol, for the heading." arg:"rare"`
}

type waccInput struct {
	RiskFree   *float64 `json:"risk_free_rate,omitempty" jsonschema:"0.04 for 4%."`
	Beta       *float64 `json:"beta,omitempty"`
	Premium    *float64 `json:"equity_risk_premium,omitempty" jsonschema:"0.05 for 5%."`
	CostEquity *float64 `json:"cost_of_equity,omitempty" jsonschema:"Instead of the three rates of CAPM."`
	CostDebt   *float64 `json:"cost_of_debt,omitempty" jsonschema:"Before tax. Required with debt."`
	TaxRate    *float64 `json:"tax_rate,omitempty" jsonschema:"Required with debt."`
	Equity     float64  `json:"equity_value" jsonschema:"Market value."`
	Debt       float64  `json:"debt_value,omitempty" jsonschema:"Market value. Default 0."`
}

// capital is a way to finance a firm of which nothing was guessed: a part that is
// left out would make the rate lower, and the firm dearer.
func (w waccInput) capital() (fundamental.CapitalStructure, error) {
	c := fundamental.CapitalStructure{Equity: w.Equity, Debt: w.Debt}
	parts := w.RiskFree != nil || w.Beta != nil || w.Premium != nil
	switch {
	case w.CostEquity != nil && parts:
		return c, errors.New("wacc: give either cost_of_equity, or risk_free_rate, beta and equity_risk_premium")
	case w.CostEquity != nil:
		c.CostOfEquity = *w.CostEquity
	case w.RiskFree == nil || w.Beta == nil || w.Premium == nil:
		return c, errors.New("wacc: give cost_of_equity, or all of risk_free_rate, beta and equity_risk_premium")
	default:
		c.CostOfEquity = fundamental.CAPM(*w.RiskFree, *w.Beta, *w.Premium)
	}
	if w.Debt == 0 {
		return c, nil
	}
	if w.CostDebt == nil || w.TaxRate == nil {
		return c, errors.New("wacc: debt_value needs cost_of_debt and tax_rate")
	}
	c.CostOfDebt, c.TaxRate = *w.CostDebt, *w.TaxRate
	return c, nil
}

const dcfDescription = `Values a company by discounted cash flow (DCF): value per share, sensitivity grid, growth implied by a price. Use for "intrinsic value of X". Fetches nothing: take inputs from financial_statements and quote. Not for banks. State the assumptions and range.`

const dcfDetails = `Free cash flow to the firm is given year by year, or grown from the last reported one, and discounted at the cost of capital. The terminal value is by perpetual growth or by an exit multiple. The result has enterprise value, equity value, value per share, the share of the terminal value, and a sensitivity grid. With a price it also has the margin of safety and the growth that the price implies (reverse DCF), which needs base_cash_flow.
Give cash_flows, or base_cash_flow and growth. One value of growth holds for all years, two values for a path from the first to the last year. Give discount_rate or wacc; in wacc give cost_of_equity, or risk_free_rate, beta and equity_risk_premium (CAPM: risk-free rate plus beta times premium). Debt also needs cost_of_debt and tax_rate. Give terminal_growth, or exit_multiple and exit_metric. mid_year discounts from the middle of each year. Rates are fractions: 0.08 is 8%.
net_debt is in the unit of the cash flows. shares is in the unit that makes the amounts per share: with cash flows in millions, millions of shares. The tool is not for banks and insurers, because debt is their raw material. A valuation follows from its assumptions and is not a forecast: quote the range, never only the value.`

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

// newDCF is the tool that discounts cash flows.
func newDCF() tool.Tool {
	return tool.New("dcf_valuation", dcfDescription, tool.Reads, func(_ context.Context, in dcfInput) (tool.Result, error) {
		m, err := in.newModel()
		if err == nil {
			m.value, err = m.dcf.Value()
		}
		if err != nil {
			return toolkit.InvalidResult(fmt.Errorf("dcf_valuation: %w", err))
		}
		return newDCFResult(m).result(m), nil
	}).WithDetails(dcfDetails).Find("valuation", dcfKeywords, dcfPhrasings...)
}

// dcfModel is a call that was understood.
type dcfModel struct {
	in       dcfInput
	dcf      fundamental.DCF
	growth   []float64                    // as laid out over the years; nil for cash flows as given
	capital  fundamental.CapitalStructure // where the discount rate was made of its parts
	currency string
	value    fundamental.DCFValue
}

const (
	defaultYears = 10
	maxGrowth    = 5 // a year; above, per cents were given
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
		return m, fmt.Errorf("price %v: it is that of a share", in.Price)
	case in.Price < 0 || in.Base < 0 && len(in.CashFlows) == 0:
		return m, fmt.Errorf("price %v and base_cash_flow %v: neither can be negative; where cash flows are, give cash_flows", in.Price, in.Base)
	case len(in.CashFlows) > 0 && in.Years != 0 && in.Years != len(in.CashFlows):
		return m, fmt.Errorf("%d cash_flows for %d years", len(in.CashFlows), in.Years)
	case len(in.CashFlows) > 0 && len(in.Growth) > 0:
		return m, errors.New("give either cash_flows or growth, not both")
	case len(in.CashFlows) == 0 && (in.Base == 0 || len(in.Growth) == 0):
		return m, errors.New("give cash_flows, or base_cash_flow and growth")
	case len(in.CashFlows) == 0:
		if m.growth, err = in.growthPath(); err != nil {
			return m, err
		}
		m.dcf.CashFlows = fundamental.GrowCashFlow(in.Base, m.growth)
	}
	switch {
	case (in.Ending != nil) == (in.Exit != 0):
		return m, errors.New("give either terminal_growth or exit_multiple with exit_metric")
	case in.Ending != nil:
		m.dcf.Growth = *in.Ending
	default:
		m.dcf.ByMultiple, m.dcf.Multiple, m.dcf.Metric = true, in.Exit, in.Metric
	}
	return m, m.setDiscountRate()
}

// growthPath lays growth out over the years.
func (in dcfInput) growthPath() ([]float64, error) {
	years := in.Years
	if years == 0 {
		years = defaultYears
	}
	if years < 1 || years > 50 {
		return nil, fmt.Errorf("years %d: a forecast has 1 to 50", years)
	}
	for _, g := range in.Growth {
		if !(g > -1) || g > maxGrowth {
			return nil, fmt.Errorf("growth %v: it is a fraction a year; give 8 %% as 0.08", g)
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
		return nil, fmt.Errorf("%d values of growth for %d years", len(in.Growth), in.Years)
	}
	return in.Growth, nil
}

// setDiscountRate sets the rate from its parts.
func (m *dcfModel) setDiscountRate() error {
	w := m.in.WACC
	switch {
	case (w != nil) == (m.in.Rate != 0):
		return errors.New("give either discount_rate or wacc")
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

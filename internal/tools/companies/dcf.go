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
	CashFlows []float64 `json:"cash_flows,omitempty" jsonschema:"forecast of free cash flow to the firm, a year each, first to last; or give base_cash_flow and growth"`
	Base      float64   `json:"base_cash_flow,omitempty" jsonschema:"free cash flow of the last reported year, from which growth starts; also needed for the growth that a price implies"`
	Growth    []float64 `json:"growth,omitempty" jsonschema:"growth of each coming year as fractions, 0.08 for 8 %; one value stands for all years, two for a path from the first to the last year"`
	Years     int       `json:"years,omitempty" jsonschema:"length of the forecast with one or two values of growth; 10 when left out"`

	Rate    float64    `json:"discount_rate,omitempty" jsonschema:"weighted cost of capital as a fraction; or give wacc"`
	WACC    *waccInput `json:"wacc,omitempty" jsonschema:"what the discount rate is made of"`
	Ending  *float64   `json:"terminal_growth,omitempty" jsonschema:"growth for ever after the forecast, a fraction; or give exit_multiple"`
	Exit    float64    `json:"exit_multiple,omitempty" jsonschema:"what the firm is sold for at the end, as a multiple of exit_metric"`
	Metric  float64    `json:"exit_metric,omitempty" jsonschema:"what the multiple is of, such as EBITDA, in the last year of the forecast"`
	NetDebt float64    `json:"net_debt" jsonschema:"debt less cash, negative for net cash, in the unit of the cash flows"`
	Shares  float64    `json:"shares" jsonschema:"diluted number, in the unit that makes sums a share: with cash flows in millions, millions of shares"`
	Price   float64    `json:"price,omitempty" jsonschema:"of a share today, for the margin and the growth it implies"`
	MidYear bool       `json:"mid_year,omitempty" jsonschema:"discount from the middle of each year"`

	Currency string `json:"currency,omitempty" jsonschema:"ISO 4217 code of the sums"`
	Company  string `json:"company,omitempty" jsonschema:"name or symbol, for the heading only"`
}

type waccInput struct {
	RiskFree   *float64 `json:"risk_free_rate,omitempty" jsonschema:"a year, a fraction: 0.04 is 4 %"`
	Beta       *float64 `json:"beta,omitempty"`
	Premium    *float64 `json:"equity_risk_premium,omitempty" jsonschema:"above the risk-free rate a year, a fraction"`
	CostEquity *float64 `json:"cost_of_equity,omitempty" jsonschema:"a fraction, instead of risk_free_rate, beta and equity_risk_premium"`
	CostDebt   *float64 `json:"cost_of_debt,omitempty" jsonschema:"before tax, a fraction; needed where there is debt"`
	TaxRate    *float64 `json:"tax_rate,omitempty" jsonschema:"a fraction; needed where there is debt"`
	Equity     float64  `json:"equity_value" jsonschema:"market value of the shares"`
	Debt       float64  `json:"debt_value,omitempty" jsonschema:"market value; 0 when left out, for a firm without debt"`
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

const dcfDescription = `Values a business by its cash flows (DCF): free cash flow to the firm, given year by year or grown from the last reported one, discounted at the cost of capital, with a terminal value by growth for ever or by an exit multiple. Gives value of the firm, equity and value a share, how much of it is the terminal value, a sensitivity grid, and with a price the margin and the growth that the price implies (reverse DCF).
It fetches nothing: take cash flows, net debt and shares from financial_statements and the price from quote, and state every assumption as yours. Rates are fractions. Not for banks and insurers, whose debt is their raw material: say so.
A valuation is a set of assumptions, no prediction: give the grid's range, never the value alone.`

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
	})
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

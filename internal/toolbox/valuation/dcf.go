package valuation

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/valuation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type dcfInput struct {
	CashFlows []float64 `json:"cash_flows,omitempty" jsonschema:"forecast of free cash flow to the firm, a year each, first to last; or give base_cash_flow and growth"`
	Base      float64   `json:"base_cash_flow,omitempty" jsonschema:"free cash flow of the last reported year, from which growth starts; also needed for the growth that a price implies"`
	Growth    []float64 `json:"growth,omitempty" jsonschema:"growth of each coming year as fractions; one value with years stands for all of them, two for a path from the first to the last year"`
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
	RiskFree   float64 `json:"risk_free_rate,omitempty"`
	Beta       float64 `json:"beta,omitempty"`
	Premium    float64 `json:"equity_risk_premium,omitempty"`
	CostEquity float64 `json:"cost_of_equity,omitempty" jsonschema:"instead of risk_free_rate, beta and equity_risk_premium"`
	CostDebt   float64 `json:"cost_of_debt,omitempty" jsonschema:"before tax"`
	TaxRate    float64 `json:"tax_rate,omitempty"`
	Equity     float64 `json:"equity_value" jsonschema:"market value of the shares"`
	Debt       float64 `json:"debt_value,omitempty"`
}

const dcfDescription = `Values a business by its cash flows (DCF): free cash flow to the firm, given year by year or grown from the last reported one, discounted at the cost of capital, with a terminal value by growth for ever or by an exit multiple. Gives value of the firm, equity and value a share, how much of it is the terminal value, a sensitivity grid, and with a price the margin and the growth that the price implies (reverse DCF).
It fetches nothing: take cash flows, net debt and shares from financial_statements and the price from quote, and state every assumption as yours. Rates are fractions. Not for banks and insurers, whose debt is their raw material: say so.
A valuation is a set of assumptions, no prediction: give the grid's range, never the value alone.`

// newDCF is the tool that discounts cash flows.
func newDCF() tool.Tool {
	return tool.New("dcf_valuation", dcfDescription, tool.Reads, func(_ context.Context, in dcfInput) (tool.Result, error) {
		m, err := in.model()
		if err == nil {
			m.value, err = m.dcf.Value()
		}
		if err != nil {
			return present.Invalid(fmt.Errorf("dcf_valuation: %w", err))
		}
		return answerOf(m).result(m), nil
	})
}

// model is a call that was understood.
type model struct {
	in       dcfInput
	dcf      valuation.DCF
	growth   []float64 // as laid out over the years; nil for cash flows as given
	equity   float64   // cost of it, where the discount rate was made of its parts
	currency string
	value    valuation.Value
}

const standardYears = 10

func (in dcfInput) model() (model, error) {
	m := model{in: in}
	var err error
	if m.currency, err = question.Currency(in.Currency); err != nil {
		return m, err
	}
	m.dcf = valuation.DCF{CashFlows: in.CashFlows, Rate: in.Rate, NetDebt: in.NetDebt, Shares: in.Shares, MidYear: in.MidYear}
	switch {
	case len(in.CashFlows) > 0 && len(in.Growth) > 0:
		return m, errors.New("give either cash_flows or growth, not both")
	case len(in.CashFlows) == 0 && (in.Base == 0 || len(in.Growth) == 0):
		return m, errors.New("give cash_flows, or base_cash_flow and growth")
	case len(in.CashFlows) == 0:
		if m.growth, err = in.path(); err != nil {
			return m, err
		}
		m.dcf.CashFlows = valuation.Grown(in.Base, m.growth)
	}
	switch {
	case (in.Ending != nil) == (in.Exit != 0):
		return m, errors.New("give either terminal_growth or exit_multiple with exit_metric")
	case in.Ending != nil:
		m.dcf.Growth = *in.Ending
	default:
		m.dcf.ByMultiple, m.dcf.Multiple, m.dcf.Metric = true, in.Exit, in.Metric
	}
	return m, m.discount()
}

// path lays growth out over the years.
func (in dcfInput) path() ([]float64, error) {
	years := in.Years
	if years == 0 {
		years = standardYears
	}
	if years < 1 || years > 50 {
		return nil, fmt.Errorf("years %d: a forecast has 1 to 50", years)
	}
	for _, g := range in.Growth {
		if !(g > -1) || g > 10 {
			return nil, fmt.Errorf("growth %v: it is a fraction a year; give 8 %% as 0.08", g)
		}
	}
	switch len(in.Growth) {
	case 1:
		return valuation.Fading(in.Growth[0], in.Growth[0], years), nil
	case 2:
		if in.Years != 2 {
			return valuation.Fading(in.Growth[0], in.Growth[1], years), nil
		}
	}
	if in.Years != 0 && in.Years != len(in.Growth) {
		return nil, fmt.Errorf("%d values of growth for %d years", len(in.Growth), in.Years)
	}
	return in.Growth, nil
}

// discount sets the rate from its parts.
func (m *model) discount() error {
	w := m.in.WACC
	switch {
	case (w != nil) == (m.in.Rate != 0):
		return errors.New("give either discount_rate or wacc")
	case w == nil:
		return nil
	}
	m.equity = w.CostEquity
	if m.equity == 0 {
		m.equity = valuation.CAPM(w.RiskFree, w.Beta, w.Premium)
	}
	rate, err := valuation.Capital{Equity: w.Equity, Debt: w.Debt, CostOfEquity: m.equity, CostOfDebt: w.CostDebt, TaxRate: w.TaxRate}.WACC()
	m.dcf.Rate = rate
	return err
}

package fundamental

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrInvalidValuation means that no value follows from the assumptions; the message says why.
var ErrInvalidValuation = errors.New("invalid assumption")

// DCF is a forecast of free cash flow to the firm with the parameters of its valuation.
type DCF struct {
	CashFlows []float64 // of the coming years, first to last
	Rate      float64   // discount rate: the weighted cost of capital
	// Growth is the terminal growth. If ByMultiple is set, the terminal value is Multiple times
	// Metric (such as EBITDA) of the last year instead.
	Growth           float64
	ByMultiple       bool
	Multiple, Metric float64
	NetDebt          float64 // debt less cash; negative for net cash
	Shares           float64
	// MidYear discounts each year's cash flow from the middle of the year, because it arrives throughout
	// the year.
	MidYear bool
}

// DCFValue is the result of a DCF.
type DCFValue struct {
	Present         []float64 // of each year's cash flow
	ForecastValue   float64   // their sum
	Terminal        float64   // terminal value of the firm, not discounted
	TerminalPresent float64   // present value of Terminal
	EnterpriseValue float64
	Equity          float64
	PerShare        float64
	TerminalShare   *float64 // fraction of EnterpriseValue; nil if that is not positive
	// Implied expresses the terminal value in the other way: as the multiple of the last cash flow that
	// Growth implies, or the perpetual growth that Multiple implies. A multiple applies at the end of the
	// year whenever cash arrives, so with MidYear the two are half a year apart, as in Rosenbaum and Pearl,
	// Investment Banking. Nil if the last cash flow is not positive.
	Implied *float64
}

// Limits of a meaningful forecast.
const (
	maxYears    = 100
	highestRate = 1
)

func (d DCF) check() error {
	switch {
	case len(d.CashFlows) == 0 || len(d.CashFlows) > maxYears:
		return fmt.Errorf("%w: %d years of cash flows; use 1 to %d", ErrInvalidValuation, len(d.CashFlows), maxYears)
	case d.Rate <= 0 || d.Rate > highestRate:
		return fmt.Errorf("%w: invalid discount rate %v; write 9%% as 0.09", ErrInvalidValuation, d.Rate)
	case !d.ByMultiple && d.Growth >= d.Rate:
		return fmt.Errorf("%w: terminal growth of %v is not below the discount rate of %v, so the value would be infinite; write 2%% as 0.02", ErrInvalidValuation, d.Growth, d.Rate)
	case !d.ByMultiple && d.Growth <= -1:
		return fmt.Errorf("%w: invalid terminal growth %v", ErrInvalidValuation, d.Growth)
	case d.ByMultiple && (d.Multiple <= 0 || d.Metric <= 0):
		return fmt.Errorf("%w: an exit multiple and its metric must be positive", ErrInvalidValuation)
	case d.Shares <= 0:
		return fmt.Errorf("%w: the number of shares must be positive", ErrInvalidValuation)
	}
	if last := d.CashFlows[len(d.CashFlows)-1]; !d.ByMultiple && last <= 0 {
		return fmt.Errorf("%w: the last cash flow, %v, is not positive and cannot grow forever; extend the forecast until it is positive, or use an exit multiple", ErrInvalidValuation, last)
	}
	return nil
}

// Value discounts the forecast:
//
//	firm = sum(CF[t] / (1+r)^t) + TV / (1+r)^n
//	TV   = CF[n] (1+g) / (r-g), or multiple * metric
//
// With MidYear, t - 1/2 replaces t, also for a terminal value by growth, because its cash arrives
// throughout the year as well. Equity is the firm less net debt. Source: Koller, Goedhart and Wessels,
// Valuation; Damodaran, Investment Valuation.
func (d DCF) Value() (DCFValue, error) {
	if err := d.check(); err != nil {
		return DCFValue{}, err
	}
	n := len(d.CashFlows)
	early := 0.0
	if d.MidYear {
		early = 0.5
	}
	v := DCFValue{Present: make([]float64, n)}
	for i, c := range d.CashFlows {
		v.Present[i] = c * math.Pow(1+d.Rate, early-float64(i+1))
		v.ForecastValue += v.Present[i]
	}
	last := d.CashFlows[n-1]
	halfYear := math.Pow(1+d.Rate, early)
	if d.ByMultiple {
		v.Terminal, early = d.Multiple*d.Metric, 0
		if last > 0 { // TV = CF (1+g)/(r-g) (1+r)^early solved for g
			v.Implied = new((v.Terminal*d.Rate - last*halfYear) / (v.Terminal + last*halfYear))
		}
	} else {
		v.Terminal = last * (1 + d.Growth) / (d.Rate - d.Growth)
		v.Implied = new(v.Terminal * halfYear / last)
	}
	v.TerminalPresent = v.Terminal * math.Pow(1+d.Rate, early-float64(n))
	v.EnterpriseValue = v.ForecastValue + v.TerminalPresent
	v.Equity = v.EnterpriseValue - d.NetDebt
	v.PerShare = v.Equity / d.Shares
	if v.EnterpriseValue > 0 {
		v.TerminalShare = new(v.TerminalPresent / v.EnterpriseValue)
	}
	for _, x := range []float64{v.PerShare, v.Equity, v.Terminal} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return DCFValue{}, fmt.Errorf("%w: the numbers are too large, or cancel each other out", ErrInvalidValuation)
		}
	}
	return v, nil
}

// GrowCashFlow forecasts cash flows from that of the last year and a growth rate for each coming year.
func GrowCashFlow(base float64, growth []float64) []float64 {
	out := make([]float64, len(growth))
	for i, g := range growth {
		base *= 1 + g
		out[i] = base
	}
	return out
}

// FadeGrowth returns growth rates that change from first to last in equal yearly steps.
func FadeGrowth(first, last float64, years int) []float64 {
	out := make([]float64, max(years, 0))
	for i := range out {
		out[i] = first
		if years > 1 {
			out[i] += (last - first) * float64(i) / float64(years-1)
		}
	}
	return out
}

// BaseYear is the last reported year, from which ImpliedGrowth starts.
type BaseYear struct {
	CashFlow float64 // must be positive
	Metric   float64 // of the exit multiple; it grows as the cash flow does
}

// Bounds of ImpliedGrowth.
const (
	lowestGrowth  = -0.9
	highestGrowth = 10
)

// ImpliedGrowth returns the constant annual growth over the forecast at which the value per share equals
// price, with all else as in d: the growth that the market expects (reverse DCF). The forecast is as long
// as that of d. If no growth between -90% and 1000% fits, the error is ErrInvalidValuation.
func (d DCF) ImpliedGrowth(from BaseYear, price float64) (float64, error) {
	if !(from.CashFlow > 0) || !(price > 0) {
		return 0, fmt.Errorf("%w: implied growth needs a positive cash flow to start from and a positive price", ErrInvalidValuation)
	}
	years := len(d.CashFlows)
	at := func(g float64) float64 {
		d.CashFlows = GrowCashFlow(from.CashFlow, FadeGrowth(g, g, years))
		d.Metric = from.Metric * math.Pow(1+g, float64(years))
		v, err := d.Value()
		if err != nil {
			return math.NaN()
		}
		return v.PerShare
	}
	low, high := float64(lowestGrowth), float64(highestGrowth)
	if !(at(low) <= price) || !(at(high) >= price) {
		return 0, fmt.Errorf("%w: no growth rate between %.0f%% and %.0f%% a year gives a price of %v", ErrInvalidValuation, low*100, high*100, price)
	}
	for range 100 {
		if middle := (low + high) / 2; at(middle) < price {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2, nil
}

// CapitalStructure is the financing of a business and its costs.
type CapitalStructure struct {
	Equity, Debt float64 // at market values, in one unit
	CostOfEquity float64
	CostOfDebt   float64 // before tax
	TaxRate      float64
}

// CAPM returns the cost of equity by the capital asset pricing model:
// risk-free rate + beta * equity risk premium. Source: Sharpe (1964), Lintner
// (1965).
func CAPM(riskFree, beta, premium float64) float64 { return riskFree + beta*premium }

// WACC returns the weighted average cost of capital,
// E/(E+D) * cost of equity + D/(E+D) * cost of debt * (1 - tax).
func (c CapitalStructure) WACC() (float64, error) {
	const largest = 1e18
	switch {
	case !(c.Equity > 0) || !(c.Debt >= 0) || c.Equity > largest || c.Debt > largest:
		return 0, fmt.Errorf("%w: equity must be positive and debt not negative, both at market value", ErrInvalidValuation)
	case !(c.TaxRate >= 0) || c.TaxRate >= 1:
		return 0, fmt.Errorf("%w: invalid tax rate %v; write 21%% as 0.21", ErrInvalidValuation, c.TaxRate)
	case !(c.CostOfEquity > 0) || c.CostOfEquity > highestRate || !(c.CostOfDebt >= 0) || c.CostOfDebt > highestRate:
		return 0, fmt.Errorf("%w: costs of capital are fractions per year; write 9%% as 0.09", ErrInvalidValuation)
	}
	all := c.Equity + c.Debt
	return c.Equity/all*c.CostOfEquity + c.Debt/all*c.CostOfDebt*(1-c.TaxRate), nil
}

// Distribution describes the distribution of a multiple among comparable businesses.
type Distribution struct {
	Count                     int
	Low, Q1, Median, Q3, High float64 // quartiles with linear interpolation
}

// NewDistribution returns the distribution of values, or the zero value if there are none. Source:
// quartiles as in numpy and spreadsheets (PERCENTILE.INC).
func NewDistribution(values []float64) Distribution {
	if len(values) == 0 {
		return Distribution{}
	}
	v := slices.Sorted(slices.Values(values))
	return Distribution{Count: len(v), Low: v[0], High: v[len(v)-1], Q1: quantile(v, 0.25), Median: quantile(v, 0.5), Q3: quantile(v, 0.75)}
}

func quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	low := int(math.Floor(at))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// IsOutlier reports whether x is more than three interquartile ranges below Q1 or above Q3, which Tukey
// calls "far out". Source: Tukey, Exploratory Data Analysis.
func (s Distribution) IsOutlier(x float64) bool {
	reach := 3 * (s.Q3 - s.Q1)
	return x < s.Q1-reach || x > s.Q3+reach
}

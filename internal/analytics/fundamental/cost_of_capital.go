package fundamental

import "fmt"

// CapitalStructure is how a business is financed, and what that costs.
type CapitalStructure struct {
	Equity, Debt float64 // at market values, in one unit
	CostOfEquity float64
	CostOfDebt   float64 // before tax
	TaxRate      float64
}

// CAPM is the cost of equity by the capital asset pricing model:
// risk-free rate + beta * equity risk premium. Source: Sharpe (1964), Lintner
// (1965).
func CAPM(riskFree, beta, premium float64) float64 { return riskFree + beta*premium }

// WACC is the weighted average cost of capital,
// E/(E+D) * cost of equity + D/(E+D) * cost of debt * (1 - tax).
func (c CapitalStructure) WACC() (float64, error) {
	const largest = 1e18
	switch {
	case !(c.Equity > 0) || !(c.Debt >= 0) || c.Equity > largest || c.Debt > largest:
		return 0, fmt.Errorf("%w: equity must be positive and debt not negative, both market values", ErrInvalidValuation)
	case !(c.TaxRate >= 0) || c.TaxRate >= 1:
		return 0, fmt.Errorf("%w: a tax rate of %v; give 21%% as 0.21", ErrInvalidValuation, c.TaxRate)
	case !(c.CostOfEquity > 0) || c.CostOfEquity > highestRate || !(c.CostOfDebt >= 0) || c.CostOfDebt > highestRate:
		return 0, fmt.Errorf("%w: costs of capital are fractions a year; give 9%% as 0.09", ErrInvalidValuation)
	}
	all := c.Equity + c.Debt
	return c.Equity/all*c.CostOfEquity + c.Debt/all*c.CostOfDebt*(1-c.TaxRate), nil
}

package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Sample holds simple returns of several assets over the same periods. It is
// immutable and safe for concurrent use.
type Sample struct {
	returns   *mat.Dense // a row for each period, a column for each asset
	frequency float64    // periods per year
}

// NewSample takes a column of returns for each asset, oldest first, and the number of periods per year. It
// needs two periods, else ErrTooFew. Columns of different lengths, and returns that are not finite or not
// above -1, are ErrMalformed.
func NewSample(columns [][]float64, frequency float64) (Sample, error) {
	if len(columns) == 0 || len(columns[0]) < 2 {
		return Sample{}, fmt.Errorf("%w: at least one asset with two returns is needed", ErrTooFew)
	}
	if !(frequency > 0) || math.IsInf(frequency, 0) {
		return Sample{}, fmt.Errorf("%w: %v periods a year", ErrMalformed, frequency)
	}
	s := Sample{returns: mat.NewDense(len(columns[0]), len(columns), nil), frequency: frequency}
	for j, column := range columns {
		if len(column) != len(columns[0]) {
			return Sample{}, fmt.Errorf("%w: asset %d has %d returns, the first %d", ErrMalformed, j, len(column), len(columns[0]))
		}
		for _, r := range column {
			// Prices are positive, so a return is never -1.
			if !(r > -1) || math.IsInf(r, 0) {
				return Sample{}, fmt.Errorf("%w: return %v of asset %d", ErrMalformed, r, j)
			}
		}
		s.returns.SetCol(j, column)
	}
	return s, nil
}

// Assets returns the number of assets.
func (s Sample) Assets() int { _, n := s.returns.Dims(); return n }

// Periods returns the number of returns of each asset.
func (s Sample) Periods() int { t, _ := s.returns.Dims(); return t }

// Frequency returns the number of periods per year.
func (s Sample) Frequency() float64 { return s.frequency }

// PortfolioReturns returns the returns of a portfolio that is rebalanced to the weights every period:
//
//	r[t] = sum(w[i] r[t,i])
func (s Sample) PortfolioReturns(weights []float64) []float64 {
	out := make([]float64, s.Periods())
	for t := range out {
		for j, r := range s.returns.RawRowView(t) {
			out[t] += weights[j] * r
		}
	}
	return out
}

// Mean returns the compounded annual returns:
//
//	product(1 + r)^(frequency/periods) - 1
//
// Source: PyPortfolioOpt, mean_historical_return with compounding.
func (s Sample) Mean() []float64 {
	out := make([]float64, s.Assets())
	for j := range out {
		out[j] = s.compoundAnnually(mat.Col(nil, j, s.returns))
	}
	return out
}

// compoundAnnually sums logarithms, because the product of thousands of returns overflows.
func (s Sample) compoundAnnually(returns []float64) float64 {
	sum := 0.0
	for _, r := range returns {
		sum += math.Log1p(r)
	}
	return math.Expm1(sum * s.frequency / float64(len(returns)))
}

// CAPM returns the expected returns by the capital asset pricing model, and the betas to the
// market:
//
//	f + beta (m - f),  beta = cov(r, market) / var(market)
//
// where m is the compounded annual return of the market. market holds its returns over the same
// periods; nil means all assets with equal weights. Constant returns are ErrConstantReturns.
// Source: PyPortfolioOpt, capm_return.
func (s Sample) CAPM(market []float64, riskFree float64) (returns, betas []float64, err error) {
	if market == nil {
		market = s.PortfolioReturns(EqualWeights(s.Assets()))
	}
	if len(market) != s.Periods() {
		return nil, nil, fmt.Errorf("%w: %d market returns for %d periods", ErrMalformed, len(market), s.Periods())
	}
	variance := stat.Variance(market, nil)
	if !(variance > varianceTolerance) {
		return nil, nil, fmt.Errorf("market: %w", ErrConstantReturns)
	}
	premium := s.compoundAnnually(market) - riskFree
	for j := range s.Assets() {
		beta := stat.Covariance(mat.Col(nil, j, s.returns), market, nil) / variance
		betas, returns = append(betas, beta), append(returns, riskFree+beta*premium)
	}
	return returns, betas, nil
}

// varianceTolerance is the variance of returns that differ only by rounding.
const varianceTolerance = 1e-24

// EqualWeights returns n equal weights that sum to one.
func EqualWeights(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1 / float64(n)
	}
	return out
}

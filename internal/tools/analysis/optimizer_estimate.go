package analysis

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// estimate is what is expected of the assets a year, and how it was found.
type estimate struct {
	returns      []float64
	covariance   *mat.SymDense
	returnsBy    string // formula
	covarianceBy string
	assumptions  []string
	fromPast     bool // the returns
}

const defaultSpan = 180

// estimateReturns takes expected returns and covariance as the call asks for them.
func (u assetUniverse) estimateReturns(in assetsInput) (estimate, error) {
	e := estimate{}
	if err := u.setExpectedReturns(&e, in); err != nil {
		return e, err
	}
	var err error
	switch in.Covariance {
	case "ledoit_wolf":
		var shrinkage float64
		e.covariance, shrinkage, err = u.sample.LedoitWolf()
		e.covarianceBy = "Ledoit-Wolf: (1 - d) S + d mean(variances) I, times periods a year"
		e.assumptions = append(e.assumptions, fmt.Sprintf("covariance by Ledoit and Wolf, shrunk by %.1f%% towards equal variances without correlation", 100*shrinkage))
	case "", "sample":
		e.covariance, err = u.sample.SampleCovariance()
		e.covarianceBy = "sum((x - mean)(y - mean)) / (n - 1), times periods a year"
		e.assumptions = append(e.assumptions, "covariance of the sample")
	case "exponential":
		span := in.Span
		if span == 0 {
			span = defaultSpan
		}
		e.covariance, err = u.sample.ExponentialCovariance(span)
		e.covarianceBy = fmt.Sprintf("exponentially weighted, span %v, times periods a year", span)
		e.assumptions = append(e.assumptions, fmt.Sprintf("covariance weighted exponentially with a span of %v periods", span))
	default:
		return e, fmt.Errorf("%w: covariance %.20q; there are sample, ledoit_wolf and exponential", errInvalidInput, in.Covariance)
	}
	if err != nil {
		return e, err
	}
	return e, u.checkPlausible(e)
}

// maxPlausible is what no return or variance a year is: a few steep days, compounded
// over a year, give numbers that mean nothing.
const maxPlausible = 1e9

func (u assetUniverse) checkPlausible(e estimate) error {
	for i, name := range u.names {
		if r, v := e.returns[i], e.covariance.At(i, i); !(math.Abs(r) < maxPlausible) || !(v < maxPlausible) {
			return fmt.Errorf("%w: the returns of %s give an expected return of %.3g and a variance of %.3g a year; check its closes, or ask for a longer range", errInvalidInput, name, r, v)
		}
	}
	return nil
}

func (u assetUniverse) setExpectedReturns(e *estimate, in assetsInput) error {
	if in.Expected != "given" && len(in.GivenReturns) > 0 {
		return fmt.Errorf("%w: given_returns are for expected_returns given", errInvalidInput)
	}
	if in.Expected != "capm" && u.market != "" {
		return fmt.Errorf("%w: benchmark is for expected_returns capm", errInvalidInput)
	}
	switch in.Expected {
	case "", "mean":
		e.returns, e.returnsBy, e.fromPast = u.sample.Mean(), "product(1 + r)^(periods a year / n) - 1", true
		e.assumptions = append(e.assumptions, "expected returns are the past ones, compounded")
	case "capm":
		var betas []float64
		var err error
		if e.returns, betas, err = u.sample.CAPM(u.benchmark, in.RiskFree); err != nil {
			return err
		}
		e.returnsBy, e.fromPast = "f + beta (market - f)", true
		against := "all assets in equal weights"
		if u.market != "" {
			against = u.market
		}
		low, high := minMax(betas)
		e.assumptions = append(e.assumptions, fmt.Sprintf("expected returns by the capital asset pricing model against %s, betas %.2f to %.2f", against, low, high))
	case "given":
		e.returns, e.returnsBy = make([]float64, len(u.names)), "as given"
		e.assumptions = append(e.assumptions, "expected returns as given")
		return u.assignByName(in.GivenReturns, "given_returns", func(i int, v float64) error {
			if !(v > -1) || v > 10 {
				return fmt.Errorf("%w: expected return %v of %s; it is a fraction a year, 0.08 for 8%%", errInvalidInput, v, u.names[i])
			}
			e.returns[i] = v
			return nil
		})
	default:
		return fmt.Errorf("%w: expected_returns %.20q; there are mean, capm and given", errInvalidInput, in.Expected)
	}
	return nil
}

// assignByName gives each asset its value of a map that must have one for all of them.
func (u assetUniverse) assignByName(values map[string]float64, name string, set func(i int, v float64) error) error {
	seen := make([]bool, len(u.names))
	for text, v := range values {
		i, err := u.assetIndex(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: %s of %s is not a number", errInvalidInput, name, u.names[i])
		}
		if seen[i] {
			return fmt.Errorf("%w: %s has %s twice", errInvalidInput, name, u.names[i])
		}
		if err := set(i, v); err != nil {
			return err
		}
		seen[i] = true
	}
	for i, ok := range seen {
		if !ok {
			return fmt.Errorf("%w: %s has none for %s; give one for each asset", errInvalidInput, name, u.names[i])
		}
	}
	return nil
}

func minMax(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// explainError adds to an error of the mathematics what to do about it.
func (u assetUniverse) explainError(err error) error {
	if errors.Is(err, optimize.ErrSingular) || errors.Is(err, optimize.ErrNotConverged) {
		return fmt.Errorf("%w; %d assets over %d returns: use covariance ledoit_wolf, objective hrp, a longer range, or leave out one of two assets that move alike", err, len(u.names), u.sample.Periods())
	}
	return err
}

package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// estimate holds the annual expected returns and covariance of the assets, and how they were computed.
type estimate struct {
	returns      []float64
	covariance   *mat.SymDense
	returnsBy    string // formula
	covarianceBy string
	assumptions  []string
	fromPast     bool // expected returns are past returns
}

const defaultSpan = 180

// estimateReturns computes the requested expected returns and covariance.
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
		e.assumptions = append(e.assumptions, fmt.Sprintf("covariance: Ledoit-Wolf, shrunk by %.1f%% toward equal variances without correlation", 100*shrinkage))
	case "", "sample":
		e.covariance, err = u.sample.SampleCovariance()
		e.covarianceBy = "sum((x - mean)(y - mean)) / (n - 1), times periods a year"
		e.assumptions = append(e.assumptions, "covariance: sample")
	case "exponential":
		span := in.Span
		if span == 0 {
			span = defaultSpan
		}
		e.covariance, err = u.sample.ExponentialCovariance(span)
		e.covarianceBy = fmt.Sprintf("exponentially weighted, span %v, times periods a year", span)
		e.assumptions = append(e.assumptions, fmt.Sprintf("covariance: exponentially weighted with a span of %v periods", span))
	default:
		return e, fmt.Errorf("%w: unknown covariance %.20q; use sample, ledoit_wolf or exponential", errInvalidInput, in.Covariance)
	}
	if err != nil {
		return e, err
	}
	return e, u.checkPlausible(e)
}

// maxPlausible is above any real annual return or variance. A few steep days, compounded over a year,
// give meaningless numbers.
const maxPlausible = 1e9

func (u assetUniverse) checkPlausible(e estimate) error {
	for i, name := range u.names {
		if r, v := e.returns[i], e.covariance.At(i, i); !(math.Abs(r) < maxPlausible) || !(v < maxPlausible) {
			return fmt.Errorf("%w: the returns of %s give an expected return of %.3g and a variance of %.3g a year; check its closes or use a longer range", errInvalidInput, name, r, v)
		}
	}
	return nil
}

func (u assetUniverse) setExpectedReturns(e *estimate, in assetsInput) error {
	if in.Expected != "given" && len(in.GivenReturns) > 0 {
		return fmt.Errorf("%w: given_returns works only with expected_returns \"given\"", errInvalidInput)
	}
	if in.Expected != "capm" && u.market != "" {
		return fmt.Errorf("%w: benchmark works only with expected_returns \"capm\"", errInvalidInput)
	}
	switch in.Expected {
	case "", "mean":
		e.returns, e.returnsBy, e.fromPast = u.sample.Mean(), "product(1 + r)^(periods a year / n) - 1", true
		e.assumptions = append(e.assumptions, "expected returns: past returns, compounded")
	case "capm":
		var betas []float64
		var err error
		if e.returns, betas, err = u.sample.CAPM(u.benchmark, in.RiskFree); err != nil {
			return err
		}
		e.returnsBy, e.fromPast = "f + beta (market - f)", true
		market := "all assets at equal weights"
		if u.market != "" {
			market = u.market
		}
		e.assumptions = append(e.assumptions, fmt.Sprintf("expected returns: capital asset pricing model with %s as the market, betas %.2f to %.2f", market, slices.Min(betas), slices.Max(betas)))
	case "given":
		e.returns, e.returnsBy = make([]float64, len(u.names)), "as given"
		e.assumptions = append(e.assumptions, "expected returns: as given")
		return u.assignByName(in.GivenReturns, "given_returns", func(i int, v float64) error {
			if !(v > -1) || v > 10 {
				return fmt.Errorf("%w: expected return %v of %s is out of range; it is an annual fraction: write 8%% as 0.08", errInvalidInput, v, u.names[i])
			}
			e.returns[i] = v
			return nil
		})
	default:
		return fmt.Errorf("%w: unknown expected_returns %.20q; use mean, capm or given", errInvalidInput, in.Expected)
	}
	return nil
}

// assignByName sets the value of each asset from a map, which must have one for every asset.
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
			return fmt.Errorf("%w: %s lists %s twice", errInvalidInput, name, u.names[i])
		}
		if err := set(i, v); err != nil {
			return err
		}
		seen[i] = true
	}
	for i, ok := range seen {
		if !ok {
			return fmt.Errorf("%w: %s has no value for %s; set one for each asset", errInvalidInput, name, u.names[i])
		}
	}
	return nil
}

// explainError adds what to do about a numerical error.
func (u assetUniverse) explainError(err error) error {
	if errors.Is(err, optimize.ErrSingular) || errors.Is(err, optimize.ErrNotConverged) {
		return fmt.Errorf("%w; %d assets over %d returns: use covariance ledoit_wolf, objective hrp or a longer range, or remove one of two assets that move together", err, len(u.names), u.sample.Periods())
	}
	return err
}

// viewsInput holds the arguments of black_litterman.
type viewsInput struct {
	MarketCaps map[string]float64 `json:"market_caps,omitempty" arg:"rare" jsonschema:"For objective black_litterman: market value by symbol."`
	Views      []viewInput        `json:"views,omitempty" arg:"rare" jsonschema:"For black_litterman: opinions on annual returns."`
	Aversion   float64            `json:"risk_aversion,omitempty" arg:"rare" jsonschema:"For black_litterman: the market's. Default 2.5."`
	Tau        float64            `json:"tau,omitempty" arg:"rare" jsonschema:"For black_litterman: uncertainty of the prior. Default 0.05."`
}

type viewInput struct {
	Mix        map[string]float64 `json:"mix" jsonschema:"{\"AAPL\": 1}, or {\"AAPL\": 1, \"MSFT\": -1} for AAPL against MSFT."`
	Return     float64            `json:"return" jsonschema:"Annual, such as 0.05."`
	Confidence float64            `json:"confidence,omitempty" jsonschema:"Above 0, at most 1; or set variance."`
	Variance   float64            `json:"variance,omitempty"`
}

const (
	defaultAversion = 2.5
	defaultTau      = 0.05
	maxViews        = 50
)

// applyViews replaces the estimate with the market's prior, adjusted by the views.
func (p *optimization) applyViews() error {
	in, u := p.input.viewsInput, p.universe
	if in.Aversion == 0 {
		in.Aversion = defaultAversion
	}
	if in.Tau == 0 {
		in.Tau = defaultTau
	}
	switch {
	case !(in.Aversion > 0) || in.Aversion > 100:
		return fmt.Errorf("%w: risk_aversion %v is out of range; usual values are 2 to 4", errInvalidInput, in.Aversion)
	case !(in.Tau > 0) || in.Tau > 10:
		return fmt.Errorf("%w: tau %v is out of range; usual values are 0.01 to 0.05", errInvalidInput, in.Tau)
	case len(in.Views) > maxViews:
		return fmt.Errorf("%w: too many views: %d; use at most %d", errInvalidInput, len(in.Views), maxViews)
	}
	market, err := u.marketWeights(in.MarketCaps)
	if err != nil {
		return err
	}
	covariance := p.estimate.covariance
	if p.prior, err = optimize.EquilibriumReturns(covariance, market, in.Aversion, p.input.RiskFree); err != nil {
		return err
	}
	views := make([]optimize.View, len(in.Views))
	for i, v := range in.Views {
		if views[i], err = u.newView(v); err == nil && v.Confidence != 0 {
			views[i].Variance, err = optimize.IdzorekVariance(covariance, views[i].Mix, in.Tau, v.Confidence)
		}
		if err != nil {
			return fmt.Errorf("view %d: %w", i+1, err)
		}
	}
	returns, after, err := optimize.PosteriorReturns(p.prior, covariance, views, in.Tau)
	if err != nil {
		return err
	}
	p.estimate.returns, p.estimate.covariance, p.estimate.fromPast = returns, after, false
	p.estimate.returnsBy = "pi + tau C P' (P tau C P' + O)^-1 (Q - P pi), pi = aversion C w + f"
	p.estimate.covarianceBy = "C + the uncertainty of the posterior returns; C: " + p.estimate.covarianceBy
	// The first assumption is about past returns, which are not used.
	p.estimate.assumptions = append(p.estimate.assumptions[1:], fmt.Sprintf("expected returns: the market's prior (risk aversion %v) adjusted by %d views (tau %v); weights: the best Sharpe ratio", in.Aversion, len(views), in.Tau))
	return nil
}

func (u assetUniverse) marketWeights(caps map[string]float64) ([]float64, error) {
	weights, total := make([]float64, len(u.names)), 0.0
	err := u.assignByName(caps, "market_caps", func(i int, v float64) error {
		if !(v > 0) {
			return fmt.Errorf("%w: market_caps of %s is %v; it must be above zero", errInvalidInput, u.names[i], v)
		}
		weights[i], total = v, total+v
		return nil
	})
	if err != nil {
		return nil, err
	}
	if math.IsInf(total, 0) {
		return nil, fmt.Errorf("%w: market_caps are too large", errInvalidInput)
	}
	for i := range weights {
		weights[i] /= total
	}
	return weights, nil
}

func (u assetUniverse) newView(in viewInput) (optimize.View, error) {
	v := optimize.View{Mix: make([]float64, len(u.names)), Return: in.Return, Variance: in.Variance}
	for text, w := range in.Mix {
		i, err := u.assetIndex(text)
		if err != nil {
			return v, err
		}
		v.Mix[i] += w
	}
	switch {
	case len(in.Mix) == 0:
		return v, fmt.Errorf("%w: mix has no assets", errInvalidInput)
	case !(math.Abs(in.Return) <= 10):
		return v, fmt.Errorf("%w: return %v is out of range; it is an annual fraction: write 5%% as 0.05", errInvalidInput, in.Return)
	case in.Confidence != 0 && in.Variance != 0:
		return v, fmt.Errorf("%w: use either confidence or variance", errInvalidInput)
	case in.Confidence < 0 || in.Confidence > 1:
		return v, fmt.Errorf("%w: confidence %v is out of range; use a value above 0, at most 1", errInvalidInput, in.Confidence)
	case in.Variance < 0:
		return v, fmt.Errorf("%w: variance %v must not be negative", errInvalidInput, in.Variance)
	}
	return v, nil
}

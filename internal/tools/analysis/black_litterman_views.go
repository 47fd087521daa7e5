package analysis

import (
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// viewsInput is what black_litterman starts from.
type viewsInput struct {
	MarketCaps map[string]float64 `json:"market_caps,omitempty" arg:"rare" jsonschema:"For objective black_litterman: market value by symbol."`
	Views      []viewInput        `json:"views,omitempty" arg:"rare" jsonschema:"For black_litterman: opinions on annual returns."`
	Aversion   float64            `json:"risk_aversion,omitempty" arg:"rare" jsonschema:"For black_litterman: of the market. Default 2.5."`
	Tau        float64            `json:"tau,omitempty" arg:"rare" jsonschema:"For black_litterman: uncertainty of the prior. Default 0.05."`
}

type viewInput struct {
	Mix        map[string]float64 `json:"mix" jsonschema:"{\"AAPL\": 1}, or {\"AAPL\": 1, \"MSFT\": -1} for AAPL against MSFT."`
	Return     float64            `json:"return" jsonschema:"Annual, such as 0.05."`
	Confidence float64            `json:"confidence,omitempty" jsonschema:"Above 0 to 1; or give variance."`
	Variance   float64            `json:"variance,omitempty"`
}

const (
	defaultAversion = 2.5
	defaultTau      = 0.05
	maxViews        = 50
)

// applyViews replaces what is expected by the market's prior under the call's views.
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
		return fmt.Errorf("%w: risk_aversion %v; 2 to 4 is usual", errInvalidInput, in.Aversion)
	case !(in.Tau > 0) || in.Tau > 10:
		return fmt.Errorf("%w: tau %v; 0.01 to 0.05 is usual", errInvalidInput, in.Tau)
	case len(in.Views) > maxViews:
		return fmt.Errorf("%w: %d views; %d are the most", errInvalidInput, len(in.Views), maxViews)
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
	// The returns of the past, which estimate names first, are not used.
	p.estimate.assumptions = append(p.estimate.assumptions[1:], fmt.Sprintf("expected returns are the market's prior (risk aversion %v) bent by %d views (tau %v); then the best Sharpe ratio", in.Aversion, len(views), in.Tau))
	return nil
}

func (u assetUniverse) marketWeights(caps map[string]float64) ([]float64, error) {
	weights, total := make([]float64, len(u.names)), 0.0
	err := u.assignByName(caps, "market_caps", func(i int, v float64) error {
		if !(v > 0) {
			return fmt.Errorf("%w: market_caps of %s is %v; it is above zero", errInvalidInput, u.names[i], v)
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
		return v, fmt.Errorf("%w: its mix names no asset", errInvalidInput)
	case !(math.Abs(in.Return) <= 10):
		return v, fmt.Errorf("%w: a return of %v; it is a fraction a year, 0.05 for 5 %%", errInvalidInput, in.Return)
	case in.Confidence != 0 && in.Variance != 0:
		return v, fmt.Errorf("%w: give either confidence or variance", errInvalidInput)
	case in.Confidence < 0 || in.Confidence > 1:
		return v, fmt.Errorf("%w: confidence %v; it is above 0 and at most 1", errInvalidInput, in.Confidence)
	case in.Variance < 0:
		return v, fmt.Errorf("%w: variance %v is below zero", errInvalidInput, in.Variance)
	}
	return v, nil
}

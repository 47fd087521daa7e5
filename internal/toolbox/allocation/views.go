package allocation

import (
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/allocation"
)

// viewsInput is what black_litterman starts from.
type viewsInput struct {
	MarketCaps map[string]float64 `json:"market_caps,omitempty" jsonschema:"for black_litterman: the market value of each asset, or its weight in the market, in any one unit"`
	Views      []viewInput        `json:"views,omitempty" jsonschema:"for black_litterman: opinions on returns a year"`
	Aversion   float64            `json:"risk_aversion,omitempty" jsonschema:"of the market; 2.5 when left out"`
	Tau        float64            `json:"tau,omitempty" jsonschema:"how uncertain the market's returns are; 0.05 when left out"`
}

type viewInput struct {
	Mix        map[string]float64 `json:"mix" jsonschema:"weights of the assets it is of: {\"AAPL\": 1} is a view of AAPL, {\"AAPL\": 1, \"MSFT\": -1} of AAPL against MSFT"`
	Return     float64            `json:"return" jsonschema:"of that mix a year, a fraction"`
	Confidence float64            `json:"confidence,omitempty" jsonschema:"above 0 to 1 (Idzorek's method); or give variance"`
	Variance   float64            `json:"variance,omitempty" jsonschema:"of the view; that of the mix under the prior, times tau, when neither is given"`
}

const (
	standardAversion = 2.5
	standardTau      = 0.05
	mostViews        = 50
)

// bend replaces what is expected by the market's prior under the call's views.
func (p *plan) bend() error {
	in, u := p.in.viewsInput, p.universe
	if in.Aversion == 0 {
		in.Aversion = standardAversion
	}
	if in.Tau == 0 {
		in.Tau = standardTau
	}
	switch {
	case !(in.Aversion > 0) || in.Aversion > 100:
		return fmt.Errorf("%w: risk_aversion %v; 2 to 4 is usual", errAsked, in.Aversion)
	case !(in.Tau > 0) || in.Tau > 10:
		return fmt.Errorf("%w: tau %v; 0.01 to 0.05 is usual", errAsked, in.Tau)
	case len(in.Views) > mostViews:
		return fmt.Errorf("%w: %d views; %d are the most", errAsked, len(in.Views), mostViews)
	}
	market, err := u.marketWeights(in.MarketCaps)
	if err != nil {
		return err
	}
	covariance := p.estimate.covariance
	if p.prior, err = allocation.Prior(covariance, market, in.Aversion, p.in.RiskFree); err != nil {
		return err
	}
	views := make([]allocation.View, len(in.Views))
	for i, v := range in.Views {
		if views[i], err = u.view(v); err == nil && v.Confidence != 0 {
			views[i].Variance, err = allocation.Idzorek(covariance, views[i].Mix, in.Tau, v.Confidence)
		}
		if err != nil {
			return fmt.Errorf("view %d: %w", i+1, err)
		}
	}
	returns, after, err := allocation.Posterior(p.prior, covariance, views, in.Tau)
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

func (u universe) marketWeights(caps map[string]float64) ([]float64, error) {
	weights, total := make([]float64, len(u.names)), 0.0
	err := u.place(caps, "market_caps", func(i int, v float64) error {
		if !(v > 0) {
			return fmt.Errorf("%w: market_caps of %s is %v; it is above zero", errAsked, u.names[i], v)
		}
		weights[i], total = v, total+v
		return nil
	})
	if err != nil {
		return nil, err
	}
	if math.IsInf(total, 0) {
		return nil, fmt.Errorf("%w: market_caps are too large", errAsked)
	}
	for i := range weights {
		weights[i] /= total
	}
	return weights, nil
}

func (u universe) view(in viewInput) (allocation.View, error) {
	v := allocation.View{Mix: make([]float64, len(u.names)), Return: in.Return, Variance: in.Variance}
	for text, w := range in.Mix {
		i, err := u.index(text)
		if err != nil {
			return v, err
		}
		v.Mix[i] += w
	}
	switch {
	case len(in.Mix) == 0:
		return v, fmt.Errorf("%w: its mix names no asset", errAsked)
	case !(math.Abs(in.Return) <= 10):
		return v, fmt.Errorf("%w: a return of %v; it is a fraction a year, 0.05 for 5 %%", errAsked, in.Return)
	case in.Confidence != 0 && in.Variance != 0:
		return v, fmt.Errorf("%w: give either confidence or variance", errAsked)
	case in.Confidence < 0 || in.Confidence > 1:
		return v, fmt.Errorf("%w: confidence %v; it is above 0 and at most 1", errAsked, in.Confidence)
	case in.Variance < 0:
		return v, fmt.Errorf("%w: variance %v is below zero", errAsked, in.Variance)
	}
	return v, nil
}

package optimize_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// sevenCountries returns the covariance and the market weights of the seven countries of G. He
// and R. Litterman, "The Intuition Behind Black-Litterman Model Portfolios", 1999: Australia,
// Canada, France, Germany, Japan, the United Kingdom and the United States.
func sevenCountries() (*mat.SymDense, []float64) {
	r := [][]float64{{}, {0.488}, {0.478, 0.664}, {0.515, 0.655, 0.861}, {0.439, 0.310, 0.355, 0.354}, {0.512, 0.608, 0.783, 0.777, 0.405}, {0.491, 0.779, 0.668, 0.653, 0.306, 0.652}}
	c := correlated([]float64{0.160, 0.203, 0.248, 0.271, 0.210, 0.200, 0.187}, func(i, j int) float64 { return r[i][j] })
	return c, []float64{0.016, 0.022, 0.052, 0.055, 0.116, 0.124, 0.615}
}

func TestEquilibriumReturns_OfHeAndLitterman(t *testing.T) {
	c, market := sevenCountries()
	prior, err := optimize.EquilibriumReturns(c, market, 2.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The paper gives percent with one digit.
	wantAllNear(t, "equilibrium returns", prior, []float64{0.039, 0.069, 0.084, 0.090, 0.043, 0.068, 0.076}, 0.0006)
	with, err := optimize.EquilibriumReturns(c, market, 2.5, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "with a risk-free rate", with[0]-prior[0], 0.02, 1e-15)
}

// Germany returns five points more than the rest of Europe, weighted by market size.
func TestPosteriorReturns_OfHeAndLitterman(t *testing.T) {
	c, market := sevenCountries()
	prior, err := optimize.EquilibriumReturns(c, market, 2.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	returns, after, err := optimize.PosteriorReturns(prior, c, []optimize.View{{Mix: []float64{0, 0, -0.295, 1, 0, -0.705, 0}, Return: 0.05}}, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "posterior returns", returns, []float64{0.043, 0.076, 0.093, 0.110, 0.045, 0.070, 0.081}, 0.0006)
	for i := range 7 {
		if v, was := after.At(i, i), c.At(i, i); v < was || v > 1.05*was+1e-12 {
			t.Errorf("variance %d is %g after %g, want it between and 1.05 times", i, v, was)
		}
	}
}

// posteriorByPrecision computes the posterior with the other form of the formula:
//
//	((tau C)^-1 + P' O^-1 P)^-1 ((tau C)^-1 pi + P' O^-1 Q)
func posteriorByPrecision(c *mat.SymDense, prior []float64, views []optimize.View, tau float64) []float64 {
	n := len(prior)
	var known, scaled mat.Dense
	scaled.Scale(tau, c)
	if err := known.Inverse(&scaled); err != nil {
		panic(err)
	}
	var right mat.VecDense
	right.MulVec(&known, mat.NewVecDense(n, prior))
	for _, v := range views {
		for i := range n {
			right.SetVec(i, right.AtVec(i)+v.Mix[i]*v.Return/v.Variance)
			for j := range n {
				known.Set(i, j, known.At(i, j)+v.Mix[i]*v.Mix[j]/v.Variance)
			}
		}
	}
	var out mat.VecDense
	if err := out.SolveVec(&known, &right); err != nil {
		panic(err)
	}
	return out.RawVector().Data
}

func TestPosteriorReturns_AgreesWithTheFormOfPrecisions(t *testing.T) {
	for seed := range uint64(5) {
		c, expected := randomAssets(t, seed, 6)
		views := []optimize.View{
			{Mix: []float64{1, -1, 0, 0, 0, 0}, Return: 0.03, Variance: 0.001},
			{Mix: []float64{0, 0, 1, 0, 0, 0}, Return: 0.10, Variance: 0.004},
		}
		got, _, err := optimize.PosteriorReturns(expected, c, views, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		wantAllNear(t, "posterior", got, posteriorByPrecision(c, expected, views, 0.05), 1e-9)
	}
}

func TestIdzorekVariance_ConfidenceMovesFromThePriorToTheView(t *testing.T) {
	c, market := sevenCountries()
	prior, _ := optimize.EquilibriumReturns(c, market, 2.5, 0)
	mix := []float64{0, 0, 0, 0, 0, 0, 1}
	at := func(confidence float64) float64 {
		v, err := optimize.IdzorekVariance(c, mix, 0.05, confidence)
		if err != nil {
			t.Fatal(err)
		}
		returns, _, err := optimize.PosteriorReturns(prior, c, []optimize.View{{Mix: mix, Return: 0.12, Variance: v}}, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		return returns[6]
	}
	// By the definition of confidence, the view moves the return by that fraction.
	for _, confidence := range []float64{0.01, 0.25, 0.5, 0.9, 1} {
		wantNear(t, "return of the United States", at(confidence), prior[6]+confidence*(0.12-prior[6]), 1e-9)
	}
	for _, confidence := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := optimize.IdzorekVariance(c, mix, 0.05, confidence); !errors.Is(err, optimize.ErrMalformed) {
			t.Errorf("confidence %v = %v, want ErrMalformed", confidence, err)
		}
	}
}

func TestPosteriorReturns_TwoSureViewsOfOneMixDoNotBreakIt(t *testing.T) {
	c := diagonalCovariance(0.04, 0.09)
	doubt, err := optimize.IdzorekVariance(c, []float64{1, 0}, 0.05, 1)
	if err != nil {
		t.Fatal(err)
	}
	same := optimize.View{Mix: []float64{1, 0}, Return: 0.1, Variance: doubt}
	returns, _, err := optimize.PosteriorReturns([]float64{0.05, 0.05}, c, []optimize.View{same, same}, 0.05)
	if errors.Is(err, optimize.ErrMalformed) {
		return
	}
	if err != nil || math.Abs(returns[0]-0.1) > 1e-6 {
		t.Errorf("Posterior = %v, %v, want the view of 0.1, or that the views depend on one another", returns, err)
	}
}

func TestPosteriorReturns_RefusesViewsThatAreNone(t *testing.T) {
	c, prior := diagonalCovariance(0.04, 0.09), []float64{0.05, 0.06}
	for name, views := range map[string][]optimize.View{
		"none":              nil,
		"of no asset":       {{Mix: []float64{0, 0}, Return: 0.1}},
		"of too many":       {{Mix: []float64{1, 0, 0}, Return: 0.1}},
		"not a number":      {{Mix: []float64{1, 0}, Return: math.NaN()}},
		"negative variance": {{Mix: []float64{1, 0}, Return: 0.1, Variance: -1}},
	} {
		if _, _, err := optimize.PosteriorReturns(prior, c, views, 0.05); !errors.Is(err, optimize.ErrMalformed) {
			t.Errorf("%s: Posterior = %v, want ErrMalformed", name, err)
		}
	}
	if _, err := optimize.EquilibriumReturns(c, []float64{1}, 2.5, 0); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("Prior of one weight = %v, want ErrMalformed", err)
	}
}

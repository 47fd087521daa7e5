package optimize_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// tenAssets returns the ten assets of D. Bailey and M. Lopez de Prado, "An Open-Source
// Implementation of the Critical-Line Algorithm for Portfolio Optimization", 2013. The tests
// compare with the turning points that the paper lists.
func tenAssets() ([]float64, *mat.SymDense) {
	return []float64{1.175, 1.19, 0.396, 1.12, 0.346, 0.679, 0.089, 0.73, 0.481, 1.08}, mat.NewSymDense(10, []float64{
		0.40755159, 0.03175842, 0.05183923, 0.05663904, 0.0330226, 0.00827775, 0.02165938, 0.01332419, 0.0343476, 0.02249903,
		0.03175842, 0.9063047, 0.03136385, 0.02687256, 0.01917172, 0.00934384, 0.02495043, 0.00761036, 0.02874874, 0.01336866,
		0.05183923, 0.03136385, 0.19490901, 0.04408485, 0.03006772, 0.01322738, 0.03525971, 0.0115493, 0.0427563, 0.02057303,
		0.05663904, 0.02687256, 0.04408485, 0.19528471, 0.02777345, 0.00526665, 0.01375808, 0.00780878, 0.02914176, 0.01640377,
		0.0330226, 0.01917172, 0.03006772, 0.02777345, 0.34059105, 0.00777055, 0.02067844, 0.00736409, 0.02542657, 0.01284075,
		0.00827775, 0.00934384, 0.01322738, 0.00526665, 0.00777055, 0.15983874, 0.02105575, 0.00518686, 0.01723737, 0.00723779,
		0.02165938, 0.02495043, 0.03525971, 0.01375808, 0.02067844, 0.02105575, 0.68056711, 0.01377882, 0.04627027, 0.01926088,
		0.01332419, 0.00761036, 0.0115493, 0.00780878, 0.00736409, 0.00518686, 0.01377882, 0.95526918, 0.0106553, 0.00760955,
		0.0343476, 0.02874874, 0.0427563, 0.02914176, 0.02542657, 0.01723737, 0.04627027, 0.0106553, 0.31681584, 0.01854318,
		0.02249903, 0.01336866, 0.02057303, 0.01640377, 0.01284075, 0.00723779, 0.01926088, 0.00760955, 0.01854318, 0.11079287,
	})
}

func TestFrontier_TurningPointsOfBaileyAndLopezDePrado(t *testing.T) {
	expected, c := tenAssets()
	f, err := optimize.NewFrontier(expected, c, optimize.LongOnly(10))
	if err != nil {
		t.Fatal(err)
	}
	want := []optimize.Portfolio{
		{Return: 0.803215, Volatility: 0.205238, Weights: []float64{0.036969, 0.026901, 0.094942, 0.125776, 0.076746, 0.219356, 0.029987, 0.035963, 0.061350, 0.292010}},
		{Return: 0.949937, Volatility: 0.216025, Weights: []float64{0.068344, 0.041387, 0.015215, 0.188134, 0.034162, 0.202319, 0, 0.033929, 0.033633, 0.382875}},
		{Return: 0.972720, Volatility: 0.219555, Weights: []float64{0.073789, 0.043829, 0, 0.198976, 0.026158, 0.198152, 0, 0.033420, 0.027903, 0.397774}},
		{Return: 1.015306, Volatility: 0.227983, Weights: []float64{0.084671, 0.049254, 0, 0.219634, 0, 0.180039, 0, 0.031030, 0.006486, 0.428887}},
		{Return: 1.022484, Volatility: 0.229680, Weights: []float64{0.086922, 0.050451, 0, 0.223594, 0, 0.173832, 0, 0.030173, 0, 0.435029}},
		{Return: 1.108360, Volatility: 0.265017, Weights: []float64{0.123201, 0.070444, 0, 0.278994, 0, 0, 0, 0.006436, 0, 0.520926}},
		{Return: 1.111262, Volatility: 0.266720, Weights: []float64{0.126888, 0.072343, 0, 0.281254, 0, 0, 0, 0, 0, 0.519515}},
		{Return: 1.160056, Volatility: 0.417256, Weights: []float64{0.433984, 0.231248, 0, 0.334768, 0, 0, 0, 0, 0, 0}},
		{Return: 1.180259, Volatility: 0.545657, Weights: []float64{0.649369, 0.350631, 0, 0, 0, 0, 0, 0, 0, 0}},
		{Return: 1.19, Volatility: 0.952000, Weights: []float64{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}},
	}
	got := f.Corners()
	if len(got) != len(want) {
		t.Fatalf("%d corners, want the paper's %d", len(got), len(want))
	}
	for i, w := range want {
		wantAllNear(t, "weights of a turning point", got[i].Weights, w.Weights, 1e-6)
		wantNear(t, "return", got[i].Return, w.Return, 1e-6)
		wantNear(t, "volatility", got[i].Volatility, w.Volatility, 1e-6)
	}
	best, err := f.MaxSharpe(0)
	if err != nil {
		t.Fatal(err)
	}
	// The paper: a Sharpe ratio of 4.4535 at a risk of 0.2274.
	wantNear(t, "Sharpe ratio", best.Sharpe(0), 4.4535, 5e-5)
	wantNear(t, "risk at the best Sharpe ratio", best.Volatility, 0.2274, 5e-5)
}

// x = (c22-c12)/(c11+c22-2c12), and the tangency portfolio is proportional to C^-1 (mu - f).
func TestFrontier_TwoAssetsInClosedForm(t *testing.T) {
	c := mat.NewSymDense(2, []float64{0.04, 0.006, 0.006, 0.09})
	expected, free := []float64{0.08, 0.12}, 0.03
	weights, err := optimize.MinVolatility(c, optimize.LongOnly(2))
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "MinVolatility", weights, []float64{0.084 / 0.118, 0.034 / 0.118}, 1e-14)

	f, err := optimize.NewFrontier(expected, c, optimize.LongOnly(2))
	if err != nil {
		t.Fatal(err)
	}
	best, err := f.MaxSharpe(free)
	if err != nil {
		t.Fatal(err)
	}
	a, b := 0.09*0.05-0.006*0.09, 0.04*0.09-0.006*0.05
	wantAllNear(t, "MaxSharpe", best.Weights, []float64{a / (a + b), b / (a + b)}, 1e-12)

	half, err := f.WithReturn(0.10)
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "WithReturn", half.Weights, []float64{0.5, 0.5}, 1e-12)
	back, err := f.WithVolatility(half.Volatility)
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "WithVolatility of that return's", back.Weights, half.Weights, 1e-10)
}

func longOnlyLimits(n int) optimize.Limits {
	l := optimize.LongOnly(n)
	for i := range n {
		l.Upper[i] = 0.4
	}
	l.Lower[0] = 0.05
	l.Groups = []optimize.Group{{Name: "tech", Members: []int{0, 1, 2}, Min: 0.1, Max: 0.35}, {Name: "rest", Members: []int{3, 4}, Min: 0, Max: 0.3}}
	return l
}

func TestFrontier_PointsAreEfficientAndKeepToTheLimits(t *testing.T) {
	for seed := range uint64(8) {
		c, expected := randomAssets(t, seed, 12)
		l := longOnlyLimits(12)
		f, err := optimize.NewFrontier(expected, c, l)
		if err != nil {
			t.Fatal(err)
		}
		points, err := f.Points(15)
		if err != nil || len(points) != 15 {
			t.Fatalf("Points = %d, %v", len(points), err)
		}
		best, err := f.MaxSharpe(0.01)
		if err != nil {
			t.Fatal(err)
		}
		safest, err := optimize.MinVolatility(c, l)
		if err != nil {
			t.Fatal(err)
		}
		wantAllNear(t, "the first point", points[0].Weights, safest, 1e-9)
		for i, p := range points {
			wantWithinLimits(t, "a point of the frontier", p.Weights, l)
			wantNear(t, "return of a point", optimize.Dot(p.Weights, expected), p.Return, 1e-12)
			if p.Sharpe(0.01) > best.Sharpe(0.01)+1e-12 {
				t.Errorf("seed %d: point %d has a Sharpe ratio of %g, the best %g", seed, i, p.Sharpe(0.01), best.Sharpe(0.01))
			}
			if i > 0 && (p.Return <= points[i-1].Return || p.Volatility <= points[i-1].Volatility) {
				t.Errorf("seed %d: point %d does not rise", seed, i)
			}
			same, err := f.WithVolatility(p.Volatility)
			if err != nil {
				t.Fatal(err)
			}
			wantNear(t, "return at a point's volatility", same.Return, p.Return, 1e-7)
		}
	}
}

// projected descends along the gradient and projects back onto the budget and the bounds. The method has
// nothing in common with the active set.
func projected(c mat.Symmetric, l optimize.Limits) []float64 {
	n := l.Size()
	project := func(x []float64) []float64 {
		low, high := -10.0, 10.0
		out := make([]float64, n)
		for range 100 {
			shift, total := (low+high)/2, 0.0
			for i, v := range x {
				out[i] = min(max(v-shift, l.Lower[i]), l.Upper[i])
				total += out[i]
			}
			if total > 1 {
				low = shift
			} else {
				high = shift
			}
		}
		return out
	}
	pace := 1 / mat.Norm(c, 2)
	x := project(make([]float64, n))
	y, momentum := append([]float64{}, x...), 1.0
	for range 4000 {
		var g mat.VecDense
		g.MulVec(c, mat.NewVecDense(n, y))
		for i := range y {
			y[i] -= pace * g.AtVec(i)
		}
		next := project(y)
		faster := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for i := range y {
			y[i] = next[i] + (momentum-1)/faster*(next[i]-x[i])
		}
		x, momentum = next, faster
	}
	return x
}

func TestMinVolatility_AgreesWithProjectedGradients(t *testing.T) {
	for _, bounds := range [][2]float64{{0, 1}, {0, 0.15}, {0.02, 0.3}, {-0.2, 0.5}} {
		for seed := range uint64(5) {
			c, _ := randomAssets(t, seed, 14)
			l := optimize.LongOnly(14)
			for i := range l.Lower {
				l.Lower[i], l.Upper[i] = bounds[0], bounds[1]
			}
			got, err := optimize.MinVolatility(c, l)
			if err != nil {
				t.Fatal(err)
			}
			wantWithinLimits(t, "MinVolatility", got, l)
			want := projected(c, l)
			wantAllNear(t, "MinVolatility", got, want, 1e-5)
			if v, other := optimize.Volatility(got, c), optimize.Volatility(want, c); v > other+1e-12 {
				t.Errorf("volatility %.14g, by projected gradients %.14g", v, other)
			}
		}
	}
}

func TestFrontier_NeitherOrderNorScaleMatters(t *testing.T) {
	for seed := range uint64(5) {
		c, expected := randomAssets(t, seed, 10)
		l := optimize.LongOnly(10)
		f, err := optimize.NewFrontier(expected, c, l)
		if err != nil {
			t.Fatal(err)
		}
		best, _ := f.MaxSharpe(0.02)

		other, returns, order := shuffled(seededRand(seed), c, expected)
		g, err := optimize.NewFrontier(returns, other, l)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := g.MaxSharpe(0.02)
		wantAllNear(t, "MaxSharpe in another order", again.Weights, permuted(best.Weights, order), 1e-8)
		wantAllNear(t, "least volatility in another order", g.MinVolatility().Weights, permuted(f.MinVolatility().Weights, order), 1e-8)

		var scaled mat.SymDense
		scaled.ScaleSym(9, c)
		h, err := optimize.NewFrontier(expected, &scaled, l)
		if err != nil {
			t.Fatal(err)
		}
		larger, _ := h.MaxSharpe(0.02)
		wantAllNear(t, "MaxSharpe at three times the volatility", larger.Weights, best.Weights, 1e-8)
		wantNear(t, "volatility", larger.Volatility, 3*best.Volatility, 1e-9)
	}
}

func TestFrontier_SaysWhatCannotBeReached(t *testing.T) {
	c, expected := diagonalCovariance(0.04, 0.09), []float64{0.05, 0.08}
	f, err := optimize.NewFrontier(expected, c, optimize.LongOnly(2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WithReturn(0.09); !errors.Is(err, optimize.ErrInfeasible) {
		t.Errorf("WithReturn(0.09) = %v, want ErrInfeasible", err)
	}
	if p, err := f.WithReturn(0.01); err != nil || p.Volatility != f.MinVolatility().Volatility {
		t.Errorf("WithReturn(0.01) = %+v, %v, want the safest", p, err)
	}
	if _, err := f.WithVolatility(0.1); !errors.Is(err, optimize.ErrInfeasible) {
		t.Errorf("WithVolatility(0.1) = %v, want ErrInfeasible", err)
	}
	if p, err := f.WithVolatility(5); err != nil || p.Return != 0.08 {
		t.Errorf("WithVolatility(5) = %+v, %v, want the boldest", p, err)
	}
	if _, err := f.MaxSharpe(0.08); !errors.Is(err, optimize.ErrNoExcess) {
		t.Errorf("MaxSharpe(0.08) = %v, want ErrNoExcess", err)
	}
	level, err := optimize.NewFrontier([]float64{0.05, 0.05}, c, optimize.LongOnly(2))
	if err != nil {
		t.Fatal(err)
	}
	if points, err := level.Points(9); err != nil || len(points) != 1 {
		t.Errorf("Points of equal returns = %d, %v, want the one", len(points), err)
	}
}

func TestFrontier_RefusesASingularCovariance(t *testing.T) {
	// More assets than returns, and one asset twice.
	few, err := sampleOf(t, randomReturns(seededRand(1), 8, 12), 252).SampleCovariance()
	if err != nil {
		t.Fatal(err)
	}
	twins := mat.NewSymDense(2, []float64{0.04, 0.04, 0.04, 0.04})
	for name, c := range map[string]*mat.SymDense{"few returns": few, "twins": twins, "no variance": diagonalCovariance(0.04, 0)} {
		if _, err := optimize.MinVolatility(c, optimize.LongOnly(c.SymmetricDim())); !errors.Is(err, optimize.ErrSingular) {
			t.Errorf("%s: MinVolatility = %v, want ErrSingular", name, err)
		}
	}
	if _, err := optimize.NewFrontier([]float64{0.1}, diagonalCovariance(1, 1), optimize.LongOnly(2)); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("NewFrontier = %v, want ErrMalformed", err)
	}
}

// At the best ratio, more of an asset with a weight would not raise it, nor would any of an asset without
// one: the gradient of the ratio, proportional to mu - f - (C w) (excess / variance), is zero for the first
// and at most zero for the others.
func TestMaxSharpe_SatisfiesItsOptimalityConditions(t *testing.T) {
	for seed := range uint64(20) {
		const n, free = 15, 0.02
		c, expected := randomAssets(t, seed, n)
		f, err := optimize.NewFrontier(expected, c, optimize.LongOnly(n))
		if err != nil {
			t.Fatal(err)
		}
		best, err := f.MaxSharpe(free)
		if err != nil {
			t.Fatal(err)
		}
		var slope mat.VecDense
		slope.MulVec(c, mat.NewVecDense(n, best.Weights))
		for i, w := range best.Weights {
			gain := expected[i] - free - slope.AtVec(i)*(best.Return-free)/(best.Volatility*best.Volatility)
			if gain > 1e-8 || w > 1e-9 && gain < -1e-8 {
				t.Errorf("seed %d: asset %d of weight %g gains %g", seed, i, w, gain)
			}
		}
	}
}

package optimize_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func TestSample_MeanIsCompounded(t *testing.T) {
	// 10% up and 10% down, each in a quarter, make 0.99 in half a year.
	s := sampleOf(t, [][]float64{{0.1, -0.1}, {0.02, 0.03}}, 4)
	wantAllNear(t, "Mean", s.Mean(), []float64{0.99*0.99 - 1, 1.02*1.03*1.02*1.03 - 1}, 1e-14)
}

func TestSample_OfThousandsOfReturnsDoesNotOverflow(t *testing.T) {
	many := make([]float64, 20000)
	for i := range many {
		many[i] = 0.05
	}
	wantNear(t, "Mean", sampleOf(t, [][]float64{many}, 2).Mean()[0], 1.05*1.05-1, 1e-12)
}

func TestCAPM_OfTheMarketItselfAndOfItsDouble(t *testing.T) {
	m := []float64{0.02, -0.01, 0.03, 0.01}
	double := []float64{0.04, -0.02, 0.06, 0.02}
	s := sampleOf(t, [][]float64{m, double}, 12)
	returns, betas, err := s.CAPM(m, 0.03)
	if err != nil {
		t.Fatal(err)
	}
	market := math.Pow(1.02*0.99*1.03*1.01, 3) - 1
	wantAllNear(t, "betas", betas, []float64{1, 2}, 1e-12)
	wantAllNear(t, "returns", returns, []float64{market, 0.03 + 2*(market-0.03)}, 1e-12)

	// Without a given market it is the mean of all assets, whose betas have a mean of one.
	_, betas, err = s.CAPM(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "betas to the mean", betas, []float64{2.0 / 3, 4.0 / 3}, 1e-12)
}

// Returns 1, 2, 3 and 2, 4, 9 percent, four periods a year: variances 1 and 13, covariance 3.5, all times
// 0.0001.
func TestSampleCovariance_ByHand(t *testing.T) {
	c, err := sampleOf(t, [][]float64{{0.01, 0.02, 0.03}, {0.02, 0.04, 0.09}}, 4).SampleCovariance()
	if err != nil {
		t.Fatal(err)
	}
	want := mat.NewSymDense(2, []float64{4e-4, 14e-4, 14e-4, 52e-4})
	if !mat.EqualApprox(c, want, 1e-15) {
		t.Errorf("covariance = %v, want %v", mat.Formatted(c), mat.Formatted(want))
	}
}

// Span 3 halves the weight of each period before: 4/7, 2/7, 1/7 for the last three.
func TestExponentialCovariance_ByHand(t *testing.T) {
	s := sampleOf(t, [][]float64{{0.01, 0.02, 0.03}, {0.03, 0.00, 0.00}}, 10)
	c, err := s.ExponentialCovariance(3)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "variance", c.At(0, 0), 10*(1*1e-4+0+4*1e-4)/7, 1e-16)
	wantNear(t, "covariance", c.At(0, 1), 10*(1*-0.01*0.02+0+4*0.01*-0.01)/7, 1e-16)
	if _, err := s.ExponentialCovariance(0.5); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("span of a half = %v, want ErrMalformed", err)
	}
}

// naiveShrinkage returns the estimator term by term, as in the paper: d2 is the distance of S from its target,
// b2 the mean square error of S, both as Frobenius norms over p.
func naiveShrinkage(columns [][]float64) (shrinkage, mean float64) {
	p, n := len(columns), len(columns[0])
	x := make([][]float64, p)
	for j, c := range columns {
		m := 0.0
		for _, v := range c {
			m += v / float64(n)
		}
		for _, v := range c {
			x[j] = append(x[j], v-m)
		}
	}
	s := make([][]float64, p)
	for i := range p {
		s[i] = make([]float64, p)
		for j := range p {
			for t := range n {
				s[i][j] += x[i][t] * x[j][t] / float64(n)
			}
		}
		mean += s[i][i] / float64(p)
	}
	d2, b2 := 0.0, 0.0
	for i := range p {
		for j := range p {
			target := 0.0
			if i == j {
				target = mean
			}
			d2 += (s[i][j] - target) * (s[i][j] - target)
			for t := range n {
				e := x[i][t]*x[j][t] - s[i][j]
				b2 += e * e / float64(n) / float64(n)
			}
		}
	}
	return math.Min(b2, d2) / d2, mean
}

func TestLedoitWolf_IsThePapersEstimator(t *testing.T) {
	for _, dims := range [][2]int{{60, 4}, {15, 8}, {10, 25}} {
		samples := randomReturns(seededRand(uint64(dims[0])), dims[0], dims[1])
		c, d, err := sampleOf(t, samples, 252).LedoitWolf()
		if err != nil {
			t.Fatal(err)
		}
		want, mean := naiveShrinkage(samples)
		wantNear(t, "shrinkage", d, want, 1e-10)
		trace := mat.Trace(c) / 252 / float64(dims[1])
		wantNear(t, "mean variance, which shrinking keeps", trace, mean, 1e-12)
		var factor mat.Cholesky
		if !factor.Factorize(c) {
			t.Errorf("%d returns of %d assets: not positive definite", dims[0], dims[1])
		}
	}
}

func TestSample_RefusesWhatIsNone(t *testing.T) {
	for _, tt := range []struct {
		name      string
		columns   [][]float64
		frequency float64
		want      error
	}{
		{"nothing", nil, 252, optimize.ErrTooFew},
		{"one return", [][]float64{{0.1}}, 252, optimize.ErrTooFew},
		{"unequal", [][]float64{{0.1, 0.2}, {0.1}}, 252, optimize.ErrMalformed},
		{"not a number", [][]float64{{0.1, math.NaN()}}, 252, optimize.ErrMalformed},
		{"all lost", [][]float64{{0.1, -1}}, 252, optimize.ErrMalformed},
		{"no frequency", [][]float64{{0.1, 0.2}}, 0, optimize.ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := optimize.NewSample(tt.columns, tt.frequency); !errors.Is(err, tt.want) {
				t.Errorf("NewSample = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestSample_CashThatStandsStillHasNoCovariance(t *testing.T) {
	s := sampleOf(t, [][]float64{{0.01, -0.01, 0.02}, {0.0001, 0.0001, 0.0001}}, 252)
	_, sample := s.SampleCovariance()
	_, exponential := s.ExponentialCovariance(180)
	_, _, shrunk := s.LedoitWolf()
	for name, err := range map[string]error{"sample": sample, "exponential": exponential, "Ledoit-Wolf": shrunk} {
		if !errors.Is(err, optimize.ErrConstantReturns) {
			t.Errorf("%s covariance = %v, want ErrStill", name, err)
		}
	}
	if _, _, err := s.CAPM([]float64{0.01, 0.01, 0.01}, 0); !errors.Is(err, optimize.ErrConstantReturns) {
		t.Errorf("CAPM of a market that stands still = %v, want ErrStill", err)
	}
}

func TestContributions_SumToOne(t *testing.T) {
	c, _ := randomAssets(t, 3, 6)
	total := 0.0
	for _, v := range optimize.RiskContributions(optimize.EqualWeights(6), c) {
		total += v
	}
	wantNear(t, "sum of contributions", total, 1, 1e-12)
	if got := optimize.RiskContributions([]float64{0, 0}, diagonalCovariance(1, 1)); got != nil {
		t.Errorf("contributions to no risk = %v, want none", got)
	}
}

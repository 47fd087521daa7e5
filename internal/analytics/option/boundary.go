package option

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// Sizes of the method below. Larger ones change the price by less than one part in ten million.
const (
	boundaryNodes    = 16
	boundaryPoints   = 48 // of the integrals over the boundary
	pricePoints      = 120
	maxBoundarySteps = 60
)

// exerciseBoundary is the share price below which an American put is exercised, as a function of time to
// expiry. An American call is the put with share and strike, and rate and yield, exchanged.
//
// Source: Andersen, Lake and Offengenden, High-performance American option pricing (2016): the
// boundary solves a fixed point equation (their system A), here at Chebyshev nodes in the square root
// of time, and is interpolated by the square of its logarithm.
type exerciseBoundary struct {
	put   Option    // the option as a put
	limit float64   // the boundary at expiry
	roots []float64 // square roots of time to expiry, from that of the whole time down to 0
	logs  []float64 // squared logarithm of boundary / limit
}

// asPut returns the put of the same value.
func (o Option) asPut() Option {
	if !o.Put {
		o.Spot, o.Strike, o.Rate, o.Yield = o.Strike, o.Spot, o.Yield, o.Rate
	}
	o.Put = true
	return o
}

// neverExercised reports whether early exercise never pays: the strike earns no interest.
func (o Option) neverExercised() bool {
	p := o.asPut()
	return p.Rate <= 0 && p.Yield >= p.Rate
}

// newBoundary solves for the boundary. It reports false if the iteration does not converge, or if there
// are two boundaries (negative rates).
func newBoundary(o Option) (exerciseBoundary, bool) {
	p := o.asPut()
	b := exerciseBoundary{put: p, limit: p.Strike}
	if p.Rate <= 0 || p.Vol*math.Sqrt(p.Years) < 1e-3 {
		return b, false
	}
	if p.Yield > p.Rate {
		b.limit = p.Strike * p.Rate / p.Yield
	}
	// The boundary falls from its limit at expiry toward that of a perpetual option.
	variance := p.Vol * p.Vol
	drift := (p.Rate-p.Yield)/variance - 0.5
	root := -drift - math.Sqrt(drift*drift+2*p.Rate/variance)
	endless := p.Strike * root / (root - 1)
	b.roots, b.logs = make([]float64, boundaryNodes+1), make([]float64, boundaryNodes+1)
	whole := math.Sqrt(p.Years)
	for i := range b.roots {
		b.roots[i] = whole / 2 * (1 + math.Cos(math.Pi*float64(i)/boundaryNodes))
		start := endless + (b.limit-endless)*math.Exp(-2*p.Vol*b.roots[i])
		b.logs[i] = squared(math.Log(min(start/b.limit, 1)))
	}
	b.logs[boundaryNodes] = 0
	for range maxBoundarySteps {
		next, moved := make([]float64, len(b.logs)), 0.0
		for i := range boundaryNodes {
			at := b.solve(b.roots[i] * b.roots[i])
			if !(at > 0) {
				return b, false
			}
			next[i] = squared(math.Log(min(at/b.limit, 1)))
			moved = max(moved, math.Abs(math.Sqrt(next[i])-math.Sqrt(b.logs[i])))
		}
		b.logs = next
		if moved < 1e-10 {
			return b, true
		}
	}
	return b, false
}

func squared(x float64) float64 { return x * x }

// at returns the boundary at a time to expiry, given as its square root.
func (b exerciseBoundary) at(root float64) float64 {
	var above, below float64
	for i, node := range b.roots {
		if root == node {
			return b.limit * math.Exp(-math.Sqrt(b.logs[i]))
		}
		weight := 1 / (root - node)
		if i%2 == 1 {
			weight = -weight
		}
		if i == 0 || i == len(b.roots)-1 {
			weight /= 2
		}
		above, below = above+weight*b.logs[i], below+weight
	}
	return b.limit * math.Exp(-math.Sqrt(max(above/below, 0)))
}

// distances returns d+ and d- for a ratio of prices over a time.
func (o Option) distances(ratio, years float64) (plus, minus float64) {
	spread := o.Vol * math.Sqrt(years)
	plus = (math.Log(ratio)+(o.Rate-o.Yield)*years)/spread + spread/2
	return plus, plus - spread
}

// solve makes one step of the fixed point iteration at a time to expiry.
func (b exerciseBoundary) solve(years float64) float64 {
	p, here := b.put, b.at(math.Sqrt(years))
	spread := p.Vol * math.Sqrt(years)
	plus, minus := p.distances(here/p.Strike, years)
	above := normalDensity(minus) / spread
	below := normalDensity(plus)/spread + normalCDF(plus)
	points := legendre(boundaryPoints)
	for i, y := range points.at {
		// With z = (1+y)/2 and u = years (1 - z²), the integrand is smooth.
		z := (1 + y) / 2
		rest := years * z * z
		u := years - rest
		plus, minus := p.distances(here/b.at(math.Sqrt(u)), rest)
		weight := points.weight[i] * years * z
		each := p.Vol * math.Sqrt(years) * z
		above += weight * p.Rate * math.Exp(p.Rate*u) * normalDensity(minus) / each
		below += weight * p.Yield * math.Exp(p.Yield*u) * (normalCDF(plus) + normalDensity(plus)/each)
	}
	return p.Strike * math.Exp(-(p.Rate-p.Yield)*years) * above / below
}

// price returns the value of the put at a share price: the European price plus the value of early exercise.
func (b exerciseBoundary) price(spot float64) float64 {
	p := b.put
	p.Spot = spot
	if spot <= b.at(math.Sqrt(p.Years)) {
		return p.Strike - spot
	}
	value := p.european().Price
	points := legendre(pricePoints)
	for i, y := range points.at {
		z := (1 + y) / 2
		rest := p.Years * z * z
		plus, minus := p.distances(spot/b.at(math.Sqrt(p.Years-rest)), rest)
		value += points.weight[i] * p.Years * z *
			(p.Rate*p.Strike*math.Exp(-p.Rate*rest)*normalCDF(-minus) - p.Yield*spot*math.Exp(-p.Yield*rest)*normalCDF(-plus))
	}
	return max(value, p.Strike-spot)
}

func normalDensity(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// quadrature holds the points and weights of Gauss-Legendre quadrature between -1 and 1.
type quadrature struct{ at, weight []float64 }

var (
	boundaryQuadrature = sync.OnceValue(func() quadrature { return newQuadrature(boundaryPoints) })
	priceQuadrature    = sync.OnceValue(func() quadrature { return newQuadrature(pricePoints) })
)

func newQuadrature(n int) quadrature {
	q := quadrature{make([]float64, n), make([]float64, n)}
	quad.Legendre{}.FixedLocations(q.at, q.weight, -1, 1)
	return q
}

func legendre(n int) quadrature {
	if n == pricePoints {
		return priceQuadrature()
	}
	return boundaryQuadrature()
}

package option

import "math"

// european is the formula of Black, Scholes (1973) and Merton (1973) with a
// continuous dividend yield:
//
//	d1 = (ln(S/K) + (r - q + v²/2) T) / (v √T),  d2 = d1 - v √T
//	call = S e^(-qT) N(d1) - K e^(-rT) N(d2)
//	put  = K e^(-rT) N(-d2) - S e^(-qT) N(-d1)
//
// and its derivatives. Source: Hull, Options, Futures, and Other Derivatives,
// chapters on Black-Scholes-Merton and on the Greek letters.
func (o Option) european() Valuation {
	share, strike := o.Spot*math.Exp(-o.Yield*o.Years), o.Strike*math.Exp(-o.Rate*o.Years)
	spread := o.Vol * math.Sqrt(o.Years)
	s := o.sign()
	if spread == 0 {
		return o.deterministicEuropean(share, strike)
	}
	d1 := math.Log(share/strike)/spread + spread/2
	d2 := d1 - spread
	density := math.Exp(-d1*d1/2) / math.Sqrt(2*math.Pi)
	n1, n2 := normalCDF(s*d1), normalCDF(s*d2)
	return Valuation{
		Price: math.Max(s*(share*n1-strike*n2), 0), // rounding may leave a hair below
		Delta: s * math.Exp(-o.Yield*o.Years) * n1,
		Gamma: math.Exp(-o.Yield*o.Years) * density / (o.Spot * spread),
		Vega:  share * density * math.Sqrt(o.Years),
		Theta: -share*density*o.Vol/(2*math.Sqrt(o.Years)) + s*(o.Yield*share*n1-o.Rate*strike*n2),
		Rho:   s * strike * o.Years * n2,
	}
}

// deterministicEuropean is an option whose end is known: no time or no volatility is left.
func (o Option) deterministicEuropean(share, strike float64) Valuation {
	s := o.sign()
	if s*(share-strike) <= 0 {
		return Valuation{}
	}
	return Valuation{
		Price: s * (share - strike), Delta: s * math.Exp(-o.Yield*o.Years),
		Theta: s * (o.Yield*share - o.Rate*strike), Rho: s * strike * o.Years,
	}
}

// normalCDF is the cumulative distribution N(0, 1).
func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

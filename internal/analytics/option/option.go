package option

import (
	"errors"
	"fmt"
	"math"
)

// Errors of inputs without a value. Their messages give the reason.
var (
	ErrInput = errors.New("invalid input")
	// ErrNoVolatility means that no volatility matches a price.
	ErrNoVolatility = errors.New("no implied volatility")
)

// Option is the right to buy at the strike or, if Put is set, to sell.
type Option struct {
	Put      bool
	American bool // may be exercised before expiry
	Spot     float64
	Strike   float64
	Years    float64 // to expiry
	Rate     float64 // risk-free rate
	Yield    float64 // dividend yield
	Vol      float64
}

// Valuation is a price with its sensitivities. Theta is per year, Vega and Rho per change of 1 (100
// percentage points): divide by 365 and by 100 for the figures that brokers show.
type Valuation struct {
	Price                          float64
	Delta, Gamma, Vega, Theta, Rho float64
}

// Bounds of meaningful inputs.
const (
	longestYears = 100
	highestVol   = 10 // 1,000%
	highestRate  = 1
	minPrice     = 1e-9
	highestPrice = 1e12
)

func (o Option) check() error {
	switch {
	case o.Spot < minPrice || o.Strike < minPrice || o.Spot > highestPrice || o.Strike > highestPrice:
		return fmt.Errorf("%w: spot %v and strike %v must be positive prices", ErrInput, o.Spot, o.Strike)
	case o.Years < 0 || o.Years > longestYears:
		return fmt.Errorf("%w: years must be between 0 and %d", ErrInput, longestYears)
	case o.Vol < 0 || o.Vol > highestVol:
		return fmt.Errorf("%w: invalid volatility %v; write 20%% as 0.2", ErrInput, o.Vol)
	case math.Abs(o.Rate) > highestRate || math.Abs(o.Yield) > highestRate:
		return fmt.Errorf("%w: rates are fractions; write 5%% as 0.05", ErrInput)
	}
	return nil
}

// Value prices the option: European by Black-Scholes-Merton, American by its exercise
// boundary, to better than one part in 100,000. A value out of range is ErrInput.
func (o Option) Value() (Valuation, error) {
	if err := o.check(); err != nil {
		return Valuation{}, err
	}
	v := o.european()
	if o.American {
		v = o.american()
	}
	for _, x := range []float64{v.Price, v.Delta, v.Gamma, v.Vega, v.Theta, v.Rho} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return Valuation{}, fmt.Errorf("%w: the value is out of range", ErrInput)
		}
	}
	return v, nil
}

// Intrinsic returns the value of exercising now.
func (o Option) Intrinsic() float64 { return math.Max(o.sign()*(o.Spot-o.Strike), 0) }

func (o Option) sign() float64 {
	if o.Put {
		return -1
	}
	return 1
}

// Bounds returns the lowest and highest arbitrage-free value of the option.
func (o Option) Bounds() (least, most float64) {
	share, strike := o.Spot*math.Exp(-o.Yield*o.Years), o.Strike*math.Exp(-o.Rate*o.Years)
	least = math.Max(o.sign()*(share-strike), 0)
	most = share
	if o.Put {
		most = strike
	}
	if o.American {
		least = math.Max(least, o.Intrinsic())
		// If exercised at the best time, it is worth at most the whole share or the whole strike.
		most = math.Max(most, o.Spot)
		if o.Put {
			most = math.Max(strike, o.Strike)
		}
	}
	return least, most
}

// european prices the option by the formula of Black, Scholes (1973) and Merton (1973) with a continuous
// dividend yield:
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
		Price: math.Max(s*(share*n1-strike*n2), 0), // rounding may make it slightly negative
		Delta: s * math.Exp(-o.Yield*o.Years) * n1,
		Gamma: math.Exp(-o.Yield*o.Years) * density / (o.Spot * spread),
		Vega:  share * density * math.Sqrt(o.Years),
		Theta: -share*density*o.Vol/(2*math.Sqrt(o.Years)) + s*(o.Yield*share*n1-o.Rate*strike*n2),
		Rho:   s * strike * o.Years * n2,
	}
}

// deterministicEuropean prices an option whose outcome is certain, because no time or no volatility
// remains.
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

// normalCDF returns the cumulative distribution function of N(0, 1).
func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// ImpliedVolatility returns the volatility at which the option has the price; Vol is ignored. A
// price outside the arbitrage bounds, or one that hardly depends on volatility, is ErrNoVolatility.
func (o Option) ImpliedVolatility(price float64) (float64, error) {
	o.Vol = lowestVol
	if err := o.check(); err != nil {
		return 0, err
	}
	least, most := o.Bounds()
	if !(price > 0) || price < least || price >= most {
		return 0, fmt.Errorf("%w: a price of %v is outside the arbitrage-free range %.4f to %.4f", ErrNoVolatility, price, least, most)
	}
	// This close to the lower bound, the volatility would depend only on rounding.
	if price-least <= 1e-12*most {
		return 0, fmt.Errorf("%w: a price of %v has no time value, so any low volatility matches", ErrNoVolatility, price)
	}
	worth := func(vol float64) float64 {
		o.Vol = vol
		if o.American {
			return o.americanPrice()
		}
		return o.european().Price
	}
	low, high := float64(lowestVol), float64(highestVol)
	if worth(low) > price || worth(high) < price {
		return 0, fmt.Errorf("%w: a price of %v; with a volatility of %v to %v the option is worth %.4f to %.4f", ErrNoVolatility, price, low, high, worth(low), worth(high))
	}
	for high-low > volPrecision {
		middle := (low + high) / 2
		if worth(middle) < price {
			low = middle
		} else {
			high = middle
		}
	}
	vol := (low + high) / 2
	if vol-lowestVol < 2*volPrecision {
		return 0, fmt.Errorf("%w: a price of %v has no time value, so any low volatility matches", ErrNoVolatility, price)
	}
	return vol, nil
}

const (
	lowestVol    = 1e-4
	volPrecision = 1e-8
)

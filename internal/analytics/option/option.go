package option

import (
	"errors"
	"fmt"
	"math"
)

// Errors of what has no value; the messages say why.
var (
	ErrInput = errors.New("impossible input")
	// ErrNoVolatility means that no volatility gives a price.
	ErrNoVolatility = errors.New("no volatility implies it")
)

// Option is the right to buy, or where Put is set to sell, at the strike.
type Option struct {
	Put      bool
	American bool // may be exercised before its end
	Spot     float64
	Strike   float64
	Years    float64 // to its end
	Rate     float64 // free of risk
	Yield    float64 // of dividends
	Vol      float64
}

// Valuation is a price with what moves it. Theta is for one year that passes, Vega and
// Rho for a change of one whole (100 percentage points): divide by 365 and by 100
// for the figures that brokers show.
type Valuation struct {
	Price                          float64
	Delta, Gamma, Vega, Theta, Rho float64
}

// Bounds beyond which figures mean nothing.
const (
	longestYears = 100
	highestVol   = 10 // a thousand per cent
	highestRate  = 1
	minPrice     = 1e-9
	highestPrice = 1e12
)

func (o Option) check() error {
	for _, f := range []struct {
		name string
		v    float64
	}{{"spot", o.Spot}, {"strike", o.Strike}, {"years", o.Years}, {"rate", o.Rate}, {"dividend yield", o.Yield}, {"volatility", o.Vol}} {
		if math.IsNaN(f.v) || math.IsInf(f.v, 0) {
			return fmt.Errorf("%w: the %s is not a number", ErrInput, f.name)
		}
	}
	switch {
	case o.Spot < minPrice || o.Strike < minPrice || o.Spot > highestPrice || o.Strike > highestPrice:
		return fmt.Errorf("%w: spot %v and strike %v; both are prices, positive", ErrInput, o.Spot, o.Strike)
	case o.Years < 0 || o.Years > longestYears:
		return fmt.Errorf("%w: years are between 0 and %d", ErrInput, longestYears)
	case o.Vol < 0 || o.Vol > highestVol:
		return fmt.Errorf("%w: a volatility of %v; give 20 %% as 0.2", ErrInput, o.Vol)
	case math.Abs(o.Rate) > highestRate || math.Abs(o.Yield) > highestRate:
		return fmt.Errorf("%w: rates are fractions; give 5 %% as 0.05", ErrInput)
	}
	return nil
}

// Value is what the option is worth: European by Black-Scholes-Merton, American by
// a Leisen-Reimer lattice of 801 steps. What no number can hold is ErrInput.
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
			return Valuation{}, fmt.Errorf("%w: no number can hold what these are worth together", ErrInput)
		}
	}
	return v, nil
}

// Intrinsic is what exercising now would bring.
func (o Option) Intrinsic() float64 { return math.Max(o.sign()*(o.Spot-o.Strike), 0) }

func (o Option) sign() float64 {
	if o.Put {
		return -1
	}
	return 1
}

// Bounds are the least and the most that the option can be worth without
// arbitrage.
func (o Option) Bounds() (least, most float64) {
	share, strike := o.Spot*math.Exp(-o.Yield*o.Years), o.Strike*math.Exp(-o.Rate*o.Years)
	least = math.Max(o.sign()*(share-strike), 0)
	most = share
	if o.Put {
		most = strike
	}
	if o.American {
		least = math.Max(least, o.Intrinsic())
		// Exercised at the best moment it brings the share, or the strike, whole.
		most = math.Max(most, o.Spot)
		if o.Put {
			most = math.Max(strike, o.Strike)
		}
	}
	return least, most
}

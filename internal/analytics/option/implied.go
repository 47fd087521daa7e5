package option

import "fmt"

// ImpliedVolatility is the volatility at which the option is worth price; its own Vol is not
// looked at. A price outside of what arbitrage allows, or one that hardly moves
// with volatility, is ErrNoVolatility.
func (o Option) ImpliedVolatility(price float64) (float64, error) {
	o.Vol = lowestVol
	if err := o.check(); err != nil {
		return 0, err
	}
	least, most := o.Bounds()
	if !(price > 0) || price < least || price >= most {
		return 0, fmt.Errorf("%w: a price of %v, where arbitrage allows %.4f to %.4f", ErrNoVolatility, price, least, most)
	}
	// So near to what it surely brings, rounding decides on the volatility.
	if price-least <= 1e-12*most {
		return 0, fmt.Errorf("%w: at %v the option is worth no more than it surely brings, which any small volatility gives", ErrNoVolatility, price)
	}
	worth := func(vol float64) float64 {
		o.Vol = vol
		if o.American {
			return o.lattice().Price
		}
		return o.european().Price
	}
	low, high := float64(lowestVol), float64(highestVol)
	if worth(low) > price || worth(high) < price {
		return 0, fmt.Errorf("%w: a price of %v; from %v to %v the option is worth %.4f to %.4f", ErrNoVolatility, price, low, high, worth(low), worth(high))
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
		return 0, fmt.Errorf("%w: at %v the option is worth no more than it surely brings, which any small volatility gives", ErrNoVolatility, price)
	}
	return vol, nil
}

const (
	lowestVol    = 1e-4
	volPrecision = 1e-8
)

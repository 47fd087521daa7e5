package option

import "math"

// latticeSteps is odd, as the method requires, and gives three to four correct digits.
const latticeSteps = 801

// american prices the option by its exercise boundary, or on a lattice if that has no solution (some
// negative rates). Vega and rho come from changing volatility and rate.
func (o Option) american() Valuation {
	if o.Years == 0 || o.Vol == 0 {
		return o.deterministicAmerican()
	}
	if o.neverExercised() {
		return o.european()
	}
	v := o.americanGreeks()
	bump := 1e-3 * o.Vol
	higher, lower := o, o
	higher.Vol, lower.Vol = o.Vol+bump, o.Vol-bump
	v.Vega = (higher.americanPrice() - lower.americanPrice()) / (2 * bump)
	// The value has a kink at a rate of 0: stay on one side of it.
	if bump = 1e-4; o.Rate != 0 {
		bump = min(bump, math.Abs(o.Rate)/2)
	}
	higher, lower = o, o
	higher.Rate, lower.Rate = o.Rate+bump, o.Rate-bump
	v.Rho = (higher.americanPrice() - lower.americanPrice()) / (2 * bump)
	return v
}

// americanPrice returns the price without Greeks.
func (o Option) americanPrice() float64 {
	if o.neverExercised() {
		return o.european().Price
	}
	if b, ok := newBoundary(o); ok {
		return b.price(b.put.Spot)
	}
	return o.lattice().Price
}

// americanGreeks returns price, delta, gamma and theta.
func (o Option) americanGreeks() Valuation {
	b, ok := newBoundary(o)
	if !ok {
		return o.lattice()
	}
	// value returns the price as a function of the spot. A call is valued as a put on the strike; both
	// prices scale together.
	value := func(spot float64) float64 {
		if o.Put {
			return b.price(spot)
		}
		return b.price(o.Strike*o.Spot/spot) * spot / o.Spot
	}
	h := 1e-3 * o.Spot
	v := Valuation{Price: value(o.Spot)}
	up, down := value(o.Spot+h), value(o.Spot-h)
	v.Delta, v.Gamma = (up-down)/(2*h), (up-2*v.Price+down)/(h*h)
	if v.Price <= o.Intrinsic() { // exercise now is optimal
		return Valuation{Price: v.Price, Delta: o.sign()}
	}
	// The Black-Scholes-Merton equation holds as long as the option is not exercised.
	v.Theta = o.Rate*v.Price - (o.Rate-o.Yield)*o.Spot*v.Delta - o.Vol*o.Vol*o.Spot*o.Spot*v.Gamma/2
	return v
}

// deterministicAmerican values an American option at zero volatility, exercised at the best time:
// now, at expiry, or when dividends lost on the share equal interest lost on the strike, q S
// e^(-qt) = r K e^(-rt).
func (o Option) deterministicAmerican() Valuation {
	best := o.deterministicEuropean(o.Spot*math.Exp(-o.Yield*o.Years), o.Strike*math.Exp(-o.Rate*o.Years))
	turn := math.Log(o.Rate*o.Strike/(o.Yield*o.Spot)) / (o.Rate - o.Yield)
	if turn > 0 && turn < o.Years {
		then := o
		then.Years = turn
		v := then.deterministicEuropean(o.Spot*math.Exp(-o.Yield*turn), o.Strike*math.Exp(-o.Rate*turn))
		if v.Theta = 0; v.Price > best.Price { // waiting for that day is optimal, whatever the expiry
			best = v
		}
	}
	if now := o.Intrinsic(); now >= best.Price && now > 0 {
		return Valuation{Price: now, Delta: o.sign()}
	}
	return best
}

// lattice prices the option on a binomial lattice with the probabilities of Leisen and Reimer. Each node
// has the larger of the values of holding and exercising. Delta, gamma and theta come from the first steps.
//
// Source: Leisen and Reimer, Binomial models for option valuation: examining and improving convergence
// (1996), with the second Peizer-Pratt inversion.
func (o Option) lattice() Valuation {
	n := latticeSteps
	dt := o.Years / float64(n)
	spread := o.Vol * math.Sqrt(o.Years)
	d1 := (math.Log(o.Spot/o.Strike) + (o.Rate-o.Yield+o.Vol*o.Vol/2)*o.Years) / spread
	p, q := peizerPratt(d1-spread, n), peizerPratt(d1, n)
	growth, discount := math.Exp((o.Rate-o.Yield)*dt), math.Exp(-o.Rate*dt)
	up, down := growth*q/p, growth*(1-q)/(1-p)
	if p <= 0 || p >= 1 || math.IsNaN(up) || down <= 0 {
		return o.deterministicAmerican() // so far from the strike that no node is beyond it
	}
	worth := make([]float64, n+1)
	s := o.sign()
	for i := range worth { // i is the number of up moves
		worth[i] = math.Max(s*(o.sharePrice(up, down, n, i)-o.Strike), 0)
	}
	var after [3]float64 // two steps from now
	var next [2]float64
	for step := n - 1; step >= 0; step-- {
		spot, ratio := o.sharePrice(up, down, step, 0), up/down
		for i := 0; i <= step; i++ {
			held := discount * (p*worth[i+1] + (1-p)*worth[i])
			worth[i] = math.Max(held, s*(spot-o.Strike))
			spot *= ratio
		}
		switch step {
		case 2:
			copy(after[:], worth)
		case 1:
			copy(next[:], worth)
		}
	}
	return o.latticeGreeks(worth[0], next, after, up, down, dt)
}

// sharePrice returns the price of the share after steps, of which ups went up.
func (o Option) sharePrice(up, down float64, steps, ups int) float64 {
	return o.Spot * math.Exp(float64(ups)*math.Log(up)+float64(steps-ups)*math.Log(down))
}

// latticeGreeks computes delta, gamma and theta from the nodes of the first two steps.
func (o Option) latticeGreeks(price float64, next [2]float64, after [3]float64, up, down, dt float64) Valuation {
	high, middle, low := o.Spot*up*up, o.Spot*up*down, o.Spot*down*down
	upper := (after[2] - after[1]) / (high - middle)
	lower := (after[1] - after[0]) / (middle - low)
	v := Valuation{Price: price, Delta: (next[1] - next[0]) / (o.Spot * (up - down)), Gamma: (upper - lower) / ((high - low) / 2)}
	// The middle node two steps later is not at the spot; correct for its distance with the slopes.
	shift := middle - o.Spot
	v.Theta = (after[1] - v.Delta*shift - v.Gamma*shift*shift/2 - price) / (2 * dt)
	return v
}

// peizerPratt returns the second Peizer-Pratt inversion: the probability of an up move with which n steps
// approximate N(z).
func peizerPratt(z float64, n int) float64 {
	size := float64(n)
	inner := z / (size + 1.0/3 + 0.1/(size+1))
	return 0.5 + math.Copysign(0.5, z)*math.Sqrt(1-math.Exp(-inner*inner*(size+1.0/6)))
}

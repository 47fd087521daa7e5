package indicator

// ParabolicSAR is Wilder's parabolic stop and reverse, in the unit of the price:
// a stop that follows the trend, below a rising price and above a falling one,
//
//	S[t+1] = S[t] + a * (X - S[t])
//
// where X is the furthest price of the trend so far and a grows from acceleration
// by itself with each new X, up to limit. S never enters the range of the last two
// bars. A bar that reaches S turns the trend: S becomes X, X the other end of the
// bar, and a starts again.
//
// Seed: the trend of the second bar is down where its low moved further than its
// high, else up; S is the extreme of the first bar. Warm-up: 1. Usual: 0.02, 0.2.
// Source: Wilder, as RSI; he leaves the first trend to the trader.
func ParabolicSAR(b Bars, acceleration, limit float64) []float64 {
	out := undefinedColumn(b.Len())
	for from, to := range gaplessRuns(2, b.High, b.Low) {
		high, low := b.High[from:to], b.Low[from:to]
		t := stopTrail{high: high, low: low, sign: 1}
		if down, up := low[0]-low[1], high[1]-high[0]; down > max(up, 0) {
			t.sign = -1
		}
		t.stop, t.extreme, t.speed = t.behind(0), t.ahead(1), acceleration
		for i := 1; i < len(high); i++ {
			out[from+i] = t.advance(i, acceleration, limit)
		}
	}
	return out
}

// stopTrail is a stop behind a price. While the price falls all its prices are
// negated, so that both directions are one rule.
type stopTrail struct {
	high, low            []float64
	sign                 float64
	stop, extreme, speed float64
}

func (t *stopTrail) ahead(i int) float64 {
	if t.sign > 0 {
		return t.high[i]
	}
	return -t.low[i]
}

func (t *stopTrail) behind(i int) float64 {
	if t.sign > 0 {
		return t.low[i]
	}
	return -t.high[i]
}

// advance gives the stop of bar i and moves it on to the next.
func (t *stopTrail) advance(i int, acceleration, limit float64) float64 {
	switch {
	case t.behind(i) <= t.stop:
		// An outside bar reaches beyond the extreme on the day it turns.
		turned := -max(t.extreme, t.ahead(i))
		t.sign = -t.sign
		t.stop, t.extreme, t.speed = turned, t.ahead(i), acceleration
	case t.ahead(i) > t.extreme:
		t.extreme, t.speed = t.ahead(i), min(t.speed+acceleration, limit)
	}
	at := t.sign * t.stop
	t.stop = min(t.stop+t.speed*(t.extreme-t.stop), t.behind(i-1), t.behind(i))
	return at
}

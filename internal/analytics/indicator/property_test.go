package indicator_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// indicatorColumn is one output of an indicator, with the properties that its doc comment states.
type indicatorColumn struct {
	name    string
	warmUp  int
	priced  bool // in the unit of the price; otherwise scaling the prices changes nothing
	compute func(indicator.Bars) []float64
}

func columns() []indicatorColumn {
	closes := func(f func(x []float64) []float64) func(indicator.Bars) []float64 {
		return func(b indicator.Bars) []float64 { return f(b.Close) }
	}
	macd := func(b indicator.Bars) indicator.MACDLines { return indicator.MACD(b.Close, 12, 26, 9) }
	cloud := func(b indicator.Bars) indicator.Cloud { return indicator.Ichimoku(b, 9, 26, 52) }
	adx := func(b indicator.Bars) indicator.DirectionalMovement { return indicator.ADX(b, 14) }
	return []indicatorColumn{
		{"sma", 19, true, closes(func(x []float64) []float64 { return indicator.SMA(x, 20) })},
		{"ema", 19, true, closes(func(x []float64) []float64 { return indicator.EMA(x, 20) })},
		{"rsi", 14, false, closes(func(x []float64) []float64 { return indicator.RSI(x, 14) })},
		{"roc", 12, false, closes(func(x []float64) []float64 { return indicator.ROC(x, 12) })},
		{"macd line", 25, true, func(b indicator.Bars) []float64 { return macd(b).Line }},
		{"macd signal", 33, true, func(b indicator.Bars) []float64 { return macd(b).Signal }},
		{"macd histogram", 33, true, func(b indicator.Bars) []float64 { return macd(b).Histogram }},
		{"bollinger upper", 19, true, func(b indicator.Bars) []float64 { return indicator.Bollinger(b.Close, 20, 2).Upper }},
		{"bollinger lower", 19, true, func(b indicator.Bars) []float64 { return indicator.Bollinger(b.Close, 20, 2).Lower }},
		{"true range", 0, true, indicator.TrueRange},
		{"atr", 13, true, func(b indicator.Bars) []float64 { return indicator.ATR(b, 14) }},
		{"adx", 27, false, func(b indicator.Bars) []float64 { return adx(b).ADX }},
		{"plus di", 14, false, func(b indicator.Bars) []float64 { return adx(b).Plus }},
		{"minus di", 14, false, func(b indicator.Bars) []float64 { return adx(b).Minus }},
		{"stochastic k", 15, false, func(b indicator.Bars) []float64 { k, _ := indicator.Stochastic(b, 14, 3, 3); return k }},
		{"stochastic d", 17, false, func(b indicator.Bars) []float64 { _, d := indicator.Stochastic(b, 14, 3, 3); return d }},
		{"obv", 0, false, indicator.OBV},
		{"mfi", 14, false, func(b indicator.Bars) []float64 { return indicator.MFI(b, 14) }},
		{"cci", 19, false, func(b indicator.Bars) []float64 { return indicator.CCI(b, 20) }},
		{"willr", 13, false, func(b indicator.Bars) []float64 { return indicator.WilliamsR(b, 14) }},
		{"vwap", 0, true, indicator.VWAP},
		{"conversion", 8, true, func(b indicator.Bars) []float64 { return cloud(b).Conversion }},
		{"base", 25, true, func(b indicator.Bars) []float64 { return cloud(b).Base }},
		{"span a", 51, true, func(b indicator.Bars) []float64 { return cloud(b).SpanA }},
		{"span b", 77, true, func(b indicator.Bars) []float64 { return cloud(b).SpanB }},
		{"aroon up", 25, false, func(b indicator.Bars) []float64 { up, _ := indicator.Aroon(b, 25); return up }},
		{"aroon down", 25, false, func(b indicator.Bars) []float64 { _, down := indicator.Aroon(b, 25); return down }},
		{"sar", 1, true, func(b indicator.Bars) []float64 { return indicator.ParabolicSAR(b, 0.02, 0.2) }},
		{"donchian upper", 19, true, func(b indicator.Bars) []float64 { return indicator.Donchian(b, 20).Upper }},
		{"donchian lower", 19, true, func(b indicator.Bars) []float64 { return indicator.Donchian(b, 20).Lower }},
		{"keltner upper", 19, true, func(b indicator.Bars) []float64 { return indicator.Keltner(b, 20, 2, 10).Upper }},
		{"keltner lower", 19, true, func(b indicator.Bars) []float64 { return indicator.Keltner(b, 20, 2, 10).Lower }},
	}
}

// randomWalkBars returns a repeatable random walk of n bars around 100.
func randomWalkBars(seed uint64, n int) indicator.Bars {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b indicator.Bars
	for last := 100.0; b.Len() < n; {
		next := last * math.Exp(0.01*rng.NormFloat64())
		b.High = append(b.High, max(last, next)*(1+0.005*rng.Float64()))
		b.Low = append(b.Low, min(last, next)*(1-0.005*rng.Float64()))
		b.Close = append(b.Close, next)
		b.Volume = append(b.Volume, float64(1000+rng.IntN(9000)))
		last = next
	}
	return b
}

// risingBars returns n bars, each 1 higher than the one before.
func risingBars(n int) indicator.Bars {
	var b indicator.Bars
	for i := range n {
		at := 100 + float64(i)
		b.High, b.Low = append(b.High, at+0.5), append(b.Low, at-0.5)
		b.Close, b.Volume = append(b.Close, at), append(b.Volume, 1000)
	}
	return b
}

func slice(b indicator.Bars, from, to int) indicator.Bars {
	return indicator.Bars{High: b.High[from:to], Low: b.Low[from:to], Close: b.Close[from:to], Volume: b.Volume[from:to]}
}

func clone(b indicator.Bars) indicator.Bars {
	return indicator.Bars{
		High: slices.Clone(b.High), Low: slices.Clone(b.Low), Close: slices.Clone(b.Close), Volume: slices.Clone(b.Volume),
	}
}

func wantSame(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !same(got[i], want[i], tolerance) {
			t.Fatalf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
}

func TestColumns_BeginAfterTheirWarmUp(t *testing.T) {
	b := randomWalkBars(1, 120)
	for _, c := range columns() {
		got := c.compute(b)
		first := slices.IndexFunc(got, func(v float64) bool { return !math.IsNaN(v) })
		if len(got) != b.Len() || first != c.warmUp || slices.ContainsFunc(got[c.warmUp:], math.IsNaN) {
			t.Errorf("%s: %d values from %d on, want %d from %d on without a gap", c.name, len(got), first, b.Len(), c.warmUp)
		}
	}
}

func TestColumns_KnowNothingOfLaterBars(t *testing.T) {
	b := randomWalkBars(2, 150)
	for _, c := range columns() {
		wantSame(t, c.name, c.compute(slice(b, 0, 100)), c.compute(b)[:100], 0)
	}
}

func TestColumns_ScaleWithThePriceOrNotAtAll(t *testing.T) {
	b := randomWalkBars(3, 150)
	scaled := clone(b)
	for i := range b.Close {
		scaled.High[i], scaled.Low[i], scaled.Close[i] = 8*b.High[i], 8*b.Low[i], 8*b.Close[i]
	}
	for _, c := range columns() {
		want := c.compute(b)
		if c.priced {
			for i := range want {
				want[i] *= 8 // a power of two: exact in float64
			}
		}
		wantSame(t, c.name, c.compute(scaled), want, exact)
	}
}

// A bar without numbers does not change the values before it, and the values after it are those of a series
// that begins there.
func TestColumns_AGapStartsTheSeriesAnew(t *testing.T) {
	b := randomWalkBars(4, 240)
	holed := clone(b)
	const gap = 110
	holed.High[gap], holed.Low[gap], holed.Close[gap], holed.Volume[gap] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	for _, c := range columns() {
		got := c.compute(holed)
		wantSame(t, c.name+" before the gap", got[:gap], c.compute(slice(b, 0, gap)), exact)
		if c.name == "span a" || c.name == "span b" {
			continue // drawn 26 bars on, so that the gap is, too
		}
		if !math.IsNaN(got[gap]) {
			t.Errorf("%s in the gap = %v, want NaN", c.name, got[gap])
		}
		wantSame(t, c.name+" after the gap", got[gap+1:], c.compute(slice(b, gap+1, b.Len())), exact)
	}
}

func TestColumns_OfAConstantPrice(t *testing.T) {
	var b indicator.Bars
	for range 100 {
		b.High, b.Low, b.Close, b.Volume = append(b.High, 0.1), append(b.Low, 0.1), append(b.Close, 0.1), append(b.Volume, 10)
	}
	want := map[string]float64{
		"roc": 0, "macd line": 0, "macd signal": 0, "macd histogram": 0, "true range": 0, "atr": 0, "obv": 0, "aroon up": 100, "aroon down": 100,
	}
	undefined := []string{"rsi", "adx", "plus di", "minus di", "stochastic k", "stochastic d", "mfi", "cci", "willr"}
	for _, c := range columns() {
		expected, ok := want[c.name]
		switch {
		case slices.Contains(undefined, c.name):
			expected = math.NaN()
		case !ok:
			expected = 0.1 // every average, band and stop
		}
		if got := c.compute(b)[99]; !same(got, expected, 1e-12) {
			t.Errorf("%s of a constant 0.1 = %v, want %v", c.name, got, expected)
		}
	}
}

func TestColumns_OfASteadyRise(t *testing.T) {
	b := risingBars(120)
	want := map[string]float64{
		"sma": 209.5, "rsi": 100, "true range": 1.5, "adx": 100, "minus di": 0, "mfi": 100, "aroon up": 100, "aroon down": 0,
		"donchian upper": 219.5, "donchian lower": 199.5, "obv": 119000, "stochastic k": 100 * 13.5 / 14, "willr": -100 * 0.5 / 14,
		"roc": 100 * (219.0/207 - 1), "macd line": 7, "plus di": 100 / 1.5, "span a": (215+206.5)/2 - 26, "cci": 9.5 / 0.015 / 5,
	}
	for _, c := range columns() {
		got := c.compute(b)[119]
		if expected, ok := want[c.name]; ok && !same(got, expected, 1e-3) {
			t.Errorf("%s of a steady rise = %v, want %v", c.name, got, expected)
		}
	}
}

func TestColumns_WithoutEnoughBarsHaveNoValue(t *testing.T) {
	for _, c := range columns() {
		for _, n := range []int{0, 1, c.warmUp} {
			if n > c.warmUp {
				continue
			}
			if got := c.compute(randomWalkBars(5, n)); len(got) != n || slices.ContainsFunc(got, func(v float64) bool { return !math.IsNaN(v) }) {
				t.Errorf("%s of %d bars = %v, want %d times NaN", c.name, n, got, n)
			}
		}
	}
}

func TestLengths_BelowOneGiveNoValue(t *testing.T) {
	b := randomWalkBars(6, 50)
	for _, n := range []int{0, -1, -50, math.MinInt} {
		k, d := indicator.Stochastic(b, n, n, n)
		up, down := indicator.Aroon(b, n)
		adx, keltner, cloud := indicator.ADX(b, n), indicator.Keltner(b, n, 2, n), indicator.Ichimoku(b, n, n, n)
		for i, got := range [][]float64{
			indicator.SMA(b.Close, n), indicator.EMA(b.Close, n), indicator.RSI(b.Close, n), indicator.ROC(b.Close, n),
			indicator.MACD(b.Close, n, n, n).Signal, indicator.Bollinger(b.Close, n, 2).Upper, indicator.ATR(b, n), adx.ADX, adx.Plus,
			k, d, indicator.MFI(b, n), indicator.CCI(b, n), indicator.WilliamsR(b, n), up, down, indicator.Donchian(b, n).Upper,
			keltner.Upper, cloud.Conversion, cloud.SpanB,
		} {
			if len(got) != 50 || slices.ContainsFunc(got, func(v float64) bool { return !math.IsNaN(v) }) {
				t.Errorf("column %d with length %d = %v, want NaN throughout", i, n, got)
			}
		}
	}
}

func TestColumns_LeaveTheirInputAlone(t *testing.T) {
	b := randomWalkBars(8, 100)
	before := clone(b)
	for _, c := range columns() {
		c.compute(b)
	}
	for name, pair := range map[string][2][]float64{
		"high": {b.High, before.High}, "low": {b.Low, before.Low}, "close": {b.Close, before.Close}, "volume": {b.Volume, before.Volume},
	} {
		wantSame(t, name, pair[0], pair[1], 0)
	}
}

func BenchmarkColumns(b *testing.B) {
	for _, n := range []int{250_000, 500_000, 1_000_000} {
		bars := randomWalkBars(9, n)
		for _, c := range columns() {
			b.Run(fmt.Sprintf("%s/bars=%d", c.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.compute(bars)
				}
			})
		}
	}
}

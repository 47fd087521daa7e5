package indicator

// Cloud is the output of Ichimoku, in the unit of the price.
type Cloud struct {
	Conversion []float64 // tenkan-sen
	Base       []float64 // kijun-sen
	SpanA      []float64 // senkou span A, the one edge of the cloud at this bar
	SpanB      []float64 // senkou span B, the other edge
	Lagging    []float64 // chikou span: the close of `base` bars later, NaN for the last ones
}

// Ichimoku is the ichimoku kinko hyo. With the middle M(n) between the highest
// high and the lowest low of the last n bars:
//
//	Conversion = M(conversion),  Base = M(base)
//	SpanA[t] = (Conversion + Base)/2 at t - base,  SpanB[t] = M(span) at t - base
//	Lagging[t] = C[t + base]
//
// The spans are those drawn at the bar, computed `base` bars before it. Lagging is
// the only line that looks ahead: its value at a bar was not known then. Warm-up:
// conversion-1, base-1, 2*base-1 (conversion being the shorter), base+span-1, 0.
// Usual lengths: 9, 26, 52. Source: StockCharts ChartSchool, "Ichimoku Cloud".
func Ichimoku(b Bars, conversion, base, span int) Cloud {
	line := func(n int) []float64 { return Donchian(b, n).Middle }
	c := Cloud{Conversion: line(conversion), Base: line(base)}
	c.SpanA = shift(combineColumns(middle, c.Conversion, c.Base), base)
	c.SpanB = shift(line(span), base)
	c.Lagging = shift(b.Close, -base)
	return c
}

// shift moves a column by bars to later dates, or to earlier ones below zero.
func shift(x []float64, bars int) []float64 {
	out := undefinedColumn(len(x))
	for i := range out {
		if from := i - bars; from >= 0 && from < len(x) {
			out[i] = x[from]
		}
	}
	return out
}

package chart_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/charttest"
)

// extremes returns the lowest and the highest known value.
func extremes(values chart.Values) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

func TestDownsample_KeepsEndsHighsAndLowsOfASeries(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for range 200 {
		n := 1 + r.IntN(5000)
		series := charttest.FixtureWalk(uint64(n), n, 100)
		for range r.IntN(50) {
			series.Values[r.IntN(n)] = math.NaN()
		}
		got := chart.Downsample(chart.Spec{Kind: chart.KindLine, Series: []chart.Series{series}}).Series[0]
		if len(got.Values) > 600 || len(got.Times) != len(got.Values) {
			t.Fatalf("Downsample of %d points leaves %d values at %d times, want at most 600", n, len(got.Values), len(got.Times))
		}
		low, high := extremes(series.Values)
		if gotLow, gotHigh := extremes(got.Values); gotLow != low || gotHigh != high {
			t.Fatalf("Downsample of %d points goes from %g to %g, want %g to %g", n, gotLow, gotHigh, low, high)
		}
		last, kept := n-1, len(got.Values)-1
		if !got.Times[0].Equal(series.Times[0]) || !got.Times[kept].Equal(series.Times[last]) ||
			!same(got.Values[0], series.Values[0]) || !same(got.Values[kept], series.Values[last]) {
			t.Fatalf("Downsample of %d points does not keep the first and the last", n)
		}
		// Each kept point is one of the original points.
		for i, at := range got.Times {
			place, ok := slices.BinarySearchFunc(series.Times, at, time.Time.Compare)
			if !ok || !same(series.Values[place], got.Values[i]) {
				t.Fatalf("Downsample of %d points has %g on %s, which is none of them", n, got.Values[i], at)
			}
		}
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// Each section keeps its own extremes, not only the whole series: a crash of one day in twenty
// years is not lost.
func TestDownsample_LosesNoPeakOfAnyDay(t *testing.T) {
	flat := charttest.FixtureWalk(3, 5000, 100)
	for i := range flat.Values {
		flat.Values[i] = 100
	}
	for _, at := range []int{1, 17, 2500, 4321, 4998} {
		one := chart.Series{Times: flat.Times, Values: slices.Clone(flat.Values)}
		one.Values[at] = 40
		got := chart.Downsample(chart.Spec{Kind: chart.KindLine, Series: []chart.Series{one}}).Series[0]
		where := slices.Index(got.Values, 40)
		if where < 0 || !got.Times[where].Equal(one.Times[at]) {
			t.Errorf("a fall on day %d alone is not kept at its day", at)
		}
	}
}

func TestDownsample_KeepsOpenHighLowCloseAndVolumeOfCandles(t *testing.T) {
	all := charttest.FixtureCandles(6, 3000, 120)
	got := chart.Downsample(chart.Spec{Kind: chart.KindCandles, Candles: all}).Candles
	if len(got.Times) != 375 || got.Bars != 3000 {
		t.Fatalf("Downsample of 3,000 candles leaves %d of %d bars, want 375 of 3000, each of eight", len(got.Times), got.Bars)
	}
	last := len(got.Close) - 1
	if got.Open[0] != all.Open[0] || got.Close[last] != all.Close[2999] {
		t.Errorf("open %g and close %g, want %g and %g", got.Open[0], got.Close[last], all.Open[0], all.Close[2999])
	}
	traded := func(v chart.Values) (sum float64) {
		for _, x := range v {
			sum += x
		}
		return sum
	}
	if before, after := traded(all.Volume), traded(got.Volume); math.Abs(before-after) > before*1e-12 {
		t.Errorf("volume %g became %g", before, after)
	}
	for i := range got.Times {
		from, to := i*8, (i+1)*8
		if want := slices.Max(all.High[from:to]); got.High[i] != want {
			t.Fatalf("high of candle %d = %g, want %g", i, got.High[i], want)
		}
		if want := slices.Min(all.Low[from:to]); got.Low[i] != want {
			t.Fatalf("low of candle %d = %g, want %g", i, got.Low[i], want)
		}
		if got.Open[i] != all.Open[from] || got.Close[i] != all.Close[to-1] {
			t.Fatalf("candle %d opens at %g and closes at %g, want %g and %g", i, got.Open[i], got.Close[i], all.Open[from], all.Close[to-1])
		}
	}
}

func TestDownsample_KeepsGapsAndCountsMissingValues(t *testing.T) {
	one := charttest.FixtureWalk(4, 4000, 50)
	for i := 1000; i < 1400; i++ {
		one.Values[i] = math.NaN()
	}
	one.Values[3000] = math.NaN()
	got := chart.Downsample(chart.Spec{Kind: chart.KindLine, Series: []chart.Series{one}})
	broken := slices.ContainsFunc(got.Series[0].Values, math.IsNaN)
	if !broken {
		t.Error("a gap of 400 days was closed")
	}
	whole := chart.Spec{Kind: chart.KindLine, Series: []chart.Series{one}}
	if before, after := chart.Describe(whole), chart.Describe(got); before != after {
		t.Errorf("Describe = %q, want %q as before", after, before)
	}
}

func TestDownsample_WidensAFanAndNeverNarrowsIt(t *testing.T) {
	times := charttest.FixtureWeekdays(1000)
	wide := chart.Fan{Times: times, Percentiles: []chart.Percentile{{Rank: 5}, {Rank: 50}, {Rank: 95}}}
	for i := range times {
		middle := 100 + float64(i%7)
		wide.Percentiles[0].Values = append(wide.Percentiles[0].Values, middle-float64(i%13))
		wide.Percentiles[1].Values = append(wide.Percentiles[1].Values, middle)
		wide.Percentiles[2].Values = append(wide.Percentiles[2].Values, middle+float64(i%17))
	}
	spec := chart.Downsample(chart.Spec{Kind: chart.KindFan, Fan: wide})
	if err := spec.Validate(); err != nil || len(spec.Fan.Times) != 400 {
		t.Fatalf("Thin leaves %d points, Validate() = %v; want 400 that are valid", len(spec.Fan.Times), err)
	}
	for i, want := range []func(chart.Values) float64{func(v chart.Values) float64 { return slices.Min(v) }, nil, func(v chart.Values) float64 { return slices.Max(v) }} {
		before, after := wide.Percentiles[i].Values, spec.Fan.Percentiles[i].Values
		if want != nil && want(before) != want(after) {
			t.Errorf("percentile %d reaches %g, want %g", i, want(after), want(before))
		}
		if before[999] != after[399] || before[0] != after[0] {
			t.Errorf("percentile %d goes from %g to %g, want %g to %g", i, after[0], after[399], before[0], before[999])
		}
	}
}

func TestDownsample_KeepsTheStatisticsOfAHistogram(t *testing.T) {
	whole := charttest.FixtureSpecs()["histogram"]
	got := chart.Downsample(whole)
	if len(got.Series) > 0 || len(got.Distribution.Counts) == 0 || len(got.Distribution.Counts) > 60 {
		t.Fatalf("Downsample of 1,000 values leaves %d series and %d classes", len(got.Series), len(got.Distribution.Counts))
	}
	if err := got.Validate(); err != nil {
		t.Errorf("Validate() = %v", err)
	}
	if before, after := chart.Describe(whole), chart.Describe(got); before != after {
		t.Errorf("Describe = %q, want %q as before", after, before)
	}
	for _, width := range []int{14, 40, 80, 200} {
		if lines := chart.Render(got, chart.RenderOptions{Width: width, Height: 12}); len(lines) < 3 {
			t.Errorf("in %d columns it is drawn as %v", width, lines)
		}
	}
}

// A comparison is rebased on the day on which all series have begun, and downsampling must not
// move that day.
func TestDownsample_ComparesOnTheSameDay(t *testing.T) {
	long, late := charttest.FixtureWalk(8, 3000, 40), charttest.FixtureWalk(9, 2987, 300)
	long.Name, late.Name, late.Times = "A", "B", long.Times[13:]
	spec := chart.Spec{Kind: chart.KindCompare, Series: []chart.Series{long, late}}
	if before, after := chart.Describe(spec), chart.Describe(chart.Downsample(spec)); before != after {
		t.Errorf("Describe = %q, want %q as before", after, before)
	}
}

func TestDownsample_TwiceChangesNothingAndIsSmall(t *testing.T) {
	all := charttest.FixtureSpecs()
	parts := make([]chart.Part, 150)
	for i := range parts {
		parts[i] = chart.Part{Label: "part", Value: float64(i + 1)}
	}
	all["many parts"] = chart.Spec{Kind: chart.KindBars, Parts: parts, Unit: "EUR"}
	all["many series"] = chart.Spec{Kind: chart.KindCompare, Series: []chart.Series{
		charttest.FixtureWalk(1, 9000, 10), charttest.FixtureWalk(2, 9000, 10), charttest.FixtureWalk(3, 9000, 10), charttest.FixtureWalk(4, 9000, 10), charttest.FixtureWalk(5, 9000, 10), charttest.FixtureWalk(6, 9000, 10)}}
	for name, spec := range all {
		thin := chart.Downsample(spec)
		if diff := cmp.Diff(thin, chart.Downsample(thin), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: Thin of what is thin (-once +twice):\n%s", name, diff)
		}
		if err := thin.Validate(); err != nil {
			t.Errorf("%s: Validate() of what is thin = %v", name, err)
		}
		data, err := json.Marshal(thin)
		if err != nil || len(data) > 200<<10 {
			t.Errorf("%s: %d bytes as JSON (%v), want at most 200 KB", name, len(data), err)
		}
		var again chart.Spec
		if err := json.Unmarshal(data, &again); err != nil {
			t.Errorf("%s: Unmarshal = %v", name, err)
		}
		options := chart.RenderOptions{Width: 80, Height: 14}
		if diff := cmp.Diff(chart.Render(thin, options), chart.Render(again, options)); diff != "" {
			t.Errorf("%s is drawn otherwise once it was kept (-before +after):\n%s", name, diff)
		}
	}
}

func TestDownsample_LeavesOutWhatItsKindDoesNotRead(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindBars, Parts: []chart.Part{{Label: "a", Value: 1}}, Series: []chart.Series{charttest.FixtureWalk(1, 5000, 10)}, Candles: charttest.FixtureCandles(1, 900, 5)}
	if got := chart.Downsample(spec); len(got.Series) > 0 || len(got.Candles.Times) > 0 || len(got.Parts) != 1 {
		t.Errorf("Downsample of bars = %d series, %d candles, %d parts; want the parts alone", len(got.Series), len(got.Candles.Times), len(got.Parts))
	}
}

// 504 daily bars are two years: 400 candles would be one day for some and two for others.
func TestDownsample_CandlesHaveTheSameNumberOfBars(t *testing.T) {
	for _, n := range []int{401, 504, 799, 800, 801, 2999} {
		all := charttest.FixtureCandles(2, n, 50)
		for i := range all.Volume {
			all.Volume[i] = 1
		}
		got := chart.Downsample(chart.Spec{Kind: chart.KindCandles, Candles: all}).Candles
		if len(got.Volume) > 400 || got.Bars != n {
			t.Fatalf("Downsample of %d candles leaves %d of %d bars", n, len(got.Volume), got.Bars)
		}
		for i, volume := range got.Volume[1:] {
			if volume != got.Volume[1] {
				t.Fatalf("Downsample of %d candles: candle %d holds %g bars, the second %g", n, i+1, volume, got.Volume[1])
			}
		}
		if got.Volume[0] > got.Volume[1] || got.Open[0] != all.Open[0] || got.Close[len(got.Close)-1] != all.Close[n-1] {
			t.Errorf("Downsample of %d candles: the first holds %g bars of at most %g", n, got.Volume[0], got.Volume[1])
		}
	}
}

func TestDownsample_AFanWithGapsStaysAFan(t *testing.T) {
	nan := math.NaN()
	spec := chart.Spec{Kind: chart.KindFan, Fan: chart.Fan{Times: charttest.FixtureWeekdays(900), Percentiles: []chart.Percentile{{Rank: 5}, {Rank: 25}, {Rank: 50}, {Rank: 75}, {Rank: 95}}}}
	for i := range 900 {
		values := [][5]float64{{1, 3, 5, 7, 9}, {nan, 0.5, 0.6, nan, nan}, {nan, nan, 20, 20, 20}, {1, nan, 2, nan, 3}, {nan, nan, nan, nan, nan}}[i%5]
		for j := range spec.Fan.Percentiles {
			spec.Fan.Percentiles[j].Values = append(spec.Fan.Percentiles[j].Values, values[j])
		}
	}
	if err := spec.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := chart.Downsample(spec).Validate(); err != nil {
		t.Errorf("Validate() of what Thin leaves = %v", err)
	}
	if got := chart.Downsample(chart.Spec{Kind: chart.KindFan, Fan: chart.Fan{Times: charttest.FixtureWeekdays(900)}}); len(got.Fan.Percentiles) != 0 {
		t.Errorf("Downsample of a fan without percentiles = %v", got.Fan)
	}
}

package chart_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
)

// FuzzSpec decodes specs as a session or a tool may contain them.
func FuzzSpec(f *testing.F) {
	for _, spec := range samples() {
		if spec.Kind == chart.KindLine && spec.Log {
			continue // thousands of points teach nothing more
		}
		data, err := json.Marshal(spec)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, 40, 10)
	}
	f.Add([]byte(`{"kind":"line","series":[{"times":["2024-01-01T00:00:00Z"],"values":[1e308]}]}`), 10, 3)
	f.Add([]byte(`{"kind":"fan","fan":{"times":["0000-01-01T00:00:00Z"],"percentiles":[{"at":-1,"values":[null]},{"at":1e300}]}}`), 400, 200)
	f.Add([]byte(`{"kind":"histogram","unit":"%","counted":{"start":-3,"step":0.5,"counts":[1,4,9,3,-1],"mean":-1e99,"median":2}}`), 30, 9)
	f.Add([]byte(`{"kind":"compare","rebased":true,"series":[{"times":["2024-01-01T00:00:00Z"],"values":[100],"missing":-4}]}`), 40, 10)
	f.Add([]byte(`{"kind":"bars","parts":[{"label":"\u001b[2J","value":-1},{"value":1e150},{"value":1e-150}]}`), 80, 2)
	f.Fuzz(func(t *testing.T, data []byte, width, height int) {
		var spec chart.Spec
		if json.Unmarshal(data, &spec) != nil {
			t.Skip("no spec")
		}
		drawAll(t, spec, width, height)
		if err := spec.Validate(); err != nil {
			return
		}
		// A valid spec can be stored and read again.
		kept, err := json.Marshal(spec)
		if err != nil {
			t.Fatalf("Marshal(%+v) = %v, want what Validate accepts to be written", spec, err)
		}
		var again chart.Spec
		if err := json.Unmarshal(kept, &again); err != nil || again.Validate() != nil {
			t.Fatalf("Unmarshal(%s) = %v, then Validate() = %v", kept, err, again.Validate())
		}
	})
}

// FuzzRender draws numbers and times that JSON cannot represent.
func FuzzRender(f *testing.F) {
	numbers := func(values ...float64) []byte {
		var out []byte
		for _, v := range values {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
		return out
	}
	for kind := range uint8(7) {
		f.Add(kind, numbers(1, 2, math.NaN(), math.Inf(1), -3, 4), int64(86400), 40, 10, false)
		f.Add(kind, numbers(1e308, -1e308, 5e-324, 0, math.Copysign(0, -1)), int64(0), 12, 4, true)
		f.Add(kind, numbers(1e150, 1e-150, 1, 1+1e-16, 1e15), int64(math.MaxInt64), 200, 40, true)
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte, step int64, width, height int, log bool) {
		kinds := []chart.Kind{chart.KindLine, chart.KindCandles, chart.KindBars, chart.KindHistogram, chart.KindFan, chart.KindDrawdown, chart.KindCompare}
		var values chart.Values
		for ; len(data) >= 8; data = data[8:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		n := len(values)
		spec := chart.Spec{Kind: kinds[int(kind)%len(kinds)], Unit: "USD", Log: log}
		times := make([]time.Time, n)
		for i := range times {
			times[i] = time.Unix(step*int64(i), 0).UTC()
		}
		// Columns of different lengths are refused by Validate, not by Render.
		spec.Series = []chart.Series{{Name: "a", Times: times, Values: values}, {Times: times[n/2:], Values: values[:n-n/2]}}
		spec.Candles = chart.Candles{Times: times, Open: values, High: values[n/3:], Low: values, Close: values[n/4:], Volume: values[n/2:]}
		spec.Fan = chart.Fan{Times: times, Percentiles: []chart.Percentile{{Rank: 10, Values: values[n/3:]}, {Rank: 50, Values: values}, {Rank: math.NaN(), Values: values[n/2:]}}}
		for _, v := range values {
			spec.Parts = append(spec.Parts, chart.Part{Label: "part", Value: v})
		}
		drawAll(t, spec, width, height)
		_ = spec.Validate()
	})
}

func drawAll(t *testing.T, spec chart.Spec, width, height int) {
	t.Helper()
	width, height = width%500, height%300
	checkSentence(t, spec)
	thin := chart.Downsample(spec)
	for _, c := range charsets {
		check(t, spec, chart.RenderOptions{Width: width, Height: height, Charset: c.set})
		check(t, thin, chart.RenderOptions{Width: width, Height: height, Charset: c.set})
	}
	if spec.Validate() == nil && thin.Validate() != nil {
		t.Fatalf("Validate() of what is thin = %v, and of the whole nil", thin.Validate())
	}
}

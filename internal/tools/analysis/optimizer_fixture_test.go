package analysis_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// optimizerTools returns the tools over the given series.
func optimizerTools(t testing.TB, series ...market.Series) []tool.Tool {
	t.Helper()
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: toolstest.SeriesPrices(t, series...)})
}

// sampleTools returns the tools over the sample data.
func sampleTools(t testing.TB) []tool.Tool {
	t.Helper()
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: toolstest.SamplePrices(t)})
}

// failingTools returns the tools over a source that is down.
func failingTools(t testing.TB, cause error) []tool.Tool {
	t.Helper()
	s := markettest.NewSource()
	s.Err = cause
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: toolstest.Prices(t, s, toolstest.Now)})
}

func wantRejected(t testing.TB, tools []tool.Tool, name string, in args, code, part string) {
	t.Helper()
	toolstest.WantError(t, toolstest.Call(t, tools, name, in), code, part)
}

// randomWalks returns daily closes of n assets from 2024 on. The i-th of six has a daily
// volatility of about (1 + i) percent.
func randomWalks(n, days int) map[string][]float64 {
	r := rand.New(rand.NewPCG(7, 7))
	out := map[string][]float64{}
	for i := range n {
		closes := []float64{100}
		for range days - 1 {
			closes = append(closes, closes[len(closes)-1]*(1+0.0005*float64(i%6)+0.01*float64(1+i%6)*r.NormFloat64()))
		}
		out[fmt.Sprintf("A%d", i)] = closes
	}
	return out
}

func weekdayDates(n int) []string {
	var out []string
	for day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); len(out) < n; day = day.AddDate(0, 0, 1) {
		if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			out = append(out, day.Format(time.DateOnly))
		}
	}
	return out
}

func prices(series map[string][]float64) args {
	n := 0
	for _, s := range series {
		n = len(s)
	}
	return args{"dates": weekdayDates(n), "series": series, "currency": "usd"}
}

// daily returns series of the closes, in order of their names.
func daily(t testing.TB, closes map[string][]float64) []market.Series {
	t.Helper()
	var out []market.Series
	for _, name := range slices.Sorted(maps.Keys(closes)) {
		texts := make([]string, len(closes[name]))
		for i, v := range closes[name] {
			texts[i] = fmt.Sprintf("%.4f", v)
		}
		out = append(out, markettest.Daily(market.Symbol(name), toolstest.MustDay("2024-01-01"), texts...))
	}
	return out
}

func numbers(t testing.TB, v any) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for k, n := range v.(map[string]any) {
		out[k] = n.(float64)
	}
	return out
}

func total(values map[string]float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// wantComplete checks that every figure can be traced, that the answer warns about past data, and that
// it fits into a model's limit.
func wantComplete(t testing.TB, res tool.Result) {
	t.Helper()
	toolstest.WantFigures(t, res, toolstest.HasDate, toolstest.HasFormula, func(f tool.Figure) bool {
		return f.Formula == "as given" || toolstest.HasInputs(f)
	})
	if !strings.Contains(res.UserText(), "do not predict") || !strings.Contains(res.ModelText(), "do not predict") {
		t.Error("neither people nor the model may miss that past returns do not predict")
	}
	if raw, err := json.Marshal(res.Value); err != nil || len(raw) > 30<<10 {
		t.Errorf("answer of %d bytes, %v: the Router would clip it", len(raw), err)
	}
}

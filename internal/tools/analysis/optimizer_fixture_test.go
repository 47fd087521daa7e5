package analysis_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type optimizerArgs = toolstest.Args

// optimizerTools are the tools over the given series alone.
func optimizerTools(t testing.TB, series ...market.Series) []tool.Tool {
	t.Helper()
	s := markettest.NewSource(series...)
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}})
}

// failingTools are the tools over a source that is down.
func failingTools(t testing.TB, cause error) []tool.Tool {
	t.Helper()
	s := markettest.NewSource()
	s.Err = cause
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}})
}

// sampleTools are the tools over the embedded sample.
func sampleTools(t testing.TB) []tool.Tool {
	t.Helper()
	s := feed.NewSampleSource()
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}})
}

func mustOptimize(t testing.TB, tools []tool.Tool, name string, in optimizerArgs) (tool.Result, map[string]any) {
	t.Helper()
	return toolstest.CallOK(t, tools, name, in)
}

func wantRejected(t testing.TB, tools []tool.Tool, name string, in optimizerArgs, code, part string) {
	t.Helper()
	toolstest.WantError(t, toolstest.Call(t, tools, name, in), code, part)
}

// randomWalks are daily closes of n assets from 2024 on: the i-th of six has a volatility of
// about (1 + i) per cent a day.
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

func prices(series map[string][]float64) optimizerArgs {
	n := 0
	for _, s := range series {
		n = len(s)
	}
	return optimizerArgs{"dates": weekdayDates(n), "series": series, "currency": "usd"}
}

// daily makes series for a source of such closes, in order of their names.
func daily(t testing.TB, closes map[string][]float64) []market.Series {
	t.Helper()
	var out []market.Series
	for _, name := range slices.Sorted(maps.Keys(closes)) {
		texts := make([]string, len(closes[name]))
		for i, v := range closes[name] {
			texts[i] = fmt.Sprintf("%.4f", v)
		}
		out = append(out, markettest.Daily(market.Symbol(name), toolstest.Day(t, "2024-01-01"), texts...))
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

func wantNearNumber(t testing.TB, name string, got any, want, within float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || !(math.Abs(v-want) <= within) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// wantComplete holds that every figure can be trusted, and that all numbers of the
// weights are figures.
func wantComplete(t testing.TB, res tool.Result) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range res.Figures {
		given := f.Formula == "as given"
		if f.ID == "" || f.Label == "" || f.Unit == "" || f.Source == "" || f.Formula == "" || f.AsOf.IsZero() || len(f.Inputs) == 0 && !given || seen[f.ID] {
			t.Errorf("figure %+v is incomplete or not unique", f)
		}
		seen[f.ID] = true
	}
	if !strings.Contains(res.ForUser, "does not foretell") || !strings.Contains(res.ModelText(), "does not foretell") {
		t.Error("neither people nor the model may miss that the past does not foretell")
	}
	if raw, err := json.Marshal(res.Value); err != nil || len(raw) > 30<<10 {
		t.Errorf("answer of %d bytes, %v: the Router would clip it", len(raw), err)
	}
}

func warnings(t testing.TB, got map[string]any) string {
	t.Helper()
	return strings.Join(toolstest.Strings(t, got["warnings"]), "\n")
}

package allocation_test

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
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/allocation"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

// deps are the tools over the given series alone.
func deps(t testing.TB, series ...market.Series) []tool.Tool {
	t.Helper()
	s := markettest.NewSource(series...)
	return allocation.Tools(allocation.Deps{Prices: question.Prices{Bars: s, Directory: s, Now: toolboxtest.Clock(t, "2026-11-20T10:30:00Z")}})
}

// broken are the tools over a source that is down.
func broken(t testing.TB, cause error) []tool.Tool {
	t.Helper()
	s := markettest.NewSource()
	s.Err = cause
	return allocation.Tools(allocation.Deps{Prices: question.Prices{Bars: s, Directory: s, Now: toolboxtest.Clock(t, "2026-11-20T10:30:00Z")}})
}

// sampled are the tools over the embedded sample.
func sampled(t testing.TB) []tool.Tool {
	t.Helper()
	s := sample.New()
	return allocation.Tools(allocation.Deps{Prices: question.Prices{Bars: s, Directory: s, Now: toolboxtest.Clock(t, "2026-11-20T10:30:00Z")}})
}

func answered(t testing.TB, tools []tool.Tool, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolboxtest.Answered(t, tools, name, in)
}

func refused(t testing.TB, tools []tool.Tool, name string, in args, code, part string) {
	t.Helper()
	toolboxtest.WantError(t, toolboxtest.Call(t, tools, name, in), code, part)
}

// walks are daily closes of n assets from 2024 on: the i-th of six has a volatility of
// about (1 + i) per cent a day.
func walks(n, days int) map[string][]float64 {
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

func weekdays(n int) []string {
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
	return args{"dates": weekdays(n), "series": series, "currency": "usd"}
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
		out = append(out, markettest.Daily(market.Symbol(name), toolboxtest.Day(t, "2024-01-01"), texts...))
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

func near(t testing.TB, name string, got any, want, within float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || !(math.Abs(v-want) <= within) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// complete holds that every figure can be trusted, and that all numbers of the
// weights are figures.
func complete(t testing.TB, res tool.Result) {
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
	return strings.Join(toolboxtest.Strings(t, got["warnings"]), "\n")
}

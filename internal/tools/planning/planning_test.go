package planning_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

const testNow = "2026-11-20T10:30:00Z"

// sampleDeps are the tools over the embedded sample, on a fixed day.
func sampleDeps(t testing.TB) planning.Deps {
	t.Helper()
	s := feed.NewSampleSource()
	return planning.Deps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, testNow)}}
}

// depsWith are the tools over the given series alone, or over none.
func depsWith(t testing.TB, series ...market.Series) planning.Deps {
	t.Helper()
	s := markettest.NewSource(series...)
	return planning.Deps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, testNow)}}
}

func answered(t *testing.T, d planning.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	res, got := toolstest.CallOK(t, planning.Tools(d), name, in)
	wantComplete(t, res)
	return res, got
}

func refused(t *testing.T, d planning.Deps, name string, in args, part string) {
	t.Helper()
	toolstest.WantError(t, toolstest.Call(t, planning.Tools(d), name, in), tool.CodeValidation, part)
}

// wantComplete holds what every answer of the room promises: that it is hypothetical,
// that its figures can be traced, and that people see each of them.
func wantComplete(t *testing.T, res tool.Result) {
	t.Helper()
	if !strings.HasPrefix(res.Summary, "HYPOTHETICAL") || !strings.Contains(res.ForUser, "HYPOTHETICAL") {
		t.Errorf("summary %q, shown %.80q; want both to say HYPOTHETICAL", res.Summary, res.ForUser)
	}
	seen := map[string]bool{}
	for _, f := range res.Figures {
		if f.ID == "" || f.Label == "" || f.Unit == "" || f.Source == "" || f.Formula == "" || len(f.Inputs) == 0 || seen[f.ID] {
			t.Errorf("figure %+v is incomplete or not unique", f)
		}
		if !strings.Contains(res.ForUser, " "+f.Value.String()+" ") {
			t.Errorf("figure %s = %s is not shown to people", f.ID, f.Value)
		}
		seen[f.ID] = true
	}
}

func wantNear(t *testing.T, name string, got any, want float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || math.Abs(v-want) > 1e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// wantFigure holds the value and the unit of a figure.
func wantFigure(t *testing.T, res tool.Result, id, value, unit string) {
	t.Helper()
	if f := toolstest.Figure(t, res, id); f.Value.String() != value || f.Unit != unit {
		t.Errorf("figure %s = %s %s, want %s %s", id, f.Value, f.Unit, value, unit)
	}
}

// warned holds that an answer warns of something in these words.
func warned(t *testing.T, got map[string]any, part string) {
	t.Helper()
	if all := strings.Join(toolstest.Strings(t, got["warnings"]), "\n"); !strings.Contains(all, part) {
		t.Errorf("warnings %q lack %q", all, part)
	}
}

func wantAssumptions(t *testing.T, got map[string]any, parts ...string) {
	t.Helper()
	all := strings.Join(toolstest.Strings(t, got["assumptions"]), "\n")
	for _, part := range parts {
		if !strings.Contains(all, part) {
			t.Errorf("assumptions %q lack %q", all, part)
		}
	}
}

// monthEnds is a monthly series with the returns, one after the other, from the
// end of January 2000 on.
func monthEnds(sym market.Symbol, returns ...float64) market.Series {
	s := markettest.Daily(sym, time.Date(2000, 1, 31, 0, 0, 0, 0, time.UTC), "100")
	s.Interval = market.Monthly
	price := 100.0
	for i, r := range returns {
		price *= 1 + r
		s.Bars = append(s.Bars, market.Bar{Date: time.Date(2000, time.Month(i+3), 0, 0, 0, 0, 0, time.UTC), Close: decimal.NewFromFloat(price)})
	}
	s.Provenance.AsOf = s.Bars[len(s.Bars)-1].Date
	return s
}

// waveReturns are n returns that go up and down.
func waveReturns(n int, mean, size float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + size*math.Sin(float64(i*i))
	}
	return out
}

// texts are closes that follow returns from 100 on.
func texts(returns ...float64) []string {
	price, out := 100.0, []string{"100"}
	for _, r := range returns {
		price *= 1 + r
		out = append(out, fmt.Sprintf("%.6f", price))
	}
	return out
}

func TestTools_SchemasTakeTheFuturesOfBothPlans(t *testing.T) {
	for _, one := range planning.Tools(depsWith(t)) {
		spec := string(one.Spec().Parameters)
		if one.Effect != tool.Reads {
			t.Errorf("%s has effect %s, want reads", one.Name, one.Effect)
		}
		for _, part := range []string{"mean_return", "block_periods", "seed"} {
			if has := strings.Contains(spec, `"`+part+`"`); has != (one.Name != "backtest") {
				t.Errorf("schema of %s has %s: %v", one.Name, part, has)
			}
		}
	}
}

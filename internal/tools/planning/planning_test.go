package planning_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

var group = toolstest.Group[planning.Deps](planning.Tools)

// sampleDeps returns dependencies with the sample data, on a fixed day.
func sampleDeps(t testing.TB) planning.Deps {
	t.Helper()
	return planning.Deps{Prices: toolstest.SamplePrices(t)}
}

// depsWith returns dependencies that have only the given series.
func depsWith(t testing.TB, series ...market.Series) planning.Deps {
	t.Helper()
	return planning.Deps{Prices: toolstest.SeriesPrices(t, series...)}
}

// callOK calls a tool for a result that must not be an error and must be complete.
func callOK(t *testing.T, d planning.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	res, got := group.CallOK(t, d, name, in)
	wantComplete(t, res)
	return res, got
}

// wantComplete checks that a plan says that it is hypothetical, and has a formula and inputs for each of
// its figures.
func wantComplete(t *testing.T, res tool.Result) {
	t.Helper()
	if !strings.HasPrefix(res.Summary, "HYPOTHETICAL") || !strings.Contains(res.UserText(), "HYPOTHETICAL") {
		t.Errorf("summary %q, shown %.80q; want both to say HYPOTHETICAL", res.Summary, res.UserText())
	}
	toolstest.WantFigures(t, res, toolstest.HasFormula, toolstest.HasInputs)
}

// wantFigure checks the unit of a figure, and its value to the digits of want.
func wantFigure(t *testing.T, res tool.Result, id, value, unit string) {
	t.Helper()
	want := decimal.RequireFromString(value)
	if f := toolstest.Figure(t, res, id); !f.Value.Round(-want.Exponent()).Equal(want) || f.Unit != unit {
		t.Errorf("figure %s = %s %s, want %s %s", id, f.Value, f.Unit, value, unit)
	}
}

// wantWarning checks that the warnings of an answer contain the text.
func wantWarning(t *testing.T, got map[string]any, part string) {
	t.Helper()
	toolstest.WantParts(t, "warnings", toolstest.Warnings(t, got), part)
}

func wantAssumptions(t *testing.T, got map[string]any, parts ...string) {
	t.Helper()
	toolstest.WantParts(t, "assumptions", strings.Join(toolstest.Strings(t, got["assumptions"]), "\n"), parts...)
}

// monthEnds returns a monthly series with the returns, from the end of January 2000 on.
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

// waveReturns returns n alternating higher and lower returns.
func waveReturns(n int, mean, size float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + size*math.Sin(float64(i*i))
	}
	return out
}

// texts returns the closes that result from the returns, starting at 100.
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

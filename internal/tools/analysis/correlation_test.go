package analysis_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Returns of 10, -10, 10, -10 percent with their opposites and their doubles.
func TestCorrelation_OfOppositesAndDoubles(t *testing.T) {
	first := toolstest.MustDay("2020-01-02")
	d := depsWith(t, markettest.Daily("AAA", first, "100", "110", "99", "108.9", "98.01"),
		markettest.Daily("ANTI", first, "100", "90", "99", "89.1", "98.01"),
		markettest.Daily("TWICE", first, "100", "120", "96", "115.2", "92.16"))
	res, got := group.CallOK(t, d, "correlation", args{"symbols": []string{"AAA", "ANTI", "TWICE"}})
	want := []any{[]any{1.0, -1.0, 1.0}, []any{-1.0, 1.0, -1.0}, []any{1.0, -1.0, 1.0}}
	if diff := cmp.Diff(want, got["matrix"], cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Errorf("matrix (-want +got):\n%s", diff)
	}
	toolstest.WantFields(t, got, map[string]any{"returns": 4.0, "symbols": []any{"AAA", "ANTI", "TWICE"}})
	if n := len(got["pairs"].([]any)); n != 3 {
		t.Errorf("%d pairs, want 3", n)
	}
	f := toolstest.Figure(t, res, "matrix.0.1")
	if !f.Value.Round(12).Equal(decimal.NewFromInt(-1)) || f.Unit == "" || f.Formula == "" || f.Source != "markettest" || !f.AsOf.Equal(toolstest.MustDay("2020-01-08")) ||
		f.Inputs[0] != "4 returns of each, 2020-01-02 to 2020-01-08" {
		t.Errorf("figure = %+v", f)
	}
	if !strings.Contains(res.UserText(), "| ANTI | -1 | 1 | -1 |") {
		t.Errorf("shown:\n%s", res.UserText())
	}
	if want := "Correlation is highest between AAA and TWICE (1), lowest between AAA and ANTI (-1)."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "only 4 returns (fewer than 30)") {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestCorrelation_OfTheSampleSaysSample(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "correlation", args{"symbol": "AAPL,MSFT", "from": "2010", "to": "2019"})
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{"from": "2009-12-31", "to": "2019-12-31", "observations": 121.0})
	if !strings.Contains(res.UserText(), "SAMPLE") || !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.ModelText(), `"flags":["sample"]`) {
		t.Errorf("sample data is not marked: %q, shown\n%s", res.Summary, res.UserText())
	}
	if warnings := got["warnings"].([]any); len(warnings) != 0 {
		t.Errorf("warnings = %v of ten years of like series", warnings)
	}
}

func TestCorrelation_WhatDoesNotMoveHasNone(t *testing.T) {
	d := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-01-02"), "1", "2", "3", "5"), markettest.Daily("CASH", toolstest.MustDay("2020-01-02"), "1", "1", "1", "1"))
	res, got := group.CallOK(t, d, "correlation", args{"symbol": "AAA,CASH"})
	if diff := cmp.Diff([]any{[]any{1.0, nil}, []any{nil, nil}}, got["matrix"]); diff != "" {
		t.Errorf("matrix (-want +got):\n%s", diff)
	}
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "AAA and CASH: correlation: returns do not vary") {
		t.Errorf("warnings = %q", warnings)
	}
	if !strings.Contains(res.UserText(), "| CASH | n/a | n/a |") || len(res.Figures) != 1 {
		t.Errorf("%d figures, shown:\n%s", len(res.Figures), res.UserText())
	}
}

func datedCloses(pairs ...any) []args {
	var out []args
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, args{"date": pairs[i], "close": pairs[i+1]})
	}
	return out
}

func TestCorrelation_OfGivenSeriesPairsThemByDate(t *testing.T) {
	a := datedCloses("2020-01-31", 100, "2020-02-29", 110, "2020-03-31", 99, "2020-04-30", 108.9, "2020-05-31", 98.01)
	b := datedCloses("2019-12-31", 7, "2020-01-31", 50, "2020-02-29", 55, "2020-03-31", 49.5, "2020-04-30", 54.45, "2020-05-31", 49.005)
	_, got := group.CallOK(t, deps(t), "correlation", args{"series": args{"zulu": a, "alpha": b}})
	toolstest.WantFields(t, got, map[string]any{"symbols": []any{"alpha", "zulu"}, "returns": 4.0, "matrix": []any{[]any{1.0, 1.0}, []any{1.0, 1.0}}})
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{"from": "2020-01-31", "to": "2020-05-31"})
	toolstest.WantFields(t, got["sources"].([]any)[0].(map[string]any), map[string]any{"source": "given in the call", "as_of": "2020-05-31"})
}

func TestCorrelation_RefusesInvalidSeries(t *testing.T) {
	good := datedCloses("2020-01-31", 100, "2020-02-29", 110)
	for _, tt := range []struct {
		name string
		in   args
		code string
		part string
	}{
		{"nothing", args{}, tool.CodeValidation, "different symbols, got 0"},
		{"one series", args{"series": args{"a": good}}, tool.CodeValidation, "need 2 to 8 series, got 1"},
		{"symbols and series", args{"symbol": "AAPL", "series": args{"a": good, "b": good}}, tool.CodeValidation, "not both"},
		{"an empty series", args{"series": args{"a": good, "b": []args{}}}, tool.CodeValidation, "series b: no closes"},
		{"no day", args{"series": args{"a": good, "b": datedCloses("soon", 1)}}, tool.CodeValidation, `"soon" is not a date`},
		{"newest first", args{"series": args{"a": good, "b": datedCloses("2020-02-29", 1, "2020-01-31", 2)}}, tool.CodeValidation, "oldest first"},
		{"a price of zero", args{"series": args{"a": good, "b": datedCloses("2020-01-31", 0)}}, tool.CodeValidation, "above zero"},
		{"no common day", args{"series": args{"a": good, "b": datedCloses("2020-01-30", 1)}}, tool.CodeNoData, "no common dates"},
		{"all of it later", args{"series": args{"a": good, "b": good}, "to": "2019"}, tool.CodeValidation, "no close on or before 2019-12-31"},
		{"an unknown symbol", args{"symbol": "AAPL,NOSUCH"}, market.CodeUnknownSymbol, "NOSUCH"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, deps(t), "correlation", tt.in), tt.code, tt.part)
		})
	}
}

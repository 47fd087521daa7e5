package statistics_test

import (
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// mixed is the series of empyrical's own tests.
func mixed() []any { return []any{nil, 0.01, 0.10, -0.04, 0.02, 0.03, 0.02, 0.01, -0.10} }

func wantNear(t *testing.T, got map[string]any, want map[string]float64) {
	t.Helper()
	for key, v := range want {
		have, ok := got[key].(float64)
		if !ok || math.Abs(have-v) > 2e-6*math.Max(1, math.Abs(v)) {
			t.Errorf("%s = %v, want %v", key, got[key], v)
		}
	}
}

func TestRiskMetrics_OfGivenReturnsAgreeWithEmpyrical(t *testing.T) {
	for _, name := range []string{"risk_metrics", "returns_stats"} {
		res, got := answered(t, depsOf(t), name, args{"returns": mixed()})
		wantNear(t, got, map[string]float64{
			"annual_return": 1.9135925, "annual_volatility": 0.9136465, "sharpe_ratio": 1.723861, "sortino_ratio": 2.605531, "calmar_ratio": 19.135925,
			"omega_ratio": 1.357143, "max_drawdown": -0.1, "downside_deviation": 0.604483, "periods_per_year": 252, "confidence": 0.95,
		})
		if got["alpha"] != nil || got["beta"] != nil || len(got["warnings"].([]any)) != 3 {
			t.Errorf("%s = %v; want no benchmark's measures, and the few, the unknown and the short said", name, got["warnings"])
		}
		for _, f := range res.Figures {
			if f.Source == "" || f.Unit == "" || f.Formula == "" || len(f.Inputs) == 0 {
				t.Errorf("%s: figure %+v is incomplete", name, f)
			}
		}
		if len(res.Figures) != 14 {
			t.Errorf("%s: %d figures, want one for each measure", name, len(res.Figures))
		}
	}
}

func TestRiskMetrics_AgainstABenchmark(t *testing.T) {
	_, got := answered(t, depsOf(t), "risk_metrics", args{
		"returns": []any{0.021, -0.039, 0.061, 0.001, -0.019, 0.041}, "benchmark_returns": []any{0.01, -0.02, 0.03, 0.0, -0.01, 0.02}, "periods_per_year": 12,
	})
	wantNear(t, got, map[string]float64{"beta": 2, "alpha": math.Pow(1.001, 12) - 1})
}

func TestRiskMetrics_OfASymbolAgainstAnother(t *testing.T) {
	d := depsOf(t,
		markettest.Daily("VTI", toolboxtest.Day(t, "2020-01-06"), "100", "102", "99", "105", "104"),
		markettest.Daily("SPY", toolboxtest.Day(t, "2020-01-06"), "200", "202", "199", "205", "204"),
	)
	res, got := answered(t, d, "risk_metrics", args{"symbol": "VTI", "benchmark": "SPY"})
	toolboxtest.WantFields(t, got, map[string]any{
		"symbol": "VTI", "benchmark": "SPY", "from": "2020-01-06", "to": "2020-01-10", "returns": 4.0, "drawdown_peak_date": "2020-01-07", "drawdown_trough_date": "2020-01-08",
		"total_return": 0.04,
	})
	if got["beta"] == nil || !strings.Contains(res.ForUser, "VTI against SPY") {
		t.Errorf("beta = %v, shown %q", got["beta"], res.ForUser)
	}
}

func TestRiskMetrics_WhatReturnsCannotSupportIsNullAndSaid(t *testing.T) {
	_, got := answered(t, depsOf(t), "risk_metrics", args{"returns": []any{0.01, 0.02, 0.03}})
	if got["sortino_ratio"] != nil || got["calmar_ratio"] != nil || !strings.Contains(strings.Join(toolboxtest.Strings(t, got["warnings"]), "\n"), "no Sortino ratio") {
		t.Errorf("answer = %v, want no Sortino ratio of returns without a loss, and that said", got)
	}
	if got["sharpe_ratio"] == nil {
		t.Error("no Sharpe ratio of three returns")
	}
}

func TestRiskMetrics_SaysWhatToMend(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   args
		part string
	}{
		{"nothing", args{}, "either symbol or returns"},
		{"both", args{"symbol": "VTI", "returns": []any{0.1}}, "either symbol or returns"},
		{"a mix", args{"returns": []any{0.1}, "benchmark": "SPY"}, "benchmark_returns"},
		{"unequal", args{"returns": []any{0.1, 0.2}, "benchmark_returns": []any{0.1}}, "one for each period"},
		{"per cent", args{"returns": []any{-5.0, 3.0}}, "returns are fractions"},
		{"confidence in per cent", args{"returns": []any{0.1, 0.2}, "confidence": 95}, "0.95"},
		{"a rate in per cent", args{"returns": []any{0.1, 0.2}, "risk_free_rate": 4}, "0.04"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			toolboxtest.WantError(t, call(t, depsOf(t), "risk_metrics", tc.in), tool.CodeValidation, tc.part)
		})
	}
}

// A dividend is part of what was earned: 100 to 99 with a dividend of 2 is a gain.
func TestReturns_CountDividendsWhereTheSourceTellsThem(t *testing.T) {
	s := markettest.Daily("VTI", toolboxtest.Day(t, "2020-01-06"), "100", "99")
	s.Provenance.Adjustment = market.AdjustmentSplit
	s.Actions = []market.Action{{Kind: market.ActionDividend, Date: s.Bars[1].Date, Amount: decimal.RequireFromString("2")}}
	_, got := answered(t, depsOf(t, s), "returns_stats", args{"symbol": "VTI"})
	wantNear(t, got, map[string]float64{"total_return": 99.0/98 - 1})
	if note := got["note"].(string); !strings.Contains(note, "dividends reinvested") {
		t.Errorf("note = %q, want it to say what the return counts", note)
	}
	s.Actions = nil
	_, got = answered(t, depsOf(t, s), "returns_stats", args{"symbol": "VTI"})
	wantNear(t, got, map[string]float64{"total_return": -0.01})
	if note := got["note"].(string); !strings.Contains(note, "no dividends") {
		t.Errorf("note = %q, want it to say that dividends are missing", note)
	}
}

func TestCompareAssets_TakesSeriesOfTheCallers(t *testing.T) {
	series := func(closes ...float64) []args {
		out := []args{}
		for i, c := range closes {
			out = append(out, args{"date": "2020-01-0" + string(rune('6'+i)), "close": c})
		}
		return out
	}
	_, got := answered(t, depsOf(t), "compare_assets", args{"series": args{"a": series(100, 110, 121), "b": series(50, 50, 40)}})
	assets := got["assets"].([]any)
	if len(assets) != 2 || assets[0].(map[string]any)["total_return"] != 0.21 || assets[1].(map[string]any)["total_return"] != -0.2 {
		t.Errorf("assets = %v, want +21 %% and -20 %%", assets)
	}
	weekly := []args{{"date": "2020-01-06", "close": 1}, {"date": "2020-01-13", "close": 2}, {"date": "2020-01-20", "close": 3}}
	toolboxtest.WantError(t, call(t, depsOf(t), "compare_assets", args{"series": args{"a": weekly, "b": weekly}}), tool.CodeValidation, "daily or monthly")
}

package analysis_test

import (
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// mixedReturns returns the series of empyrical's own tests.
func mixedReturns() []any { return []any{nil, 0.01, 0.10, -0.04, 0.02, 0.03, 0.02, 0.01, -0.10} }

func wantNear(t *testing.T, got map[string]any, want map[string]float64) {
	t.Helper()
	for key, v := range want {
		toolstest.WantWithin(t, key, got[key], v, 2e-6*math.Max(1, math.Abs(v)))
	}
}

func TestRiskMetrics_OfGivenReturnsAgreeWithEmpyrical(t *testing.T) {
	for _, name := range []string{"risk_metrics", "returns_stats"} {
		res, got := group.CallOK(t, depsWith(t), name, args{"returns": mixedReturns()})
		wantNear(t, got, map[string]float64{
			"annual_return": 1.9135925, "annual_volatility": 0.9136465, "sharpe_ratio": 1.723861, "sortino_ratio": 2.605531, "calmar_ratio": 19.135925,
			"omega_ratio": 1.357143, "max_drawdown": -0.1, "downside_deviation": 0.604483, "periods_per_year": 252, "confidence": 0.95,
		})
		if got["alpha"] != nil || got["beta"] != nil || len(got["warnings"].([]any)) != 4 {
			t.Errorf("%s = %v; want no benchmark's measures, and the 252, the few, the unknown and the short said", name, got["warnings"])
		}
		for _, f := range res.Figures {
			if f.Source == "" || f.Unit == "" || f.Formula == "" || len(f.Inputs) == 0 {
				t.Errorf("%s: figure %+v is incomplete", name, f)
			}
		}
		if len(res.Figures) != 18 {
			t.Errorf("%s: %d figures, want one for each measure, and by what they were taken", name, len(res.Figures))
		}
	}
}

// A Sharpe ratio depends on the risk-free rate, so people see it.
func TestRiskMetrics_SaysTheRiskFreeRate(t *testing.T) {
	in := args{"returns": mixedReturns(), "periods_per_year": 12}
	res, got := group.CallOK(t, depsWith(t), "risk_metrics", in)
	if !strings.Contains(res.UserText(), "| annual risk-free rate (f) | 0.0% |") {
		t.Errorf("the parameters are not shown:\n%s", res.UserText())
	}
	if said := toolstest.Warnings(t, got); strings.Contains(said, "risk-free") {
		t.Errorf("warnings %q; want none of a rate of nothing", said)
	}
	in["risk_free_rate"] = 0.25
	res, got = group.CallOK(t, depsWith(t), "risk_metrics", in)
	if said := toolstest.Warnings(t, got); !strings.Contains(said, "risk-free rate of 25.0% a year is unusual; for 0.25% pass 0.0025") {
		t.Errorf("warnings %q; want a warning about the rate", said)
	}
	if !strings.Contains(res.UserText(), "| annual risk-free rate (f) | 25.0% |") {
		t.Errorf("the rate is not shown:\n%s", res.UserText())
	}
}

func TestRiskMetrics_AgainstABenchmark(t *testing.T) {
	_, got := group.CallOK(t, depsWith(t), "risk_metrics", args{
		"returns": []any{0.021, -0.039, 0.061, 0.001, -0.019, 0.041}, "benchmark_returns": []any{0.01, -0.02, 0.03, 0.0, -0.01, 0.02}, "periods_per_year": 12,
	})
	wantNear(t, got, map[string]float64{"beta": 2, "alpha": math.Pow(1.001, 12) - 1})
}

func TestRiskMetrics_OfASymbolAgainstAnother(t *testing.T) {
	d := depsWith(t,
		markettest.Daily("VTI", toolstest.MustDay("2020-01-06"), "100", "102", "99", "105", "104"),
		markettest.Daily("SPY", toolstest.MustDay("2020-01-06"), "200", "202", "199", "205", "204"),
	)
	res, got := group.CallOK(t, d, "risk_metrics", args{"symbol": "VTI", "benchmark": "SPY"})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "VTI", "benchmark": "SPY", "from": "2020-01-06", "to": "2020-01-10", "returns": 4.0, "drawdown_peak_date": "2020-01-07", "drawdown_trough_date": "2020-01-08",
		"total_return": 0.04,
	})
	if got["beta"] == nil || !strings.Contains(res.UserText(), "VTI vs. SPY") {
		t.Errorf("beta = %v, shown %q", got["beta"], res.UserText())
	}
}

func TestRiskMetrics_WhatReturnsCannotSupportIsNullAndSaid(t *testing.T) {
	_, got := group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": []any{0.01, 0.02, 0.03}})
	if got["sortino_ratio"] != nil || got["calmar_ratio"] != nil || !strings.Contains(toolstest.Warnings(t, got), "no Sortino ratio") {
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
		{"a range of own returns", args{"returns": []any{0.1, 0.2}, "range": "1y"}, "only with symbol"},
		{"more than a call may bring", args{"returns": make([]float64, 50_001)}, "at most 50000"},
		{"itself", args{"symbol": "VTI", "benchmark": "vti"}, "the same instrument"},
		{"unequal", args{"returns": []any{0.1, 0.2}, "benchmark_returns": []any{0.1}}, "one value for each period"},
		{"percent", args{"returns": []any{-5.0, 3.0}}, "returns are fractions"},
		{"confidence in percent", args{"returns": []any{0.1, 0.2}, "confidence": 95}, "0.95"},
		{"a rate in percent", args{"returns": []any{0.1, 0.2}, "risk_free_rate": 4}, "0.04"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, depsWith(t, markettest.Daily("VTI", toolstest.MustDay("2020-01-06"), "100", "102", "99")), "risk_metrics", tc.in), tool.CodeValidation, tc.part)
		})
	}
	toolstest.WantError(t, group.Call(t, depsWith(t), "returns_stats", args{"symbol": "VTI", "risk_free_rate": 0.04}), tool.CodeValidation, "use risk_metrics")
	toolstest.WantError(t, group.Call(t, depsWith(t), "returns_stats", args{"returns": []any{0.1, 0.2}, "range": "1y"}), tool.CodeValidation, "only with symbol")
}

// Assets that trade every day have 365 returns a year: with 252, the return would cover a longer
// period, and the volatility would be a sixth too low.
func TestRiskMetrics_ACoinHas365DaysAYear(t *testing.T) {
	closes := []string{}
	for i := range 731 {
		closes = append(closes, []string{"100", "102", "101"}[i%3])
	}
	s := markettest.Daily("BTC-USD", toolstest.MustDay("2020-01-01"), closes...)
	for i := range s.Bars {
		s.Bars[i].Date = toolstest.MustDay("2020-01-01").AddDate(0, 0, i)
	}
	s.Bars[730].Close = decimal.RequireFromString("121")
	_, got := group.CallOK(t, depsWith(t, s), "risk_metrics", args{"symbol": "BTC-USD"})
	wantNear(t, got, map[string]float64{"periods_per_year": 365, "annual_return": 0.1})
	if got["annual_return_basis"] != "730 returns / 365 a year = 2.0000 years" {
		t.Errorf("annual_return_basis = %v", got["annual_return_basis"])
	}
	_, byHand := group.CallOK(t, depsWith(t, s), "risk_metrics", args{"symbol": "BTC-USD", "periods_per_year": 252})
	if warned := strings.Join(toolstest.Strings(t, byHand["warnings"]), "\n"); !strings.Contains(warned, "data have about 365") {
		t.Errorf("warnings %q, want a warning about 252", warned)
	}
	_, stats := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "BTC-USD"})
	wantNear(t, stats, map[string]float64{"annual_volatility": got["annual_volatility"].(float64), "periods_per_year": 365})
}

// The dates of the bars and of the drawdown, and the date of the figures.
func TestRiskMetrics_FiguresAreAsOfTheLastClose(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-06"), "100", "102", "99", "105", "104")
	res, got := group.CallOK(t, depsWith(t, s), "risk_metrics", args{"symbol": "VTI"})
	for _, f := range res.Figures {
		if !f.AsOf.Equal(toolstest.MustDay("2020-01-10")) {
			t.Errorf("figure %s is as of %s, want the last close", f.ID, f.AsOf)
		}
		if !strings.Contains(res.UserText(), "| periods per year (k) | 252 |") {
			t.Errorf("shown %q, want what a year is", res.UserText())
		}
	}
	if got["annual_return_basis"] != "4 returns / 252 a year = 0.0159 years" || !strings.Contains(res.UserText(), "returns_stats uses calendar years") {
		t.Errorf("basis %v, shown %q; want both", got["annual_return_basis"], res.UserText())
	}
}

// Sample data must be marked, also as the benchmark.
func TestRiskMetrics_ASampleIsLoud(t *testing.T) {
	fetched := markettest.Daily("VTI", toolstest.MustDay("2020-01-06"), "100", "102", "99", "105", "104")
	sample := markettest.Daily("SPY", toolstest.MustDay("2020-01-06"), "200", "202", "199", "205", "204")
	fetched.Provenance.Flags, sample.Provenance.Flags = nil, []market.Flag{market.FlagSample}
	res, _ := group.CallOK(t, depsWith(t, fetched, sample), "risk_metrics", args{"symbol": "SPY"})
	if !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.UserText(), "SAMPLE") {
		t.Errorf("summary %q, shown %q; want SAMPLE in both", res.Summary, res.UserText())
	}
	res, got := group.CallOK(t, depsWith(t, fetched, sample), "risk_metrics", args{"symbol": "VTI", "benchmark": "SPY"})
	if !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.UserText(), "SAMPLE") {
		t.Errorf("summary %q, shown %q; want the benchmark's SAMPLE in both", res.Summary, res.UserText())
	}
	if origin, ok := got["benchmark_origin"].(map[string]any); !ok || len(origin["flags"].([]any)) != 1 {
		t.Errorf("benchmark_origin = %v, want its flag", got["benchmark_origin"])
	}
}

// 4% a year is 1.04^(1/12) - 1 a month, subtracted from each return.
func TestRiskMetrics_TakesTheRiskFreeRateOffEachPeriod(t *testing.T) {
	_, got := group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": []any{0.02, -0.02, 0.03, 0.01}, "periods_per_year": 12, "risk_free_rate": 0.04})
	free := math.Pow(1.04, 1.0/12) - 1
	mean, below := 0.01-free, 0.02+free
	wantNear(t, got, map[string]float64{
		"sharpe_ratio": mean / math.Sqrt((0.01*0.01+0.03*0.03+0.02*0.02)/3) * math.Sqrt(12), "sortino_ratio": mean * 12 / (below / 2 * math.Sqrt(12)),
		"omega_ratio": (0.06 - 3*free) / below, "risk_free_rate": 0.04,
	})
}

func TestRiskMetrics_WarnsOfReturnsInPercent(t *testing.T) {
	_, got := group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": []any{1.2, -0.8, 0.4}, "periods_per_year": 12})
	if warned := toolstest.Warnings(t, got); !strings.Contains(warned, "is unusual") {
		t.Errorf("warnings %q, want a warning about 120%%", warned)
	}
	many := make([]any, 60)
	for i := range many {
		many[i] = float64(i%7-3) / 100
	}
	_, got = group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": many, "periods_per_year": 12, "confidence": 0.99})
	if warned := toolstest.Warnings(t, got); !strings.Contains(warned, "1.0% tail") {
		t.Errorf("warnings %q, want a warning about the short tail", warned)
	}
}

// Returns include dividends: 100 to 99 with a dividend of 2 is a gain.
func TestReturns_CountDividendsWhereTheSourceTellsThem(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-06"), "100", "99")
	s.Provenance.Adjustment = market.AdjustmentSplit
	s.Actions = []market.Action{{Kind: market.ActionDividend, Date: s.Bars[1].Date, Amount: decimal.RequireFromString("2")}}
	_, got := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI"})
	wantNear(t, got, map[string]float64{"total_return": 99.0/98 - 1})
	if note := got["note"].(string); !strings.Contains(note, "dividends reinvested") {
		t.Errorf("note = %q, want what the return includes", note)
	}
	s.Actions = nil
	_, got = group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI"})
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
	_, got := group.CallOK(t, depsWith(t), "compare_assets", args{"series": args{"a": series(100, 110, 121), "b": series(50, 50, 40)}})
	assets := got["assets"].([]any)
	if len(assets) != 2 {
		t.Fatalf("assets = %v, want two", assets)
	}
	toolstest.WantNear(t, "a", assets[0].(map[string]any)["total_return"], 0.21)
	toolstest.WantNear(t, "b", assets[1].(map[string]any)["total_return"], -0.2)
	weekly := []args{{"date": "2020-01-06", "close": 1}, {"date": "2020-01-13", "close": 2}, {"date": "2020-01-20", "close": 3}}
	toolstest.WantError(t, group.Call(t, depsWith(t), "compare_assets", args{"series": args{"a": weekly, "b": weekly}}), tool.CodeValidation, "daily or monthly")
}

// C6: unknown values are null, and unknown returns are not counted as measured.
func TestRiskMetrics_UnknownIsNull(t *testing.T) {
	_, got := group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": mixedReturns()})
	toolstest.WantFields(t, got, map[string]any{"returns": 9.0, "observations": 8.0})
	_, got = group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": []any{0.1, 0.2}})
	toolstest.WantFields(t, got, map[string]any{"skew": 0.0})
	toolstest.WantError(t, group.Call(t, depsWith(t), "risk_metrics", args{"returns": []any{nil, nil}}), tool.CodeNoData, "no maximum drawdown")
}

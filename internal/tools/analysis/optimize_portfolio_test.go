package analysis_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Returns of 1, -1, 2, -2 and 2, 2, -2, -2 percent: means of zero, variances 10/3 and 16/3, covariance
// 0, all times 1e-4. The lowest variance has a weight of 16/26 in the first.
func TestOptimize_TwoAssetsByHand(t *testing.T) {
	path := func(returns ...float64) []float64 {
		out := []float64{100}
		for _, r := range returns {
			out = append(out, out[len(out)-1]*(1+r))
		}
		return out
	}
	in := args{"objective": "min_volatility", "frequency": 12, "prices": prices(map[string][]float64{
		"first": path(0.01, -0.01, 0.02, -0.02), "second": path(0.02, 0.02, -0.02, -0.02),
	})}
	res, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	w := numbers(t, got["weights"])
	toolstest.WantWithin(t, "weight of first", w["first"], 16.0/26, 1e-6)
	toolstest.WantWithin(t, "weight of second", w["second"], 10.0/26, 1e-6)
	toolstest.WantWithin(t, "volatility", got["volatility"], math.Sqrt(12*1e-4*(10.0/3)*(16.0/3)/(26.0/3)), 1e-6)
	a, b := math.Pow(1.01*0.99*1.02*0.98, 3)-1, math.Pow(1.02*1.02*0.98*0.98, 3)-1
	toolstest.WantWithin(t, "expected_return", got["expected_return"], (16*a+10*b)/26, 2e-6)
	toolstest.WantWithin(t, "sharpe_ratio", got["sharpe_ratio"], (16*a+10*b)/26/got["volatility"].(float64), 1e-4)
	toolstest.WantWithin(t, "sum of risk_contributions", total(numbers(t, got["risk_contributions"])), 1, 1e-5)
	toolstest.WantFields(t, got, map[string]any{"returns": 4.0, "frequency": 12.0, "currency": "USD", "from": "2024-01-01", "to": "2024-01-05", "as_of": "2024-01-05"})
	wantComplete(t, res)
	f := toolstest.Figure(t, res, "weights.first")
	if !f.Value.Round(4).Equal(decimal.RequireFromString("61.5385")) || f.Unit != "%" || f.Source != "given in the call" || !f.AsOf.Equal(toolstest.MustDay("2024-01-05")) {
		t.Errorf("figure = %+v", f)
	}
	for _, part := range []string{"only 4 returns", "only 0.33 years of data", "concentrated: 61.5% is in first"} {
		if !strings.Contains(toolstest.Warnings(t, got), part) {
			t.Errorf("warnings = %s, want %q", toolstest.Warnings(t, got), part)
		}
	}
}

func TestOptimize_EveryObjectiveGivesWeightsWithinItsLimits(t *testing.T) {
	given := prices(randomWalks(6, 300))
	for _, tt := range []struct {
		objective string
		more      args
	}{
		{"min_volatility", args{"max_weight": 0.4}},
		{"max_sharpe", args{"max_weight": 0.4, "covariance": "ledoit_wolf"}},
		{"max_sharpe", args{"min_weight": -0.2, "covariance": "exponential", "span": 60}},
		{"max_sharpe", args{"expected_returns": "capm", "risk_free_rate": 0.01, "max_weight": 0.5}},
		{"efficient_risk", args{"target_volatility": 0.3, "max_weight": 0.5}},
		{"risk_parity", nil},
		{"risk_parity", args{"risk_budgets": args{"A0": 0.5, "A1": 0.1, "A2": 0.1, "A3": 0.1, "A4": 0.1, "A5": 0.1}}},
		{"hrp", nil},
		{"min_cvar", args{"max_weight": 0.4, "confidence": 0.9}},
		{"black_litterman", args{"market_caps": args{"A0": 3, "A1": 2, "A2": 1, "A3": 1, "A4": 1, "A5": 1}, "views": []args{{"mix": args{"A1": 1, "A0": -1}, "return": 0.02, "confidence": 0.5}}}},
	} {
		t.Run(tt.objective, func(t *testing.T) {
			in := args{"objective": tt.objective, "prices": given}
			for k, v := range tt.more {
				in[k] = v
			}
			res, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
			wantComplete(t, res)
			w := numbers(t, got["weights"])
			toolstest.WantWithin(t, "sum of weights", total(w), 1, 1e-5)
			most, ok := tt.more["max_weight"].(float64)
			if !ok {
				most = 1
			}
			least, ok := tt.more["min_weight"].(float64)
			if !ok {
				least = 0
			}
			for name, v := range w {
				if v > most+1e-6 || v < least-1e-6 {
					t.Errorf("weight of %s is %v, its bounds are %v to %v", name, v, least, most)
				}
				toolstest.Figure(t, res, "weights."+name)
			}
			if vol := got["volatility"].(float64); tt.objective == "efficient_risk" && math.Abs(vol-0.3) > 1e-6 {
				t.Errorf("volatility %v, want the target of 0.3", vol)
			}
		})
	}
}

func TestOptimize_RiskBudgetsAreWhatEachContributes(t *testing.T) {
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", args{"objective": "risk_parity", "prices": prices(randomWalks(2, 100)), "risk_budgets": args{"A0": 0.25, "A1": 0.75}})
	parts := numbers(t, got["risk_contributions"])
	toolstest.WantWithin(t, "contribution of A0", parts["A0"], 0.25, 1e-6)
	toolstest.WantWithin(t, "contribution of A1", parts["A1"], 0.75, 1e-6)
}

func TestOptimize_TargetReturnAndWhatLimitsDecide(t *testing.T) {
	in := args{
		"objective": "efficient_return", "target_return": 0.08, "prices": prices(randomWalks(4, 260)), "expected_returns": "given",
		"given_returns": args{"A0": 0.03, "A1": 0.05, "A2": 0.08, "A3": 0.12},
		"sector_limits": []args{{"sector": "bold", "symbols": []string{"A2", "a3"}, "max": 0.6}}, "bounds": args{"A1": args{"min": 0.1, "max": 0.3}},
	}
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	toolstest.WantWithin(t, "expected_return", got["expected_return"], 0.08, 1e-6)
	w := numbers(t, got["weights"])
	if w["A2"]+w["A3"] > 0.6+1e-6 || w["A1"] < 0.1-1e-6 || w["A1"] > 0.3+1e-6 {
		t.Errorf("weights = %v miss the limits", w)
	}
	if at := strings.Join(toolstest.Strings(t, got["at_limits"]), ", "); !strings.Contains(toolstest.Warnings(t, got), at) || at == "" {
		t.Errorf("at_limits %q is not among the warnings %q", at, toolstest.Warnings(t, got))
	}
	in["target_return"] = 0.2
	wantRejected(t, optimizerTools(t), "optimize_portfolio", in, tool.CodeValidation, "an expected return of 0.2 is above 0.09")
	in["target_return"] = -0.5
	_, got = toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	// C6: a target that does not bind is a warning.
	if w := toolstest.Warnings(t, got); !strings.Contains(w, "the target return of -50.0% does not bind") {
		t.Errorf("warnings = %s, want it said that the target is below the safest", w)
	}
}

// Without a view the market's own weights are optimal; a view moves them in its direction.
func TestOptimize_BlackLittermanStartsFromTheMarket(t *testing.T) {
	caps := args{"A0": 50, "A1": 30, "A2": 20}
	in := args{"objective": "black_litterman", "prices": prices(randomWalks(3, 400)), "market_caps": caps, "risk_free_rate": 0.02,
		"views": []args{{"mix": args{"A1": 1}, "return": 0.5, "confidence": 1e-9}}}
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	w := numbers(t, got["weights"])
	toolstest.WantWithin(t, "weight of A0", w["A0"], 0.5, 1e-3)
	toolstest.WantWithin(t, "weight of A1", w["A1"], 0.3, 1e-3)
	in["views"] = []args{{"mix": args{"A1": 1}, "return": 0.5, "confidence": 0.5}}
	res, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	if moved := numbers(t, got["weights"]); moved["A1"] < 0.4 {
		t.Errorf("weights = %v: a high return expected of A1 must raise its weight", moved)
	}
	prior, after := numbers(t, got["prior_returns"])["A1"], numbers(t, got["expected_returns"])["A1"]
	toolstest.WantWithin(t, "posterior of A1, half way to the view", after, (prior+0.5)/2, 1e-5)
	toolstest.Figure(t, res, "prior_returns.A1")
}

func TestOptimize_WholeSharesForASum(t *testing.T) {
	closes := randomWalks(3, 200)
	series := daily(t, closes)
	res, got := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"a0", "A1", "A2"}, "range": "max", "sum": 10000})
	wantComplete(t, res)
	bought := got["allocation"].(map[string]any)
	spent, left := decimal.RequireFromString(bought["spent"].(string)), decimal.RequireFromString(bought["left"].(string))
	if !spent.Add(left).Equal(decimal.NewFromInt(10000)) || left.IsNegative() {
		t.Errorf("spent %s, left %s of 10000", spent, left)
	}
	worth := decimal.Zero
	for name := range closes {
		shares, price := toolstest.Figure(t, res, "allocation.shares."+name).Value, decimal.RequireFromString(fmt.Sprintf("%.4f", closes[name][199]))
		if !shares.IsInteger() || !toolstest.Figure(t, res, "allocation.prices."+name).Value.Equal(price) {
			t.Errorf("%s: %s shares, want whole ones at the last close %s", name, shares, price)
		}
		worth = worth.Add(shares.Mul(price))
	}
	if !strings.Contains(toolstest.Warnings(t, got), "check today's price before buying") {
		t.Errorf("warnings = %s: closes of 2024 are no prices to buy at in 2026", toolstest.Warnings(t, got))
	}
	if !worth.Equal(spent) || toolstest.Figure(t, res, "allocation.left").Unit != "USD" {
		t.Errorf("shares are worth %s, spent %s; unit %q", worth, spent, toolstest.Figure(t, res, "allocation.left").Unit)
	}
}

func TestOptimize_FetchesTotalReturns(t *testing.T) {
	series := daily(t, randomWalks(2, 100))
	// The dividend is 5 on a price of about 100: without it the expected return is lower.
	at := series[0].Bars[50].Date
	series[0].Provenance.Adjustment = market.AdjustmentSplit
	in := args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"}
	series[0].Actions = []market.Action{}
	_, without := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", in)
	series[0].Actions = []market.Action{{Kind: market.ActionDividend, Date: at, Amount: decimal.NewFromInt(5)}}
	_, with := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", in)
	name := string(series[0].Symbol)
	if a, b := numbers(t, with["expected_returns"])[name], numbers(t, without["expected_returns"])[name]; a <= b+0.05 {
		t.Errorf("expected return of %s is %v with a dividend of 5%% and %v without", name, a, b)
	}
}

func TestOptimize_OfTheSampleSaysSample(t *testing.T) {
	res, got := toolstest.CallOK(t, sampleTools(t), "optimize_portfolio", args{"objective": "max_sharpe", "symbols": []string{"AAPL", "MSFT", "IBM"}, "from": "2005", "to": "2019", "covariance": "ledoit_wolf", "max_weight": 0.6})
	wantComplete(t, res)
	if !strings.Contains(res.UserText(), "SAMPLE") || !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.ModelText(), `"sample"`) {
		t.Errorf("sample data is not marked: %q, shown\n%s", res.Summary, res.UserText())
	}
	toolstest.WantFields(t, got, map[string]any{"interval": "monthly", "frequency": 12.0, "to": "2019-12-31"})
	if !strings.Contains(toolstest.Warnings(t, got), "standard error of about") {
		t.Errorf("warnings = %s, want how uncertain a mean is", toolstest.Warnings(t, got))
	}
}

func TestOptimize_MissingSessionsAreLeftOutAndSaid(t *testing.T) {
	closes := map[string][]any{"A": {}, "B": {}}
	for i, v := range randomWalks(2, 60)["A0"] {
		closes["A"], closes["B"] = append(closes["A"], v), append(closes["B"], 200-v+float64(i%3))
	}
	closes["B"][10], closes["A"][20] = nil, nil
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", args{"objective": "hrp", "prices": args{"dates": weekdayDates(60), "series": closes}})
	if got["returns"] != 57.0 || !strings.Contains(toolstest.Warnings(t, got), "dropped 2 of 60 dates") {
		t.Errorf("returns = %v, warnings %s", got["returns"], toolstest.Warnings(t, got))
	}
	short := daily(t, randomWalks(2, 100))
	short[0].Bars = append(short[0].Bars[:30:30], short[0].Bars[33:]...)
	_, got = toolstest.CallOK(t, optimizerTools(t, short...), "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"})
	if !strings.Contains(toolstest.Warnings(t, got), "3 closes of ") {
		t.Errorf("warnings = %s, want a warning about dropped dates", toolstest.Warnings(t, got))
	}
}

func TestOptimize_AgainstABenchmark(t *testing.T) {
	closes := randomWalks(3, 200)
	in := args{"objective": "min_volatility", "expected_returns": "capm", "benchmark": "A2", "prices": prices(closes)}
	_, given := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	if w := numbers(t, given["weights"]); len(w) != 2 {
		t.Errorf("weights = %v: the market gets none", w)
	}
	delete(in, "prices")
	in["symbols"], in["range"] = []string{"A0", "A1"}, "max"
	_, fetched := toolstest.CallOK(t, optimizerTools(t, daily(t, closes)...), "optimize_portfolio", in)
	for name, r := range numbers(t, given["expected_returns"]) {
		toolstest.WantWithin(t, "expected return of "+name, numbers(t, fetched["expected_returns"])[name], r, 1e-4)
	}
}

func TestOptimize_SaysWhatToMend(t *testing.T) {
	ok := prices(randomWalks(3, 60))
	few := prices(randomWalks(8, 6))
	twins := randomWalks(2, 60)
	twins["twin"] = twins["A0"]
	still := randomWalks(2, 60)
	still["cash"] = make([]float64, 60)
	for i := range still["cash"] {
		still["cash"][i] = 1
	}
	caps := args{"A0": 1, "A1": 1, "A2": 1}
	for _, tt := range []struct {
		name string
		in   args
		part string
	}{
		{"no assets", args{"objective": "hrp"}, "either symbols or prices"},
		{"both", args{"objective": "hrp", "symbols": []string{"A", "B"}, "prices": ok}, "either symbols or prices"},
		{"one asset", args{"objective": "hrp", "symbols": []string{"A"}}, "2 to 30 different symbols"},
		{"no such objective", args{"objective": "best", "prices": ok}, "use one of min_volatility"},
		{"no target", args{"objective": "efficient_return", "prices": ok}, "requires target_return"},
		{"a target of another", args{"objective": "hrp", "target_return": 0.1, "prices": ok}, "target_return works only with objective efficient_return"},
		{"an unknown covariance", args{"objective": "hrp", "covariance": "oracle", "prices": ok}, "use sample, ledoit_wolf"},
		{"unknown expected returns", args{"objective": "max_sharpe", "expected_returns": "hope", "prices": ok}, "use mean, capm or given"},
		{"a return missing", args{"objective": "max_sharpe", "expected_returns": "given", "given_returns": args{"A0": 0.1, "A1": 0.1}, "prices": ok}, "has no value for A2"},
		{"returns in percent", args{"objective": "max_sharpe", "expected_returns": "given", "given_returns": args{"A0": 12, "A1": 1, "A2": 1}, "prices": ok}, "write 8% as 0.08"},
		{"a rate in percent", args{"objective": "max_sharpe", "risk_free_rate": 4, "prices": ok}, "write 4% as 0.04"},
		{"no excess return", args{"objective": "max_sharpe", "risk_free_rate": 0.3, "expected_returns": "given", "given_returns": args{"A0": 0.1, "A1": 0.1, "A2": 0.1}, "prices": ok}, "no expected return above the risk-free rate"},
		{"upper bounds too low", args{"objective": "min_volatility", "max_weight": 0.2, "prices": ok}, "upper bounds sum to 0.6"},
		{"bounds crossed", args{"objective": "min_volatility", "bounds": args{"A1": args{"min": 0.5, "max": 0.2}}, "prices": ok}, "the minimum of A1, 0.5, exceeds its maximum, 0.2"},
		{"bounds in percent", args{"objective": "min_volatility", "max_weight": 40, "prices": ok}, "weights are fractions"},
		{"bounds of a stranger", args{"objective": "min_volatility", "bounds": args{"ZZZ": args{"max": 0.2}}, "prices": ok}, `"ZZZ" is not one of the assets`},
		{"sectors that contradict", args{"objective": "min_volatility", "prices": ok, "sector_limits": []args{
			{"sector": "one", "symbols": []string{"A0"}, "min": 0.6}, {"sector": "two", "symbols": []string{"A1", "A2"}, "min": 0.6}}}, "the limits of one"},
		{"a sector without limits", args{"objective": "min_volatility", "prices": ok, "sector_limits": []args{{"sector": "one", "symbols": []string{"A0"}}}}, "needs min or max"},
		{"volatility too low", args{"objective": "efficient_risk", "target_volatility": 0.001, "prices": ok}, "the lowest within the limits"},
		{"hrp beyond a bound", args{"objective": "hrp", "max_weight": 0.4, "prices": ok}, "depends only on the covariance"},
		{"few returns", args{"objective": "min_volatility", "prices": few}, "8 assets over 5 returns: use covariance ledoit_wolf"},
		{"twins", args{"objective": "min_volatility", "prices": prices(twins)}, "two assets that move together"},
		{"cash", args{"objective": "min_volatility", "prices": prices(still)}, "returns of cash do not vary"},
		{"confidence in percent", args{"objective": "min_cvar", "confidence": 95, "prices": ok}, "write 95% as 0.95"},
		{"no views", args{"objective": "black_litterman", "market_caps": caps, "prices": ok}, "requires views"},
		{"a view of nothing", args{"objective": "black_litterman", "market_caps": caps, "views": []args{{"mix": args{}, "return": 0.1}}, "prices": ok}, "mix has no asset"},
		{"a view too sure", args{"objective": "black_litterman", "market_caps": caps, "views": []args{{"mix": args{"A0": 1}, "return": 0.1, "confidence": 70}}, "prices": ok}, "confidence 70"},
		{"shares of a short position", args{"objective": "min_volatility", "sum": 1000, "bounds": args{"A0": args{"min": -0.1, "max": -0.1}}, "prices": ok}, "negative weight"},
		{"budgets that miss one", args{"objective": "risk_parity", "risk_budgets": args{"A0": 0.5, "A1": 0.2, "A2": 0.2}, "prices": ok}, "sum to 0.9"},
		{"a range for own prices", args{"objective": "hrp", "range": "5y", "prices": ok}, "only with symbols"},
		{"no frequency", args{"objective": "hrp", "prices": args{"dates": []string{"2020-01-01", "2020-04-01", "2020-07-01", "2020-10-01"}, "series": args{"A": []float64{1, 2, 1, 2}, "B": []float64{1, 3, 2, 5}}}}, "set frequency"},
		{"dates out of order", args{"objective": "hrp", "prices": args{"dates": []string{"2020-01-02", "2020-01-01"}, "series": args{"A": []float64{1, 2}, "B": []float64{1, 2}}}}, "oldest first"},
		{"a close of zero", args{"objective": "hrp", "prices": args{"dates": weekdayDates(4), "series": args{"A": []float64{1, 2, 0, 1}, "B": []float64{1, 2, 1, 2}}}}, "above zero"},
		{"a close short", args{"objective": "hrp", "prices": args{"dates": weekdayDates(4), "series": args{"A": []float64{1, 2, 3}, "B": []float64{1, 2, 1, 2}}}}, "3 closes for 4 dates"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantRejected(t, optimizerTools(t), "optimize_portfolio", tt.in, tool.CodeValidation, tt.part)
		})
	}
}

func TestOptimize_SaysWhatToMendOfSymbols(t *testing.T) {
	series := daily(t, randomWalks(3, 60))
	for i := range series {
		switch series[i].Symbol {
		case "A1":
			series[i].Provenance.Currency = "EUR"
		case "A2":
			series[i].Kind, series[i].Provenance.Unit, series[i].Provenance.Currency = "index", "index points", ""
		}
	}
	late := markettest.Daily("LATE", toolstest.MustDay("2026-01-05"), "1", "2", "3", "2")
	tools := optimizerTools(t, append(series, late)...)
	wantRejected(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"}, tool.CodeValidation, "A1 in EUR, the others in USD")
	wantRejected(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A2"}, "range": "max", "sum": 1000}, tool.CodeValidation, "A2 is an index")
	wantRejected(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "NONE"}, "range": "max"}, market.CodeUnknownSymbol, "NONE")
	wantRejected(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "LATE"}, "range": "max"}, tool.CodeNoData, "LATE has daily closes from 2026-01-05")
	wantRejected(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A2"}, "range": "soon"}, tool.CodeValidation, "soon")
	_, got := toolstest.CallOK(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A2"}, "range": "max"})
	if !strings.Contains(toolstest.Warnings(t, got), "the currency of A2 is unknown") {
		t.Errorf("warnings = %s", toolstest.Warnings(t, got))
	}
}

// Two assets with opposite returns cancel out: hrp holds both, and the volatility is zero, so there is
// no Sharpe ratio.
func TestOptimize_WithoutVolatilityThereIsNoRatio(t *testing.T) {
	up := []float64{100, 110, 99, 108.9, 98.01, 107.811}
	down := []float64{100, 90, 99, 89.1, 98.01, 88.209}
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", args{"objective": "hrp", "prices": prices(map[string][]float64{"up": up, "down": down})})
	if v, ok := got["sharpe_ratio"].(float64); ok && math.Abs(v) > 1e3 {
		t.Errorf("sharpe_ratio = %v of no volatility, want none", v)
	}
	if got["volatility"].(float64) > 1e-6 || !strings.Contains(toolstest.Warnings(t, got), "no Sharpe ratio") {
		t.Errorf("volatility = %v, warnings %s", got["volatility"], toolstest.Warnings(t, got))
	}
}

func TestOptimize_SteepDaysAreNoExpectation(t *testing.T) {
	steep := map[string][]float64{"A": {1, 1e3, 1e6, 1e7}, "B": {1, 1.1, 1, 1.2}}
	wantRejected(t, optimizerTools(t), "optimize_portfolio", args{"objective": "hrp", "prices": prices(steep)}, tool.CodeValidation, "check its closes")
}

func FuzzOptimize_NeverPanics(f *testing.F) {
	f.Add("A", "hrp", 1.0, 2.0, 3.0, "2020-01-02", 0.5, 100.0)
	f.Add("", "min_cvar", 1e-300, 1e300, 1.0, "", -1.0, 1e16)
	f.Add("β|\n", "max_sharpe", 1.0, 1.0, 1.0, "x", 2.0, 0.01)
	router := toolstest.Open(f, optimizerTools(f))
	f.Fuzz(func(t *testing.T, name, objective string, a, b, c float64, date string, most, sum float64) {
		for _, v := range []float64{a, b, c, most, sum} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Skip("JSON has no such number")
			}
		}
		dates := append(weekdayDates(4), date)
		in := args{"objective": objective, "max_weight": most, "sum": sum, "prices": args{"dates": dates, "series": args{name: []float64{a, b, c, a, b}, "other": []float64{5, 6, 5.5, 7, 8}}}}
		res := toolstest.CallRouter(t, router, "optimize_portfolio", in)
		if _, err := json.Marshal(res.Value); err != nil || res.Code == tool.CodeCrashed || res.Code == tool.CodeTimeout {
			t.Errorf("code %q, %v: %s", res.Code, err, res.ErrorText())
		}
	})
}

// C6: the optimizer and risk_metrics compute one conditional value at risk.
func TestOptimize_ConditionalValueAtRiskIsThatOfRiskMetrics(t *testing.T) {
	walks := randomWalks(2, 98) // a tenth of 97 returns is not whole
	in := args{"objective": "min_cvar", "confidence": 0.9, "prices": prices(walks), "bounds": args{"A0": args{"min": 1}}}
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	var returns []any
	for i := range walks["A0"][1:] {
		returns = append(returns, walks["A0"][i+1]/walks["A0"][i]-1)
	}
	_, risk := group.CallOK(t, depsWith(t), "risk_metrics", args{"returns": returns, "confidence": 0.9})
	toolstest.WantWithin(t, "conditional_value_at_risk", got["conditional_value_at_risk"], -risk["conditional_value_at_risk"].(float64), 1e-6)
}

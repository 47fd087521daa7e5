package analysis_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestFrontier_RisesFromTheSafestToTheBoldest(t *testing.T) {
	in := args{"prices": prices(randomWalks(5, 300)), "points": 8, "max_weight": 0.5, "risk_free_rate": 0.01, "expected_returns": "given",
		"given_returns": args{"A0": 0.03, "A1": 0.05, "A2": 0.08, "A3": 0.10, "A4": 0.14}}
	res, got := toolstest.CallOK(t, optimizerTools(t), "efficient_frontier", in)
	wantComplete(t, res)
	points := got["points"].([]any)
	if len(points) != 8 {
		t.Fatalf("%d points, want 8", len(points))
	}
	best := got["max_sharpe"].(map[string]any)["sharpe_ratio"].(float64)
	last := 0.0
	for i, p := range points {
		point := p.(map[string]any)
		toolstest.WantWithin(t, "sum of weights", total(numbers(t, point["weights"])), 1, 1e-5)
		if v := point["volatility"].(float64); v <= last {
			t.Errorf("point %d: volatility %v after %v", i+1, v, last)
		} else {
			last = v
		}
		if s := point["sharpe_ratio"].(float64); s > best+1e-6 {
			t.Errorf("point %d: Sharpe ratio %v above the best, %v", i+1, s, best)
		}
	}
	// With at most half in each, the best return is half each of the best two.
	toolstest.WantWithin(t, "the most expected return", points[7].(map[string]any)["expected_return"], 0.12, 1e-6)
	toolstest.WantWithin(t, "volatility of the safest", points[0].(map[string]any)["volatility"], got["min_volatility"].(map[string]any)["volatility"].(float64), 1e-9)
	if f := toolstest.Figure(t, res, "points.7.weights.A4"); f.Value.String() != "50" || f.Unit != "%" {
		t.Errorf("figure = %+v, want 50 %%", f)
	}
	if !strings.Contains(res.UserText(), "| best Sharpe ratio |") {
		t.Errorf("shown:\n%s", res.UserText())
	}
}

func TestFrontier_AgreesWithTheOptimiser(t *testing.T) {
	given := prices(randomWalks(4, 200))
	_, frontier := toolstest.CallOK(t, optimizerTools(t), "efficient_frontier", args{"prices": given})
	for key, objective := range map[string]string{"max_sharpe": "max_sharpe", "min_volatility": "min_volatility"} {
		_, one := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", args{"objective": objective, "prices": given})
		want := frontier[key].(map[string]any)
		toolstest.WantWithin(t, objective, one["volatility"], want["volatility"].(float64), 1e-6)
		toolstest.WantWithin(t, objective, one["expected_return"], want["expected_return"].(float64), 1e-6)
	}
}

func TestFrontier_SaysWhenItIsOnePointOrHasNoBest(t *testing.T) {
	_, got := toolstest.CallOK(t, optimizerTools(t), "efficient_frontier", args{"prices": prices(randomWalks(2, 60)), "risk_free_rate": 0.05, "expected_returns": "given", "given_returns": args{"A0": 0.04, "A1": 0.04}})
	if len(got["points"].([]any)) != 1 || got["max_sharpe"] != nil {
		t.Errorf("answer = %v, want one point and no best", got)
	}
	if w := toolstest.Warnings(t, got); !strings.Contains(w, "no best Sharpe ratio") || !strings.Contains(w, "The limits allow only one portfolio") {
		t.Errorf("warnings = %s", w)
	}
}

func TestFrontier_SaysWhatToMend(t *testing.T) {
	wantRejected(t, optimizerTools(t), "efficient_frontier", args{"prices": prices(randomWalks(2, 60)), "points": 1}, tool.CodeValidation, "2 to 50")
	wantRejected(t, optimizerTools(t), "efficient_frontier", args{"prices": prices(randomWalks(40, 100)), "points": 20}, tool.CodeValidation, "use at most 15")
	wantRejected(t, optimizerTools(t), "efficient_frontier", args{"prices": prices(randomWalks(8, 6))}, tool.CodeValidation, "ledoit_wolf")
	wantRejected(t, optimizerTools(t), "efficient_frontier", args{"symbols": []string{"A", "B"}, "risk_free_rate": 3}, tool.CodeValidation, "0.04")
	wantRejected(t, optimizerTools(t), "efficient_frontier", args{"prices": prices(randomWalks(2, 60)), "max_weight": 0.3}, tool.CodeValidation, "upper bounds sum to 0.6")
}

func TestFrontier_OfManyAssetsFitsTheAnswer(t *testing.T) {
	res, _ := toolstest.CallOK(t, optimizerTools(t), "efficient_frontier", args{"prices": prices(randomWalks(30, 400)), "points": 20, "max_weight": 0.06})
	wantComplete(t, res)
	res, _ = toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", args{"objective": "risk_parity", "prices": prices(randomWalks(100, 400)), "covariance": "ledoit_wolf"})
	wantComplete(t, res)
}

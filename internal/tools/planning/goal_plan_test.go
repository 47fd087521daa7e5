package planning_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// 20,000 in 10 years from 5,000 at 5%: 5,000 grows to 8144.47, and the rest takes 11855.53/((1.05^10 -
// 1)/0.05) = 942.57 a year, rounded up to the cent. A single amount today would be 20000/1.05^10 =
// 12278.27.
func TestGoal_WithoutChanceItIsTheSinkingFund(t *testing.T) {
	res, got := callOK(t, depsWith(t), "goal_plan", args{"goal": 20000, "years": 10, "current_balance": 5000, "mean_return": 0.05, "volatility": 0, "currency": "EUR"})
	grown := math.Pow(1.05, 10)
	saving := math.Ceil((20000-5000*grown)/((grown-1)/0.05)*100) / 100
	toolstest.WantNear(t, "needed contribution", got["needed_contribution"], saving)
	toolstest.WantNear(t, "needed start", got["needed_start"], math.Ceil(20000/grown*100)/100)
	toolstest.WantNear(t, "success", got["success_rate"], 0)
	wantFigure(t, res, "needed_contribution", "942.57", "EUR")
	wantFigure(t, res, "without_chance.needed_contribution", "942.57", "EUR")
	wantFigure(t, res, "without_chance.ending_balance", "8144.47", "EUR")
	wantFigure(t, res, "without_chance.needed_start", "12278.27", "EUR")
	if !strings.HasPrefix(res.Summary, "HYPOTHETICAL: 942.57 EUR annual saving needed for success in 90.0%") {
		t.Errorf("summary = %q, want what was asked for", res.Summary)
	}
}

// With volatility, the needed saving must reach the share of successes, and a cent less must not.
func TestGoal_TheNeededSavingIsJustEnough(t *testing.T) {
	in := args{"goal": 50000, "years": 12, "mean_return": 0.06, "volatility": 0.15, "inflation": 0.02, "fee": 0.002, "tax_on_gains": 0.1, "paths": 4000, "success_probability": 0.8}
	_, got := callOK(t, depsWith(t), "goal_plan", in)
	need := got["needed_contribution"].(float64)
	for _, tc := range []struct {
		saved  float64
		enough bool
	}{{need, true}, {need - 0.02, false}} {
		if got["balances"] != nil {
			t.Errorf("balances of nothing = %v, want none", got["balances"])
		}
		in["annual_contribution"] = tc.saved
		res, got := callOK(t, depsWith(t), "goal_plan", in)
		if success := got["success_rate"].(float64); success >= 0.8 != tc.enough {
			t.Errorf("saving %v of the needed %v succeeds in %v, want enough: %v", tc.saved, need, success, tc.enough)
		}
		if !strings.Contains(res.Summary, " success rate") {
			t.Errorf("summary %q, want the share for a saving that is planned", res.Summary)
		}
	}
	wantWarning(t, got, "more than half of the outcomes end below")
}

// 1,000 a year at 5% are 3152.50 after three years and 4310.13 after four.
func TestGoal_TheSoonestByHand(t *testing.T) {
	for _, tc := range []struct {
		goal  float64
		years float64
	}{{1000, 1}, {3152.50, 3}, {3152.51, 4}, {4310.12, 4}, {4310.13, 5}} {
		res, got := callOK(t, depsWith(t), "goal_plan", args{"goal": tc.goal, "annual_contribution": 1000, "mean_return": 0.05, "volatility": 0})
		if got["years_needed"] != tc.years || got["years"] != tc.years || got["success_rate"] != 1.0 {
			t.Errorf("years to %v = %v of %v, success %v; want %v", tc.goal, got["years_needed"], got["years"], got["success_rate"], tc.years)
		}
		if !strings.Contains(res.Summary, "years for success in 90.0%") {
			t.Errorf("summary = %q, want the years", res.Summary)
		}
	}
}

// The years found and the share shown come from the same simulations.
func TestGoal_TheSoonestAgreesWithTheShare(t *testing.T) {
	market := map[string]args{
		"normal":     {"mean_return": 0.06, "volatility": 0.18, "seed": 3},
		"bootstrap":  {"returns": waveReturns(40, 0.06, 0.15), "seed": 3},
		"historical": {"returns": waveReturns(40, 0.06, 0.15), "method": "historical"},
	}
	for name, in := range market {
		in["goal"], in["annual_contribution"], in["current_balance"], in["inflation"], in["success_probability"] = 300, 15, 40, 0.02, 0.7
		_, got := callOK(t, depsWith(t), "goal_plan", in)
		years, success := got["years_needed"].(float64), got["success_rate"].(float64)
		if success < 0.7 {
			t.Errorf("%s: %v years succeed in %v, want 0.7 and more", name, years, success)
		}
		in["years"] = years - 1
		if _, got = callOK(t, depsWith(t), "goal_plan", in); got["success_rate"].(float64) >= 0.7 || got["years_needed"] != nil {
			t.Errorf("%s: a year less succeeds in %v, want less than 0.7", name, got["success_rate"])
		}
	}
}

// 200,000 simulations, searched over 60 years and then repeated for the years found: the largest request.
func BenchmarkGoal_TheLongestSearch(b *testing.B) {
	tools := planning.Tools(depsWith(b))
	for b.Loop() {
		in := args{"goal": 1e6, "annual_contribution": 1000, "mean_return": 0.06, "volatility": 0.18, "paths": 200_000, "success_probability": 0.05}
		res := toolstest.Call(b, tools, "goal_plan", in)
		in["years"], in["success_probability"] = 60, 0.9
		if last := toolstest.Call(b, tools, "goal_plan", in); res.IsError || last.IsError {
			b.Fatal(res.ErrorText(), last.ErrorText())
		}
	}
}

func TestGoal_SaysWhatToMend(t *testing.T) {
	for _, tc := range []struct {
		name, part string
		in         args
	}{
		{"no goal", "must be positive", args{"goal": 0, "years": 5}},
		{"nothing to grow", "set years to compute what is needed", args{"goal": 100}},
		{"there already", "already meets the goal", args{"goal": 100, "current_balance": 100}},
		{"a share in per cent", "write 0.9 for 90%", args{"goal": 100, "current_balance": 50, "success_probability": 90}},
		{"never", "not met in 90.0% of futures within 60 years", args{"goal": 1e9, "annual_contribution": 1}},
		{"too long", "1 to 100", args{"goal": 100, "years": 101}},
		{"a raise in per cent", "write 2% as 0.02", args{"goal": 100, "years": 5, "contribution_raise": 3}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.in["mean_return"], tc.in["volatility"] = 0.05, 0.1
			group.WantInvalid(t, depsWith(t), "goal_plan", tc.in, tc.part)
		})
	}
}

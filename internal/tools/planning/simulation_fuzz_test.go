package planning_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// wantSound checks that a result can be encoded: its numbers are finite, or it is an error with a text.
func wantSound(t *testing.T, res tool.Result) {
	t.Helper()
	if _, err := json.Marshal(res.Value); err != nil {
		t.Errorf("the answer cannot be encoded: %v", err)
	}
	if res.IsError && (res.Code != tool.CodeValidation || res.ErrorText() == "") {
		t.Errorf("error %q of code %q, want words about the arguments", res.ErrorText(), res.Code)
	}
	for _, f := range res.Figures {
		if len(f.Value.String()) > 60 {
			t.Errorf("figure %s = %s", f.ID, f.Value)
		}
	}
}

// finite reports whether JSON can encode all of the numbers.
func finite(all ...float64) bool {
	for _, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

func FuzzRetirement_AnswersOrSaysWhy(f *testing.F) {
	f.Add(500000.0, 30, 25000.0, 0.0, 0.06, 0.15, 0.02, 0.002, 0.9)
	f.Add(0.0, 1, 0.0, 1.0, 0.0, 0.0, -0.99, 0.0, 1.0)
	f.Add(1e15, 100, 1e-9, 1e15, 0.99, 2.0, 0.99, 0.09, 1e-9)
	f.Fuzz(func(t *testing.T, start float64, years int, spent, wanted, mean, vol, inflation, fee, share float64) {
		if !finite(start, spent, wanted, mean, vol, inflation, fee, share) {
			t.Skip()
		}
		wantSound(t, toolstest.Call(t, planning.Tools(depsWith(t)), "retirement_simulation", args{
			"current_balance": start, "years": years, "annual_withdrawal": spent, "ending_balance": wanted, "mean_return": mean, "volatility": vol,
			"inflation": inflation, "fee": fee, "success_probability": share, "paths": 20,
		}))
	})
}

func FuzzBacktest_AnswersOrSaysWhy(f *testing.F) {
	f.Add(1000.0, 5.0, 10.0, 0.02, 1.0, 2.0, 0.5, byte(0))
	f.Add(10.0, 6.0, 4999.0, -0.5, 1e-300, 1e300, 1.0, byte(1))
	f.Add(1e15, 0.0, 0.0, 0.99, 1.0, 1.0, 0.1, byte(4))
	f.Fuzz(func(t *testing.T, start, fixed, bps, cash, low, high, weight float64, which byte) {
		if !finite(start, fixed, bps, cash, low, high, weight) {
			t.Skip()
		}
		strategies := []args{
			{"strategy": "buy_and_hold", "weights": []any{weight, 0.1}},
			{"strategy": "fixed_weights", "rebalance": "each_bar", "band": 0.1},
			{"strategy": "moving_average_cross", "fast": 1, "slow": 2},
			{"strategy": "momentum", "lookback": 1, "rebalance": "each_bar"},
			{"strategy": "volatility_target", "window": 5, "target_volatility": 0.2},
		}
		in := strategies[int(which)%len(strategies)]
		in["prices"] = suppliedArgs(closes("A", low, high, low, low, high, high, low, high, low), closes("B", high, high, low, high, low, high, high, low, low))
		in["start"], in["fixed_cost"], in["cost_bps"], in["cash_rate"] = start, fixed, bps, cash
		wantSound(t, toolstest.Call(t, planning.Tools(depsWith(t)), "backtest", in))
	})
}

package planning_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// suppliedArgs returns the arguments for closes on weekdays from January 2, 2020, with names in order.
func suppliedArgs(series ...args) args {
	date, dates := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), []string{}
	for range series[0]["closes"].([]float64) {
		for date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
			date = date.AddDate(0, 0, 1)
		}
		dates = append(dates, date.Format(time.DateOnly))
		date = date.AddDate(0, 0, 1)
	}
	return args{"dates": dates, "series": series}
}

func closes(name string, v ...float64) args { return args{"name": name, "closes": v} }

func field(t *testing.T, got map[string]any, name, part string) any {
	t.Helper()
	return got[name].(map[string]any)[part]
}

// Decided at 100, bought at 110 with 1% of cost, 99 at the end: 1000/1.01 * 0.9.
func TestBacktest_BuyAndHoldByHand(t *testing.T) {
	res, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("A", 100, 110, 121, 99)), "strategy": "buy_and_hold", "start": 1000, "cost_bps": 100,
	})
	end := 1000 / 1.01 * 0.9
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), math.Round(end*1e4)/1e4)
	toolstest.WantNear(t, "total return", field(t, got, "result", "total_return"), math.Round((end/1000-1)*1e6)/1e6)
	toolstest.WantNear(t, "drawdown", field(t, got, "result", "max_drawdown"), math.Round((99/121.0-1)*1e6)/1e6)
	toolstest.WantNear(t, "beta to itself", got["beta"], 1)
	for _, absent := range []any{field(t, got, "result", "annual_return"), got["annual_return_above_benchmark"], got["annual_turnover"]} {
		if absent != nil {
			t.Errorf("%v a year out of five days, want nothing", absent)
		}
	}
	toolstest.WantNear(t, "costs", got["costs_paid"], math.Round((1000-1000/1.01)*1e6)/1e6)
	wantFigure(t, res, "result.final_equity", "891.09", "units of money")
	wantFigure(t, res, "result.total_return", "-10.89", "%")
	wantFigure(t, res, "benchmark.total_return", "-10.89", "%")
	wantFigure(t, res, "result.max_drawdown", "-18.18", "%")
	wantFigure(t, res, "weights_at_the_end.0.weight", "100", "%")
	wantFigure(t, res, "cash_at_the_end", "0", "%")
	wantFigure(t, res, "equity.3.equity", "891.09", "units of money")
	wantAssumptions(t, got, "bought once and held: A 100.0%, cash 0.0%", "next close, because opens are missing", "starts with 1000", "100 basis points", "0 per trade", "cash earns 0.0%", "252 bars")
	wantWarning(t, got, "0.0 years are too short")
}

// Two years minus a day at 10%: 1.21^(365.25/730) - 1. Assets that trade at weekends have as many days.
func TestBacktest_TheAnnualReturnGoesByTheCalendar(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"strategy": "buy_and_hold", "cost_bps": 0,
		"prices": args{"dates": []string{"2021-01-01", "2022-01-01", "2023-01-01"}, "series": []args{closes("A", 100, 100, 121)}, "periods_per_year": 1},
	})
	toolstest.WantNear(t, "annual return", field(t, got, "result", "annual_return"), math.Round((math.Pow(1.21, 365.25/730)-1)*1e6)/1e6)
	toolstest.WantNear(t, "above itself", got["annual_return_above_benchmark"], 0)
	toolstest.WantNear(t, "turnover", got["annual_turnover"], 0.25) // bought once, in two years
	toolstest.WantNear(t, "periods", got["periods_per_year"], 1)
}

// Half and half at each bar: 50*2 + 50 = 150, rebalanced to 75 and 75; then 37.5 + 75.
func TestBacktest_FixedWeightsByHand(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("B", 1, 1, 2, 1), closes("A", 1, 1, 1, 1)), "strategy": "fixed_weights", "rebalance": "each_bar", "start": 100, "cost_bps": 0,
	})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 112.5)
	toolstest.WantNear(t, "final equity of the benchmark, the first series", field(t, got, "benchmark", "final_equity"), 100)
	toolstest.WantNear(t, "trades", got["trades"], 6)
	wantAssumptions(t, got, "rebalanced at every bar: B 50.0%, A 50.0%")
}

// Weights are for the series in the order given, not in the order of their names: only the first one rises.
func TestBacktest_WeightsFollowTheOrderOfTheSeries(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("Z", 1, 1, 2, 2), closes("A", 1, 1, 1, 1)), "strategy": "buy_and_hold", "weights": []any{0.8, 0.1}, "start": 100, "cost_bps": 0,
	})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 80*2+10+10)
	wantAssumptions(t, got, "Z 80.0%, A 10.0%, cash 10.0%")
	d := depsWith(t, daily("ZZZ", "10", "10", "20", "20"), daily("AAA", "10", "10", "10", "10"))
	_, got = callOK(t, d, "backtest", args{"symbols": []string{"ZZZ", "AAA"}, "strategy": "buy_and_hold", "weights": []any{0.8, 0.1}, "start": 100, "cost_bps": 0})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 180)
}

// The mean of two closes against that of three crosses up on the fourth day, down on the seventh; each
// trade is a day later: bought at 12, sold at 6.
func TestBacktest_MovingAveragesByHand(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("A", 10, 9, 8, 11, 12, 15, 6, 6)), "strategy": "moving_average_cross", "fast": 2, "slow": 3, "start": 120, "cost_bps": 0,
	})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 60)
	toolstest.WantFields(t, got, map[string]any{"trades": 2.0, "from": "2020-01-06", "bars": 6.0})
	wantAssumptions(t, got, "held while the average of 2 closes is above that of 3")
}

// The second has the best return over two bars, known at 3; it is bought at 4 and is at 5 at the end.
func TestBacktest_MomentumByHand(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("A", 1, 1, 1, 1, 1), closes("B", 1, 2, 3, 4, 5), closes("C", 5, 4, 3, 2, 1)), "strategy": "momentum", "lookback": 2, "rebalance": "each_bar", "start": 100, "cost_bps": 0, "only_rising": true,
	})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 125)
	toolstest.WantNear(t, "weight of B", got["weights_at_the_end"].([]any)[1].(map[string]any)["weight"], 1)
	wantAssumptions(t, got, "the best 1 of 3 with equal weights, by the return over 2 bars ending 0 bars earlier, chosen at every bar, cash instead of symbols that fell")
}

// By hand: the weight is scaled by the deviation of the five returns before the decision, at 252 a year,
// and earns a bar of +1%.
func TestBacktest_VolatilityTargetByHand(t *testing.T) {
	up, down := 0.01, 100/101.0-1
	mean := (3*up + 2*down) / 5
	vol := math.Sqrt((3*(up-mean)*(up-mean)+2*(down-mean)*(down-mean))/4) * math.Sqrt(252)
	_, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("A", 100, 101, 100, 101, 100, 101, 100, 101)), "strategy": "volatility_target", "window": 5, "rebalance": "never", "cost_bps": 0, "start": 100,
	})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), math.Round((100+100*0.1/vol*0.01)*1e4)/1e4)
	wantAssumptions(t, got, "an annual volatility of 10.0% by the last 5 returns, never, without borrowing: at most A 100.0%, cash 0.0%")
}

// Cash at 5% a year over a year of quarters; the Sharpe ratio is measured against it.
func TestBacktest_CashIsTheRiskFreeRate(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"strategy": "moving_average_cross", "fast": 1, "slow": 2, "start": 100, "cash_rate": 0.05,
		"prices": args{"dates": []string{"2020-01-01", "2020-04-01", "2020-07-01", "2020-10-01", "2021-01-01", "2021-04-01"}, "series": []args{closes("A", 9, 8, 7, 6, 5, 4)}, "periods_per_year": 4},
	})
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 105)
	if sharpe := field(t, got, "result", "sharpe_ratio"); sharpe != nil {
		t.Errorf("Sharpe ratio = %v, want none of cash alone", sharpe)
	}
	wantWarning(t, got, "never traded")
}

func TestBacktest_SaysWhatToMend(t *testing.T) {
	sound := func() args {
		return args{"prices": suppliedArgs(closes("A", 1, 2, 3, 4, 5), closes("B", 5, 4, 3, 2, 1)), "strategy": "buy_and_hold"}
	}
	dated := func(dates ...string) func(args) {
		return func(a args) {
			a["prices"] = args{"dates": dates, "series": []args{closes("A", 1, 2, 3, 4)}}
		}
	}
	for _, tc := range []struct {
		name, part string
		change     func(args)
	}{
		{"another strategy", "use buy_and_hold", func(a args) { a["strategy"] = "astrology" }},
		{"nothing to play", "use 1 to 20", func(a args) { delete(a, "prices") }},
		{"two pasts", "use either symbols or prices", func(a args) { a["symbols"] = []string{"VTI"} }},
		{"rebalancing what is held", "rebalance does not apply to buy_and_hold", func(a args) { a["rebalance"] = "monthly" }},
		{"weights of a ranking", "weights does not apply to momentum", func(a args) { a["strategy"], a["weights"] = "momentum", []any{1, 0} }},
		{"weights in per cent", "write 60% as 0.6", func(a args) { a["weights"] = []any{60, 40} }},
		{"a weight too few", "1 weights for 2 assets", func(a args) { a["weights"] = []any{1} }},
		{"a band in points", "0.05", func(a args) { a["strategy"], a["band"] = "fixed_weights", 5 }},
		{"a frequency", "each_bar, monthly", func(a args) { a["strategy"], a["rebalance"] = "fixed_weights", "weekly" }},
		{"a target in per cent", "write 10% as 0.1", func(a args) { a["strategy"], a["target_volatility"] = "volatility_target", 10 }},
		{"averages swapped", "must be shorter", func(a args) { a["strategy"], a["fast"], a["slow"] = "moving_average_cross", 3, 2 }},
		{"a warm-up longer than the past", "but the rule needs 253", func(a args) { a["strategy"] = "momentum" }},
		{"a rate in per cent", "write 4% as 0.04", func(a args) { a["cash_rate"] = 4 }},
		{"a negative cost", "not be negative", func(a args) { a["cost_bps"] = -1 }},
		{"costs that take all", "costs used up the portfolio by 2020-01-03", func(a args) { a["start"], a["fixed_cost"] = 10, 20 }},
		{"weekly dates", "set periods_per_year", dated("2020-01-03", "2020-01-10", "2020-01-17", "2020-01-24")},
		{"quarterly dates", "mostly 91 days apart", dated("2020-01-01", "2020-04-01", "2020-07-01", "2020-10-01")},
		{"dates back", "oldest first", dated("2020-01-03", "2020-01-06", "2020-01-06", "2020-01-07")},
		{"no date", "YYYY-MM-DD", dated("2020-01-03", "soon", "2020-01-07", "2020-01-08")},
		{"prices missing", "4 prices for 3 dates", dated("2020-01-03", "2020-01-06", "2020-01-07")},
		{"one name twice", "a unique name", func(a args) { a["prices"] = suppliedArgs(closes("A", 1, 2, 3), closes("a", 1, 2, 3)) }},
		{"a price of nothing", "the price of A on 2020-01-03 is 0", func(a args) { a["prices"] = suppliedArgs(closes("A", 1, 0, 3)) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := sound()
			tc.change(in)
			group.WantInvalid(t, depsWith(t), "backtest", in, tc.part)
		})
	}
}

// There are no usual averages for weekly prices; annual figures use 52.
func TestBacktest_OtherSpacingsAreAskedFor(t *testing.T) {
	var dates []string
	var prices []float64
	for i, r := range waveReturns(60, 0.002, 0.02) {
		dates = append(dates, time.Date(2020, 1, 3+7*i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		prices = append(prices, 100*(1+r))
	}
	in := args{"prices": args{"dates": dates, "series": []args{closes("A", prices...)}, "periods_per_year": 52}, "strategy": "moving_average_cross"}
	group.WantInvalid(t, depsWith(t), "backtest", in, "set fast and slow")
	in["strategy"] = "volatility_target"
	group.WantInvalid(t, depsWith(t), "backtest", in, "set window")
	in["strategy"] = "buy_and_hold"
	_, got := callOK(t, depsWith(t), "backtest", in)
	toolstest.WantNear(t, "periods", got["periods_per_year"], 52)
	in["prices"].(args)["periods_per_year"] = 12
	_, got = callOK(t, depsWith(t), "backtest", in)
	wantWarning(t, got, "they assume 12 prices a year, but the data have about 52")
	if strings.Contains(strings.Join(toolstest.Strings(t, got["warnings"]), ""), "still listed") {
		t.Error("prices of the caller's are said to be of what is still listed")
	}
}

package planning_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// A dividend of 5 on a close of 100 and a price of 95 after it: no loss.
func TestBacktest_DividendsCountWhereTheSourceTellsThem(t *testing.T) {
	s := daily("DIV", "100", "100", "95", "95")
	s.Provenance.Adjustment = market.AdjustmentSplit
	s.Actions = []market.Action{{Kind: market.ActionDividend, Date: s.Bars[2].Date, Amount: decimal.NewFromInt(5)}}
	in := args{"symbols": []string{"DIV"}, "strategy": "buy_and_hold", "cost_bps": 0}
	_, got := callOK(t, depsWith(t, s), "backtest", in)
	toolstest.WantNear(t, "total return", field(t, got, "result", "total_return"), 0)
	if all := toolstest.Warnings(t, got); strings.Contains(all, "no dividends") {
		t.Errorf("warnings %q, though dividends are counted", all)
	}
	s.Actions = nil
	_, got = callOK(t, depsWith(t, s), "backtest", in)
	toolstest.WantNear(t, "price return", field(t, got, "result", "total_return"), -0.05)
	wantWarning(t, got, "DIV: price return, no dividends")
}

func TestPlanning_PricesWithoutReturnsNameTheInstrument(t *testing.T) {
	bad := daily("BAD", "10", "11", "12")
	bad.Bars[1].Close = decimal.Zero
	month := monthEnds("BAD", 0.1, 0.1)
	month.Bars[1].Close = decimal.NewFromInt(-1)
	for name, res := range map[string]string{
		"backtest":              toolstest.Call(t, planning.Tools(depsWith(t, bad)), "backtest", args{"symbols": []string{"BAD"}, "strategy": "buy_and_hold"}).ErrorText(),
		"retirement_simulation": toolstest.Call(t, planning.Tools(depsWith(t, month)), "retirement_simulation", args{"current_balance": 1, "years": 5, "symbol": "BAD"}).ErrorText(),
	} {
		if !strings.Contains(res, name+": BAD: close") || !strings.Contains(res, "choose another instrument") {
			t.Errorf("%s = %q, want the instrument and what to do", name, res)
		}
	}
}

func TestPlanning_ASourceThatIsDownIsSaid(t *testing.T) {
	source := markettest.NewSource()
	source.Err = errors.New("the exchange is closed for good")
	d := planning.Deps{Prices: toolstest.Prices(t, source, toolstest.Now)}
	for name, in := range map[string]args{
		"backtest":              {"symbols": []string{"VTI"}, "strategy": "buy_and_hold"},
		"retirement_simulation": {"current_balance": 1, "years": 5, "symbol": "VTI"},
		"goal_plan":             {"goal": 1, "years": 5, "symbol": "VTI"},
	} {
		if res := toolstest.Call(t, planning.Tools(d), name, in); !res.IsError || !strings.Contains(res.ErrorText(), "closed for good") {
			t.Errorf("%s of a source that is down = %q", name, res.ErrorText())
		}
	}
}

func TestBacktest_IsBounded(t *testing.T) {
	var many []string
	var series []args
	for i := range 21 {
		many = append(many, fmt.Sprintf("S%d", i))
		series = append(series, closes(many[i], 1, 2, 3))
	}
	group.WantInvalid(t, depsWith(t), "backtest", args{"symbols": many, "strategy": "buy_and_hold"}, "21 symbols; use 1 to 20")
	group.WantInvalid(t, depsWith(t), "backtest", args{"prices": suppliedArgs(series...), "strategy": "buy_and_hold"}, "21 series; use 1 to 20")
	group.WantInvalid(t, depsWith(t), "backtest", args{"prices": suppliedArgs(closes("A", make([]float64, 20_001)...)), "strategy": "buy_and_hold"}, "use at most 20000")
	group.WantInvalid(t, depsWith(t), "backtest", args{"prices": args{"dates": []string{"2020-01-02"}, "series": []args{closes("A", 1)}}, "strategy": "buy_and_hold"}, "use at least 3")
	group.WantInvalid(t, depsWith(t), "backtest", args{"prices": args{"dates": []string{}, "series": []args{closes("A")}, "periods_per_year": 1000}, "strategy": "buy_and_hold"}, "252 for daily")
	group.WantInvalid(t, depsWith(t), "retirement_simulation", args{"current_balance": 1, "years": 5, "returns": make([]float64, 50_001)}, "use at most 50000")
}

// A cost given as a fraction is almost zero, so there is a warning.
func TestBacktest_CostsInTheWrongUnitAreNoticed(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{"prices": suppliedArgs(closes("A", 1, 2, 3)), "strategy": "buy_and_hold", "cost_bps": 0.001})
	wantWarning(t, got, "cost_bps is in basis points")
	wantAssumptions(t, got, "0.001 basis points")
}

func TestRetirement_AMonthAloneIsNoPast(t *testing.T) {
	group.WantInvalid(t, depsWith(t, daily("NEW", "1", "2", "3")), "retirement_simulation", args{"current_balance": 1, "years": 5, "symbol": "NEW"}, "fewer than two month ends")
}

// Saving alone cannot fail, so the headline shows the median instead of a share.
func TestRetirement_SavingAloneTellsTheMiddle(t *testing.T) {
	res, _ := callOK(t, depsWith(t), "retirement_simulation", args{"current_balance": 1000, "years": 2, "mean_return": 0.1, "volatility": 0, "currency": "EUR"})
	if res.Headline != "The median final balance of 10,000 futures is 1,210.00 EUR." || !strings.HasPrefix(res.Summary, "HYPOTHETICAL: ") {
		t.Errorf("summary = %q", res.Summary)
	}
}

// Twelve returns of 1% are 12.6825% a year; with a raise of 50% the second of two savings is half as large
// again.
func TestGoal_MonthlyReturnsAndARaise(t *testing.T) {
	returns := make([]float64, 60)
	for i := range returns {
		returns[i] = 0.01
	}
	res, got := callOK(t, depsWith(t), "goal_plan", args{
		"goal": 1000, "years": 2, "annual_contribution": 100, "contribution_raise": 0.5, "returns": returns, "periods_per_year": 12, "currency": "JPY",
	})
	wantFigure(t, res, "without_chance.growth", "12.6825", "%")
	wantFigure(t, res, "balances.2.p50", "263", "JPY")      // 100*1.126825 + 150
	wantFigure(t, res, "needed_contribution", "381", "JPY") // 1000/2.626825 = 380.69
	wantAssumptions(t, got, "60 returns given in the call, 12 per year", "rising 50.0% a year above inflation")
	group.WantInvalid(t, depsWith(t), "goal_plan", args{"goal": 1000, "years": 2, "currency": "yen?"}, "ISO 4217")
}

// One half rises by a tenth and the other falls by a tenth, each in its own currency.
func TestBacktest_CurrenciesAreNotConverted(t *testing.T) {
	a, b := daily("AAA", "10", "10", "11"), daily("BBB", "20", "20", "18")
	b.Provenance.Currency = "GBP"
	res, got := callOK(t, depsWith(t, a, b), "backtest", args{"symbols": []string{"AAA", "BBB"}, "strategy": "buy_and_hold", "cost_bps": 0})
	toolstest.WantNear(t, "total return", field(t, got, "result", "total_return"), 0)
	wantWarning(t, got, "prices are in GBP, USD and are not converted")
	if got["currency"] != nil {
		t.Errorf("currency = %v, want none of two", got["currency"])
	}
	wantFigure(t, res, "result.final_equity", "10000", "units of money")
}

// 10% minus a tax of a fifth is 8%; then a fee of 1% of the balance.
func TestPlans_TaxAndFeeAreTaken(t *testing.T) {
	in := args{"years": 1, "current_balance": 100, "mean_return": 0.1, "volatility": 0, "tax_on_gains": 0.2, "fee": 0.01, "currency": "USD"}
	res, _ := callOK(t, depsWith(t), "retirement_simulation", in)
	wantFigure(t, res, "balances.1.p50", "106.92", "USD")
	in["goal"] = 106.93
	res, got := callOK(t, depsWith(t), "goal_plan", in)
	wantFigure(t, res, "balances.1.p50", "106.92", "USD")
	wantFigure(t, res, "without_chance.ending_balance", "106.92", "USD")
	toolstest.WantNear(t, "success", got["success_rate"], 0)
}

// The first doubled on the second day, the other after it: without that day the first is best, and stays.
func TestBacktest_MomentumLeavesOutTheLatestBars(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{
		"prices": suppliedArgs(closes("A", 1, 2, 2, 2, 2, 2), closes("B", 1, 1, 5, 5, 5, 5)), "strategy": "momentum", "lookback": 1, "skip": 1, "rebalance": "never",
	})
	toolstest.WantFields(t, got, map[string]any{"from": "2020-01-06", "trades": 1.0})
	toolstest.WantNear(t, "weight of A", got["weights_at_the_end"].([]any)[0].(map[string]any)["weight"], 1)
	wantAssumptions(t, got, "ending 1 bars earlier, chosen never")
}

// A day in cash at 5% a year, then 10% and -5%: the first has no excess return, and the others are reduced
// by that of cash, 1.05^(1/252) - 1 = 0.000193630 a day.
func TestBacktest_TheSharpeRatioIsAboveCash(t *testing.T) {
	_, got := callOK(t, depsWith(t), "backtest", args{"prices": suppliedArgs(closes("A", 100, 100, 110, 104.5)), "strategy": "buy_and_hold", "cost_bps": 0, "cash_rate": 0.05})
	const up, down = 0.1 - 0.000193630, -0.05 - 0.000193630
	mean := (up + down) / 3
	deviation := math.Sqrt((mean*mean + (up-mean)*(up-mean) + (down-mean)*(down-mean)) / 2)
	if sharpe, want := field(t, got, "result", "sharpe_ratio").(float64), mean/deviation*math.Sqrt(252); math.Abs(sharpe-want) > 1e-5 {
		t.Errorf("Sharpe ratio = %v, want %v", sharpe, want)
	}
}

func TestBacktest_TheFlagsOfAllPricesAreLoud(t *testing.T) {
	a, b := daily("AAA", "1", "2", "3"), daily("BBB", "1", "2", "3")
	a.Provenance.Flags, b.Provenance.Flags = []market.Flag{market.FlagStale}, []market.Flag{market.FlagSample, market.FlagStale}
	res, _ := callOK(t, depsWith(t, a, b), "backtest", args{"symbols": []string{"AAA"}, "benchmark": "BBB", "strategy": "buy_and_hold"})
	if !strings.HasSuffix(res.Summary, " SAMPLE STALE") {
		t.Errorf("summary %q, want each flag once, also that of the benchmark", res.Summary)
	}
}

package positions_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

const performanceOf = "portfolio_performance"

// steps returns a series of every weekday up to a day; each close is that of the last pair of a day and a
// price before it.
func steps(sym, currency, last string, daysAndPrices ...string) market.Series {
	var closes []string
	price := ""
	for at := toolstest.MustDay(daysAndPrices[0]); !at.After(toolstest.MustDay(last)); at = at.AddDate(0, 0, 1) {
		if i := slices.Index(daysAndPrices, at.Format(time.DateOnly)); i >= 0 {
			price = daysAndPrices[i+1]
		}
		if at.Weekday() != time.Saturday && at.Weekday() != time.Sunday {
			closes = append(closes, price)
		}
	}
	return toolstest.Daily(sym, currency, toolstest.MustDay(daysAndPrices[0]), closes...)
}

func cash(id string, kind portfolio.Kind, amount, on string) portfolio.Transaction {
	return portfolio.Transaction{ID: id, Date: toolstest.MustDay(on), Kind: kind, Account: "us", Amount: toolstest.MustDecimal(amount), Currency: "USD"}
}

// twoYears returns a portfolio of 731 days: 1,000 USD bought 10 XYZ at 100 on 2023-01-02 and 1,200 bought 10 at
// 120 on 2024-01-02. XYZ rose to 120 on 2024-01-01 and fell to 90 on 2024-07-01. An index was at 100 and is
// at 110 since 2024-07-01.
func twoYears() *toolstest.PortfolioFixture {
	return &toolstest.PortfolioFixture{
		Accounts: []portfolio.Account{portfolio.NewAccount("us")},
		Transactions: []portfolio.Transaction{
			cash("1", portfolio.KindDeposit, "1000", "2023-01-02"), toolstest.Buy("2", "us", "XYZ", "10", "1000", "USD", "2023-01-02"),
			cash("3", portfolio.KindDeposit, "1200", "2024-01-02"), toolstest.Buy("4", "us", "XYZ", "10", "1200", "USD", "2024-01-02"),
		},
		Series: []market.Series{
			steps("XYZ", "USD", "2025-01-01", "2022-12-26", "100", "2024-01-01", "120", "2024-07-01", "90"),
			steps("INDEX", "USD", "2025-01-01", "2022-12-26", "100", "2024-07-01", "110"),
		},
		Clock: "2025-01-01T22:00:00Z", Base: "USD",
	}
}

// pct returns a return of a window, "" if it is absent.
func pct(t *testing.T, window map[string]any, method, field string) string {
	t.Helper()
	text, _ := rounded(toolstest.ObjectAt(t, window, "returns", method))[field].(string)
	return text
}

// rounded returns an object with its numbers rounded to two decimals.
func rounded(object map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range object {
		if text, ok := v.(string); ok {
			if d, err := decimal.NewFromString(text); err == nil {
				v = d.Round(2).String()
			}
		}
		out[name] = v
	}
	return out
}

// Of 731 days from the close of 2023-01-01:
//
//	time-weighted   120/100 * 90/120 - 1 = -10%; a year 0.9^(365/731) - 1 = -5.1248%
//	gain            1,800 - 2,200 paid in = -400
//	Modified Dietz  the 1,000 were in on all 731 days, the 1,200 on 366 of them:
//	                -400 / (1,000 + 1,200 * 366/731) = -24.9872%
//	linked          January 2024: 200 / (1,000 + 1,200 * 30/31) = 9.2537%, July -25%: -18.0597%
//	money-weighted  1,000 x^2 + 1,200 x = 1,800, for 730 and 365 days lie between:
//	                x = (sqrt(1.44e6 + 7.2e6) - 1,200) / 2,000 = 0.869694: -13.0306% a year,
//	                x^2 - 1 = -24.3633% from the first payment to the last
func TestPerformance_OfTwoYearsByHand(t *testing.T) {
	_, got := toolstest.CallOK(t, performanceToolsOf(t, twoYears()), performanceOf, toolstest.Args{})
	w := toolstest.ObjectAt(t, got, "windows", "since inception")
	toolstest.WantFields(t, w, map[string]any{
		"from": "2023-01-01", "to": "2025-01-01", "days": 731.0, "start": "0", "end": "1800", "net_flow": "2200", "flow_days": 2.0,
	})
	for _, tc := range []struct{ method, window, year string }{
		{"time_weighted", "-10", "-5.12"},
		{"money_weighted", "-24.36", "-13.03"},
		{"modified_dietz", "-24.99", ""},
		{"linked_modified_dietz", "-18.06", ""},
	} {
		if got := pct(t, w, tc.method, "pct"); got != tc.window {
			t.Errorf("%s = %s %%; want %s", tc.method, got, tc.window)
		}
		if got := pct(t, w, tc.method, "annual_pct"); tc.year != "" && got != tc.year {
			t.Errorf("%s a year = %s %%; want %s", tc.method, got, tc.year)
		}
	}
}

// The last year begins with 10 XYZ at 120: these 1,200 and 1,200 more on its first day become 1,800, a
// quarter less by every method. It has 366 days, so there is an annual rate: 0.75^(365/366) - 1 =
// -24.9411%.
func TestPerformance_EachWindowStandsOnItsOwn(t *testing.T) {
	_, got := toolstest.CallOK(t, performanceToolsOf(t, twoYears()), performanceOf, toolstest.Args{})
	year := toolstest.ObjectAt(t, got, "windows", "1 year")
	toolstest.WantFields(t, year, map[string]any{"from": "2024-01-01", "to": "2025-01-01", "days": 366.0, "start": "1200", "end": "1800", "net_flow": "1200", "flow_days": 1.0})
	for _, method := range []string{"time_weighted", "modified_dietz"} {
		if got := pct(t, year, method, "pct"); got != "-25" {
			t.Errorf("%s of the year = %s %%; want -25", method, got)
		}
	}
	if got := pct(t, year, "time_weighted", "annual_pct"); got != "-24.94" {
		t.Errorf("a year of 366 days = %s %% a year; want -24.94", got)
	}
	for _, name := range []string{"3 years", "5 years"} {
		w := toolstest.ObjectAt(t, got, "windows", name)
		if why, _ := w["why"].(string); !strings.Contains(why, "2023-01-02") || w["returns"] != nil || w["end"] != nil {
			t.Errorf("%s = %v; want why it is not there, and no number", name, w)
		}
	}
	all := toolstest.ObjectAt(t, got, "windows", "since inception")
	if _, ok := year["flows"]; ok || len(all["flows"].([]any)) != 2 {
		t.Errorf("flows of the year %v, of all %v; want those of the longest window alone", year["flows"], all["flows"])
	}
	toolstest.WantFields(t, all["flows"].([]any)[1].(map[string]any), map[string]any{"date": "2024-01-02", "amount": "1200"})
}

// 1,000/100 + 1,200/100 = 22 units of the index, 2,420 at the end: 620 more than the portfolio, 10%
// compared with -10%.
func TestPerformance_TheBenchmarkHasTheSameMoneyAtTheSameTimes(t *testing.T) {
	_, got := toolstest.CallOK(t, performanceToolsOf(t, twoYears()), performanceOf, toolstest.Args{"benchmark": "index"})
	w := toolstest.ObjectAt(t, got, "windows", "since inception")
	c := toolstest.ObjectAt(t, w, "benchmark")
	toolstest.WantFields(t, rounded(c), map[string]any{"symbol": "INDEX", "end": "2420", "ahead": "-620", "ahead_time_weighted_pp": "-20"})
	if got := pct(t, c, "time_weighted", "pct"); got != "10" {
		t.Errorf("time-weighted return of the index = %s %%; want 10", got)
	}
	// 1,000 x^2 + 1,200 x = 2,420 has x = (sqrt(1.44e6 + 9.68e6) - 1,200) / 2,000 = 1.067333.
	if got := pct(t, c, "money_weighted", "annual_pct"); got != "6.73" {
		t.Errorf("money-weighted return of the index = %s %% a year; want 6.73", got)
	}
	apart := toolstest.MustDecimal(pct(t, w, "money_weighted", "pct")).Sub(toolstest.MustDecimal(pct(t, c, "money_weighted", "pct")))
	if got := toolstest.MustDecimal(c["ahead_money_weighted_pp"].(string)).Sub(apart).Abs(); got.GreaterThan(toolstest.MustDecimal("0.01")) {
		t.Errorf("ahead by money %v points; want %s, the difference of both", c["ahead_money_weighted_pp"], apart)
	}
}

// The money-weighted rate must solve its equation: the present value of all flows at the reported
// rate is zero, apart from rounding.
func TestPerformance_TheMoneyWeightedRateSolvesItsFlows(t *testing.T) {
	w := twoYears()
	w.Transactions = append(w.Transactions, toolstest.Sell("5", "us", "XYZ", "7", "630", "USD", "2024-09-02"), cash("6", portfolio.KindWithdrawal, "630", "2024-09-03"))
	_, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	window := toolstest.ObjectAt(t, got, "windows", "since inception")
	rate, _ := toolstest.MustDecimal(pct(t, window, "money_weighted", "annual_pct")).Shift(-2).Float64()
	worth := func(rate float64) float64 {
		sum := 0.0
		for _, f := range window["flows"].([]any) {
			flow := f.(map[string]any)
			amount, _ := toolstest.MustDecimal(flow["amount"].(string)).Float64()
			sum += amount * math.Pow(1+rate, toolstest.MustDay("2025-01-01").Sub(toolstest.MustDay(flow["date"].(string))).Hours()/24/365)
		}
		end, _ := toolstest.MustDecimal(window["end"].(string)).Float64()
		return sum - end
	}
	if low, high := worth(rate-0.00006), worth(rate+0.00006); low >= 0 || high <= 0 {
		t.Errorf("at %.4f the flows are off by %.3f, from %.3f to %.3f around it; want zero between", rate, worth(rate), low, high)
	}
}

// From the close of 2024-01-05, 100 XYZ at 10: a dividend of 50 of which 7.50 are withheld, a fee of 12,
// interest of 3, and a price of 11.
//
//	price 100; income 50 + 3; taxes -7.50; fees -12; gain 133.50 of 1,000: 13.35%
func TestPerformance_EffectsAddUpToTheGainByHand(t *testing.T) {
	dividend := cash("3", portfolio.KindDividend, "50", "2024-01-09")
	dividend.Symbol, dividend.Tax = "XYZ", toolstest.MustDecimal("7.5")
	w := &toolstest.PortfolioFixture{
		Accounts: []portfolio.Account{portfolio.NewAccount("us")},
		Transactions: []portfolio.Transaction{
			cash("1", portfolio.KindDeposit, "1000", "2024-01-02"), toolstest.Buy("2", "us", "XYZ", "100", "1000", "USD", "2024-01-02"), dividend,
			cash("4", portfolio.KindInterest, "3", "2024-01-10"), cash("5", portfolio.KindFee, "12", "2024-01-11"),
		},
		Series: []market.Series{steps("XYZ", "USD", "2024-01-12", "2023-12-25", "10", "2024-01-12", "11")},
		Clock:  "2024-01-12T22:00:00Z", Base: "USD",
	}
	_, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"from": "2024-01-05"})
	window := got["windows"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, window, map[string]any{"start": "1000", "end": "1133.5", "net_flow": "0", "flow_days": 0.0, "days": 7.0})
	for name, want := range map[string][2]string{
		"price": {"100", "10"}, "income": {"53", "5.3"}, "currency": {"0", "0"}, "fees": {"-12", "-1.2"}, "taxes": {"-7.5", "-0.75"}, "gain": {"133.5", "13.35"},
	} {
		toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, window, "attribution", "effects", name)), map[string]any{"amount": want[0], "pct": want[1]})
	}
	for of, want := range map[string][2]string{"XYZ": {"142.5", "14.25"}, "cash in USD": {"-9", "-0.9"}} {
		toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, window, "contributions", of)), map[string]any{"gain": want[0], "pct": want[1]})
	}
	// There are no flows, so all returns are the same, except for days on which nothing was invested.
	for _, method := range []string{"money_weighted", "modified_dietz"} {
		if got := pct(t, window, method, "pct"); got != "13.35" {
			t.Errorf("%s = %s %%; want 13.35", method, got)
		}
	}
}

// In every window of every portfolio here, price, income, currency, fees and taxes add up to the
// gain; contributions add up to the gain, and in percent to the Modified Dietz return; and the gain
// is end - start - net flow.
func TestPerformance_ThePartsAreTheWhole(t *testing.T) {
	off := func(a, b decimal.Decimal, cents int) bool {
		return a.Sub(b).Abs().GreaterThan(decimal.New(int64(cents), -2))
	}
	for name, fixture := range map[string]*toolstest.PortfolioFixture{"two years": twoYears(), "two currencies": toolstest.TwoCurrencyFixture()} {
		_, got := toolstest.CallOK(t, performanceToolsOf(t, fixture), performanceOf, toolstest.Args{})
		checked := 0
		for _, one := range got["windows"].([]any) {
			w := one.(map[string]any)
			if w["why"] != nil {
				continue
			}
			checked++
			number := func(v any) decimal.Decimal { return toolstest.MustDecimal(v.(string)) }
			gain := number(w["end"]).Sub(number(w["start"])).Sub(number(w["net_flow"]))
			effects, amounts, fractions := decimal.Zero, decimal.Zero, decimal.Zero
			for _, e := range toolstest.ObjectAt(t, w, "attribution")["effects"].([]any) {
				if effect := e.(map[string]any); effect["name"] != "gain" {
					effects = effects.Add(number(effect["amount"]))
				}
			}
			parts := w["contributions"].([]any)
			for _, p := range parts {
				amounts = amounts.Add(number(p.(map[string]any)["gain"]))
				fractions = fractions.Add(number(p.(map[string]any)["pct"]))
			}
			dietz := number(toolstest.ObjectAt(t, w, "returns", "modified_dietz")["pct"])
			if off(effects, gain, 3) || off(amounts, gain, len(parts)) || off(fractions, dietz, len(parts)) {
				t.Errorf("%s, %v: gain %s; effects %s, contributions %s, which are %s %% of a Dietz return of %s", name, w["name"], gain, effects, amounts, fractions, dietz)
			}
		}
		if checked == 0 {
			t.Errorf("%s: no window was there to look at", name)
		}
	}
}

// Ten at 100 and ten at 120, of which twelve were sold, the oldest first, at 90: -100 and -60; the eight
// left cost 120 each: -240.
func TestPerformance_RealizedAndUnrealizedGainsAreOfLots(t *testing.T) {
	w := twoYears()
	w.Transactions = append(w.Transactions, toolstest.Sell("5", "us", "XYZ", "12", "1080", "USD", "2024-09-02"))
	_, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	window := toolstest.ObjectAt(t, got, "windows", "since inception")
	toolstest.WantFields(t, toolstest.ObjectAt(t, window, "realised"), map[string]any{"amount": "-160", "lots": 2.0})
	toolstest.WantFields(t, toolstest.ObjectAt(t, window, "unrealised"), map[string]any{"amount": "-240", "lots": 1.0})

	_, got = toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"from": "2024-10-01"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got["windows"].([]any)[0].(map[string]any), "realised"), map[string]any{"amount": "0", "lots": 0.0})
	_, got = toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"from": "2024-01-05", "to": "2024-10-01"})
	past := got["windows"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, toolstest.ObjectAt(t, past, "realised"), map[string]any{"amount": "-160"})
	if past["to"] != "2024-10-01" {
		t.Errorf("window to %v; want its own last day", past["to"])
	}
}

// C1: the first day of a month, a quarter or a year counts from the close before it, as its name does.
func TestPerformance_ACalendarPeriodCountsFromTheCloseBefore(t *testing.T) {
	for from, want := range map[string]string{"2024-10": "2024-09-30", "2024-10-01": "2024-09-30", "2024-Q4": "2024-09-30", "2024-10-02": "2024-10-02", "2024": "2023-12-31", "2024-01-01": "2023-12-31"} {
		_, got := toolstest.CallOK(t, performanceToolsOf(t, twoYears()), performanceOf, toolstest.Args{"from": from})
		if window := got["windows"].([]any)[0].(map[string]any); window["from"] != want {
			t.Errorf("from %s counts from %v, want %s", from, window["from"], want)
		}
	}
}

// With an unknown cost the gain is unknown: the sum states how many it excludes, and is absent if it
// excludes all.
func TestPerformance_AGainThatIsNotKnownIsCountedAndNotMadeUp(t *testing.T) {
	w := twoYears()
	in := portfolio.Transaction{ID: "in", Date: toolstest.MustDay("2023-02-01"), Kind: portfolio.KindTransferIn, Account: "us", Symbol: "INDEX", Quantity: toolstest.MustDecimal("1"), CostUnknown: true, Currency: "USD"}
	w.Transactions = append(w.Transactions, in)
	_, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "windows", "since inception", "unrealised"), map[string]any{"amount": "-400", "lots": 3.0, "unknown": 1.0})
	w.Transactions = []portfolio.Transaction{in}
	_, got = toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	alone := toolstest.ObjectAt(t, got, "windows", "since inception", "unrealised")
	if _, ok := alone["amount"]; ok || alone["unknown"] != 1.0 {
		t.Errorf("unrealised = %v; want no sum of one lot that is not known", alone)
	}
}

func TestPerformance_AMethodAloneIsTheOnlyReturn(t *testing.T) {
	tools := performanceToolsOf(t, twoYears())
	var all []string
	for _, method := range []string{"time_weighted", "money_weighted", "modified_dietz", "linked_modified_dietz"} {
		_, got := toolstest.CallOK(t, tools, performanceOf, toolstest.Args{"method": method, "benchmark": "INDEX"})
		w := toolstest.ObjectAt(t, got, "windows", "since inception")
		for _, r := range w["returns"].([]any) {
			all = append(all, r.(map[string]any)["method"].(string))
		}
		for _, r := range toolstest.ObjectAt(t, w, "benchmark")["returns"].([]any) {
			if of := r.(map[string]any)["method"]; of != method && of != "series" {
				t.Errorf("asked for %s the benchmark tells %v", method, of)
			}
		}
	}
	if diff := cmp.Diff([]string{"time_weighted", "money_weighted", "modified_dietz", "linked_modified_dietz"}, all); diff != "" {
		t.Errorf("returns (-want +got):\n%s", diff)
	}
}

// An excluded symbol counts as withdrawn: the 1,200 that bought half of XYZ go in and out, and so do the
// 1,000 of the other half.
func TestPerformance_WithoutASymbolIsOfTheRest(t *testing.T) {
	w := twoYears()
	w.Transactions = append(w.Transactions, cash("9", portfolio.KindDeposit, "500", "2023-01-03"), toolstest.Buy("10", "us", "INDEX", "5", "500", "USD", "2023-01-03"))
	_, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"without": []string{"xyz"}})
	window := toolstest.ObjectAt(t, got, "windows", "since inception")
	toolstest.WantFields(t, window, map[string]any{"end": "550", "net_flow": "500"})
	if got := toolstest.Strings(t, got["without"]); !slices.Equal(got, []string{"XYZ"}) {
		t.Errorf("without = %q; want XYZ", got)
	}
	if got := pct(t, window, "time_weighted", "pct"); got != "10" {
		t.Errorf("return of the rest = %s %%; want 10", got)
	}
}

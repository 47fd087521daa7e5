package positions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// 2,000 USD were paid in on January 2, and 500 EUR x 1.05 on the 3rd: 2,525. At the end there are 2,850, a
// gain of 325: -10 of fee, 4 x 140 x 0.05 = 28 of the euro over the weekend, and the rest of price.
// Time-weighted: 1990/2000 x 2850/2515 - 1 = 12.75%.
//
// The same flows in VTI: 2000/100 + 525/105 = 25 units, 3,000 at the end.
func TestPerformance_OfTwoCurrenciesByHand(t *testing.T) {
	res, got := toolstest.CallOK(t, performanceToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_performance", toolstest.Args{"benchmark": "VTI"})
	w := toolstest.ObjectAt(t, got, "windows", "since inception")
	toolstest.WantFields(t, w, map[string]any{"from": "2024-01-01", "to": "2024-01-08", "days": 7.0, "start": "0", "end": "2850", "net_flow": "2525", "flow_days": 2.0})
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, w, "returns", "time_weighted")), map[string]any{"pct": "12.75"})
	for name, amount := range map[string]string{"price": "307", "income": "0", "currency": "28", "fees": "-10", "taxes": "0", "gain": "325"} {
		toolstest.WantFields(t, toolstest.ObjectAt(t, w, "attribution", "effects", name), map[string]any{"amount": amount})
	}
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, w, "contributions", "VTI")), map[string]any{"gain": "190", "pct": "7.76"})
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, w, "contributions", "SAP")), map[string]any{"gain": "135", "pct": "5.51"})
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, w, "returns", "modified_dietz")), map[string]any{"pct": "13.27"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, w, "benchmark"), map[string]any{"symbol": "VTI", "end": "3000", "ahead": "-150"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, w, "unrealised"), map[string]any{"amount": "325"})
	if _, ok := toolstest.ObjectAt(t, w, "returns", "time_weighted")["annual_pct"]; ok {
		t.Error("a week was made into a year")
	}
	f := toolstest.Figure(t, res, "windows.3.returns.0.pct")
	if f.Value.Round(2).String() != "12.75" || f.Unit != "%" || f.Formula == "" || len(f.Inputs) == 0 {
		t.Errorf("figure = %+v; want 12.75 %% with formula and inputs", f)
	}
}

func TestPerformance_ShowsAllFourWindowsWithTheReasonWhereOneIsAbsent(t *testing.T) {
	_, got := toolstest.CallOK(t, performanceToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_performance", toolstest.Args{})
	for _, name := range []string{"1 year", "3 years", "5 years"} {
		if w := toolstest.ObjectAt(t, got, "windows", name); w["why"] != "the portfolio starts on 2024-01-02" || w["returns"] != nil {
			t.Errorf("%s = %v; want the reason and no returns", name, w)
		}
	}
}

func TestPerformance_OfASpanCountsFromItsFirstClose(t *testing.T) {
	tools := performanceToolsOf(t, toolstest.TwoCurrencyFixture())
	// From Friday: 2850 / 2728 - 1 = 4.47%.
	_, got := toolstest.CallOK(t, tools, "portfolio_performance", toolstest.Args{"from": "2024-01-05", "method": "time_weighted"})
	w := got["windows"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, w, map[string]any{"from": "2024-01-05", "to": "2024-01-08", "start": "2728", "net_flow": "0"})
	if returns := w["returns"].([]any); len(returns) != 1 {
		t.Errorf("returns = %v; want the one that was asked for", returns)
	}
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, w, "returns", "time_weighted")), map[string]any{"pct": "4.47"})

	_, got = toolstest.CallOK(t, tools, "portfolio_performance", toolstest.Args{"range": "1y", "to": ""})
	toolstest.WantFields(t, got["windows"].([]any)[0].(map[string]any), map[string]any{"from": "2024-01-01"})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), " "); !strings.Contains(notes, "The portfolio begins on 2024-01-02") {
		t.Errorf("notes = %q; want that the portfolio is younger", notes)
	}
	_, got = toolstest.CallOK(t, tools, "portfolio_performance", toolstest.Args{"from": "2024", "to": "2024-01-05"})
	toolstest.WantFields(t, got["windows"].([]any)[0].(map[string]any), map[string]any{"from": "2024-01-01", "to": "2024-01-05", "end": "2728"})
}

func TestPerformance_OfOneAccount(t *testing.T) {
	_, got := toolstest.CallOK(t, performanceToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_performance", toolstest.Args{"account": "us"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "windows", "since inception"), map[string]any{"end": "2190", "net_flow": "2000"})
}

// Without a price the return is absent, with the reason; if the symbol is excluded, the rest has a return.
func TestPerformance_WhatHasNoPriceLeavesItAbsentUnlessLeftOut(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "NONE", "1", "50", "EUR", "2024-01-04"))
	res, got := toolstest.CallOK(t, performanceToolsOf(t, w), "portfolio_performance", toolstest.Args{})
	of := toolstest.ObjectAt(t, got, "windows", "since inception", "returns", "time_weighted")
	if of["pct"] != nil || !strings.Contains(of["why"].(string), "NONE") {
		t.Errorf("return = %v; want none, because of NONE", of)
	}
	if !strings.Contains(res.UserText(), "list it in without") || !strings.Contains(res.UserText(), "No prices for NONE") {
		t.Errorf("it is not said what to do:\n%s", res.UserText())
	}
	_, got = toolstest.CallOK(t, performanceToolsOf(t, w), "portfolio_performance", toolstest.Args{"without": []string{"NONE"}})
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, got, "windows", "since inception", "returns", "time_weighted")), map[string]any{"pct": "12.75"})
}

// With the clock set back, closes are adjusted for a later split, which is undone: 10 VTI at 460 before
// four for one. Otherwise the portfolio would have lost three quarters.
func TestPerformance_AClockSetBackUndoesSplitsOfLater(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions[0].Amount, w.Transactions[1].Amount = toolstest.MustDecimal("8000"), toolstest.MustDecimal("4000")
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-08", "4", "1")}
	w.Clock = "2024-01-05T22:00:00Z"
	d := w.Deps(t)
	d.Replay = true
	_, got := toolstest.CallOK(t, performanceTools(d), "portfolio_performance", toolstest.Args{"account": "us"})
	// 4600 and cash of 8000 - 4000 - 10
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "windows", "since inception"), map[string]any{"end": "8590"})
	if warnings := toolstest.Strings(t, got["warnings"]); len(warnings) > 0 {
		t.Errorf("warnings = %q; want none of a split of later", warnings)
	}

	w.Series[0].Actions = nil
	d = w.Deps(t)
	d.Replay = true
	_, got = toolstest.CallOK(t, performanceTools(d), "portfolio_performance", toolstest.Args{"account": "us"})
	if end := toolstest.ObjectAt(t, got, "windows", "since inception")["end"]; end != nil {
		t.Errorf("end = %v though nobody knows what was paid then; want none", end)
	}
}

func TestPerformance_ASplitThatTheBookLacksIsLoud(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
	res, got := toolstest.CallOK(t, performanceToolsOf(t, w), "portfolio_performance", toolstest.Args{})
	if warnings := toolstest.Strings(t, got["warnings"]); len(warnings) != 1 || !strings.Contains(warnings[0], "add_transaction") || len(res.Notes) == 0 || res.Notes[0].Code != "split_mismatch" {
		t.Errorf("warnings = %q, notes %v; want the split", warnings, res.Notes)
	}
}

func TestPerformance_ABenchmarkThatIsDownSpoilsNothing(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series = append(w.Series, toolstest.Daily("LATE", "USD", toolstest.MustDay("2024-01-05"), "10", "11"))
	_, got := toolstest.CallOK(t, performanceToolsOf(t, w), "portfolio_performance", toolstest.Args{"benchmark": "LATE"})
	of := toolstest.ObjectAt(t, got, "windows", "since inception")
	if why := toolstest.ObjectAt(t, of, "benchmark")["why"]; why == nil || why == "" {
		t.Errorf("benchmark = %v; want why it is absent", of["benchmark"])
	}
	toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, of, "returns", "time_weighted")), map[string]any{"pct": "12.75"})
}

func TestPerformance_TheUsersBenchmarkStandsWhereACallNamesNone(t *testing.T) {
	for _, c := range []struct{ name, setting, asked, want string }{
		{"no setting", "", "", ""},
		{"the setting", "VTI", "", "VTI"},
		{"another one asked for", "VTI", "SAP", "SAP"},
		{"none asked for", "VTI", "none", ""},
		{"none asked for where there is none", "", "None", ""},
		{"a setting that nobody knows", "NOPE", "", "NOPE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := toolstest.TwoCurrencyFixture().Deps(t)
			d.Benchmark = c.setting
			tools := positions.PerformanceTools(d)
			_, got := toolstest.CallOK(t, tools, "portfolio_performance", toolstest.Args{"benchmark": c.asked})
			of := toolstest.ObjectAt(t, got, "windows", "since inception")
			against, ok := of["benchmark"].(map[string]any)
			if ok != (c.want != "") || ok && against["symbol"] != c.want {
				t.Fatalf("benchmark = %v, want %q", of["benchmark"], c.want)
			}
			why, _ := against["why"].(string)
			if unknown := c.setting == "NOPE"; unknown != strings.Contains(why, "default benchmark") {
				t.Errorf("why = %q, want the setting named where it cannot be found", why)
			}
			toolstest.WantFields(t, rounded(toolstest.ObjectAt(t, of, "returns", "time_weighted")), map[string]any{"pct": "12.75"})
		})
	}
}

func TestPerformance_ManyPositionsStillAddUp(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	for i := range 30 {
		sym := "S" + string(rune('A'+i%26)) + strings.Repeat("X", i/26)
		w.Transactions = append(w.Transactions, toolstest.Buy("s"+sym, "de", sym, "1", "10", "EUR", "2024-01-04"))
		w.Series = append(w.Series, toolstest.Daily(sym, "EUR", toolstest.MustDay("2024-01-01"), "10", "10", "10", "10", "10", "11"))
	}
	res, _ := toolstest.CallOK(t, performanceToolsOf(t, w), "portfolio_performance", toolstest.Args{})
	model := toolstest.ObjectAt(t, any(toolstest.Object(t, res.ForModel)), "windows", "since inception")
	sum := toolstest.MustDecimal("0")
	for _, c := range append(model["contributions"].([]any), model["other_contributions"]) {
		sum = sum.Add(toolstest.MustDecimal(c.(map[string]any)["gain"].(string)))
	}
	gain := toolstest.MustDecimal(toolstest.ObjectAt(t, model, "attribution", "effects", "gain")["amount"].(string))
	if off := sum.Sub(gain).Abs(); off.GreaterThan(toolstest.MustDecimal("0.000001")) || len(model["contributions"].([]any)) != 20 {
		t.Errorf("%d contributions are %s together; want 20 of %s", len(model["contributions"].([]any)), sum, gain)
	}
}

func TestPerformance_WhatCannotBeAskedSaysWhatCan(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Accounts = append(w.Accounts, portfolio.NewAccount("new"))
	tools := performanceToolsOf(t, w)
	for _, c := range []struct {
		name, code string
		in         toolstest.Args
		part       string
	}{
		{"a method that is none", tool.CodeValidation, toolstest.Args{"method": "simple"}, "time_weighted, money_weighted"},
		{"a range that is none", tool.CodeValidation, toolstest.Args{"range": "soon"}, "ytd"},
		{"range and from", tool.CodeValidation, toolstest.Args{"range": "1y", "from": "2024"}, "not both"},
		{"a span before the book", tool.CodeNoData, toolstest.Args{"to": "2020"}, "no transactions"},
		{"a span that ends as it begins", tool.CodeValidation, toolstest.Args{"from": "2024-01-08"}, "the portfolio begins on 2024-01-02"},
		{"what was never held", tool.CodeValidation, toolstest.Args{"without": []string{"AAPL"}}, "choose from SAP, VTI"},
		{"a benchmark that nobody knows", market.CodeUnknownSymbol, toolstest.Args{"benchmark": "NOPE"}, "benchmark"},
		{"an account without transactions", tool.CodeNoData, toolstest.Args{"account": "new"}, "no transactions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			toolstest.WantError(t, toolstest.Call(t, tools, "portfolio_performance", c.in), c.code, c.part)
		})
	}
}

// Reasons may contain amounts: 900.77 USD were taken out, more than a benchmark that fell to a tenth would
// have had.
func TestPerformance_HiddenAmountsAreNotInReasons(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, portfolio.Transaction{ID: "out", Date: toolstest.MustDay("2024-01-05"), Kind: portfolio.KindWithdrawal, Account: "us", Amount: toolstest.MustDecimal("900.77"), Currency: "USD"})
	w.Series = append(w.Series, toolstest.Daily("CRASH", "USD", toolstest.MustDay("2024-01-01"), "100", "100", "100", "1", "1", "1"))
	res := toolstest.CallHidden(t, performanceToolsOf(t, w), "portfolio_performance", toolstest.Args{"benchmark": "CRASH"})
	got := toolstest.DecodeResult(t, res)
	if why := toolstest.ObjectAt(t, got, "windows", "since inception", "benchmark")["why"].(string); !strings.Contains(why, "900.77") {
		t.Fatalf("why = %q; want the amount, for people", why)
	}
	why := toolstest.ObjectAt(t, any(toolstest.Object(t, res.ForModel)), "windows", "since inception", "benchmark")["why"].(string)
	if strings.Contains(why, "900") || !strings.Contains(why, "on 2024-01-05 the withdrawal (hidden) USD)") {
		t.Errorf("a model is told %q; want the day without the amount", why)
	}
	if strings.Contains(res.ForModel, "900.77") {
		t.Errorf("a model is told the amount:\n%s", res.ForModel)
	}
}

func TestPerformance_PeopleReadKeyFiguresThenTablesAcrossPeriods(t *testing.T) {
	want := `**performance · since inception · to 2024-01-08 · us, de**

| measure | value |
| --- | ---: |
| time-weighted return | +12.8% |
| money-weighted return | +13.4% |
| gain | +325.00 USD |
| value at end | 2,850.00 USD |

**Returns**

| return | 1 year | 3 years | 5 years | since inception |
| --- | ---: | ---: | ---: | ---: |
| time-weighted | n/a | n/a | n/a | +12.8% |
| money-weighted | n/a | n/a | n/a | +13.4% |
| modified-dietz | n/a | n/a | n/a | +13.3% |
| linked-modified-dietz | n/a | n/a | n/a | +13.3% |
| days | n/a | n/a | n/a | 7 |

**Gain and value in USD**

| amount | 1 year | 3 years | 5 years | since inception |
| --- | ---: | ---: | ---: | ---: |
| value at start | n/a | n/a | n/a | 0.00 |
| deposits - withdrawals | n/a | n/a | n/a | +2,525.00 |
| price | n/a | n/a | n/a | +307.00 |
| income | n/a | n/a | n/a | 0.00 |
| currency | n/a | n/a | n/a | +28.00 |
| fees | n/a | n/a | n/a | -10.00 |
| taxes | n/a | n/a | n/a | 0.00 |
| gain | n/a | n/a | n/a | +325.00 |
| value at end | n/a | n/a | n/a | 2,850.00 |
| realized, by lot | n/a | n/a | n/a | 0.00 |
| unrealized, by lot | n/a | n/a | n/a | +325.00 |

**Contributions in USD**

| position | 1 year | 3 years | 5 years | since inception |
| --- | ---: | ---: | ---: | ---: |
| VTI | n/a | n/a | n/a | +190.00 (+7.8%) |
| SAP | n/a | n/a | n/a | +135.00 (+5.5%) |
| cash in USD | n/a | n/a | n/a | 0.00 (0.0%) |

**The same money in VTI**

| benchmark | 1 year | 3 years | 5 years | since inception |
| --- | ---: | ---: | ---: | ---: |
| value at end, USD | n/a | n/a | n/a | 3,000.00 |
| portfolio ahead, USD | n/a | n/a | n/a | -150.00 |
| time-weighted | n/a | n/a | n/a | +18.8% |
| money-weighted | n/a | n/a | n/a | +19.5% |
| without deposits and withdrawals | n/a | n/a | n/a | +20.0% |
| ahead, time-weighted | n/a | n/a | n/a | -6.1 points |
| ahead, money-weighted | n/a | n/a | n/a | -6.2 points |

**Deposits and withdrawals, since inception**

| date | amount in USD |
| --- | ---: |
| 2024-01-02 | +2,000.00 |
| 2024-01-03 | +525.00 |

markettest · 2024-01-08

- 1 year, 3 years, 5 years: the portfolio starts on 2024-01-02
- Price, income, currency, fees and taxes add up to the gain, and so do the contributions.
- The benchmark is hypothetical, before costs and taxes.
`
	res := toolstest.Call(t, performanceToolsOf(t, toolstest.TwoCurrencyFixture()), performanceOf, toolstest.Args{"benchmark": "VTI"})
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "The portfolio returned +12.8% since inception (time-weighted), a gain of 325.00 USD; VTI returned +18.8%."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	if want := "投资组合自建仓以来的时间加权收益率为 +12.8%，收益 325.00 USD；VTI 为 +18.8%。"; res.HeadlineZH != want {
		t.Errorf("Chinese headline = %q, want %q", res.HeadlineZH, want)
	}
}

package earnings_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/earnings"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings/holdingstest"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// 2,000 USD came in on January 2, and 500 EUR x 1.05 on the 3rd: 2,525. At the end
// there are 2,850, a gain of 325. Of it the fee took 10; the euro 4 x 140 x 0.05 = 28
// over the weekend; the rest is price. By days: 1990/2000 x 2850/2515 - 1 = 12.75 %.
//
// The same money in VTI: 2000/100 + 525/105 = 25 units, 3,000 at the end.
func TestPerformance_OfTwoCurrenciesByHand(t *testing.T) {
	res, got := toolboxtest.Answered(t, toolsOf(t, holdingstest.TwoCurrencies()), "portfolio_performance", holdingstest.Args{"benchmark": "VTI"})
	w := holdingstest.Object(t, got, "windows", "since inception")
	toolboxtest.WantFields(t, w, map[string]any{"from": "2024-01-01", "to": "2024-01-08", "days": 7.0, "start": "0", "end": "2850", "net_flow": "2525", "flow_days": 2.0})
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "returns", "time_weighted"), map[string]any{"pct": "12.75"})
	for name, amount := range map[string]string{"price": "307", "income": "0", "currency": "28", "fees": "-10", "taxes": "0", "gain": "325"} {
		toolboxtest.WantFields(t, holdingstest.Object(t, w, "attribution", "effects", name), map[string]any{"amount": amount})
	}
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "contributions", "VTI"), map[string]any{"gain": "190", "pct": "7.76"})
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "contributions", "SAP"), map[string]any{"gain": "135", "pct": "5.51"})
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "returns", "modified_dietz"), map[string]any{"pct": "13.27"})
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "benchmark"), map[string]any{"symbol": "VTI", "end": "3000", "ahead": "-150"})
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "unrealised"), map[string]any{"amount": "325"})
	if _, ok := holdingstest.Object(t, w, "returns", "time_weighted")["annual_pct"]; ok {
		t.Error("a week was made into a year")
	}
	f := toolboxtest.Figure(t, res, "inception.time_weighted")
	if f.Value.String() != "12.75" || f.Unit != "%" || f.Formula == "" || len(f.Inputs) == 0 {
		t.Errorf("figure = %+v; want 12.75 %% with formula and inputs", f)
	}
}

func TestPerformance_ShowsAllFourWindowsWithTheReasonWhereOneIsAbsent(t *testing.T) {
	res, got := toolboxtest.Answered(t, toolsOf(t, holdingstest.TwoCurrencies()), "portfolio_performance", holdingstest.Args{})
	for _, name := range []string{"1 year", "3 years", "5 years"} {
		if w := holdingstest.Object(t, got, "windows", name); w["why"] != "the book begins on 2024-01-02" || w["returns"] != nil {
			t.Errorf("%s = %v; want the reason and no returns", name, w)
		}
	}
	if !strings.Contains(res.ForUser, "| return | 1 year | 3 years | 5 years | since inception |") {
		t.Errorf("the windows are not beside each other:\n%s", res.ForUser)
	}
}

func TestPerformance_OfASpanCountsFromItsFirstClose(t *testing.T) {
	tools := toolsOf(t, holdingstest.TwoCurrencies())
	// From Friday: 2850 / 2728 - 1 = 4.47 %.
	_, got := toolboxtest.Answered(t, tools, "portfolio_performance", holdingstest.Args{"from": "2024-01-05", "method": "time_weighted"})
	w := got["windows"].([]any)[0].(map[string]any)
	toolboxtest.WantFields(t, w, map[string]any{"from": "2024-01-05", "to": "2024-01-08", "start": "2728", "net_flow": "0"})
	if returns := w["returns"].([]any); len(returns) != 1 {
		t.Errorf("returns = %v; want the one that was asked for", returns)
	}
	toolboxtest.WantFields(t, holdingstest.Object(t, w, "returns", "time_weighted"), map[string]any{"pct": "4.47"})

	_, got = toolboxtest.Answered(t, tools, "portfolio_performance", holdingstest.Args{"range": "1y", "to": ""})
	toolboxtest.WantFields(t, got["windows"].([]any)[0].(map[string]any), map[string]any{"from": "2024-01-01"})
	if notes := strings.Join(toolboxtest.Strings(t, got["notes"]), " "); !strings.Contains(notes, "the book begins on 2024-01-02") {
		t.Errorf("notes = %q; want that the book is younger", notes)
	}
	_, got = toolboxtest.Answered(t, tools, "portfolio_performance", holdingstest.Args{"from": "2024", "to": "2024-01-05"})
	toolboxtest.WantFields(t, got["windows"].([]any)[0].(map[string]any), map[string]any{"from": "2024-01-01", "to": "2024-01-05", "end": "2728"})
}

func TestPerformance_OfOneAccount(t *testing.T) {
	_, got := toolboxtest.Answered(t, toolsOf(t, holdingstest.TwoCurrencies()), "portfolio_performance", holdingstest.Args{"account": "us"})
	toolboxtest.WantFields(t, holdingstest.Object(t, got, "windows", "since inception"), map[string]any{"end": "2190", "net_flow": "2000"})
}

// A price that nobody gives leaves the return absent, with the reason; without it
// there is one of the rest.
func TestPerformance_WhatHasNoPriceLeavesItAbsentUnlessLeftOut(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Added = append(w.Added, holdingstest.Buy("3", "de", "NONE", "1", "50", "EUR", "2024-01-04"))
	res, got := toolboxtest.Answered(t, toolsOf(t, w), "portfolio_performance", holdingstest.Args{})
	of := holdingstest.Object(t, got, "windows", "since inception", "returns", "time_weighted")
	if of["pct"] != nil || !strings.Contains(of["why"].(string), "NONE") {
		t.Errorf("return = %v; want none, because of NONE", of)
	}
	if !strings.Contains(res.ForUser, "without leaves it out") || !strings.Contains(res.ForUser, "no prices of NONE") {
		t.Errorf("it is not said what to do:\n%s", res.ForUser)
	}
	_, got = toolboxtest.Answered(t, toolsOf(t, w), "portfolio_performance", holdingstest.Args{"without": []string{"NONE"}})
	toolboxtest.WantFields(t, holdingstest.Object(t, got, "windows", "since inception", "returns", "time_weighted"), map[string]any{"pct": "12.75"})
}

// With the clock set back, closes are scaled by a split of later, which is undone:
// 10 VTI at 460 before four for one. Without it the book would have lost three
// quarters.
func TestPerformance_AClockSetBackUndoesSplitsOfLater(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Added[0].Amount, w.Added[1].Amount = holdingstest.Dec("8000"), holdingstest.Dec("4000")
	w.Series[0].Actions = []market.Action{holdingstest.Split("2024-01-08", "4", "1")}
	w.Clock = "2024-01-05T22:00:00Z"
	d := w.Deps(t)
	d.Replay = true
	_, got := toolboxtest.Answered(t, over(d), "portfolio_performance", holdingstest.Args{"account": "us"})
	// 4600 and cash of 8000 - 4000 - 10
	toolboxtest.WantFields(t, holdingstest.Object(t, got, "windows", "since inception"), map[string]any{"end": "8590"})
	if warnings := toolboxtest.Strings(t, got["warnings"]); len(warnings) > 0 {
		t.Errorf("warnings = %q; want none of a split of later", warnings)
	}

	w.Series[0].Actions = nil
	d = w.Deps(t)
	d.Replay = true
	_, got = toolboxtest.Answered(t, over(d), "portfolio_performance", holdingstest.Args{"account": "us"})
	if end := holdingstest.Object(t, got, "windows", "since inception")["end"]; end != nil {
		t.Errorf("end = %v though nobody knows what was paid then; want none", end)
	}
}

func TestPerformance_ASplitThatTheBookLacksIsLoud(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Series[0].Actions = []market.Action{holdingstest.Split("2024-01-05", "4", "1")}
	res, got := toolboxtest.Answered(t, toolsOf(t, w), "portfolio_performance", holdingstest.Args{})
	if warnings := toolboxtest.Strings(t, got["warnings"]); len(warnings) != 1 || !strings.Contains(warnings[0], "add_transaction") || !strings.Contains(res.Summary, "1 warning") {
		t.Errorf("warnings = %q, summary %q; want the split", warnings, res.Summary)
	}
}

func TestPerformance_ABenchmarkThatIsDownSpoilsNothing(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Series = append(w.Series, holdingstest.Daily("LATE", "USD", holdingstest.Day("2024-01-05"), "10", "11"))
	_, got := toolboxtest.Answered(t, toolsOf(t, w), "portfolio_performance", holdingstest.Args{"benchmark": "LATE"})
	of := holdingstest.Object(t, got, "windows", "since inception")
	if why := holdingstest.Object(t, of, "benchmark")["why"]; why == nil || why == "" {
		t.Errorf("benchmark = %v; want why it is absent", of["benchmark"])
	}
	toolboxtest.WantFields(t, holdingstest.Object(t, of, "returns", "time_weighted"), map[string]any{"pct": "12.75"})
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
			tools := earnings.Tools(earnings.Deps{Deps: holdingstest.TwoCurrencies().Deps(t), Benchmark: c.setting})
			_, got := toolboxtest.Answered(t, tools, "portfolio_performance", holdingstest.Args{"benchmark": c.asked})
			of := holdingstest.Object(t, got, "windows", "since inception")
			against, ok := of["benchmark"].(map[string]any)
			if ok != (c.want != "") || ok && against["symbol"] != c.want {
				t.Fatalf("benchmark = %v, want %q", of["benchmark"], c.want)
			}
			why, _ := against["why"].(string)
			if unknown := c.setting == "NOPE"; unknown != strings.Contains(why, "benchmark of the settings") {
				t.Errorf("why = %q, want the setting named where it cannot be found", why)
			}
			toolboxtest.WantFields(t, holdingstest.Object(t, of, "returns", "time_weighted"), map[string]any{"pct": "12.75"})
		})
	}
}

func TestPerformance_ManyPositionsStillAddUp(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	for i := range 30 {
		sym := "S" + string(rune('A'+i%26)) + strings.Repeat("X", i/26)
		w.Added = append(w.Added, holdingstest.Buy("s"+sym, "de", sym, "1", "10", "EUR", "2024-01-04"))
		w.Series = append(w.Series, holdingstest.Daily(sym, "EUR", holdingstest.Day("2024-01-01"), "10", "10", "10", "10", "10", "11"))
	}
	res, _ := toolboxtest.Answered(t, toolsOf(t, w), "portfolio_performance", holdingstest.Args{})
	model := holdingstest.Object(t, any(toolboxtest.Object(t, res.ForModel)), "windows", "since inception")
	sum := holdingstest.Dec("0")
	for _, c := range model["contributions"].([]any) {
		sum = sum.Add(holdingstest.Dec(c.(map[string]any)["gain"].(string)))
	}
	gain := holdingstest.Dec(holdingstest.Object(t, model, "attribution", "effects", "gain")["amount"].(string))
	if off := sum.Sub(gain).Abs(); off.GreaterThan(holdingstest.Dec("0.2")) || len(model["contributions"].([]any)) != 20 {
		t.Errorf("%d contributions are %s together; want 20 of %s", len(model["contributions"].([]any)), sum, gain)
	}
}

func TestPerformance_WhatCannotBeAskedSaysWhatCan(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Accounts = append(w.Accounts, portfolio.NewAccount("new"))
	tools := toolsOf(t, w)
	for _, c := range []struct {
		name, code string
		in         holdingstest.Args
		part       string
	}{
		{"a method that is none", tool.CodeValidation, holdingstest.Args{"method": "simple"}, "time_weighted, money_weighted"},
		{"a range that is none", tool.CodeValidation, holdingstest.Args{"range": "soon"}, "ytd"},
		{"range and from", tool.CodeValidation, holdingstest.Args{"range": "1y", "from": "2024"}, "not both"},
		{"a span before the book", tool.CodeNoData, holdingstest.Args{"to": "2020"}, "no transactions"},
		{"a span that ends as it begins", tool.CodeValidation, holdingstest.Args{"from": "2024-01-08"}, "the book begins on 2024-01-02"},
		{"what was never held", tool.CodeValidation, holdingstest.Args{"without": []string{"AAPL"}}, "it has SAP, VTI"},
		{"a benchmark that nobody knows", tool.CodeNoData, holdingstest.Args{"benchmark": "NOPE"}, "benchmark"},
		{"an account without transactions", tool.CodeNoData, holdingstest.Args{"account": "new"}, "no transactions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			toolboxtest.WantError(t, toolboxtest.Call(t, tools, "portfolio_performance", c.in), c.code, c.part)
		})
	}
}

// Reasons tell amounts, too: 900.77 USD were taken out, which a benchmark that fell to
// a tenth would not have had.
func TestPerformance_HiddenAmountsAreNotInReasons(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Hide = true
	w.Added = append(w.Added, portfolio.Transaction{ID: "out", Date: holdingstest.Day("2024-01-05"), Kind: portfolio.KindWithdrawal, Account: "us", Amount: holdingstest.Dec("900.77"), Currency: "USD"})
	w.Series = append(w.Series, holdingstest.Daily("CRASH", "USD", holdingstest.Day("2024-01-01"), "100", "100", "100", "1", "1", "1"))
	res, got := toolboxtest.Answered(t, toolsOf(t, w), "portfolio_performance", holdingstest.Args{"benchmark": "CRASH"})
	if why := holdingstest.Object(t, got, "windows", "since inception", "benchmark")["why"].(string); !strings.Contains(why, "900.77") {
		t.Fatalf("why = %q; want the amount, for people", why)
	}
	why := holdingstest.Object(t, any(toolboxtest.Object(t, res.ForModel)), "windows", "since inception", "benchmark")["why"].(string)
	if strings.Contains(why, "900") || !strings.Contains(why, "on 2024-01-05 more was taken out ((hidden) USD)") {
		t.Errorf("a model is told %q; want the day without the amount", why)
	}
	if strings.Contains(res.ForModel, "900.77") {
		t.Errorf("a model is told the amount:\n%s", res.ForModel)
	}
}

package advice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

const rebalancePlan = "rebalance_plan"

// A is 7500 of 10000, but its target is 6000: 15 shares at 100 become 30 of B at 50. The 15 shares
// cost 1200: a long-term gain of 300, taxed at 15%: 45.
func TestRebalancePlan_BringsTheBookBackToItsTargets(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t, investor.QuestionLargestHolding, "60 %", investor.QuestionClassLimits, "crypto max 5 %", investor.QuestionExcludedSymbols, "none")
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"full": true})
	if diff := cmp.Diff([]string{"sell 15 AAA main", "buy 30 BBB main"}, trades(t, value)); diff != "" {
		t.Errorf("trades (-want +got):\n%s", diff)
	}
	cost := value["cost"].(map[string]any)
	toolstest.WantFields(t, cost, map[string]any{"turnover": "0.15", "fees": "0", "tax": "45"})
	for id, want := range map[string]string{
		"total": "10000", "drift.0.weight": "75", "drift.0.target": "60", "drift.0.drift": "15", "drift.0.band": "5", "drift.0.weight_after": "60", "drift.1.weight_after": "40",
		"trades.0.quantity": "15", "trades.0.value": "1500", "trades.0.gain": "300", "cost.tax": "45", "cost.turnover": "15", "cost.bought_part": "15", "cost.sold_part": "15", "cash.0.after": "0",
		"verdict.rules.1.number": "60", "verdict.rules.1.threshold": "60",
	} {
		if got := toolstest.Figure(t, res, id); got.Value.String() != want || got.Unit == "" || got.Source == "" || got.Formula == "" || got.AsOf.IsZero() {
			t.Errorf("figure %s = %s %s of %q by %q; want %s with its source, day and formula", id, got.Value, got.Unit, got.Source, got.Formula, want)
		}
	}
	if want := "2 trades: buy 15.0% and sell 15.0% of the total, estimated tax 45.00 USD."; res.Headline != want {
		t.Errorf("Headline = %q, want %q", res.Headline, want)
	}
	toolstest.WantParts(t, "ForUser", res.UserText(), "**No limit is broken", "This is based on your profile", "\nmarkettest · 2024-06-28 close\n",
		"| largest_holding | fail | pass | The largest position, AAA, is 60%; your limit is 60%. |", `| measure | value | basis |
| --- | ---: | --- |
| bought | 15.0% | bought / total |
| sold | 15.0% | sold / total |
| tax, estimate | 45.00 USD | rate * gain of each term, losses offset gains |
| fees | 0.00 USD | sum over trades of fixed + rate * value |
| turnover | 15.0% | the lesser of both, as funds report it |
`, `
| position | weight | target | drift | band | after | outside band |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
| AAA | 75.0% | 60.0% | +15.0 points | 5.0% | 60.0% | yes |
| BBB | 25.0% | 40.0% | -15.0 points | 5.0% | 40.0% | yes |
| cash | 0.0% | 0.0% | 0.0 points | 0.0% | 0.0% |  |
`, `
| trade | part | units | price (USD) | value (USD) | gain (USD) | tax (USD) |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| sell AAA main | 15.0% | 15 | 100.00 | 1,500.00 | +300.00 | 45.00 |
| buy BBB main | 15.0% | 30 | 50.00 | 1,500.00 | n/a | n/a |
`, `
| sold from | lot | acquired | term | units | cost basis (USD) | gain (USD) | tax (USD) |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: |
| AAA main | 2 | 2022-01-04 | long | 15 | 1,200.00 | +300.00 | 45.00 |
`)
}

// After the plan A is 60%, above a limit of 50%; before it was 75%.
func TestRebalancePlan_WhatBreaksALimitIsRefusedLoudly(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t, investor.QuestionLargestHolding, "50 %")
	res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil)
	toolstest.WantError(t, res, tool.CodeRefused, "largest_holding: The largest position, AAA, is 60%; your limit is 50%. Your portfolio already breaks it.")
	for name, text := range map[string]string{"ForUser": res.UserText(), "error": res.ErrorText()} {
		if !strings.HasPrefix(text, "**NO: refused by your limits") || !strings.Contains(text, "| sell AAA ") || !strings.Contains(text, "not a recommendation") {
			t.Errorf("%s = %q; want the no first, and the plan that was refused", name, text)
		}
	}
	model := toolstest.Object(t, res.ForModel)
	verdict := model["verdict"].(map[string]any)
	if verdict["refused"] != true || model["code"] != tool.CodeRefused || !strings.Contains(res.Summary, "NO") {
		t.Errorf("verdict for the model = %v, code %v, summary %q; want that it is refused", verdict, model["code"], res.Summary)
	}
}

func TestRebalancePlan_ABookThatBreaksALimitWithoutTradesIsNoError(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t, investor.QuestionLargestHolding, "50 %")
	res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.75, "BBB": 0.25}})
	if res.IsError || !strings.Contains(res.UserText(), "Your portfolio breaks your limits") || !strings.Contains(res.UserText(), "No trades") {
		t.Errorf("a plan without trades = error %v:\n%s", res.IsError, res.UserText())
	}
}

func TestRebalancePlan_WithoutAProfileIsGeneralAndSaysWhatIsMissing(t *testing.T) {
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(newRebalanceFixture().deps(t)), rebalancePlan, args{"full": true})
	verdict := value["verdict"].(map[string]any)
	missing := toolstest.Strings(t, verdict["missing"])
	if verdict["personal"] != false || len(missing) == 0 || !strings.Contains(res.UserText(), "This is general information, not personal advice") {
		t.Errorf("verdict = %v; want general information", verdict)
	}
	for _, want := range []string{"no investor profile is saved; create one: nfa profile", "No tax jurisdiction is set", "No tax rates are known", investor.QuestionHorizon} {
		if !strings.Contains(res.UserText(), want) {
			t.Errorf("ForUser lacks %q:\n%s", want, res.UserText())
		}
	}
	if _, known := value["cost"].(map[string]any)["tax"]; known {
		t.Errorf("cost = %v; a tax that is not known must be absent", value["cost"])
	}
}

func TestRebalancePlan_AnAccountAloneIsJudgedWithTheWholeBook(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t, investor.QuestionLargestHolding, "50 %")
	w.Accounts = append(w.Accounts, portfolio.NewAccount("other"))
	// 20000 of C next to: A is 6000 of 30000 after the plan, C two thirds.
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "other", "20000", "2022-01-03"), toolstest.Buy("5", "other", "CCC", "2000", "20000", "USD", "2022-01-04"))
	res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"accounts": []string{"main"}})
	toolstest.WantError(t, res, tool.CodeRefused, "The largest position, CCC, is 66.67%")
	if strings.Contains(res.UserText(), "| sell CCC") {
		t.Errorf("trades in an account that takes no part:\n%s", res.UserText())
	}
}

func TestRebalancePlan_WhatHasNoPriceIsRefusedByName(t *testing.T) {
	w := newRebalanceFixture()
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "5", "2022-01-04"), toolstest.Buy("5", "main", "GONE", "1", "5", "USD", "2022-01-05"))
	toolstest.WantError(t, toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil), tool.CodeNoData, "GONE")
	res := toolstest.Call(t, advice.SuitabilityTools(newRebalanceFixture().deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.5, "BBB": 0.1, "NEW": 0.4}})
	toolstest.WantError(t, res, tool.CodeNoData, "NEW")
}

func TestRebalancePlan_SampleAndOldPricesAreLoud(t *testing.T) {
	w := newRebalanceFixture()
	w.Series[0].Provenance = w.Series[0].Provenance.With(market.FlagSample)
	w.Clock = "2024-07-20T20:00:00Z"
	res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil)
	for _, want := range []string{"SAMPLE · markettest", "SAMPLE prices are not current market prices: AAA;", "Old prices: BBB (22 days)\n"} {
		if strings.Count(res.UserText(), want) != 1 {
			t.Errorf("ForUser has %q %d times, want once:\n%s", want, strings.Count(res.UserText(), want), res.UserText())
		}
	}
	if !strings.Contains(res.Summary, "SAMPLE") {
		t.Errorf("summary = %q; want SAMPLE", res.Summary)
	}
}

// 10 A bought in June at 130 are at a loss at 100. Selling them would be a wash sale because of the
// purchase ten days before.
func TestRebalancePlan_KeepsALossThatAPurchaseWouldWash(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	w.Transactions = []portfolio.Transaction{
		toolstest.Deposit("1", "main", "12000", "2022-01-03"), toolstest.Buy("2", "main", "AAA", "65", "8450", "USD", "2022-01-04"),
		toolstest.Buy("3", "main", "AAA", "10", "950", "USD", "2024-06-18"), toolstest.Buy("4", "main", "BBB", "50", "2600", "USD", "2022-01-04"),
	}
	w.Targets[0].Weight, w.Targets[1].Weight = toolstest.MustDecimal("0.3"), toolstest.MustDecimal("0.7")
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil)
	for _, trade := range value["trades"].([]any) {
		lots, _ := trade.(map[string]any)["lots"].([]any)
		for _, l := range lots {
			if l.(map[string]any)["lot"] == "2" {
				t.Errorf("the plan sells lot 2 at a loss that the purchase of 2024-06-18 washes: %v", trade)
			}
		}
	}
	if !strings.Contains(res.UserText(), "Lots of AAA at a loss are not sold: after the purchase of 2024-06-18, a sale until 2024-07-18 would be a wash sale") {
		t.Errorf("ForUser does not say why losses are kept:\n%s", res.UserText())
	}
}

// Part of the purchase of June is sold at a loss. The rest of the same purchase is no replacement:
// selling a part of one purchase only reduces a position (Rev. Rul. 56-602).
func TestRebalancePlan_ThePartOfOnePurchaseMayBeSoldAtALoss(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	w.Transactions[1] = toolstest.Buy("2", "main", "AAA", "75", "9750", "USD", "2024-06-18")
	w.Transactions[0] = toolstest.Deposit("1", "main", "13000", "2022-01-03")
	w.Targets[0].Weight, w.Targets[1].Weight = toolstest.MustDecimal("0.3"), toolstest.MustDecimal("0.7")
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil)
	if got := trades(t, value); len(got) != 2 || !strings.HasPrefix(got[0], "sell ") || !strings.HasSuffix(got[0], " AAA main") {
		t.Errorf("trades = %v; want a part of AAA sold for BBB", got)
	}
	if strings.Contains(res.UserText(), "Lots of AAA at a loss are not sold") {
		t.Errorf("the rest of the purchase is said to wash the loss of its own part:\n%s", res.UserText())
	}
}

// All of A is sold, including the purchase of June, so nothing is left to replace it.
func TestRebalancePlan_ALossIsTakenWhereTheReplacementIsSoldToo(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	w.Transactions[1] = toolstest.Buy("2", "main", "AAA", "75", "6000", "USD", "2024-06-18")
	w.Series[0] = flat("AAA", "70")
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0, "BBB": 1}})
	if got := trades(t, value); len(got) != 2 || got[0] != "sell 75 AAA main" {
		t.Errorf("trades = %v; want all of AAA sold", got)
	}
}

// A loss of 2024-06-20 would be disallowed by a purchase up to 2024-07-20.
func TestRebalancePlan_WhatWasSoldAtALossIsNotBoughtBackTooSoon(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "2000", "2022-01-05"), toolstest.Buy("5", "main", "CCC", "100", "2000", "USD", "2022-01-06"), portfolio.Transaction{
		ID: "6", Date: portfoliotest.Day("2024-06-20"), Kind: portfolio.KindSell, Account: "main", Symbol: "CCC", Quantity: toolstest.MustDecimal("100"), Amount: toolstest.MustDecimal("1000"), Currency: "USD",
	})
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.6, "BBB": 0.2, "CCC": 0.2}})
	for _, trade := range trades(t, value) {
		if strings.Contains(trade, "CCC") {
			t.Errorf("%s; a purchase would wash the loss of 2024-06-20", trade)
		}
	}
	if !strings.Contains(res.UserText(), "would cause a wash sale; possible from 2024-07-21") {
		t.Errorf("ForUser does not say when CCC may be bought:\n%s", res.UserText())
	}
}

// 10 SAP cost 1000 EUR at 1.25: 1250 USD. Their market value is 10 * 150 * 1.10 = 1650.
func TestRebalancePlan_CostsAreAtTheRateOfTheirDay(t *testing.T) {
	w := newSuitabilityFixture(portfolio.NewAccount("de"))
	w.profile = newProfile(t)
	sap := flat("SAP", "150")
	sap.Provenance.Currency = "EUR"
	w.Series = []market.Series{sap, flat("BBB", "50")}
	in := toolstest.Deposit("1", "de", "1000", "2022-01-03")
	bought := toolstest.Buy("2", "de", "SAP", "10", "1000", "USD", "2022-01-04")
	in.Currency, bought.Currency = "EUR", "EUR"
	w.Transactions = []portfolio.Transaction{in, bought}
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"SAP": 0, "BBB": 1}})
	sale := value["trades"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, sale, map[string]any{"value": "1650", "gain": "400", "tax": "60"})
}

func TestRebalancePlan_NewCashIsInvestedWithoutSelling(t *testing.T) {
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(newRebalanceFixture().deps(t)), rebalancePlan, args{"new_cash": 2500})
	// A has 12500 * 60% = 7500; 2500 is 50 of B.
	if diff := cmp.Diff([]string{"buy 50 BBB main"}, trades(t, value)); diff != "" {
		t.Errorf("trades (-want +got):\n%s", diff)
	}
}

func TestRebalancePlan_RefusesWhatMakesNoPlan(t *testing.T) {
	two := newRebalanceFixture()
	two.Accounts = append(two.Accounts, portfolio.NewAccount("other"))
	short := newRebalanceFixture()
	short.Targets = nil
	for _, tt := range []struct {
		name    string
		fixture suitabilityFixture
		in      args
		want    string
	}{
		{"no targets", short, nil, "nfa portfolio targets"},
		{"more than everything", newRebalanceFixture(), args{"targets": map[string]float64{"AAA": 0.9, "BBB": 0.2}}, "more than 1"},
		{"held without a target", newRebalanceFixture(), args{"targets": map[string]float64{"AAA": 0.9}}, "BBB in main has no target"},
		{"no symbol", newRebalanceFixture(), args{"targets": map[string]float64{"A|B": 0.9}}, "invalid symbol"},
		{"per cents", newRebalanceFixture(), args{"band": 5}, "write 5% as 0.05"},
		{"no aim", newRebalanceFixture(), args{"aim": "middle"}, "target or edge"},
		{"where the cash goes", two, args{"new_cash": 10}, "cash_account"},
		{"cash elsewhere", newRebalanceFixture(), args{"new_cash": 10, "cash_account": "else"}, "accounts: main"},
		{"an account without cash", newRebalanceFixture(), args{"cash_account": "main"}, "only for new_cash"},
		{"unknown account", newRebalanceFixture(), args{"accounts": []string{"else"}}, "choose from main"},
		{"no currency", newRebalanceFixture(), args{"currency": "dollars"}, "ISO 4217"},
		{"more than is there", newRebalanceFixture(), args{"new_cash": -20000}, "positions and cash are worth"},
		{"a huge number", newRebalanceFixture(), args{"new_cash": 1e300}, "too many digits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			toolstest.WantError(t, toolstest.Call(t, advice.SuitabilityTools(tt.fixture.deps(t)), rebalancePlan, tt.in), tool.CodeValidation, tt.want)
		})
	}
}

const portfolioCheckup = "portfolio_checkup"

func TestSuitabilityTools_AnEmptyBookSaysHowToBegin(t *testing.T) {
	for _, name := range []string{rebalancePlan, portfolioCheckup} {
		res := toolstest.Call(t, advice.SuitabilityTools(newSuitabilityFixture().deps(t)), name, nil)
		toolstest.WantError(t, res, tool.CodeNoData, "nfa portfolio import FILE")
	}
}

// With the clock set back, later purchases and later profiles are unknown.
func TestSuitabilityTools_AClockSetBackKnowsNothingOfLater(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t, investor.QuestionLargestHolding, "1 %")
	w.profile.UpdatedAt = portfoliotest.Day("2024-07-20")
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "1000", "2024-07-01"), toolstest.Buy("5", "main", "CCC", "100", "1000", "USD", "2024-07-02"))
	w.Securities = []portfolio.Security{{Symbol: "AAA", Region: "Atlantis", RecordedOn: portfoliotest.Day("2024-07-20")}}
	d := w.deps(t)
	d.Replay = true
	for _, name := range []string{rebalancePlan, portfolioCheckup} {
		res := toolstest.Call(t, advice.SuitabilityTools(d), name, nil)
		if res.IsError || strings.Contains(res.UserText(), "CCC") || strings.Contains(res.UserText(), "atlantis") || !strings.Contains(res.UserText(), "saved after the --as-of date") {
			t.Errorf("%s on 2024-06-28 = error %v, with what came later:\n%s", name, res.IsError, res.UserText())
		}
	}
}

// A plan without the newest transactions is for another portfolio. If the user did not set the
// clock back, this is the first warning.
func TestSuitabilityTools_AClockThatIsBehindIsToldOf(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "88888", "2024-07-01"))
	w.Series[0].Provenance = w.Series[0].Provenance.With(market.FlagSample)
	behind := w.deps(t)
	replay := w.deps(t)
	replay.Replay = true
	const warning = "1 of 4 transactions are not shown: they are dated after 2024-06-28"
	for _, name := range []string{rebalancePlan, portfolioCheckup} {
		res, value := toolstest.CallOK(t, advice.SuitabilityTools(behind), name, nil)
		output, _ := value["warnings"].([]any)
		if len(output) < 2 || !strings.HasPrefix(output[0].(string), warning) {
			t.Errorf("%s, the clock behind: warnings = %q; want first %q, and that prices are samples", name, output, warning)
		}
		if !strings.Contains(res.ModelText(), warning) || !strings.Contains(res.UserText(), warning) || strings.Contains(res.UserText(), "88888") {
			t.Errorf("%s, the clock behind, shows\n%s\nwant %q", name, res.UserText(), warning)
		}
		if res := toolstest.Call(t, advice.SuitabilityTools(replay), name, nil); res.IsError || strings.Contains(res.UserText(), "not shown") {
			t.Errorf("%s, the clock set back, shows\n%s\nwant no word of what is later", name, res.UserText())
		}
	}
}

// 100 C were sold on 2024-04-01 for 1000 less than they cost, and 40 bought back nine
// days later: 400 of the loss belong to those 40, which now cost 10 + 10 a share. The
// sale of 50 at 10 takes them first: 40 lose 400, 10 lose nothing.
func TestRebalancePlan_ADisallowedLossIsPartOfTheCost(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "2000", "2022-01-05"), toolstest.Buy("5", "main", "CCC", "100", "2000", "USD", "2022-01-06"), portfolio.Transaction{
		ID: "6", Date: portfoliotest.Day("2024-04-01"), Kind: portfolio.KindSell, Account: "main", Symbol: "CCC", Quantity: toolstest.MustDecimal("100"), Amount: toolstest.MustDecimal("1000"), Currency: "USD",
	}, toolstest.Buy("7", "main", "CCC", "40", "400", "USD", "2024-04-10"), toolstest.Buy("8", "main", "CCC", "10", "100", "USD", "2024-05-20"))
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.7, "BBB": 0.3, "CCC": 0}})
	for _, one := range value["trades"].([]any) {
		trade := one.(map[string]any)
		if trade["symbol"] != "CCC" {
			continue
		}
		toolstest.WantFields(t, trade, map[string]any{"side": "sell", "quantity": "50", "gain": "-400"})
		if !strings.Contains(res.UserText(), "Lot 7 of CCC replaced shares held since") {
			t.Errorf("the longer term is not told:\n%s", res.UserText())
		}
		return
	}
	t.Errorf("no sale of CCC in %v", trades(t, value))
}

// C35: AAA is left alone. Of the rest, BBB, CCC and cash keep the proportions of their targets: cash
// is 10 of 70, not 40.
func TestRebalancePlan_WhatIsLeftAloneIsOutOfBothSides(t *testing.T) {
	w := newRebalanceFixture()
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.3, "BBB": 0.6}, "leave": []string{"AAA"}})
	var got []string
	for _, row := range value["drift"].([]any) {
		target := toolstest.MustDecimal(row.(map[string]any)["target"].(string))
		got = append(got, fmt.Sprintf("%s %s", row.(map[string]any)["symbol"], target.StringFixed(4)))
	}
	if strings.Join(got, ", ") != "BBB 0.8571, cash 0.1429" {
		t.Errorf("targets = %v, want 60 and 10 of 70", got)
	}
}

// C36: FIFO sells the lot of 2020 with a gain of 500, taxed 100; the lot of 2023 has a gain of 50. The user
// reads both, the trades and one line of alternatives.
func TestRebalancePlan_SaysWhatChoosingLotsWouldSave(t *testing.T) {
	w := newRebalanceFixture()
	w.Transactions = []portfolio.Transaction{
		toolstest.Deposit("1", "main", "2000", "2020-01-02"),
		toolstest.Buy("2", "main", "AAA", "10", "500", "USD", "2020-01-03"), toolstest.Buy("3", "main", "AAA", "10", "950", "USD", "2023-01-03"),
	}
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.4, "BBB": 0.6}, "tax_short": 0.2, "tax_long": 0.2})
	cost := value["cost"].(map[string]any)
	due, chosen := toolstest.MustDecimal(cost["tax"].(string)), toolstest.MustDecimal(cost["tax_with_chosen_lots"].(string))
	if !chosen.LessThan(due) {
		t.Errorf("tax %s, with chosen lots %s; want less", due, chosen)
	}
	text := res.UserText()
	if !strings.Contains(text, "Naming the lots to your broker would lower the tax") || !strings.Contains(text, "lots by fifo") || strings.Count(text, "\n") > 24 {
		t.Errorf("the user reads %d lines\n%s\nwant a short plan that says what choosing lots saves", strings.Count(text, "\n"), text)
	}
}

// The answer is the trades and one line of alternatives, whose content is not a warning.
func TestRebalancePlan_ShowsTradesAndOneLineOfWhatWasConsidered(t *testing.T) {
	res := toolstest.Call(t, advice.SuitabilityTools(newRebalanceFixture().deps(t)), rebalancePlan, args{})
	text := res.UserText()
	for _, unwanted := range []string{"No tax jurisdiction is set", "No tax rates are known", "no investor profile is saved"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the answer repeats %q:\n%s", unwanted, text)
		}
	}
	if n := strings.Count(text, "Considered: "); n != 1 || !strings.Contains(text, "no tax rates, 1 of 9 limits, an incomplete profile (nfa profile)") {
		t.Errorf("%d lines of what was considered, want 1:\n%s", n, text)
	}
	// The trades, the line and the source.
	trades := strings.Count(text, "\n| buy") + strings.Count(text, "\n| sell")
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "|") {
			lines = append(lines, line)
		}
	}
	if trades == 0 || len(lines) != 3 || !strings.HasPrefix(lines[0], "Considered: ") || !strings.Contains(lines[2], "No order is placed") {
		t.Errorf("%d trades and the lines %q; want trades, what was considered, the source and the notice:\n%s", trades, lines, text)
	}
	for _, n := range res.Notes {
		if n.Code == "no_tax_rates" || !n.Warning && n.Code != tool.CodeNotice {
			t.Errorf("note %q: %s; want only warnings and the notice", n.Code, n.Text)
		}
	}
}

// At most three warnings are shown below a plan; --full shows all.
func TestRebalancePlan_ShowsAtMostThreeWarnings(t *testing.T) {
	w := newRebalanceFixture()
	for i := range 5 { // the cash of each account is missing from the plan
		account := portfolio.NewAccount(fmt.Sprint("account-", i))
		account.Cash = portfolio.CashUntracked
		w.Accounts = append(w.Accounts, account)
		w.Transactions = append(w.Transactions, toolstest.Buy(account.Name, account.Name, "AAA", "1", "80", "USD", "2023-01-03"))
	}
	count := func(in args) (n int) {
		for _, note := range toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, in).Notes {
			if note.Warning {
				n++
			}
		}
		return n
	}
	brief, full := count(args{}), count(args{"full": true})
	if brief > 3 || full <= 3 {
		t.Errorf("%d warnings, and %d of the whole plan; want at most 3 and all", brief, full)
	}
}

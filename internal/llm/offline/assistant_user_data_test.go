package offline_test

import (
	"strings"
	"testing"
)

// positionsResult is the result of portfolio_positions for a small portfolio: 10 * 120.05 + 1,050.
const positionsResult = `{"day":"2026-11-20","currency":"USD","accounts":["broker"],"warnings":["OLD: the newest price of AAA is of 2022-06-28"],"total":"2250.5","whole":true,
"oldest_price":"2022-06-28","gain_base":"-199.5","gain_base_pct":"-14.25","positions":[{"symbol":"AAA","name":"A | Co","accounts":["broker"],"quantity":"10","price":"120.05",
"value_base":"1200.5","weight_pct":"53.34","gain_base":"-199.5","gain_base_pct":"-14.25","currency":"USD","source":"made up","as_of":"2022-06-28","flags":["sample"],"note":"Monthly close"}],
"cash":[{"account":"broker","currency":"USD","amount":"1050","value_base":"1050","weight_pct":"46.66"}],"unvalued":[],"notes":["splits could not be checked"]}`

// userDataAnswer runs a question about the portfolio whose one call returns result.
func userDataAnswer(t *testing.T, question, result string) string {
	t.Helper()
	c := newUserDataChat(t)
	c.ask(question)
	m := c.give(result)
	if len(m.ToolCalls) > 0 {
		t.Fatalf("after the result of %q it calls again: %v", question, shown(m.ToolCalls))
	}
	return m.Content
}

func TestOwnAnswer_PositionsInTheirDigits(t *testing.T) {
	got := userDataAnswer(t, "show my portfolio", positionsResult)
	wantEvery(t, got, "Your book on 2026-11-20 (broker) is worth **2,250.50 USD**, its oldest price being of 2022-06-28. Unrealised gain: -199.50 USD (-14.25%).",
		`| **AAA** A \| Co | 10 | 120.05 USD | 2022-06-28 | 1,200.50 USD | 53.34% | -199.50 USD (-14.25%) |`, "| cash, broker | 1,050 USD |  |  | 1,050 USD | 46.66% |  |",
		"Splits could not be checked.", "SAMPLE made up, as of 2022-06-28. Monthly close.")
	if !strings.HasPrefix(got, "! OLD: the newest price of AAA is of 2022-06-28.") {
		t.Errorf("the warning does not stand first:\n%s", got)
	}
	wantAbsent(t, got, "n/a", "Not everything has a value")
}

func TestOwnAnswer_PositionsOfOneSymbol(t *testing.T) {
	other := changed(t, positionsResult, map[string]any{"positions": []map[string]any{{"symbol": "AAPL", "quantity": "3"}, {"symbol": "MSFT", "quantity": "4"}}})
	got := userDataAnswer(t, "how many AAPL do I own", other)
	wantEvery(t, got, "| **AAPL**  | 3 |")
	wantAbsent(t, got, "MSFT", "cash, broker")
	wantEvery(t, userDataAnswer(t, "how many IBM do I own", other), "The book holds no `IBM`.")
}

func TestOwnAnswer_WhatHasNoValueIsNotPartOfTheTotal(t *testing.T) {
	got := userDataAnswer(t, "show my portfolio", changed(t, positionsResult, map[string]any{
		"whole": false, "unvalued": []map[string]any{{"what": "ZZZ", "reason": "no source prices it", "do": `name it: portfolio_settings {"aliases":{"ZZZ":"SYMBOL"}} (nfa portfolio name)`}, {"what": "YYY", "reason": "no rate", "do": ""}},
		"warnings": []string{`3 entries are dated later: edit_transaction {"id":"e1"} (nfa portfolio edit e1)`},
	}))
	wantEvery(t, got, "! Not everything has a value; total and weights are of the rest.", "- **ZZZ**: no source prices it. Name it: nfa portfolio name.\n- **YYY**: no rate.\n",
		"! 3 entries are dated later: nfa portfolio edit e1.")
}

func TestOwnAnswer_HiddenAmountsAreSaidToBeHidden(t *testing.T) {
	got := userDataAnswer(t, "show my portfolio", changed(t, positionsResult, map[string]any{
		"total": absentField, "gain_base": absentField, "positions": []map[string]any{{"symbol": "AAA", "weight_pct": "53.34", "gain_base_pct": "-14.25"}},
		"cash": []any{}, "notes": []string{"amounts are hidden by the user's setting (share_amounts): do not ask for them"},
	}))
	wantEvery(t, got, "Amounts are kept from the assistant by your setting `share_amounts`", "Your book on 2026-11-20 (broker), without its sum", "| 53.34% | -14.25% |")
	wantAbsent(t, got, "do not ask for them", "USD")
}

func TestOwnAnswer_AnEmptyPortfolioIsSaidWithWhatToDo(t *testing.T) {
	const empty = `{"error":"the book is empty; record a purchase with add_transaction (nfa portfolio add)","code":"no_data"}`
	for _, question := range []string{"show my portfolio", "my allocation", "how has my portfolio done", "check my portfolio", "rebalance", "my lots", "my watchlist", "review my decisions"} {
		got := userDataAnswer(t, question, empty)
		wantEvery(t, got, "the book is empty; record a purchase with nfa portfolio add.")
		wantAbsent(t, got, "another symbol or range")
	}
}

const allocationResult = `{"day":"2026-11-20","currency":"USD","accounts":["broker"],"warnings":[],"total":"2250.5","whole":true,"dimensions":[
{"by":"class","parts":[{"name":"equity","weight_pct":"53.34","value":"1200.5"},{"name":"cash","weight_pct":"46.66","value":"1050"}]},
{"by":"region","parts":[{"name":"not known","weight_pct":"53.34","value":"1200.5","symbols":["AAA"]}]}],
"drift":[{"symbol":"AAA","weight_pct":"53.34","target_pct":"60","drift_pp":"-6.66"},{"symbol":"BBB","weight_pct":"0"}],"unvalued":[],
"notes":["the region of AAA is not known; to say what it is: portfolio_settings {\"securities\":[]} (nfa portfolio facts AAA)","the class of BBB is not known; to say it: portfolio_settings {\"a\":{\"b\":1}} (nfa portfolio facts BBB)"],"prices":[{"symbol":"AAA","source":"made up","as_of":"2022-06-28","flags":["sample"]}]}`

func TestOwnAnswer_AllocationWithDriftAndWhatIsNotKnown(t *testing.T) {
	got := userDataAnswer(t, "my allocation", allocationResult)
	wantEvery(t, got, "| class: equity | 53.34% | 1,200.50 USD |", "| **AAA** | 53.34% | 60% | -6.66 |", "| **BBB** | 0% | n/a | n/a |", "The region of AAA is not known; to say what it is: nfa portfolio facts AAA. The class of BBB is not known; to say it: nfa portfolio facts BBB.",
		"What is not known of region you can say: `nfa portfolio facts --help`.", "SAMPLE made up, as of 2022-06-28")
	wantAbsent(t, got, "ask the user", "portfolio_settings")
	wantEvery(t, userDataAnswer(t, "the allocation of AAPL in my portfolio", allocationResult), "! The answer is of all that you keep, not of `AAPL` alone.")
}

const performanceResult = `{"currency":"USD","to":"2026-11-20","accounts":["broker"],"warnings":[],"windows":[
{"name":"1 year","why":"the book begins on 2026-01-05"},
{"name":"since inception","from":"2026-01-04","to":"2026-11-20","start":"0","end":"2250.5","net_flow":"2000","returns":[{"method":"time_weighted","pct":"12.53"},
{"method":"money_weighted","pct":"12.6"},{"method":"modified_dietz","why":"a made-up reason"}],
"attribution":{"effects":[{"name":"price","amount":"260.5","pct":"13.03"},{"name":"fees","amount":"-10","pct":"-0.5"},{"name":"gain","amount":"250.5","pct":"12.53"}]},
"contributions":[{"of":"AAA","gain":"250.5","pct":"12.53"}],
"benchmark":{"symbol":"VTI","kind":"total return, hypothetical","end":"2200","ahead":"50.5","returns":[{"method":"time_weighted","pct":"10"}],"ahead_time_weighted_pp":"2.53"}}],
"gaps":[{"what":"CCC","from":"2026-02-01","to":"2026-03-01","why":"no prices"}],"notes":[],"prices":[{"symbol":"AAA","source":"made up","as_of":"2026-11-20","flags":[]}]}`

func TestOwnAnswer_PerformanceNamesMethodsReasonsAndTheBenchmark(t *testing.T) {
	got := userDataAnswer(t, "how has my portfolio done against VTI", performanceResult)
	wantEvery(t, got, "|  | from | to | time-weighted | money-weighted | Modified Dietz | worth at the start | paid in, net | worth at the end |",
		"| since inception | 2026-01-04 | 2026-11-20 | +12.53% | +12.6% | n/a | 0 USD | 2,000 USD | 2,250.50 USD |", "! **1 year**: the book begins on 2026-01-05.",
		"! **since inception**: a made-up reason.", "The same money at the same times in **VTI** (total return, hypothetical):", "| since inception | +10% | n/a | +2.53 | n/a | 2,200 USD | +50.50 USD |",
		"Where it came from, since inception: price +260.50 USD (+13.03%); fees -10 USD (-0.5%); gain +250.50 USD (+12.53%).", "| AAA | +250.50 USD (+12.53%) |",
		"! CCC from 2026-02-01 to 2026-03-01: no prices.")
	wantAbsent(t, got, "a year,")
}

const checkupResult = `{"as_of":"2026-11-20","currency":"USD","failed":1,"passed":1,"not_judged":1,"rules":[
{"rule":"largest_holding","measures":"largest single holding","outcome":"fail","number":"0.533437","threshold":"0.1","bound":"at most","unit":"fraction","threshold_from":"a convention","meaning":"Half of the book is AAA."},
{"rule":"priced","measures":"holdings without a worth","outcome":"pass","number":"0","threshold":"0","unit":"holdings"},
{"rule":"drift","measures":"largest drift","outcome":"not judged","number":null,"unit":"fraction","missing":"there are no targets","mend":"set them: nfa portfolio targets"}],
"notes":["SAMPLE: the prices are not those of the market now"],"note":"Facts about the book, not advice","sources":[{"source":"made up","as_of":"2022-06-28","flags":["sample"]}]}`

func TestOwnAnswer_CheckupTellsFailuresAndWhatIsNotJudged(t *testing.T) {
	wantEvery(t, userDataAnswer(t, "check my portfolio", checkupResult), "**1 fail**, 1 pass, 1 not judged", "! SAMPLE: the prices are not those of the market now.",
		"| largest single holding | 53.34% | at most 10% |", "- largest single holding: Half of the book is AAA. Threshold: a convention.",
		"- largest drift: there are no targets. Set them: nfa portfolio targets.", "Passed: holdings without a worth.", "Facts about the book, not advice.", "SAMPLE made up")
}

const rebalanceResult = `{"as_of":"2026-11-20","currency":"USD","verdict":{"decision":"No limit is broken","refused":false,"rules":[],"personal":false,"basis":["This is general information."]},
"drift":[{"symbol":"AAA","weight":"0.533437","target":"0.6","band":"0.05","outside":true,"weight_after":"0.586800"}],
"trades":[{"side":"buy","account":"broker","symbol":"AAA","part":"0.053343","quantity":"1","price":"120.05","value":"120.05"}],
"left_out":[{"side":"sell","symbol":"BBB","part":"0.01","reason":"a wash sale","possible_from":"2026-12-02"}],"cost":{"turnover":"0","bought_part":"0.053343","sold_part":"0","fees":"1.5"},
"warnings":["prices move"],"note":"Nothing is ordered. Not advice","sources":[]}`

func TestOwnAnswer_APlanOfTradesWithItsCosts(t *testing.T) {
	got := userDataAnswer(t, "rebalance my portfolio to 60/40", rebalanceResult)
	wantEvery(t, got, "! The numbers in your question were not used", "! prices move.", "Plan for your book of 2026-11-20, to its targets. No limit is broken.", "This is general information.",
		"| buy **AAA**, broker | 1 | 120.05 USD | 120.05 USD | 5.33% | n/a |", "| **AAA** | 53.34% | 60% | 5% | yes | 58.68% |", "Bought 5.33% and sold 0% of the whole; fees 1.50 USD; tax: n/a.",
		"- left out: sell BBB, 1% of the whole: a wash sale. Possible from 2026-12-02.", "Nothing is ordered. Not advice.")
	wantAbsent(t, userDataAnswer(t, "rebalance my portfolio", rebalanceResult), "The numbers in your question")
	wantEvery(t, userDataAnswer(t, "rebalance", changed(t, rebalanceResult, map[string]any{"trades": []any{}, "no_trades_because": "all is within its band"})), "No trades: all is within its band.")
}

func TestOwnAnswer_ARefusedPlanIsANoWithoutItsTrades(t *testing.T) {
	refused := changed(t, rebalanceResult, map[string]any{"code": "refused", "verdict": map[string]any{
		"decision": "NO: refused by your limits", "refused": true, "basis": []string{"This is general information."},
		"rules": []map[string]any{{"rule": "largest_holding", "outcome": "fail", "outcome_before": "pass", "why": "AAA is 58.68 %; your limit is 40 %."}, {"rule": "weights", "outcome": "pass"}},
	}})
	got := userDataAnswer(t, "rebalance my portfolio", `{"error":"NO: refused by your limits",`+refused[1:])
	if !strings.HasPrefix(got, "**NO: refused by your limits.**") {
		t.Errorf("the NO does not stand first:\n%s", got)
	}
	wantEvery(t, got, "- largest_holding: AAA is 58.68 %; your limit is 40 %. Before the plan: pass.", "its trades are no suggestion", "`nfa profile`")
	wantAbsent(t, got, "buy **AAA**", "120.05", "was not run", "Before the plan: n/a")

	denied := userDataAnswer(t, "rebalance my portfolio", `{"error":"the user said no","code":"refused"}`)
	wantEvery(t, denied, "Understood: `rebalance_plan` was not run")
}

const lotsResult = `{"kind":"harvest","day":"2026-11-20","currency":"USD","jurisdiction":"us","warnings":[],"lots":[{"account":"broker","symbol":"AAA","acquired":"2026-01-05","quantity":"10",
"cost_base":"1400","value_base":"1200.5","gain_base":"-199.5","gain_base_pct":"-14.25","term":"short","long_from":"2027-01-06","harvest":{"status":"blocked","sell_from":"2026-12-02",
"buy_from":"2026-12-21","blocked_by":[{"account":"savings","date":"2026-11-01T00:00:00Z"}]}},{"account":"broker","symbol":"BBB","acquired":"2025-01-05","gain_absent":"its cost is not known"}],
"notes":["options are not seen"],"prices":[{"symbol":"AAA","source":"made up","as_of":"2026-11-20","flags":["stale"]}]}`

func TestOwnAnswer_LotsToHarvestWithWhatBlocksThem(t *testing.T) {
	got := userDataAnswer(t, "which lots are at a loss", lotsResult)
	wantEvery(t, got, "by the rules of US", "| **AAA**, broker | 2026-01-05 | 10 | 1,400 USD | 1,200.50 USD | -199.50 USD (-14.25%) | short, long from 2027-01-06 | blocked | 2026-12-02 | 2026-12-21 |",
		"! The loss of AAA of 2026-01-05 would be disallowed by the purchase of 2026-11-01 in savings.", "! BBB of 2025-01-05: its cost is not known.", "Options are not seen.",
		"not tax advice", "STALE made up")
	lawless := userDataAnswer(t, "which lots are at a loss", changed(t, lotsResult, map[string]any{"jurisdiction": absentField}))
	wantEvery(t, lawless, "by no tax rules")
	wantAbsent(t, lawless, "2026-12-02", "2026-12-21")
	wantEvery(t, userDataAnswer(t, "my lots", `{"kind":"open","day":"2026-11-20"}`), "There are none of that kind.")
}

func TestOwnAnswer_SalesAndWashSales(t *testing.T) {
	wantEvery(t, userDataAnswer(t, "my capital gains in 2025", `{"kind":"closed","day":"2026-11-20","currency":"USD","jurisdiction":"us","sales":[{"account":"broker","symbol":"AAA","acquired":"2024-01-05",
		"sold":"2025-02-03","quantity":"5","proceeds":"870","currency":"USD","cost":"208","gain":"662","gain_pct":"318.27","term":"long"}],
		"years":[{"year":2025,"term":"long","currency":"USD","sales":2,"disallowed":"0","gain":"662","unknown":1}]}`),
		"| **AAA**, broker | 2024-01-05 | 2025-02-03 | 5 | 870 USD | 208 USD | +662 USD (+318.27%) | long |", "| 2025 | long | 2 | 0 USD | 662 USD, without 1 of unknown gain |")
	wantEvery(t, userDataAnswer(t, "my wash sales", `{"kind":"wash","day":"2026-11-20","jurisdiction":"us","wash_sales":[{"symbol":"AAA","date":"2026-03-02T00:00:00Z","disallowed":"50","currency":"USD",
		"replacement_symbol":"AAA","replacement_date":"2026-03-09T00:00:00Z","replacement_account":"savings"}],"losses_still_open":[{"symbol":"BBB","sold":"2026-11-02","buy_from":"2026-12-03"}]}`),
		"- The loss on AAA, sold on 2026-03-02, is disallowed by 50 USD: the purchase of AAA on 2026-03-09 in savings.", "- The loss on BBB, sold on 2026-11-02, would be disallowed by a purchase before 2026-12-03.")
	wantEvery(t, userDataAnswer(t, "my wash sales", `{"kind":"wash","day":"2026-11-20"}`), "No wash sale is seen in the book.")
}

func TestOwnAnswer_TheWatchlistTellsItsTargets(t *testing.T) {
	wantEvery(t, userDataAnswer(t, "my watchlist", `{"watches":[{"symbol":"AAA","name":"A","watch_note":"look <again>","price":"120.05","currency":"USD","source":"made up","as_of":"2026-11-20","flags":[],
		"targets":[{"side":"below","price":"130","currency":"USD","reached":true,"distance_pct":"0"},{"side":"above","price":"150.5","currency":"USD","reached":false,"distance_pct":"25.36"}]},
		{"symbol":"BBB","price":null,"targets":[{"side":"below","price":"5","currency":"USD","reached":null,"reason":"there is no price"}],"error":"no source prices BBB"}],"reached":1}`),
		"| **AAA** A | 120.05 USD | 2026-11-20 | below 130 USD: **reached**; above 150.50 USD: not reached, the price must move +25.36% | look \\<again> |",
		"| **BBB** | n/a | n/a | below 5 USD: not judged, there is no price |", "! BBB: no source prices BBB.", "nfa does not alert", "made up, as of 2026-11-20")
}

func TestOwnAnswer_AReviewTellsScoresReasonsAndWhatIsDue(t *testing.T) {
	wantEvery(t, userDataAnswer(t, "review my decisions", `{"day":"2026-11-20","summary":{"says":"1 of 2 judged decisions right, too few for a rate (from 5 on) · 1 due"},"scores":[
		{"date":"2026-01-05","decision":"buy","symbols":["AAA"],"to":"2026-11-19","return_pct":"12.5","benchmark_pct":"10","edge_pct":"2.5","right":true,"due":true,"thesis":"it grows","disproof":"it shrinks",
		"return_kind":"price return, no dividends","notes":[]},
		{"date":"2025-01-05","decision":"sell","symbols":["BBB"],"right":null,"due":false,"notes":["no benchmark: neither right nor wrong can be said"]}],"prices":[{"symbol":"AAA","source":"made up","as_of":"2026-11-19"}]}`),
		"scored on 2026-11-20: 1 of 2 judged decisions right, too few for a rate (from 5 on) · 1 due.", "| 2026-01-05, buy **AAA** | 2026-11-19 | +12.5% | +10% | +2.5% | yes |",
		"| 2025-01-05, sell **BBB** | n/a | n/a | n/a | n/a | n/a |", "is **due**. You wrote: “it grows” What would disprove it: “it shrinks”", "no benchmark: neither right nor wrong", "price return, no dividends")
}

func TestOwnAnswer_TheProfileTellsAnswersGapsAndContradictions(t *testing.T) {
	wantEvery(t, userDataAnswer(t, "my profile", `{"known":true,"factors":[{"factor":"horizon","answers":[{"id":"horizon","answer":"2036"}],"unknown":[]},{"factor":"age","answers":[],"unknown":["birth_year"]}],
		"risk_tolerance":{"score":"40","level":"cautious"},"inconsistencies":[{"says":"two answers differ","suggests":"look at both again"}],
		"advice":[{"kind":"rebalance","personal":false,"sentence":"This is general information."}],"source":"investor profile","as_of":"2026-11-20"}`),
		"| horizon: horizon | 2036 |", "Risk tolerance: **cautious**, 40 on a scale", "! two answers differ. Look at both again.", "Not known: age (birth_year).", "- rebalance: This is general information.",
		"investor profile, as of 2026-11-20")
	wantEvery(t, userDataAnswer(t, "my profile", `{"known":false,"factors":[]}`), "Nothing is known of you as an investor yet", "`nfa profile ask`")
}

func TestOwnAnswer_AbsentNumbersAreNeverInvented(t *testing.T) {
	for _, question := range []string{"show my portfolio", "my allocation", "how has my portfolio done", "check my portfolio", "my lots", "my watchlist", "review my decisions", "my profile"} {
		if got := userDataAnswer(t, question, `{"day":"soon","windows":[{}],"positions":[{}],"rules":[{}],"lots":[{}],"watches":[{"targets":[{}]}],"scores":[{}]}`); strings.ContainsAny(got, "0123456789") {
			t.Errorf("a digit from nowhere for %q:\n%s", question, got)
		}
	}
}

func TestOwnAnswer_LongListsAreCutAndItIsSaid(t *testing.T) {
	many := strings.Repeat(`{"symbol":"AAA","quantity":"1"},`, 60)
	got := userDataAnswer(t, "show my portfolio", `{"day":"2026-11-20","positions":[`+strings.TrimSuffix(many, ",")+`]}`)
	wantEvery(t, got, "! This is not all")
	if n := strings.Count(got, "| **AAA**"); n != 40 {
		t.Errorf("%d rows, want 40", n)
	}
}

package advice_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newDecision returns a decision of a day with a benchmark, "" for none.
func newDecision(t testing.TB, id string, action investor.DecisionAction, sym, against market.Symbol, day string) investor.Decision {
	t.Helper()
	d := investor.Decision{
		ID: id, Date: toolstest.MustDay(day), Action: action, Assets: []investor.PricedAsset{{Symbol: sym}},
		Thesis: "cheap and broad", Invalidation: "earnings fall",
	}
	if against != "" {
		d.Benchmark = &investor.PricedAsset{Symbol: against}
	}
	return d
}

func (w *journalFixture) save(t testing.TB, all ...investor.Decision) {
	t.Helper()
	for _, d := range all {
		if err := w.PutDecision(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}

// scores returns the scores of a review by the ids of their decisions, in hundredths of a percent.
func scores(got map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, s := range got["scores"].([]any) {
		s := s.(map[string]any)
		out[s["id"].(string)] = inHundredths(s)
	}
	return out
}

// inHundredths rounds the percentages of an answer.
func inHundredths(answer map[string]any) map[string]any {
	for name, v := range answer {
		if text, ok := v.(string); ok && strings.HasSuffix(name, "_pct") {
			answer[name] = toolstest.MustDecimal(text).Round(2).String()
		}
	}
	return answer
}

// VTI rose from 100 to 120 and BND from 50 to 51: 20% and 2%. The sale of VTI and the purchase of
// BND were wrong, so three of five are right: 60%, with a Wilson interval of (9.841459 ± 5.761580)
// / 17.682918 = 0.2307 and 0.8824. The edges are 18 three times and -18 twice, on average 3.6. The
// squares of confidence minus result are 0.09, 0.49, 0, 0.25 and 0.81, on average 0.328.
func TestReview_AWorkedExample(t *testing.T) {
	w := newJournalFixture(t)
	for i, c := range []struct {
		action       investor.DecisionAction
		sym, against market.Symbol
		confidence   string
	}{
		{investor.ActionBuy, "VTI", "BND", "0.7"}, {investor.ActionSell, "VTI", "BND", "0.7"}, {investor.ActionHold, "VTI", "BND", "1"},
		{investor.ActionAvoid, "BND", "VTI", "0.5"}, {investor.ActionBuy, "BND", "VTI", "0.9"},
	} {
		d := newDecision(t, string(rune('a'+i)), c.action, c.sym, c.against, "2024-06-24")
		d.Confidence = decimal.NewNullDecimal(toolstest.MustDecimal(c.confidence))
		w.save(t, d)
	}
	res, got := w.mustCall(t, args{"action": "review"})
	if low := got["summary"].(map[string]any)["hit_rate_low_pct"]; low != "23.072428127601294" {
		t.Errorf("low end of the interval = %v, want every digit", low)
	}
	if diff := cmp.Diff(map[string]any{
		"decisions": 5.0, "judged": 5.0, "right": 3.0, "hit_rate_pct": "60", "hit_rate_low_pct": "23.07", "hit_rate_high_pct": "88.24",
		"mean_edge_pct": "3.6", "brier": "0.328", "confidents": 5.0, "due": 0.0, "says": "3 of 5 judged decisions were right (60.0%, 95% interval 23.1% to 88.2%) · 0 due",
	}, inHundredths(got["summary"].(map[string]any))); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	toolstest.WantFields(t, scores(got)["b"], map[string]any{
		"from": "2024-06-24", "to": "2024-06-28", "days": 4.0, "return_pct": "20", "benchmark_pct": "2", "excess_pct": "18", "edge_pct": "-18",
		"right": false, "return_kind": "total return, dividends reinvested", "return_a_year_pct": nil, "due": false,
	})
	// The newest comes first, so a is the last of five and b the one before it.
	for id, want := range map[string]string{
		"scores.4.return_pct": "20 %", "scores.4.benchmark_pct": "2 %", "scores.4.excess_pct": "18 points", "scores.3.edge_pct": "-18 points",
		"summary.hit_rate_pct": "60 %", "summary.mean_edge_pct": "3.6 points",
	} {
		if f := toolstest.Figure(t, res, id); f.Value.Round(8).String()+" "+f.Unit != want || f.Formula == "" || len(f.Inputs) == 0 || f.Source == "" || f.AsOf.IsZero() {
			t.Errorf("%s = %+v, want %s with formula, inputs, source and date", id, f, want)
		}
	}
	if f := toolstest.Figure(t, res, "scores.4.return_pct"); f.Inputs[1] != "last close adjusted for dividends of VTI 120 on 2024-06-28" {
		t.Errorf("inputs = %q", f.Inputs)
	}
	if want := "3 of 5 judged decisions were right (60.0%, 95% interval 23.1% to 88.2%); mean edge +3.6 points; 0 due."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	if diff := cmp.Diff(reviewText, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// reviewText is the table of the worked example.
const reviewText = `**journal review · 2024-06-28**

| measure | value | basis |
| --- | ---: | --- |
| hit rate | 60.0% | right / judged |
| mean edge over the benchmark | +3.6 points | sum of the edges / judged |
| judged | 5 decisions | number of right or wrong decisions |
| due for review | 0 decisions | number of open decisions whose review date has passed |
| reviewed | 5 decisions |  |
| right | 3 decisions | number of decisions with an edge above zero; for hold, zero or above |
| hit rate, low end of the 95% interval | 23.1% | Wilson 1927 |
| hit rate, high end of the 95% interval | 88.2% | Wilson 1927 |
| Brier score of your confidence | 0.328 | 0 is perfect, 0.25 is a coin |

**Decisions**

| decision | period (days) | return | against | benchmark return | edge | result | state | id |
| --- | ---: | ---: | --- | ---: | ---: | --- | --- | --- |
| 2024-06-24 buy BND | 4 | +2.0% | VTI | +20.0% | -18.0 points | wrong | open | e |
| 2024-06-24 avoid BND | 4 | +2.0% | VTI | +20.0% | +18.0 points | right | open | d |
| 2024-06-24 hold VTI | 4 | +20.0% | BND | +2.0% | +18.0 points | right | open | c |
| 2024-06-24 sell VTI | 4 | +20.0% | BND | +2.0% | -18.0 points | wrong | open | b |
| 2024-06-24 buy VTI | 4 | +20.0% | BND | +2.0% | +18.0 points | right | open | a |

decision journal, recorded by the user, markettest · 2024-06-24 to 2024-06-28
`

func TestReview_TooFewSaySoAndOnesThatAreDueAreLookedAt(t *testing.T) {
	w := newJournalFixture(t)
	d := newDecision(t, "a", investor.ActionBuy, "VTI", "BND", "2024-06-24")
	d.ReviewOn = toolstest.MustDay("2024-06-27")
	later := newDecision(t, "b", investor.ActionBuy, "VTI", "BND", "2024-06-25")
	later.ReviewOn = toolstest.MustDay("2024-06-29")
	w.save(t, d, later)
	res, got := w.mustCall(t, args{"action": "review"})
	toolstest.WantFields(t, got["summary"].(map[string]any), map[string]any{
		"hit_rate_pct": nil, "mean_edge_pct": nil, "brier": nil, "due": 1.0, "says": "2 of 2 judged decisions were right; a rate requires at least 5 · 1 due",
	})
	if s := scores(got); s["a"]["disproof"] != "earnings fall" || s["b"]["disproof"] != nil {
		t.Errorf("disproofs %v and %v, want that of the one that is due", s["a"]["disproof"], s["b"]["disproof"])
	}
	toolstest.WantParts(t, "text", res.UserText(), "due since 2024-06-27 (`a`)", "what would disprove it: earnings fall", "| due since 2024-06-27 | a |")
	if _, got = w.mustCall(t, args{"action": "review", "id": "b"}); len(scores(got)) != 1 || scores(got)["b"]["disproof"] == nil {
		t.Errorf("review of b = %v", scores(got))
	}
}

// A decision of today, or without a direction, is neither right nor wrong.
func TestReview_WhatCannotBeJudgedIsCountedAndNotJudged(t *testing.T) {
	w := newJournalFixture(t)
	w.mustCall(t, buyArgs(args{"confidence": 0.5}))
	w.save(t, newDecision(t, "other", investor.ActionOther, "VTI", "BND", "2024-06-24"), newDecision(t, "alone", investor.ActionBuy, "VTI", "", "2024-06-24"),
		newDecision(t, "abroad", investor.ActionBuy, "VTI", "SAP", "2024-06-24"))
	res, got := w.mustCall(t, args{"action": "review"})
	toolstest.WantFields(t, got["summary"].(map[string]any), map[string]any{"decisions": 4.0, "judged": 0.0, "right": 0.0, "confidents": 0.0})
	for id, why := range map[string]string{"d1": "less than a day has passed", "other": "no direction", "alone": "no benchmark", "abroad": "one is in USD, the other in EUR"} {
		if s := scores(got)[id]; s["right"] != nil || !strings.Contains(toolstest.JSON(t, s["notes"]), why) {
			t.Errorf("%s = %v, want no judgment: %s", id, s, why)
		}
		toolstest.WantParts(t, "text", res.UserText(), why)
	}
}

// A decision of a Sunday counts from the close of the Friday before.
func TestReview_ADayWithoutACloseCountsFromTheOneBefore(t *testing.T) {
	fri := toolstest.MustDay("2024-06-21")
	w := newJournalFixture(t, markettest.Daily("FRI", fri, "100", "200", "200", "200", "200", "110"))
	w.save(t, newDecision(t, "a", investor.ActionBuy, "FRI", "", "2024-06-23"))
	_, got := w.mustCall(t, args{"action": "review"})
	toolstest.WantFields(t, scores(got)["a"], map[string]any{"from": "2024-06-21", "return_pct": "10"})
}

// Several assets have equal weights: the mean of 20% and 2% is 11%.
func TestReview_SeveralAssetsAreTakenTogether(t *testing.T) {
	idle := markettest.Daily("IDLE", toolstest.MustDay("2024-06-24"), "5", "5", "5", "5", "5")
	w := newJournalFixture(t, idle)
	d := newDecision(t, "a", investor.ActionBuy, "VTI", "IDLE", "2024-06-24")
	d.Assets = append(d.Assets, investor.PricedAsset{Symbol: "BND"})
	w.save(t, d)
	res, got := w.mustCall(t, args{"action": "review"})
	toolstest.WantFields(t, scores(got)["a"], map[string]any{"return_pct": "11", "benchmark_pct": "0", "right": true})
	if f := toolstest.Figure(t, res, "scores.0.return_pct"); len(f.Inputs) != 4 || !strings.HasPrefix(f.Formula, "mean of") {
		t.Errorf("figure = %+v, want the closes of both", f)
	}
}

// A dividend of 1 on a close of 100 adjusts the closes before it to 99: 110 / 99 - 1 is 11.11%,
// while the price alone rose by 10%.
func TestReview_DividendsCountWhereAllAreTold(t *testing.T) {
	first := toolstest.MustDay("2024-06-24")
	paying := markettest.Daily("PAY", first, "100", "99", "99", "105", "110")
	paying.Provenance.Adjustment = market.AdjustmentSplit
	paying.Actions = []market.Action{{Kind: market.ActionDividend, Date: first.AddDate(0, 0, 1), Amount: toolstest.MustDecimal("1")}}
	index := markettest.Daily("IDX", first, "1000", "1000", "1000", "1000", "1050")
	index.Kind, index.Provenance.Adjustment, index.Actions = "index", market.AdjustmentSplit, []market.Action{}
	coin := markettest.Daily("COIN", first, "10", "10", "10", "10", "12")
	coin.Kind, coin.Provenance.Adjustment = "crypto", market.AdjustmentRaw
	w := newJournalFixture(t, paying, index, coin)
	w.save(t, newDecision(t, "fund", investor.ActionBuy, "PAY", "VTI", "2024-06-24"), newDecision(t, "index", investor.ActionBuy, "PAY", "IDX", "2024-06-24"),
		newDecision(t, "coin", investor.ActionBuy, "COIN", "PAY", "2024-06-24"), newDecision(t, "adjusted", investor.ActionBuy, "VTI", "IDX", "2024-06-24"))
	_, got := w.mustCall(t, args{"action": "review"})
	s := scores(got)
	toolstest.WantFields(t, s["fund"], map[string]any{"return_pct": "11.11", "benchmark_pct": "20", "return_kind": "total return, dividends reinvested"})
	toolstest.WantFields(t, s["index"], map[string]any{"return_pct": "10", "benchmark_pct": "5", "return_kind": "price return, no dividends"})
	toolstest.WantFields(t, s["coin"], map[string]any{"return_pct": "20", "benchmark_pct": "11.11", "return_kind": "total return, dividends reinvested"})
	// If the source includes dividends, they cannot be removed again.
	toolstest.WantFields(t, s["adjusted"], map[string]any{"return_pct": "20", "benchmark_pct": nil, "right": nil})
	if notes := toolstest.JSON(t, s["adjusted"]["notes"]); !strings.Contains(notes, "one includes dividends, the other does not") {
		t.Errorf("notes = %s", notes)
	}
}

// An unreported split looks like a loss of three quarters.
func TestReview_PricesThatMayHideASplitGiveNoReturn(t *testing.T) {
	first := toolstest.MustDay("2024-06-24")
	raw := markettest.Daily("RAW", first, "100", "100", "25", "25", "26")
	raw.Provenance.Adjustment = market.AdjustmentRaw
	output := raw
	output.Symbol, output.Actions = "TOLD", []market.Action{{Kind: market.ActionSplit, Date: first.AddDate(0, 0, 2), New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")}}
	dark := markettest.Daily("DARK", first, "100", "100", "100", "100", "100")
	dark.Provenance.Adjustment = market.AdjustmentUnknown
	index := markettest.Daily("IDX", first, "1000", "1000", "1000", "1000", "1050")
	index.Kind = "index"
	w := newJournalFixture(t, raw, output, dark, index)
	w.save(t, newDecision(t, "raw", investor.ActionBuy, "RAW", "VTI", "2024-06-24"), newDecision(t, "told", investor.ActionBuy, "TOLD", "VTI", "2024-06-24"),
		newDecision(t, "dark", investor.ActionBuy, "DARK", "VTI", "2024-06-24"), newDecision(t, "gone", investor.ActionBuy, "GONE", "VTI", "2024-06-24"),
		newDecision(t, "against", investor.ActionBuy, "VTI", "RAW", "2024-06-24"), newDecision(t, "index", investor.ActionBuy, "TOLD", "IDX", "2024-06-24"))
	res, got := w.mustCall(t, args{"action": "review"})
	s := scores(got)
	toolstest.WantFields(t, s["told"], map[string]any{"return_pct": "4", "right": false}) // 26 after 25
	toolstest.WantFields(t, s["index"], map[string]any{"return_pct": "4", "benchmark_pct": "5", "return_kind": "price return, no dividends"})
	for id, why := range map[string]string{"raw": "not adjusted for splits", "dark": "unknown whether", "gone": "unknown symbol"} {
		if s[id]["return_pct"] != nil || s[id]["right"] != nil || !strings.Contains(toolstest.JSON(t, s[id]["notes"]), why) {
			t.Errorf("%s = %v, want no return and why", id, s[id])
		}
		toolstest.WantParts(t, "text", res.UserText(), id+" not judged: ")
	}
	if s["against"]["return_pct"] != "20" || s["against"]["right"] != nil {
		t.Errorf("against = %v, want a return and no judgment", s["against"])
	}
	if n := len(s["against"]["notes"].([]any)); n != 2 { // why the benchmark is unknown, and that less than a year has passed
		t.Errorf("notes = %v", s["against"]["notes"])
	}
}

func TestReview_AYearlyFigureNeedsAYear(t *testing.T) {
	long := market.Series{Instrument: market.Instrument{Symbol: "LONG", Kind: "equity"}, Interval: market.Daily,
		Provenance: market.Provenance{Source: "markettest", Currency: "USD", Adjustment: market.AdjustmentSplitDiv}}
	flat := long
	flat.Symbol = "FLAT"
	for day := toolstest.MustDay("2022-06-20"); !day.After(toolstest.MustDay("2024-06-28")); day = day.AddDate(0, 0, 1) {
		price := "100"
		if day.After(toolstest.MustDay("2024-06-01")) {
			price = "121"
		}
		long.Bars, flat.Bars = append(long.Bars, market.Bar{Date: day, Close: toolstest.MustDecimal(price)}), append(flat.Bars, market.Bar{Date: day, Close: toolstest.MustDecimal("100")})
	}
	w := newJournalFixture(t, long, flat)
	d := newDecision(t, "a", investor.ActionBuy, "LONG", "FLAT", "2022-06-28")
	w.save(t, d)
	_, got := w.mustCall(t, args{"action": "review"})
	// Two years of 731 days: 1.21^(365.25/731) - 1 = 9.99%, slightly less than 10%.
	toolstest.WantFields(t, scores(got)["a"], map[string]any{"days": 731.0, "return_pct": "21", "return_a_year_pct": "9.99", "benchmark_a_year_pct": "0"})
	d.Closed, d.Outcome = toolstest.MustDay("2023-06-28"), "gave up"
	w.save(t, d)
	_, got = w.mustCall(t, args{"action": "review"})
	toolstest.WantFields(t, scores(got)["a"], map[string]any{"to": "2023-06-28", "return_pct": "0", "right": nil, "closed": "2023-06-28", "outcome": "gave up"})
}

// BND is compared with a fund that had the same return: 51 / 50 and 102 / 100.
func TestReview_WhatDidAsItsBenchmarkIsNeitherRightNorWrong(t *testing.T) {
	w := newJournalFixture(t, markettest.Daily("TWIN", toolstest.MustDay("2024-06-24"), "100", "100", "101", "101", "102"))
	for _, action := range []investor.DecisionAction{investor.ActionBuy, investor.ActionSell, investor.ActionHold, investor.ActionAvoid} {
		w.save(t, newDecision(t, string(action), action, "BND", "TWIN", "2024-06-24"))
	}
	res, got := w.mustCall(t, args{"action": "review"})
	for id, s := range scores(got) {
		toolstest.WantFields(t, s, map[string]any{"edge_pct": "0", "right": nil, "return_pct": "2"})
		if notes := strings.Join(toolstest.Strings(t, s["notes"]), " "); !strings.Contains(notes, "neither right nor wrong") {
			t.Errorf("notes of %s = %q, want why it is not judged", id, notes)
		}
	}
	toolstest.WantFields(t, got["summary"].(map[string]any), map[string]any{"judged": 0.0, "right": 0.0, "says": "no decision judged yet · 0 due"})
	toolstest.WantParts(t, "text", res.Headline+res.UserText(), "No decision has been judged yet", "| even |")
}

func TestReview_AReplayKnowsNothingOfLater(t *testing.T) {
	w := newJournalFixture(t)
	early := newDecision(t, "early", investor.ActionBuy, "VTI", "BND", "2024-06-24")
	early.Closed, early.Outcome = toolstest.MustDay("2024-06-27"), "canarybird"
	w.save(t, early, newDecision(t, "late", investor.ActionBuy, "SAP", "VTI", "2024-06-26"))
	w.Now, w.Replay = toolstest.Clock(t, "2024-06-25T20:00:00Z"), true
	for _, action := range []string{"list", "review"} {
		res, _ := w.mustCall(t, args{"action": action})
		for _, word := range []string{"late", "SAP", "canarybird", "2024-06-26", "2024-06-27", "2024-06-28"} {
			if strings.Contains(res.ModelText()+res.UserText(), word) {
				t.Errorf("%s shows %q, which is of later:\n%s", action, word, res.ModelText())
			}
		}
	}
	_, got := w.mustCall(t, args{"action": "review"})
	toolstest.WantFields(t, scores(got)["early"], map[string]any{"return_pct": "5", "to": "2024-06-25"})
	for _, in := range []args{buyArgs(nil), {"action": "close", "id": "early", "outcome": "x"}, {"action": "remove", "id": "early"}} {
		toolstest.WantError(t, w.call(t, in), "validation_error", "--as-of sets the date")
	}
	w.Now = toolstest.Clock(t, "2024-06-20T20:00:00Z")
	toolstest.WantError(t, w.call(t, args{"action": "review"}), "no_data", "the journal is empty")
}

// A journal of years is scored completely, and a model reads the part that fits.
func TestReview_ManyDecisionsAreScoredAndAModelReadsAPart(t *testing.T) {
	first := toolstest.MustDay("2014-06-30")
	long := market.Series{Instrument: market.Instrument{Symbol: "LONG", Kind: "equity"}, Interval: market.Daily, Actions: []market.Action{},
		Provenance: market.Provenance{Source: "markettest", Currency: "USD", Adjustment: market.AdjustmentSplit}}
	other := long
	other.Symbol = "BENCH"
	for day := first; !day.After(toolstest.MustDay("2024-06-28")); day = day.AddDate(0, 0, 1) {
		bar := market.Bar{Date: day, Close: toolstest.MustDecimal("100.25")}
		long.Bars, other.Bars = append(long.Bars, bar), append(other.Bars, bar)
		if day.Day() == 1 {
			long.Actions = append(long.Actions, market.Action{Kind: market.ActionDividend, Date: day, Amount: toolstest.MustDecimal("0.125")})
		}
	}
	w := newJournalFixture(t, long, other)
	const many = 500
	for i := range many {
		w.save(t, newDecision(t, "id"+decimal.NewFromInt(int64(i)).String(), investor.ActionBuy, "LONG", "BENCH", first.AddDate(0, 0, 30+i%3000).Format(time.DateOnly)))
	}
	res, got := w.mustCall(t, args{"action": "review"})
	if len(got["scores"].([]any)) != many {
		t.Errorf("%d of %d scored", len(got["scores"].([]any)), many)
	}
	if n := len(toolstest.Object(t, res.ModelText())["scores"].([]any)); n == 0 || n == many || len(res.ModelText()) > 32<<10 {
		t.Errorf("a model reads %d scores in %d bytes", n, len(res.ModelText()))
	}
}

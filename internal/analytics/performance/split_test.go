package performance_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
)

// splitSeries returns FUND at 100, split 4:1 on February 1 and at 30 from then on, raw or adjusted by its
// source.
func splitSeries(adjusted bool) market.Series {
	s := closesFrom("FUND", "2024-03-01", "2024-01-01", "100", "2024-02-01", "30")
	if adjusted {
		s = closesFrom("FUND", "2024-03-01", "2024-01-01", "25", "2024-02-01", "30")
		s.Provenance.Adjustment = market.AdjustmentSplit
	}
	s.Actions = []market.Action{{Kind: market.ActionSplit, Date: date("2024-02-01"), New: dec("4"), Old: dec("1")}}
	return s
}

// 10 shares for 1,000 are 40 at 30 after the split: 20%, whether prices are raw or adjusted, also if the
// broker records the split three days late or two early.
func TestSplit_ChangesNothingInsideAWindow(t *testing.T) {
	for name, series := range map[string]market.Series{"raw": splitSeries(false), "adjusted": splitSeries(true)} {
		for _, booked := range []string{"2024-02-01", "2024-02-04", "2024-01-30"} {
			t.Run(name+" booked "+booked, func(t *testing.T) {
				h := history(t, ledger(
					deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"), split(booked, "FUND", "4", "1"),
				), marketOf(series), "2024-03-01")
				r := mustMeasure(t, h)
				if len(h.Disagreements()) > 0 || len(h.Gaps()) > 0 {
					t.Errorf("disagreements %v, gaps %v; want none", h.Disagreements(), h.Gaps())
				}
				for _, d := range h.Days(date("2024-01-01"), date("2024-01-31")) {
					wantSum(t, "value on "+d.Date.String(), d.Value.Decimal, "1000")
				}
				for _, d := range h.Days(date("2024-02-01"), h.Last()) {
					wantSum(t, "value on "+d.Date.String(), d.Value.Decimal, "1200")
				}
				wantReturn(t, "time-weighted", r.TimeWeighted, 0.2)
				wantIdentity(t, r)
			})
		}
	}
}

// If a source reports no splits, those of the ledger are used to undo the adjustment.
func TestSplit_OfTheLedgerIsUsedIfTheSourceReportsNone(t *testing.T) {
	series := splitSeries(true)
	series.Actions = nil
	l := ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"), split("2024-02-01", "FUND", "4", "1"),
		deposit("2024-01-01", "500"), buy("2024-01-01", "FUND", "5", "500"), split("2024-02-01", "FUND", "4", "1"))
	for i := 3; i < 6; i++ {
		l.Transactions[i].Account = "other"
	}
	h := history(t, l, marketOf(series), "2024-03-01")
	r := mustMeasure(t, h)
	wantSum(t, "value before it", h.Days(date("2024-01-31"), date("2024-01-31"))[0].Value.Decimal, "1500")
	wantSum(t, "end", r.End.Value.Decimal, "1800")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.2)
	if len(h.Notes()) != 1 || !strings.Contains(h.Notes()[0], "could not be checked") {
		t.Errorf("notes = %q, want that splits could not be checked", h.Notes())
	}
}

func TestSplit_ADisagreementIsReportedAndLeavesNoValue(t *testing.T) {
	none := splitSeries(false)
	none.Actions = []market.Action{}
	for _, c := range []struct {
		name   string
		series market.Series
		ratio  string // of the ledger; empty for none
		says   string
		splitMismatch
	}{
		{"the ledger has none", splitSeries(true), "", "record the split", splitMismatch{"4:1", ""}},
		{"the prices have none", none, "4", "the prices do not show", splitMismatch{"", "4:1"}},
		{"another ratio", splitSeries(true), "3", "the prices do not show", splitMismatch{"", "3:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"))
			if c.ratio != "" {
				l = ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"), split("2024-02-01", "FUND", c.ratio, "1"))
			}
			h := history(t, l, marketOf(c.series), "2024-03-01")
			r := mustMeasure(t, h)
			if len(h.Disagreements()) == 0 {
				t.Fatal("no disagreement, want one")
			}
			d := h.Disagreements()[0]
			if d.SeriesRatio != c.theirs || d.LedgerRatio != c.ours || !d.Date.Equal(date("2024-02-01")) || !strings.Contains(d.Message, c.says) {
				t.Errorf("disagreement = %+v, want %q against %q on February 1, saying %q", d, c.theirs, c.ours, c.says)
			}
			if r.End.Value.Valid {
				t.Errorf("end = %s, want it absent", r.End.Value.Decimal)
			}
			wantAbsent(t, "time-weighted", r.TimeWeighted)
			wantAbsent(t, "money-weighted", r.MoneyWeighted)
			if r.Attribution.Reason == "" {
				t.Error("the gain is divided, want it absent")
			}
		})
	}
}

type splitMismatch struct{ theirs, ours string }

// Only one of two accounts has the split, and the warning names the other.
func TestSplit_IsLookedForInEachAccount(t *testing.T) {
	l := ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"), split("2024-02-01", "FUND", "4", "1"),
		deposit("2024-01-01", "500"), buy("2024-01-01", "FUND", "5", "500"))
	for i := 3; i < 5; i++ {
		l.Transactions[i].Account = "other"
	}
	h := history(t, l, marketOf(splitSeries(true)), "2024-03-01")
	if len(h.Disagreements()) != 1 || h.Disagreements()[0].Account != "other" {
		t.Errorf("disagreements = %+v, want one of the other account", h.Disagreements())
	}
}

// A split from before the purchase concerns only the prices, not the ledger.
func TestSplit_BeforeThePurchaseIsNoDisagreement(t *testing.T) {
	h := history(t, ledger(deposit("2024-02-10", "1000"), buy("2024-02-10", "FUND", "10", "300")), marketOf(splitSeries(true)), "2024-03-01")
	r := mustMeasure(t, h)
	if len(h.Disagreements()) > 0 {
		t.Errorf("disagreements = %+v, want none", h.Disagreements())
	}
	wantSum(t, "end", r.End.Value.Decimal, "1000")
}

// Prices that were lowered for a spin-off are raised to what was traded, and shares that the
// ledger lacks are reported.
func TestSplit_ASpinOffMissingFromTheLedgerIsReported(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2024-01-01", "80", "2024-02-01", "80")
	series.Provenance.Adjustment = market.AdjustmentSplit
	series.Actions = []market.Action{{Kind: market.ActionSpinOff, Date: date("2024-02-01"), New: dec("1250"), Old: dec("1000")}}
	h := history(t, ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000")), marketOf(series), "2024-03-01")
	r := mustMeasure(t, h)
	wantSum(t, "end", r.End.Value.Decimal, "800")
	wantReturn(t, "time-weighted", r.TimeWeighted, -0.2)
	if len(h.Disagreements()) != 1 || !h.Disagreements()[0].StillValued || !strings.Contains(h.Disagreements()[0].Message, "spin-off") {
		t.Errorf("disagreements = %+v, want the spin-off", h.Disagreements())
	}
}

func TestPrices_ThatAreNotWhatWasTradedAreNoPrices(t *testing.T) {
	for adjustment, says := range map[market.Adjustment]string{
		market.AdjustmentSplitDiv: "adjusted for dividends", market.AdjustmentUnknown: "is unknown",
	} {
		series := closesFrom("FUND", "2024-03-01", "2024-01-01", "10")
		series.Provenance.Adjustment = adjustment
		h := history(t, ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "100")), marketOf(series), "2024-03-01")
		r := mustMeasure(t, h)
		if r.End.Value.Valid || !strings.Contains(r.End.Reason, says) {
			t.Errorf("%s: end = %v (%s), want it absent because of its adjustment", adjustment, r.End.Value, r.End.Reason)
		}
	}
}

// A price holds for seven days and no longer.
func TestPrices_HoldForAWeek(t *testing.T) {
	data := marketOf(closesOn("FUND", "2024-01-02", "10", "2024-01-20", "12", "2024-01-22", "13"))
	h := history(t, ledger(deposit("2024-01-02", "1000"), buy("2024-01-02", "FUND", "100", "1000")), data, "2024-01-22")
	for _, d := range h.Days(date("2024-01-02"), date("2024-01-22")) {
		valued := !d.Date.After(date("2024-01-09")) || !d.Date.Before(date("2024-01-20"))
		if d.Value.Valid != valued {
			t.Errorf("%s is valued: %v, want %v", d.Date.Format("2006-01-02"), d.Value.Valid, valued)
		}
	}
	r := mustMeasure(t, h)
	want := performance.Gap{Symbol: "FUND", From: date("2024-01-10"), To: date("2024-01-19"), Reason: "no price for FUND within 7 days"}
	if len(h.Gaps()) != 1 || h.Gaps()[0] != want {
		t.Errorf("gaps = %+v, want %+v", h.Gaps(), want)
	}
	wantReturn(t, "time-weighted across the gap", r.TimeWeighted, 0.3)
	if len(r.TimeWeighted.Notes) != 1 || !strings.Contains(r.TimeWeighted.Notes[0], "10 days without a value") {
		t.Errorf("notes = %q, want the 10 days said", r.TimeWeighted.Notes)
	}
	wantIdentity(t, r)
}

// A deposit on a day without a value cannot be compared with any value.
func TestPrices_AFlowInAGapLeavesNoReturnByTime(t *testing.T) {
	data := marketOf(closesOn("FUND", "2024-01-02", "10", "2024-01-20", "12"))
	r := mustMeasure(t, history(t, ledger(
		deposit("2024-01-02", "1000"), buy("2024-01-02", "FUND", "100", "1000"), deposit("2024-01-15", "500"),
	), data, "2024-01-20"))
	wantAbsent(t, "time-weighted", r.TimeWeighted)
	if !strings.Contains(r.TimeWeighted.Reason, "FUND") {
		t.Errorf("absent because %q, want FUND named", r.TimeWeighted.Reason)
	}
	wantSum(t, "gain", r.Attribution.Total.Gain, "200")
	wantIdentity(t, r)
}

func TestRates_ThatAreMissingAreNamed(t *testing.T) {
	l := ledger(inCurrency("CHF", deposit("2024-01-02", "1000")), deposit("2024-01-02", "10"))
	for name, data := range map[string]performance.Market{
		"none at all": {},
		"too old":     withRates(performance.Market{}, rates("CHF", "USD", closesOn("", "2023-12-01", "1.1"))),
	} {
		h := history(t, l, data, "2024-01-20")
		r := mustMeasure(t, h)
		if r.End.Value.Valid || !strings.Contains(r.End.Reason, "CHF") || r.FlowReason == "" || r.NetFlow.Valid {
			t.Errorf("%s: end = %v (%s), net flow %v (%s); want both absent for CHF", name, r.End.Value, r.End.Reason, r.NetFlow, r.FlowReason)
		}
		wantAbsent(t, name+": money-weighted", r.MoneyWeighted)
		wantAbsent(t, name+": Modified Dietz", r.ModifiedDietz)
	}
	twice := rates("CHF", "USD", closesOn("", "2024-01-02", "1.1"))
	if _, err := performance.NewHistory(l, withRates(performance.Market{}, twice, twice), performance.Request{Base: "USD", To: date("2024-01-20")}); !errors.Is(err, performance.ErrInvalidRequest) {
		t.Errorf("rates of one pair twice = %v, want ErrQuestion", err)
	}
}

// Five shares bought between the split day of the prices and that of the ledger may be counted
// before or after the split, so nobody can say how many shares there are.
func TestSplit_TradesBetweenItsTwoDaysAreADisagreement(t *testing.T) {
	h := history(t, ledger(
		deposit("2024-01-01", "1150"), buy("2024-01-01", "FUND", "10", "1000"), buy("2024-02-02", "FUND", "5", "150"), split("2024-02-04", "FUND", "4", "1"),
	), marketOf(splitSeries(true)), "2024-03-01")
	r := mustMeasure(t, h)
	if len(h.Disagreements()) != 1 || h.Disagreements()[0].SeriesRatio != "4:1" || h.Disagreements()[0].LedgerRatio != "4:1" || !strings.Contains(h.Disagreements()[0].Message, "trades in between") {
		t.Errorf("disagreements = %+v, want one of the days", h.Disagreements())
	}
	if r.End.Value.Valid {
		t.Errorf("end = %s, want it absent", r.End.Value.Decimal)
	}
}

func TestSplit_AThreeForTwoComesOutEven(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2024-01-01", "20", "2024-02-01", "22")
	series.Provenance.Adjustment = market.AdjustmentSplit
	series.Actions = []market.Action{{Kind: market.ActionSplit, Date: date("2024-02-01"), New: dec("3"), Old: dec("2")}}
	h := history(t, ledger(deposit("2024-01-01", "300"), buy("2024-01-01", "FUND", "10", "300"), split("2024-02-01", "FUND", "3", "2")), marketOf(series), "2024-03-01")
	r := mustMeasure(t, h)
	wantSum(t, "end", r.End.Value.Decimal, "330")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.1)
}

func TestPrices_ThatCannotBeAreNone(t *testing.T) {
	for _, close := range []string{"0", "-5", "1e9999", "1e-9999"} {
		h := history(t, ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "100")), marketOf(closesOn("FUND", "2024-01-01", "10", "2024-01-10", close)), "2024-01-10")
		r := mustMeasure(t, h)
		if r.End.Value.Valid {
			t.Errorf("a close of %s gives a value, want none", close)
		}
	}
	double := closesOn("FUND", "2024-01-02", "10", "2024-01-02", "11")
	_, err := performance.NewHistory(ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "100")), marketOf(double), performance.Request{Base: "USD", To: date("2024-01-10")})
	if !errors.Is(err, market.ErrMalformed) {
		t.Errorf("two closes of a day = %v, want ErrMalformed", err)
	}
}

// Two splits of the same ratio within a few days are matched separately, though both were recorded near the
// first.
func TestSplit_TwoOfOneRatioAreTwo(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2024-01-01", "100", "2024-02-01", "50", "2024-02-05", "25")
	for _, day := range []string{"2024-02-01", "2024-02-05"} {
		series.Actions = append(series.Actions, market.Action{Kind: market.ActionSplit, Date: date(day), New: dec("2"), Old: dec("1")})
	}
	h := history(t, ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"), split("2024-02-02", "FUND", "2", "1"), split("2024-02-03", "FUND", "2", "1"),
	), marketOf(series), "2024-03-01")
	if len(h.Disagreements()) > 0 {
		t.Errorf("disagreements = %+v, want none", h.Disagreements())
	}
	for _, d := range h.Days(date("2024-01-01"), h.Last()) {
		wantSum(t, "value on "+d.Date.String(), d.Value.Decimal, "1000")
	}
}

// Trades of another account between the two days of a split do not matter.
func TestSplit_TradesOfAnotherAccountDoNotMatter(t *testing.T) {
	l := ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "10", "1000"), split("2024-02-04", "FUND", "4", "1"),
		deposit("2024-02-02", "150"), buy("2024-02-02", "FUND", "5", "150"))
	for i := 3; i < 5; i++ {
		l.Transactions[i].Account = "other"
	}
	h := history(t, l, marketOf(splitSeries(true)), "2024-03-01")
	r := mustMeasure(t, h)
	if len(h.Disagreements()) > 0 {
		t.Errorf("disagreements = %+v, want none", h.Disagreements())
	}
	wantSum(t, "end", r.End.Value.Decimal, "1350")
}

// A price with more digits than a machine word holds is not cut.
func TestPrices_OfManyDigitsAreExact(t *testing.T) {
	r := mustMeasure(t, history(t, ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "0.3", "100")),
		marketOf(closesOn("FUND", "2024-01-01", "300", "2024-01-02", "1234567890123.123456789012")), "2024-01-02"))
	wantSum(t, "end", r.End.Value.Decimal, "370370367936.9370370367036") // 0.3 of it, and 900
}

package advice_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// buyArgs returns the arguments of a recorded purchase, with more fields.
func buyArgs(more args) args {
	in := args{"action": "record", "decision": "buy", "symbol": "VTI", "thesis": "broad and cheap", "disproof": "earnings fall two years running", "benchmark": "BND"}
	for k, v := range more {
		in[k] = v
	}
	return in
}

func TestDecisionJournal_RecordFillsInThePricesOfTheDay(t *testing.T) {
	w := newJournalFixture(t)
	res, _ := w.mustCall(t, buyArgs(args{"symbol": "", "symbols": []string{"vti", "SAP"}, "confidence": 0.7, "review_on": "2025-06-28"}))
	if diff := cmp.Diff([]string{
		"records a decision dated 2024-06-28: buy VTI, SAP", "  price: VTI 120 USD, 2024-06-28, markettest", "  price: SAP 150 EUR, 2024-06-28, markettest",
		"  benchmark: BND 51 USD, 2024-06-28, markettest", "  thesis: broad and cheap", "  disproof: earnings fall two years running",
		"  confidence: 70.0%", "  review on 2025-06-28", "SAP is in EUR but the benchmark BND is in USD, so reviews cannot compare them",
	}, w.Approvals[0].Plan); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	d := w.DecisionByID["d1"]
	if len(d.Assets) != 2 || d.Assets[0].Symbol != "VTI" || !d.Assets[0].Price.Decimal.Equal(toolstest.MustDecimal("120")) || d.Benchmark.Symbol != "BND" || d.Confidence.Decimal.String() != "0.7" {
		t.Errorf("kept %+v", d)
	}
	if f := toolstest.Figure(t, res, "decisions.0.marks.0.price"); !f.Value.Equal(toolstest.MustDecimal("120")) || f.Unit != "USD" || f.Source != "markettest" {
		t.Errorf("figure = %+v", f)
	}
	toolstest.WantParts(t, "text", res.UserText(), "what would disprove it", "! SAP is in EUR")
}

// morningQuotes is a source in Tokyo, where it is already the next day.
type morningQuotes struct{ *markettest.Source }

func (m morningQuotes) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	q, err := m.Source.Quote(ctx, sym)
	q.Provenance.AsOf = time.Date(2024, 6, 29, 9, 30, 0, 0, time.FixedZone("JST", 9*3600))
	return q, err
}

func TestDecisionJournal_APriceIsOfTheDayOfTheUsersOwnCalendar(t *testing.T) {
	w := newJournalFixture(t)
	w.Quotes, w.Now = morningQuotes{w.Quotes.(*markettest.Source)}, toolstest.Clock(t, "2024-06-28T21:00:00-04:00")
	w.mustCall(t, buyArgs(nil))
	d := w.DecisionByID["d1"]
	if day := toolstest.MustDay("2024-06-28"); !d.Date.Equal(day) || !d.Assets[0].AsOf.Equal(day) {
		t.Errorf("decided on %s with a price of %s, want both of the 28th", d.Date, d.Assets[0].AsOf)
	}
}

func TestDecisionJournal_AStatedPriceIsTheUsersAndAFarOneIsRemarked(t *testing.T) {
	w := newJournalFixture(t)
	w.mustCall(t, buyArgs(args{"price": 118.20}))
	if m := w.DecisionByID["d1"].Assets[0]; m.Price.Decimal.String() != "118.2" || m.Currency != "USD" || m.Source != "the user" {
		t.Errorf("mark = %+v", m)
	}
	if strings.Contains(w.Plan(t), "differs") {
		t.Errorf("plan remarks a near price:\n%s", w.Plan(t))
	}
	w.mustCall(t, buyArgs(args{"price": 60}))
	toolstest.WantParts(t, "plan", w.Plan(t), "VTI: your price differs by -50.0% from 120.00 USD (markettest)")
}

func TestDecisionJournal_TheBenchmarkIsTheUsersSettingOrIsAskedFor(t *testing.T) {
	w := newJournalFixture(t)
	res := w.call(t, buyArgs(args{"benchmark": ""}))
	toolstest.WantError(t, res, tool.CodeValidation, "benchmark is required")
	w.Benchmark = "BND"
	w.mustCall(t, buyArgs(args{"benchmark": ""}))
	if b := w.DecisionByID["d1"].Benchmark; b == nil || b.Symbol != "BND" {
		t.Errorf("benchmark = %v, want the setting", b)
	}
	w.mustCall(t, buyArgs(args{"benchmark": "None"}))
	toolstest.WantParts(t, "plan", w.Plan(t), "reviews cannot judge")
	if b := w.DecisionByID["d2"].Benchmark; b != nil {
		t.Errorf("benchmark = %v, want none", b)
	}
}

func TestDecisionJournal_AnEarlierDayHasThePriceOfThatDay(t *testing.T) {
	split := markettest.Daily("NEW", toolstest.MustDay("2024-06-24"), "10", "11", "12", "13", "14")
	split.Provenance.Adjustment = market.AdjustmentSplit
	split.Actions = []market.Action{{Kind: market.ActionSplit, Date: toolstest.MustDay("2024-06-27"), New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")}}
	w := newJournalFixture(t, split)
	w.mustCall(t, buyArgs(args{"symbol": "NEW", "benchmark": "none", "date": "2024-06-25"}))
	// A later split of four for one: a share cost 44 that day, which sources show as 11.
	d := w.DecisionByID["d1"]
	if m := d.Assets[0]; !m.Price.Decimal.Equal(toolstest.MustDecimal("44")) || !m.AsOf.Equal(toolstest.MustDay("2024-06-25")) || m.Source != "markettest, looked up later" {
		t.Errorf("mark = %+v, want 44 of the day", m)
	}
	if !d.Date.Equal(toolstest.MustDay("2024-06-25")) {
		t.Errorf("date = %s", d.Date)
	}
}

// Closes that are adjusted for dividends too cannot be converted to the price paid: the user's own price is
// not compared with them, and not refused.
func TestDecisionJournal_APriceOfThenIsNotHeldAgainstAnAdjustedClose(t *testing.T) {
	adjusted := markettest.Daily("ADJ", toolstest.MustDay("2024-06-24"), "10", "11", "12", "13", "14")
	adjusted.Provenance.Adjustment, adjusted.Provenance.Currency = market.AdjustmentSplitDiv, "CHF"
	w := newJournalFixture(t, adjusted)
	w.mustCall(t, buyArgs(args{"symbol": "ADJ", "benchmark": "none", "date": "2024-06-25", "price": 44}))
	m := w.DecisionByID["d1"].Assets[0]
	if m.Price.Decimal.String() != "44" || m.Currency != "CHF" || m.Source != "the user" {
		t.Errorf("mark = %+v, want 44 CHF of the user", m)
	}
	plan := w.Plan(t)
	toolstest.WantParts(t, "plan", plan, "ADJ: no market price for that day", "adjusted for later events")
	if strings.Contains(plan, "differs") {
		t.Errorf("the plan compares prices of two scales: %s", plan)
	}
	w.mustCall(t, buyArgs(args{"symbol": "VTI", "benchmark": "ADJ", "date": "2024-06-25"}))
	if b := w.DecisionByID["d2"].Benchmark; b == nil || b.Symbol != "ADJ" || b.Price.Valid {
		t.Errorf("benchmark = %+v, want ADJ without a price", b)
	}
}

// A share cost 44 before a split of four for one, which sources show as 11.
func TestDecisionJournal_APriceOfThenIsComparedOnItsOwnScale(t *testing.T) {
	split := markettest.Daily("NEW", toolstest.MustDay("2024-06-24"), "10", "11", "12", "13", "14")
	split.Provenance.Adjustment = market.AdjustmentSplit
	split.Actions = []market.Action{{Kind: market.ActionSplit, Date: toolstest.MustDay("2024-06-27"), New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")}}
	w := newJournalFixture(t, split)
	for price, off := range map[float64]bool{44: false, 45: false, 11: true} {
		w.mustCall(t, buyArgs(args{"symbol": "NEW", "benchmark": "none", "date": "2024-06-25", "price": price}))
		if got := strings.Contains(w.Plan(t), "from 44.00 USD (markettest, looked up later"); got != off {
			t.Errorf("at %v the plan says %s; want that it is far off: %v", price, w.Plan(t), off)
		}
	}
}

func TestDecisionJournal_APriceThatIsNotOfTheDayIsNotKept(t *testing.T) {
	old := markettest.Daily("OLD", toolstest.MustDay("2024-05-01"), "10")
	sample := markettest.Daily("SMP", toolstest.MustDay("2024-06-28"), "10")
	sample.Provenance.Flags = []market.Flag{market.FlagSample}
	w := newJournalFixture(t, old, sample)
	w.mustCall(t, buyArgs(args{"symbol": "OLD, SMP"}))
	toolstest.WantParts(t, "plan", w.Plan(t), "OLD: price not saved, because the latest price is from 2024-05-01", "SMP: price not saved, because it is sample data")
	for _, m := range w.DecisionByID["d1"].Assets {
		if m.Price.Valid {
			t.Errorf("mark = %+v, want no price", m)
		}
	}
	res := w.call(t, buyArgs(args{"symbol": "OLD", "price": 12}))
	toolstest.WantError(t, res, tool.CodeValidation, "set currency")
}

func TestDecisionJournal_WhatCannotBeIsNotAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		in         args
		code, says string
	}{
		"no such action":           {args{"action": "buy"}, tool.CodeValidation, "list, record, close, review or remove"},
		"a record without its act": {args{"thesis": "cheap"}, tool.CodeValidation, "action record"},
		"symbol is required":       {buyArgs(args{"symbol": ""}), tool.CodeValidation, "symbol is required"},
		"no decision":              {buyArgs(args{"decision": "short"}), tool.CodeValidation, "buy, sell, hold, avoid or other"},
		"no thesis":                {buyArgs(args{"thesis": " "}), tool.CodeValidation, "thesis is required"},
		"no disproof":              {buyArgs(args{"disproof": ""}), tool.CodeValidation, "disproof is required"},
		"nobody knows it":          {buyArgs(args{"symbol": "VTJ"}), market.CodeUnknownSymbol, "Did you mean VTI"},
		"nobody knows the other":   {buyArgs(args{"benchmark": "BNE"}), market.CodeUnknownSymbol, "benchmark: "},
		"against itself":           {buyArgs(args{"benchmark": "vti"}), tool.CodeValidation, "choose another"},
		"twice the same":           {buyArgs(args{"symbols": []string{"VTI of the test"}}), tool.CodeValidation, "twice"},
		"a future day":             {buyArgs(args{"date": "2024-06-29"}), tool.CodeValidation, "in the future"},
		"no day":                   {buyArgs(args{"date": "yesterday"}), tool.CodeValidation, "YYYY-MM-DD"},
		"a review of before":       {buyArgs(args{"review_on": "2024-06-28"}), tool.CodeValidation, "not after today"},
		"per cent as confidence":   {buyArgs(args{"confidence": 70}), tool.CodeValidation, "0.7"},
		"a free purchase":          {buyArgs(args{"price": 0}), tool.CodeValidation, "above zero"},
		"endless digits":           {buyArgs(args{"price": json.Number("1e-300")}), tool.CodeValidation, "not a number with at most"},
		"no currency":              {buyArgs(args{"price": 5, "currency": "dollars"}), tool.CodeValidation, "ISO 4217"},
		"a currency of nothing":    {buyArgs(args{"currency": "USD"}), tool.CodeValidation, "currency requires price"},
		"hidden characters":        {buyArgs(args{"thesis": "a\x1b[2J"}), tool.CodeValidation, "control characters"},
		"an id of its own":         {buyArgs(args{"id": "mine"}), tool.CodeValidation, "automatically"},
		"an outcome already":       {buyArgs(args{"outcome": "good"}), tool.CodeValidation, "action close"},
		"close of none":            {args{"action": "close", "outcome": "good"}, tool.CodeValidation, "id is required"},
		"close of another":         {args{"action": "close", "id": "d9", "outcome": "good"}, tool.CodeValidation, "open decisions: d1 (buy VTI on 2024-06-28)"},
		"close without an outcome": {args{"action": "close", "id": "d1"}, tool.CodeValidation, "outcome is required"},
		"remove of another":        {args{"action": "remove", "id": "d9"}, tool.CodeValidation, "d1"},
		"list of another":          {args{"id": "d9"}, tool.CodeValidation, "d1"},
		"list of another symbol":   {args{"symbol": "SAP"}, tool.CodeNoData, "no decisions about SAP"},
		"review with a limit":      {args{"action": "review", "limit": 5}, tool.CodeValidation, "limit"},
		"below zero":               {args{"limit": -5}, tool.CodeValidation, "above zero"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newJournalFixture(t)
			w.mustCall(t, buyArgs(nil))
			w.Approvals, w.Saves = nil, 0
			toolstest.WantError(t, w.call(t, c.in), c.code, c.says)
			if len(w.Approvals) != 0 || w.Saves != 0 {
				t.Errorf("asked %d times, saved %d times", len(w.Approvals), w.Saves)
			}
		})
	}
}

func TestDecisionJournal_CloseAndRemoveSayWhatTheyDo(t *testing.T) {
	w := newJournalFixture(t)
	w.mustCall(t, buyArgs(nil))
	res, _ := w.mustCall(t, args{"action": "close", "id": "d1", "outcome": "sold it\nat a gain"})
	toolstest.WantParts(t, "plan", w.Plan(t), "closes d1 (buy VTI on 2024-06-28) as of 2024-06-28", "outcome: sold it at a gain")
	toolstest.WantParts(t, "text", res.UserText(), "closed 2024-06-28")
	if d := w.DecisionByID["d1"]; !d.Closed.Equal(toolstest.MustDay("2024-06-28")) || d.Outcome != "sold it\nat a gain" {
		t.Errorf("kept %+v", d)
	}
	toolstest.WantError(t, w.call(t, args{"action": "close", "id": "d1", "outcome": "again"}), tool.CodeValidation, "was closed on 2024-06-28")
	w.mustCall(t, args{"action": "remove", "id": "d1"})
	toolstest.WantParts(t, "plan", w.Plan(t), "removes d1 (buy VTI on 2024-06-28)", "reviews no longer count it")
	toolstest.WantError(t, w.call(t, args{}), tool.CodeNoData, "nfa journal record buy SYMBOL")
}

func TestDecisionJournal_RefusedOrChangedMeanwhileWritesNothing(t *testing.T) {
	w := newJournalFixture(t)
	w.mustCall(t, buyArgs(nil))
	w.Allow, w.Saves = false, 0
	for _, in := range []args{buyArgs(nil), {"action": "close", "id": "d1", "outcome": "x"}, {"action": "remove", "id": "d1"}} {
		toolstest.WantError(t, w.call(t, in), tool.CodeRefused, "")
	}
	if w.Saves != 0 {
		t.Errorf("saved %d times after refusals", w.Saves)
	}
	w.Allow, w.BeforeAnswer = true, func([]tool.Approval) {
		d := w.DecisionByID["d1"]
		d.Closed = d.Date
		if err := w.PutDecision(t.Context(), d); err != nil {
			t.Error(err)
		}
	}
	res := w.call(t, args{"action": "close", "id": "d1", "outcome": "mine"})
	toolstest.WantError(t, res, tool.CodeValidation, "since the preview")
	if w.DecisionByID["d1"].Outcome != "" {
		t.Errorf("outcome = %q, want none of who came first", w.DecisionByID["d1"].Outcome)
	}
}

func TestDecisionJournal_AnIDThatIsTakenOverwritesNothing(t *testing.T) {
	w := newJournalFixture(t)
	w.NewID = func() (string, error) { return "same", nil }
	w.mustCall(t, buyArgs(nil))
	res := w.call(t, buyArgs(args{"thesis": "another"}))
	if !res.IsError || !strings.Contains(res.ErrorText(), "id same already exists") || w.DecisionByID["same"].Thesis != "broad and cheap" {
		t.Errorf("second = %s; kept %q", res.ErrorText(), w.DecisionByID["same"].Thesis)
	}
	w.NewID = func() (string, error) { return "", errors.New("no randomness") }
	if res := w.call(t, buyArgs(nil)); !res.IsError || !strings.Contains(res.ErrorText(), "no randomness") {
		t.Errorf("without an id = %s", res.ErrorText())
	}
}

func TestDecisionJournal_ListGivesTheNewestFirst(t *testing.T) {
	w := newJournalFixture(t)
	long := strings.Repeat("word ", 100)
	for i, day := range []string{"2024-06-24", "2024-06-26", "2024-06-25"} {
		d := newDecision(t, "x"+string(rune('a'+i)), investor.ActionBuy, "VTI", "BND", day)
		d.Thesis = long
		if err := w.PutDecision(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	ids := func(in args) string {
		_, got := w.mustCall(t, in)
		var ids []string
		for _, line := range got["decisions"].([]any) {
			ids = append(ids, line.(map[string]any)["id"].(string))
		}
		return strings.Join(ids, " ")
	}
	if got := ids(args{}); got != "xb xc xa" {
		t.Errorf("list = %s, want the newest first", got)
	}
	if got := ids(args{"limit": 1, "symbol": "vti"}); got != "xb" {
		t.Errorf("list of one = %s", got)
	}
	res, _ := w.mustCall(t, args{})
	if strings.Contains(res.ModelText(), strings.TrimSpace(long)) {
		t.Error("a list gives whole theses")
	}
	if res, _ = w.mustCall(t, args{"id": "xa"}); !strings.Contains(res.ModelText(), strings.TrimSpace(long)) {
		t.Error("one of an id is not whole")
	}
}

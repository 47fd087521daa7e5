package offline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStake_GrowsByTheReturnAsGiven(t *testing.T) {
	for question, want := range map[string]string{
		"How much would 10000 dollars in Apple in 2010 be worth?": "round(10000 * (1 + 22.574614), 2)",
		"what would $10k in AAPL since 2010 be worth":             "round(10000 * (1 + 22.574614), 2)",
		"If I had put 1,500 into AAPL in 2010":                    "round(1500 * (1 + 22.574614), 2)",
	} {
		c := newChat(t, everyTool...)
		c.ask(question)
		if diff := cmp.Diff([]string{calculation(want)}, shown(c.give(aapl).ToolCalls)); diff != "" {
			t.Errorf("%s: second step (-want +got):\n%s", question, diff)
			continue
		}
		got := c.give(sum(want, "235746.14")).Content
		wantEvery(t, got, "put into **Apple Inc.** (AAPL, total return, dividends reinvested) at the close of 2010-01-29, would have been worth **235,746.14 USD** on 2022-06-28: `"+want+"`.", "rose 2,257.5%")
	}
}

func TestStake_ALossIsSubtracted(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("What would 100 dollars in AAPL in 2010 have become?")
	got := shown(c.give(changed(t, aapl, map[string]any{"total_return": -0.25})).ToolCalls)
	if diff := cmp.Diff([]string{calculation("round(100 * (1 - 0.25), 2)")}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStake_WithoutAReturnOrTheToolSaysSo(t *testing.T) {
	const question = "What would 100 dollars in AAPL in 2010 have become?"
	wantEvery(t, answered(t, question, changed(t, aapl, map[string]any{"total_return": nil})), "was not calculated")
	c := newChat(t, "returns_stats")
	c.ask(question)
	wantEvery(t, c.give(aapl).Content, "was not calculated", "rose 2,257.5%")
}

func TestCurrency_AnotherOneIsNotConverted(t *testing.T) {
	const note = "! You asked in EUR; no conversion is available here. The figures are in USD."
	wantEvery(t, answered(t, "Apple in euros", twoQuotes), note, "137.44 USD")
	wantEvery(t, answered(t, "AAPL price in EUR", twoQuotes), note)
	wantAbsent(t, answered(t, "AAPL price in dollars", twoQuotes), "conversion")
	c := newChat(t, everyTool...)
	c.ask("What would 100 euros in AAPL in 2010 have become?")
	c.give(aapl)
	wantEvery(t, c.give(sum("round(100 * (1 + 22.574614), 2)", "2357.46")).Content, note)
}

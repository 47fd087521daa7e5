package positions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// priced returns a line with a price of some provenance.
func priced(sym market.Symbol, source, asOf string, flags ...market.Flag) positions.ValuedPosition {
	return positions.ValuedPosition{
		Symbol: sym, Value: maybe("1"), Base: maybe("1"),
		Price: positions.Price{Provenance: market.Provenance{Source: source, Currency: "USD", AsOf: portfoliotest.Day(asOf), Flags: flags}},
	}
}

func rated(base, value, day string) positions.Rate {
	return positions.Rate{
		Pair: market.Pair{Base: base, Quote: "USD"}, Rate: market.Rate{Date: portfoliotest.Day(day), Value: toolstest.MustDecimal(value)},
		Provenance: market.Provenance{Source: "bank", AsOf: portfoliotest.Day("2024-06-28"), Adjustment: market.AdjustmentSplit},
	}
}

func TestPriceOrigins_AreOfAllThatHasAPrice(t *testing.T) {
	none := positions.ValuedPosition{Symbol: "NONE", Missing: "no data"}
	noRate := priced("SAP", "exchange", "2024-06-27")
	noRate.Base = maybe("")
	v := positions.Valuation{Lines: []positions.ValuedPosition{priced("VTI", "yahoo", "2024-06-28"), none, noRate}}
	var got []string
	for _, p := range v.PriceOrigins() {
		got = append(got, fmt.Sprint(p.Symbol, " ", p.Source, " ", p.AsOf))
	}
	if diff := cmp.Diff([]string{"VTI yahoo 2024-06-28", "SAP exchange 2024-06-27"}, got); diff != "" {
		t.Errorf("PriceOrigins (-want +got):\n%s", diff)
	}
	if (positions.Valuation{}).PriceOrigins() == nil || (positions.Valuation{}).RateLines() == nil || (positions.Valuation{}).MissingValues() == nil {
		t.Error("a list of nothing is nil; want one that JSON writes as a list")
	}
}

// The rate of a currency to itself has no source, and rates are not adjusted for splits. The date is that
// of the rate.
func TestRateLines_AreEachPairOnceWithTheDayOfItsRate(t *testing.T) {
	euroLine, again, own := priced("SAP", "x", "2024-06-28"), priced("BMW", "x", "2024-06-28"), priced("VTI", "x", "2024-06-28")
	euroLine.Rate, again.Rate = rated("EUR", "1.10", "2024-06-27"), rated("EUR", "1.10", "2024-06-27")
	own.Rate = positions.Rate{Pair: market.Pair{Base: "USD", Quote: "USD"}, Rate: market.Rate{Value: toolstest.MustDecimal("1")}}
	cash := positions.ValuedCash{Balance: portfolio.Balance{Currency: "CHF"}, Rate: rated("CHF", "1.12", "2024-06-26")}
	lines := positions.Valuation{Lines: []positions.ValuedPosition{euroLine, own, again}, Cash: []positions.ValuedCash{cash}}.RateLines()
	var got []string
	for _, r := range lines {
		got = append(got, fmt.Sprintf("%s %s of %s, as of %s, adjusted %q", r.Pair, r.Rate, r.Date, r.AsOf, r.Adjustment))
	}
	want := []string{`EUR/USD 1.1 of 2024-06-27, as of 2024-06-27, adjusted ""`, `CHF/USD 1.12 of 2024-06-26, as of 2024-06-26, adjusted ""`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("RateLines (-want +got):\n%s", diff)
	}
}

func TestOrigins_FlagsAndSourcesAreNamedOnceEach(t *testing.T) {
	v := positions.Valuation{Lines: []positions.ValuedPosition{
		priced("A", "yahoo", "2024-06-28", market.FlagSample), priced("B", "yahoo", "2024-06-28", market.FlagSample),
		priced("C", "stooq", "2024-06-28", market.FlagStale), priced("D", "stooq", "2024-06-28"),
	}}
	prices := v.PriceOrigins()
	if got := positions.JoinFlagText(prices); got != "SAMPLE STALE" {
		t.Errorf("LoudOf = %q; want each flag once", got)
	}
	if got := positions.JoinFlagText(prices[3:]); got != "" {
		t.Errorf("LoudOf of a quiet price = %q; want nothing", got)
	}
	if got := positions.JoinSources(prices); got != positions.LedgerSource+"; yahoo; stooq" {
		t.Errorf("SourcesOf = %q; want the portfolio and each source once", got)
	}
	if got := positions.JoinSources(nil); got != positions.LedgerSource {
		t.Errorf("SourcesOf of no price = %q; want the portfolio", got)
	}
}

// Seven days are the longest that holidays take; a price that is one day older has a warning.
func TestPriceWarnings_SayWhatIsOldOrNotTheMarkets(t *testing.T) {
	none := priced("NONE", "x", "2020-01-02", market.FlagSample)
	none.Value = maybe("")
	v := positions.Valuation{Day: portfoliotest.Day("2024-06-28"), Lines: []positions.ValuedPosition{
		priced("FRESH", "x", "2024-06-28"), priced("WEEK", "x", "2024-06-21"), priced("OLD", "x", "2024-06-20"),
		priced("S1", "x", "2024-06-28", market.FlagSample), priced("S2", "x", "2024-06-28", market.FlagSample), none,
	}}
	got := warningsOf(v.WarnOfPrices)
	if len(got) != 2 || !strings.HasPrefix(got[0], "The newest price of OLD ") || !strings.Contains(got[0], "2024-06-20") || !strings.HasPrefix(got[1], "SAMPLE: ") || !strings.Contains(got[1], "S1, S2") {
		t.Errorf("PriceWarnings = %q; want OLD of June 20, and SAMPLE of both at once", got)
	}
	for _, w := range got {
		for _, quiet := range []string{"FRESH", "WEEK", "NONE"} {
			if strings.Contains(w, quiet) {
				t.Errorf("%q warns of %s", w, quiet)
			}
		}
	}
	if positions.StalePriceAge != 7*24*time.Hour {
		t.Errorf("OldPrice = %v; want a week", positions.StalePriceAge)
	}
}

// Lines without a value are listed with the next step: a rate for a line with a price, a symbol for one
// without.
func TestMissingValues_NameWhatIsMissingAndTheNextMove(t *testing.T) {
	noRate, noPrice := priced("SAP", "x", "2024-06-28"), positions.ValuedPosition{Symbol: "US0000000000", Missing: "no data", Unlisted: true}
	noRate.Base, noRate.Missing = maybe(""), "no rate of EUR/USD"
	numbered := positions.ValuedPosition{Symbol: "OLDCO", ISIN: "US1111111111", Missing: "unknown symbol", Unlisted: true}
	offline := positions.ValuedPosition{Symbol: "BND", Missing: "cannot reach the internet"}
	v := positions.Valuation{
		Lines: []positions.ValuedPosition{priced("VTI", "x", "2024-06-28"), noRate, noPrice, numbered, offline},
		Cash:  []positions.ValuedCash{{Balance: portfolio.Balance{Currency: "USD"}, Base: maybe("1")}, {Balance: portfolio.Balance{Currency: "CHF"}, Missing: "no rate of CHF/USD"}},
	}
	got := v.MissingValues()
	if len(got) != 5 {
		t.Fatalf("Lacks = %+v; want five", got)
	}
	for i, want := range []struct{ what, reason, do string }{
		{"SAP", "no rate of EUR/USD", "fx_rate"},
		{"US0000000000", "no data", `portfolio_settings {"aliases":{"US0000000000":"SYMBOL"}}`},
		{"OLDCO", "unknown symbol", "US1111111111"},
		{"BND", "cannot reach the internet", "try again later"},
		{"cash in CHF", "no rate of CHF/USD", "fx_rate"},
	} {
		if l := got[i]; l.What != want.what || l.Reason != want.reason || !strings.Contains(l.Do, want.do) {
			t.Errorf("lack %d = %+v; want %+v", i, l, want)
		}
	}
	if strings.Contains(got[1].Do, "ISIN") {
		t.Errorf("%q repeats a number that is the symbol", got[1].Do)
	}
	if diff := cmp.Diff([]string{"SAP: no rate of EUR/USD", "US0000000000: no data", "OLDCO: unknown symbol", "BND: cannot reach the internet", "cash in CHF: no rate of CHF/USD"}, v.Unvalued()); diff != "" {
		t.Errorf("Unvalued (-want +got):\n%s", diff)
	}
}

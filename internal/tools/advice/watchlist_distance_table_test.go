package advice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// VTI is at 120. A target above is reached at its price or higher, one below at its price or lower.
// The distance is the price change to the target in percent of the price: from 120 to 126 it is 5%,
// to 90 it is -25%.
func TestWatchlist_ATargetIsReachedAtItsPrice(t *testing.T) {
	for _, tc := range []struct {
		side, price string
		reached     bool
		distance    string
	}{
		{"above", "119.99", true, "0"}, {"above", "120", true, "0"}, {"above", "120.01", false, "0.01"}, {"above", "126", false, "5"}, {"above", "240", false, "100"},
		{"below", "120.01", true, "0"}, {"below", "120", true, "0"}, {"below", "119.99", false, "-0.01"}, {"below", "90", false, "-25"}, {"below", "0.01", false, "-99.99"},
	} {
		w := newProfileFixture(t)
		target := investor.PriceTarget{Side: investor.TargetSide(tc.side), Price: toolstest.MustDecimal(tc.price), Currency: "USD"}
		w.WatchBySymbol["VTI"] = investor.WatchedSymbol{Symbol: "VTI", Added: toolstest.MustDay("2024-01-02"), Targets: []investor.PriceTarget{target}}
		_, got := w.mustCall(t, "watchlist", nil)
		one := got["watches"].([]any)[0].(map[string]any)["targets"].([]any)[0].(map[string]any)
		if one["reached"] != tc.reached || !tc.reached && toolstest.MustDecimal(one["distance_pct"].(string)).Round(2).String() != tc.distance {
			t.Errorf("%s %s of a price of 120 = reached %v, %v %%; want %v, %s %%", tc.side, tc.price, one["reached"], one["distance_pct"], tc.reached, tc.distance)
		}
		if want := map[bool]float64{true: 1, false: 0}[tc.reached]; got["reached"] != want {
			t.Errorf("%s %s: %v targets are reached; want %v", tc.side, tc.price, got["reached"], want)
		}
	}
}

// Each action changes only the fields that it names.
func TestWatchlist_EachActionChangesWhatItNamesAlone(t *testing.T) {
	day := toolstest.MustDay("2024-01-02")
	target := func(side investor.TargetSide, price string) investor.PriceTarget {
		return investor.PriceTarget{Side: side, Price: toolstest.MustDecimal(price), Currency: "USD"}
	}
	before := investor.WatchedSymbol{Symbol: "VTI", Added: day, Note: "for the pension", Targets: []investor.PriceTarget{target(investor.Above, "150"), target(investor.Below, "90")}}
	with := func(change func(*investor.WatchedSymbol)) []investor.WatchedSymbol {
		after := before
		after.Targets = append([]investor.PriceTarget{}, before.Targets...)
		change(&after)
		return []investor.WatchedSymbol{after}
	}
	for _, tc := range []struct {
		name string
		in   args
		want []investor.WatchedSymbol
	}{
		{"show", args{"action": "show"}, with(func(*investor.WatchedSymbol) {})},
		{"a note", args{"action": "add", "symbol": "VTI", "note": "for the house"}, with(func(w *investor.WatchedSymbol) { w.Note = "for the house" })},
		{"a price above", args{"action": "add", "symbol": "vti", "above": 160}, with(func(w *investor.WatchedSymbol) {
			w.Targets = []investor.PriceTarget{target(investor.Below, "90"), target(investor.Above, "160")}
		})},
		{"a price below", args{"action": "add", "symbol": "VTI", "below": 95.5, "currency": "usd"}, with(func(w *investor.WatchedSymbol) { w.Targets[1] = target(investor.Below, "95.5") })},
		{"one target away", args{"action": "remove", "symbol": "VTI", "target": "above"}, with(func(w *investor.WatchedSymbol) { w.Targets = w.Targets[1:] })},
		{"the other target away", args{"action": "remove", "symbol": "VTI", "target": "below"}, with(func(w *investor.WatchedSymbol) { w.Targets = w.Targets[:1] })},
		{"all of it away", args{"action": "remove", "symbol": "VTI"}, nil},
		{"nothing new", args{"action": "add", "symbol": "VTI", "above": 150}, with(func(*investor.WatchedSymbol) {})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newProfileFixture(t)
			w.WatchBySymbol["VTI"] = before
			w.mustCall(t, "watchlist", tc.in)
			got, err := w.Watches(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("the watchlist after %v (-want +got):\n%s", tc.in, diff)
			}
		})
	}
}

// Each watch is shown with its own price, date and source, and the figures match the lines.
func TestWatchlist_EachLineHasItsOwnPrice(t *testing.T) {
	w := newProfileFixture(t)
	for _, sym := range []string{"VTI", "SAP", "BND", "GONE"} {
		one := investor.WatchedSymbol{Symbol: market.Symbol(sym), Added: toolstest.MustDay("2024-01-02"), Targets: []investor.PriceTarget{{Side: investor.Above, Price: toolstest.MustDecimal("1000"), Currency: "USD"}}}
		w.WatchBySymbol[one.Symbol] = one
	}
	res, got := w.mustCall(t, "watchlist", args{"action": "show"})
	var lines []string
	for i, one := range got["watches"].([]any) {
		line := one.(map[string]any)
		target := line["targets"].([]any)[0].(map[string]any)
		lines = append(lines, fmt.Sprint(line["symbol"], " ", line["price"], " ", line["currency"], " ", line["as_of"], " ", target["reached"]))
		if reason, _ := target["reason"].(string); (target["reached"] == nil) != (reason != "") {
			t.Errorf("target of %v = %v; want a reason where it is not judged alone", line["symbol"], target)
		}
		if line["price"] != nil {
			if f := toolstest.Figure(t, res, fmt.Sprintf("watches.%d.price", i)); f.Value.String() != line["price"] || f.Source != line["source"] {
				t.Errorf("figure = %+v; want the price of %v", f, line["symbol"])
			}
		}
	}
	// A target in dollars for a price in euros is not judged.
	want := []string{"BND 51 USD 2024-06-28 false", "GONE <nil> <nil> <nil> <nil>", "SAP 150 EUR 2024-06-28 <nil>", "VTI 120 USD 2024-06-28 false"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	_, one := w.mustCall(t, "watchlist", args{"action": "show", "symbol": "sap"})
	if n := len(one["watches"].([]any)); n != 1 {
		t.Errorf("show of one symbol gives %d watches; want it alone", n)
	}
	if res := w.call(t, "watchlist", args{"action": "show", "symbol": "TSLA"}); !res.IsError || !strings.Contains(res.ErrorText(), "VTI") {
		t.Errorf("show of what is not watched = %s; want what is", res.ErrorText())
	}
}

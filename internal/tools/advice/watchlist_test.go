package advice_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func watch(t testing.TB, w *profileFixture, in args) (tool.Result, map[string]any) {
	t.Helper()
	in["action"] = "add"
	return w.mustCall(t, "watchlist", in)
}

func TestWatchlist_AddAsksAndShowsWhatIsWatched(t *testing.T) {
	w := newProfileFixture(t)
	res, got := watch(t, w, args{"symbol": "vti", "note": "cheap | broad", "above": 126, "below": 96.5})
	if diff := cmp.Diff([]string{
		"adds VTI to the watchlist on 2024-06-28", "VTI: target above: 126 USD (was nothing)", "VTI: target below: 96.5 USD (was nothing)",
		"VTI: note: cheap | broad (was nothing)", "  current price 120 USD, 2024-06-28",
	}, w.Approvals[0].Plan); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	line := got["watches"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, line, map[string]any{
		"symbol": "VTI", "price": "120", "as_of": "2024-06-28", "source": "markettest", "watch_note": "cheap | broad",
		// 126 / 120 - 1 = 0.05, 96.5 / 120 - 1 = -0.195833.
		"targets": []any{
			map[string]any{"side": "above", "price": "126", "currency": "USD", "reached": false, "distance_pct": "5"},
			map[string]any{"side": "below", "price": "96.5", "currency": "USD", "reached": false, "distance_pct": "-19.5833333333333333"},
		},
	})
	toolstest.WantParts(t, "text", res.UserText(), "**Saved: VTI above 126 USD, below 96.5 USD. Current price: 120.00 USD, 2024-06-28**", "Note: cheap | broad", "markettest · 2024-06-28 close")
	f := toolstest.Figure(t, res, "watches.0.targets.0.distance_pct")
	if !f.Value.Equal(toolstest.MustDecimal("5")) || len(f.Inputs) != 2 || f.Formula == "" {
		t.Errorf("distance = %+v", f)
	}
}

func TestWatchlist_PricesAreKeptDigitByDigit(t *testing.T) {
	w := newProfileFixture(t)
	router := w.router(t, tool.Once)
	out, err := router.Call(t.Context(), toolstest.ToolCall("watchlist", `{"action":"add","symbol":"VTI","above":123.4500000000000017}`))
	if err != nil || out.Result.IsError {
		t.Fatal(err, out.Result.ErrorText())
	}
	if got := w.WatchBySymbol["VTI"].Targets[0].Price.String(); got != "123.4500000000000017" {
		t.Errorf("target = %s, want it as it was written", got)
	}
}

func TestWatchlist_AddToWhatIsThereKeepsTheRest(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "VTI", "note": "broad", "above": 126, "below": 96})
	watch(t, w, args{"symbol": "VTI", "above": 119})
	toolstest.WantParts(t, "plan", w.Plan(t), "VTI: target above: 119 USD (was 126 USD)", "already reached: above 119 USD")
	_, got := w.mustCall(t, "watchlist", args{"action": "remove", "symbol": "VTI", "target": "below"})
	toolstest.WantParts(t, "plan", w.Plan(t), "VTI: target below: nothing (was 96 USD)")
	have := w.WatchBySymbol["VTI"]
	if have.Note != "broad" || len(have.Targets) != 1 || have.Targets[0].Side != investor.Above || !have.Targets[0].Price.Equal(toolstest.MustDecimal("119")) {
		t.Errorf("watch = %+v, want the note and one target", have)
	}
	if got["reached"] != 1.0 {
		t.Errorf("reached = %v, want 1", got["reached"])
	}
	requests := len(w.Approvals)
	if watch(t, w, args{"symbol": "VTI", "above": 119.00}); len(w.Approvals) != requests {
		t.Errorf("asked for what stands there already: %s", w.Plan(t))
	}
}

func TestWatchlist_ShowPricesAllAndSaysWhyOneHasNone(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "VTI", "below": 125})
	watch(t, w, args{"symbol": "SAP", "above": 165})
	if err := w.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: "GONE", Added: toolstest.MustDay("2024-06-20"), Targets: []investor.PriceTarget{{Side: investor.Above, Price: toolstest.MustDecimal("1"), Currency: "USD"}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: "BND", Added: toolstest.MustDay("2024-06-20"), Targets: []investor.PriceTarget{{Side: investor.Above, Price: toolstest.MustDecimal("1"), Currency: "CHF"}}}); err != nil {
		t.Fatal(err)
	}
	res, got := w.mustCall(t, "watchlist", args{})
	if got["reached"] != 1.0 || len(got["watches"].([]any)) != 4 {
		t.Errorf("reached %v of %d watches, want 1 of 4", got["reached"], len(got["watches"].([]any)))
	}
	if diff := cmp.Diff(watchlistText, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "4 symbols watched; 1 of 4 targets reached: VTI below 125.00 USD."; res.Headline != want || res.Summary != "4 watched · 1 target reached" {
		t.Errorf("headline = %q, want %q; summary = %q", res.Headline, want, res.Summary)
	}
}

// watchlistText is the table of four symbols, one of them unknown.
const watchlistText = `**BND, GONE, SAP, VTI**

| symbol | name | price | as of |
| --- | --- | ---: | --- |
| BND | BND of the test | 51.00 USD | 2024-06-28 |
| GONE | n/a | n/a | n/a |
| SAP | SAP of the test | 150.00 EUR | 2024-06-28 |
| VTI | VTI of the test | 120.00 USD | 2024-06-28 |

**Targets**

| symbol | target | price must move | state |
| --- | --- | ---: | --- |
| BND | above 1.00 CHF | n/a | not judged: the price is in USD, but the target is in CHF |
| GONE | above 1.00 USD | n/a | not judged: no price |
| SAP | above 165.00 EUR | +10.0% | not reached |
| VTI | below 125.00 USD |  | reached |

markettest · 2024-06-28 close

- ! GONE: test data for "GONE": unknown symbol
`

func TestWatchlist_RemoveSaysWhatGoes(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "VTI", "note": "broad", "above": 126})
	_, got := w.mustCall(t, "watchlist", args{"action": "remove", "symbol": "VTI of the test"})
	toolstest.WantParts(t, "plan", w.Plan(t), "removes VTI from the watchlist, watched since 2024-06-28", "with its target above 126 USD", "with its note: broad")
	if len(w.WatchBySymbol) != 0 || got["removed"] != "VTI" {
		t.Errorf("left %v, answer %v", w.WatchBySymbol, got)
	}
	toolstest.WantError(t, w.call(t, "watchlist", args{}), tool.CodeNoData, "nfa watchlist add SYMBOL")
}

func TestWatchlist_WhatCannotBeIsNotAskedFor(t *testing.T) {
	index := markettest.Daily("^IDX", toolstest.MustDay("2024-06-24"), "5000", "5001", "5002", "5003", "5004")
	index.Kind, index.Provenance.Currency, index.Provenance.Unit = "index", "", "index points"
	dark := markettest.Daily("DARK", toolstest.MustDay("2024-06-24"), "5")
	dark.Provenance.Currency = ""
	for name, c := range map[string]struct {
		in         args
		code, says string
	}{
		"no such action":         {args{"action": "buy"}, tool.CodeValidation, "show, add or remove"},
		"symbol is required":     {args{"action": "add"}, tool.CodeValidation, "symbol is required"},
		"nobody knows it":        {args{"action": "add", "symbol": "VTJ"}, market.CodeUnknownSymbol, "Did you mean VTI"},
		"a target to show":       {args{"symbol": "VTI", "above": 5}, tool.CodeValidation, "action add"},
		"another currency":       {args{"action": "add", "symbol": "SAP", "above": 5, "currency": "usd"}, tool.CodeValidation, "SAP is priced in EUR"},
		"no currency":            {args{"action": "add", "symbol": "VTI", "above": 5, "currency": "dollars"}, tool.CodeValidation, "ISO 4217"},
		"a currency of nothing":  {args{"action": "add", "symbol": "VTI", "currency": "USD"}, tool.CodeValidation, "currency requires above or below"},
		"points have none":       {args{"action": "add", "symbol": "^IDX", "above": 5, "currency": "USD"}, tool.CodeValidation, "give the target in points"},
		"nobody tells in what":   {args{"action": "add", "symbol": "DARK", "above": 5}, tool.CodeValidation, "the currency of DARK is unknown"},
		"nothing":                {args{"action": "add", "symbol": "VTI", "below": 0}, tool.CodeValidation, "above zero"},
		"below nothing":          {args{"action": "add", "symbol": "VTI", "below": -5}, tool.CodeValidation, "above zero"},
		"hidden characters":      {args{"action": "add", "symbol": "VTI", "note": "a\x1b[2J"}, tool.CodeValidation, "control characters"},
		"too long":               {args{"action": "add", "symbol": "VTI", "note": strings.Repeat("x", 8001)}, tool.CodeValidation, "longer than"},
		"not watched":            {args{"action": "remove", "symbol": "SAP"}, tool.CodeValidation, "choose from BND"},
		"not watched, shown":     {args{"symbol": "SAP"}, tool.CodeValidation, "choose from BND"},
		"no such target":         {args{"action": "remove", "symbol": "BND", "target": "above"}, tool.CodeValidation, "no above target"},
		"no such side":           {args{"action": "remove", "symbol": "BND", "target": "beside"}, tool.CodeValidation, "above or below"},
		"a target without a act": {args{"action": "add", "symbol": "BND", "target": "above"}, tool.CodeValidation, "use above or below"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newProfileFixture(t, index, dark)
			watch(t, w, args{"symbol": "BND"})
			w.Approvals, w.Saves = nil, 0
			toolstest.WantError(t, w.call(t, "watchlist", c.in), c.code, c.says)
			if len(w.Approvals) != 0 || w.Saves != 0 {
				t.Errorf("asked %d times, saved %d times", len(w.Approvals), w.Saves)
			}
		})
	}
}

func TestWatchlist_ATargetOfAnIndexIsInPoints(t *testing.T) {
	index := markettest.Daily("^IDX", toolstest.MustDay("2024-06-24"), "5000", "5001", "5002", "5003", "5004")
	index.Kind, index.Provenance.Currency, index.Provenance.Unit = "index", "", "index points"
	w := newProfileFixture(t, index)
	res, got := watch(t, w, args{"symbol": "^IDX", "below": 5010, "above": 5100})
	toolstest.WantParts(t, "plan", w.Plan(t), "^IDX: target below: 5010 points (was nothing)", "already reached: below 5010 points")
	toolstest.WantParts(t, "text", res.UserText(), "Current price: 5,004.00 index points, 2024-06-28", "| above 5,100.00 points | +1.9% | not reached |", "| below 5,010.00 points |  | reached |")
	if got["reached"] != 1.0 || len(w.WatchBySymbol["^IDX"].Targets) != 2 || w.WatchBySymbol["^IDX"].Targets[0].Currency != "" {
		t.Errorf("reached %v, kept %+v, want one of two targets without a currency", got["reached"], w.WatchBySymbol["^IDX"])
	}
	if f := toolstest.Figure(t, res, "watches.0.targets.0.price"); f.Unit != "points" {
		t.Errorf("figure = %+v, want points", f)
	}
}

func TestWatchlist_RefusedOrChangedMeanwhileWritesNothing(t *testing.T) {
	w := newProfileFixture(t)
	w.Allow = false
	toolstest.WantError(t, w.call(t, "watchlist", args{"action": "add", "symbol": "VTI"}), tool.CodeRefused, "")
	if w.Saves != 0 {
		t.Errorf("saved %d times after a refusal", w.Saves)
	}
	w.Allow, w.BeforeAnswer = true, func([]tool.Approval) {
		if err := w.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: "VTI", Added: toolstest.MustDay("2024-06-28"), Note: "mine"}); err != nil {
			t.Error(err)
		}
	}
	router := w.router(t, tool.Once)
	res := toolstest.CallRouter(t, router, "watchlist", args{"action": "add", "symbol": "VTI", "note": "theirs"})
	toolstest.WantError(t, res, tool.CodeValidation, "since the preview")
	if w.WatchBySymbol["VTI"].Note != "mine" {
		t.Errorf("note = %q, want that of who came first", w.WatchBySymbol["VTI"].Note)
	}
}

func TestWatchlist_WhatIsGoneMeanwhileDoesNotComeBack(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "VTI"})
	w.BeforeAnswer = func([]tool.Approval) {
		if err := w.RemoveWatch(t.Context(), "VTI"); err != nil {
			t.Error(err)
		}
	}
	router := w.router(t, tool.Once)
	res := toolstest.CallRouter(t, router, "watchlist", args{"action": "add", "symbol": "VTI", "above": 5})
	toolstest.WantError(t, res, tool.CodeValidation, "since the preview")
	if len(w.WatchBySymbol) != 0 {
		t.Errorf("watched are %v, want none", w.WatchBySymbol)
	}
}

func TestWatchlist_AReplayShowsPricesAndWatchesOfThen(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "SAP"})
	if err := w.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: "VTI", Added: toolstest.MustDay("2024-06-24")}); err != nil {
		t.Fatal(err)
	}
	w.Now, w.Replay = toolstest.Clock(t, "2024-06-25T20:00:00Z"), true
	// Prices adjusted for later dividends do not show the price at that time.
	res, _ := w.mustCall(t, "watchlist", args{})
	if strings.Contains(res.ModelText(), "SAP") || strings.Contains(res.ModelText(), "120") {
		t.Errorf("of later is shown: %s", res.ModelText())
	}
	for _, in := range []args{{"action": "add", "symbol": "BND"}, {"action": "remove", "symbol": "VTI"}} {
		toolstest.WantError(t, w.call(t, "watchlist", in), tool.CodeValidation, "--as-of sets the date")
	}
}

func TestWatchlist_ManyArePricedInOneRequest(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "VTI"})
	watch(t, w, args{"symbol": "BND"})
	source := &toolstest.BatchQuotes{QuoteSource: w.Quotes}
	w.Quotes = source
	_, got := w.mustCall(t, "watchlist", args{})
	if len(source.Batches()) != 1 || len(source.Singles()) != 0 || len(got["watches"].([]any)) != 2 {
		t.Errorf("requests for all %v and for one %v", source.Batches(), source.Singles())
	}
}

// Sources return the newest price regardless of the clock.
func TestWatchlist_APriceOfAfterTheClockIsNotShown(t *testing.T) {
	for name, c := range map[string]struct {
		now      string
		replay   bool
		want     string
		requests int
	}{
		"a clock that lags":  {"2024-06-25T20:00:00Z", false, "105", 1},
		"a replay of today":  {fridayEvening, true, "120", 0}, // a replay requests no current quote
		"a clock that keeps": {fridayEvening, false, "120", 1},
	} {
		t.Run(name, func(t *testing.T) {
			raw := markettest.Daily("VTI", toolstest.MustDay("2024-06-24"), "100", "105", "110", "115", "120")
			raw.Provenance.Adjustment = market.AdjustmentRaw
			w := newProfileFixture(t, raw, markettest.Daily("BND", toolstest.MustDay("2024-06-24"), "50", "51"))
			for _, sym := range []market.Symbol{"VTI", "BND"} {
				if err := w.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: sym, Added: toolstest.MustDay("2024-06-20")}); err != nil {
					t.Fatal(err)
				}
			}
			source := &toolstest.BatchQuotes{QuoteSource: w.Quotes}
			w.Quotes, w.Now, w.Replay = source, toolstest.Clock(t, c.now), c.replay
			_, one := w.mustCall(t, "watchlist", args{"symbol": "VTI"})
			if n := len(source.Singles()); n != c.requests {
				t.Errorf("%d quote requests, want %d", n, c.requests)
			}
			_, all := w.mustCall(t, "watchlist", args{})
			for _, line := range []any{one["watches"].([]any)[0], all["watches"].([]any)[1]} {
				if got := line.(map[string]any)["price"]; got != c.want {
					t.Errorf("price = %v, want %s", got, c.want)
				}
			}
		})
	}
}

func TestWatchlist_ASampleReachesNoTargetAndSaysSo(t *testing.T) {
	old := markettest.Daily("OLD", toolstest.MustDay("2010-01-04"), "10")
	old.Provenance.Flags = []market.Flag{market.FlagSample}
	w := newProfileFixture(t, old)
	res, got := watch(t, w, args{"symbol": "OLD", "above": 5})
	line := got["watches"].([]any)[0].(map[string]any)["targets"].([]any)[0].(map[string]any)
	if line["reached"] != nil || line["distance_pct"] != nil || !strings.Contains(res.UserText(), "SAMPLE ·") || !strings.Contains(res.UserText(), "sample data") {
		t.Errorf("target = %v:\n%s", line, res.UserText())
	}
}

func TestWatchlist_ASourceThatIsDownIsAnError(t *testing.T) {
	w := newProfileFixture(t)
	watch(t, w, args{"symbol": "VTI"})
	w.Quotes = &markettest.Source{Err: market.ErrUnavailable}
	res, _ := w.mustCall(t, "watchlist", args{})
	toolstest.WantParts(t, "text", res.UserText(), "! VTI: source unavailable")
	w.Err = errors.New("disk is gone")
	if res := w.call(t, "watchlist", args{}); !res.IsError || !strings.Contains(res.ErrorText(), "load watchlist: disk is gone") {
		t.Errorf("without a disk = %s", res.ErrorText())
	}
}

func TestWatchlist_ALongListIsGivenToAModelInPart(t *testing.T) {
	w := newProfileFixture(t)
	for i := range 10 {
		sym := market.Symbol("A" + string(rune('A'+i)))
		if err := w.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: sym, Added: toolstest.MustDay("2024-06-24"), Note: strings.Repeat("word ", 1500)}); err != nil {
			t.Fatal(err)
		}
	}
	res, got := w.mustCall(t, "watchlist", args{})
	model := toolstest.Object(t, res.ModelText())
	if n := len(model["watches"].([]any)); n == 0 || n == 10 || model["watches_omitted"] != float64(10-n) || len(got["watches"].([]any)) != 10 {
		t.Errorf("a model reads %d of %d, left out %v", n, len(got["watches"].([]any)), model["watches_omitted"])
	}
}

// Chat, section 5: adding a known symbol needs no price and no network.
func TestWatchlist_AddNeedsNoPrice(t *testing.T) {
	w := newProfileFixture(t)
	none := market.NewFallback(market.Sources{})
	w.Bars, w.Quotes = none, none
	res, got := watch(t, w, args{"symbol": "VTI"})
	if got["symbol"] != "VTI" || res.Headline != "VTI is on your watchlist (1 symbol)." {
		t.Errorf("added %v, headline %q", got, res.Headline)
	}
	toolstest.WantError(t, w.call(t, "watchlist", args{"action": "add", "symbol": "VTI", "above": 130}), market.CodeUnauthorized, "")
}

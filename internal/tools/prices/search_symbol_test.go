package prices_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// listings is a directory of a few instruments.
type listings []market.Instrument

func (l listings) Instruments(context.Context) ([]market.Instrument, error) { return l, nil }

func searching(t *testing.T, searches market.SearchSource) prices.Deps {
	t.Helper()
	d := depsOf(t)
	d.Directory = listings{
		{Symbol: "VWCE.DE", Name: "Vanguard FTSE All-World", Kind: "fund", Listing: market.Listing{MIC: "XETR", Exchange: "Xetra", ISIN: "IE00BK5BQT80"}},
		{Symbol: "AAPL", Name: "Apple Inc.", Kind: "equity", Aliases: []string{"Apple"}, Listing: market.Listing{MIC: "XNAS", CIK: "0000320193"}},
		{Symbol: "APLE", Name: "Apple Hospitality REIT", Kind: "equity", Listing: market.Listing{MIC: "XNYS"}},
	}
	d.Searches = searches
	return d
}

func TestSearchSymbol_FindsOfflineWhatTheTableHas(t *testing.T) {
	_, got := group.CallOK(t, searching(t, nil), "search_symbol", args{"query": "apple"})
	// Exact names come before names that contain the query.
	if diff := cmp.Diff([]string{"AAPL local table", "APLE local table"}, toolstest.Rows(t, got, "matches", "symbol", "from")); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	_, got = group.CallOK(t, searching(t, nil), "search_symbol", args{"query": "all-world", "kind": "Fund"})
	toolstest.WantFields(t, got["matches"].([]any)[0].(map[string]any), map[string]any{
		"symbol": "VWCE.DE", "kind": "fund", "exchange": "Xetra", "mic": "XETR", "isin": "IE00BK5BQT80", "from": "local table",
	})
}

func TestSearchSymbol_AddsWhatASourceKnows(t *testing.T) {
	feeds := &markettest.FakeFeeds{Listed: []market.Instrument{
		{Symbol: "AAPL", Name: "Apple of the source", Kind: "equity"}, {Symbol: "APC.DE", Name: "Apple on Xetra", Kind: "equity"},
		{Symbol: "APPL-USD", Name: "Apple coin", Kind: "crypto"},
	}}
	_, got := group.CallOK(t, searching(t, feeds), "search_symbol", args{"query": "apple", "kind": "equity"})
	if diff := cmp.Diff([]string{"AAPL local table", "APLE local table", "APC.DE source"}, toolstest.Rows(t, got, "matches", "symbol", "from")); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got["outside"] != toolkit.OutsideTextNote {
		t.Errorf("outside = %v, want the names of a source marked", got["outside"])
	}
	_, got = group.CallOK(t, searching(t, feeds), "search_symbol", args{"query": "apple", "limit": 1})
	if diff := cmp.Diff([]string{"AAPL local table"}, toolstest.Rows(t, got, "matches", "symbol", "from")); diff != "" {
		t.Errorf("the first of them (-want +got):\n%s", diff)
	}
}

func TestSearchSymbol_ASourceThatFailsLeavesTheTable(t *testing.T) {
	feeds := &markettest.FakeFeeds{Err: fmt.Errorf("status 429: %w", market.ErrRateLimited)}
	res, got := group.CallOK(t, searching(t, feeds), "search_symbol", args{"query": "apple"})
	if len(toolstest.Rows(t, got, "matches", "symbol", "from")) != 2 || !strings.Contains(res.UserText(), "only the local table was searched: status 429") {
		t.Errorf("found %v, said %q; want the table's matches and why no more", toolstest.Rows(t, got, "matches", "symbol", "from"), res.UserText())
	}
	toolstest.WantError(t, group.Call(t, searching(t, feeds), "search_symbol", args{"query": "zzzz"}), tool.CodeNoData, "status 429")
}

func TestSearchSymbol_RefusesInvalidQueries(t *testing.T) {
	for _, tc := range []struct {
		in   args
		want string
	}{
		{args{"query": "  "}, "query is required"}, {args{"query": strings.Repeat("x", 201)}, "at most 200"}, {args{"query": "x", "limit": 26}, "use 1 to 25"},
	} {
		toolstest.WantError(t, group.Call(t, searching(t, nil), "search_symbol", tc.in), tool.CodeValidation, tc.want)
	}
	toolstest.WantError(t, group.Call(t, searching(t, nil), "search_symbol", args{"query": "zzzz"}), tool.CodeNoData, "no symbol matches")
}

package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// withoutSource lists tools whose answers have no source, with the reason.
func withoutSource() map[string]string {
	return map[string]string{
		"current_time": "it is the clock", "search_symbol": "it returns names, not numbers; each match names its list",
		"market_status": "it computes from calendars and names them",
		"option_chain":  "these cases have no option chain from before the clock", "earnings": "it does not answer with the clock set back", "web_fetch": "it does not answer with the clock set back", "check_api": "it does not answer with the clock set back",
	}
}

// A model must not receive a number without its source and date, from any tool.
func TestAll_EveryAnswerCarriesItsOrigin(t *testing.T) {
	all := toolstest.Open(t, tools.All(replayDeps(t, false)))
	for name, c := range replayCases() {
		if withoutSource()[name] != "" {
			continue
		}
		wantOrigins(t, name, toolstest.CallRouter(t, all, name, c.in))
	}
	d := deps(t)
	d.Options = &markettest.FakeFeeds{Chains: map[market.Symbol]market.OptionChain{"AAPL": {
		Instrument: market.Instrument{Symbol: "AAPL"}, Expiry: toolstest.MustDay("2026-12-18"),
		Options:    []market.OptionQuote{{Kind: market.Call}},
		Provenance: market.Provenance{Source: "markettest", AsOf: d.Now().Add(-time.Hour), FetchedAt: d.Now()},
	}}}
	wantOrigins(t, "option_chain", allTools.Call(t, d, "option_chain", args{"symbol": "AAPL"}))
}

// wantOrigins checks that the model's text of a result has an origin, or one for each of its parts.
func wantOrigins(t *testing.T, name string, res tool.Result) {
	t.Helper()
	if res.IsError {
		t.Fatalf("%s = %s", name, res.ErrorText())
	}
	var answer any
	if err := json.Unmarshal([]byte(res.ModelText()), &answer); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	found := origins(answer)
	if len(found) == 0 {
		t.Errorf("%s has no origin: %.300s", name, res.ModelText())
	}
	for _, o := range found {
		for _, field := range []string{"source", "fetched_at"} {
			if o[field] == nil || o[field] == "" {
				t.Errorf("%s: an origin without %s: %.300v", name, field, o)
			}
		}
		if o["as_of"] == nil && name != "web_search" { // each page has its own date
			t.Errorf("%s: an origin without as_of: %.300v", name, o)
		}
	}
}

// origins returns the objects of an answer that have a source, and flags or a time. A rendered answer
// omits empty flags.
func origins(v any) []map[string]any {
	var out []map[string]any
	switch v := v.(type) {
	case map[string]any:
		if v["source"] != nil && (v["flags"] != nil || v["fetched_at"] != nil) {
			out = append(out, v)
		}
		for _, part := range v {
			out = append(out, origins(part)...)
		}
	case []any:
		for _, part := range v {
			out = append(out, origins(part)...)
		}
	}
	return out
}

// If one source fails and another answers, users and models learn of it.
func TestAll_FailedSourcesAreReported(t *testing.T) {
	down := markettest.NewSource()
	down.Err = &market.SourceError{Source: "yahoo", Err: market.ErrRateLimited}
	s := markettest.NewSource(markettest.Daily("VTI", toolstest.MustDay("2026-11-16"), "100", "101", "102", "103"))
	both := market.NewFallback(market.Sources{Quotes: []market.QuoteSource{down, s}, Bars: []market.BarSource{down, s}})
	d := tools.Deps{Quotes: both, Bars: both, Directory: s, Now: toolstest.Clock(t, "2026-11-19T22:00:00Z")}
	for _, name := range []string{"quote", "price_history", "returns_stats", "risk_metrics", "technical_indicators"} {
		in := args{"symbol": "VTI"}
		if name == "technical_indicators" {
			in["indicators"] = []string{"sma:2"}
		}
		res := allTools.Call(t, d, name, in)
		want := fmt.Sprintf("not available from Yahoo Finance (%s)", market.ErrRateLimited)
		if !strings.Contains(res.UserText(), want) || !strings.Contains(res.ModelText(), `"tried":[{"source":"yahoo"`) {
			t.Errorf("%s shows %q and tells the model %.300q, want %q in both", name, res.UserText(), res.ModelText(), want)
		}
	}
}

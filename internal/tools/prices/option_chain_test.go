package prices_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// chain returns calls and puts at 80, 85 ... 120 on a share at 101, as of a time.
func chain(t *testing.T, asOf time.Time) prices.Deps {
	t.Helper()
	expiry := toolstest.MustDay("2026-12-18")
	c := market.OptionChain{
		Instrument: market.Instrument{Symbol: "VTI", Name: "Total Market"}, Spot: decimal.NewNullDecimal(decimal.NewFromInt(101)),
		Expiry: expiry, Expiries: []market.Date{expiry, expiry.AddDate(0, 1, 0)},
		Provenance: market.Provenance{Source: "an exchange", AsOf: asOf, Currency: "USD", Flags: []market.Flag{market.FlagDelayed}},
	}
	for strike := int64(80); strike <= 120; strike += 5 {
		for _, kind := range []market.OptionKind{market.Call, market.Put} {
			c.Options = append(c.Options, market.OptionQuote{
				Contract: fmt.Sprintf("VTI261218%s%d", kind, strike), Kind: kind, Strike: decimal.NewFromInt(strike),
				Bid: decimal.NewNullDecimal(decimal.RequireFromString("1.1")), Last: decimal.NewNullDecimal(decimal.RequireFromString("1.15")),
				LastTraded: toolstest.Clock(t, "2026-11-17T20:00:00Z")(), Volume: 1200, OpenInterest: 34,
				Implied: decimal.NewNullDecimal(decimal.RequireFromString("0.2345")),
			})
		}
	}
	d := depsOf(t, markettest.Daily("VTI", expiry, "100"))
	d.Options = &markettest.FakeFeeds{Chains: map[market.Symbol]market.OptionChain{"VTI": c}}
	return d
}

func TestOptionChain_GivesTheStrikesNearestToThePrice(t *testing.T) {
	d := chain(t, toolstest.Clock(t, "2026-11-20T10:15:00Z")())
	res, got := group.CallOK(t, d, "option_chain", args{"symbol": "vti", "type": "calls", "strikes": 3})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "VTI", "spot": "101", "expiry": "2026-12-18", "expiries": []any{"2026-12-18", "2027-01-18"}, "currency": "USD",
		"count": 18.0, "options_note": "3 of 18 options; raise strikes or set type for more", "flags": []any{"delayed"}, "as_of": "2026-11-20T10:15:00Z",
	})
	var strikes []string
	for _, o := range got["options"].([]any) {
		strikes = append(strikes, o.(map[string]any)["type"].(string)+" "+o.(map[string]any)["strike"].(string))
	}
	if diff := cmp.Diff([]string{"call 95", "call 100", "call 105"}, strikes); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	last, implied := toolstest.Figure(t, res, "options.1.last"), toolstest.Figure(t, res, "options.1.implied_volatility")
	if last.Unit != "USD" || last.AsOf.Day() != 17 || !implied.Value.Equal(decimal.RequireFromString("23.45")) {
		t.Errorf("figures = %+v and %+v, want the last price with its own date and 23.45%%", last, implied)
	}
}

// A missing ask is not zero.
func TestOptionChain_WhatIsNotQuotedIsAbsent(t *testing.T) {
	d := chain(t, toolstest.Clock(t, "2026-11-20T10:15:00Z")())
	res, _ := group.CallOK(t, d, "option_chain", args{"symbol": "VTI"})
	for _, f := range res.Figures {
		if f.ID == "VTI261218call100.ask" {
			t.Errorf("figure %+v of an ask that nobody made", f)
		}
	}
}

func TestOptionChain_WithTheClockSetBackNothingIsKnown(t *testing.T) {
	d := chain(t, toolstest.Clock(t, "2026-11-20T10:15:00Z")())
	d.Now = toolstest.Clock(t, "2024-06-28T10:00:00Z")
	toolstest.WantError(t, group.Call(t, d, "option_chain", args{"symbol": "VTI"}), tool.CodeNoData, "no option prices for VTI on or before 2024-06-28")
}

func TestOptionChain_RefusesInvalidArguments(t *testing.T) {
	d := chain(t, toolstest.Clock(t, "2026-11-20T10:15:00Z")())
	toolstest.WantError(t, group.Call(t, d, "option_chain", args{"symbol": "VTI", "type": "straddle"}), tool.CodeValidation, "call or put")
	toolstest.WantError(t, group.Call(t, d, "option_chain", args{"symbol": "VTI", "strikes": 99}), tool.CodeValidation, "use 1 to 40")
	toolstest.WantError(t, group.Call(t, d, "option_chain", args{"symbol": "VTI", "expiry": "soon"}), tool.CodeValidation, "not a date")
	toolstest.WantError(t, group.Call(t, d, "option_chain", args{"symbol": "VTI", "expiry": "2026-12-19"}), tool.CodeNoData, "no data")
	toolstest.WantError(t, group.Call(t, d, "option_chain", args{"symbol": "NOPE"}), market.CodeUnknownSymbol, `no symbol "NOPE"`)
}

// C19. Yahoo writes powers of two for the volatility of options without a market: its 1.5625 % beside a
// last price of 1.41 for a put at 45 on a share at 47 implies about 30 %.
func TestOptionChain_FlagsWhatDoesNotFitThePrice(t *testing.T) {
	now, expiry := toolstest.Clock(t, "2026-11-20T10:15:00Z")(), toolstest.MustDay("2027-01-15")
	number := func(text string) decimal.NullDecimal { return decimal.NewNullDecimal(decimal.RequireFromString(text)) }
	d := depsOf(t, markettest.Daily("EPAC", expiry, "47"))
	d.Options = &markettest.FakeFeeds{Chains: map[market.Symbol]market.OptionChain{"EPAC": {
		Instrument: market.Instrument{Symbol: "EPAC", Name: "Example"}, Spot: number("47"), Expiry: expiry, Expiries: []market.Date{expiry},
		Provenance: market.Provenance{Source: "an exchange", AsOf: now, Currency: "USD"},
		Options: []market.OptionQuote{
			{Contract: "P45", Kind: market.Put, Strike: decimal.NewFromInt(45), Last: number("1.41"), Implied: number("0.015625")},
			{Contract: "P46", Kind: market.Put, Strike: decimal.NewFromInt(46), Bid: number("1.75"), Ask: number("1.85"), Implied: number("0.3")},
			{Contract: "C47", Kind: market.Call, Strike: decimal.NewFromInt(47), Last: number("2.3"), Implied: number("0.31")},
		},
	}}}
	d.Now = toolstest.Clock(t, "2026-11-20T11:00:00Z")
	_, got := group.CallOK(t, d, "option_chain", args{"symbol": "EPAC"})
	want := map[string][]any{"P45": {"thin", "suspect"}, "P46": nil, "C47": {"thin"}}
	for _, o := range got["options"].([]any) {
		line := o.(map[string]any)
		flags, _ := line["flags"].([]any)
		if diff := cmp.Diff(want[line["contract"].(string)], flags); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line["contract"], diff)
		}
		if vol, ok := line["price_volatility"].(float64); !ok || vol < 0.25 || vol > 0.36 || line["delta"] == nil {
			t.Errorf("%s: price_volatility %v, delta %v; want about 0.3", line["contract"], line["price_volatility"], line["delta"])
		}
	}
}

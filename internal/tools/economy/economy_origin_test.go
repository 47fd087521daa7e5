package economy_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// cached returns data of a source that fell back to its disk cache after another had failed.
func cached(p market.Provenance) market.Provenance {
	p.Cache, p.Endpoint, p.Note = market.CacheStale, "daily", "Reference rates."
	p.Tried = []market.Attempt{{Source: "ecb", Reason: "rate limited"}}
	return p.With(market.FlagProvisional)
}

func cachedDeps(t *testing.T) economy.Deps {
	t.Helper()
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	series := markettest.Monthly("RATE", toolstest.MustDay("2026-08-01"), "3.5", "3.6")
	curve := markettest.Curve(toolstest.MustDay("2026-11-18"), "24", "4.31", "120", "4.41")
	rates := markettest.DailyRates(pair, toolstest.MustDay("2026-11-17"), "1.1", "1.2")
	series.Provenance, curve.Provenance, rates.Provenance = cached(series.Provenance), cached(curve.Provenance), cached(rates.Provenance)
	feeds := &markettest.FakeFeeds{
		Curves: map[string][]market.YieldCurve{market.CurveTreasury: {curve}},
		FX:     map[market.Pair]market.RateSeries{pair: rates},
	}
	return economy.Deps{Series: markettest.NewSeriesSource(series), Curves: feeds, Rates: feeds, Now: toolstest.Clock(t, toolstest.Now)}
}

// Every tool reports the source and age of its numbers and which source failed before, but nothing
// about splits, which rates do not have.
func TestTools_SayWhereTheirNumbersAreFrom(t *testing.T) {
	for name, in := range map[string]args{
		"macro_series": {"series_id": "RATE"},
		"yield_curve":  {},
		"fx_rate":      {"pair": "EUR/USD"},
	} {
		t.Run(name, func(t *testing.T) {
			res, got := group.CallOK(t, cachedDeps(t), name, in)
			toolstest.WantFields(t, got, map[string]any{
				"source": "markettest", "endpoint": "daily", "cache": "stale", "flags": []any{"provisional"}, "note": "Reference rates",
				"tried": []any{map[string]any{"source": "ecb", "reason": "rate limited"}},
			})
			if got["as_of"] == nil || got["fetched_at"] == nil || got["adjustment"] != nil {
				t.Errorf("as of %v, fetched %v, adjustment %v; want both times and nothing of an adjustment", got["as_of"], got["fetched_at"], got["adjustment"])
			}
			for _, part := range []string{"markettest · 2026-", " · stale · provisional\n", "European Central Bank (rate limited)", "Reference rates"} {
				if !strings.Contains(res.UserText(), part) {
					t.Errorf("people read %q, want %q in it", res.UserText(), part)
				}
			}
			if !strings.HasSuffix(res.Summary, "STALE PROVISIONAL") {
				t.Errorf("summary = %q, want the flags in it", res.Summary)
			}
		})
	}
}

// The unit belongs to the returned numbers, even if the source uses another.
func TestTools_TheUnitIsThatOfTheAnswer(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		in         args
	}{
		{"macro_series", "percentage points", args{"series_id": "RATE", "units": "change"}},
		{"yield_curve", "% a year", args{}},
	} {
		if _, got := group.CallOK(t, cachedDeps(t), tc.name, tc.in); got["unit"] != tc.want {
			t.Errorf("unit of %s = %v, want %s", tc.name, got["unit"], tc.want)
		}
	}
}

func TestTools_WithoutASourceThereAreNone(t *testing.T) {
	if tools := economy.Tools(economy.Deps{Now: toolstest.Clock(t, toolstest.Now)}); len(tools) > 0 {
		t.Errorf("%d tools without a source, want none", len(tools))
	}
}

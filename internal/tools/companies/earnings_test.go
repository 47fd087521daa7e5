package companies_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// fakeEarnings has the first estimate of Yahoo's recorded answer for Apple.
type fakeEarnings struct{ next string }

func (f fakeEarnings) Earnings(_ context.Context, sym market.Symbol) (market.Earnings, error) {
	known := func(text string) decimal.NullDecimal { return decimal.NewNullDecimal(decimal.RequireFromString(text)) }
	next := toolstest.MustDay(f.next)
	return market.Earnings{
		Symbol: sym, From: next, To: next.AddDate(0, 0, 5), DateEstimated: true,
		Estimates: []market.EarningsEstimate{{
			Period: market.CurrentQuarter, End: toolstest.MustDay("2025-03-31"), Raised: known("3"), Lowered: known("20"),
			EPS:     market.Estimate{Average: known("1.60796"), Low: known("1.5"), High: known("1.67"), YearAgo: known("1.53"), Growth: known("0.051"), Analysts: 27, Currency: "USD"},
			Revenue: market.Estimate{Average: known("94076168920"), Analysts: 27, Currency: "USD"},
		}},
		Results:    []market.EarningsResult{{End: toolstest.MustDay("2024-12-31"), Reported: known("2.4"), Expected: known("2.5"), Currency: "USD"}},
		Provenance: market.Provenance{Source: "markettest", AsOf: toolstest.MustDay("2025-02-20"), FetchedAt: toolstest.MustDay("2025-02-20")},
	}, nil
}

// C21: estimates are marked as such, and a date that is past is not the next one.
func TestEarnings_EstimatesAreMarked(t *testing.T) {
	group := toolstest.Group[companies.FundamentalDeps](companies.FundamentalTools)
	s := toolstest.SamplePrices(t)
	d := companies.FundamentalDeps{Prices: s, Earnings: fakeEarnings{"2027-04-30"}}
	res, got := group.CallOK(t, d, "earnings", toolstest.Args{"symbol": "AAPL"})
	toolstest.WantFields(t, got, map[string]any{"next_date": "2027-04-30", "next_date_to": "2027-05-05", "next_date_is_estimate": true})
	line := got["estimates"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, line, map[string]any{"eps": "1.60796", "eps_analysts": 27.0, "revenue": "94076168920", "period": "current quarter", "eps_30_days_ago": nil})
	toolstest.WantFields(t, got["results"].([]any)[0].(map[string]any), map[string]any{"surprise": "-0.04"})
	if want := "Next report from AAPL: 2027-04-30 to 2027-05-05 (expected, not confirmed); analysts expect 1.608 USD a share for the quarter to 2025-03-31."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	if !strings.Contains(res.UserText(), "averages of analysts' opinions") {
		t.Errorf("people do not read that estimates are opinions: %s", res.UserText())
	}
	for _, code := range []string{"estimates", "estimated_date"} {
		if !slices.ContainsFunc(res.Notes, func(n tool.Note) bool { return n.Code == code }) {
			t.Errorf("notes %+v do not have %s", res.Notes, code)
		}
	}
	d.Earnings = fakeEarnings{"2025-04-30"}
	if res := group.Call(t, d, "earnings", toolstest.Args{"symbol": "AAPL"}); !strings.Contains(res.ModelText(), "is in the past") {
		t.Errorf("a date of last year is not marked as past: %s", res.ModelText())
	}
	d.Replay = true
	toolstest.WantError(t, group.Call(t, d, "earnings", toolstest.Args{"symbol": "AAPL"}), tool.CodeNoData, "none are available as of")
}

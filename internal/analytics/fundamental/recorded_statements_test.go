package fundamental_test

import (
	"compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// recordedStatements returns the statements made of the SEC's figures of a company as they were known on a
// day.
func recordedStatements(t *testing.T, name, known string) fundamental.Statements {
	t.Helper()
	file, err := os.Open(recordings.Path(t, "market", "sec", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	company, err := edgar.ParseFacts(body)
	if err != nil {
		t.Fatal(err)
	}
	of := func(span market.Span) []market.Statement {
		q := market.StatementQuery{Span: span, KnownOn: date(known)}
		all := q.Filter(company.Statements(edgar.StatementView{Span: span, KnownOn: q.KnownOn, Template: market.TemplateGeneral}))
		for i := range all {
			all[i].Provenance.Source = "sec-edgar"
		}
		return all
	}
	return fundamental.Statements{Annual: of(market.SpanAnnual), Quarterly: of(market.SpanQuarterly), Trailing: of(market.SpanTrailing)}
}

// The four quarters to June 2025 from Apple's 10-K of 2024 and 10-Q of 2025-08-01, in
// millions: 93736 + 84544 - 79000 = 99280 of income, 391035 + 313695 - 296105 = 408625
// of revenue. C14: earnings per share are 1.57 + 1.65 + 2.40 + (6.08 - 5.11) = 6.59, and 226 / 6.59 = 34.2944.
func TestRecorded_FourQuartersOfApple(t *testing.T) {
	c := mustCompany(t, recordedStatements(t, "companyfacts-CIK0000320193-AAPL.json.gz", "2025-08-20"), sharePrice("226", "2025-08-20"))
	got := ratiosByID(c)
	for id, want := range map[string]string{"net_margin": "24.3", "price_to_earnings": "34.2944", "return_on_equity": "149.81", "revenue_growth_1y": "2.02"} {
		if r := got[id]; rounded(r, want) != want {
			t.Errorf("%s of %s = %s, %q; want %s", id, fundamental.PeriodName(c.Period), r.Value.Decimal, r.Missing, want)
		}
	}
}

// NVIDIA split ten for one on 2024-06-10, after its 10-Q of May: until August the filings did not show the
// split, but the price source did. 134 * 2,460 million shares * 10 = 3,296.4 billion, and four quarters of
// 5.98 + 11.93 - 0.82 = 17.09, a tenth after the split, make 134 / 1.709 = 78.408.
func TestRecorded_NvidiaBetweenSplitAndReport(t *testing.T) {
	p := sharePrice("134", "2024-07-10")
	p.Actions = []market.Action{{Kind: market.ActionSplit, Date: date("2024-06-10"), New: decimal.NewFromInt(10), Old: decimal.NewFromInt(1)}}
	got := ratiosByID(mustCompany(t, recordedStatements(t, "companyfacts-CIK0001045810-NVDA.json.gz", "2024-07-10"), p))
	for id, want := range map[string]string{"market_cap": "3296400000000", "price_to_earnings": "78.408"} {
		if r := got[id]; rounded(r, want) != want {
			t.Errorf("%s = %s, %q; want %s", id, r.Value.Decimal, r.Missing, want)
		}
	}
	// 119 * 24530 = 2919070 with the 10-Q filed on 2024-08-28, whose count is already split: the split is
	// not given.
	p.Value, p.AsOf = decimal.NewFromInt(119), date("2024-09-10")
	known := recordedStatements(t, "companyfacts-CIK0001045810-NVDA.json.gz", "2024-09-10")
	got = ratiosByID(mustCompany(t, known, p))
	if r := got["market_cap"]; rounded(r, "2919070000000") != "2919070000000" {
		t.Errorf("market_cap in September = %s, %q; want 2919070000000", r.Value.Decimal, r.Missing)
	}
	got = ratiosByID(mustCompany(t, known, sharePrice("119", "2024-09-10")))
	if r := got["market_cap"]; rounded(r, "2919070000000") != "2919070000000" {
		t.Errorf("market_cap without the split = %s, %q; want 2919070000000", r.Value.Decimal, r.Missing)
	}
	if r := got["earnings_per_share"]; r.Value.Valid && r.Value.Decimal.GreaterThan(decimal.NewFromInt(10)) {
		t.Errorf("earnings_per_share = %s, which is of a share before the split", r.Value.Decimal)
	}
}

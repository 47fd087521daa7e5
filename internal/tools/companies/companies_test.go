package companies_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

var fundamentals = toolstest.Group[companies.FundamentalDeps](companies.FundamentalTools)

// companyNow is the time of most tests, in the autumn after Apple's fiscal 2025.
const companyNow = "2025-11-20T15:00:00Z"

// newSampleDeps returns dependencies with the sample data.
func newSampleDeps(t testing.TB) companies.FundamentalDeps {
	t.Helper()
	s := feed.NewSampleSource()
	return companies.FundamentalDeps{Prices: toolstest.Prices(t, s, companyNow), Statements: s, Quotes: s}
}

// companyFixture is a source with the data of a test.
type companyFixture struct {
	*markettest.Source
	profile market.Profile
	trades  []market.InsiderTrade
}

func (w *companyFixture) Profile(_ context.Context, sym market.Symbol) (market.Profile, error) {
	if sym != w.profile.Symbol {
		return market.Profile{}, fmt.Errorf("test profile of %q: %w", sym, market.ErrUnknownSymbol)
	}
	return w.profile, nil
}

func (w *companyFixture) InsiderTrades(_ context.Context, sym market.Symbol, _ market.Range, _ int) ([]market.InsiderTrade, error) {
	if len(w.trades) == 0 || sym != w.trades[0].Symbol {
		return nil, fmt.Errorf("test trades of %q: %w", sym, market.ErrUnknownSymbol)
	}
	return w.trades, nil
}

func (w *companyFixture) deps(t testing.TB) companies.FundamentalDeps {
	t.Helper()
	return companies.FundamentalDeps{
		Prices:     toolstest.Prices(t, w, companyNow),
		Statements: w, Profiles: w, Insiders: w, Quotes: w,
	}
}

// set adds an item to a statement, in its own units.
func set(s *market.Statement, name, value string) {
	item := market.Item{Value: decimal.RequireFromString(value), Unit: s.Provenance.Currency, Form: s.Form, Accession: "0000320193-25-000079", Filed: s.Filed}
	switch name {
	case market.ItemBasicEPS, market.ItemDilutedEPS, market.ItemDividendsPerShare:
		item.Unit += "/share"
	case market.ItemBasicShares, market.ItemDilutedShares, market.ItemSharesOutstanding:
		item.Unit = "shares"
	}
	s.Items[name] = item
}

// year returns a fiscal year of AAPL, filed some weeks after its end.
func year(t testing.TB, label int, end, filed string, items map[string]string) market.Statement {
	t.Helper()
	s := market.Statement{
		Instrument: market.Instrument{Symbol: "AAPL", Name: "Apple Inc.", Kind: "equity", Listing: market.Listing{CIK: "0000320193"}},
		Span:       market.SpanAnnual, FiscalYear: label, FiscalPeriod: "FY", PeriodStart: toolstest.MustDay(end).AddDate(-1, 0, 1), PeriodEnd: toolstest.MustDay(end),
		Form: "10-K", Filed: toolstest.MustDay(filed), Template: market.TemplateGeneral, Items: map[string]market.Item{},
		Provenance: market.Provenance{Source: "sec-edgar", Currency: "USD", AsOf: toolstest.MustDay(end), Adjustment: market.AdjustmentUnknown},
	}
	for name, value := range items {
		set(&s, name, value)
	}
	return s
}

// apple returns some items of Apple's fiscal 2025 and 2024, from the 10-K of 2025-10-31.
func apple(t testing.TB) []market.Statement {
	t.Helper()
	return []market.Statement{
		year(t, 2025, "2025-09-27", "2025-10-31", map[string]string{
			market.ItemRevenue: "416161000000", market.ItemOperatingIncome: "133050000000", market.ItemNetIncome: "112010000000", market.ItemDilutedEPS: "7.46",
			market.ItemOperatingCashFlow: "111482000000", market.ItemCapitalExpenditure: "12715000000", market.ItemDepreciation: "11698000000",
			market.ItemEquity: "73733000000", market.ItemTotalDebt: "98657000000", market.ItemCash: "35934000000", market.ItemSharesOutstanding: "14776353000",
		}),
		year(t, 2024, "2024-09-28", "2024-11-01", map[string]string{
			market.ItemRevenue: "391035000000", market.ItemNetIncome: "93736000000", market.ItemEquity: "56950000000",
		}),
	}
}

// appleAt returns Apple with split-adjusted closes on weekdays from first on.
func appleAt(t testing.TB, first string, closes ...string) *companyFixture {
	t.Helper()
	s := markettest.Daily("AAPL", toolstest.MustDay(first), closes...)
	s.Provenance.Source, s.Provenance.Adjustment, s.Actions = "prices of the test", market.AdjustmentSplit, []market.Action{}
	w := &companyFixture{Source: markettest.NewSource(s)}
	w.AddStatements(apple(t)...)
	return w
}

func TestFundamentalTools_AreThoseThatHaveASource(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	whole := w.deps(t)
	for _, row := range []struct {
		name string
		d    companies.FundamentalDeps
		want []string
	}{
		{"all", whole, []string{"company_profile", "financial_statements", "key_ratios", "insider_trades"}},
		{"statements", companies.FundamentalDeps{Prices: whole.Prices, Statements: w}, []string{"financial_statements", "key_ratios"}},
		{"profiles", companies.FundamentalDeps{Prices: whole.Prices, Profiles: w}, []string{"company_profile"}},
		{"insiders", companies.FundamentalDeps{Prices: whole.Prices, Insiders: w}, []string{"insider_trades"}},
		{"none", companies.FundamentalDeps{Prices: whole.Prices}, nil},
	} {
		var got []string
		for _, tl := range companies.FundamentalTools(row.d) {
			got = append(got, tl.Name)
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

// namesake is a directory in which a name matches two companies.
type namesake struct{ *markettest.Source }

func (namesake) Resolve(text string) (market.Instrument, error) {
	return market.Instrument{}, fmt.Errorf("%w %q: it fits AAPL (Apple Inc.) or APLE (Apple Hospitality)", market.ErrAmbiguous, text)
}

func TestFundamentalTools_AnAmbiguousNameIsAskedBack(t *testing.T) {
	d := appleAt(t, "2025-11-19", "268.56").deps(t)
	d.Directory = namesake{markettest.NewSource()}
	for _, tl := range companies.FundamentalTools(d) {
		toolstest.WantError(t, fundamentals.Call(t, d, tl.Name, args{"symbol": "Apple"}), tool.CodeNoData, "APLE (Apple Hospitality)")
	}
}

func TestFundamentalTools_AnUnknownSymbolOffersAKnownOne(t *testing.T) {
	d := appleAt(t, "2025-11-19", "268.56").deps(t)
	for _, tl := range companies.FundamentalTools(d) {
		toolstest.WantError(t, fundamentals.Call(t, d, tl.Name, args{"symbol": "AAPK"}), market.CodeUnknownSymbol, "AAPL")
	}
}

// wantDatedFigures checks that a result has figures, each with its date.
func wantDatedFigures(t testing.TB, res tool.Result) {
	t.Helper()
	toolstest.WantFigures(t, res, toolstest.HasDate)
	if len(res.Figures) == 0 {
		t.Error("no figures")
	}
}

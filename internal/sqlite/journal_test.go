package sqlite_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func knownDecimal(text string) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(text))
}

func newWatch(symbol market.Symbol, prices ...string) investor.WatchedSymbol {
	w := investor.WatchedSymbol{Symbol: symbol, Added: portfoliotest.Day("2026-11-20"), Note: "until\nthe \"report\""}
	for _, p := range prices {
		w.Targets = append(w.Targets, investor.PriceTarget{Side: investor.Below, Price: decimal.RequireFromString(p), Currency: "USD"})
	}
	return w
}

func TestPortfolioStore_KeepsATargetInPoints(t *testing.T) {
	b := openPortfolio(t, portfolioPath(t))
	w := newWatch("^GSPC", "6000")
	w.Targets[0].Currency = ""
	if err := b.PutWatch(t.Context(), w); err != nil {
		t.Fatalf("PutWatch = %v", err)
	}
	if got, err := b.Watches(t.Context()); err != nil || len(got) != 1 || got[0].Targets[0].Currency != "" {
		t.Errorf("Watches = %+v, %v; want the target as it is", got, err)
	}
}

func TestPortfolioStore_KeepsTheWatchlist(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	for _, w := range []investor.WatchedSymbol{newWatch("VTI", "150.50", "99.00"), newWatch("AAPL"), newWatch("VTI", "140.10")} {
		if err := b.PutWatch(t.Context(), w); err != nil {
			t.Fatalf("PutWatch(%s) = %v", w.Symbol, err)
		}
	}
	b.Close()
	b = openPortfolio(t, path)
	got, err := b.Watches(t.Context())
	if diff := cmp.Diff([]investor.WatchedSymbol{newWatch("AAPL"), newWatch("VTI", "140.10")}, got); err != nil || diff != "" {
		t.Fatalf("Watches, %v (-want +got):\n%s", err, diff)
	}
	if err := b.RemoveWatch(t.Context(), "VTI"); err != nil {
		t.Fatal(err)
	}
	if err := b.RemoveWatch(t.Context(), "VTI"); !errors.Is(err, investor.ErrEntryNotFound) {
		t.Errorf("RemoveWatch of none = %v, want ErrNotFound", err)
	}
	if err := b.PutWatch(t.Context(), newWatch("not a symbol")); !errors.Is(err, investor.ErrInvalidEntry) {
		t.Errorf("PutWatch of no symbol = %v, want ErrInvalid", err)
	}
	if got, err := b.Watches(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("Watches = %+v, %v, want one", got, err)
	}
}

func newDecision(id, date string) investor.Decision {
	d := portfoliotest.Day(date)
	mark := func(symbol market.Symbol) investor.PricedAsset {
		return investor.PricedAsset{Symbol: symbol, Price: knownDecimal("123.40"), Currency: "USD", AsOf: d, Source: "sample"}
	}
	bench := mark("^GSPC")
	return investor.Decision{
		ID: id, Date: d, Action: investor.ActionBuy, Assets: []investor.PricedAsset{mark("VTI"), {Symbol: "AAPL"}, mark("MSFT")}, Thesis: "it's cheap",
		Invalidation: "it gets cheaper;\nor not", Benchmark: &bench, ReviewOn: d.AddDate(1, 0, 0), Confidence: knownDecimal("0.70"), Closed: d.AddDate(0, 1, 0), Outcome: "right",
	}
}

func TestPortfolioStore_KeepsDecisionsInTheirOrder(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	plain := investor.Decision{
		ID: "a", Date: portfoliotest.Day("2026-02-01"), Action: investor.ActionOther, Assets: []investor.PricedAsset{{Symbol: "VTI"}}, Thesis: "t", Invalidation: "d",
	}
	changed := newDecision("c", "2026-01-01")
	changed.Assets, changed.Benchmark = changed.Assets[:1], nil
	for _, d := range []investor.Decision{newDecision("b", "2026-02-01"), newDecision("c", "2026-01-01"), plain, changed} {
		if err := b.PutDecision(t.Context(), d); err != nil {
			t.Fatalf("PutDecision(%s) = %v", d.ID, err)
		}
	}
	b.Close()
	b = openPortfolio(t, path)
	got, err := b.Decisions(t.Context())
	if diff := cmp.Diff([]investor.Decision{changed, plain, newDecision("b", "2026-02-01")}, got); err != nil || diff != "" {
		t.Fatalf("Decisions, %v (-want +got):\n%s", err, diff)
	}
	if err := b.RemoveDecision(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if err := b.RemoveDecision(t.Context(), "b"); !errors.Is(err, investor.ErrEntryNotFound) {
		t.Errorf("RemoveDecision of none = %v, want ErrNotFound", err)
	}
	if err := b.PutDecision(t.Context(), investor.Decision{ID: "x"}); !errors.Is(err, investor.ErrInvalidEntry) {
		t.Errorf("PutDecision without a thesis = %v, want ErrInvalid", err)
	}
	b.Close()
	if got := ask(t, path, "SELECT count(*) FROM decision_mark"); got != "2" {
		t.Errorf("%s marks are left, want those of the decisions that stay: 2", got)
	}
}

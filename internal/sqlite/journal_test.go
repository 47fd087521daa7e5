package sqlite_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func known(text string) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(text))
}

func watched(symbol market.Symbol, prices ...string) journal.Watch {
	w := journal.Watch{Symbol: symbol, Added: portfoliotest.Day("2026-11-20"), Note: "until\nthe \"report\""}
	for _, p := range prices {
		w.Targets = append(w.Targets, journal.Target{Side: journal.Below, Price: decimal.RequireFromString(p), Currency: "USD"})
	}
	return w
}

func TestBook_KeepsATargetInPoints(t *testing.T) {
	b := openBook(t, bookPath(t))
	w := watched("^GSPC", "6000")
	w.Targets[0].Currency = ""
	if err := b.PutWatch(t.Context(), w); err != nil {
		t.Fatalf("PutWatch = %v", err)
	}
	if got, err := b.Watches(t.Context()); err != nil || len(got) != 1 || got[0].Targets[0].Currency != "" {
		t.Errorf("Watches = %+v, %v; want the target as it is", got, err)
	}
}

func TestBook_KeepsTheWatchlist(t *testing.T) {
	path := bookPath(t)
	b := openBook(t, path)
	for _, w := range []journal.Watch{watched("VTI", "150.50", "99.00"), watched("AAPL"), watched("VTI", "140.10")} {
		if err := b.PutWatch(t.Context(), w); err != nil {
			t.Fatalf("PutWatch(%s) = %v", w.Symbol, err)
		}
	}
	b.Close()
	b = openBook(t, path)
	got, err := b.Watches(t.Context())
	if diff := cmp.Diff([]journal.Watch{watched("AAPL"), watched("VTI", "140.10")}, got); err != nil || diff != "" {
		t.Fatalf("Watches, %v (-want +got):\n%s", err, diff)
	}
	if err := b.RemoveWatch(t.Context(), "VTI"); err != nil {
		t.Fatal(err)
	}
	if err := b.RemoveWatch(t.Context(), "VTI"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("RemoveWatch of none = %v, want ErrNotFound", err)
	}
	if err := b.PutWatch(t.Context(), watched("not a symbol")); !errors.Is(err, journal.ErrInvalid) {
		t.Errorf("PutWatch of no symbol = %v, want ErrInvalid", err)
	}
	if got, err := b.Watches(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("Watches = %+v, %v, want one", got, err)
	}
}

func decided(id, date string) journal.Decision {
	d := portfoliotest.Day(date)
	mark := func(symbol market.Symbol) journal.Mark {
		return journal.Mark{Symbol: symbol, Price: known("123.40"), Currency: "USD", AsOf: d, Source: "sample"}
	}
	bench := mark("^GSPC")
	return journal.Decision{
		ID: id, Date: d, Action: journal.Buy, Marks: []journal.Mark{mark("VTI"), {Symbol: "AAPL"}, mark("MSFT")}, Thesis: "it's cheap",
		Disproof: "it gets cheaper;\nor not", Benchmark: &bench, ReviewOn: d.AddDate(1, 0, 0), Confidence: known("0.70"), Closed: d.AddDate(0, 1, 0), Outcome: "right",
	}
}

func TestBook_KeepsDecisionsInTheirOrder(t *testing.T) {
	path := bookPath(t)
	b := openBook(t, path)
	plain := journal.Decision{
		ID: "a", Date: portfoliotest.Day("2026-02-01"), Action: journal.Other, Marks: []journal.Mark{{Symbol: "VTI"}}, Thesis: "t", Disproof: "d",
	}
	changed := decided("c", "2026-01-01")
	changed.Marks, changed.Benchmark = changed.Marks[:1], nil
	for _, d := range []journal.Decision{decided("b", "2026-02-01"), decided("c", "2026-01-01"), plain, changed} {
		if err := b.PutDecision(t.Context(), d); err != nil {
			t.Fatalf("PutDecision(%s) = %v", d.ID, err)
		}
	}
	b.Close()
	b = openBook(t, path)
	got, err := b.Decisions(t.Context())
	if diff := cmp.Diff([]journal.Decision{changed, plain, decided("b", "2026-02-01")}, got); err != nil || diff != "" {
		t.Fatalf("Decisions, %v (-want +got):\n%s", err, diff)
	}
	if err := b.RemoveDecision(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if err := b.RemoveDecision(t.Context(), "b"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("RemoveDecision of none = %v, want ErrNotFound", err)
	}
	if err := b.PutDecision(t.Context(), journal.Decision{ID: "x"}); !errors.Is(err, journal.ErrInvalid) {
		t.Errorf("PutDecision without a thesis = %v, want ErrInvalid", err)
	}
	b.Close()
	if got := ask(t, path, "SELECT count(*) FROM decision_mark"); got != "2" {
		t.Errorf("%s marks are left, want those of the decisions that stay: 2", got)
	}
}

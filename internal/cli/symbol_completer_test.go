package cli_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tui"
)

func TestFind_TheUsersOwnComeFirstAndOnce(t *testing.T) {
	o := cli.NewSymbolCompleter(
		func(context.Context) []tui.SymbolSuggestion {
			return []tui.SymbolSuggestion{{Symbol: "VXUS", Name: "Vanguard Total International", Kind: "held"}, {Symbol: "AAPL", Name: "Apple Inc.", Kind: "watched"}}
		},
		func(_ context.Context, typed string) []tui.SymbolSuggestion {
			return []tui.SymbolSuggestion{{Symbol: "V", Kind: "equity"}, {Symbol: "VXUS", Kind: "fund"}}
		}, time.Now,
	)
	for typed, want := range map[string]string{
		"v": "VXUS held, V equity", "VX": "VXUS held, V equity", "app": "AAPL watched, V equity, VXUS fund", "tot": "VXUS held, V equity",
	} {
		var got []string
		for _, s := range o.Find(t.Context(), typed) {
			got = append(got, s.Symbol+" "+s.Kind)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("Find(%q) = %v, want %s", typed, got, want)
		}
	}
}

func TestFind_AsksForTheUsersOwnAgainAfterAWhile(t *testing.T) {
	calls, at := 0, time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)
	s := cli.NewSymbolCompleter(
		func(context.Context) []tui.SymbolSuggestion {
			calls++
			return []tui.SymbolSuggestion{{Symbol: fmt.Sprintf("V%d", calls)}}
		},
		func(context.Context, string) []tui.SymbolSuggestion { return nil }, func() time.Time { return at },
	)
	for _, step := range []struct {
		later time.Duration
		want  string
	}{{0, "V1"}, {30 * time.Second, "V1"}, {time.Second, "V2"}, {time.Second, "V2"}} {
		at = at.Add(step.later)
		if got := s.Find(t.Context(), "v"); len(got) != 1 || got[0].Symbol != step.want {
			t.Errorf("at %s Find = %v, want %s", at.Format(time.TimeOnly), got, step.want)
		}
	}
}

func TestFind_OffersTwentyAtMost(t *testing.T) {
	var many []tui.SymbolSuggestion
	for n := range 30 {
		many = append(many, tui.SymbolSuggestion{Symbol: fmt.Sprintf("V%d", n)})
	}
	s := cli.NewSymbolCompleter(func(context.Context) []tui.SymbolSuggestion { return many }, func(context.Context, string) []tui.SymbolSuggestion { return many }, time.Now)
	if got := s.Find(t.Context(), "v"); len(got) != 20 {
		t.Errorf("Find offers %d, want 20", len(got))
	}
}

// fakePortfolio is a SymbolReader for tests.
type fakePortfolio struct {
	ledger  portfolio.Ledger
	watches []investor.WatchedSymbol
	broken  error
}

func (b fakePortfolio) Ledger(context.Context) (portfolio.Ledger, error) { return b.ledger, b.broken }
func (b fakePortfolio) Watches(context.Context) ([]investor.WatchedSymbol, error) {
	return b.watches, nil
}

func joinSymbols(all []tui.SymbolSuggestion) string {
	var out []string
	for _, s := range all {
		out = append(out, s.Symbol+" "+s.Kind)
	}
	return strings.Join(out, ", ")
}

func TestUserSymbols_IsWhatIsHeldThenWhatIsWatchedEachOnce(t *testing.T) {
	b := fakePortfolio{
		ledger:  portfoliotest.Ledger(t, "2024-01-02 buy 10 VTI 2000 USD", "2024-01-02 buy 1 GONE 10 USD", "2024-01-03 sell 1 GONE 10 USD"),
		watches: []investor.WatchedSymbol{{Symbol: "VTI"}, {Symbol: "AAPL", Note: "wait"}},
	}
	if got := joinSymbols(cli.UserSymbols(t.Context(), b)); got != "VTI held, AAPL watched" {
		t.Errorf("Own = %s, want the share that is held and the one that is watched", got)
	}
	b.broken = errors.New("it is damaged")
	if got := joinSymbols(cli.UserSymbols(t.Context(), b)); got != "VTI watched, AAPL watched" {
		t.Errorf("UserSymbols of a portfolio that cannot be read = %s, want what is watched", got)
	}
}

func TestKnownSymbols_OfTheSampleIsWhatItHas(t *testing.T) {
	if got := cli.KnownSymbols(true)(t.Context(), "aap"); len(got) != 1 || got[0].Symbol != "AAPL" {
		t.Errorf("of the sample aap is %v, want AAPL alone", got)
	}
	got := cli.KnownSymbols(false)(t.Context(), "apple")
	if !strings.Contains(joinSymbols(got), "AAPL ") || len(got) > 20 {
		t.Errorf("of the table apple is %v, want AAPL among twenty at most", got)
	}
	if got := cli.KnownSymbols(false)(t.Context(), "zzzzzz"); len(got) > 0 {
		t.Errorf("of the table zzzzzz is %v", got)
	}
}

package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// instrumentList is a directory of these instruments.
type instrumentList []market.Instrument

func (l instrumentList) Instruments(context.Context) ([]market.Instrument, error) { return l, nil }

// similarInstruments returns a few instruments that are easily confused.
func similarInstruments() instrumentList {
	return instrumentList{
		{Symbol: "GOOG", Name: "Alphabet Inc. Class C", Aliases: []string{"Google"}},
		{Symbol: "GOOGL", Name: "Alphabet Inc. Class A", Aliases: []string{"Google"}},
		{Symbol: "F", Name: "Ford Motor Company", Aliases: []string{"Ford"}},
		{Symbol: "BRK.B", Name: "Berkshire Hathaway Class B"},
		{Symbol: "^GSPC", Name: "S&P 500", Aliases: []string{"SPX"}},
	}
}

// recordingFetch returns the requested symbol if it is one of symbols, and records the
// request.
func recordingFetch(requests *[]market.Symbol, symbols ...market.Symbol) func(market.Symbol) (market.Symbol, error) {
	return func(sym market.Symbol) (market.Symbol, error) {
		*requests = append(*requests, sym)
		for _, one := range symbols {
			if one == sym {
				return sym, nil
			}
		}
		return "", fmt.Errorf("the source: %w", market.ErrUnknownSymbol)
	}
}

func TestLookUp_AsksForSymbolsAndNamesInTheirOrder(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		asked      []market.Symbol
	}{
		{"a symbol that the directory does not list", "FORD", []market.Symbol{"FORD"}},
		{"the same word as a name", "Ford", []market.Symbol{"F"}},
		{"a symbol in small letters", "brk-b", []market.Symbol{"BRK.B"}},
		{"a class apart", "BRK B", []market.Symbol{"BRK.B"}},
		{"small letters that nobody lists", "vti", []market.Symbol{"VTI"}},
		{"a symbol next to another with the same name", "goog", []market.Symbol{"GOOG"}},
		{"an index without its caret", "GSPC", []market.Symbol{"GSPC", "^GSPC"}},
		{"a name that cannot be a symbol", "S&P 500", []market.Symbol{"^GSPC"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var requests []market.Symbol
			got, err := toolkit.LookUp(t.Context(), similarInstruments(), tc.text, recordingFetch(&requests, "FORD", "F", "BRK.B", "VTI", "GOOG", "^GSPC"))
			if err != nil || got != tc.asked[len(tc.asked)-1] {
				t.Errorf("LookUp(%q) = %q, %v; want %q", tc.text, got, err, tc.asked[len(tc.asked)-1])
			}
			if diff := cmp.Diff(tc.asked, requests); diff != "" {
				t.Errorf("LookUp(%q) asks the source (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

func TestLookUp_AnAmbiguousNameIsNeverGuessed(t *testing.T) {
	var requests []market.Symbol
	_, err := toolkit.LookUp(t.Context(), similarInstruments(), "google", recordingFetch(&requests, "GOOG", "GOOGL"))
	if !errors.Is(err, market.ErrAmbiguous) || len(requests) > 0 {
		t.Fatalf("LookUp(google) = %v after asking for %v, want ErrAmbiguous and nobody asked", err, requests)
	}
	for _, candidate := range []string{"GOOG (Alphabet Inc. Class C)", "GOOGL (Alphabet Inc. Class A)"} {
		if !strings.Contains(err.Error(), candidate) {
			t.Errorf("LookUp(google) = %v, want %s among the candidates", err, candidate)
		}
	}
}

func TestLookUp_OffersNearMisses(t *testing.T) {
	source := markettest.NewSource(
		markettest.Daily("GOOG", toolstest.MustDay("2020-01-02"), "100"),
		markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100"),
	)
	fetch := func(sym market.Symbol) (market.Series, error) {
		return source.Bars(t.Context(), sym, market.Range{})
	}
	found, err := toolkit.LookUp(t.Context(), source, "vti of the test", fetch)
	if err != nil || found.Symbol != "VTI" {
		t.Errorf("LookUp by name = %s, %v; want VTI", found.Symbol, err)
	}
	_, err = toolkit.LookUp(t.Context(), source, "GOGO", fetch)
	if !errors.Is(err, market.ErrUnknownSymbol) || !strings.Contains(err.Error(), "Did you mean GOOG") {
		t.Errorf("LookUp(GOGO) = %v, want ErrUnknownSymbol that offers GOOG", err)
	}
}

// resolverDirectory is a directory that resolves names itself.
type resolverDirectory struct {
	instrumentList
	names map[string]market.Symbol
}

func (r resolverDirectory) Resolve(text string) (market.Instrument, error) {
	if sym, ok := r.names[text]; ok {
		return market.Instrument{Symbol: sym}, nil
	}
	return market.Instrument{}, fmt.Errorf("%w %q: of the table", market.ErrUnknownSymbol, text)
}

func TestLookUp_ADirectoryThatResolvesIsAskedInsteadOfListed(t *testing.T) {
	dir := resolverDirectory{similarInstruments(), map[string]market.Symbol{"the searcher": "GOOG"}}
	var requests []market.Symbol
	got, err := toolkit.LookUp(t.Context(), dir, "the searcher", recordingFetch(&requests, "GOOG"))
	if err != nil || got != "GOOG" {
		t.Errorf("LookUp(the searcher) = %q, %v; want GOOG", got, err)
	}
	if _, err = toolkit.LookUp(t.Context(), dir, "google", recordingFetch(&requests)); !errors.Is(err, market.ErrUnknownSymbol) || !strings.Contains(err.Error(), "of the table") {
		t.Errorf("LookUp(google) = %v, want the table's own words", err)
	}
}

func TestLookUp_WhatFailsAtTheSourceIsNotLookedForElsewhere(t *testing.T) {
	down := func(market.Symbol) (string, error) { return "", market.ErrUnavailable }
	if _, err := toolkit.LookUp(t.Context(), similarInstruments(), "GOOG", down); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("LookUp(GOOG) = %v, want ErrUnavailable", err)
	}
}

func FuzzMeant(f *testing.F) {
	for _, seed := range []string{"AAPL", "Ford", "google", "brk b", "S&P 500", "", "苹果", "\x00", "$", "^", strings.Repeat("x", 99)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sym, err := toolkit.ResolveSymbol(t.Context(), similarInstruments(), text)
		if err == nil {
			if _, invalid := market.ParseSymbol(string(sym)); invalid != nil {
				t.Errorf("Meant(%q) = %q, which is no symbol: %v", text, sym, invalid)
			}
			return
		}
		if !errors.Is(err, market.ErrUnknownSymbol) && !errors.Is(err, market.ErrAmbiguous) {
			t.Errorf("Meant(%q) = %v, want ErrUnknownSymbol or ErrAmbiguous", text, err)
		}
	})
}

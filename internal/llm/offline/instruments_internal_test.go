package offline

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// builtinTable is the built-in symbol table as a Directory.
type builtinTable struct{ *reference.SymbolTable }

func (t builtinTable) Lookup(symbol string) (Instrument, bool) {
	i, ok := t.SymbolTable.Lookup(symbol)
	return fromMarket(i), ok
}

func (t builtinTable) Named(word string) []Instrument {
	return fromMarketAll(t.SymbolTable.Named(word))
}

func (t builtinTable) Mentioning(word string) []Instrument {
	return fromMarketAll(t.SymbolTable.Mentioning(word))
}

func (t builtinTable) All() []Instrument {
	list, _ := t.Instruments(context.Background())
	return fromMarketAll(list)
}

func fromMarketAll(list []market.Instrument) []Instrument {
	out := make([]Instrument, len(list))
	for i, one := range list {
		out[i] = fromMarket(one)
	}
	return out
}

func fromMarket(i market.Instrument) Instrument {
	return Instrument{Symbol: string(i.Symbol), Name: i.Name, Kind: i.Kind, Aliases: i.Aliases}
}

func TestInstruments_EveryNameIsFoundByItsFirstWord(t *testing.T) {
	d := builtinTable{reference.NewSymbolTable()}
	all, found := newNameTable(d.All()), newInstruments(d)
	for name, symbol := range all.english {
		first := nameWords(name)[0]
		if got := found.namesFrom(first); got.english[name] != symbol || got.longest[first] != all.longest[first] {
			t.Errorf("%q is %q, want %q", name, got.english[name], symbol)
		}
	}
	for first, names := range all.chinese {
		if got := found.namesFrom(string(first)).chinese[first]; !slices.Equal(got, names) {
			t.Errorf("%c: %v, want %v", first, got, names)
		}
	}
	for n, word := range slices.Sorted(maps.Keys(all.words)) {
		if n%20 == 0 && !found.hasWord(word) {
			t.Errorf("no name has the word %q", word)
		}
	}
	if found.hasWord("aple") || found.has("APLE1") || !found.has("AAPL") {
		t.Error("words or symbols that do not exist are found")
	}
}

// noInstruments is a Directory without instruments.
type noInstruments struct{}

func (noInstruments) Lookup(string) (Instrument, bool) { return Instrument{}, false }
func (noInstruments) Named(string) []Instrument        { return nil }
func (noInstruments) Mentioning(string) []Instrument   { return nil }
func (noInstruments) All() []Instrument                { return nil }

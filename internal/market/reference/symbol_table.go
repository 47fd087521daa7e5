package reference

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

//go:embed table.tsv
var symbolTSV string

// SymbolTable finds the built-in instruments. It is loaded on first use and safe for concurrent
// use. It is a market.Directory and a market.SearchSource.
type SymbolTable struct {
	read func() (*symbolIndex, error)
}

var (
	_ market.Directory    = (*SymbolTable)(nil)
	_ market.SearchSource = (*SymbolTable)(nil)
)

// builtinIndex is read once for all tables: it never changes.
var builtinIndex = sync.OnceValues(func() (*symbolIndex, error) { return parseSymbolTable(symbolTSV) })

// NewSymbolTable returns the table. Making it costs nothing.
func NewSymbolTable() *SymbolTable {
	return &SymbolTable{read: builtinIndex}
}

// Instruments lists the table, in its order. Pairs of currencies, which follow a
// rule, are not listed.
func (t *SymbolTable) Instruments(ctx context.Context) ([]market.Instrument, error) {
	ix, err := t.index(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]market.Instrument, len(ix.entries))
	for i := range ix.entries {
		out[i] = ix.entries[i].instrument()
	}
	return out, nil
}

func (t *SymbolTable) index(ctx context.Context) (*symbolIndex, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return t.read()
}

// symbolIndex is the table with its ways in. What maps hold are places in entries.
type symbolIndex struct {
	entries  []symbolEntry
	bySymbol map[market.Symbol]int
	byTicker map[string][]int // without the suffix of the exchange
	byName   map[string][]int // by key: whole, bare, and aliases
	byAlias  map[string][]int
	byNumber map[string][]int // ISIN and CIK
}

// symbolEntry is an instrument with its search keys.
type symbolEntry struct {
	listed market.Instrument
	ticker string
	bare   string   // key of its name without the legal form: what its listings have in common
	keys   []string // of its names, as in byName
	words  []string // of its name, then of its aliases
}

// instrument returns a copy, because callers may change it.
func (e *symbolEntry) instrument() market.Instrument {
	out := e.listed
	out.Aliases = slices.Clone(out.Aliases)
	return out
}

// symbolColumns is the number of columns of a line: symbol, name, kind, MIC, CIK, ISIN, aliases
// separated by bars. Trailing empty columns are omitted.
const symbolColumns = 7

func parseSymbolTable(text string) (*symbolIndex, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	ix := &symbolIndex{
		entries:  make([]symbolEntry, 0, len(lines)),
		bySymbol: make(map[market.Symbol]int, len(lines)),
		byTicker: make(map[string][]int, len(lines)),
		byName:   make(map[string][]int, 3*len(lines)),
		byAlias:  make(map[string][]int, len(lines)),
		byNumber: make(map[string][]int, len(lines)),
	}
	suffixes := map[string]listingVenue{}
	for _, v := range listingVenues() {
		if _, taken := suffixes[v.mic]; !taken {
			suffixes[v.mic] = v
		}
	}
	for n, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Split(line, "\t")
		if len(field) < 3 || len(field) > symbolColumns {
			return nil, fmt.Errorf("symbol table, line %d: %d columns", n+1, len(field))
		}
		field = append(field, make([]string, symbolColumns-len(field))...)
		ix.addEntry(field, suffixes[field[3]])
	}
	return ix, nil
}

func (ix *symbolIndex) addEntry(field []string, exchange listingVenue) {
	e := symbolEntry{
		listed: market.Instrument{
			Symbol: market.Symbol(field[0]), Name: field[1], Kind: field[2],
			Listing: market.Listing{MIC: field[3], Exchange: exchange.name, CIK: field[4], ISIN: field[5]},
		},
		ticker: strings.TrimSuffix(field[0], exchange.suffix),
	}
	if field[6] != "" {
		e.listed.Aliases = strings.Split(field[6], "|")
	}
	place := len(ix.entries)
	e.words = splitWords(e.listed.Name)
	bare := withoutLegalForm(e.words)
	if strings.Contains(e.listed.Name, "(") {
		bare = stripLegalForm(e.listed.Name)
	}
	e.bare = nameKey(bare)
	e.keys = make([]string, 0, 2+len(e.listed.Aliases))
	e.keys = append(e.keys, nameKey(e.words), e.bare)
	for _, alias := range e.listed.Aliases {
		spoken := splitWords(alias)
		key := nameKey(spoken)
		e.words = append(e.words, spoken...)
		e.keys = append(e.keys, key)
		ix.byAlias[key] = append(ix.byAlias[key], place)
	}
	slices.Sort(e.keys)
	e.keys = slices.Compact(e.keys)
	for _, k := range e.keys {
		ix.byName[k] = append(ix.byName[k], place)
	}
	ix.bySymbol[e.listed.Symbol] = place
	if e.ticker != string(e.listed.Symbol) {
		ix.byTicker[e.ticker] = append(ix.byTicker[e.ticker], place)
	}
	for _, number := range []string{e.listed.CIK, e.listed.ISIN} {
		if number != "" {
			ix.byNumber[number] = append(ix.byNumber[number], place)
		}
	}
	ix.entries = append(ix.entries, e)
}

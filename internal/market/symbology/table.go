package symbology

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
var table string

// Table finds instruments among those that are embedded in the program. It is read
// when first asked and is safe for concurrent use. It is a market.Directory and a
// market.SearchSource.
type Table struct {
	read func() (*index, error)
}

var (
	_ market.Directory    = (*Table)(nil)
	_ market.SearchSource = (*Table)(nil)
)

// New returns the table. Making it costs nothing.
func New() *Table {
	return &Table{read: sync.OnceValues(func() (*index, error) { return parse(table) })}
}

// Instruments lists the table, in its order. Pairs of currencies, which follow a
// rule, are not listed.
func (t *Table) Instruments(ctx context.Context) ([]market.Instrument, error) {
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

func (t *Table) index(ctx context.Context) (*index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return t.read()
}

// index is the table with its ways in. What maps hold are places in entries.
type index struct {
	entries  []entry
	bySymbol map[market.Symbol]int
	byTicker map[string][]int // without the suffix of the exchange
	byName   map[string][]int // by key: whole, bare, and aliases
	byAlias  map[string][]int
	byNumber map[string][]int // ISIN and CIK
}

// entry is an instrument with what is looked for in it.
type entry struct {
	found  market.Instrument
	ticker string
	keys   []string // of its names, as in byName
	words  []string // of its name, then of its aliases
}

// instrument is a copy: callers may change what they are given.
func (e *entry) instrument() market.Instrument {
	out := e.found
	out.Aliases = slices.Clone(out.Aliases)
	return out
}

// columns of a line: symbol, name, kind, MIC, CIK, ISIN, aliases between bars.
// Empty ones at the end are left out.
const columns = 7

func parse(text string) (*index, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	ix := &index{
		entries:  make([]entry, 0, len(lines)),
		bySymbol: make(map[market.Symbol]int, len(lines)),
		byTicker: make(map[string][]int, len(lines)),
		byName:   make(map[string][]int, 2*len(lines)),
		byAlias:  make(map[string][]int),
		byNumber: make(map[string][]int, len(lines)),
	}
	suffixes := map[string]venue{}
	for _, v := range venues() {
		if _, taken := suffixes[v.mic]; !taken {
			suffixes[v.mic] = v
		}
	}
	for n, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Split(line, "\t")
		if len(field) < 3 || len(field) > columns {
			return nil, fmt.Errorf("symbol table, line %d: %d columns", n+1, len(field))
		}
		field = append(field, make([]string, columns-len(field))...)
		ix.add(field, suffixes[field[3]])
	}
	return ix, nil
}

func (ix *index) add(field []string, at venue) {
	e := entry{
		found: market.Instrument{
			Symbol: market.Symbol(field[0]), Name: field[1], Kind: field[2],
			Listing: market.Listing{MIC: field[3], Exchange: at.name, CIK: field[4], ISIN: field[5]},
		},
		ticker: strings.TrimSuffix(field[0], at.suffix),
	}
	if field[6] != "" {
		e.found.Aliases = strings.Split(field[6], "|")
	}
	place := len(ix.entries)
	e.words = words(e.found.Name)
	e.keys = []string{key(e.words), key(bare(e.found.Name))}
	for _, alias := range e.found.Aliases {
		spoken := words(alias)
		e.words = append(e.words, spoken...)
		e.keys = append(e.keys, key(spoken))
		ix.byAlias[key(spoken)] = append(ix.byAlias[key(spoken)], place)
	}
	slices.Sort(e.keys)
	e.keys = slices.Compact(e.keys)
	for _, k := range e.keys {
		ix.byName[k] = append(ix.byName[k], place)
	}
	ix.bySymbol[e.found.Symbol] = place
	if e.ticker != string(e.found.Symbol) {
		ix.byTicker[e.ticker] = append(ix.byTicker[e.ticker], place)
	}
	for _, number := range []string{e.found.CIK, e.found.ISIN} {
		if number != "" {
			ix.byNumber[number] = append(ix.byNumber[number], place)
		}
	}
	ix.entries = append(ix.entries, e)
}

package reference

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

//go:embed table.tsv
var symbolTSV string

// SymbolTable finds the built-in instruments. It is safe for concurrent use. It is a market.Directory
// and a market.SearchSource.
type SymbolTable struct{}

var (
	_ market.Directory    = (*SymbolTable)(nil)
	_ market.SearchSource = (*SymbolTable)(nil)
)

// NewSymbolTable returns a SymbolTable.
func NewSymbolTable() *SymbolTable { return &SymbolTable{} }

// Instruments lists the table in its order. Currency pairs follow a rule and are not listed.
func (t *SymbolTable) Instruments(ctx context.Context) ([]market.Instrument, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ix := builtinIndex()
	out := make([]market.Instrument, len(ix.rows))
	for place := range out {
		out[place] = ix.instrument(place)
	}
	return out, nil
}

// Lookup returns the instrument with a symbol.
func (t *SymbolTable) Lookup(symbol string) (market.Instrument, bool) {
	ix := builtinIndex()
	place, ok := ix.bySymbol(market.Symbol(symbol))
	if !ok {
		return market.Instrument{}, false
	}
	return ix.instrument(place), true
}

// Named returns the instruments with a name or alias that starts with a word, in the order of the table. It
// ignores case, accents and spaces.
func (t *SymbolTable) Named(word string) []market.Instrument {
	words := splitWords(word)
	if len(words) == 0 {
		return nil
	}
	ix := builtinIndex()
	return ix.instruments(ix.namedWithPrefix(words[0]))
}

// Mentioning returns the instruments with a name or alias that contains the letters of a word in sequence.
func (t *SymbolTable) Mentioning(word string) []market.Instrument {
	key := nameKey(splitWords(word))
	if key == "" {
		return nil
	}
	ix := builtinIndex()
	return ix.instruments(placesIn(ix.names().text, key))
}

// symbolIndex finds rows of the table. It searches the raw text, because that is faster than parsing it for
// the few rows that a run needs. A place is the number of a row.
type symbolIndex struct {
	rows    []string
	venues  map[string]listingVenue      // by MIC
	symbols func() map[market.Symbol]int // places
	names   func() *nameKeys
	entries func() []symbolEntry // the parsed rows, for Search
}

var builtinIndex = sync.OnceValue(func() *symbolIndex {
	_, rows, _ := strings.Cut(symbolTSV, "\n") // the first line has the column names
	ix := &symbolIndex{rows: strings.Split(strings.TrimSuffix(rows, "\n"), "\n"), venues: map[string]listingVenue{}}
	for _, v := range listingVenues() {
		if _, taken := ix.venues[v.mic]; !taken {
			ix.venues[v.mic] = v
		}
	}
	ix.symbols = sync.OnceValue(ix.makeSymbols)
	ix.names = sync.OnceValue(ix.makeNames)
	ix.entries = sync.OnceValue(func() []symbolEntry {
		out := make([]symbolEntry, len(ix.rows))
		for place := range out {
			out[place] = ix.entry(place)
		}
		return out
	})
	return ix
})

// nameKeys holds the search keys of all names and aliases.
type nameKeys struct {
	text        string // a line for each row, in which a bar precedes each key
	byFirstByte [256][]placedKey
}

type placedKey struct {
	key   string
	place int
}

func (ix *symbolIndex) makeNames() *nameKeys {
	text := make([]byte, 0, len(symbolTSV))
	for _, row := range ix.rows {
		field := columns(row)
		text = append(text, '\n', '|')
		text = appendWords(text, field[1], "")
		for alias := range strings.SplitSeq(field[6], "|") {
			text = append(text, '|')
			text = appendWords(text, alias, "")
		}
	}
	names := &nameKeys{text: string(text)}
	place := -1
	for row := range strings.SplitSeq(names.text, "\n") {
		for key := range strings.SplitSeq(row, "|") {
			if key != "" {
				names.byFirstByte[key[0]] = append(names.byFirstByte[key[0]], placedKey{key, place})
			}
		}
		place++
	}
	return names
}

// placesIn returns the rows that contain part. Each row of text starts with a line break.
func placesIn(text, part string) []int {
	var out []int
	place := -1
	for {
		i := strings.Index(text, part)
		if i < 0 {
			return out
		}
		i++ // part may start with the line break
		place += strings.Count(text[:i], "\n")
		text = text[i:]
		if place >= 0 && (len(out) == 0 || out[len(out)-1] != place) {
			out = append(out, place)
		}
	}
}

// makeSymbols maps each symbol to its place. An import looks up the symbol of every line, and most
// are not in the table.
func (ix *symbolIndex) makeSymbols() map[market.Symbol]int {
	places := make(map[market.Symbol]int, len(ix.rows))
	for place, row := range ix.rows {
		symbol, _, _ := strings.Cut(row, "\t")
		if _, taken := places[market.Symbol(symbol)]; !taken {
			places[market.Symbol(symbol)] = place
		}
	}
	return places
}

func (ix *symbolIndex) bySymbol(sym market.Symbol) (int, bool) {
	place, ok := ix.symbols()[sym]
	return place, ok
}

// byTicker finds symbols without the suffix of their exchange.
func (ix *symbolIndex) byTicker(ticker string) []int {
	return slices.DeleteFunc(placesIn(symbolTSV, "\n"+ticker+"."), func(place int) bool { return ix.entry(place).ticker != ticker })
}

// byNumber finds an ISIN or a CIK.
func (ix *symbolIndex) byNumber(number string) []int {
	return slices.DeleteFunc(placesIn(symbolTSV, "\t"+number), func(place int) bool {
		listed := ix.instrument(place)
		return listed.CIK != number && listed.ISIN != number
	})
}

// namedWithPrefix finds names and aliases by the start of their key.
func (ix *symbolIndex) namedWithPrefix(key string) []int {
	if key == "" {
		return nil
	}
	var out []int
	for _, name := range ix.names().byFirstByte[key[0]] {
		if strings.HasPrefix(name.key, key) && (len(out) == 0 || out[len(out)-1] != name.place) {
			out = append(out, name.place)
		}
	}
	return out
}

// byName finds a key of a name, with or without its legal form, or of an alias.
func (ix *symbolIndex) byName(key string) []int {
	return slices.DeleteFunc(ix.namedWithPrefix(key), func(place int) bool { return !slices.Contains(ix.entry(place).keys, key) })
}

// symbolEntry is an instrument with its search keys.
type symbolEntry struct {
	listed market.Instrument
	ticker string   // without the suffix of the exchange
	bare   string   // key of its name without the legal form, which all its listings share
	keys   []string // of its name, whole and bare, and of its aliases
	words  []string // of its name, then of its aliases
}

// instrument returns a copy, because callers may change it.
func (e *symbolEntry) instrument() market.Instrument {
	out := e.listed
	out.Aliases = slices.Clone(out.Aliases)
	return out
}

// columns returns the columns of a row: symbol, name, kind, MIC, CIK, ISIN, aliases separated by bars.
// In the table, trailing empty columns are omitted.
func columns(row string) (field [7]string) {
	for i := range field {
		field[i], row, _ = strings.Cut(row, "\t")
	}
	return field
}

func (ix *symbolIndex) instrument(place int) market.Instrument {
	field := columns(ix.rows[place])
	out := market.Instrument{
		Symbol: market.Symbol(field[0]), Name: field[1], Kind: field[2],
		Listing: market.Listing{MIC: field[3], Exchange: ix.venues[field[3]].name, CIK: field[4], ISIN: field[5]},
	}
	if field[6] != "" {
		out.Aliases = strings.Split(field[6], "|")
	}
	return out
}

func (ix *symbolIndex) entry(place int) symbolEntry {
	e := symbolEntry{listed: ix.instrument(place)}
	e.ticker = strings.TrimSuffix(string(e.listed.Symbol), ix.venues[e.listed.MIC].suffix)
	e.words = splitWords(e.listed.Name)
	bare := withoutLegalForm(e.words)
	if strings.Contains(e.listed.Name, "(") {
		bare = stripLegalForm(e.listed.Name)
	}
	e.bare = nameKey(bare)
	e.keys = append(make([]string, 0, 2+len(e.listed.Aliases)), nameKey(e.words), e.bare)
	for _, alias := range e.listed.Aliases {
		spoken := splitWords(alias)
		e.words = append(e.words, spoken...)
		e.keys = append(e.keys, nameKey(spoken))
	}
	return e
}

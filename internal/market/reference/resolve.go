package reference

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// Resolve returns the one instrument that a text means: by its symbol, also without the suffix of its
// exchange if that is unambiguous; as exchange and ticker ("LSE:VOD", "XLON:VOD"); by ISIN or CIK; by its
// name, with or without the legal form, or by an alias. A symbol takes precedence over a name, unless the
// same letters mean an instrument of another kind: BTC is a fund and a coin.
// mean something of another kind: BTC is a fund and a coin.
//
// Part of a name is not enough. A text that matches several instruments yields an *market.AmbiguousError, one
// that matches none an *market.UnknownSymbolError.
func (t *SymbolTable) Resolve(text string) (market.Instrument, error) {
	ix := builtinIndex()
	places, pair := ix.match(text)
	switch {
	case pair != nil:
		return *pair, nil
	case len(places) == 1:
		return ix.instrument(places[0]), nil
	case len(places) > 1:
		return market.Instrument{}, &market.AmbiguousError{Text: text, Candidates: ix.instruments(places)}
	default:
		return market.Instrument{}, &market.UnknownSymbolError{Text: text, Near: ix.instruments(ix.suggestions(text))}
	}
}

// match finds the instruments that a text means in the table, or a pair that is not in it.
func (ix *symbolIndex) match(text string) ([]int, *market.Instrument) {
	q := parseLookup(text)
	if q.number != "" {
		if places := ix.byNumber(q.number); len(places) > 0 {
			return places, nil
		}
	}
	if place, ok := ix.bySymbol(market.Symbol(q.symbol)); ok {
		return ix.symbolOrOtherKind(place, q.key), nil
	}
	if pair, ok := ix.pair(text); ok {
		return nil, &pair
	}
	if exchange, ticker, ok := strings.Cut(text, ":"); ok {
		return ix.lookupTicker(exchange, ticker), nil
	}
	if q.key == "" {
		return nil, nil
	}
	places := slices.Concat(ix.byTicker(q.symbol), ix.byName(q.key))
	slices.Sort(places)
	return slices.Compact(places), nil
}

// symbolOrOtherKind returns the instrument at place, and those of another kind with the same letters as their
// name.
func (ix *symbolIndex) symbolOrOtherKind(place int, key string) []int {
	out := []int{place}
	for _, other := range ix.byName(key) {
		listed := ix.instrument(other)
		isAlias := slices.ContainsFunc(listed.Aliases, func(alias string) bool { return nameKey(splitWords(alias)) == key })
		if isAlias && listed.Kind != ix.instrument(place).Kind {
			out = append(out, other)
		}
	}
	return out
}

// lookupTicker finds a ticker on an exchange, given by its MIC or its usual prefix ("LSE").
func (ix *symbolIndex) lookupTicker(exchange, ticker string) []int {
	exchange = strings.ToUpper(strings.TrimSpace(exchange))
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return nil
	}
	for _, v := range listingVenues() {
		if v.mic != exchange && v.prefix != exchange {
			continue
		}
		place, ok := ix.bySymbol(sym + market.Symbol(v.suffix))
		if !ok {
			continue
		}
		// An instrument without a MIC in the table may be on any exchange without a suffix.
		if mic := ix.instrument(place).MIC; mic == v.mic || mic == "" && v.suffix == "" {
			return []int{place}
		}
	}
	return nil
}

func (ix *symbolIndex) instruments(places []int) []market.Instrument {
	var out []market.Instrument
	for _, place := range places {
		out = append(out, ix.instrument(place))
	}
	return out
}

package toolkit

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Resolver is a market.Directory that resolves a text to an instrument itself. Several matches yield
// a market.ErrAmbiguous and none a market.ErrUnknownSymbol, both with suggestions.
type Resolver interface {
	Resolve(text string) (market.Instrument, error)
}

// LookUp resolves text and fetches the result: text is a symbol in any case, or a name that matches
// one instrument of the directory ("S&P 500", "apple"). A text spelled like a symbol is passed to
// the source as it is, because the source may know more symbols than the directory. A name that
// matches several instruments yields a market.ErrAmbiguous that lists them, an unknown one a
// market.ErrUnknownSymbol with suggestions.
func LookUp[T any](ctx context.Context, dir market.Directory, text string, fetch func(market.Symbol) (T, error)) (T, error) {
	var zero T
	first, err := ResolveSymbol(ctx, dir, text)
	if err != nil {
		return zero, err
	}
	value, err := fetch(first)
	if !errors.Is(err, market.ErrUnknownSymbol) {
		return value, err
	}
	named, resolveErr := resolveInstrument(ctx, dir, text)
	unknown, ok := errors.AsType[*market.UnknownSymbolError](resolveErr)
	switch {
	case ok && len(unknown.Near)+len(unknown.Known) == 0:
		return zero, err // the error says how many sources do not list it
	case resolveErr != nil:
		return zero, resolveErr
	case named.Symbol == first:
		return zero, err
	}
	return fetch(named.Symbol)
}

// ResolveSymbol returns the symbol that LookUp requests first. "FORD" is a symbol, known to the
// source or not. "Ford" is a name, and a symbol only if no instrument matches. "BTC" is ambiguous if
// the directory lists a fund and a coin with that name.
func ResolveSymbol(ctx context.Context, dir market.Directory, text string) (market.Symbol, error) {
	sym, invalid := market.ParseSymbol(text)
	// One word in capitals is a symbol.
	if invalid == nil && strings.ToUpper(text) == text && len(strings.Fields(text)) == 1 {
		if r, ok := dir.(Resolver); ok {
			if _, err := r.Resolve(text); errors.Is(err, market.ErrAmbiguous) {
				return "", err
			}
		}
		return sym, nil
	}
	named, err := resolveInstrument(ctx, dir, text)
	switch {
	case err == nil:
		return named.Symbol, nil
	case invalid == nil && errors.Is(err, market.ErrUnknownSymbol):
		return sym, nil
	}
	return "", err
}

// resolveInstrument returns the one instrument of the directory that matches text.
func resolveInstrument(ctx context.Context, dir market.Directory, text string) (market.Instrument, error) {
	if r, ok := dir.(Resolver); ok {
		return r.Resolve(text)
	}
	instruments, err := dir.Instruments(ctx)
	if err != nil {
		return market.Instrument{}, fmt.Errorf("list known symbols: %w", err)
	}
	named := matchingInstruments(instruments, text)
	switch len(named) {
	case 0:
		unknown := &market.UnknownSymbolError{Text: text, Near: nearestSymbols(instruments, text)}
		if len(instruments) <= MaxListedSymbols {
			unknown.Known = instruments
		}
		return market.Instrument{}, unknown
	case 1:
		return named[0], nil
	}
	return market.Instrument{}, &market.AmbiguousError{Text: text, Candidates: named}
}

// matchingInstruments returns the instruments that match text, or only the one with exactly that
// symbol.
func matchingInstruments(instruments []market.Instrument, text string) []market.Instrument {
	sym, invalid := market.ParseSymbol(text)
	var out []market.Instrument
	for _, i := range instruments {
		if invalid == nil && i.Symbol == sym {
			return []market.Instrument{i}
		}
		if i.Matches(text) {
			out = append(out, i)
		}
	}
	return out
}

const (
	maxNearMisses    = 3  // how many suggestions to list
	MaxListedSymbols = 15 // largest directory that is listed completely
)

// nearestSymbols lists the instruments whose symbol is at most two typing errors away,
// or whose name contains the text, closest first.
func nearestSymbols(instruments []market.Instrument, text string) []market.Instrument {
	query := strings.ToUpper(strings.TrimLeft(strings.TrimSpace(text), "$^"))
	type candidate struct {
		market.Instrument
		errs int
	}
	var candidates []candidate
	for _, k := range instruments {
		errs := usage.Distance(query, strings.TrimLeft(string(k.Symbol), "^"), 100)
		nameMatches := len(query) >= 3 && strings.Contains(strings.ToUpper(k.Name), query)
		// Two errors in a three-letter ticker make a different ticker.
		if nameMatches || errs <= 2 && errs < utf8.RuneCountInString(query)-1 {
			candidates = append(candidates, candidate{k, errs})
		}
	}
	sort.SliceStable(candidates, func(i, j int) bool { return candidates[i].errs < candidates[j].errs })
	var out []market.Instrument
	for _, c := range candidates[:min(len(candidates), maxNearMisses)] {
		out = append(out, c.Instrument)
	}
	return out
}

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

// Resolver is a market.Directory that tells by itself which instrument a text
// names. Several yield a market.ErrAmbiguous and none a market.ErrUnknownSymbol,
// both with what could be meant.
type Resolver interface {
	Resolve(text string) (market.Instrument, error)
}

// LookUp fetches what text names: a symbol in any case, or else the one
// instrument of the directory that answers to it ("S&P 500", "apple"). A text
// spelled as a symbol is asked of the source as it is, which may know more than
// the directory lists. A name that fits several instruments yields a
// market.ErrAmbiguous that names them, an unknown one a market.ErrUnknownSymbol
// that offers what there is.
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
	switch {
	case resolveErr != nil:
		return zero, resolveErr
	case named.Symbol == first:
		return zero, err
	}
	return fetch(named.Symbol)
}

// ResolveSymbol is the symbol that LookUp asks a source for first. "FORD" is a symbol,
// which the source knows or not; "Ford" is a name first, and a symbol only where
// no instrument of the directory answers to it. "BTC" is neither where the
// directory knows that a fund and a coin are called so.
func ResolveSymbol(ctx context.Context, dir market.Directory, text string) (market.Symbol, error) {
	sym, invalid := market.ParseSymbol(text)
	if invalid == nil && looksLikeSymbol(text) {
		if err := ambiguityError(dir, text); err != nil {
			return "", err
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

// ambiguityError is why a symbol is not one alone, nil where nothing is known of that.
func ambiguityError(dir market.Directory, text string) error {
	r, ok := dir.(Resolver)
	if !ok {
		return nil
	}
	if _, err := r.Resolve(text); errors.Is(err, market.ErrAmbiguous) {
		return err
	}
	return nil
}

// looksLikeSymbol reports whether text is written as symbols are: in capitals, in
// one word.
func looksLikeSymbol(text string) bool {
	text = strings.TrimSpace(text)
	return strings.ToUpper(text) == text && !strings.ContainsAny(text, " \t")
}

// resolveInstrument finds the one instrument of the directory that text means.
func resolveInstrument(ctx context.Context, dir market.Directory, text string) (market.Instrument, error) {
	if r, ok := dir.(Resolver); ok {
		return r.Resolve(text)
	}
	instruments, err := dir.Instruments(ctx)
	if err != nil {
		return market.Instrument{}, fmt.Errorf("listing the known symbols: %w", err)
	}
	named := matchingInstruments(instruments, text)
	switch len(named) {
	case 0:
		return market.Instrument{}, fmt.Errorf("%w %q; %s", market.ErrUnknownSymbol, text, suggestSymbols(instruments, text))
	case 1:
		return named[0], nil
	}
	labels := make([]string, min(len(named), MaxListedSymbols))
	for i := range labels {
		labels[i] = instrumentLabel(named[i])
	}
	return market.Instrument{}, fmt.Errorf("%w %q: it fits %s; ask which is meant", market.ErrAmbiguous, text, strings.Join(labels, " or "))
}

// matchingInstruments are the instruments that text names. One of exactly that symbol is
// meant, whatever else answers to it.
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

func instrumentLabel(i market.Instrument) string { return fmt.Sprintf("%s (%s)", i.Symbol, i.Name) }

const (
	maxNearMisses    = 3  // near misses named
	MaxListedSymbols = 15 // the whole directory is listed up to this size
)

// suggestSymbols is the next move after an unknown symbol.
func suggestSymbols(instruments []market.Instrument, text string) string {
	var parts []string
	if matches := nearestSymbols(instruments, text); len(matches) > 0 {
		parts = append(parts, "did you mean "+strings.Join(matches, " or ")+"?")
	}
	if n := len(instruments); n > 0 && n <= MaxListedSymbols {
		symbols := make([]string, n)
		for i, k := range instruments {
			symbols[i] = string(k.Symbol)
		}
		parts = append(parts, "available: "+strings.Join(symbols, ", "))
	}
	if len(parts) == 0 {
		return "check the spelling"
	}
	return strings.Join(parts, " ")
}

// nearestSymbols lists the instruments whose symbol is at most two typing errors away,
// or whose name contains the text, closest first.
func nearestSymbols(instruments []market.Instrument, text string) []string {
	query := strings.ToUpper(strings.TrimLeft(strings.TrimSpace(text), "$^"))
	type candidate struct {
		label string
		errs  int
	}
	var candidates []candidate
	for _, k := range instruments {
		errs := usage.Distance(query, strings.TrimLeft(string(k.Symbol), "^"), 100)
		nameMatches := len(query) >= 3 && strings.Contains(strings.ToUpper(k.Name), query)
		// Two errors in a ticker of three letters is another ticker.
		if nameMatches || errs <= 2 && errs < utf8.RuneCountInString(query)-1 {
			candidates = append(candidates, candidate{instrumentLabel(k), errs})
		}
	}
	sort.SliceStable(candidates, func(i, j int) bool { return candidates[i].errs < candidates[j].errs })
	var out []string
	for _, c := range candidates[:min(len(candidates), maxNearMisses)] {
		out = append(out, c.label)
	}
	return out
}

package market

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// Quote asks the sources of quotes. A price that a source kept from an earlier
// answer, because it does not answer now, is given where no other source has a
// newer one.
func (f *Fallback) Quote(ctx context.Context, sym Symbol) (Quote, error) {
	var older *Quote
	found, tried, err := firstAnswer(ctx, "quote of "+string(sym), f.sources.Quotes, func(s QuoteSource) (Quote, error) {
		q, err := s.Quote(ctx, sym)
		if err != nil || q.Provenance.Cache != CacheStale {
			return q, err
		}
		if older == nil || q.Provenance.AsOf.After(older.Provenance.AsOf) {
			older = &q
		}
		return Quote{}, &SourceError{Source: q.Provenance.Source, Err: ErrUnavailable, Detail: "only an older price"}
	})
	exhausted, all := errors.AsType[*ExhaustedError](err)
	if older == nil || err != nil && !all {
		found.Provenance = found.Provenance.withAttempts(tried)
		return found, err
	}
	if all {
		// The stale flag already says that this source did not answer.
		found, tried.tried = *older, slices.DeleteFunc(exhausted.Tried, func(a Attempt) bool { return a.Source == older.Provenance.Source })
	}
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, nil
}

// Quotes prices many symbols: with one batch of the first source that answers, then one by one
// for the symbols it left out. A symbol that no source knows, or whose request failed, is
// absent; Quote returns the reason. If no symbol has a price for another reason than being
// unknown, Quotes returns that error.
func (f *Fallback) Quotes(ctx context.Context, symbols []Symbol) (map[Symbol]Quote, error) {
	priced := f.batch(ctx, symbols)
	var failed error
	for _, sym := range symbols {
		if _, ok := priced[sym]; ok {
			continue
		}
		q, err := f.Quote(ctx, sym)
		switch {
		case err == nil:
			priced[sym] = q
		case ctx.Err() != nil:
			return nil, err
		case !errors.Is(err, ErrUnknownSymbol):
			failed = err
		}
	}
	if len(priced) == 0 && failed != nil {
		return nil, failed
	}
	return priced, nil
}

// batch is what the first source that answers has of the symbols.
func (f *Fallback) batch(ctx context.Context, symbols []Symbol) map[Symbol]Quote {
	priced := make(map[Symbol]Quote, len(symbols))
	for _, s := range f.sources.Quotes {
		many, ok := s.(BatchQuoteSource)
		if !ok {
			continue
		}
		found, err := many.Quotes(ctx, symbols)
		if err != nil {
			continue
		}
		maps.Copy(priced, found)
		// Another symbol's price must not go by this one's name, and for an older
		// price the other sources come first.
		maps.DeleteFunc(priced, func(sym Symbol, q Quote) bool { return q.Symbol != sym || q.Provenance.Cache == CacheStale })
		return priced
	}
	return priced
}

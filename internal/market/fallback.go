package market

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Sources lists the sources for each kind of data, best first. An empty list yields
// ErrNotConfigured.
type Sources struct {
	Quotes     []QuoteSource
	Bars       []BarSource
	Intraday   []IntradaySource
	Statements []StatementSource
	Profiles   []ProfileSource
	Earnings   []EarningsSource
	Filings    []FilingSource
	Insiders   []InsiderSource
	News       []NewsSource
	Series     []SeriesSource
	Curves     []CurveSource
	Rates      []RateSource
	Options    []OptionSource
	Searches   []SearchSource
	Web        []WebSource
}

// Fallback tries each source in turn until one delivers. The answer lists the sources tried before
// it and always comes from one source. If none delivers, the error is an *ExhaustedError. A
// canceled call returns at once.
type Fallback struct {
	sources Sources
	observe func(Provenance) // may be nil
}

// NewFallback returns a Fallback over s.
func NewFallback(s Sources) *Fallback { return &Fallback{sources: s} }

// Observe returns a copy of f that calls observe with the provenance of each answer before it returns the
// answer. This covers prices, rates, curves, options, economic series, and what companies report and file,
// but not news, insider trades and searches. observe must be quick and safe for concurrent use.
func Observe(f *Fallback, observe func(Provenance)) *Fallback {
	return &Fallback{sources: f.sources, observe: observe}
}

func (f *Fallback) report(p Provenance) {
	if f.observe != nil {
		f.observe(p)
	}
}

// attempts are the sources tried before the successful one: failed sources, and sources that are
// not set up.
type attempts struct{ tried, unset []Attempt }

// firstAnswer tries the sources in order until one delivers.
func firstAnswer[S, T any](ctx context.Context, op string, sources []S, ask func(S) (T, error)) (T, attempts, error) {
	var none T
	exhausted := &ExhaustedError{Op: op}
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return none, attempts{}, fmt.Errorf("%s: %w", op, err)
		}
		answer, err := ask(s)
		if err == nil {
			return answer, attempts{exhausted.Tried, exhausted.Unset}, nil
		}
		if ctx.Err() != nil {
			return none, attempts{}, err
		}
		exhausted.add(err)
	}
	if len(sources) == 0 {
		none := &SourceError{Source: "no source", Op: op, Err: ErrNotConfigured}
		exhausted.Tried, exhausted.errs = []Attempt{attemptFor(none)}, []error{none}
	}
	return none, attempts{}, exhausted
}

// add records an attempt. The attempts of a nested Fallback are recorded one by one. Sources that
// do not cover the request, or are not set up, do not count as tried.
func (e *ExhaustedError) add(err error) {
	var inner *ExhaustedError
	switch {
	case errors.As(err, &inner):
		e.Tried, e.errs = append(e.Tried, inner.Tried...), append(e.errs, inner.errs...)
		e.Unset, e.unset = append(e.Unset, inner.Unset...), append(e.unset, inner.unset...)
		e.offline = cmp.Or(inner.offline, e.offline)
	case errors.Is(err, ErrNotCovered):
		if sourceErr, ok := errors.AsType[*SourceError](err); ok && sourceErr.Offline != "" {
			e.offline = sourceErr.Offline
		}
	case errors.Is(err, ErrNotConfigured):
		e.Unset, e.unset = append(e.Unset, attemptFor(err)), append(e.unset, err)
	default:
		e.Tried, e.errs = append(e.Tried, attemptFor(err)), append(e.errs, err)
	}
}

// Bars tries the sources of bars. All bars of a series come from one source.
func (f *Fallback) Bars(ctx context.Context, sym Symbol, r Range) (Series, error) {
	return askOne(ctx, f, "prices for "+string(sym), f.sources.Bars,
		func(s BarSource) (Series, error) { return s.Bars(ctx, sym, r) }, func(s *Series) *Provenance { return &s.Provenance })
}

// Intraday tries the sources of intraday bars.
func (f *Fallback) Intraday(ctx context.Context, sym Symbol, i Interval, r Range) (Series, error) {
	return askOne(ctx, f, string(i)+" prices for "+string(sym), f.sources.Intraday,
		func(s IntradaySource) (Series, error) { return s.Intraday(ctx, sym, i, r) }, func(s *Series) *Provenance { return &s.Provenance })
}

// Statements tries the sources of statements.
func (f *Fallback) Statements(ctx context.Context, sym Symbol, q StatementQuery) ([]Statement, error) {
	return askMany(ctx, f, "financial statements for "+string(sym), f.sources.Statements,
		func(s StatementSource) ([]Statement, error) { return s.Statements(ctx, sym, q) }, func(s *Statement) *Provenance { return &s.Provenance })
}

// Profile tries the sources of profiles.
func (f *Fallback) Profile(ctx context.Context, sym Symbol) (Profile, error) {
	return askOne(ctx, f, "company profile for "+string(sym), f.sources.Profiles,
		func(s ProfileSource) (Profile, error) { return s.Profile(ctx, sym) }, func(p *Profile) *Provenance { return &p.Provenance })
}

// Earnings tries the sources of earnings dates and estimates.
func (f *Fallback) Earnings(ctx context.Context, sym Symbol) (Earnings, error) {
	return askOne(ctx, f, "earnings of "+string(sym), f.sources.Earnings,
		func(s EarningsSource) (Earnings, error) { return s.Earnings(ctx, sym) }, func(e *Earnings) *Provenance { return &e.Provenance })
}

// Filings tries the sources of filings.
func (f *Fallback) Filings(ctx context.Context, sym Symbol, q FilingQuery) ([]Filing, error) {
	return askMany(ctx, f, "filings for "+string(sym), f.sources.Filings,
		func(s FilingSource) ([]Filing, error) { return s.Filings(ctx, sym, q) }, func(f *Filing) *Provenance { return &f.Provenance })
}

// FilingSection tries the sources of filings for one section.
func (f *Fallback) FilingSection(ctx context.Context, accession string, item FilingItem) (FilingSection, error) {
	return askOne(ctx, f, "section of filing "+accession, f.sources.Filings,
		func(s FilingSource) (FilingSection, error) { return s.FilingSection(ctx, accession, item) },
		func(s *FilingSection) *Provenance { return &s.Filing.Provenance })
}

// EconomicSeries tries the sources of economic series.
func (f *Fallback) EconomicSeries(ctx context.Context, id SeriesID, q SeriesQuery) (EconomicSeries, error) {
	return askOne(ctx, f, "data for economic series "+string(id), f.sources.Series,
		func(s SeriesSource) (EconomicSeries, error) { return s.EconomicSeries(ctx, id, q) },
		func(s *EconomicSeries) *Provenance { return &s.Provenance })
}

// YieldCurves tries the sources of yield curves.
func (f *Fallback) YieldCurves(ctx context.Context, curve string, r Range) ([]YieldCurve, error) {
	return askMany(ctx, f, "yield curve "+curve, f.sources.Curves,
		func(s CurveSource) ([]YieldCurve, error) { return s.YieldCurves(ctx, curve, r) }, func(c *YieldCurve) *Provenance { return &c.Provenance })
}

// Rates tries the sources of exchange rates.
func (f *Fallback) Rates(ctx context.Context, pair Pair, r Range) (RateSeries, error) {
	return askOne(ctx, f, "exchange rate for "+pair.String(), f.sources.Rates,
		func(s RateSource) (RateSeries, error) { return s.Rates(ctx, pair, r) }, func(r *RateSeries) *Provenance { return &r.Provenance })
}

// OptionChain tries the sources of options.
func (f *Fallback) OptionChain(ctx context.Context, sym Symbol, expiry Date) (OptionChain, error) {
	return askOne(ctx, f, "options for "+string(sym), f.sources.Options,
		func(s OptionSource) (OptionChain, error) { return s.OptionChain(ctx, sym, expiry) },
		func(c *OptionChain) *Provenance { return &c.Provenance })
}

// InsiderTrades tries the sources of insider trades. It is not observed.
func (f *Fallback) InsiderTrades(ctx context.Context, sym Symbol, r Range, limit int) ([]InsiderTrade, error) {
	found, tried, err := firstAnswer(ctx, "insider trades for "+string(sym), f.sources.Insiders, func(s InsiderSource) ([]InsiderTrade, error) {
		return s.InsiderTrades(ctx, sym, r, limit)
	})
	return eachWithAttempts(found, tried, func(one *InsiderTrade) *Provenance { return &one.Provenance }), err
}

// News tries the sources of news until one has some. Like searches, it is not observed.
func (f *Fallback) News(ctx context.Context, q NewsQuery) ([]Article, error) {
	found, tried, err := firstFound(ctx, "news", f.sources.News, func(s NewsSource) ([]Article, error) { return s.News(ctx, q) })
	return eachWithAttempts(found, tried, func(one *Article) *Provenance { return &one.Provenance }), err
}

// FindSeries tries the sources of economic series until one finds some.
func (f *Fallback) FindSeries(ctx context.Context, text string) ([]SeriesInfo, error) {
	found, _, err := firstFound(ctx, "search results for "+strconv.Quote(text), f.sources.Series, func(s SeriesSource) ([]SeriesInfo, error) { return s.FindSeries(ctx, text) })
	return found, err
}

// Search tries the sources of instruments until one finds some.
func (f *Fallback) Search(ctx context.Context, text string, limit int) ([]Instrument, error) {
	found, _, err := firstFound(ctx, "search results for "+strconv.Quote(text), f.sources.Searches, func(s SearchSource) ([]Instrument, error) { return s.Search(ctx, text, limit) })
	return found, err
}

// SearchWeb tries the sources of web searches until one finds some.
func (f *Fallback) SearchWeb(ctx context.Context, text string, limit int) ([]WebResult, error) {
	found, tried, err := firstFound(ctx, "web search results", f.sources.Web, func(s WebSource) ([]WebResult, error) { return s.SearchWeb(ctx, text, limit) })
	return eachWithAttempts(found, tried, func(one *WebResult) *Provenance { return &one.Provenance }), err
}

// askOne calls firstAnswer, adds the attempts to the answer and reports its provenance.
func askOne[S, T any](ctx context.Context, f *Fallback, op string, sources []S, ask func(S) (T, error), provenance func(*T) *Provenance) (T, error) {
	found, tried, err := firstAnswer(ctx, op, sources, func(s S) (T, error) {
		found, err := ask(s)
		if err == nil {
			err = provenance(&found).checkCurrency()
		}
		return found, err
	})
	if err == nil {
		p := provenance(&found)
		*p = p.withAttempts(tried)
		f.report(*p)
	}
	return found, err
}

// askMany works like askOne for a list.
func askMany[S, T any](ctx context.Context, f *Fallback, op string, sources []S, ask func(S) ([]T, error), provenance func(*T) *Provenance) ([]T, error) {
	found, tried, err := firstAnswer(ctx, op, sources, func(s S) ([]T, error) {
		found, err := ask(s)
		for i := range found {
			err = cmp.Or(err, provenance(&found[i]).checkCurrency())
		}
		return found, err
	})
	found = eachWithAttempts(found, tried, provenance)
	for i := range found {
		f.report(*provenance(&found[i]))
	}
	return found, err
}

// errNoResults replaces an empty answer while other sources may have results.
var errNoResults = &SourceError{Source: "source", Err: ErrNoData, Detail: "nothing found"}

// firstFound works like firstAnswer for a list: after an empty answer it tries the next source. If every source was
// empty, so is the list. If one was down, the result is its error, because it might have found something.
func firstFound[S, T any](ctx context.Context, op string, sources []S, ask func(S) ([]T, error)) ([]T, attempts, error) {
	found, tried, err := firstAnswer(ctx, op, sources, func(s S) ([]T, error) {
		found, err := ask(s)
		if err == nil && len(found) == 0 {
			err = errNoResults
		}
		return found, err
	})
	if exhausted, ok := errors.AsType[*ExhaustedError](err); ok && exhausted.sentinel() == ErrNoData {
		return nil, attempts{}, nil
	}
	return found, tried, err
}

// checkCurrency returns ErrMalformed if a currency is not a code. Answers show it with each figure, so it
// must not be a text written by the source.
func (p Provenance) checkCurrency() error {
	for _, code := range []string{p.Currency, p.QuotedCurrency} {
		if len(code) > 10 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return &SourceError{Source: p.Source, Err: ErrMalformed, Detail: fmt.Sprintf("currency %.20q", code)}
		}
	}
	return nil
}

// withAttempts returns p with the sources that were tried before it. If none was tried and the
// answer is sample data, it lists the sources that are not set up.
func (p Provenance) withAttempts(a attempts) Provenance {
	before := a.tried
	if len(before) == 0 && p.Has(FlagSample) {
		before = a.unset
	}
	if len(before) > 0 {
		p.Tried = slices.Concat(before, p.Tried)
	}
	return p
}

// eachWithAttempts applies withAttempts to a copy of found, because the source may share the slice.
func eachWithAttempts[T any](found []T, tried attempts, provenance func(*T) *Provenance) []T {
	if len(tried.tried)+len(tried.unset) == 0 {
		return found
	}
	found = slices.Clone(found)
	for i := range found {
		p := provenance(&found[i])
		*p = p.withAttempts(tried)
	}
	return found
}

// Quote tries the sources of quotes. A stale cached price of a source that does not respond is
// returned only if no other source has a newer one.
func (f *Fallback) Quote(ctx context.Context, sym Symbol) (Quote, error) {
	q, err := f.quote(ctx, sym)
	if err == nil {
		f.report(q.Provenance)
	}
	return q, err
}

func (f *Fallback) quote(ctx context.Context, sym Symbol) (Quote, error) {
	var older *Quote
	found, tried, err := firstAnswer(ctx, "price for "+string(sym), f.sources.Quotes, func(s QuoteSource) (Quote, error) {
		q, err := s.Quote(ctx, sym)
		if err == nil {
			err = q.Provenance.checkCurrency()
		}
		if err != nil || q.Provenance.Cache != CacheStale {
			return q, err
		}
		if older == nil || q.Provenance.AsOf.After(older.Provenance.AsOf) {
			older = &q
		}
		return Quote{}, &SourceError{Source: q.Provenance.Source, Err: ErrUnavailable, Detail: "only an older price"}
	})
	exhausted, all := errors.AsType[*ExhaustedError](err)
	if older != nil && all {
		// The stale flag already shows that this source did not respond.
		found, err = *older, nil
		tried.tried = slices.DeleteFunc(exhausted.Tried, func(a Attempt) bool { return a.Source == older.Provenance.Source })
	}
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, err
}

// Quotes prices many symbols: one batch from the first source that delivers, then the rest one by
// one. A symbol that is unknown, or whose request failed, is absent; Quote returns the reason. If
// no symbol has a price for a reason other than being unknown, Quotes returns that error.
func (f *Fallback) Quotes(ctx context.Context, symbols []Symbol) (map[Symbol]Quote, error) {
	priced := f.batch(ctx, symbols)
	var failed error
	for _, sym := range symbols {
		if _, ok := priced[sym]; ok {
			continue
		}
		q, err := f.quote(ctx, sym)
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
	for _, sym := range slices.Sorted(maps.Keys(priced)) {
		f.report(priced[sym].Provenance)
	}
	return priced, nil
}

// batch returns the quotes of the first source that delivers.
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
		// Drop a price returned under the wrong symbol, and a stale one, which another source may improve on.
		maps.DeleteFunc(priced, func(sym Symbol, q Quote) bool {
			return q.Symbol != sym || q.Provenance.Cache == CacheStale || q.Provenance.checkCurrency() != nil
		})
		return priced
	}
	return priced
}

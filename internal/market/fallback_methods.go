package market

import (
	"context"
	"errors"
	"slices"
)

// Bars asks the sources of bars. The series is of one source, whole.
func (f *Fallback) Bars(ctx context.Context, sym Symbol, r Range) (Series, error) {
	found, tried, err := firstAnswer(ctx, "bars of "+string(sym), f.sources.Bars, func(s BarSource) (Series, error) {
		return s.Bars(ctx, sym, r)
	})
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, err
}

// Statements asks the sources of statements.
func (f *Fallback) Statements(ctx context.Context, sym Symbol, q StatementQuery) ([]Statement, error) {
	found, tried, err := firstAnswer(ctx, "statements of "+string(sym), f.sources.Statements, func(s StatementSource) ([]Statement, error) {
		return s.Statements(ctx, sym, q)
	})
	return eachWithAttempts(found, tried, func(one *Statement) *Provenance { return &one.Provenance }), err
}

// Profile asks the sources of profiles.
func (f *Fallback) Profile(ctx context.Context, sym Symbol) (Profile, error) {
	found, tried, err := firstAnswer(ctx, "profile of "+string(sym), f.sources.Profiles, func(s ProfileSource) (Profile, error) {
		return s.Profile(ctx, sym)
	})
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, err
}

// Filings asks the sources of filings.
func (f *Fallback) Filings(ctx context.Context, sym Symbol, q FilingQuery) ([]Filing, error) {
	found, tried, err := firstAnswer(ctx, "filings of "+string(sym), f.sources.Filings, func(s FilingSource) ([]Filing, error) {
		return s.Filings(ctx, sym, q)
	})
	return eachWithAttempts(found, tried, func(one *Filing) *Provenance { return &one.Provenance }), err
}

// FilingSection asks the sources of filings for a part of one.
func (f *Fallback) FilingSection(ctx context.Context, accession string, item FilingItem) (FilingSection, error) {
	found, tried, err := firstAnswer(ctx, "section of "+accession, f.sources.Filings, func(s FilingSource) (FilingSection, error) {
		return s.FilingSection(ctx, accession, item)
	})
	found.Filing.Provenance = found.Filing.Provenance.withAttempts(tried)
	return found, err
}

// InsiderTrades asks the sources of insiders' trades.
func (f *Fallback) InsiderTrades(ctx context.Context, sym Symbol, r Range, limit int) ([]InsiderTrade, error) {
	found, tried, err := firstAnswer(ctx, "insider trades of "+string(sym), f.sources.Insiders, func(s InsiderSource) ([]InsiderTrade, error) {
		return s.InsiderTrades(ctx, sym, r, limit)
	})
	return eachWithAttempts(found, tried, func(one *InsiderTrade) *Provenance { return &one.Provenance }), err
}

// EconomicSeries asks the sources of economic series.
func (f *Fallback) EconomicSeries(ctx context.Context, id SeriesID, q SeriesQuery) (EconomicSeries, error) {
	found, tried, err := firstAnswer(ctx, "series "+string(id), f.sources.Series, func(s SeriesSource) (EconomicSeries, error) {
		return s.EconomicSeries(ctx, id, q)
	})
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, err
}

// YieldCurves asks the sources of yield curves.
func (f *Fallback) YieldCurves(ctx context.Context, curve string, r Range) ([]YieldCurve, error) {
	found, tried, err := firstAnswer(ctx, "yield curve "+curve, f.sources.Curves, func(s CurveSource) ([]YieldCurve, error) {
		return s.YieldCurves(ctx, curve, r)
	})
	return eachWithAttempts(found, tried, func(one *YieldCurve) *Provenance { return &one.Provenance }), err
}

// Rates asks the sources of exchange rates.
func (f *Fallback) Rates(ctx context.Context, pair Pair, r Range) (RateSeries, error) {
	found, tried, err := firstAnswer(ctx, "rate of "+pair.String(), f.sources.Rates, func(s RateSource) (RateSeries, error) {
		return s.Rates(ctx, pair, r)
	})
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, err
}

// OptionChain asks the sources of options.
func (f *Fallback) OptionChain(ctx context.Context, sym Symbol, expiry Date) (OptionChain, error) {
	found, tried, err := firstAnswer(ctx, "options of "+string(sym), f.sources.Options, func(s OptionSource) (OptionChain, error) {
		return s.OptionChain(ctx, sym, expiry)
	})
	found.Provenance = found.Provenance.withAttempts(tried)
	return found, err
}

// News asks the sources of news until one has some.
func (f *Fallback) News(ctx context.Context, q NewsQuery) ([]Article, error) {
	found, tried, err := firstAnswer(ctx, "news", f.sources.News, func(s NewsSource) ([]Article, error) {
		return requireResults(s.News(ctx, q))
	})
	if noResults(err) {
		return nil, nil
	}
	return eachWithAttempts(found, tried, func(one *Article) *Provenance { return &one.Provenance }), err
}

// FindSeries asks the sources of economic series until one finds some.
func (f *Fallback) FindSeries(ctx context.Context, words string) ([]SeriesInfo, error) {
	found, _, err := firstAnswer(ctx, "series named "+words, f.sources.Series, func(s SeriesSource) ([]SeriesInfo, error) {
		return requireResults(s.FindSeries(ctx, words))
	})
	if noResults(err) {
		return nil, nil
	}
	return found, err
}

// Search asks the sources of instruments until one finds some.
func (f *Fallback) Search(ctx context.Context, text string, limit int) ([]Instrument, error) {
	found, _, err := firstAnswer(ctx, "search for "+text, f.sources.Searches, func(s SearchSource) ([]Instrument, error) {
		return requireResults(s.Search(ctx, text, limit))
	})
	if noResults(err) {
		return nil, nil
	}
	return found, err
}

// SearchWeb asks the sources of web searches until one finds some.
func (f *Fallback) SearchWeb(ctx context.Context, text string, limit int) ([]WebResult, error) {
	found, tried, err := firstAnswer(ctx, "web search", f.sources.Web, func(s WebSource) ([]WebResult, error) {
		return requireResults(s.SearchWeb(ctx, text, limit))
	})
	if noResults(err) {
		return nil, nil
	}
	return eachWithAttempts(found, tried, func(one *WebResult) *Provenance { return &one.Provenance }), err
}

// errNoResults stands for an empty answer while other sources may have more.
var errNoResults = &SourceError{Source: "source", Err: ErrNoData, Detail: "nothing found"}

func requireResults[T any](found []T, err error) ([]T, error) {
	if err == nil && len(found) == 0 {
		return nil, errNoResults
	}
	return found, err
}

// noResults reports whether every source was asked and had nothing. Where one
// was down, what it would have found is not known.
func noResults(err error) bool {
	exhausted, ok := errors.AsType[*ExhaustedError](err)
	return ok && exhausted.sentinel() == ErrNoData
}

// withAttempts returns p with the sources that were asked before it. Where none was and
// the answer is only of the sample, it says which could have been.
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

// eachWithAttempts is withAttempts for each of a list, which it copies because the source may
// share it.
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

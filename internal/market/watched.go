package market

import (
	"context"
	"maps"
	"slices"
)

// Watched is a Fallback that tells where what it gives comes from, as it gives it:
// prices, rates, curves, options and economic series, and what companies report and
// file. News, trades of insiders and what is searched for are not told of.
type Watched struct {
	*Fallback
	told func(Provenance)
}

// Watch has told called with the origin of each answer, before the caller has it. It
// must be quick and safe for concurrent use.
func Watch(f *Fallback, told func(Provenance)) *Watched { return &Watched{Fallback: f, told: told} }

// tell passes an answer on, with its origin told of where there is one.
func tell[T any](w *Watched, origins func(T) []Provenance, found T, err error) (T, error) {
	if err == nil {
		for _, p := range origins(found) {
			w.told(p)
		}
	}
	return found, err
}

// Quote is Fallback.Quote, told of.
func (w *Watched) Quote(ctx context.Context, sym Symbol) (Quote, error) {
	q, err := w.Fallback.Quote(ctx, sym)
	return tell(w, func(q Quote) []Provenance { return []Provenance{q.Provenance} }, q, err)
}

// Quotes is Fallback.Quotes, each price told of.
func (w *Watched) Quotes(ctx context.Context, symbols []Symbol) (map[Symbol]Quote, error) {
	priced, err := w.Fallback.Quotes(ctx, symbols)
	return tell(w, func(priced map[Symbol]Quote) (all []Provenance) {
		for _, sym := range slices.Sorted(maps.Keys(priced)) {
			all = append(all, priced[sym].Provenance)
		}
		return all
	}, priced, err)
}

// Bars is Fallback.Bars, told of.
func (w *Watched) Bars(ctx context.Context, sym Symbol, r Range) (Series, error) {
	s, err := w.Fallback.Bars(ctx, sym, r)
	return tell(w, func(s Series) []Provenance { return []Provenance{s.Provenance} }, s, err)
}

// Statements is Fallback.Statements, each told of.
func (w *Watched) Statements(ctx context.Context, sym Symbol, q StatementQuery) ([]Statement, error) {
	found, err := w.Fallback.Statements(ctx, sym, q)
	return tell(w, func(found []Statement) (all []Provenance) {
		for _, s := range found {
			all = append(all, s.Provenance)
		}
		return all
	}, found, err)
}

// Profile is Fallback.Profile, told of.
func (w *Watched) Profile(ctx context.Context, sym Symbol) (Profile, error) {
	p, err := w.Fallback.Profile(ctx, sym)
	return tell(w, func(p Profile) []Provenance { return []Provenance{p.Provenance} }, p, err)
}

// Filings is Fallback.Filings, each told of.
func (w *Watched) Filings(ctx context.Context, sym Symbol, q FilingQuery) ([]Filing, error) {
	found, err := w.Fallback.Filings(ctx, sym, q)
	return tell(w, func(found []Filing) (all []Provenance) {
		for _, f := range found {
			all = append(all, f.Provenance)
		}
		return all
	}, found, err)
}

// FilingSection is Fallback.FilingSection, told of by the filing that it is from.
func (w *Watched) FilingSection(ctx context.Context, accession string, item FilingItem) (FilingSection, error) {
	s, err := w.Fallback.FilingSection(ctx, accession, item)
	return tell(w, func(s FilingSection) []Provenance { return []Provenance{s.Filing.Provenance} }, s, err)
}

// EconomicSeries is Fallback.EconomicSeries, told of.
func (w *Watched) EconomicSeries(ctx context.Context, id SeriesID, q SeriesQuery) (EconomicSeries, error) {
	s, err := w.Fallback.EconomicSeries(ctx, id, q)
	return tell(w, func(s EconomicSeries) []Provenance { return []Provenance{s.Provenance} }, s, err)
}

// YieldCurves is Fallback.YieldCurves, each curve told of.
func (w *Watched) YieldCurves(ctx context.Context, curve string, r Range) ([]YieldCurve, error) {
	curves, err := w.Fallback.YieldCurves(ctx, curve, r)
	return tell(w, func(curves []YieldCurve) (all []Provenance) {
		for _, c := range curves {
			all = append(all, c.Provenance)
		}
		return all
	}, curves, err)
}

// Rates is Fallback.Rates, told of.
func (w *Watched) Rates(ctx context.Context, pair Pair, r Range) (RateSeries, error) {
	s, err := w.Fallback.Rates(ctx, pair, r)
	return tell(w, func(s RateSeries) []Provenance { return []Provenance{s.Provenance} }, s, err)
}

// OptionChain is Fallback.OptionChain, told of.
func (w *Watched) OptionChain(ctx context.Context, sym Symbol, expiry Date) (OptionChain, error) {
	chain, err := w.Fallback.OptionChain(ctx, sym, expiry)
	return tell(w, func(c OptionChain) []Provenance { return []Provenance{c.Provenance} }, chain, err)
}

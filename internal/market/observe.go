package market

import (
	"context"
	"maps"
	"slices"
)

// ObservedFallback is a Fallback that reports the provenance of each answer before it returns
// it: prices, rates, curves, options, economic series, and what companies report and file.
// News, insider trades and searches are not reported.
type ObservedFallback struct {
	*Fallback
	observe func(Provenance)
}

// Observe returns f with observe called with the provenance of each answer, before the caller
// has it. observe must be quick and safe for concurrent use.
func Observe(f *Fallback, observe func(Provenance)) *ObservedFallback {
	return &ObservedFallback{Fallback: f, observe: observe}
}

// report passes an answer on. If there is no error it reports the provenance first.
func report[T any](w *ObservedFallback, origins func(T) []Provenance, answer T, err error) (T, error) {
	if err == nil {
		for _, p := range origins(answer) {
			w.observe(p)
		}
	}
	return answer, err
}

// Quote is Fallback.Quote; the answer is reported.
func (w *ObservedFallback) Quote(ctx context.Context, sym Symbol) (Quote, error) {
	q, err := w.Fallback.Quote(ctx, sym)
	return report(w, func(q Quote) []Provenance { return []Provenance{q.Provenance} }, q, err)
}

// Quotes is Fallback.Quotes; each price is reported.
func (w *ObservedFallback) Quotes(ctx context.Context, symbols []Symbol) (map[Symbol]Quote, error) {
	priced, err := w.Fallback.Quotes(ctx, symbols)
	return report(w, func(priced map[Symbol]Quote) (all []Provenance) {
		for _, sym := range slices.Sorted(maps.Keys(priced)) {
			all = append(all, priced[sym].Provenance)
		}
		return all
	}, priced, err)
}

// Bars is Fallback.Bars; the answer is reported.
func (w *ObservedFallback) Bars(ctx context.Context, sym Symbol, r Range) (Series, error) {
	s, err := w.Fallback.Bars(ctx, sym, r)
	return report(w, func(s Series) []Provenance { return []Provenance{s.Provenance} }, s, err)
}

// Statements is Fallback.Statements; each statement is reported.
func (w *ObservedFallback) Statements(ctx context.Context, sym Symbol, q StatementQuery) ([]Statement, error) {
	found, err := w.Fallback.Statements(ctx, sym, q)
	return report(w, func(found []Statement) (all []Provenance) {
		for _, s := range found {
			all = append(all, s.Provenance)
		}
		return all
	}, found, err)
}

// Profile is Fallback.Profile; the answer is reported.
func (w *ObservedFallback) Profile(ctx context.Context, sym Symbol) (Profile, error) {
	p, err := w.Fallback.Profile(ctx, sym)
	return report(w, func(p Profile) []Provenance { return []Provenance{p.Provenance} }, p, err)
}

// Filings is Fallback.Filings; each filing is reported.
func (w *ObservedFallback) Filings(ctx context.Context, sym Symbol, q FilingQuery) ([]Filing, error) {
	found, err := w.Fallback.Filings(ctx, sym, q)
	return report(w, func(found []Filing) (all []Provenance) {
		for _, f := range found {
			all = append(all, f.Provenance)
		}
		return all
	}, found, err)
}

// FilingSection is Fallback.FilingSection; the filing it is from is reported.
func (w *ObservedFallback) FilingSection(ctx context.Context, accession string, item FilingItem) (FilingSection, error) {
	s, err := w.Fallback.FilingSection(ctx, accession, item)
	return report(w, func(s FilingSection) []Provenance { return []Provenance{s.Filing.Provenance} }, s, err)
}

// EconomicSeries is Fallback.EconomicSeries; the answer is reported.
func (w *ObservedFallback) EconomicSeries(ctx context.Context, id SeriesID, q SeriesQuery) (EconomicSeries, error) {
	s, err := w.Fallback.EconomicSeries(ctx, id, q)
	return report(w, func(s EconomicSeries) []Provenance { return []Provenance{s.Provenance} }, s, err)
}

// YieldCurves is Fallback.YieldCurves; each curve is reported.
func (w *ObservedFallback) YieldCurves(ctx context.Context, curve string, r Range) ([]YieldCurve, error) {
	curves, err := w.Fallback.YieldCurves(ctx, curve, r)
	return report(w, func(curves []YieldCurve) (all []Provenance) {
		for _, c := range curves {
			all = append(all, c.Provenance)
		}
		return all
	}, curves, err)
}

// Rates is Fallback.Rates; the answer is reported.
func (w *ObservedFallback) Rates(ctx context.Context, pair Pair, r Range) (RateSeries, error) {
	s, err := w.Fallback.Rates(ctx, pair, r)
	return report(w, func(s RateSeries) []Provenance { return []Provenance{s.Provenance} }, s, err)
}

// OptionChain is Fallback.OptionChain; the answer is reported.
func (w *ObservedFallback) OptionChain(ctx context.Context, sym Symbol, expiry Date) (OptionChain, error) {
	chain, err := w.Fallback.OptionChain(ctx, sym, expiry)
	return report(w, func(c OptionChain) []Provenance { return []Provenance{c.Provenance} }, chain, err)
}

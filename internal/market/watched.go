package market

import (
	"context"
	"maps"
	"slices"
)

// Watched is a Fallback that tells where the numbers of the market come from as it
// gives them: prices, rates, curves, options and economic series. What companies file
// and publish is not told of.
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

package feed

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// cacheBars keeps the bars of a source on the disk.
func (m *Market) cacheBars(name string, source market.BarSource) market.BarSource {
	if m.o.Bars == nil {
		return source
	}
	return NewCachedBars(source, m.o.Bars, CacheOptions{Name: name, Fresh: m.trading.barsFresh, Now: m.o.Now, Log: m.o.Log})
}

// Latest is the newest close of a symbol that can be had without asking anybody: of
// what is kept on the disk, else of the sample; that of until or earlier, where it is
// not zero.
func (m *Market) Latest(ctx context.Context, sym market.Symbol, until market.Date) (market.Quote, bool) {
	if !m.o.SampleOnly {
		if q, ok := m.latestCached(ctx, sym, until); ok {
			return q, true
		}
	}
	series, err := NewSampleSource().Bars(ctx, sym, market.Range{To: until})
	if err != nil {
		return market.Quote{}, false
	}
	return series.Latest()
}

// latestCached is the newest close on the disk, of whichever source.
func (m *Market) latestCached(ctx context.Context, sym market.Symbol, until market.Date) (newest market.Quote, ok bool) {
	if m.o.Bars == nil {
		return newest, false
	}
	for _, p := range m.barProviders() {
		key := market.BarKey{Source: p.Name, Symbol: sym}
		// The end is enough, which the record tells also where its bars are left out.
		head, found, err := m.o.Bars.Load(ctx, key, market.Range{From: m.o.Now()})
		if err != nil || !found {
			continue
		}
		const fewSessions = 10 * 24 * time.Hour
		end := head.Last
		if !until.IsZero() && until.Before(end) {
			end = until
		}
		rec, found, err := m.o.Bars.Load(ctx, key, market.Range{From: end.Add(-fewSessions), To: end})
		if q, priced := rec.Series.Latest(); err == nil && found && priced && q.Provenance.AsOf.After(newest.Provenance.AsOf) {
			newest, ok = q, true
		}
	}
	return newest, ok
}

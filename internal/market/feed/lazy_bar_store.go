package feed

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// cacheBars keeps the bars of a source on the disk.
func (m *Market) cacheBars(name string, source market.BarSource) market.BarSource {
	if m.bars.path == "" {
		return source
	}
	return NewCachedBars(source, m.bars, CacheOptions{Name: name, Fresh: m.trading.barsFresh, Now: m.o.Now, Log: m.o.Log})
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

// latestCached is the newest close on the disk, of whichever source. To look makes no
// file.
func (m *Market) latestCached(ctx context.Context, sym market.Symbol, until market.Date) (newest market.Quote, ok bool) {
	if _, err := os.Stat(m.bars.path); err != nil {
		return newest, false
	}
	for _, p := range m.barProviders() {
		key := market.BarKey{Source: p.Name, Symbol: sym}
		// The end is enough, which the record tells also where its bars are left out.
		head, found, err := m.bars.Load(ctx, key, market.Range{From: m.o.Now()})
		if err != nil || !found {
			continue
		}
		const fewSessions = 10 * 24 * time.Hour
		end := head.Last
		if !until.IsZero() && until.Before(end) {
			end = until
		}
		rec, found, err := m.bars.Load(ctx, key, market.Range{From: end.Add(-fewSessions), To: end})
		if q, priced := rec.Series.Latest(); err == nil && found && priced && q.Provenance.AsOf.After(newest.Provenance.AsOf) {
			newest, ok = q, true
		}
	}
	return newest, ok
}

// lazyBarStore opens the file of bars when they are first asked for: most runs of the
// program ask for none.
type lazyBarStore struct {
	path string
	now  func() time.Time
	log  zerolog.Logger

	once   sync.Once
	opened *sqlite.Bars
	err    error
}

func (b *lazyBarStore) open(ctx context.Context) (*sqlite.Bars, error) {
	b.once.Do(func() {
		b.opened, b.err = sqlite.OpenBars(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: b.now, Notice: func(text string) { b.log.Warn().Msg(text) }})
	})
	return b.opened, b.err
}

// Load is what is kept of a series.
func (b *lazyBarStore) Load(ctx context.Context, k market.BarKey, r market.Range) (market.StoredBars, bool, error) {
	bars, err := b.open(ctx)
	if err != nil {
		return market.StoredBars{}, false, err
	}
	return bars.Load(ctx, k, r)
}

// Save keeps a series.
func (b *lazyBarStore) Save(ctx context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
	bars, err := b.open(ctx)
	if err != nil {
		return err
	}
	return bars.Save(ctx, k, rec, since)
}

func (b *lazyBarStore) close() error {
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}

var _ market.BarStore = (*lazyBarStore)(nil)

package marketplace

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/cached"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// kept keeps the bars of a source on the disk.
func (m *Market) kept(name string, from market.BarSource) market.BarSource {
	if m.bars.path == "" {
		return from
	}
	return cached.New(from, m.bars, cached.Options{Name: name, Fresh: m.trading.barsFresh, Now: m.o.Now, Log: m.o.Log})
}

// barKeepers are the sources whose bars are kept on the disk.
func barKeepers() []string {
	return []string{"yahoo", "binance", "coingecko", "tiingo", "nasdaq", "cboe", "massive", "alphavantage"}
}

// Latest is the newest close of a symbol that can be had without asking anybody: of
// what is kept on the disk, else of the sample; that of until or earlier, where it is
// not zero.
func (m *Market) Latest(ctx context.Context, sym market.Symbol, until market.Date) (market.Quote, bool) {
	if !m.o.SampleAlone {
		if q, ok := m.newestKept(ctx, sym, until); ok {
			return q, true
		}
	}
	series, err := sample.New().Bars(ctx, sym, market.Range{To: until})
	if err != nil {
		return market.Quote{}, false
	}
	return series.Latest()
}

// newestKept is the newest close on the disk, of whichever source. To look makes no
// file.
func (m *Market) newestKept(ctx context.Context, sym market.Symbol, until market.Date) (newest market.Quote, ok bool) {
	if _, err := os.Stat(m.bars.path); err != nil {
		return newest, false
	}
	for _, source := range barKeepers() {
		key := market.BarKey{Source: source, Symbol: sym}
		// The end is enough, which the record tells also where its bars are left out.
		head, there, err := m.bars.Load(ctx, key, market.Range{From: m.o.Now()})
		if err != nil || !there {
			continue
		}
		const fewSessions = 10 * 24 * time.Hour
		end := head.Last
		if !until.IsZero() && until.Before(end) {
			end = until
		}
		rec, there, err := m.bars.Load(ctx, key, market.Range{From: end.Add(-fewSessions), To: end})
		if q, has := rec.Series.Latest(); err == nil && there && has && q.Provenance.AsOf.After(newest.Provenance.AsOf) {
			newest, ok = q, true
		}
	}
	return newest, ok
}

// barStore opens the file of bars when they are first asked for: most runs of the
// program ask for none.
type barStore struct {
	path string
	now  func() time.Time
	log  zerolog.Logger

	once   sync.Once
	opened *sqlite.Bars
	err    error
}

func (b *barStore) open(ctx context.Context) (*sqlite.Bars, error) {
	b.once.Do(func() {
		b.opened, b.err = sqlite.OpenBars(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: b.now, Notice: func(text string) { b.log.Warn().Msg(text) }})
	})
	return b.opened, b.err
}

// Load is what is kept of a series.
func (b *barStore) Load(ctx context.Context, k market.BarKey, r market.Range) (market.StoredBars, bool, error) {
	bars, err := b.open(ctx)
	if err != nil {
		return market.StoredBars{}, false, err
	}
	return bars.Load(ctx, k, r)
}

// Save keeps a series.
func (b *barStore) Save(ctx context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
	bars, err := b.open(ctx)
	if err != nil {
		return err
	}
	return bars.Save(ctx, k, rec, since)
}

func (b *barStore) close() error {
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}

var _ market.BarStore = (*barStore)(nil)

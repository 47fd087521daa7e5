package feed

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// CacheOptions configure CachedBars.
type CacheOptions struct {
	// Name is the provider name under which bars are stored. Sources with other names do not see
	// them.
	Name string
	// Fresh reports whether a new request could not return anything new. It sees only the series' instrument,
	// provenance and last bar. FlagProvisional means that the session of the last bar is not settled. If
	// Fresh is nil, every call sends a request.
	Fresh func(s market.Series, now time.Time) bool
	Now   func() time.Time
	Log   zerolog.Logger
}

// maxStaleBars is the maximum age of stored bars returned instead of those of an unreachable source.
const maxStaleBars = 7 * 24 * time.Hour

// CachedBars is a BarSource that stores the bars of another and sends it as few requests as possible. It is
// safe for concurrent use.
type CachedBars struct {
	upstream market.BarSource
	store    market.BarStore
	o        CacheOptions

	mu   sync.Mutex
	busy map[market.Symbol]chan struct{}
}

var _ market.BarSource = (*CachedBars)(nil)

// NewCachedBars returns a source that stores the bars of from in store.
func NewCachedBars(from market.BarSource, store market.BarStore, o CacheOptions) *CachedBars {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fresh == nil {
		o.Fresh = func(market.Series, time.Time) bool { return false }
	}
	return &CachedBars{upstream: from, store: store, o: o, busy: make(map[market.Symbol]chan struct{})}
}

// Bars returns stored bars while they are fresh (CacheHit); otherwise it sends a request. If the source does
// not deliver, it returns stored bars (CacheStale, with FlagStale and the attempt), without a last bar that
// was provisional when fetched.
func (s *CachedBars) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	if !r.To.IsZero() && r.To.Before(r.From) {
		return s.upstream.Bars(ctx, sym, r)
	}
	if cached, ok := s.load(ctx, sym, r); ok && s.fresh(cached, r) {
		return s.slice(cached, r, market.CacheHit)
	}
	unlock, err := s.lockSymbol(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	defer unlock()
	cached, ok := s.load(ctx, sym, r)
	if ok && s.fresh(cached, r) { // another caller has fetched them
		return s.slice(cached, r, market.CacheHit)
	}
	rec, superseded, err := s.refresh(ctx, sym, r, cached, ok)
	if err == nil {
		return s.slice(rec, r, market.CacheMiss)
	}
	if ok && !superseded && ctx.Err() == nil && client.IsUnreachable(err) && cached.Covers(r) && s.age(cached) <= maxStaleBars {
		return s.serveStale(cached, r, err)
	}
	return market.Series{}, err
}

// lockSymbol waits until no other caller is fetching sym.
func (s *CachedBars) lockSymbol(ctx context.Context, sym market.Symbol) (unlock func(), err error) {
	for {
		s.mu.Lock()
		inFlight, busy := s.busy[sym]
		if !busy {
			mine := make(chan struct{})
			s.busy[sym] = mine
			s.mu.Unlock()
			return func() {
				s.mu.Lock()
				delete(s.busy, sym)
				s.mu.Unlock()
				close(mine)
			}, nil
		}
		s.mu.Unlock()
		select {
		case <-inFlight:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// load returns the stored bars, or none if the disk cannot be read.
func (s *CachedBars) load(ctx context.Context, sym market.Symbol, r market.Range) (market.StoredBars, bool) {
	cached, ok, err := s.store.Load(ctx, market.BarKey{Source: s.o.Name, Symbol: sym}, r)
	if err != nil && ctx.Err() == nil {
		s.o.Log.Warn().Err(err).Str("symbol", string(sym)).Msg("cached bars cannot be read")
	}
	return cached, ok && err == nil && !cached.Last.IsZero() && s.age(cached) >= 0 && !s.inFuture(cached)
}

// maxZoneLead is how far the earliest time zone, in Kiribati, is ahead of UTC.
const maxZoneLead = 14 * time.Hour

// inFuture reports whether a series has a bar of a day that has not started anywhere. If stored, the series
// would count as fresh until that day.
func (s *CachedBars) inFuture(rec market.StoredBars) bool {
	return rec.Last.After(s.o.Now().Add(maxZoneLead))
}

func (s *CachedBars) save(ctx context.Context, sym market.Symbol, rec market.StoredBars, since market.Date) {
	if s.inFuture(rec) {
		s.o.Log.Warn().Str("symbol", string(sym)).Time("last", rec.Last).Msg("bars with future dates are not cached")
		return
	}
	rec.Series.Provenance.Cache, rec.Series.Provenance.Tried = market.CacheMiss, nil
	if err := s.store.Save(ctx, market.BarKey{Source: s.o.Name, Symbol: sym}, rec, since); err != nil && !errors.Is(err, market.ErrBarsChanged) && ctx.Err() == nil {
		s.o.Log.Warn().Err(err).Str("symbol", string(sym)).Msg("bars are not cached")
	}
}

// age returns the time since the fetch. It is negative, which counts as unknown, if the clock was set back.
func (s *CachedBars) age(cached market.StoredBars) time.Duration {
	return s.o.Now().Sub(cached.Series.Provenance.FetchedAt)
}

func (s *CachedBars) fresh(cached market.StoredBars, r market.Range) bool {
	series := cached.Series
	// The last bar is not loaded if the requested range ends before it.
	series.Bars = []market.Bar{{Date: cached.Last}}
	return cached.Covers(r) && s.o.Fresh(series, s.o.Now())
}

// slice returns the stored bars within r.
func (s *CachedBars) slice(rec market.StoredBars, r market.Range, state market.CacheState) (market.Series, error) {
	full := rec.Series
	requested := full.Within(r)
	n := len(requested.Bars)
	if n == 0 {
		return market.Series{}, &market.SourceError{Source: full.Provenance.Source, Op: "bars of " + string(full.Symbol), Err: market.ErrNoData}
	}
	if requested.Bars[n-1].Date.Equal(rec.Last) {
		requested.Provenance.AsOf = full.Provenance.AsOf
	} else {
		requested.Provenance = requested.Provenance.Without(market.FlagProvisional)
	}
	if requested.Actions != nil {
		requested.Actions = slices.DeleteFunc(slices.Clone(requested.Actions), func(a market.Action) bool { return !r.Contains(a.Date) })
	}
	if state != market.CacheMiss {
		requested.Provenance.Cache = state
	}
	return requested, nil
}

// serveStale returns stored bars if the source does not deliver.
func (s *CachedBars) serveStale(cached market.StoredBars, r market.Range, err error) (market.Series, error) {
	if cached.Series.Provenance.Has(market.FlagProvisional) {
		if n := len(cached.Series.Bars); n > 0 && cached.Series.Bars[n-1].Date.Equal(cached.Last) {
			cached.Series.Bars = cached.Series.Bars[:n-1]
		}
	}
	requested, sliceErr := s.slice(cached, r, market.CacheStale)
	if sliceErr != nil {
		return market.Series{}, err
	}
	attempt := market.Attempt{Source: s.o.Name, Reason: err.Error()}
	if sourceErr, ok := errors.AsType[*market.SourceError](err); ok {
		attempt.Source = sourceErr.Source
	}
	requested.Provenance = requested.Provenance.With(market.FlagStale)
	requested.Provenance.Tried = append(slices.Clone(requested.Provenance.Tried), attempt)
	return requested, nil
}

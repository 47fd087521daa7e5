// Package cached keeps the bars of a source on the user's disk: a day's session
// is asked for once, and where the source is silent for some days what was kept
// stands in, flagged. What is kept of a symbol is one series of one source, as
// that source would tell it today: each refresh fetches some sessions that are
// kept already, and where they have changed, all of it.
package cached

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
)

// Options of a Source.
type Options struct {
	// Name is what the bars are kept under: that of the provider. Sources of
	// other names do not see them.
	Name string
	// Fresh reports whether nothing new can be had by asking now. It sees what is
	// known of the series and its last bar alone: its instrument and provenance,
	// which has FlagProvisional where the session of the last bar is not settled.
	// Nil asks each time.
	Fresh func(s market.Series, now time.Time) bool
	// Stale is the age up to which kept bars stand in for a source that does not
	// answer; zero is seven days.
	Stale time.Duration
	Now   func() time.Time
	Log   zerolog.Logger
}

// Source is a BarSource that asks another as seldom as may be. It is safe for
// concurrent use.
type Source struct {
	from  market.BarSource
	store market.BarStore
	o     Options

	mu   sync.Mutex
	busy map[market.Symbol]chan struct{}
}

var _ market.BarSource = (*Source)(nil)

// New returns the source from, with what it gives kept in store.
func New(from market.BarSource, store market.BarStore, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fresh == nil {
		o.Fresh = func(market.Series, time.Time) bool { return false }
	}
	o.Stale = cmp.Or(o.Stale, 7*24*time.Hour)
	return &Source{from: from, store: store, o: o, busy: make(map[market.Symbol]chan struct{})}
}

// Bars answers from the disk while that is fresh (CacheHit), asks otherwise, and
// falls back on the disk where the source gives no answer (CacheStale, with
// FlagStale and the attempt). A bar that was provisional when it was fetched is
// left out of the latter: its session has moved on.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	if !r.To.IsZero() && r.To.Before(r.From) {
		return s.from.Bars(ctx, sym, r)
	}
	if kept, ok := s.load(ctx, sym, r); ok && s.fresh(kept, r) {
		return s.part(kept, r, market.CacheHit)
	}
	done, err := s.alone(ctx, sym)
	if err != nil {
		return market.Series{}, err
	}
	defer done()
	kept, ok := s.load(ctx, sym, r)
	if ok && s.fresh(kept, r) { // somebody has asked meanwhile
		return s.part(kept, r, market.CacheHit)
	}
	is, superseded, err := s.renew(ctx, sym, r, kept, ok)
	if err == nil {
		return s.part(is, r, market.CacheMiss)
	}
	if ok && !superseded && ctx.Err() == nil && silent(err) && kept.Covers(r) && s.age(kept) <= s.o.Stale {
		return s.standIn(kept, r, err)
	}
	return market.Series{}, err
}

// alone waits until nobody else asks for sym.
func (s *Source) alone(ctx context.Context, sym market.Symbol) (done func(), err error) {
	for {
		s.mu.Lock()
		other, taken := s.busy[sym]
		if !taken {
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
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// load is what is kept. A disk that cannot be read keeps nothing.
func (s *Source) load(ctx context.Context, sym market.Symbol, r market.Range) (market.StoredBars, bool) {
	kept, ok, err := s.store.Load(ctx, market.BarKey{Source: s.o.Name, Symbol: sym}, r)
	if err != nil && ctx.Err() == nil {
		s.o.Log.Warn().Err(err).Str("symbol", string(sym)).Msg("kept bars cannot be read")
	}
	return kept, ok && err == nil && !kept.Last.IsZero() && s.age(kept) >= 0 && !s.ahead(kept)
}

// earliest is how much sooner than in Greenwich a day begins on Kiribati.
const earliest = 14 * time.Hour

// ahead reports whether a series has a bar of a day that has begun nowhere. One
// that is kept would pass for fresh until that day.
func (s *Source) ahead(is market.StoredBars) bool { return is.Last.After(s.o.Now().Add(earliest)) }

func (s *Source) save(ctx context.Context, sym market.Symbol, is market.StoredBars, since market.Date) {
	if s.ahead(is) {
		s.o.Log.Warn().Str("symbol", string(sym)).Time("last", is.Last).Msg("bars of days to come are not kept")
		return
	}
	is.Series.Provenance.Cache, is.Series.Provenance.Tried = market.CacheMiss, nil
	if err := s.store.Save(ctx, market.BarKey{Source: s.o.Name, Symbol: sym}, is, since); err != nil && !errors.Is(err, market.ErrBarsChanged) && ctx.Err() == nil {
		s.o.Log.Warn().Err(err).Str("symbol", string(sym)).Msg("bars are not kept")
	}
}

// age is below zero where the clock was set back: then it is not known.
func (s *Source) age(kept market.StoredBars) time.Duration {
	return s.o.Now().Sub(kept.Series.Provenance.FetchedAt)
}

func (s *Source) fresh(kept market.StoredBars, r market.Range) bool {
	whole := kept.Series
	// The last bar is not among those that were loaded where the question ends
	// before it.
	whole.Bars = []market.Bar{{Date: kept.Last}}
	return kept.Covers(r) && s.o.Fresh(whole, s.o.Now())
}

// part is the answer to a question of r.
func (s *Source) part(is market.StoredBars, r market.Range, state market.CacheState) (market.Series, error) {
	whole := is.Series
	asked := whole.Within(r)
	n := len(asked.Bars)
	if n == 0 {
		return market.Series{}, &market.SourceError{Source: whole.Provenance.Source, Doing: "bars of " + string(whole.Symbol), Err: market.ErrNoData}
	}
	if asked.Bars[n-1].Date.Equal(is.Last) {
		asked.Provenance.AsOf = whole.Provenance.AsOf
	} else {
		asked.Provenance = asked.Provenance.Without(market.FlagProvisional)
	}
	if asked.Actions != nil {
		asked.Actions = slices.DeleteFunc(slices.Clone(asked.Actions), func(a market.Action) bool { return !r.Contains(a.Date) })
	}
	if state != market.CacheMiss {
		asked.Provenance.Cache = state
	}
	return asked, nil
}

// standIn is the answer where the source gives none.
func (s *Source) standIn(kept market.StoredBars, r market.Range, err error) (market.Series, error) {
	if kept.Series.Provenance.Has(market.FlagProvisional) {
		if n := len(kept.Series.Bars); n > 0 && kept.Series.Bars[n-1].Date.Equal(kept.Last) {
			kept.Series.Bars = kept.Series.Bars[:n-1]
		}
	}
	asked, none := s.part(kept, r, market.CacheStale)
	if none != nil {
		return market.Series{}, err
	}
	attempt := market.Attempt{Source: s.o.Name, Reason: err.Error()}
	if from, ok := errors.AsType[*market.SourceError](err); ok {
		attempt.Source = from.Source
	}
	asked.Provenance = asked.Provenance.With(market.FlagStale)
	asked.Provenance.Tried = append(slices.Clone(asked.Provenance.Tried), attempt)
	return asked, nil
}

// silent reports whether a source gave no answer at all. What it says of a symbol
// or a key stands, whatever it gave last week.
func silent(err error) bool {
	return errors.Is(err, market.ErrUnavailable) || errors.Is(err, market.ErrRateLimited) || errors.Is(err, market.ErrMalformed)
}

package feed

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Options configures a Market.
type Options struct {
	// SampleOnly uses only the built-in sample data.
	SampleOnly bool
	// Bars stores price history; nil stores none.
	Bars market.BarStore
	// Dir is where providers store their data; "" means nowhere.
	Dir string
	// Client carries every request.
	Client *client.Client
	// Base returns a URL that replaces a provider's servers, such as that of a mirror, or "".
	Base func(provider string) string
	// Key returns a provider's key, or "". It is called once, when first needed.
	Key func(client.Provider) string
	// Contact is the contact address required by the SEC.
	Contact string
	// SearXNG is the URL of the user's web search server, or "".
	SearXNG string
	Now     func() time.Time
	Log     zerolog.Logger
}

// Market builds the sources of market data. It is safe for concurrent use.
type Market struct {
	o Options
	// built builds the providers once, so that all callers share their state: a cookie, a list of tickers, a
	// pause requested by a server.
	built func() []builtProvider
	// covered returns the same providers, with their price sources restricted to the symbols they cover.
	covered func() []builtProvider
	online  *onlineState
}

// New returns a Market. It opens nothing and sends no request.
func New(o Options) *Market {
	if o.Client == nil {
		o.Client = client.New(client.Options{Now: o.Now})
	}
	if o.Base == nil {
		o.Base = func(string) string { return "" }
	}
	m := &Market{o: o, online: &onlineState{dir: o.Dir}}
	m.built, m.covered = sync.OnceValue(m.build), sync.OnceValue(m.priceSources)
	return m
}

// LastResponse returns the title of the price source that responded last, and when. It reads only the cache.
func (m *Market) LastResponse() (title string, at time.Time, ok bool) {
	if m.o.SampleOnly || m.o.Dir == "" {
		return "", time.Time{}, false
	}
	titles := map[string]string{}
	for _, p := range m.barProviders() {
		titles[p.Name] = p.Title
	}
	source, at, ok := client.LastResponse(m.o.Dir, slices.Collect(maps.Keys(titles)))
	return titles[source], at, ok
}

// cacheBars returns the source with its bars stored on disk.
func (m *Market) cacheBars(name string, source market.BarSource) market.BarSource {
	if m.o.Bars == nil {
		return source
	}
	return NewCachedBars(source, m.o.Bars, CacheOptions{Name: name, Fresh: barsFresh, Now: m.o.Now, Log: m.o.Log})
}

// Latest returns the newest close of a symbol that is available without a request: from stored bars or, if
// live data has not replaced it, the sample data. If until is not zero, later closes are ignored.
func (m *Market) Latest(ctx context.Context, sym market.Symbol, until market.Date) (market.Quote, bool) {
	if !m.o.SampleOnly {
		if q, ok := m.latestCached(ctx, sym, until); ok {
			return q, true
		}
		if m.online.everOnline() {
			return market.Quote{}, false
		}
	}
	series, err := NewSampleSource().Bars(ctx, sym, market.Range{To: until})
	if err != nil {
		return market.Quote{}, false
	}
	return series.Latest()
}

// latestCached returns the newest stored close from any source.
func (m *Market) latestCached(ctx context.Context, sym market.Symbol, until market.Date) (newest market.Quote, ok bool) {
	if m.o.Bars == nil {
		return newest, false
	}
	for _, p := range m.barProviders() {
		key := market.BarKey{Source: p.Name, Symbol: sym}
		// Loading no bars is enough, because the record has the date of the last bar anyway.
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

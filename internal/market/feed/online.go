package feed

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

// onlineMarker is the name of a file in Dir that shows that a live source has responded in this data folder.
const onlineMarker = "online"

// onlineState records whether a live source has ever responded.
type onlineState struct {
	dir  string
	mu   sync.Mutex
	ever bool
}

// everOnline reports whether a live source has responded in this data folder. From then on, sample data never
// replaces live data.
func (o *onlineState) everOnline() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ever || o.dir == "" {
		return o.ever
	}
	if _, err := os.Stat(filepath.Join(o.dir, onlineMarker)); err == nil {
		o.ever = true
	} else if answers, _ := os.ReadDir(filepath.Join(o.dir, "http")); len(answers) > 0 {
		o.ever = true // data from a version without the marker
	}
	return o.ever
}

// NoteAnswer records the provenance of an answer. The first answer from a live source ends the use of sample
// data.
func (m *Market) NoteAnswer(p market.Provenance) {
	if m.o.SampleOnly || p.Has(market.FlagSample) || m.online.everOnline() {
		return
	}
	m.online.mu.Lock()
	defer m.online.mu.Unlock()
	m.online.ever = true
	if m.o.Dir == "" {
		return
	}
	err := os.MkdirAll(m.o.Dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(m.o.Dir, onlineMarker), nil, 0o600)
	}
	if err != nil {
		m.o.Log.Warn().Err(err).Msg("the data folder cannot be marked as online")
	}
}

// storedPrices serves the last stored live prices, of any age. They are flagged stale.
type storedPrices struct{ m *Market }

// Bars returns the stored bars of the provider whose bars are newest.
func (s storedPrices) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	var newest market.StoredBars
	for _, p := range s.m.barProviders() {
		rec, ok, err := s.m.o.Bars.Load(ctx, market.BarKey{Source: p.Name, Symbol: sym}, r)
		if err == nil && ok && len(rec.Series.Bars) > 0 && rec.Last.After(newest.Last) {
			newest = rec
		}
	}
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	if newest.Last.IsZero() {
		return market.Series{}, &market.SourceError{Source: "stored prices", Op: "bars of " + string(sym), Err: market.ErrNotCovered}
	}
	out := newest.Series.Within(r)
	out.Provenance = out.Provenance.Without(market.FlagProvisional).With(market.FlagStale)
	out.Provenance.Cache = market.CacheStale
	return out, nil
}

// Quote returns the last stored close.
func (s storedPrices) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	series, err := s.Bars(ctx, sym, market.Range{})
	if err != nil {
		return market.Quote{}, err
	}
	q, ok := series.Latest()
	if !ok {
		return q, errors.New("stored series has no bars")
	}
	return q, nil
}

// OwnSources lists the sources for the user's own money: portfolio, watchlist, alerts and journal. They never
// include sample data. Stored live prices of any age come last.
func (m *Market) OwnSources() market.Sources {
	var s market.Sources
	if !m.o.SampleOnly {
		s = m.liveSources()
	}
	if m.o.Bars != nil {
		s.Quotes, s.Bars = append(s.Quotes, storedPrices{m}), append(s.Bars, storedPrices{m})
	}
	if m.o.SampleOnly {
		s.Quotes, s.Bars = append(s.Quotes, notAsked{}), append(s.Bars, notAsked{})
	}
	return s
}

// notAsked stands for the live sources while only sample data is used, so that a missing price is not
// taken for an unknown symbol.
type notAsked struct{}

func (notAsked) error(op string, sym market.Symbol) error {
	return &market.SourceError{
		Source: "live sources", Op: op + " of " + string(sym), Err: market.ErrUnavailable, Unreachable: true,
		NotAsked: "no live price is stored, and sample prices are not used for your portfolio",
	}
}

// Quote returns ErrUnavailable.
func (n notAsked) Quote(_ context.Context, sym market.Symbol) (market.Quote, error) {
	return market.Quote{}, n.error("quote", sym)
}

// Bars returns ErrUnavailable.
func (n notAsked) Bars(_ context.Context, sym market.Symbol, _ market.Range) (market.Series, error) {
	return market.Series{}, n.error("bars", sym)
}

package yahoo

import (
	"context"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

const (
	freshQuote = 15 * time.Second
	staleQuote = 24 * time.Hour
	// longestPause is the longest time between two sessions of most exchanges: a
	// weekend with a holiday.
	longestPause = 4 * 24 * time.Hour
)

func (s *Source) freshQuote(sym market.Symbol) time.Duration {
	if s.o.Fresh == nil {
		return freshQuote
	}
	return s.o.Fresh(sym, s.o.Now())
}

// Quote returns the newest price of sym from its chart, and the close of the
// session before as the previous price. It is as of the last trade, and flagged
// stale where a session has passed without one. A coin whose ticker Yahoo may have
// given to another yields ErrNotCovered.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	doing := "quote of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Quote{}, err
	}
	if misleading(sym) {
		return market.Quote{}, s.refused(doing)
	}
	asked := chart.Spelled(sym)
	// Five sessions hold the one before the last trade; what Yahoo itself calls the
	// chart's previous close is that before the chart.
	c, answer, err := get(ctx, s, question{
		doing: doing, url: s.chartURL(asked, url.Values{"range": {"5d"}}), kind: fetch.JSON,
		fresh: s.freshQuote(sym), stale: staleQuote,
	}, parser(asked))
	if err != nil {
		return market.Quote{}, err
	}
	q, err := c.Quote(sym, source("v8 chart", answer))
	if err != nil {
		return market.Quote{}, s.taps[0].Failed(doing, err, "")
	}
	q.Provenance = s.aged(q, c.Zone())
	return q, nil
}

// aged flags a quote of an earlier session than the last one. Without a zone the
// session of an instant is not known, and the calendar no help.
func (s *Source) aged(q market.Quote, zone *time.Location) market.Provenance {
	now := s.o.Now()
	old := now.Sub(q.Provenance.AsOf) > longestPause
	if s.o.LastSession != nil && zone != nil {
		if last, ok := s.o.LastSession(q.Symbol, now); ok {
			old = wire.Day(q.Provenance.AsOf, zone).Before(last)
		}
	}
	if !old {
		return q.Provenance
	}
	return q.Provenance.With(market.FlagStale)
}

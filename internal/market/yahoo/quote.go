package yahoo

import (
	"context"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote = 15 * time.Second
	staleQuote = 24 * time.Hour
	// maxSessionGap is the longest time between two sessions of most exchanges: a
	// weekend with a holiday.
	maxSessionGap = 4 * 24 * time.Hour
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
	op := "quote of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Quote{}, err
	}
	if isAmbiguousCoin(sym) {
		return market.Quote{}, s.coinNotCovered(op)
	}
	yahooSymbol := YahooSymbol(sym)
	// Five sessions hold the one before the last trade; what Yahoo itself calls the
	// chart's previous close is that before the chart.
	c, answer, err := get(ctx, s, apiRequest{
		op: op, url: s.chartURL(yahooSymbol, url.Values{"range": {"5d"}}), kind: client.JSON,
		fresh: s.freshQuote(sym), stale: staleQuote,
	}, chartParser(yahooSymbol))
	if err != nil {
		return market.Quote{}, err
	}
	q, err := c.Quote(sym, newProvenance("v8 chart", answer))
	if err != nil {
		return market.Quote{}, s.dataClients[0].NewError(op, err, "")
	}
	q.Provenance = s.markStale(q, c.Zone())
	return q, nil
}

// markStale flags a quote of an earlier session than the last one. Without a zone the
// session of an instant is not known, and the calendar no help.
func (s *Source) markStale(q market.Quote, zone *time.Location) market.Provenance {
	now := s.o.Now()
	stale := now.Sub(q.Provenance.AsOf) > maxSessionGap
	if s.o.LastSession != nil && zone != nil {
		if last, ok := s.o.LastSession(q.Symbol, now); ok {
			stale = client.SessionDate(q.Provenance.AsOf, zone).Before(last)
		}
	}
	if !stale {
		return q.Provenance
	}
	return q.Provenance.With(market.FlagStale)
}

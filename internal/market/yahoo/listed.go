package yahoo

import (
	"context"
	"net/url"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// listedQuote is a row of the v7 quote service.
type listedQuote struct {
	Symbol, QuoteType, Currency       string
	Exchange, FullExchangeName        string
	LongName, ShortName               string
	MarketState, ExchangeTimezoneName string
	RegularMarketPrice                Number
	RegularMarketPreviousClose        Number
	RegularMarketDayHigh              Number
	RegularMarketVolume               Number
	RegularMarketTime                 int64
	ExchangeDataDelayedBy             *int
}

// fetchListed asks the v7 quote service, which needs a crumb. Unknown symbols are
// absent from its answer, and dead ones have no price.
func (s *Source) fetchListed(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	requested := make([]string, len(symbols))
	for i, sym := range symbols {
		requested[i] = YahooSymbol(sym)
	}
	rows, answer, err := getWithCrumb(ctx, s, apiRequest{
		op:   quotesOp(symbols),
		url:  s.at(hostData, "/v7/finance/quote", url.Values{"symbols": {strings.Join(requested, ",")}}),
		kind: client.JSON, fresh: s.freshQuote(symbols[0]), stale: staleQuote,
	}, parseListed)
	if err != nil {
		return nil, err
	}
	out := make(map[market.Symbol]market.Quote, len(rows))
	for _, sym := range symbols {
		for _, row := range rows {
			if !SameYahooSymbol(YahooSymbol(sym), row.Symbol) {
				continue
			}
			if q, err := row.quote(sym, answer); err == nil {
				q.Provenance = s.markStale(q, row.meta().Zone())
				out[sym] = q
			}
		}
	}
	return out, nil
}

func parseListed(body []byte) ([]listedQuote, error) {
	var b struct {
		QuoteResponse *struct {
			Result []listedQuote
			Error  *ServiceError
		}
	}
	if err := client.DecodeJSON(body, &b); err != nil {
		return nil, err
	}
	switch {
	case b.QuoteResponse == nil:
		return nil, client.Malformedf("no quotes")
	case b.QuoteResponse.Error != nil:
		return nil, b.QuoteResponse.Error.Sentinel(0)
	}
	return b.QuoteResponse.Result, nil
}

func (l listedQuote) meta() Meta {
	return Meta{
		Symbol: l.Symbol, Currency: l.Currency, InstrumentType: l.QuoteType,
		ExchangeName: l.Exchange, FullExchangeName: l.FullExchangeName, LongName: l.LongName, ShortName: l.ShortName,
		RegularMarketTime: l.RegularMarketTime, RegularMarketPrice: l.RegularMarketPrice, PreviousClose: l.RegularMarketPreviousClose,
		ExchangeTimezoneName: l.ExchangeTimezoneName, RegularMarketDayHigh: l.RegularMarketDayHigh, RegularMarketVolume: l.RegularMarketVolume,
	}
}

func (l listedQuote) quote(sym market.Symbol, answer client.Response) (market.Quote, error) {
	q, err := l.meta().Quote(sym, newProvenance("v7 quote", answer))
	if err != nil {
		return market.Quote{}, err
	}
	q.Provenance.Phase = l.phase()
	if d := l.ExchangeDataDelayedBy; d != nil {
		if q.Provenance.DelayMinutes = max(*d, 0); *d > 0 {
			q.Provenance = q.Provenance.With(market.FlagDelayed)
		} else {
			q.Provenance = q.Provenance.Without(market.FlagDelayed)
		}
	}
	return q, nil
}

func (l listedQuote) phase() market.Phase {
	switch l.MarketState {
	case "REGULAR":
		return market.PhaseRegular
	case "PRE":
		return market.PhasePre
	case "POST":
		return market.PhasePost
	case "CLOSED", "PREPRE", "POSTPOST":
		return market.PhaseClosed
	}
	return market.PhaseUnknown
}

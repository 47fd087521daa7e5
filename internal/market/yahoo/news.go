package yahoo

import (
	"context"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshNews = 10 * time.Minute
	staleNews = 24 * time.Hour
)

// News returns the headlines for a symbol, newest first: about twenty from the last days. It does not support
// text search: a query without a symbol yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	if q.Symbol == "" {
		return nil, s.dataClients[0].NewError("news", market.ErrNoData, "headlines are available only by symbol")
	}
	found, answer, err := get(ctx, s, apiRequest{
		op: "news of " + string(q.Symbol),
		url: s.at(hostFeeds, "/rss/2.0/headline", url.Values{
			"s": {YahooSymbol(q.Symbol)}, "region": {"US"}, "lang": {"en-US"},
		}),
		kind: client.XML, fresh: freshNews, stale: staleNews,
	}, client.ParseFeed)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].Symbols = []market.Symbol{q.Symbol}
	}
	return s.dataClients[0].SelectNews(found, q, "rss headline", answer), nil
}

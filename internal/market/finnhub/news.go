package finnhub

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
	maxNews   = 250
	// defaultNewsPeriod is the period if the query has no start.
	defaultNewsPeriod = 30 * 24 * time.Hour
)

// News returns Finnhub's news of a company, newest first; without a start, of the last thirty days. Text
// search is not supported: a query without a symbol yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	if !client.IsUSListed(q.Symbol) && ctx.Err() == nil {
		return nil, s.client.NewError("news of "+string(q.Symbol), market.ErrNoData, "news is available only for US symbols")
	}
	to, from := s.client.Now().UTC(), q.After.UTC()
	if !q.Before.IsZero() && q.Before.Before(to) {
		to = q.Before.UTC()
	}
	if q.After.IsZero() {
		from = to.Add(-defaultNewsPeriod)
	}
	// The API takes whole days in an undocumented time zone, so times are filtered below.
	values := url.Values{"from": {from.AddDate(0, 0, -1).Format(time.DateOnly)}, "to": {to.AddDate(0, 0, 1).Format(time.DateOnly)}}
	request := client.Request{Op: "news of " + string(q.Symbol), URL: "/company-news", Fresh: freshNews, Stale: staleNews}
	found, answer, err := get(ctx, s, q.Symbol, request, values, parseNews)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].Symbols = []market.Symbol{q.Symbol}
	}
	return s.client.SelectNews(found, q, "company-news", answer), nil
}

// parseNews parses articles. Those without a title or a web link are omitted.
func parseNews(body []byte) ([]market.Article, error) {
	var rows []struct {
		Headline, Source, Summary, URL string
		Datetime                       int64
	}
	if err := decode(body, &rows); err != nil {
		return nil, err
	}
	if rows == nil {
		return nil, client.Malformedf("no list of news")
	}
	var out []market.Article
	for _, r := range rows[:min(len(rows), maxNews)] {
		published, _ := client.UnixTime(r.Datetime)
		if a, ok := client.NewArticle(r.Headline, r.Source, r.URL, r.Summary, published); ok {
			out = append(out, a)
		}
	}
	return out, nil
}

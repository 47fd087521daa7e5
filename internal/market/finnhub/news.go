package finnhub

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshNews = 10 * time.Minute
	staleNews = 24 * time.Hour
	maxNews   = 250
	// defaultNewsPeriod is how far back is asked where the query does not say.
	defaultNewsPeriod = 30 * 24 * time.Hour
)

// News returns what Finnhub has of a company, newest first; of the last thirty
// days of the query where that has no begin. Words it does not search: a query
// without a symbol yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	if !client.IsUSListed(q.Symbol) && ctx.Err() == nil {
		return nil, s.client.NewError("news of "+string(q.Symbol), market.ErrNoData, "news are by symbol of the United States only")
	}
	to, from := s.client.Now().UTC(), q.After.UTC()
	if !q.Before.IsZero() && q.Before.Before(to) {
		to = q.Before.UTC()
	}
	if q.After.IsZero() {
		from = to.Add(-defaultNewsPeriod)
	}
	// The API takes whole days in a zone that it does not document; the time of day is filtered
	// below.
	values := url.Values{"from": {from.AddDate(0, 0, -1).Format(time.DateOnly)}, "to": {to.AddDate(0, 0, 1).Format(time.DateOnly)}}
	request := client.Request{Op: "news of " + string(q.Symbol), URL: "/company-news", Fresh: freshNews, Stale: staleNews}
	found, answer, err := get(ctx, s, q.Symbol, request, values, parseNews)
	if err != nil {
		return nil, err
	}
	var out []market.Article
	for _, a := range found {
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		if q.Matches(a.Published) {
			a.Symbols, a.Provenance = []market.Symbol{q.Symbol}, s.client.NewProvenance("company-news", a.Published, answer)
			out = append(out, a)
		}
	}
	return out, nil
}

// parseNews reads articles, newest first. Those without a title or a link of the
// web are left out.
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
		a := market.Article{Title: client.SingleLine(r.Headline, 300), Publisher: client.SingleLine(r.Source, 100), URL: r.URL, Summary: client.SingleLine(r.Summary, 1000)}
		if a.Title == "" || !client.IsWebURL(r.URL) {
			continue
		}
		a.Published, _ = client.UnixTime(r.Datetime)
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b market.Article) int { return b.Published.Compare(a.Published) })
	return out, nil
}

package massive

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
	maxNews   = 100
)

// News returns the articles tagged with the symbol, newest first. Text search is not supported: a
// query without a symbol yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	op := "news of " + string(q.Symbol)
	if !client.IsUSListed(q.Symbol) && ctx.Err() == nil {
		return nil, s.client.NewError(op, market.ErrNoData, "news is available only for US symbols")
	}
	values := url.Values{"ticker": {string(q.Symbol)}, "order": {"desc"}, "sort": {"published_utc"}, "limit": {"100"}}
	if !q.After.IsZero() {
		values.Set("published_utc.gte", q.After.UTC().Format(time.RFC3339))
	}
	if !q.Before.IsZero() {
		values.Set("published_utc.lte", q.Before.UTC().Format(time.RFC3339))
	}
	found, answer, err := get(ctx, s, q.Symbol, client.Request{Op: op, URL: "/v2/reference/news", Fresh: freshNews, Stale: staleNews}, values, parseNews)
	if err != nil {
		return nil, err
	}
	// Drop articles that are tagged only with other symbols.
	found = slices.DeleteFunc(found, func(a market.Article) bool { return !slices.Contains(a.Symbols, q.Symbol) })
	return s.client.SelectNews(found, q, "v2 news", answer), nil
}

// parseNews parses articles. Those without a title or a web link are omitted.
func parseNews(body []byte) ([]market.Article, error) {
	var answer struct {
		Results []struct {
			Title, Description string
			Published          string `json:"published_utc"`
			URL                string `json:"article_url"`
			Tickers            []string
			Publisher          struct{ Name string }
		}
	}
	if err := decode(body, &answer); err != nil {
		return nil, err
	}
	var out []market.Article
	for _, r := range answer.Results[:min(len(answer.Results), maxNews)] {
		a, ok := client.NewArticle(r.Title, r.Publisher.Name, r.URL, r.Description, client.ParseTime(r.Published, time.RFC3339))
		if !ok {
			continue
		}
		for _, ticker := range r.Tickers[:min(len(r.Tickers), maxNews)] {
			if sym, err := market.ParseSymbol(ticker); err == nil {
				a.Symbols = append(a.Symbols, sym)
			}
		}
		out = append(out, a)
	}
	return out, nil
}

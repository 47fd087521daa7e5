package tiingo

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshNews = 10 * time.Minute
	staleNews = 24 * time.Hour
	maxNews   = 100
)

// News returns the articles tagged with the symbol, newest first. A plan without news yields
// ErrAuth. Text search is not supported: a query without a symbol yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	op := "news of " + string(q.Symbol)
	if !client.IsUSListed(q.Symbol) && ctx.Err() == nil {
		return nil, s.client.NewError(op, market.ErrNoData, "news is available only for US symbols")
	}
	values := url.Values{"tickers": {strings.ToLower(symbolPath(q.Symbol))}, "sortBy": {"publishedDate"}, "limit": {strconv.Itoa(maxNews)}}
	if !q.After.IsZero() {
		values.Set("startDate", q.After.UTC().AddDate(0, 0, -1).Format(time.DateOnly))
	}
	if !q.Before.IsZero() {
		values.Set("endDate", q.Before.UTC().AddDate(0, 0, 1).Format(time.DateOnly))
	}
	found, answer, err := client.GetKeyed(ctx, s.client, client.Request{Op: op, URL: "/tiingo/news?" + values.Encode(), Fresh: freshNews, Stale: staleNews}, parseNews)
	if err != nil {
		return nil, err
	}
	// Drop articles that are tagged only with other symbols.
	found = slices.DeleteFunc(found, func(a market.Article) bool { return !slices.Contains(a.Symbols, q.Symbol) })
	return s.client.SelectNews(found, q, "news", answer), nil
}

// parseNews parses articles. Those without a title or a web link are omitted.
func parseNews(body []byte) ([]market.Article, error) {
	var rows []struct {
		PublishedDate, Title, URL, Description, Source string
		Tickers                                        []string
	}
	if err := decode(body, &rows); err != nil {
		return nil, err
	}
	var out []market.Article
	for _, r := range rows[:min(len(rows), maxNews)] {
		a, ok := client.NewArticle(r.Title, r.Source, r.URL, r.Description, client.ParseTime(r.PublishedDate, time.RFC3339))
		if !ok {
			continue
		}
		for _, ticker := range r.Tickers[:min(len(r.Tickers), maxNews)] {
			if sym := symbolOf(ticker); sym != "" {
				a.Symbols = append(a.Symbols, sym)
			}
		}
		out = append(out, a)
	}
	return out, nil
}

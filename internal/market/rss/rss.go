package rss

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	host      = "https://news.google.com"
	freshNews = 10 * time.Minute
	staleNews = 24 * time.Hour
	// maxQueryLen is more than any search needs.
	maxQueryLen = 400
)

// Source searches Google News. It is safe for concurrent use.
type Source struct {
	base   string
	client *client.Source
}

var _ market.NewsSource = (*Source)(nil)

// New returns the source. It uses BaseURL of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	return &Source{base: o.WithDefaults(host).BaseURL, client: c.Source(client.Policy{
		Source: "google-news", License: "Google News feeds: personal, non-commercial use",
		Rate: 1, Burst: 2, InFlight: 2, Timeout: 10 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"User-Agent": {"Mozilla/5.0 (compatible; nfa)"}, "Accept": {"application/rss+xml, application/xml"}},
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "rss", Provides: "news",
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeNews("interest rates"),
		Gives:  "news from many publishers by search terms; in results `google-news`",
		Limits: "1 request a second", Terms: "personal, non-commercial use",
	}
}

// News returns Google's results for the text and the company, newest first; about a hundred at most. It is a
// text search, so articles may be about another company of the same name, and none is tagged with the symbol.
// An empty query yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	words := searchTerms(q)
	op := fmt.Sprintf("news of %.60s", words)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if words == "" {
		return nil, s.client.NewError("news", market.ErrNoData, "news is available only by search text")
	}
	values := url.Values{"q": {words + dateFilter(q)}, "hl": {"en-US"}, "gl": {"US"}, "ceid": {"US:en"}}
	found, answer, err := client.GetParsed(ctx, s.client, client.Request{
		Op: op, URL: s.base + "/rss/search?" + values.Encode(), Kind: client.XML, Fresh: freshNews, Stale: staleNews,
	}, client.ParseFeed)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i] = withoutOutlet(found[i])
	}
	return s.client.SelectNews(found, q, "rss search", answer), nil
}

// searchTerms returns the query: the text and the company's name. Without a name it adds a word to the
// symbol, so that a short symbol is not taken for an ordinary word.
func searchTerms(q market.NewsQuery) string {
	words := []string{strings.Join(strings.Fields(q.Text), " ")}
	switch company := strings.ReplaceAll(strings.Join(strings.Fields(q.Name), " "), `"`, ""); {
	case company != "":
		words = append(words, `"`+company+`"`)
	case q.Symbol != "":
		words = append(words, `"`+string(q.Symbol)+`" stock`)
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	return strings.ToValidUTF8(text[:min(len(text), maxQueryLen)], "")
}

// dateFilter limits the search to the days of the query plus one on each side; times are filtered
// later.
func dateFilter(q market.NewsQuery) string {
	var text string
	if !q.After.IsZero() {
		text += " after:" + q.After.UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if !q.Before.IsZero() {
		text += " before:" + q.Before.UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	}
	return text
}

// withoutOutlet removes the publisher from the title, where Google repeats it, and the summary, which is only
// the title again.
func withoutOutlet(a market.Article) market.Article {
	if bare, ok := strings.CutSuffix(a.Title, " - "+a.Publisher); ok && a.Publisher != "" && bare != "" {
		a.Title = bare
	}
	if strings.HasPrefix(a.Summary, a.Title) {
		a.Summary = ""
	}
	return a
}

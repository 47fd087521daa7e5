package websearch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	searxngMaxResults = 50

	searxngFresh = 10 * time.Minute
	searxngStale = 24 * time.Hour
)

// SearXNG searches with an instance of SearXNG. It is safe for concurrent use.
type SearXNG struct {
	base   string
	client *client.Source
}

var _ market.WebSource = (*SearXNG)(nil)

// NewSearXNG returns the source. o.BaseURL is the URL of the instance; without it every call
// yields ErrNotConfigured. It sends no request.
func NewSearXNG(c *client.Client, o client.ProviderOptions) *SearXNG {
	return &SearXNG{base: strings.TrimRight(strings.TrimSpace(o.BaseURL), "/"), client: c.Source(client.Policy{
		Source: "searxng", License: "pages are copyrighted by their authors",
		Rate: 1, Burst: 2, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// SearXNGProvider describes SearXNG.
func SearXNGProvider() client.Provider {
	return client.Provider{
		Name: "searxng", Provides: "web search", Requires: client.RequiresServer,
		New: func(c *client.Client, o client.ProviderOptions) any { return NewSearXNG(c, o) }, Probe: client.ProbeWebSearch,
		Gives:  "web pages, found through your own server",
		Limits: "yours", Terms: "pages are copyrighted by their authors",
	}
}

// SearchWeb returns pages about the text, best first: at most limit (default 8).
func (s *SearXNG) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	q := newQuery(text, limit)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.base == "" {
		return nil, s.client.NewError(q.op, market.ErrNotConfigured, "set SEARXNG_URL to your instance")
	}
	if q.text == "" {
		return nil, emptyError(s.client)
	}
	found, answer, err := client.GetParsed(ctx, s.client, client.Request{
		Op: q.op, URL: s.base + "/search?" + url.Values{"q": {q.text}, "format": {"json"}}.Encode(),
		Kind: client.JSON, Fresh: searxngFresh, Stale: searxngStale, Check: searxngError,
	}, parseSearXNG)
	if err != nil {
		return nil, err
	}
	return q.stamped(s.client, "search", found, answer), nil
}

// searxngError explains the most common refusal, which comes from the settings of the instance.
func searxngError(a client.Response) error {
	if a.Status == http.StatusForbidden {
		return fmt.Errorf("%w: the instance does not return JSON; add json to search.formats in its settings.yml", market.ErrAuth)
	}
	return nil
}

// parseSearXNG parses a response. If there are no pages and search engines have failed, it returns an error,
// because there may be results.
func parseSearXNG(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Results *[]struct {
			Title, URL, Content string
			Published           string `json:"publishedDate"`
		} `json:"results"`
		Silent []any `json:"unresponsive_engines"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Results == nil {
		return nil, client.Malformedf("list of pages is missing")
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), searxngMaxResults)] {
		published := client.ParseTime(r.Published, time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly)
		out = appendPage(out, r.Title, r.URL, r.Content, published)
	}
	if len(out) == 0 && len(answer.Silent) > 0 {
		return nil, fmt.Errorf("%w: %d search engines of the instance did not respond", market.ErrUnavailable, len(answer.Silent))
	}
	return out, nil
}

package websearch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// tavilyMaxResults is the maximum number of results that Tavily returns.
const tavilyMaxResults = 20

// Tavily searches with Tavily. It is safe for concurrent use.
type Tavily struct{ client *client.KeyedSource }

var _ market.WebSource = (*Tavily)(nil)

// NewTavily returns the source. It uses o.BaseURL and o.Key and sends no request.
func NewTavily(c *client.Client, o client.ProviderOptions) *Tavily {
	return &Tavily{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "tavily", License: "Tavily terms of service; pages are copyrighted by their authors",
			Rate: 1, Burst: 3, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 4 << 20,
			Header: http.Header{"Content-Type": {"application/json"}},
		},
		Host: "https://api.tavily.com", Kind: client.JSON, KeyHeader: "Authorization", KeyPrefix: "Bearer ",
	})}
}

// TavilyProvider describes Tavily.
func TavilyProvider() client.Provider {
	return client.Provider{
		Name: "tavily", Title: "Tavily", Provides: "web search", Requires: client.RequiresKey,
		KeyVars: []string{"TAVILY_API_KEY"},
		New:     func(c *client.Client, o client.ProviderOptions) any { return NewTavily(c, o) }, Probe: client.ProbeWebSearch,
		Gives:  "web pages",
		Limits: "1000 searches a month", Terms: "pages are copyrighted by their authors",
	}
}

// SearchWeb returns pages about the text, best first: at most limit (default 8, maximum 20).
// Responses are not cached.
func (s *Tavily) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	q := newQuery(text, limit)
	if q.text == "" && s.client.HasKey(ctx) {
		return nil, emptyError(s.client.Source)
	}
	body, err := json.Marshal(map[string]any{"query": q.text, "max_results": min(q.limit, tavilyMaxResults), "search_depth": "basic"})
	if err != nil {
		return nil, s.client.NewError(q.op, market.ErrUnavailable, "the query cannot be encoded as JSON")
	}
	found, answer, err := client.GetKeyed(ctx, s.client, client.Request{
		Op: q.op, URL: "/search", Method: http.MethodPost, Body: body, Check: tavilyError,
	}, parseTavily)
	if err != nil {
		return nil, err
	}
	return q.stamped(s.client.Source, "search", found, answer), nil
}

// HTTP statuses that only Tavily uses.
const (
	tavilyPlanExhausted   = 432
	tavilyCreditExhausted = 433
)

// tavilyError handles statuses that only Tavily uses.
func tavilyError(a client.Response) error {
	switch a.Status {
	case tavilyPlanExhausted:
		return fmt.Errorf("%w: the plan has no searches left", market.ErrRateLimited)
	case tavilyCreditExhausted:
		return fmt.Errorf("%w: the pay-as-you-go limit is reached", market.ErrRateLimited)
	}
	return nil
}

// parseTavily parses a response. Pages without a title or a web link are omitted.
func parseTavily(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Results *[]struct {
			Title, URL, Content string
			Published           string `json:"published_date"`
		}
	}
	if json.Unmarshal(body, &answer) != nil || answer.Results == nil {
		return nil, client.Malformedf("list of pages is missing")
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), tavilyMaxResults)] {
		published := client.ParseTime(r.Published, time.RFC3339, "Mon, 02 Jan 2006 15:04:05 GMT", time.DateOnly)
		out = appendPage(out, r.Title, r.URL, r.Content, published)
	}
	return out, nil
}

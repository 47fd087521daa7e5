package websearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	tavilyName      = "tavily"
	tavilyLicense   = "Tavily terms of service; the pages are their authors'"
	tavilyHost      = "https://api.tavily.com"
	tavilySetupHint = "set a key with: nfa auth set tavily, or TAVILY_API_KEY"
	// tavilyMaxQuery is what Tavily takes, in characters.
	tavilyMaxQuery       = 400
	tavilyDefaultResults = 8
	tavilyMaxResults     = 20
)

// TavilyOptions of a Source.
type TavilyOptions struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
}

// Tavily is Tavily. It is safe for concurrent use.
type Tavily struct {
	o      TavilyOptions
	client *client.Source
}

var _ market.WebSource = (*Tavily)(nil)

// NewTavily returns the source. Nothing is asked before the first question.
func NewTavily(c *client.Client, o TavilyOptions) *Tavily {
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, tavilyHost), "/")
	return &Tavily{o: o, client: c.Source(client.Policy{
		Source: tavilyName, Rate: 1, Burst: 3, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"}},
	})}
}

// SearchWeb returns pages about the text, best first: at most limit, eight where
// that is zero or less, and never more than twenty. Answers are not kept.
func (s *Tavily) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = client.SingleLine(text, tavilyMaxQuery)
	op := fmt.Sprintf("pages about %.60s", text)
	key, err := s.client.Key(ctx, op, s.o.Key, tavilySetupHint)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, s.client.NewError("pages", market.ErrNoData, "nothing to search for")
	}
	if limit <= 0 {
		limit = tavilyDefaultResults
	}
	body, err := json.Marshal(map[string]any{"query": text, "max_results": min(limit, tavilyMaxResults), "search_depth": "basic"})
	if err != nil {
		return nil, s.client.NewError(op, market.ErrUnavailable, "the question cannot be written as JSON")
	}
	found, answer, err := client.GetParsed(ctx, s.client, client.Request{
		Op: op, URL: s.o.BaseURL + "/search", Method: http.MethodPost, Kind: client.JSON, Body: body,
		Header: http.Header{"Authorization": {"Bearer " + key}},
		Check:  tavilyError,
	}, parseTavily)
	if err != nil {
		return nil, err
	}
	found = found[:min(len(found), limit)]
	for i := range found {
		found[i].Provenance = answer.Stamp(market.Provenance{
			Source: tavilyName, Endpoint: "search", License: tavilyLicense, AsOf: found[i].Published, Adjustment: market.AdjustmentUnknown,
		})
		if found[i].Published.IsZero() {
			found[i].Provenance.AsOf = answer.FetchedAt
		}
	}
	return found, nil
}

// Statuses of Tavily's own.
const (
	tavilyPlanExhausted   = 432
	tavilyCreditExhausted = 433
)

// tavilyError reads statuses that only Tavily has.
func tavilyError(a client.Response) error {
	switch a.Status {
	case tavilyPlanExhausted:
		return fmt.Errorf("%w: the searches of the plan are used up", market.ErrRateLimited)
	case tavilyCreditExhausted:
		return fmt.Errorf("%w: the limit of pay-as-you-go is reached", market.ErrRateLimited)
	}
	return nil
}

// parseTavily reads an answer. Pages without a title or a link of the web are left out.
func parseTavily(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Results *[]struct {
			Title, URL, Content string
			Published           string `json:"published_date"`
		}
	}
	if json.Unmarshal(body, &answer) != nil || answer.Results == nil {
		return nil, client.Malformedf("no list of pages")
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), tavilyMaxResults)] {
		page := market.WebResult{Title: client.SingleLine(r.Title, 300), URL: r.URL, Snippet: client.SingleLine(r.Content, 1000), Published: client.ParseTime(r.Published, time.RFC3339, "Mon, 02 Jan 2006 15:04:05 GMT", time.DateOnly)}
		if page.Title == "" || !client.IsWebURL(r.URL) {
			continue
		}
		out = append(out, page)
	}
	return out, nil
}

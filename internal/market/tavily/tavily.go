// Package tavily searches the web with Tavily, whose free plan gives a thousand
// searches a month to the owner of a key.
package tavily

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name    = "tavily"
	licence = "Tavily terms of service; the pages are their authors'"
	host    = "https://api.tavily.com"
	howTo   = "set a key with: nfa auth set tavily, or TAVILY_API_KEY"
	// longestQuery is what Tavily takes, in characters.
	longestQuery = 400
	usualResults = 8
	mostResults  = 20
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
}

// Source is Tavily. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var _ market.WebSource = (*Source)(nil)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 3, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"}},
	})}
}

// SearchWeb returns pages about the text, best first: at most limit, eight where
// that is zero or less, and never more than twenty. Answers are not kept.
func (s *Source) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = wire.Line(text, longestQuery)
	doing := fmt.Sprintf("pages about %.60s", text)
	key, err := s.tap.Key(ctx, doing, s.o.Key, howTo)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, s.tap.Failed("pages", market.ErrNoData, "nothing to search for")
	}
	if limit <= 0 {
		limit = usualResults
	}
	body, err := json.Marshal(map[string]any{"query": text, "max_results": min(limit, mostResults), "search_depth": "basic"})
	if err != nil {
		return nil, s.tap.Failed(doing, market.ErrUnavailable, "the question cannot be written as JSON")
	}
	found, answer, err := fetch.Parsed(ctx, s.tap, fetch.Request{
		Doing: doing, URL: s.o.BaseURL + "/search", Method: http.MethodPost, Kind: fetch.JSON, Body: body,
		Header: http.Header{"Authorization": {"Bearer " + key}},
		Check:  refusal,
	}, parse)
	if err != nil {
		return nil, err
	}
	found = found[:min(len(found), limit)]
	for i := range found {
		found[i].Provenance = answer.Stamped(market.Provenance{
			Source: name, Endpoint: "search", Licence: licence, AsOf: found[i].Published, Adjustment: market.AdjustmentUnknown,
		})
		if found[i].Published.IsZero() {
			found[i].Provenance.AsOf = answer.FetchedAt
		}
	}
	return found, nil
}

// Statuses of Tavily's own.
const (
	planUsedUp  = 432
	moneyUsedUp = 433
)

// refusal reads statuses that only Tavily has.
func refusal(a fetch.Response) error {
	switch a.Status {
	case planUsedUp:
		return fmt.Errorf("%w: the searches of the plan are used up", market.ErrRateLimited)
	case moneyUsedUp:
		return fmt.Errorf("%w: the limit of pay-as-you-go is reached", market.ErrRateLimited)
	}
	return nil
}

// parse reads an answer. Pages without a title or a link of the web are left out.
func parse(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Results *[]struct {
			Title, URL, Content string
			Published           string `json:"published_date"`
		}
	}
	if json.Unmarshal(body, &answer) != nil || answer.Results == nil {
		return nil, wire.Malformed("no list of pages")
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), mostResults)] {
		page := market.WebResult{Title: wire.Line(r.Title, 300), URL: r.URL, Snippet: wire.Line(r.Content, 1000), Published: wire.Time(r.Published, time.RFC3339, "Mon, 02 Jan 2006 15:04:05 GMT", time.DateOnly)}
		if page.Title == "" || !wire.IsLink(r.URL) {
			continue
		}
		out = append(out, page)
	}
	return out, nil
}

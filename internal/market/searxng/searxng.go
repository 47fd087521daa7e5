// Package searxng searches the web through an instance of SearXNG that the user
// names, without a key. It must have JSON among its formats, which it has not by
// default, and which public instances refuse.
package searxng

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name         = "searxng"
	licence      = "the pages are their authors'"
	howTo        = "name your instance with SEARXNG_URL"
	longestQuery = 400
	usualResults = 8
	mostResults  = 50

	freshPages = 10 * time.Minute
	stalePages = 24 * time.Hour
)

// Options of a Source.
type Options struct {
	// BaseURL is the address of the instance. Where it is empty every call yields
	// ErrNotConfigured: there is no instance for everybody.
	BaseURL string
}

// Source is an instance of SearXNG. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var _ market.WebSource = (*Source)(nil)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	o.BaseURL = strings.TrimRight(strings.TrimSpace(o.BaseURL), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// SearchWeb returns pages about the text, best first: at most limit, eight where
// that is zero or less.
func (s *Source) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = wire.Line(text, longestQuery)
	doing := fmt.Sprintf("pages about %.60s", text)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.o.BaseURL == "" {
		return nil, s.tap.Failed(doing, market.ErrNotConfigured, howTo)
	}
	if text == "" {
		return nil, s.tap.Failed("pages", market.ErrNoData, "nothing to search for")
	}
	found, answer, err := fetch.Parsed(ctx, s.tap, fetch.Request{
		Doing: doing, URL: s.o.BaseURL + "/search?" + url.Values{"q": {text}, "format": {"json"}}.Encode(),
		Kind: fetch.JSON, Fresh: freshPages, Stale: stalePages, Check: refusal,
	}, parse)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = usualResults
	}
	found = found[:min(len(found), limit)]
	for i := range found {
		found[i].Provenance = origin(found[i].Published, answer)
	}
	return found, nil
}

func origin(published time.Time, answer fetch.Response) market.Provenance {
	if published.IsZero() {
		published = answer.FetchedAt
	}
	return answer.Stamped(market.Provenance{Source: name, Endpoint: "search", Licence: licence, AsOf: published, Adjustment: market.AdjustmentUnknown})
}

// refusal says what the commonest refusal means: it is the instance's settings, not
// the user's right.
func refusal(a fetch.Response) error {
	if a.Status == http.StatusForbidden {
		return fmt.Errorf("%w: the instance gives no JSON; add json to search.formats in its settings.yml", market.ErrAuth)
	}
	return nil
}

// parse reads an answer. One without pages whose search engines did not answer
// either has not found that there are none.
func parse(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Results *[]struct {
			Title, URL, Content string
			Published           string `json:"publishedDate"`
		} `json:"results"`
		Silent []any `json:"unresponsive_engines"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Results == nil {
		return nil, wire.Malformed("no list of pages")
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), mostResults)] {
		page := market.WebResult{Title: wire.Line(r.Title, 300), URL: r.URL, Snippet: wire.Line(r.Content, 1000), Published: wire.Time(r.Published, time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly)}
		if page.Title == "" || !wire.IsLink(r.URL) {
			continue
		}
		out = append(out, page)
	}
	if len(out) == 0 && len(answer.Silent) > 0 {
		return nil, fmt.Errorf("%w: %d search engines behind the instance did not answer", market.ErrUnavailable, len(answer.Silent))
	}
	return out, nil
}

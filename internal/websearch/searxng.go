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
	searxngName           = "searxng"
	searxngLicense        = "the pages are their authors'"
	searxngSetupHint      = "name your instance with SEARXNG_URL"
	searxngMaxQuery       = 400
	searxngDefaultResults = 8
	searxngMaxResults     = 50

	searxngFresh = 10 * time.Minute
	searxngStale = 24 * time.Hour
)

// SearXNGOptions of a Source.
type SearXNGOptions struct {
	// BaseURL is the address of the instance. Where it is empty every call yields
	// ErrNotConfigured: there is no instance for everybody.
	BaseURL string
}

// SearXNG is an instance of SearXNG. It is safe for concurrent use.
type SearXNG struct {
	o      SearXNGOptions
	client *client.Source
}

var _ market.WebSource = (*SearXNG)(nil)

// NewSearXNG returns the source. Nothing is asked before the first question.
func NewSearXNG(c *client.Client, o SearXNGOptions) *SearXNG {
	o.BaseURL = strings.TrimRight(strings.TrimSpace(o.BaseURL), "/")
	return &SearXNG{o: o, client: c.Source(client.Policy{
		Source: searxngName, Rate: 1, Burst: 2, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// SearchWeb returns pages about the text, best first: at most limit, eight where
// that is zero or less.
func (s *SearXNG) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = client.SingleLine(text, searxngMaxQuery)
	op := fmt.Sprintf("pages about %.60s", text)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.o.BaseURL == "" {
		return nil, s.client.NewError(op, market.ErrNotConfigured, searxngSetupHint)
	}
	if text == "" {
		return nil, s.client.NewError("pages", market.ErrNoData, "nothing to search for")
	}
	found, answer, err := client.GetParsed(ctx, s.client, client.Request{
		Op: op, URL: s.o.BaseURL + "/search?" + url.Values{"q": {text}, "format": {"json"}}.Encode(),
		Kind: client.JSON, Fresh: searxngFresh, Stale: searxngStale, Check: searxngError,
	}, parseSearXNG)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = searxngDefaultResults
	}
	found = found[:min(len(found), limit)]
	for i := range found {
		found[i].Provenance = searxngProvenance(found[i].Published, answer)
	}
	return found, nil
}

func searxngProvenance(published time.Time, answer client.Response) market.Provenance {
	if published.IsZero() {
		published = answer.FetchedAt
	}
	return answer.Stamp(market.Provenance{Source: searxngName, Endpoint: "search", License: searxngLicense, AsOf: published, Adjustment: market.AdjustmentUnknown})
}

// searxngError says what the commonest refusal means: it is the instance's settings, not
// the user's right.
func searxngError(a client.Response) error {
	if a.Status == http.StatusForbidden {
		return fmt.Errorf("%w: the instance gives no JSON; add json to search.formats in its settings.yml", market.ErrAuth)
	}
	return nil
}

// parseSearXNG reads an answer. One without pages whose search engines did not answer
// either has not found that there are none.
func parseSearXNG(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Results *[]struct {
			Title, URL, Content string
			Published           string `json:"publishedDate"`
		} `json:"results"`
		Silent []any `json:"unresponsive_engines"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Results == nil {
		return nil, client.Malformedf("no list of pages")
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), searxngMaxResults)] {
		page := market.WebResult{Title: client.SingleLine(r.Title, 300), URL: r.URL, Snippet: client.SingleLine(r.Content, 1000), Published: client.ParseTime(r.Published, time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly)}
		if page.Title == "" || !client.IsWebURL(r.URL) {
			continue
		}
		out = append(out, page)
	}
	if len(out) == 0 && len(answer.Silent) > 0 {
		return nil, fmt.Errorf("%w: %d search engines behind the instance did not answer", market.ErrUnavailable, len(answer.Silent))
	}
	return out, nil
}

package websearch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	braveName      = "brave"
	braveLicense   = "Brave Search API terms; the pages are their authors'"
	braveHost      = "https://api.search.brave.com"
	braveSetupHint = "set a key with: nfa auth set brave, or BRAVE_API_KEY"
	// braveMaxQuery and braveMaxWords are what Brave takes.
	braveMaxQuery       = 400
	braveMaxWords       = 50
	braveDefaultResults = 8
	braveMaxResults     = 20

	braveFresh = 10 * time.Minute
	braveStale = 24 * time.Hour
)

// BraveOptions of a Source.
type BraveOptions struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
}

// Brave is Brave Search. It is safe for concurrent use.
type Brave struct {
	o      BraveOptions
	client *client.Source
}

var _ market.WebSource = (*Brave)(nil)

// NewBrave returns the source. Nothing is asked before the first question.
func NewBrave(c *client.Client, o BraveOptions) *Brave {
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, braveHost), "/")
	return &Brave{o: o, client: c.Source(client.Policy{
		Source: braveName, Rate: 1, InFlight: 1, Timeout: 10 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// SearchWeb returns pages about the text, best first: at most limit, eight where
// that is zero or less, and never more than twenty.
func (s *Brave) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = client.SingleLine(text, braveMaxQuery)
	if words := strings.Fields(text); len(words) > braveMaxWords {
		text = strings.Join(words[:braveMaxWords], " ")
	}
	op := fmt.Sprintf("pages about %.60s", text)
	key, err := s.client.Key(ctx, op, s.o.Key, braveSetupHint)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, s.client.NewError("pages", market.ErrNoData, "nothing to search for")
	}
	if limit <= 0 {
		limit = braveDefaultResults
	}
	values := url.Values{"q": {text}, "count": {strconv.Itoa(min(limit, braveMaxResults))}, "text_decorations": {"false"}, "result_filter": {"web"}}
	found, answer, err := client.GetParsed(ctx, s.client, client.Request{
		Op: op, URL: s.o.BaseURL + "/res/v1/web/search?" + values.Encode(), Kind: client.JSON, Fresh: braveFresh, Stale: braveStale,
		Header: http.Header{"X-Subscription-Token": {key}},
		Check:  braveError,
	}, parseBrave)
	if err != nil {
		return nil, err
	}
	found = found[:min(len(found), limit)]
	for i := range found {
		found[i].Provenance = braveProvenance(found[i].Published, answer)
	}
	return found, nil
}

func braveProvenance(published time.Time, answer client.Response) market.Provenance {
	if published.IsZero() {
		published = answer.FetchedAt
	}
	return answer.Stamp(market.Provenance{Source: braveName, Endpoint: "web search", License: braveLicense, AsOf: published, Adjustment: market.AdjustmentUnknown})
}

// braveError tells a wrong key, which comes as a question that cannot be processed.
func braveError(a client.Response) error {
	if a.Status == http.StatusUnprocessableEntity && bytes.Contains(a.Body, []byte("SUBSCRIPTION_TOKEN_INVALID")) {
		return fmt.Errorf("%w: the key is not valid", market.ErrAuth)
	}
	return nil
}

// parseBrave reads an answer, which has no list of pages where nothing was found. Pages
// without a title or a link of the web are left out.
func parseBrave(body []byte) ([]market.WebResult, error) {
	var answer struct {
		Type string
		Web  struct {
			Results []struct {
				Title, URL, Description string
				PageAge                 string `json:"page_age"`
			}
		}
	}
	if json.Unmarshal(body, &answer) != nil || answer.Type != "search" {
		return nil, client.Malformedf("no result of a search")
	}
	var out []market.WebResult
	for _, r := range answer.Web.Results[:min(len(answer.Web.Results), braveMaxResults)] {
		page := market.WebResult{Title: stripHighlight(r.Title, 300), URL: r.URL, Snippet: stripHighlight(r.Description, 1000)}
		if page.Title == "" || !client.IsWebURL(r.URL) {
			continue
		}
		// It bears no zone; Brave means the universal one.
		if at, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(r.PageAge, "Z")); err == nil {
			page.Published = at
		}
		out = append(out, page)
	}
	return out, nil
}

// stripHighlight takes out how Brave marks the words that were searched for.
func stripHighlight(text string, maxLen int) string {
	return client.SingleLine(html.UnescapeString(strings.NewReplacer("<strong>", "", "</strong>", "").Replace(text)), maxLen)
}

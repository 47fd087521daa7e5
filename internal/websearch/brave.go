package websearch

import (
	"bytes"
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
	// braveMaxWords is the maximum number of words in a query to Brave.
	braveMaxWords   = 50
	braveMaxResults = 20

	braveFresh = 10 * time.Minute
	braveStale = 24 * time.Hour
)

// Brave searches with Brave Search. It is safe for concurrent use.
type Brave struct{ client *client.KeyedSource }

var _ market.WebSource = (*Brave)(nil)

// NewBrave returns the source. It uses o.BaseURL and o.Key and sends no request.
func NewBrave(c *client.Client, o client.ProviderOptions) *Brave {
	return &Brave{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "brave", License: "Brave Search API terms; pages are copyrighted by their authors",
			Rate: 1, InFlight: 1, Timeout: 10 * time.Second, MaxBytes: 4 << 20,
		},
		Host: "https://api.search.brave.com", Kind: client.JSON, KeyHeader: "X-Subscription-Token",
	})}
}

// BraveProvider describes Brave.
func BraveProvider() client.Provider {
	return client.Provider{
		Name: "brave", Title: "Brave Search", Provides: "web search", Requires: client.RequiresKey,
		KeyVars: []string{"BRAVE_API_KEY"},
		New:     func(c *client.Client, o client.ProviderOptions) any { return NewBrave(c, o) }, Probe: client.ProbeWebSearch,
		Gives:  "web pages",
		Limits: "no free plan; a credit card is required", Terms: "pages are copyrighted by their authors",
	}
}

// SearchWeb returns pages about the text, best first: at most limit (default 8, maximum 20).
func (s *Brave) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = client.SingleLine(text, maxQueryLen)
	if words := strings.Fields(text); len(words) > braveMaxWords {
		text = strings.Join(words[:braveMaxWords], " ")
	}
	q := newQuery(text, limit)
	if q.text == "" && s.client.HasKey(ctx) {
		return nil, emptyError(s.client.Source)
	}
	values := url.Values{"q": {q.text}, "count": {strconv.Itoa(min(q.limit, braveMaxResults))}, "text_decorations": {"false"}, "result_filter": {"web"}}
	found, answer, err := client.GetKeyed(ctx, s.client, client.Request{
		Op: q.op, URL: "/res/v1/web/search?" + values.Encode(), Fresh: braveFresh, Stale: braveStale, Check: braveError,
	}, parseBrave)
	if err != nil {
		return nil, err
	}
	return q.stamped(s.client.Source, "web search", found, answer), nil
}

// braveError detects an invalid key, which Brave reports as an unprocessable request.
func braveError(a client.Response) error {
	if a.Status == http.StatusUnprocessableEntity && bytes.Contains(a.Body, []byte("SUBSCRIPTION_TOKEN_INVALID")) {
		return fmt.Errorf("%w: invalid API key", market.ErrAuth)
	}
	return nil
}

// parseBrave parses a response, which has no list of pages if nothing was found. Pages without a
// title or a web link are omitted.
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
		return nil, client.Malformedf("not a search result")
	}
	var out []market.WebResult
	for _, r := range answer.Web.Results[:min(len(answer.Web.Results), braveMaxResults)] {
		// The time has no zone; Brave means UTC.
		published := client.ParseTime(strings.TrimSuffix(r.PageAge, "Z"), "2006-01-02T15:04:05")
		out = appendPage(out, stripHighlight(r.Title), r.URL, stripHighlight(r.Description), published)
	}
	return out, nil
}

// stripHighlight removes Brave's markup of the search terms.
func stripHighlight(text string) string {
	return html.UnescapeString(strings.NewReplacer("<strong>", "", "</strong>", "").Replace(text))
}

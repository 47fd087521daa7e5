// Package brave searches the web with Brave's own index. It has no free plan: a
// key needs a card, and a month's first five dollars are given.
package brave

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
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name    = "brave"
	licence = "Brave Search API terms; the pages are their authors'"
	host    = "https://api.search.brave.com"
	howTo   = "set a key with: nfa auth set brave, or BRAVE_API_KEY"
	// longestQuery and mostWords are what Brave takes.
	longestQuery = 400
	mostWords    = 50
	usualResults = 8
	mostResults  = 20

	freshPages = 10 * time.Minute
	stalePages = 24 * time.Hour
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
}

// Source is Brave Search. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var _ market.WebSource = (*Source)(nil)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, InFlight: 1, Timeout: 10 * time.Second, MaxBytes: 4 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// SearchWeb returns pages about the text, best first: at most limit, eight where
// that is zero or less, and never more than twenty.
func (s *Source) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	text = wire.Line(text, longestQuery)
	if words := strings.Fields(text); len(words) > mostWords {
		text = strings.Join(words[:mostWords], " ")
	}
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
	values := url.Values{"q": {text}, "count": {strconv.Itoa(min(limit, mostResults))}, "text_decorations": {"false"}, "result_filter": {"web"}}
	found, answer, err := fetch.Parsed(ctx, s.tap, fetch.Request{
		Doing: doing, URL: s.o.BaseURL + "/res/v1/web/search?" + values.Encode(), Kind: fetch.JSON, Fresh: freshPages, Stale: stalePages,
		Header: http.Header{"X-Subscription-Token": {key}},
		Check:  refusal,
	}, parse)
	if err != nil {
		return nil, err
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
	return answer.Stamped(market.Provenance{Source: name, Endpoint: "web search", Licence: licence, AsOf: published, Adjustment: market.AdjustmentUnknown})
}

// refusal tells a wrong key, which comes as a question that cannot be processed.
func refusal(a fetch.Response) error {
	if a.Status == http.StatusUnprocessableEntity && bytes.Contains(a.Body, []byte("SUBSCRIPTION_TOKEN_INVALID")) {
		return fmt.Errorf("%w: the key is not valid", market.ErrAuth)
	}
	return nil
}

// parse reads an answer, which has no list of pages where nothing was found. Pages
// without a title or a link of the web are left out.
func parse(body []byte) ([]market.WebResult, error) {
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
		return nil, wire.Malformed("no result of a search")
	}
	var out []market.WebResult
	for _, r := range answer.Web.Results[:min(len(answer.Web.Results), mostResults)] {
		page := market.WebResult{Title: plain(r.Title, 300), URL: r.URL, Snippet: plain(r.Description, 1000)}
		if page.Title == "" || !wire.IsLink(r.URL) {
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

// plain takes out how Brave marks the words that were searched for.
func plain(text string, most int) string {
	return wire.Line(html.UnescapeString(strings.NewReplacer("<strong>", "", "</strong>", "").Replace(text)), most)
}

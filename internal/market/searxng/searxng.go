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
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
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
	text = clean(text, longestQuery)
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
	answer, err := s.tap.Get(ctx, fetch.Request{
		Doing: doing, URL: s.o.BaseURL + "/search?" + url.Values{"q": {text}, "format": {"json"}}.Encode(),
		Kind: fetch.JSON, Fresh: freshPages, Stale: stalePages, Check: check,
	})
	if err != nil {
		return nil, err
	}
	found, err := parse(answer.Body)
	if err != nil {
		return nil, s.tap.Failed(doing, err, "")
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
	p := market.Provenance{
		Source: name, Endpoint: "search", Licence: licence, AsOf: published, FetchedAt: answer.FetchedAt, Cache: answer.Cache, Adjustment: market.AdjustmentUnknown,
	}
	if published.IsZero() {
		p.AsOf = answer.FetchedAt
	}
	if answer.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return p
}

// check says what the commonest refusal means: it is the instance's settings, not
// the user's right.
func check(a fetch.Response) error {
	switch a.Status {
	case http.StatusForbidden:
		return fmt.Errorf("%w: the instance gives no JSON; add json to search.formats in its settings.yml", market.ErrAuth)
	case http.StatusOK:
		_, err := parse(a.Body)
		return err
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
		return nil, fmt.Errorf("%w: no list of pages", market.ErrMalformed)
	}
	var out []market.WebResult
	for _, r := range (*answer.Results)[:min(len(*answer.Results), mostResults)] {
		page := market.WebResult{Title: clean(r.Title, 300), URL: r.URL, Snippet: clean(r.Content, 1000), Published: instant(r.Published)}
		link, err := url.Parse(r.URL)
		if err != nil || link.Host == "" || link.Scheme != "https" && link.Scheme != "http" || len(r.URL) > 2000 || page.Title == "" {
			continue
		}
		out = append(out, page)
	}
	if len(out) == 0 && len(answer.Silent) > 0 {
		return nil, fmt.Errorf("%w: %d search engines behind the instance did not answer", market.ErrUnavailable, len(answer.Silent))
	}
	return out, nil
}

// instant is the date of a page, zero where it has none.
func instant(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// clean is outside text on one line, without control characters, and bounded.
func clean(text string, most int) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	if runes := []rune(strings.Join(words, " ")); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return strings.Join(words, " ")
}

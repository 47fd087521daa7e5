package websearch

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	maxQueryLen    = 400 // the most that Tavily and Brave take, in characters
	defaultResults = 8
)

// query is one web search.
type query struct {
	text, op string
	limit    int
}

func newQuery(text string, limit int) query {
	text = client.SingleLine(text, maxQueryLen)
	if limit <= 0 {
		limit = defaultResults
	}
	return query{text: text, op: fmt.Sprintf("web pages about %.60s", text), limit: limit}
}

// emptyError is the error of a search for nothing.
func emptyError(s *client.Source) error {
	return s.NewError("pages", market.ErrNoData, "empty query")
}

// stamped returns at most as many pages as the query wants, with their provenance.
func (q query) stamped(s *client.Source, endpoint string, found []market.WebResult, answer client.Response) []market.WebResult {
	found = found[:min(len(found), q.limit)]
	for i := range found {
		found[i].Provenance = s.NewProvenance(endpoint, found[i].Published, answer)
	}
	return found
}

// appendPage adds a page to found, unless it has no title or no link of the web.
func appendPage(found []market.WebResult, title, url, snippet string, published time.Time) []market.WebResult {
	page := market.WebResult{Title: client.SingleLine(title, 300), URL: url, Snippet: client.SingleLine(snippet, 1000), Published: published}
	if page.Title == "" || !client.IsWebURL(url) {
		return found
	}
	return append(found, page)
}

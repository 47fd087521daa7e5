package websearch

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	maxQueryLen    = 400 // maximum length of a query to Tavily and Brave, in characters
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

// emptyError returns the error for an empty query.
func emptyError(s *client.Source) error {
	return s.NewError("pages", market.ErrNoData, "empty query")
}

// stamped returns at most as many pages as the query allows, with their provenance.
func (q query) stamped(s *client.Source, endpoint string, found []market.WebResult, answer client.Response) []market.WebResult {
	found = found[:min(len(found), q.limit)]
	for i := range found {
		found[i].Provenance = s.NewProvenance(endpoint, found[i].Published, answer)
	}
	return found
}

// appendPage adds a page to found, unless it has no title or no web link.
func appendPage(found []market.WebResult, title, url, snippet string, published time.Time) []market.WebResult {
	page := market.WebResult{Title: client.SingleLine(title, 300), URL: url, Snippet: client.SingleLine(snippet, 1000), Published: published}
	if page.Title == "" || !client.IsWebURL(url) {
		return found
	}
	return append(found, page)
}

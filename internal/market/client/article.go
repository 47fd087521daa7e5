package client

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// NewArticle returns an article from a server's untrusted texts, each reduced to one line of limited length.
// It reports false for an article without a title or a web link.
func NewArticle(title, publisher, link, summary string, published time.Time) (market.Article, bool) {
	a := market.Article{Title: SingleLine(title, 300), Publisher: SingleLine(publisher, 100), URL: link, Summary: SingleLine(summary, 1000), Published: published}
	return a, a.Title != "" && IsWebURL(link)
}

// SelectNews returns the articles that match q, newest first, with their provenance.
func (s *Source) SelectNews(found []market.Article, q market.NewsQuery, endpoint string, answer Response) []market.Article {
	slices.SortStableFunc(found, func(a, b market.Article) int { return b.Published.Compare(a.Published) })
	var out []market.Article
	for _, a := range found {
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		if q.Matches(a.Published) {
			a.Provenance = s.NewProvenance(endpoint, a.Published, answer)
			out = append(out, a)
		}
	}
	return out
}

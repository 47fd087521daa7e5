package companies

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxTaggedSymbols is how many symbols of an article are reported.
const maxTaggedSymbols = 10

type newsItem struct {
	Title     string          `json:"title"`
	Publisher string          `json:"publisher,omitempty"`
	Published string          `json:"published,omitempty"`
	Host      string          `json:"host,omitempty"`
	URL       string          `json:"url,omitempty"`
	Summary   string          `json:"summary,omitempty"`
	Symbols   []market.Symbol `json:"symbols,omitempty"`
	Source    string          `json:"source"`
}

type newsAnswer struct {
	Asked          string     `json:"asked"`
	toolkit.Origin            // of the newest
	Articles       []newsItem `json:"articles"`
}

func newNewsAnswer(q market.NewsQuery, found []market.Article, limit int) newsAnswer {
	a := newsAnswer{Asked: describeNewsQuery(q), Articles: []newsItem{}}
	for _, article := range found[:min(len(found), limit)] {
		host, address := parseLink(article.URL)
		a.Articles = append(a.Articles, newsItem{
			Title: truncateBytes(article.Title, maxSummaryChars), Publisher: truncateBytes(article.Publisher, maxQueryChars), Published: toolkit.FormatInstant(article.Published),
			Host: host, URL: address, Summary: truncateBytes(article.Summary, maxSummaryChars), Symbols: article.Symbols[:min(len(article.Symbols), maxTaggedSymbols)], Source: article.Provenance.Source,
		})
	}
	if len(a.Articles) > 0 {
		a.Origin = toolkit.OriginOf(found[0].Provenance, toolkit.OutsideTextNote).WithoutAdjustment()
		a.AsOf = a.Articles[0].Published
	}
	return a
}

// maxURLChars is more than pages have, and less than fills a model's view.
const maxURLChars = 2000

// parseLink is where an address leads, and the address; both are "" for what is no
// address of the web.
func parseLink(address string) (host, link string) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || len(u.String()) > maxURLChars {
		return "", ""
	}
	return u.Hostname(), u.String()
}

// truncateBytes is text on one line of at most so many bytes.
func truncateBytes(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

func (a newsAnswer) result() (tool.Result, error) {
	if len(a.Articles) == 0 {
		return tool.Failed(tool.CodeNoData, fmt.Sprintf("no news of %q in that time; try other words, or a longer time", a.Asked)), nil
	}
	forModel, err := toolkit.EncodeResult(a)
	for err == nil && len(forModel) > toolkit.MaxEncodedBytes && len(a.Articles) > 1 {
		a.Articles = a.Articles[:len(a.Articles)/2]
		forModel, err = toolkit.EncodeResult(a)
	}
	if err != nil {
		return tool.Result{}, err
	}
	blocks := make([]string, len(a.Articles))
	for i, n := range a.Articles {
		lines := []string{strings.TrimSpace(n.Published + "  " + n.Publisher), n.Title, strings.TrimSpace(n.Host + "  " + n.URL)}
		blocks[i] = strings.Join(lines, "\n")
	}
	o := a.Origin
	o.Note = "titles are their publishers'"
	return tool.Result{
		Value: a, ForModel: forModel, ForUser: toolkit.QuoteOutsideText(strings.Join(blocks, "\n\n")) + "\n" + o.Footer() + "\n",
		Title: toolkit.Abbreviate(a.Asked), Summary: strings.TrimSpace(fmt.Sprintf("%d articles, the newest of %s %s", len(a.Articles), a.AsOf, o.FlagText())),
	}, nil
}

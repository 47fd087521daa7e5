package publication

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// mostTagged is how many symbols of an article are told.
const mostTagged = 10

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
	present.Origin            // of the newest
	Articles       []newsItem `json:"articles"`
}

func newsAnswerOf(q market.NewsQuery, found []market.Article, limit int) newsAnswer {
	a := newsAnswer{Asked: newsOf(q), Articles: []newsItem{}}
	for _, one := range found[:min(len(found), limit)] {
		host, address := linkOf(one.URL)
		a.Articles = append(a.Articles, newsItem{
			Title: oneLine(one.Title, longestSummary), Publisher: oneLine(one.Publisher, longestQuery), Published: present.Instant(one.Published),
			Host: host, URL: address, Summary: oneLine(one.Summary, longestSummary), Symbols: one.Symbols[:min(len(one.Symbols), mostTagged)], Source: one.Provenance.Source,
		})
	}
	if len(a.Articles) > 0 {
		a.Origin = present.OriginOf(found[0].Provenance, present.Outside).WithoutAdjustment()
		a.AsOf = a.Articles[0].Published
	}
	return a
}

// longestAddress is more than pages have, and less than fills a model's view.
const longestAddress = 2000

// linkOf is where an address leads, and the address; both are "" for what is no
// address of the web.
func linkOf(address string) (host, link string) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || len(u.String()) > longestAddress {
		return "", ""
	}
	return u.Hostname(), u.String()
}

// oneLine is text on one line of at most so many bytes.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func (a newsAnswer) result() (tool.Result, error) {
	if len(a.Articles) == 0 {
		return tool.Failed(tool.CodeNoData, fmt.Sprintf("no news of %q in that time; try other words, or a longer time", a.Asked)), nil
	}
	forModel, err := present.Encoded(a)
	for err == nil && len(forModel) > present.MostEncoded && len(a.Articles) > 1 {
		a.Articles = a.Articles[:len(a.Articles)/2]
		forModel, err = present.Encoded(a)
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
		Value: a, ForModel: forModel, ForUser: present.Quoted(strings.Join(blocks, "\n\n")) + "\n" + o.Footer() + "\n",
		Title: present.Abridged(a.Asked), Summary: strings.TrimSpace(fmt.Sprintf("%d articles, the newest of %s %s", len(a.Articles), a.AsOf, o.Loud())),
	}, nil
}

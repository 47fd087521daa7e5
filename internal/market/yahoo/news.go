package yahoo

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshNews    = 10 * time.Minute
	staleNews    = 24 * time.Hour
	maxHeadlines = 200
)

// News returns the headlines that Yahoo has for a symbol, newest first; about
// twenty of the last days. Words it does not search here: a query without a
// symbol yields ErrNoData.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	if q.Symbol == "" {
		return nil, s.dataClients[0].NewError("news", market.ErrNoData, "headlines are by symbol only")
	}
	found, answer, err := get(ctx, s, apiRequest{
		op: "news of " + string(q.Symbol),
		url: s.at(hostFeeds, "/rss/2.0/headline", url.Values{
			"s": {YahooSymbol(q.Symbol)}, "region": {"US"}, "lang": {"en-US"},
		}),
		kind: client.XML, fresh: freshNews, stale: staleNews,
	}, parseHeadlines)
	if err != nil {
		return nil, err
	}
	var out []market.Article
	for _, a := range found {
		if !q.Matches(a.Published) {
			continue
		}
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		a.Symbols = []market.Symbol{q.Symbol}
		a.Provenance = newProvenance("rss headline", answer)
		a.Provenance.Adjustment, a.Provenance.AsOf = market.AdjustmentUnknown, a.Published
		if a.Published.IsZero() {
			a.Provenance.AsOf = answer.FetchedAt
		}
		out = append(out, a)
	}
	return out, nil
}

// parseHeadlines reads the feed, newest first. Items without a title or a link of
// the web are left out.
func parseHeadlines(body []byte) ([]market.Article, error) {
	var feed struct {
		XMLName xml.Name `xml:"rss"`
		Channel *struct {
			Items []struct {
				Title       string `xml:"title"`
				Link        string `xml:"link"`
				PubDate     string `xml:"pubDate"`
				Description string `xml:"description"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict, d.Entity = false, xml.HTMLEntity
	if err := d.Decode(&feed); err != nil || feed.Channel == nil {
		return nil, client.Malformedf("not a feed")
	}
	var out []market.Article
	for _, item := range feed.Channel.Items[:min(len(feed.Channel.Items), maxHeadlines)] {
		title, link := client.SingleLine(item.Title, 300), strings.TrimSpace(item.Link)
		if title == "" || !client.IsWebURL(link) {
			continue
		}
		out = append(out, market.Article{
			Title: title, URL: link, Summary: client.SingleLine(item.Description, 1000), Published: parsePublished(item.PubDate),
		})
	}
	slices.SortStableFunc(out, func(a, b market.Article) int { return b.Published.Compare(a.Published) })
	return out, nil
}

// parsePublished is when an item came out, zero where it does not say so. Names of
// zones but Greenwich's are not understood: they would be read as its time.
func parsePublished(text string) time.Time {
	return client.ParseTime(strings.TrimSpace(text), time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 GMT", time.RFC3339)
}

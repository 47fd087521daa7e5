package client

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"

	"github.com/nfa-cli/nfa/internal/market"
)

// Limits on the content of a feed.
const (
	maxFeedItems   = 200
	maxFeedTitle   = 300
	maxFeedSummary = 1000
)

// ParseFeed parses an RSS 2.0, RSS 1.0 or Atom feed in UTF-8 or Latin-1 and returns at most its
// first two hundred entries, newest first. Entries without a title or a web link are omitted. Other
// text yields ErrMalformed.
func ParseFeed(body []byte) ([]market.Article, error) {
	var feed struct {
		XMLName xml.Name
		Channel *struct {
			Items []rssItem `xml:"item"`
		} `xml:"channel"`
		Loose   []rssItem   `xml:"item"`
		Entries []atomEntry `xml:"entry"`
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict, d.Entity, d.CharsetReader = false, xml.HTMLEntity, CharsetReader
	if err := d.Decode(&feed); err != nil {
		return nil, Malformedf("not a feed")
	}
	var out []market.Article
	switch root := strings.ToLower(feed.XMLName.Local); {
	case root == "rss" && feed.Channel != nil:
		out = articles(feed.Channel.Items)
	case root == "rdf":
		out = articles(feed.Loose)
	case root == "feed":
		for _, e := range feed.Entries[:min(len(feed.Entries), maxFeedItems)] {
			out = append(out, e.article())
		}
	default:
		return nil, Malformedf("not a feed: root element %.20q", root)
	}
	out = slices.DeleteFunc(out, func(i market.Article) bool { return i.Title == "" || i.URL == "" })
	slices.SortStableFunc(out, func(a, b market.Article) int { return b.Published.Compare(a.Published) })
	return out, nil
}

// rssItem is an RSS entry. It may have several links if the feed includes those of Atom.
type rssItem struct {
	Title       string   `xml:"title"`
	Links       []string `xml:"link"`
	GUID        string   `xml:"guid"`
	PubDate     string   `xml:"pubDate"`
	Date        string   `xml:"date"` // Dublin Core date, in RSS 1.0
	Description string   `xml:"description"`
	Source      string   `xml:"source"`
}

func articles(all []rssItem) []market.Article {
	var out []market.Article
	for _, i := range all[:min(len(all), maxFeedItems)] {
		one := market.Article{Title: htmlText(i.Title, maxFeedTitle), Publisher: htmlText(i.Source, maxFeedTitle), Summary: htmlText(i.Description, maxFeedSummary)}
		// In most feeds, the ID of an entry is its URL.
		for _, link := range append(i.Links, i.GUID) {
			if one.URL == "" {
				one.URL = webLink(link)
			}
		}
		if one.Published = parseFeedTime(i.PubDate); one.Published.IsZero() {
			one.Published = parseFeedTime(i.Date)
		}
		out = append(out, one)
	}
	return out
}

// atomEntry is an Atom entry.
type atomEntry struct {
	Title string `xml:"title"`
	Links []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Published string `xml:"published"`
	Updated   string `xml:"updated"`
	Summary   string `xml:"summary"`
	Source    struct {
		Title string `xml:"title"`
	} `xml:"source"`
}

func (e atomEntry) article() market.Article {
	one := market.Article{Title: htmlText(e.Title, maxFeedTitle), Publisher: htmlText(e.Source.Title, maxFeedTitle), Summary: htmlText(e.Summary, maxFeedSummary)}
	for _, l := range e.Links {
		if one.URL == "" && (l.Rel == "" || l.Rel == "alternate") {
			one.URL = webLink(l.Href)
		}
	}
	if one.Published = parseFeedTime(e.Published); one.Published.IsZero() {
		one.Published = parseFeedTime(e.Updated)
	}
	return one
}

// CharsetReader returns a reader for the encodings that feeds declare, for an xml.Decoder. Latin-1
// is read as Windows-1252, as browsers do.
func CharsetReader(charset string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252":
		return charmap.Windows1252.NewDecoder().Reader(in), nil
	case "utf8":
		return in, nil
	}
	return nil, fmt.Errorf("unsupported encoding %.20q", charset)
}

// htmlText returns the text of an HTML fragment as one printable line of at most maxLen characters.
func htmlText(text string, maxLen int) string {
	var out strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(text))
	for out.Len() < 4*maxLen {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind == html.TextToken {
			out.Write(tokens.Text())
			continue
		}
		out.WriteByte(' ')
	}
	return SingleLine(html.UnescapeString(out.String()), maxLen)
}

// webLink returns text if it is an http or https URL, else "".
func webLink(text string) string {
	if text = strings.TrimSpace(text); !IsWebURL(text) {
		return ""
	}
	return text
}

// parseFeedTime parses dates of RFC 822, with two- or four-digit years, and of RFC 3339. It returns the zero
// time for other text.
func parseFeedTime(text string) time.Time {
	return ParseTime(expandZone(strings.TrimSpace(text)),
		"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04 -0700", "2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 06 15:04:05 -0700",
		time.RFC3339, "2006-01-02T15:04:05-0700")
}

// expandZone replaces the zone names of RFC 822 with their offsets. Go would treat other names as UTC.
func expandZone(text string) string {
	for zone, offset := range map[string]string{
		" GMT": "+0000", " UT": "+0000", " UTC": "+0000", " Z": "+0000", " EST": "-0500", " EDT": "-0400", " CST": "-0600",
		" CDT": "-0500", " MST": "-0700", " MDT": "-0600", " PST": "-0800", " PDT": "-0700",
	} {
		if before, ok := strings.CutSuffix(text, zone); ok {
			return before + " " + offset
		}
	}
	return text
}

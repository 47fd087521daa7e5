package rss

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
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Bounds of what is taken from a feed.
const (
	maxItems      = 200
	maxTitleLen   = 300
	maxSummaryLen = 1000
)

// Item is an entry of a feed. Its words are outside text, on one line and without
// markup.
type Item struct {
	Title     string
	Outlet    string // who wrote it, where the feed gathers from others
	URL       string // of http or https
	Summary   string
	Published time.Time // zero where the feed does not say
}

// Parse reads a feed of RSS 2.0, RSS 1.0 or Atom in UTF-8 or Latin-1, newest
// first; at most the first two hundred entries. Entries without a title or without
// a link of the web are left out. What is no feed yields ErrMalformed.
func Parse(body []byte) ([]Item, error) {
	var feed struct {
		XMLName xml.Name
		Channel *struct {
			Items []item `xml:"item"`
		} `xml:"channel"`
		Loose   []item  `xml:"item"`
		Entries []entry `xml:"entry"`
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict, d.Entity, d.CharsetReader = false, xml.HTMLEntity, charsetReader
	if err := d.Decode(&feed); err != nil {
		return nil, fmt.Errorf("%w: no feed", market.ErrMalformed)
	}
	var out []Item
	switch root := strings.ToLower(feed.XMLName.Local); {
	case root == "rss" && feed.Channel != nil:
		out = items(feed.Channel.Items)
	case root == "rdf":
		out = items(feed.Loose)
	case root == "feed":
		for _, e := range feed.Entries[:min(len(feed.Entries), maxItems)] {
			out = append(out, e.item())
		}
	default:
		return nil, fmt.Errorf("%w: no feed, its root is %.20q", market.ErrMalformed, root)
	}
	out = slices.DeleteFunc(out, func(i Item) bool { return i.Title == "" || i.URL == "" })
	slices.SortStableFunc(out, func(a, b Item) int { return b.Published.Compare(a.Published) })
	return out, nil
}

// item is an entry of RSS. Links are many where a feed has those of Atom too.
type item struct {
	Title       string   `xml:"title"`
	Links       []string `xml:"link"`
	GUID        string   `xml:"guid"`
	PubDate     string   `xml:"pubDate"`
	Date        string   `xml:"date"` // of Dublin Core, in RSS 1.0
	Description string   `xml:"description"`
	Source      string   `xml:"source"`
}

func items(all []item) []Item {
	var out []Item
	for _, i := range all[:min(len(all), maxItems)] {
		one := Item{Title: htmlText(i.Title, maxTitleLen), Outlet: htmlText(i.Source, maxTitleLen), Summary: htmlText(i.Description, maxSummaryLen)}
		// The name of the entry is its address in most feeds.
		for _, link := range append(i.Links, i.GUID) {
			if one.URL == "" {
				one.URL = webLink(link)
			}
		}
		if one.Published = parseTime(i.PubDate); one.Published.IsZero() {
			one.Published = parseTime(i.Date)
		}
		out = append(out, one)
	}
	return out
}

// entry is one of Atom.
type entry struct {
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

func (e entry) item() Item {
	one := Item{Title: htmlText(e.Title, maxTitleLen), Outlet: htmlText(e.Source.Title, maxTitleLen), Summary: htmlText(e.Summary, maxSummaryLen)}
	for _, l := range e.Links {
		if one.URL == "" && (l.Rel == "" || l.Rel == "alternate") {
			one.URL = webLink(l.Href)
		}
	}
	if one.Published = parseTime(e.Published); one.Published.IsZero() {
		one.Published = parseTime(e.Updated)
	}
	return one
}

// charsetReader reads the encodings that feeds declare besides UTF-8. Who says Latin-1
// means what browsers take for it.
func charsetReader(charset string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252":
		return charmap.Windows1252.NewDecoder().Reader(in), nil
	case "utf8":
		return in, nil
	}
	return nil, fmt.Errorf("encoding %.20q", charset)
}

// htmlText is the text of a snippet of HTML: on one line, printable, and no longer
// than most.
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
	return client.SingleLine(html.UnescapeString(out.String()), maxLen)
}

// webLink is the address, or nothing where it is none of the web.
func webLink(text string) string {
	if text = strings.TrimSpace(text); !client.IsWebURL(text) {
		return ""
	}
	return text
}

// parseTime reads the dates of RFC 822, with four digits of a year or two, and of
// RFC 3339; zero where it is neither.
func parseTime(text string) time.Time {
	return client.ParseTime(expandZone(strings.TrimSpace(text)),
		"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04 -0700", "2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 06 15:04:05 -0700",
		time.RFC3339, "2006-01-02T15:04:05-0700")
}

// expandZone writes out the zones that RFC 822 knows by name. Go would take any other
// name for Greenwich's time.
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

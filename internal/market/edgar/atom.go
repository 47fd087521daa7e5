package edgar

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
	"github.com/nfa-cli/nfa/internal/pattern"
)

// feed is EDGAR's list of the newest filings, in Atom.
type feed struct {
	XMLName xml.Name `xml:"feed"`
	Entries []entry  `xml:"entry"`
}

type entry struct {
	Title   string `xml:"title"`
	Updated string `xml:"updated"`
	Summary string `xml:"summary"`
	Link    struct {
		Address string `xml:"href,attr"`
	} `xml:"link"`
	Form struct {
		Term string `xml:"term,attr"`
	} `xml:"category"`
}

// latin reads the encodings that EDGAR declares besides UTF-8.
func latin(charset string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "us-ascii", "ascii":
		return charmap.ISO8859_1.NewDecoder().Reader(in), nil
	case "windows-1252":
		return charmap.Windows1252.NewDecoder().Reader(in), nil
	}
	return nil, fmt.Errorf("encoding %.20q", charset)
}

func parseFeed(document []byte) ([]entry, error) {
	var f feed
	d := xml.NewDecoder(bytes.NewReader(document))
	d.CharsetReader = latin
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("feed of filings: %w", err)
	}
	return f.Entries, nil
}

// longestTitle is more than the name of a company and of a form take.
const longestTitle = 300

// entryTitle is "8-K - NVIDIA CORP (0001045810) (Filer)".
var entryTitle = pattern.Lazy(`^(\S.*?) - (.+) \((\d{10})\) \((\w[\w ]*)\)$`)

// filedItem is an item in the summary's HTML: "<br>Item 2.02: Results ...".
var filedItem = pattern.Lazy(`Item (\d\.\d{2}):`)

// article makes news of an entry; others than events of companies are not news.
func (e entry) article() (a market.Article, cik string, err error) {
	m := entryTitle().FindStringSubmatch(wire.Line(e.Title, longestTitle))
	if m == nil {
		return a, "", fmt.Errorf("feed of filings: title %.80q", e.Title)
	}
	// The time bears its zone, unlike that of the lists.
	published, err := time.Parse(time.RFC3339, strings.TrimSpace(e.Updated))
	if err != nil {
		return a, "", fmt.Errorf("feed of filings: updated %.40q", e.Updated)
	}
	if !strings.HasPrefix(e.Link.Address, "https://www.sec.gov/") || !wire.IsLink(e.Link.Address) {
		return a, "", errors.New("feed of filings: a link that leads elsewhere")
	}
	var items []string
	for _, item := range filedItem().FindAllStringSubmatch(e.Summary, -1) {
		items = append(items, item[1])
	}
	return market.Article{
		Title: m[2] + " " + eventTitle(m[1], items), Publisher: "SEC EDGAR", URL: e.Link.Address, Published: published.UTC(), Summary: m[2],
	}, m[3], nil
}

// latest are the newest 8-K of all companies; EDGAR lists some two days of them.
func (s *Source) latest(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	const doing = "newest 8-K filings"
	entries, answer, err := get(ctx, s, fetch.Request{
		Doing: doing, URL: s.hosts.current("8-K"), Kind: fetch.XML, Fresh: 10 * time.Minute, Stale: 24 * time.Hour,
	}, parseFeed)
	if err != nil {
		return nil, err
	}
	d, err := s.directory(ctx, doing)
	if err != nil {
		return nil, err
	}
	var out []market.Article
	for _, e := range entries {
		a, cik, err := e.article()
		if err != nil {
			return nil, s.malformed(doing, err)
		}
		if !strings.HasPrefix(e.Form.Term, "8-K") || !q.Admits(a.Published) {
			continue
		}
		for _, i := range d.byCIK[cik] {
			a.Symbols = append(a.Symbols, d.rows[i].symbol)
		}
		a.Provenance = provenance("getcurrent", answer, a.Published)
		if out = append(out, a); len(out) == q.Limit {
			break
		}
	}
	return out, nil
}

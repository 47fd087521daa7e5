package edgar

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// atomFeed is EDGAR's list of the newest filings, in Atom.
type atomFeed struct {
	XMLName xml.Name    `xml:"feed"`
	Entries []atomEntry `xml:"entry"`
}

type atomEntry struct {
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

func parseFeed(document []byte) ([]atomEntry, error) {
	var f atomFeed
	d := xml.NewDecoder(bytes.NewReader(document))
	d.CharsetReader = client.CharsetReader
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("feed of filings: %w", err)
	}
	return f.Entries, nil
}

// maxAtomTitle is longer, in bytes, than any title of a filing.
const maxAtomTitle = 300

// atomTitlePattern matches a title: "8-K - NVIDIA CORP (0001045810) (Filer)".
var atomTitlePattern = lazyregexp.New(`^(\S.*?) - (.+) \((\d{10})\) \((\w[\w ]*)\)$`)

// atomItemPattern matches an item in the summary's HTML: "<br>Item 2.02: Results ...".
var atomItemPattern = lazyregexp.New(`Item (\d\.\d{2}):`)

// article converts an entry to news. It returns false for entries that are not company events.
func (e atomEntry) article() (a market.Article, cik string, err error) {
	m := atomTitlePattern().FindStringSubmatch(client.SingleLine(e.Title, maxAtomTitle))
	if m == nil {
		return a, "", fmt.Errorf("feed of filings: title %.80q", e.Title)
	}
	// This time includes a zone, unlike the times in the lists.
	published, err := time.Parse(time.RFC3339, strings.TrimSpace(e.Updated))
	if err != nil {
		return a, "", fmt.Errorf("feed of filings: updated %.40q", e.Updated)
	}
	if !strings.HasPrefix(e.Link.Address, "https://www.sec.gov/") || !client.IsWebURL(e.Link.Address) {
		return a, "", errors.New("feed of filings: link to another site")
	}
	var items []string
	for _, item := range atomItemPattern().FindAllStringSubmatch(e.Summary, -1) {
		items = append(items, item[1])
	}
	return market.Article{
		Title: m[2] + " " + eventTitle(m[1], items), Publisher: "SEC EDGAR", URL: e.Link.Address, Published: published.UTC(), Summary: m[2],
	}, m[3], nil
}

// latest returns the newest 8-K filings of all companies. EDGAR lists about two days of them.
func (s *Source) latest(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	const doing = "newest 8-K filings"
	entries, answer, err := getDocument(ctx, s, client.Request{
		Op: doing, URL: s.hosts.current("8-K"), Kind: client.XML, Fresh: 10 * time.Minute, Stale: 24 * time.Hour,
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
			return nil, s.malformedError(doing, err)
		}
		if !strings.HasPrefix(e.Form.Term, "8-K") || !q.Matches(a.Published) {
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

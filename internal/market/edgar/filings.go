package edgar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// maxOlderPages limits the number of older pages that one query reads. A page has about two
// thousand filings; only banks that file structured notes every day have more.
const maxOlderPages = 10

// Filings lists a company's filings, newest first. Older pages of EDGAR's list are fetched only if
// the query reaches back to them.
func (s *Source) Filings(ctx context.Context, sym market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	doing := "filings of " + string(sym)
	f, err := s.filer(ctx, sym, doing)
	if err != nil {
		return nil, err
	}
	var found []market.Filing
	note, err := s.walkFilings(ctx, f, q.Filed, doing, func(row filingRow, answer client.Response) bool {
		if listed := s.filing(f, row, answer); q.Matches(listed) {
			found = append(found, listed)
		}
		return q.Limit <= 0 || len(found) < q.Limit
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, s.client.NewError(doing, market.ErrNoData, fmt.Sprintf("%s has no such filing; its newest filing is %s", f.Name, f.newest()))
	}
	for i := range found {
		found[i].Provenance.Note = note
	}
	s.filers.remember(f.company, found)
	return found, nil
}

func (f filer) newest() string {
	if len(f.recent) == 0 {
		return "unknown"
	}
	return "a " + f.recent[0].form + " of " + f.recent[0].date.Format("2006-01-02")
}

// walkFilings visits the filings of r, newest first, until visit returns false. The note reports a
// list that is incomplete.
func (s *Source) walkFilings(ctx context.Context, f filer, r market.Range, doing string, visit func(filingRow, client.Response) bool) (string, error) {
	if !visitAll(f.recent, r, f.answer, visit) {
		return "", nil
	}
	opened := 0
	for _, page := range f.Filings.Files {
		if !page.within(r) {
			continue
		}
		if opened++; opened > maxOlderPages {
			return "filings before " + page.To + " were not searched", nil
		}
		rows, answer, err := s.olderPage(ctx, page, doing)
		if err != nil {
			return "", err
		}
		if !visitAll(rows, r, answer, visit) {
			break
		}
	}
	return "", nil
}

func visitAll(rows []filingRow, r market.Range, answer client.Response, visit func(filingRow, client.Response) bool) bool {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b filingRow) int { return b.date.Compare(a.date) })
	for _, row := range rows {
		if r.Contains(row.date) && !visit(row, answer) {
			return false
		}
	}
	return true
}

// within reports whether the page may have filings in r, by the first and last date of its filings.
func (p pageFile) within(r market.Range) bool {
	const layout = "2006-01-02"
	return (r.From.IsZero() || p.To >= r.From.Format(layout)) && (r.To.IsZero() || p.From <= r.To.Format(layout))
}

func (s *Source) filing(f filer, row filingRow, answer client.Response) market.Filing {
	out := market.Filing{
		Accession: row.accession, Form: row.form, Filed: row.date, Period: row.period,
		Company: f.Name, Symbol: f.symbol, CIK: f.cik, Items: slices.Clone(row.items),
		URL: s.hosts.index(f.cik, row.accession), Provenance: provenance("submissions", answer, row.date),
	}
	if row.document != "" {
		out.URL = s.hosts.document(f.cik, row.accession, row.document)
	}
	return out
}

// filerCache maps listed filings to their companies, because the prefix of an accession number
// usually identifies a filing agent, not the company.
type filerCache struct {
	mu          sync.Mutex
	byAccession map[string]company
}

// maxRememberedFilers limits the memory use to a few megabytes.
const maxRememberedFilers = 50_000

func (f *filerCache) remember(c company, filings []market.Filing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byAccession == nil || len(f.byAccession)+len(filings) > maxRememberedFilers {
		f.byAccession = make(map[string]company, len(filings))
	}
	for _, filing := range filings {
		f.byAccession[filing.Accession] = c
	}
}

func (f *filerCache) recall(accession string) (company, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.byAccession[accession]
	return c, ok
}

// rawDocument returns the name of the XML data of a form whose listed document is a rendered page:
// "xslF345X05/doc4.xml".
func rawDocument(document string) string {
	if folder, file, ok := strings.Cut(document, "/"); ok && strings.HasPrefix(folder, "xsl") {
		return file
	}
	return document
}

package edgar

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// defaultNews is the number of articles if the query sets no limit.
const defaultNews = 20

// News returns the events that a company reported on form 8-K (6-K for foreign companies), newest
// first; without a symbol and text, those of all companies. EDGAR has no text search: such a query
// yields ErrNoData.
//
// Published is the acceptance time read as New York time. It is correct or some hours late, never
// before the public could know.
func (s *Source) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	if q.Limit <= 0 {
		q.Limit = defaultNews
	}
	switch {
	case q.Symbol != "":
		return s.companyEvents(ctx, q)
	case q.Text != "" || q.Name != "":
		return nil, s.client.NewError("news", market.ErrNoData, "SEC filings can be found only by symbol")
	}
	return s.latest(ctx, q)
}

func (s *Source) companyEvents(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	doing := "8-K of " + string(q.Symbol)
	f, err := s.filer(ctx, q.Symbol, doing)
	if err != nil {
		return nil, err
	}
	var out []market.Article
	newYork := client.NewYork()
	// Add a day on each side, because filing dates are days in New York and the query has times.
	r := market.Range{From: dayBefore(q.After), To: q.Before}
	_, err = s.walkFilings(ctx, f, r, doing, func(row filingRow, answer client.Response) bool {
		form := strings.TrimSuffix(row.form, "/A")
		if published := row.publishedAt(newYork); (form == "8-K" || form == "6-K") && q.Matches(published) {
			listed := s.filing(f, row, answer)
			p := provenance("submissions", answer, published)
			p.Note = "the publication time may be up to five hours late"
			out = append(out, market.Article{
				Title: eventTitle(row.form, row.items), Publisher: "SEC EDGAR", URL: listed.URL, Published: published,
				Summary: f.Name, Symbols: []market.Symbol{q.Symbol}, Provenance: p,
			})
		}
		return len(out) < q.Limit
	})
	// Keep EDGAR's order within a day, which is the order of acceptance.
	slices.SortStableFunc(out, func(a, b market.Article) int { return cmp.Compare(b.Published.Unix(), a.Published.Unix()) })
	return out, err
}

func dayBefore(t time.Time) market.Date {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)
}

// The filing date is a day in New York. A filing accepted in the evening is dated the next day and
// published that morning.
const (
	acceptanceOpens  = 6 * time.Hour
	acceptanceCloses = 22 * time.Hour
)

// publishedAt returns the latest time at which the filing may have been published: its acceptance time, read
// as New York time; the morning of the filing date if it was accepted the evening before; or the end of
// EDGAR's day if the acceptance time is unknown.
func (f filingRow) publishedAt(newYork *time.Location) time.Time {
	at := f.accepted
	switch {
	case at.IsZero():
		at = f.date.Add(acceptanceCloses)
	case at.Before(f.date):
		at = f.date.Add(acceptanceOpens)
	}
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, newYork).UTC()
}

// eventTitle describes an 8-K by its items: "8-K: Results of Operations (2.02)".
func eventTitle(form string, items []string) string {
	var titles []string
	for _, item := range items {
		item = strings.TrimSpace(item)
		title := eventNames[item]
		// Exhibits accompany other events and are not events themselves.
		if item == "9.01" && len(items) > 1 || item == "" {
			continue
		}
		if title == "" {
			titles = append(titles, "Item "+item)
			continue
		}
		titles = append(titles, title+" ("+item+")")
	}
	switch {
	case len(titles) > 0:
		return form + ": " + strings.Join(titles, "; ")
	case strings.HasPrefix(form, "6-K"):
		return form + ": Report of a foreign issuer"
	}
	return form + ": Current report"
}

// eventNames are short names of the items of form 8-K.
var eventNames = map[string]string{
	"1.01": "Material Agreement Entered",
	"1.02": "Material Agreement Ended",
	"1.03": "Bankruptcy or Receivership",
	"1.05": "Material Cybersecurity Incident",
	"2.01": "Acquisition or Disposition Completed",
	"2.02": "Results of Operations",
	"2.03": "Financial Obligation Created",
	"2.04": "Financial Obligation Accelerated",
	"2.05": "Exit or Disposal Costs",
	"2.06": "Material Impairments",
	"3.01": "Notice of Delisting",
	"3.02": "Unregistered Sale of Shares",
	"3.03": "Rights of Holders Changed",
	"4.01": "Auditor Changed",
	"4.02": "Earlier Statements Not to Be Relied On",
	"5.01": "Control of the Company Changed",
	"5.02": "Directors or Officers Changed",
	"5.03": "Articles, Bylaws or Fiscal Year Changed",
	"5.07": "Votes of Shareholders",
	"7.01": "Regulation FD Disclosure",
	"8.01": "Other Events",
	"9.01": "Statements and Exhibits",
}

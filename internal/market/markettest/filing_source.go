package markettest

import (
	"context"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// FilingSource serves the sections it was given, and lists their filings.
type FilingSource struct {
	// Err, if set, is returned by every call, to simulate a source that is down.
	Err error
	// IgnoresQuery makes it return all filings, to test the caller's own filters.
	IgnoresQuery bool

	sections []market.FilingSection
}

// NewFilingSource returns a source of filings by their sections.
func NewFilingSource(sections ...market.FilingSection) *FilingSource {
	return &FilingSource{sections: sections}
}

// Section returns a section of a filing of a made-up company, filed a month after its period.
func Section(sym market.Symbol, accession, form string, period market.Date, item market.FilingItem, text string) market.FilingSection {
	filed := period.AddDate(0, 1, 0)
	return market.FilingSection{
		Filing: market.Filing{
			Accession: accession, Form: form, Filed: filed, Period: period, Company: string(sym) + " of the test", Symbol: sym,
			CIK: "0000000042", URL: "https://example.com/" + accession,
			Provenance: market.Provenance{Source: "markettest", Unit: "document", AsOf: filed, FetchedAt: filed, Adjustment: market.AdjustmentUnknown},
		},
		FilingItem: item, Text: text, Method: "headings", Confidence: 1, CrossReference: market.IsCrossReference(text),
	}
}

func (s *FilingSource) failure(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Err
}

// Filings lists the filings of a company, newest first.
func (s *FilingSource) Filings(ctx context.Context, sym market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	if err := s.failure(ctx); err != nil {
		return nil, err
	}
	var all []market.Filing
	for _, one := range s.sections {
		listed := func(f market.Filing) bool { return f.Accession == one.Filing.Accession }
		if one.Filing.Symbol == sym && !slices.ContainsFunc(all, listed) {
			all = append(all, one.Filing)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("test filings of %q: %w", sym, market.ErrUnknownSymbol)
	}
	slices.SortStableFunc(all, func(a, b market.Filing) int { return b.Filed.Compare(a.Filed) })
	if s.IgnoresQuery {
		return all, nil
	}
	if all = q.Filter(all); len(all) == 0 {
		return nil, fmt.Errorf("test filings of %q: %w", sym, market.ErrNoData)
	}
	return all, nil
}

// FilingSection returns the section of an item.
func (s *FilingSource) FilingSection(ctx context.Context, accession string, item market.FilingItem) (market.FilingSection, error) {
	if err := s.failure(ctx); err != nil {
		return market.FilingSection{}, err
	}
	var found []market.FilingSection
	var contents []market.FilingItem
	for _, one := range s.sections {
		if one.Filing.Accession == accession {
			found, contents = append(found, one), append(contents, one.FilingItem)
		}
	}
	if len(found) == 0 {
		return market.FilingSection{}, fmt.Errorf("test filing %q: %w", accession, market.ErrUnknownSymbol)
	}
	i, err := market.FindFilingItem(contents, item)
	if err != nil {
		return market.FilingSection{}, fmt.Errorf("test filing %q: %w", accession, err)
	}
	return found[i], nil
}

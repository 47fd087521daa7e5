package markettest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

// FilingSubject is a filing source to be checked against the contract.
type FilingSubject struct {
	Source market.FilingSource
	// Listed has at least three filings, of at least two forms.
	Listed market.Symbol
	// Accession is one of them whose sections can be read, and Item is one of its sections.
	Accession string
	Item      market.FilingItem
}

// unfiled is a valid symbol that no source knows.
const unfiled = "9999999999-99-999999"

// RunFilings checks a source against the contract of market.FilingSource. Each check gets a new
// source from newSource.
func RunFilings(t *testing.T, newSource func(t *testing.T) FilingSubject) {
	t.Helper()
	for name, promise := range map[string]func(*testing.T, FilingSubject){
		"filings are complete":         filingsAreComplete,
		"query narrows the list":       queryFiltersFilings,
		"no match returns no data":     noMatchIsNoData,
		"unlisted symbol is unknown":   unlistedFilerIsUnknown,
		"section has provenance":       sectionHasProvenance,
		"absent item returns no data":  absentItemIsNoData,
		"unfiled accession is unknown": unfiledAccessionIsUnknown,
		"canceled context ends calls":  filingCallsEnd,
	} {
		t.Run(name, func(t *testing.T) { promise(t, newSource(t)) })
	}
}

func allFilings(t *testing.T, s FilingSubject) []market.Filing {
	t.Helper()
	all, err := s.Source.Filings(t.Context(), s.Listed, market.FilingQuery{})
	if err != nil {
		t.Fatalf("Filings(%s) = %v", s.Listed, err)
	}
	if len(all) < 3 {
		t.Fatalf("Filings(%s) = %d, want 3 or more", s.Listed, len(all))
	}
	return all
}

func filingsAreComplete(t *testing.T, s FilingSubject) {
	seen := map[string]bool{}
	for i, f := range allFilings(t, s) {
		number, err := market.ParseAccession(f.Accession)
		if err != nil || number != f.Accession || seen[number] {
			t.Errorf("accession %q is invalid or listed twice: %v", f.Accession, err)
		}
		seen[number] = true
		if f.Symbol != s.Listed || f.Company == "" || len(f.CIK) != 10 || f.Form == "" || !strings.HasPrefix(f.URL, "http") {
			t.Errorf("filing %s has %+v", number, f)
		}
		if f.Filed.IsZero() || f.Period.After(f.Filed.AddDate(1, 0, 0)) {
			t.Errorf("filing %s: filed %v for %v", number, f.Filed, f.Period)
		}
		if i > 0 && f.Filed.After(allFilings(t, s)[i-1].Filed) {
			t.Errorf("filing %s of %v follows an older one", number, f.Filed)
		}
		if f.Provenance.Source == "" || !f.Provenance.AsOf.Equal(f.Filed) || f.Provenance.FetchedAt.IsZero() {
			t.Errorf("filing %s: provenance %+v", number, f.Provenance)
		}
	}
}

func queryFiltersFilings(t *testing.T, s FilingSubject) {
	all := allFilings(t, s)
	form := all[len(all)-1].Form
	day := all[1].Filed
	for name, q := range map[string]market.FilingQuery{
		"form":          {Forms: []string{strings.ToLower(form)}},
		"filed since":   {Filed: market.Range{From: day}},
		"filed until":   {Filed: market.Range{To: day}},
		"limit":         {Limit: 2},
		"form, limited": {Forms: []string{form}, Limit: 1},
	} {
		got, err := s.Source.Filings(t.Context(), s.Listed, q)
		if err != nil {
			t.Errorf("%s: Filings = %v", name, err)
			continue
		}
		if diff := cmp.Diff(q.Filter(all), got); diff != "" {
			t.Errorf("%s: filings (-want +got):\n%s", name, diff)
		}
	}
}

func noMatchIsNoData(t *testing.T, s FilingSubject) {
	oldest := allFilings(t, s)[len(allFilings(t, s))-1].Filed
	for name, q := range map[string]market.FilingQuery{
		"no such form": {Forms: []string{"NO-SUCH"}},
		"too early":    {Filed: market.Range{To: oldest.AddDate(-200, 0, 0)}},
	} {
		if _, err := s.Source.Filings(t.Context(), s.Listed, q); !errors.Is(err, market.ErrNoData) {
			t.Errorf("%s: Filings = %v, want ErrNoData", name, err)
		}
	}
}

func unlistedFilerIsUnknown(t *testing.T, s FilingSubject) {
	_, err := s.Source.Filings(t.Context(), unlisted, market.FilingQuery{})
	if !errors.Is(err, market.ErrUnknownSymbol) || !strings.Contains(err.Error(), string(unlisted)) {
		t.Errorf("Filings(%s) = %v, want an ErrUnknownSymbol that names it", unlisted, err)
	}
}

func sectionHasProvenance(t *testing.T, s FilingSubject) {
	got, err := s.Source.FilingSection(t.Context(), s.Accession, s.Item)
	if err != nil {
		t.Fatalf("FilingSection(%s, %s) = %v", s.Accession, s.Item, err)
	}
	if got.Item != s.Item.Item || s.Item.Part != "" && got.Part != s.Item.Part || strings.TrimSpace(got.Text) == "" {
		t.Errorf("FilingSection(%s, %s) = %s with %d bytes", s.Accession, s.Item, got.FilingItem, len(got.Text))
	}
	if got.Method == "" || got.Confidence <= 0 || got.Confidence > 1 {
		t.Errorf("section found by %q with confidence %g, want a method and 0 to 1", got.Method, got.Confidence)
	}
	of := slices.IndexFunc(allFilings(t, s), func(f market.Filing) bool { return f.Accession == s.Accession })
	if of < 0 {
		t.Fatalf("the section's filing %s is not listed for %s", s.Accession, s.Listed)
	}
	if diff := cmp.Diff(allFilings(t, s)[of].Filed, got.Filing.Filed); diff != "" || got.Filing.Accession != s.Accession {
		t.Errorf("section of %s filed %v, but listed differently: %s", got.Filing.Accession, got.Filing.Filed, diff)
	}
}

func absentItemIsNoData(t *testing.T, s FilingSubject) {
	absent := market.FilingItem{Item: "99"}
	_, err := s.Source.FilingSection(t.Context(), s.Accession, absent)
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), s.Item.Item) {
		t.Errorf("FilingSection(%s, %s) = %v, want an ErrNoData that offers %s", s.Accession, absent, err, s.Item)
	}
}

func unfiledAccessionIsUnknown(t *testing.T, s FilingSubject) {
	_, err := s.Source.FilingSection(t.Context(), unfiled, s.Item)
	if !errors.Is(err, market.ErrUnknownSymbol) || !strings.Contains(err.Error(), unfiled) {
		t.Errorf("FilingSection(%s) = %v, want an ErrUnknownSymbol that names it", unfiled, err)
	}
}

func filingCallsEnd(t *testing.T, s FilingSubject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, listErr := s.Source.Filings(ctx, s.Listed, market.FilingQuery{})
	_, sectionErr := s.Source.FilingSection(ctx, s.Accession, s.Item)
	for call, err := range map[string]error{"Filings": listErr, "FilingSection": sectionErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a canceled context = %v, want context.Canceled", call, err)
		}
	}
}

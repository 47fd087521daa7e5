package feed_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const (
	annualReport    = "0000320193-24-000123"
	quarterlyReport = "0000320193-24-000081"
)

func TestFilings_KeepTheContract(t *testing.T) {
	for accession, item := range map[string]market.FilingItem{annualReport: {Part: "I", Item: "1A"}, quarterlyReport: {Part: "II", Item: "1A"}} {
		t.Run(accession, func(t *testing.T) {
			markettest.RunFilings(t, func(*testing.T) markettest.FilingSubject {
				return markettest.FilingSubject{Source: feed.NewSampleSource(), Listed: "AAPL", Accession: accession, Item: item}
			})
		})
	}
}

func TestFilings_TheWordsOfTheFilingAreThere(t *testing.T) {
	for _, row := range []struct{ accession, item, begins, holds string }{
		{annualReport, "1", "Company Background", "iPhone"},
		{annualReport, "1A", "The Company’s business, reputation, results of operations", "outsourcing partners"},
		{annualReport, "7", "The following discussion should be read", "Services (1) | 96,169 | 13 | % | 85,200"},
		{annualReport, "8", "", "Total net sales | 391,035 | 383,285 | 394,328"},
		{quarterlyReport, "I-2", "", "third quarter"},
		{quarterlyReport, "II-1", "Digital Markets Act", "Epic Games"},
		{"0001045810-26-000024", "5.02", "Adoption of Fiscal Year 2027", "$4,000,000 | 200%"},
	} {
		item, err := market.ParseFilingItem(row.item)
		if err != nil {
			t.Fatal(err)
		}
		got, err := feed.NewSampleSource().FilingSection(t.Context(), row.accession, item)
		if err != nil || !strings.HasPrefix(got.Text, row.begins) || !strings.Contains(got.Text, row.holds) {
			t.Errorf("%s of %s begins %.80q, %v; want %q, and %q in it", row.item, row.accession, got.Text, err, row.begins, row.holds)
		}
		if strings.Contains(got.Text, "Form 10-K | ") || strings.Contains(got.Text, "</") || strings.Contains(got.Text, "\n= ") {
			t.Errorf("%s of %s holds a page footer, markup or the next section", row.item, row.accession)
		}
	}
}

func TestFilings_PartIIIPointsToTheProxy(t *testing.T) {
	for item, want := range map[string]bool{"11": true, "12": true, "14": true, "7": false, "1A": false, "9B": false} {
		got, err := feed.NewSampleSource().FilingSection(t.Context(), annualReport, market.FilingItem{Item: item})
		if err != nil || got.CrossReference != want {
			t.Errorf("Item %s: cross reference %v, %v; want %v", item, got.CrossReference, err, want)
		}
	}
}

func TestFilings_WhatTheSampleLacksSaysWhatItHas(t *testing.T) {
	s := feed.NewSampleSource()
	list := func(sym market.Symbol, q market.FilingQuery) error {
		_, err := s.Filings(t.Context(), sym, q)
		return err
	}
	read := func(accession, item string) error {
		_, err := s.FilingSection(t.Context(), accession, market.FilingItem{Item: item})
		return err
	}
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"company without filings":    {list("MSFT", market.FilingQuery{}), "only for AAPL, NVDA"},
		"form not there":             {list("AAPL", market.FilingQuery{Forms: []string{"20-F"}}), "filings for AAPL (8-K, 10-Q, DEF 14A, 10-K), filed from"},
		"form not there, one filing": {list("NVDA", market.FilingQuery{Forms: []string{"20-F"}}), "it has 1 filing for NVDA (8-K), filed from"},
		"listed without text":        {read("0000320193-25-000079", "7"), annualReport + " (10-K filed 2024-11-01)"},
		"item of two parts":          {read(quarterlyReport, "1"), "I-1 (Financial Statements)"},
		"item not there":             {read(annualReport, "15"), "II-7A"},
	} {
		if !errors.Is(row.err, market.ErrNoData) || !strings.Contains(row.err.Error(), row.want) {
			t.Errorf("%s: %v, want an ErrNoData with %q", name, row.err, row.want)
		}
	}
}

func TestFilings_AListCanBeChangedByWhoGotIt(t *testing.T) {
	s := feed.NewSampleSource()
	q := market.FilingQuery{Forms: []string{"10-K"}, Filed: market.Range{To: date("2024-12-31")}, Limit: 1}
	mine, err := s.Filings(t.Context(), "AAPL", q)
	if err != nil {
		t.Fatal(err)
	}
	mine[0].Contents[0].Item, mine[0].Provenance.Flags[0] = "changed", "changed"
	again, err := s.Filings(t.Context(), "AAPL", q)
	if err != nil || again[0].Contents[0].Item == "changed" || !again[0].Provenance.Has(market.FlagSample) {
		t.Errorf("the source keeps what a caller changed: %+v, %v", again[0], err)
	}
}

func TestFilings_AreThoseOfTheRecordedAnswer(t *testing.T) {
	text, err := os.ReadFile(recorded(t, "sec", "submissions-CIK0000320193-AAPL.json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Filings struct {
			Recent struct {
				AccessionNumber, FilingDate, ReportDate, Form, Items, PrimaryDocument []string
			}
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	recent := answer.Filings.Recent
	at := map[string]int{}
	for i, n := range recent.AccessionNumber {
		at[n] = i
	}
	all, err := feed.NewSampleSource().Filings(t.Context(), "AAPL", market.FilingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		i, ok := at[f.Accession]
		if !ok {
			t.Errorf("%s is not in the recorded answer", f.Accession)
			continue
		}
		got := []string{f.Form, f.Filed.Format("2006-01-02"), f.Period.Format("2006-01-02"), strings.Join(f.Items, ",")}
		want := []string{recent.Form[i], recent.FilingDate[i], recent.ReportDate[i], recent.Items[i]}
		if strings.Join(got, "|") != strings.Join(want, "|") || !strings.HasSuffix(f.URL, "/"+recent.PrimaryDocument[i]) {
			t.Errorf("%s: %v at %s, recorded %v of %s", f.Accession, got, f.URL, want, recent.PrimaryDocument[i])
		}
	}
}

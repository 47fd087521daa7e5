package edgar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func requestCount(script *markettest.Script, path string) int {
	n := 0
	for _, r := range script.Requests() {
		if r.URL.Path == path {
			n++
		}
	}
	return n
}

func TestFilings_AFilingIsDescribed(t *testing.T) {
	got, err := source(t, newScript(t)).Filings(t.Context(), "EXM", market.FilingQuery{Forms: []string{"8-K"}, Limit: 1})
	if err != nil || len(got) != 1 {
		t.Fatalf("Filings = %v, %v", got, err)
	}
	want := market.Filing{
		Accession: "0000950170-24-000006", Form: "8-K", Filed: date("2024-04-12"), Period: date("2024-04-11"), Company: "Example Corp",
		Symbol: "EXM", CIK: "0000001234", URL: "http://127.0.0.1/Archives/edgar/data/1234/000095017024000006/exm-8k.htm", Items: []string{"2.02", "9.01"},
		Provenance: market.Provenance{
			Source: "sec-edgar", Endpoint: "submissions", License: "US government work, public domain",
			AsOf: date("2024-04-12"), FetchedAt: now(), Adjustment: market.AdjustmentUnknown,
		},
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("filing (-want +got):\n%s", diff)
	}
}

func TestFilings_OlderPagesAreOpenedOnlyWhereNeeded(t *testing.T) {
	for name, row := range map[string]struct {
		q     market.FilingQuery
		found int
		pages int
	}{
		"all":                {market.FilingQuery{}, 8, 1},
		"enough in the new":  {market.FilingQuery{Forms: []string{"8-K"}, Limit: 1}, 1, 0},
		"too few in the new": {market.FilingQuery{Forms: []string{"8-K"}, Limit: 2}, 2, 1},
		"since a day":        {market.FilingQuery{Filed: market.Range{From: date("2024-01-01")}}, 6, 0},
		"until a day":        {market.FilingQuery{Filed: market.Range{To: date("2003-11-03")}}, 2, 1},
		"a day between":      {market.FilingQuery{Filed: market.Range{From: date("2001-02-02"), To: date("2003-11-03")}}, 1, 1},
	} {
		script := newScript(t)
		got, err := source(t, script).Filings(t.Context(), "EXM", row.q)
		if err != nil || len(got) != row.found || requestCount(script, olderPath) != row.pages {
			t.Errorf("%s: Filings = %d, %v with %d older pages, want %d with %d", name, len(got), err, requestCount(script, olderPath), row.found, row.pages)
		}
	}
}

func TestFilings_ANameOutOfTheListStaysInItsFolder(t *testing.T) {
	body := strings.Replace(string(testdata(t, "submissions.json")), "exm-10k.htm", "../../../etc/a b?c.htm", 1)
	got, err := source(t, newScript(t).Respond(submissionsPath, markettest.JSONResponse(body))).Filings(t.Context(), "EXM", market.FilingQuery{Forms: []string{"10-K"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "/000095017024000004/_/_/_/etc/a%20b%3Fc.htm"; !strings.HasSuffix(got[0].URL, want) {
		t.Errorf("address %s, want it to end in %s", got[0].URL, want)
	}
}

func TestFilingSection_IsFoundByItsNumberAlone(t *testing.T) {
	own := "0000001234-24-000007" // sent in by the company itself
	for name, row := range map[string]struct {
		accession, item string
		listed          bool
		indexes         int
	}{
		"listed before":      {"0000950170-24-000004", "1A", true, 0},
		"sent by an agent":   {"0000950170-24-000004", "1A", false, 1},
		"sent by itself":     {own, "1A", false, 0},
		"without its dashes": {"000095017024000004", "1A", true, 0},
	} {
		script := newScript(t).Respond(folder+"000000123424000007/exm-10q.htm", markettest.Response{Body: testdata(t, "exm-10k.htm")})
		s := source(t, script)
		if row.listed {
			if _, err := s.Filings(t.Context(), "EXM", market.FilingQuery{}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.FilingSection(t.Context(), row.accession, market.FilingItem{Item: row.item})
		if row.accession == own {
			// The text is that of the annual report; this test only checks that the document was opened.
			if requestCount(script, folder+"000000123424000007/exm-10q.htm") != 1 {
				t.Errorf("%s: FilingSection = %v, and did not open the document", name, err)
			}
		} else if err != nil || got.Filing.Form != "10-K" || !strings.Contains(got.Text, "Risk Factors") || len(got.Filing.Contents) == 0 {
			t.Errorf("%s: FilingSection = %+v, %v", name, got, err)
		}
		if n := requestCount(script, masterPath); n != row.indexes {
			t.Errorf("%s: %d indexes were asked for, want %d", name, n, row.indexes)
		}
	}
}

func TestFilingSection_WhatCannotBeReadSaysWhy(t *testing.T) {
	s := source(t, newScript(t))
	item := market.FilingItem{Item: "1"}
	for accession, want := range map[string]error{
		"0000950170-24-000005": market.ErrUnknownSymbol, // not in the index: filed by an agent and never listed
		"0000950170-24-000033": market.ErrUnknownSymbol, // from a company without submissions
		"0000950170-30-000001": market.ErrUnknownSymbol, // from a future year
		"nonsense":             market.ErrInvalidAccession,
	} {
		if _, err := s.FilingSection(t.Context(), accession, item); !errors.Is(err, want) {
			t.Errorf("FilingSection(%s) = %v, want %v", accession, err, want)
		}
	}
	if _, err := s.Filings(t.Context(), "EXM", market.FilingQuery{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.FilingSection(t.Context(), "0000950170-24-000005", item); !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "-index.htm") {
		t.Errorf("section of a filing without main document = %v, want an ErrNoData with its address", err)
	}
}

func TestSearchIndex_FindsAllWhoFiledUnderANumber(t *testing.T) {
	const head = "Description: Master Index\n\nCIK|Company Name|Form Type|Date Filed|Filename\n-----\n"
	const lines = "9999|Doe Jane|4|2024-05-10|edgar/data/9999/0000950170-24-000008.txt\n1234|Example Corp|4|2024-05-10|edgar/data/1234/0000950170-24-000008.txt\nx|Odd|4|2024-05-10|edgar/data/1/0000950170-24-000008.txt\n"
	for name, row := range map[string]struct {
		text []byte
		want []string
		ok   bool
	}{
		"packed":        {gzipped(t, head+lines), []string{"0000009999", "0000001234"}, true},
		"as it is":      {[]byte(head + lines), []string{"0000009999", "0000001234"}, true},
		"not there":     {gzipped(t, head), nil, true},
		"no index":      {[]byte("<html></html>"), nil, false},
		"broken":        {gzipped(t, head+lines)[:40], nil, false},
		"endless lines": {[]byte(head + strings.Repeat("x", 1<<20)), nil, false},
	} {
		got, err := edgar.SearchIndex(row.text, "0000950170-24-000008")
		if diff := cmp.Diff(row.want, got); diff != "" && row.ok || (err == nil) != row.ok {
			t.Errorf("%s: SearchIndex = %v, %v, want %v, sound: %t", name, got, err, row.want, row.ok)
		}
	}
}

func TestRecorded_Filings(t *testing.T) {
	script := newScript(t).Respond(tickersPath, markettest.Response{Body: recording(t, "company_tickers.json.gz")}).
		Respond("/submissions/CIK0000320193.json", markettest.Response{Body: recording(t, "submissions-CIK0000320193-AAPL.json")})
	s := source(t, script)
	got, err := s.Filings(t.Context(), "AAPL", market.FilingQuery{Forms: []string{"10-K", "10-Q"}, Limit: 5})
	if err != nil || len(got) != 5 {
		t.Fatalf("Filings = %d, %v", len(got), err)
	}
	if first := got[0]; first.Form != "10-Q" || !first.Filed.Equal(date("2026-01-30")) || first.CIK != "0000320193" {
		t.Errorf("newest report of the recording = %+v, want the 10-Q of 2026-01-30", first)
	}
	profile, err := s.Profile(t.Context(), "AAPL")
	if err != nil || profile.SIC != "3571" || profile.FiscalYearEnd != "09-26" || len(profile.FormerNames) != 3 || profile.Country != "United States" || profile.MIC != "XNAS" {
		t.Errorf("Profile = %+v, %v", profile, err)
	}
	forms, err := s.Filings(t.Context(), "AAPL", market.FilingQuery{Forms: []string{"4"}, Filed: market.Range{From: date("2015-06-01")}})
	if err != nil || len(forms) < 500 {
		t.Errorf("forms 4 of the recording = %d, %v, want some 600", len(forms), err)
	}
}

func TestRecorded_PagesOfAList(t *testing.T) {
	for name, want := range map[string]int{
		"submissions-CIK0000320193-AAPL.json": 1005, "submissions-CIK0001009672.json": 1000, "submissions-CIK0001718179-small.json": 11,
	} {
		if n, err := edgar.CountFilings(recording(t, name)); err != nil || n != want {
			t.Errorf("%s has %d filings, %v, want %d", name, n, err, want)
		}
	}
	if n, err := edgar.CountOlderFilings(recording(t, "submissions-CIK0001009672-submissions-001.json")); err != nil || n != 205 {
		t.Errorf("the older page has %d filings, %v, want 205", n, err)
	}
}

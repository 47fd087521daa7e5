package edgar_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// listOf returns a company's list with n filings of one form and a number of older pages.
func listOf(t *testing.T, n int, form, document string, pages int) markettest.Response {
	t.Helper()
	columns := map[string][]string{}
	for i := range n {
		for name, value := range map[string]string{
			"accessionNumber": fmt.Sprintf("0000950170-24-%06d", 900-i), "filingDate": "2024-05-10", "reportDate": "", "form": form,
			"items": "", "primaryDocument": document, "acceptanceDateTime": "2024-05-10T16:00:00.000Z",
		} {
			columns[name] = append(columns[name], value)
		}
	}
	var files []map[string]string
	for i := range pages {
		files = append(files, map[string]string{"name": "CIK0000001234-submissions-001.json", "filingFrom": "2001-02-01", "filingTo": fmt.Sprintf("20%02d-11-03", 20-i)})
	}
	body, err := json.Marshal(map[string]any{
		"cik": "1234", "name": "Example Corp", "tickers": []string{"EXM"}, "filings": map[string]any{"recent": columns, "files": files},
	})
	if err != nil {
		t.Fatal(err)
	}
	return markettest.Response{Body: body}
}

func TestFilings_AnEndlessListIsCutAndSaysSo(t *testing.T) {
	script := newScript(t).Respond(submissionsPath, listOf(t, 3, "424B2", "a.htm", 30))
	got, err := source(t, script).Filings(t.Context(), "EXM", market.FilingQuery{})
	if err != nil || requestCount(script, olderPath) != 10 {
		t.Fatalf("Filings = %v with %d older pages, want 10", err, requestCount(script, olderPath))
	}
	if note := got[0].Provenance.Note; note != "filings before 2010-11-03 were not searched" {
		t.Errorf("note %q, want where the list ends", note)
	}
}

func TestInsiderTrades_NoMoreThanFortyFormsAreRead(t *testing.T) {
	script := newScript(t).Respond(submissionsPath, listOf(t, 60, "4", "xslF345X05/form4.xml", 0))
	for i := range 60 {
		script.Respond(fmt.Sprintf("%s0000950170%s/form4.xml", folder, fmt.Sprintf("24%06d", 900-i)), markettest.Response{Body: testdata(t, "form4.xml")})
	}
	got, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{}, 1000)
	if err != nil || len(got) != 120 {
		t.Fatalf("InsiderTrades = %d, %v, want the three trades of forty forms", len(got), err)
	}
	if forms := len(script.Requests()) - 2; forms != 40 || !strings.Contains(got[0].Provenance.Note, "not read") {
		t.Errorf("%d forms were read, note %q; want 40 and a note", forms, got[0].Provenance.Note)
	}
}

// Reports as filed, used in place of the example's.
func TestRecorded_Sections(t *testing.T) {
	const event = folder + "000095017024000006/exm-8k.htm"
	for _, row := range []struct {
		recording, path, accession string
		item                       market.FilingItem
		want                       string
		atLeast                    int
	}{
		{"10-K-Apple.html.gz", reportPath, "0000950170-24-000004", market.FilingItem{Item: "1A"}, "macroeconomic", 30_000},
		{"8k-nvda-20260302.htm", event, "0000950170-24-000006", market.FilingItem{Item: "5.02"}, "Variable Compensation Plan", 500},
	} {
		s := source(t, newScript(t).Respond(row.path, markettest.Response{Body: recording(t, row.recording)}))
		if _, err := s.Filings(t.Context(), "EXM", market.FilingQuery{}); err != nil {
			t.Fatal(err)
		}
		got, err := s.FilingSection(t.Context(), row.accession, row.item)
		if err != nil || len(got.Text) < row.atLeast || !strings.Contains(got.Text, row.want) {
			t.Errorf("%s: FilingSection(%s) = %d bytes, %v, want %q in at least %d", row.recording, row.item, len(got.Text), err, row.want, row.atLeast)
		}
	}
}

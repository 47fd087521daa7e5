package report_test

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/report"
)

const prices = `Prices below; 99% are sample.

| what | AAPL price | change |
|---|---|---|
| **close** | 70.70 USD | 12.5% |
| none | | - |

| b |
|---|
| text, with "quotes" |
`

func TestNew_CSVHoldsTheTablesWithAColumnOfSources(t *testing.T) {
	want := `what,AAPL price,change,figures
close,70.70 USD,12.5%,[^1] 70.70 USD; [untraced] 12.5%
none,,-,
,,,
b,figures,,
"text, with ""quotes""",,,
,,,
1 of 2 figures traced.,,,
[^1],"AAPL price 70.7 USD · as of 2020-04-17 · source: SAMPLE_data · tool: quote {""symbols"":[""AAPL""]}",,
`
	r := newReport(t, prices, options(report.CSV))
	if diff := cmp.Diff(want, string(r.Data)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if rows, err := csv.NewReader(strings.NewReader(string(r.Data))).ReadAll(); err != nil || len(rows) != 9 {
		t.Errorf("read back as %d rows, %v; want 9 of one length", len(rows), err)
	}
	for _, n := range r.Provenance.Numbers {
		if n.Line != 2 {
			t.Errorf("%s is in row %d of the record, want 2", n.Text, n.Line)
		}
	}
	wantSound(t, r)
}

func TestNew_CSVTakesCSV(t *testing.T) {
	r := newReport(t, "AAPL price,n\n70.70 USD,x\n", options(report.CSV))
	if got := string(r.Data); !strings.HasPrefix(got, "AAPL price,n,figures\n70.70 USD,x,[^1] 70.70 USD\n") {
		t.Errorf("report =\n%s", got)
	}
	wantSound(t, r)
}

func TestNew_WhatHoldsNoTableIsNoCSV(t *testing.T) {
	for _, text := range []string{"Just prose.", "a,b\n1\n", "", "a \"b\",c"} {
		if r, err := report.New(text, options(report.CSV)); !errors.Is(err, report.ErrNoTable) {
			t.Errorf("New(%q) = %q, %v; want ErrNoTable", text, r.Data, err)
		}
	}
}

func TestNew_NoCellIsAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+A1": "'+A1", "-A1": "'-A1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", " =1": "' =1", "-1+2": "'-1+2", "-$5": "'-$5",
		"-3.5 %": "-3.5 %", "+1.2": "+1.2", "-": "-", "-1,234.5": "-1,234.5", "1e-5": "1e-5", "-1e-5": "-1e-5", "a=b": "a=b", "'=x": "'=x",
	} {
		var in strings.Builder
		w := csv.NewWriter(&in)
		if err := w.WriteAll([][]string{{"a", "b"}, {"x", cell}}); err != nil {
			t.Fatal(err)
		}
		r := newReport(t, in.String(), options(report.CSV))
		rows, err := csv.NewReader(strings.NewReader(string(r.Data))).ReadAll()
		if err != nil || rows[1][1] != want {
			t.Errorf("cell %q is written as %q, %v; want %q", cell, rows[1][1], err, want)
		}
		wantSound(t, r)
	}
}

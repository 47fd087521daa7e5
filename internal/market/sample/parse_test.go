// Inside the package: the parsers are reached from outside only through the
// embedded files, which are all well formed.
package sample

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	head      = "# symbol: X\n# interval: daily\n# currency: USD\n# unit: price\n# adjustment: raw\n# source: test\n# fetched: 2026-01-02\n"
	fullNames = "date,open,high,low,close,volume\n"
	yearNames = "fiscal_year,period_end,form,filed,accession,revenue\n"
)

func TestParseSeries_ErrorsNameTheLine(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"price":        {head + "date,close\n2020-01-02,1\n2020-01-03,1.x\n", "line 10: close"},
		"zero price":   {head + "date,close\n2020-01-02,0\n", "line 9: close: 0 is not above zero"},
		"too long":     {head + "date,close\n2020-01-02,1234567890123456789\n", "line 9: close"},
		"date":         {head + "date,close\n2020-02-30,1\n", "line 9: \"2020-02-30\""},
		"same day":     {head + "date,close\n2020-01-02,1\n2020-01-02,1\n", "line 10: 2020-01-02 does not follow"},
		"cells":        {head + "date,close\n2020-01-02,1,2\n", "line 9: want 2 cells"},
		"few cells":    {head + fullNames + "2020-01-02,1,2\n", "line 9: want 6 cells"},
		"high too low": {head + fullNames + "2020-01-02,5,4,3,4,1\n", "line 9: open 5"},
		"volume":       {head + fullNames + "2020-01-02,5,6,3,4,-1\n", "line 9: volume"},
		"head key":     {"# sybmol: X\n", "line 1: "},
		"head twice":   {"# unit: a\n# unit: b\n", "line 2: \"unit\" stands twice"},
		"columns":      {head + "close,date\n", "columns"},
		"no rows":      {head + "date,close\n", "no bars"},
		"interval":     {strings.Replace(head, "daily", "hourly", 1) + "date,close\n2020-01-02,1\n", "interval"},
		"adjustment":   {strings.Replace(head, "raw", "some", 1) + "date,close\n2020-01-02,1\n", "adjustment"},
		"empty":        {"", "no row of column names"},
	} {
		if _, err := parseSeries([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: parseSeries = %v, want %q in it", name, err, row.want)
		}
	}
}

func TestParseStatements_ErrorsNameTheLine(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"year":   {head + yearNames + "20x0,2020-12-31,10-K,,,1\n", "line 9: fiscal year"},
		"form":   {head + yearNames + "2020,2020-12-31,,,,1\n", "line 9: no form"},
		"figure": {head + yearNames + "2020,2020-12-31,10-K,,,1e3\n", "line 9: revenue"},
		"order":  {head + yearNames + "2019,2019-12-31,10-K,,,1\n2020,2020-12-31,10-K,,,1\n", "line 10: 2020-12-31 is not older"},
	} {
		if _, err := parseStatements([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: parseStatements = %v, want %q in it", name, err, row.want)
		}
	}
}

func TestParseDecimal_KeepsEveryDigit(t *testing.T) {
	for _, text := range []string{"0.24251236", "1438.36", "-2722000000", "416161000000", "0", "123456789012345678"} {
		if got, err := parseDecimal([]byte(text)); err != nil || got.String() != text {
			t.Errorf("parseDecimal(%s) = %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-", ".5", "5.", "+1", "1e3", "1,5", "--1", "1.-2"} {
		if got, err := parseDecimal([]byte(text)); err == nil {
			t.Errorf("parseDecimal(%q) = %s, want an error", text, got)
		}
	}
}

func FuzzParseSeries(f *testing.F) {
	f.Add([]byte(head + "date,close\n2020-01-02,1.5\n"))
	f.Add([]byte(head + fullNames + "2020-01-02,5,6,3,4,100\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		series, err := parseSeries(text)
		if err != nil {
			return
		}
		for i, b := range series.Bars {
			if !b.Close.IsPositive() || i > 0 && !b.Date.After(series.Bars[i-1].Date) {
				t.Fatalf("accepted bar %d: %+v", i, b)
			}
		}
		if !series.Provenance.Has(market.FlagSample) {
			t.Fatal("accepted without the sample flag")
		}
	})
}

func FuzzParseStatements(f *testing.F) {
	f.Add([]byte(head + yearNames + "2020,2020-12-31,10-K,,,-12.5\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseStatements(text)
		if err == nil && len(all) == 0 {
			t.Fatal("accepted no statements")
		}
	})
}

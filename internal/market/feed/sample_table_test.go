// Inside the package: the parsers are reached from outside only through the
// embedded files, which are all well formed.
package feed

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	barsHead       = "# symbol: X\n# interval: daily\n# currency: USD\n# unit: price\n# adjustment: raw\n# source: test\n# fetched: 2026-01-02\n"
	barsColumns    = "date,open,high,low,close,volume\n"
	statementsHead = "fiscal_year,period_end,form,filed,accession,revenue\n"
)

func TestParseSeries_ErrorsNameTheLine(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"price":        {barsHead + "date,close\n2020-01-02,1\n2020-01-03,1.x\n", "line 10: close"},
		"zero price":   {barsHead + "date,close\n2020-01-02,0\n", "line 9: close: 0 is not above zero"},
		"too long":     {barsHead + "date,close\n2020-01-02,1234567890123456789\n", "line 9: close"},
		"date":         {barsHead + "date,close\n2020-02-30,1\n", "line 9: \"2020-02-30\""},
		"same day":     {barsHead + "date,close\n2020-01-02,1\n2020-01-02,1\n", "line 10: 2020-01-02 does not follow"},
		"cells":        {barsHead + "date,close\n2020-01-02,1,2\n", "line 9: want 2 cells"},
		"few cells":    {barsHead + barsColumns + "2020-01-02,1,2\n", "line 9: want 6 cells"},
		"high too low": {barsHead + barsColumns + "2020-01-02,5,4,3,4,1\n", "line 9: open 5"},
		"volume":       {barsHead + barsColumns + "2020-01-02,5,6,3,4,-1\n", "line 9: volume"},
		"head key":     {"# sybmol: X\n", "line 1: "},
		"head twice":   {"# unit: a\n# unit: b\n", "line 2: \"unit\" stands twice"},
		"columns":      {barsHead + "close,date\n", "columns"},
		"no rows":      {barsHead + "date,close\n", "no bars"},
		"interval":     {strings.Replace(barsHead, "daily", "hourly", 1) + "date,close\n2020-01-02,1\n", "interval"},
		"adjustment":   {strings.Replace(barsHead, "raw", "some", 1) + "date,close\n2020-01-02,1\n", "adjustment"},
		"empty":        {"", "no row of column names"},
	} {
		if _, err := parseSampleBars([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: parseSeries = %v, want %q in it", name, err, row.want)
		}
	}
}

func TestParseStatements_ErrorsNameTheLine(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"year":   {barsHead + statementsHead + "20x0,2020-12-31,10-K,,,1\n", "line 9: fiscal year"},
		"form":   {barsHead + statementsHead + "2020,2020-12-31,,,,1\n", "line 9: no form"},
		"figure": {barsHead + statementsHead + "2020,2020-12-31,10-K,,,1e3\n", "line 9: revenue"},
		"order":  {barsHead + statementsHead + "2019,2019-12-31,10-K,,,1\n2020,2020-12-31,10-K,,,1\n", "line 10: 2020-12-31 is not older"},
	} {
		if _, err := parseSampleStatements([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: parseStatements = %v, want %q in it", name, err, row.want)
		}
	}
}

func TestParseDecimal_KeepsEveryDigit(t *testing.T) {
	for _, text := range []string{"0.24251236", "1438.36", "-2722000000", "416161000000", "0", "123456789012345678"} {
		if got, err := parseSampleDecimal([]byte(text)); err != nil || got.String() != text {
			t.Errorf("parseDecimal(%s) = %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-", ".5", "5.", "+1", "1e3", "1,5", "--1", "1.-2"} {
		if got, err := parseSampleDecimal([]byte(text)); err == nil {
			t.Errorf("parseDecimal(%q) = %s, want an error", text, got)
		}
	}
}

func FuzzParseSeries(f *testing.F) {
	f.Add([]byte(barsHead + "date,close\n2020-01-02,1.5\n"))
	f.Add([]byte(barsHead + barsColumns + "2020-01-02,5,6,3,4,100\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		series, err := parseSampleBars(text)
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
	f.Add([]byte(barsHead + statementsHead + "2020,2020-12-31,10-K,,,-12.5\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseSampleStatements(text)
		if err == nil && len(all) == 0 {
			t.Fatal("accepted no statements")
		}
	})
}

const economicHead = "# series: X\n# title: x\n# unit: percent\n# frequency: monthly\n# seasonal: none\n# publisher: p\n# lag: 10\n# source: test\n# fetched: 2026-01-02\n"

func TestParseEconomic_ErrorsNameTheLine(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"value":      {economicHead + "date,value\n2020-01-01,.\n", "line 11: \".\" is no decimal"},
		"date":       {economicHead + "date,value\n2020-13-01,1\n", "line 11: \"2020-13-01\""},
		"order":      {economicHead + "date,value\n2020-02-01,1\n2020-01-01,1\n", "line 12: 2020-01-01 does not follow"},
		"cells":      {economicHead + "date,value\n2020-02-01\n", "line 11: want 2 cells"},
		"all empty":  {economicHead + "date,value\n2020-02-01,\n", "no observation has a value"},
		"columns":    {economicHead + "value,date\n", "columns"},
		"identifier": {strings.Replace(economicHead, "series: X", "series: a b", 1) + "date,value\n2020-01-01,1\n", "series:"},
		"frequency":  {strings.Replace(economicHead, "monthly", "hourly", 1) + "date,value\n2020-01-01,1\n", "frequency"},
		"lag":        {strings.Replace(economicHead, "lag: 10", "lag: ten", 1) + "date,value\n2020-01-01,1\n", "lag"},
		"no unit":    {strings.Replace(economicHead, "# unit: percent\n", "", 1) + "date,value\n2020-01-01,1\n", "head lacks unit"},
		"vintage":    {"# vintage: soon\n" + economicHead + "date,value\n2020-01-01,1\n", "vintage"},
	} {
		if _, err := parseSampleEconomic([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: parseEconomic = %v, want %q in it", name, err, row.want)
		}
	}
}

const filingsHead = "# symbol: X\n# cik: 0000000042\n# company: x\n# source: test\n# fetched: 2026-01-02\naccession,form,filed,period,items,document\n"

func TestParseFilings_ErrorsNameTheLine(t *testing.T) {
	good := "0000000042-24-000001,10-K,2024-02-01,2023-12-31,,a.htm\n"
	for name, row := range map[string]struct{ text, want string }{
		"accession": {filingsHead + "42-24-1,10-K,2024-02-01,,,a.htm\n", "line 7: invalid accession"},
		"form":      {filingsHead + "0000000042-24-000001,,2024-02-01,,,a.htm\n", "line 7: no form"},
		"filed":     {filingsHead + "0000000042-24-000001,10-K,,,,a.htm\n", "line 7: filed"},
		"period":    {filingsHead + "0000000042-24-000001,10-K,2024-02-01,2023,,a.htm\n", "line 7: period"},
		"order":     {filingsHead + good + "0000000042-24-000002,10-K,2024-02-02,,,a.htm\n", "line 8: 2024-02-02 is newer"},
		"none":      {filingsHead, "no filings"},
		"no cik":    {strings.Replace(filingsHead, "# cik: 0000000042\n", "", 1) + good, "head lacks cik"},
		"columns":   {strings.Replace(filingsHead, "accession,", "number,", 1) + good, "columns"},
	} {
		if _, err := parseSampleFilings([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: parseFilings = %v, want %q in it", name, err, row.want)
		}
	}
}

func TestParseSections_EachEndsWhereTheNextBegins(t *testing.T) {
	got, err := parseSampleSections([]byte("= I | 1 | Business\none\ntwo\n= I | 1B | Nothing\n=  | 5.02 | Officers | and directors\nlast"))
	if err != nil || len(got) != 3 {
		t.Fatalf("parseSections = %+v, %v; want three", got, err)
	}
	for i, want := range []struct{ item, title, text string }{
		{"Part I Item 1", "Business", "one\ntwo\n"}, {"Part I Item 1B", "Nothing", ""}, {"Item 5.02", "Officers | and directors", "last"},
	} {
		if got[i].String() != want.item || got[i].Title != want.title || got[i].text != want.text {
			t.Errorf("section %d = %+v, want %+v", i, got[i], want)
		}
	}
	for text, want := range map[string]string{"": "no sections", "lost\n": "line 1: text before", "= I | 1\n": "line 1", "\n= x | y | z\n": "line 1"} {
		if _, err := parseSampleSections([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseSections(%q) = %v, want %q", text, err, want)
		}
	}
}

func FuzzParseSections(f *testing.F) {
	for _, seed := range []string{"= I | 1 | A\ntext\n= II | 1A | B\n", "=  | 5.02 | C\n", "= ", "=", "x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		sections, err := parseSampleSections(text)
		if err != nil {
			return
		}
		for _, s := range sections {
			if !strings.Contains(string(text), s.text) || strings.HasPrefix(s.text, "= ") || strings.Contains(s.text, "\n= ") {
				t.Errorf("parseSections(%q) has a section %q", text, s.text)
			}
		}
	})
}

func FuzzParseEconomic(f *testing.F) {
	f.Add([]byte(economicHead + "date,value\n2020-01-01,1\n2020-02-01,\n"))
	f.Add([]byte("date,value\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseSampleEconomic(text)
		if err != nil {
			return
		}
		if last, ok := s.Latest(); !ok || !s.Provenance.AsOf.Equal(last.Date) || s.ID == "" {
			t.Errorf("parseEconomic(%q) = %+v without a last value", text, s)
		}
	})
}

func FuzzParseFilings(f *testing.F) {
	f.Add([]byte(filingsHead + "0000000042-24-000001,8-K,2024-02-01,2024-01-31,2.02 9.01,a.htm\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseSampleFilings(text)
		if err != nil {
			return
		}
		for i, one := range all {
			if one.Accession == "" || one.Filed.IsZero() || i > 0 && one.Filed.After(all[i-1].Filed) {
				t.Errorf("parseFilings(%q) has %+v", text, one)
			}
		}
	})
}

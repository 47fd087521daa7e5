package companies_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestFilingSection_CarriesTextPlaceAndSource(t *testing.T) {
	res, got := publications.CallOK(t, publicationDeps(t), "filing_section", args{"symbol": "AAPL", "year": 2024, "item": "Item 7"})
	toolstest.WantFields(t, got, map[string]any{
		"accession": "0000320193-24-000123", "form": "10-K", "filed": "2024-11-01", "period": "2024-09-28", "item": "Part II Item 7",
		"offset": 0.0, "as_of": "2024-11-01", "flags": []any{"sample"}, "confidence": 1.0, "warnings": []any{},
	})
	if got["next_offset"] != nil || !strings.Contains(got["text"].(string), "| 96,169 |") {
		t.Errorf("next offset %v; want Item 7 in one piece with its table", got["next_offset"])
	}
	if strings.Contains(res.UserText(), "96,169") || !strings.Contains(res.UserText(), "SAMPLE") || !strings.Contains(res.UserText(), "https://www.sec.gov/") {
		t.Errorf("shown as %s; want the place and the address, not the text", res.UserText())
	}
}

func TestFilingSection_NumbersCanBeTracedAsPrintedAndInTheirScale(t *testing.T) {
	res, _ := publications.CallOK(t, publicationDeps(t), "filing_section", args{"accession": "0000320193-24-000123", "item": "7"})
	printed := toolstest.Figure(t, res, "0000320193-24-000123.Part_II_Item_7.96169")
	if printed.Unit != "as printed" || !strings.HasPrefix(printed.Label, "Services (1) | 96,169") || !strings.Contains(printed.Source, "10-K of AAPL for 2024-09-28, Part II Item 7") {
		t.Errorf("figure = %+v", printed)
	}
	millions := toolstest.Figure(t, res, "0000320193-24-000123.Part_II_Item_7.96169_millions")
	if millions.Value.String() != "96169000000" || millions.Unit != "as printed, in millions" {
		t.Errorf("figure = %+v, want 96,169 million", millions)
	}
}

func TestFilingSection_TheScaleIsTheFirstThatTheLastTableNames(t *testing.T) {
	text := "In 2023 we sold 5 things (in thousands):\na | 7\n(In millions, except shares, which are in thousands)\nb | 9 | M4\n"
	res, _ := publications.CallOK(t, filingDeps(t, "2024-06-30T00:00:00Z", text), "filing_section", args{"accession": filingSecond, "item": "1A"})
	var got []string
	for _, f := range res.Figures {
		got = append(got, f.Value.String())
	}
	if want := "2023 5 7 7000 9 9000000"; strings.Join(got, " ") != want {
		t.Errorf("figures %v, want %s", got, want)
	}
}

func TestFilingSection_ALongOneIsReadInPiecesThatJoin(t *testing.T) {
	for name, text := range map[string]string{
		"lines":      strings.Repeat("risk and reward, é and ü | 12,345 |\n", 1500),
		"one line":   strings.Repeat("é", 30_000),
		"exact size": strings.Repeat("x", 16<<10),
	} {
		t.Run(name, func(t *testing.T) {
			d := filingDeps(t, "2024-06-30T00:00:00Z", text)
			var read strings.Builder
			for offset, pieces := 0, 0; ; pieces++ {
				res, got := publications.CallOK(t, d, "filing_section", args{"accession": filingSecond, "item": "1A", "offset": offset})
				piece := got["text"].(string)
				if !utf8.ValidString(piece) || len(piece) > 16<<10 || len(res.ModelText()) > tool.DefaultModelBytes || pieces > 10 {
					t.Fatalf("piece %d at %d has %d bytes, %d for the model", pieces, offset, len(piece), len(res.ModelText()))
				}
				read.WriteString(piece)
				next, more := got["next_offset"].(float64)
				if !more {
					break
				}
				offset = int(next)
			}
			if read.String() != text {
				t.Errorf("the pieces join to %d bytes, want the %d of the section", read.Len(), len(text))
			}
		})
	}
}

func TestFilingSection_AnOffsetThatCannotBe(t *testing.T) {
	d := filingDeps(t, "2024-06-30T00:00:00Z", "ééé")
	for offset, want := range map[int]string{-1: "use 0 to 5", 6: "use 0 to 5", 1: "inside a character"} {
		toolstest.WantError(t, publications.Call(t, d, "filing_section", args{"accession": filingSecond, "item": "1A", "offset": offset}), tool.CodeValidation, want)
	}
	_, empty := publications.CallOK(t, filingDeps(t, "2024-06-30T00:00:00Z", ""), "filing_section", args{"accession": filingSecond, "item": "1A"})
	toolstest.WantFields(t, empty, map[string]any{"text": "", "size": 0.0})
}

func TestFilingSection_NamesTheFilingOrAsksBack(t *testing.T) {
	d := filingDeps(t, "2024-06-30T00:00:00Z", "new risks")
	_, newest := publications.CallOK(t, d, "filing_section", args{"symbol": "VTI", "item": "1A"})
	toolstest.WantFields(t, newest, map[string]any{"accession": filingSecond, "text": "new risks"})
	_, older := publications.CallOK(t, d, "filing_section", args{"symbol": "VTI", "year": 2022, "item": "I-1A"})
	toolstest.WantFields(t, older, map[string]any{"accession": filingFirst, "text": "old risks"})
	_, bare := publications.CallOK(t, d, "filing_section", args{"accession": strings.ReplaceAll(filingThird, "-", ""), "item": "Part II Item 1"})
	toolstest.WantFields(t, bare, map[string]any{"accession": filingThird, "text": "proceedings", "item": "Part II Item 1"})

	for name, row := range map[string]struct {
		in         args
		code, want string
	}{
		"two parts":      {args{"symbol": "VTI", "form": "10-Q", "item": "1"}, tool.CodeNoData, "I-1, II-1"},
		"no such item":   {args{"accession": filingFirst, "item": "7"}, tool.CodeNoData, "I-1A"},
		"no such year":   {args{"symbol": "VTI", "year": 2021, "item": "1A"}, tool.CodeNoData, "ends in 2021; the newest is for 2023-12-31"},
		"nothing named":  {args{"item": "1A"}, tool.CodeValidation, "accession is required"},
		"no accession":   {args{"accession": "42", "item": "1A"}, tool.CodeValidation, "0000320193-24-000123"},
		"unfiled number": {args{"accession": "0000000042-24-000099", "item": "1A"}, market.CodeUnknownSymbol, "unknown"},
		"no item":        {args{"accession": filingFirst, "item": "risk factors"}, tool.CodeValidation, `"1A"`},
	} {
		t.Run(name, func(t *testing.T) {
			toolstest.WantError(t, publications.Call(t, d, "filing_section", row.in), row.code, row.want)
		})
	}
}

func TestFilingSection_WarnsIfSeveralFilingsMatch(t *testing.T) {
	d := filingDeps(t, "2024-12-31T00:00:00Z", "")
	quarter := func(accession, period, text string) market.FilingSection {
		return markettest.Section("VTI", accession, "10-Q", toolstest.MustDay(period), market.FilingItem{Part: "I", Item: "2"}, text)
	}
	d.Filings = markettest.NewFilingSource(quarter(filingFirst, "2023-09-30", "old"), quarter(filingSecond, "2024-03-31", "spring"), quarter(filingThird, "2024-06-30", "summer"))
	_, year := publications.CallOK(t, d, "filing_section", args{"symbol": "VTI", "form": "10-Q", "year": 2024, "item": "2"})
	toolstest.WantFields(t, year, map[string]any{
		"text": "summer", "warnings": []any{"2 filings match; this is the newest, filed 2024-07-30 (for another one set accession)"},
	})
	_, one := publications.CallOK(t, d, "filing_section", args{"symbol": "VTI", "form": "10-Q", "year": 2023, "item": "2"})
	toolstest.WantFields(t, one, map[string]any{"text": "old", "warnings": []any{}})
	_, newest := publications.CallOK(t, d, "filing_section", args{"symbol": "VTI", "form": "10-Q", "item": "2"})
	toolstest.WantFields(t, newest, map[string]any{"text": "summer", "warnings": []any{}})
}

func TestFilingSection_ReportsCrossReferences(t *testing.T) {
	res, got := publications.CallOK(t, publicationDeps(t), "filing_section", args{"accession": "0000320193-24-000123", "item": "11"})
	if got["cross_reference"] != true || !strings.Contains(res.UserText(), "in another document or section") {
		t.Errorf("cross reference %v, shown as %s", got["cross_reference"], res.UserText())
	}
	if !strings.Contains(fmt.Sprint(got["text"]), "2025 Proxy Statement") {
		t.Errorf("text %v", got["text"])
	}
}

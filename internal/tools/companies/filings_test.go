package companies_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

const (
	filingFirst  = "0000000042-23-000001"
	filingSecond = "0000000042-24-000001"
	filingThird  = "0000000042-24-000002"
)

// newFilingSource returns three filings of VTI: annual reports filed 2023-01-31 and 2024-01-31, and a
// quarterly report filed 2024-05-01.
func newFilingSource(t testing.TB, text string) *markettest.FilingSource {
	t.Helper()
	item := func(part, item string) market.FilingItem { return market.FilingItem{Part: part, Item: item} }
	return markettest.NewFilingSource(
		markettest.Section("VTI", filingFirst, "10-K", toolstest.MustDay("2022-12-31"), item("I", "1A"), "old risks"),
		markettest.Section("VTI", filingSecond, "10-K", toolstest.MustDay("2023-12-31"), item("I", "1A"), text),
		markettest.Section("VTI", filingThird, "10-Q", toolstest.MustDay("2024-04-01"), item("I", "1"), "statements"),
		markettest.Section("VTI", filingThird, "10-Q", toolstest.MustDay("2024-04-01"), item("II", "1"), "proceedings"),
	)
}

func filingDeps(t testing.TB, at, text string) companies.PublicationDeps {
	t.Helper()
	known := markettest.NewSource(markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101"))
	return companies.PublicationDeps{Directory: known, Filings: newFilingSource(t, text), Now: toolstest.Clock(t, at)}
}

func TestFilings_NewestFirst(t *testing.T) {
	res, got := publications.CallOK(t, publicationDeps(t), "filings", args{"symbol": "apple", "form": "10k", "limit": 2})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "AAPL", "company": "Apple Inc.", "cik": "0000320193", "as_of": "2025-10-31", "flags": []any{"sample"},
		"more": "for older filings raise limit or set to before 2024-11-01",
	})
	report := got["filings"].([]any)[1].(map[string]any)
	toolstest.WantFields(t, report, map[string]any{
		"accession": "0000320193-24-000123", "form": "10-K", "filed": "2024-11-01", "period": "2024-09-28",
		"url": "https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm",
	})
	if !strings.Contains(fmt.Sprint(report["contents"]), "I-1A") || got["filings"].([]any)[0].(map[string]any)["contents"] != nil {
		t.Errorf("contents %v; want them only for the filing with text", report["contents"])
	}
	if !strings.Contains(res.UserText(), "| 2024-11-01 | 10-K | 2024-09-28 |") || !strings.Contains(res.UserText(), "SAMPLE") {
		t.Errorf("shown as %s", res.UserText())
	}
}

func TestFilings_FormsAsPeopleWriteThem(t *testing.T) {
	for form, want := range map[string]string{
		"10-k": "10-K", "10K": "10-K", " 8k ": "8-K", "DEF-14A": "DEF 14A", "def14a": "DEF 14A", "10 Q": "10-Q",
	} {
		_, got := publications.CallOK(t, publicationDeps(t), "filings", args{"symbol": "AAPL", "form": form, "limit": 1})
		if have := got["filings"].([]any)[0].(map[string]any)["form"]; have != want {
			t.Errorf("form %q gives a %v, want a %s", form, have, want)
		}
	}
	_, both := publications.CallOK(t, publicationDeps(t), "filings", args{"symbol": "AAPL", "form": "10-K, 10-Q", "from": "2025-07", "to": "2025-12"})
	if diff := cmp.Diff([]string{"10-K 2025-10-31", "10-Q 2025-08-01"}, toolstest.Rows(t, both, "filings", "form", "filed")); diff != "" {
		t.Errorf("two forms in half a year (-want +got):\n%s", diff)
	}
}

func TestFilings_WhatCannotBeListedSaysWhatCan(t *testing.T) {
	toolstest.WantError(t, publications.Call(t, publicationDeps(t), "filings", args{"symbol": "AAPL", "form": "20-F"}), tool.CodeNoData, "10-Q, DEF 14A, 10-K")
	toolstest.WantError(t, publications.Call(t, publicationDeps(t), "filings", args{"symbol": "MSFT"}), tool.CodeNoData, "only for AAPL, NVDA")
	toolstest.WantError(t, publications.Call(t, publicationDeps(t), "filings", args{"symbol": "NOSUCH"}), market.CodeUnknownSymbol, `no symbol "NOSUCH"`)
	toolstest.WantError(t, publications.Call(t, publicationDeps(t), "filings", args{"symbol": "AAPL", "limit": 51}), tool.CodeValidation, "1 to 50")
	toolstest.WantError(t, publications.Call(t, publicationDeps(t), "filings", args{"symbol": "AAPL", "from": "2025", "to": "2024"}), tool.CodeValidation, "swap")
}

func TestFilings_AClockSetBackHidesWhatWasFiledLater(t *testing.T) {
	d := filingDeps(t, "2024-01-31T09:00:00Z", "new risks")
	forgetful := newFilingSource(t, "new risks")
	forgetful.IgnoresQuery = true
	for name, source := range map[string]market.FilingSource{"honest": d.Filings, "forgetful": forgetful} {
		d.Filings = source
		_, got := publications.CallOK(t, d, "filings", args{"symbol": "VTI", "to": "2024-12-31"})
		if diff := cmp.Diff([]string{"10-K 2024-01-31", "10-K 2023-01-31"}, toolstest.Rows(t, got, "filings", "form", "filed")); diff != "" {
			t.Errorf("%s source (-want +got):\n%s", name, diff)
		}
	}
	d.Filings, d.Now = forgetful, toolstest.Clock(t, "2023-01-30T00:00:00Z")
	toolstest.WantError(t, publications.Call(t, d, "filings", args{"symbol": "VTI"}), tool.CodeNoData, "on or before 2023-01-30")
	toolstest.WantError(t, publications.Call(t, d, "filing_section", args{"accession": filingFirst, "item": "1A"}), tool.CodeNoData, "was not yet filed on 2023-01-30")
	d.Now = toolstest.Clock(t, "2023-06-30T00:00:00Z")
	_, got := publications.CallOK(t, d, "filing_section", args{"symbol": "VTI", "item": "1A"})
	toolstest.WantFields(t, got, map[string]any{"text": "old risks", "accession": filingFirst})
}

func TestFilings_SourceOutOfReachIsNotNoData(t *testing.T) {
	d := filingDeps(t, "2024-06-30T00:00:00Z", "risks")
	down := markettest.NewFilingSource()
	down.Err = fmt.Errorf("edgar: status 403: %w", market.ErrUnavailable)
	d.Filings = down
	toolstest.WantError(t, publications.Call(t, d, "filings", args{"symbol": "VTI"}), "", "status 403")
	toolstest.WantError(t, publications.Call(t, d, "filing_section", args{"accession": filingFirst, "item": "1A"}), "", "status 403")
}

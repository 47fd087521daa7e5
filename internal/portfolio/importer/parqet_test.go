package importer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const parqetHeader = `"datetime";"date";"time";"price";"shares";"amount";"tax";"fee";"realizedgains";"type";"broker";"assettype";"identifier";"wkn";"originalcurrency";"currency";"fxrate";"holding";"holdingname";"holdingnickname";"exchange";"avgholdingperiod"; `

// parqetLine returns a line of 2 January 2024 with numbers, type, kind of asset and identifier.
func parqetLine(numbers, kind, asset, identifier string) string {
	return `"2024-01-02T08:00:00.000Z";"02.01.2024";"09:00:00";` + numbers + `;;"` + kind + `";"broker";"` + asset + `";"` + identifier + `";"";;"EUR";;;"Its name";"";""; `
}

// Computed by hand from the 27 lines: 18 purchases of 3299.64, 7 dividends of 140.94 with 19.64 of
// tax, and 2 sales of 1578.00 and 320.32 with fees of 1.00 each and a tax of 14.83. With the second
// one, on line 25, 12.64 of tax were refunded:
//
//	1898.32 - 2.00 - 14.83 + 12.64 + 140.94 - 19.64 - 3299.64 = -1284.21
func TestParqet_RecordedExportComesOutAsByHand(t *testing.T) {
	s := importertest.Read(t, importer.Parqet(), importertest.Recorded(t, "parqet.csv"), importer.Options{})
	if diff := cmp.Diff(map[string]string{"EUR": "-1284.21"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash differs from that by hand:\n%s", diff)
	}
	shares := map[market.Symbol]string{"LU2089238203": "105.232424", "IE00BM67HT60": "3.11257", "DE0008404005": "-6", "IL0011582033": "-14"}
	if diff := cmp.Diff(shares, importertest.Shares(s)); diff != "" {
		t.Errorf("shares differ from those by hand:\n%s", diff)
	}
	for kind, want := range map[portfolio.Kind]string{
		portfolio.KindBuy: "3299.64", portfolio.KindDividend: "140.94", portfolio.KindSell: "1898.32",
		portfolio.KindTaxRefund: "12.64",
	} {
		if got := importertest.Sum(s, kind)["EUR"]; got != want {
			t.Errorf("sum of %s = %s, want %s", kind, got, want)
		}
	}
	if len(s.Entries) != 28 || len(s.Ignored) != 0 || len(s.Problems) != 0 {
		t.Errorf("%d entries, %d ignored, problems %v; want 28 of the 27 lines and nothing else", len(s.Entries), len(s.Ignored), s.Problems)
	}
}

func TestParqet_EachTypeIsBooked(t *testing.T) {
	for _, row := range []struct{ name, line, want string }{
		{"purchase", parqetLine("28,03;17,83803;500;0;1,5", "Buy", "Security", "LU2089238203"), "[2] 2024-01-02 buy LU2089238203 17.83803 @28.03 500 EUR fee 1.5"},
		{"sale", parqetLine("263;6;1.578;14,83;1", "Sell", "Security", "DE0008404005"), "[2] 2024-01-02 sell DE0008404005 6 @263 1578 EUR fee 1 tax 14.83"},
		{"dividend", parqetLine("0,24;40;9,66;2,48;0", "Dividend", "Security", "US7561091049"), "[2] 2024-01-02 dividend US7561091049 9.66 EUR tax 2.48"},
		{"coin", parqetLine("40000,5;0,01;400,01;0;0", "Buy", "Crypto", "BTC"), "[2] 2024-01-02 buy BTC-USD 0.01 @40000.5 400.01 EUR"},
		{"shares from elsewhere", parqetLine("10;5;50;0;0", "TransferIn", "Security", "DE0008404005"), "[2] 2024-01-02 transfer_in DE0008404005 5 @10 cost unknown"},
		{"shares to elsewhere", parqetLine("10;5;50;0;0", "TransferOut", "Security", "DE0008404005"), "[2] 2024-01-02 transfer_out DE0008404005 5"},
		{"money paid in", parqetLine("1;250;250;0;0", "TransferIn", "Cash", ""), "[2] 2024-01-02 deposit 250 EUR"},
		{"money paid out", parqetLine("1;250;250;0;0", "TransferOut", "Cash", ""), "[2] 2024-01-02 withdrawal 250 EUR"},
		{"interest", parqetLine("1;2,5;2,5;0,6;0", "Interest", "Cash", ""), "[2] 2024-01-02 interest 2.5 EUR tax 0.6"},
		{"cost", parqetLine("0;0;0;0;4,9", "Cost", "Security", "DE0008404005"), "[2] 2024-01-02 fee DE0008404005 4.9 EUR"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := importertest.Read(t, importer.Parqet(), importertest.File(parqetHeader, row.line), importer.Options{})
			if diff := cmp.Diff([]string{row.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

// 40 shares at 9.50 are 380; of the 100.00 of tax paid before, 12.64 came back with the sale: 380 -
// 1 + 12.64 = 391.64.
func TestParqet_TaxGivenBackIsATransactionOfTheSameLine(t *testing.T) {
	s := importertest.Read(t, importer.Parqet(), importertest.File(parqetHeader,
		parqetLine("9,50;40;380;-12,64;1", "Sell", "Security", "IL0011582033"),
		parqetLine("0,24;40;9,66;-2,48;0", "Dividend", "Security", "US7561091049"),
		parqetLine("1;2,5;2,5;-0,6;0", "Interest", "Cash", ""),
	), importer.Options{})
	want := []string{
		"[2] 2024-01-02 sell IL0011582033 40 @9.5 380 EUR fee 1", "[2] 2024-01-02 tax_refund IL0011582033 12.64 EUR",
		"[3] 2024-01-02 dividend US7561091049 9.66 EUR", "[3] 2024-01-02 tax_refund US7561091049 2.48 EUR",
		"[4] 2024-01-02 interest 2.5 EUR", "[4] 2024-01-02 tax_refund 0.6 EUR",
	}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" {
		t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
	}
	// 391.64 + 9.66 + 2.48 + 2.50 + 0.60
	if diff := cmp.Diff(map[string]string{"EUR": "406.88"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash differs from that by hand:\n%s", diff)
	}
}

func TestParqet_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, line, reason string }{
		{"sums that do not agree", parqetLine("28,03;17,83803;700;0;0", "Buy", "Security", "LU2089238203"), "not 700"},
		{"no currency", strings.Replace(parqetLine("1;1;1;0;0", "Buy", "Security", "DE0008404005"), `"EUR"`, `""`, 1), "currency"},
		{"a wrong digit in the ISIN", parqetLine("1;1;1;0;0", "Buy", "Security", "DE0008404006"), "ISIN"},
		{"no security", parqetLine("1;1;1;0;0", "Buy", "Security", ""), "missing symbol or ISIN"},
		{"an unknown type", parqetLine("1;5;5;0;0", "Split", "Security", "DE0008404005"), `unknown type "Split"`},
		{"an amount below zero", parqetLine("1;5;-5;0;0", "Dividend", "Security", "DE0008404005"), "negative"},
		{"a fee below zero", parqetLine("1;5;5;0;-1", "Dividend", "Security", "DE0008404005"), "negative"},
		{"tax given back with a purchase", parqetLine("1;5;5;-1;0", "Buy", "Security", "DE0008404005"), "with a buy"},
		{"a cost of two sums", parqetLine("1;5;5;0;4", "Cost", "Security", "DE0008404005"), "more than one of"},
		{"a dividend of money", parqetLine("1;5;5;0;0", "Dividend", "Cash", ""), "unknown type"},
		{"a coin that is none", parqetLine("1;5;5;0;0", "Buy", "Crypto", "B-C"), "is not a coin code"},
		{"no amount", parqetLine("1;5;;0;0", "Dividend", "Security", "DE0008404005"), "missing amount"},
		{"another decimal sign", parqetLine("28.03;1;28,03;0;0", "Buy", "Security", "DE0008404005"), "not a number"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := importertest.Read(t, importer.Parqet(), importertest.File(parqetHeader, row.line), importer.Options{})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want one with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

// The identity of a line does not depend on its name and gain columns.
func TestParqet_NamesOfLinesOutliveOtherColumns(t *testing.T) {
	line := parqetLine("1;5;5;0;0", "Dividend", "Security", "DE0008404005")
	first := importertest.Read(t, importer.Parqet(), importertest.File(parqetHeader, line, line), importer.Options{})
	second := importertest.Read(t, importer.Parqet(), importertest.File(parqetHeader, strings.Replace(line, "Its name", "Another", 1), line), importer.Options{})
	if diff := cmp.Diff(importertest.IDs(first), importertest.IDs(second)); diff != "" || len(first.Entries) != 2 {
		t.Errorf("SourceIDs of %d entries differ:\n%s", len(first.Entries), diff)
	}
}

func TestParqet_DayIsTheLocalOne(t *testing.T) {
	line := strings.NewReplacer("2024-01-02T08:00", "2024-01-01T23:30").Replace(parqetLine("1;5;5;0;0", "Dividend", "Security", "DE0008404005"))
	s := importertest.Read(t, importer.Parqet(), importertest.File(parqetHeader, line), importer.Options{})
	if got := importertest.Describe(s); len(got) != 1 || !strings.Contains(got[0], "2024-01-02") {
		t.Errorf("Read = %v, want 2 January", got)
	}
}

func TestParqet_RefusesOtherFiles(t *testing.T) {
	importertest.CheckRefused(t, importer.Parqet(), importertest.File("Date,Ticker,Type,Quantity", "2024-01-01,A,BUY,1"))
}

func FuzzParqet(f *testing.F) {
	f.Add(parqetHeader + "\n" + parqetLine("28,03;17,83803;500;0;1,5", "Buy", "Security", "LU2089238203") + "\n")
	f.Add(parqetHeader + "\n" + parqetLine("22,88;14;320,32;-12,64;1", "Sell", "Security", "IL0011582033") + "\n;;;\n")
	f.Add(parqetHeader + "\n" + parqetLine("1;2,5;2,5;0,6;0", "Interest", "Cash", "") + "\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.Parqet(), text) })
}

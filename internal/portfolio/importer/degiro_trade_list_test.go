package importer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const degiroTradeListHeader = "Date,Time,Product,ISIN,Reference exchange,Venue,Quantity,Price,,Local value,,Value EUR,Exchange rate,AutoFX Fee,Transaction and/or third party fees EUR,Total EUR,Order ID,"

func TestDEGIRO_TheListOfTrades(t *testing.T) {
	const dutch = "Datum,Tijd,Product,ISIN,Beurs,Uitvoeringsplaats,Aantal,Koers,,Lokale waarde,,Waarde EUR,Wisselkoers,AutoFX Kosten,Transactiekosten en/of kosten van derden EUR,Totaal EUR,Order ID,"
	const old = "Datum,Uhrzeit,Produkt,ISIN,Referenzbörse,Ausführungsort,Anzahl,Kurs,,Wert in Lokalwährung,,Wert,,Wechselkurs,Transaktionsgebühren,,Gesamt,,Order-ID"
	for _, tt := range []struct{ name, header, line, want string }{
		{"purchase", degiroTradeListHeader, `12-03-2021,09:05,APPLE,US0378331005,NDQ,MSRP,5,"119,3400",USD,"-596,70",USD,"-524,44","1,1378","-1,31","-2,00","-527,75",,o`, "2021-03-12 buy US0378331005 5 524.44 EUR fee 3.31"},
		{"sale", degiroTradeListHeader, `28-07-2026,16:39,APPLE,US0378331005,NDQ,BATS,-4,"319,0000",USD,"1276,00",USD,"1121,57","1,1377","-2,80","-2,00","1116,77",,o`, "2026-07-28 sell US0378331005 4 1121.57 EUR fee 4.8"},
		{"fee of the exchange within the value", degiroTradeListHeader, `15-09-2025,19:33,JD,US47215P1066,NDQ,ARCX,18,"33,7500",USD,"-607,50",USD,"-516,32","1,1766","-1,29","-2,00","-518,32",,o`, "2025-09-15 buy US47215P1066 18 516.32 EUR fee 2"},
		{"Dutch", dutch, `07-01-2026,09:31,ISHARES,IE00B5L8K969,XET,XETA,9,"213,4500",EUR,"-1921,05",EUR,"-1921,05",,"0,00","-3,00","-1924,05",o,`, "2026-01-07 buy IE00B5L8K969 9 @213.45 1921.05 EUR fee 3"},
		{"older, with a currency behind each sum", old, `07-01-2020,09:31,ISHARES,IE00B5L8K969,XET,XETA,9,"213,45",EUR,"-1.921,05",EUR,"-1.921,05",EUR,,"-3,00",EUR,"-1.924,05",EUR,o`, "2020-01-07 buy IE00B5L8K969 9 @213.45 1921.05 EUR fee 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := importertest.Read(t, importer.DEGIRO(), importertest.File(tt.header, tt.line), importer.Options{})
			if diff := cmp.Diff([]string{"[2] " + tt.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("read %s, want against got:\n%s problems %v", tt.line, diff, s.Problems)
			}
		})
	}
}

// A user who imports both DEGIRO files gets each trade once.
func TestDEGIRO_TheListNamesTradesAsTheStatementDoes(t *testing.T) {
	list := importertest.Read(t, importer.DEGIRO(), importertest.File(degiroTradeListHeader,
		`02-12-2024,15:30,APPLE INC,US0378331005,NDQ,XNAS,-4,"52,5000",USD,"210,00",USD,"187,50","1,1200","0,00","-2,00","185,50",,o2`,
		`03-01-2024,16:00,APPLE INC,US0378331005,NDQ,XNAS,10,"50,0000",USD,"-500,00",USD,"-454,55","1,1000","0,00","0,00","-454,55",,o1`,
	), importer.Options{})
	known := map[string]bool{}
	for _, id := range importertest.IDs(readDEGIRO(t, degiroStatementHeaders...)) {
		known[id] = true
	}
	for _, e := range list.Entries {
		if !known[e.Transaction.SourceID] {
			t.Errorf("%s %s has a name that the statement does not give it", e.Transaction.Kind, e.Transaction.Symbol)
		}
	}
	if len(list.Entries) != 2 {
		t.Errorf("list = %v, want two trades", importertest.Describe(list))
	}
}

func TestDEGIRO_WhatTheListDoesNotExplainIsAProblem(t *testing.T) {
	for _, tt := range []struct{ name, line, reason string }{
		{"total that does not add up", `12-03-2021,09:05,APPLE,US0378331005,NDQ,MSRP,5,"119,3400",USD,"-596,70",USD,"-524,44","1,1378","-1,31","-2,00","-530,00",,o`, "is not the total"},
		{"purchase that brings money", `12-03-2021,09:05,APPLE,US0378331005,NDQ,MSRP,5,"119,3400",USD,"596,70",USD,"524,44","1,1378","-1,31","-2,00","527,75",,o`, "does not match the quantity"},
		{"shares for nothing", `12-03-2021,09:05,APPLE,US0378331005,NDQ,MSRP,5,"0,00",USD,"0,00",USD,"0,00","1,1378","0,00","0,00","0,00",,o`, "by hand as a split"},
		{"no quantity", `12-03-2021,09:05,APPLE,US0378331005,NDQ,MSRP,,"119,3400",USD,"-596,70",USD,"-524,44","1,1378","-1,31","-2,00","-527,75",,o`, "missing quantity"},
		{"contract for a hundred shares", `12-03-2021,09:05,APPLE C125.00 19MAR21,US0378331005,NDQ,MSRP,2,"1,5000",USD,"-300,00",USD,"-263,00","1,1378","0,00","-2,00","-265,00",,o`, "a contract multiplier"},
		{"bond in per cent", `12-03-2021,09:05,BUND,DE0001102580,XET,XETA,1000,"98,5000",EUR,"-985,00",EUR,"-985,00",,"0,00","-2,00","-987,00",,o`, "a bond priced in percent"},
		{"price in another currency", `12-03-2021,09:05,APPLE,US0378331005,NDQ,MSRP,5,"119,3400",CAD,"-596,70",USD,"-524,44","1,1378","-1,31","-2,00","-527,75",,o`, "enter the trade by hand"},
		{"wrong ISIN", `12-03-2021,09:05,APPLE,US0378331006,NDQ,MSRP,5,"119,3400",USD,"-596,70",USD,"-524,44","1,1378","-1,31","-2,00","-527,75",,o`, "wrong check digit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := importertest.Read(t, importer.DEGIRO(), importertest.File(degiroTradeListHeader, tt.line), importer.Options{})
			if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, tt.reason) {
				t.Errorf("read %s = %v, problems %v; want one that says %q", tt.line, importertest.Describe(s), s.Problems, tt.reason)
			}
		})
	}
}

// The list shows a corporate action as a sale of all shares and a purchase of others, without an
// order. As trades they would produce a false gain.
func TestDEGIRO_ASplitInTheListIsNoTrade(t *testing.T) {
	const (
		out    = `20-07-2021,00:00,NVIDIA,US67066G1040,NDQ,,-10,"751,1900",USD,"7511,90",USD,"6363,00","1,1806","0,00","0,00","6363,00",,`
		in     = `20-07-2021,00:00,NVIDIA,US67066G1040,NDQ,,40,"187,7975",USD,"-7511,90",USD,"-6363,00","1,1806","0,00","0,00","-6363,00",,`
		sold   = `20-07-2021,09:05,APPLE,US0378331005,NDQ,MSRP,-5,"120,0000",USD,"600,00",USD,"500,00","1,2000","0,00","0,00","500,00",,o1`
		bought = `20-07-2021,09:05,APPLE,US0378331005,NDQ,MSRP,5,"120,0000",USD,"-600,00",USD,"-500,00","1,2000","0,00","0,00","-500,00",,o2`
	)
	s := importertest.Read(t, importer.DEGIRO(), importertest.File(degiroTradeListHeader, in, out), importer.Options{})
	if diff := cmp.Diff([]string{"2 shares exchanged", "3 shares exchanged"}, importertest.Reasons(s.Problems, 16)); diff != "" || len(s.Entries) != 0 {
		t.Errorf("a split = %v, problems, want against got:\n%s", importertest.Describe(s), diff)
	}
	s = importertest.Read(t, importer.DEGIRO(), importertest.File(degiroTradeListHeader, sold, bought, out), importer.Options{})
	if len(s.Entries) != 3 || len(s.Problems) != 0 {
		t.Errorf("a purchase and a sale of two orders, and shares that became cash = %v, problems %v; want all three", importertest.Describe(s), s.Problems)
	}
}

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

const (
	swissquoteEnglishHeader     = "Date;Order #;Transaction;Symbol;Name;ISIN;Quantity;Unit price;Costs;Accrued Interest;Net Amount;Balance;Currency"
	swissquoteGermanHeader      = "Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Saldo;Währung"
	swissquoteFrenchHeader      = "Date;Ordre #;Transaction;Symbole;Nom;ISIN;Quantité;Prix unitaire;Coûts;Intérêts courus;Montant net;Solde;Devise"
	swissquoteSeveralCurrencies = "Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag;Nettobetrag in der Währung des Kontos;Saldo;Währung"
)

// By hand, of the 21 lines:
//
//	CHF  -2002.00 - 20047.55 - 3482.70 - 8390.90 + 100000.00 - 4002.00 - 53.85 - 0.01 = 62020.99
//	EUR  1995.39 + 486.58 = 2481.97
//	USD  -2000.00 - 3975.96 - 19569.74 - 106017.30 + 29861.56 + 84747.79 + 1348.24
//	     + 22835.05 + 31433.97 + 489.92 + 66.72 = 39220.25
//	fees of trades  CHF 44.35 + 5.70 + 46.10, and 2.00 + 2.00 of payments
//
// Lines are missing from the file: its balances jump at six places, which are the problems.
func TestSwissquote_RecordedListComesOutAsByHand(t *testing.T) {
	s := importertest.Read(t, importer.Swissquote(), importertest.Recorded(t, "swissquote.csv"), importer.Options{})
	if diff := cmp.Diff(map[string]string{"CHF": "62020.99", "EUR": "2481.97", "USD": "39220.25"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash differs from that by hand:\n%s", diff)
	}
	shares := map[market.Symbol]string{
		// C30: only Zurich trades in francs; funds of Ireland in dollars may be listed anywhere.
		"ORFN": "200", "XDWU.SW": "640", "KROP.SW": "850", "IE00BJ5JP105": "3300", "IE00B3VVMM84": "-537", "IE00B3RBWM25": "-808",
		"IE00B945VV12": "-709", "IE00BCBJG560": "-373",
	}
	if diff := cmp.Diff(shares, importertest.Shares(s)); diff != "" {
		t.Errorf("shares differ from those by hand:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"EUR": "486.58", "USD": "1414.96"}, importertest.Sum(s, portfolio.KindDividend)); diff != "" {
		t.Errorf("dividends differ from those by hand:\n%s", diff)
	}
	jumps := []string{"5 the balance", "7 the balance", "13 the balance", "15 the balance", "17 the balance", "20 the balance"}
	if diff := cmp.Diff(jumps, importertest.Reasons(s.Doubts, 11)); diff != "" {
		t.Errorf("jumps of the balance differ:\n%s", diff)
	}
	// The two exchanges have two lines each.
	if len(s.Entries) != 19 || len(s.Ignored) != 0 {
		t.Errorf("%d entries and %d ignored, want 19 and 0", len(s.Entries), len(s.Ignored))
	}
}

func TestSwissquote_EachTransactionIsBooked(t *testing.T) {
	for _, row := range []struct{ name, header, line, want string }{
		{"purchase", swissquoteEnglishHeader, "10-08-2022 15:30:02;113;Buy;ORFN;ORPHAN;US8863645383;200.0;19.85;5.96;0.00;-3'975.96;168'660.08;USD",
			"[2] 2022-08-10 buy ORFN 200 @19.85 3970 USD fee 5.96"},
		{"sale in German", swissquoteGermanHeader, "13-01-2025 15:30:08;21;Verkauf;TSLA;TESLA;US88160R1014;1.0;383.26;3.58;0.00;379.68;383.66;USD",
			"[2] 2025-01-13 sell TSLA 1 @383.26 383.26 USD fee 3.58"},
		{"purchase in French", swissquoteFrenchHeader, "13-01-2025 15:30:08;21;Achat;TSLA;TESLA;US88160R1014;1.0;383.26;3.58;0.00;-386.84;383.66;USD",
			"[2] 2025-01-13 buy TSLA 1 @383.26 383.26 USD fee 3.58"},
		{"dividend with tax", swissquoteGermanHeader, "20-06-2023 11:30:00;00000000;Dividende;NESN;NESTLE;CH0038863350;1.0;100.00;35.00;0.00;65.00;65.00;CHF",
			"[2] 2023-06-20 dividend CH0038863350 100 CHF tax 35"},
		{"interest", swissquoteGermanHeader, "01-01-2025 12:15:04;00000000;Zinsen auf Einlagen;;;;1.0;0.88;0.00;0.00;0.88;1720.09;CHF", "[2] 2025-01-01 interest 0.88 CHF"},
		{"interest paid", swissquoteEnglishHeader, "01-01-2025 12:15:04;00000000;Interests;;;;1.0;0.88;0.00;0.00;-0.88;1720.09;CHF", "[2] 2025-01-01 interest_paid 0.88 CHF"},
		{"custody with value-added tax", swissquoteEnglishHeader, "30-06-2022 18:01:13;0;Custody Fees;;;;1.0;50.00;3.85;0.00;-53.85;1;CHF", "[2] 2022-06-30 fee 53.85 CHF"},
		{"custody given back", swissquoteEnglishHeader, "30-06-2022 18:01:13;0;Custody Fees;;;;1.0;50.00;3.85;0.00;53.85;1;CHF", "[2] 2022-06-30 fee_refund 53.85 CHF"},
		{"deposit", swissquoteGermanHeader, "30-06-2022 18:01:13;0;Zahlung;;;;1.0;500.00;0.00;0.00;500.00;1;CHF", "[2] 2022-06-30 deposit 500 CHF"},
		{"withdrawal with costs", swissquoteEnglishHeader, "30-06-2022 18:01:13;0;Debit;;;;1.0;2000.00;2.00;0.00;-2002.00;1;CHF", "[2] 2022-06-30 withdrawal 2000 CHF fee 2"},
		{"gain of a fund", swissquoteGermanHeader, "20-06-2023 11:30:00;0;Capital Gain;VWRL;V;IE00B3RBWM25;1.0;100.00;0.00;0.00;100.00;65.00;CHF",
			"[2] 2023-06-20 dividend IE00B3RBWM25 100 CHF"},
		{"bond without a ticker", swissquoteEnglishHeader, "10-08-2022 15:30:02;1;Sell;;SOME BOND;CH0038863350;100;95.50;0.50;0;9549.50;1;CHF",
			"[2] 2022-08-10 sell CH0038863350 100 @95.5 9550 CHF fee 0.5"},
		{"pence", swissquoteEnglishHeader, "05-01-2023 09:00:00;12;Buy;HSBA;HSBC;GB0005405286;10.0;700.5;7.00;0.00;-7'012.00;999.00;GBX", "[2] 2023-01-05 buy HSBA.L 10 @7.005 70.05 GBP fee 0.07"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := importertest.Read(t, importer.Swissquote(), importertest.File(row.header, row.line), importer.Options{})
			if diff := cmp.Diff([]string{row.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

func TestSwissquote_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, line, reason string }{
		{"sums that do not agree", "10-08-2022 15:30:02;1;Buy;A;A;US8863645383;200.0;19.85;5.96;0.00;-4975.96;1;USD", "not 4970"},
		{"a purchase that brought money", "10-08-2022 15:30:02;1;Buy;A;A;US8863645383;200.0;19.85;5.96;0.00;3975.96;1;USD", "wrong sign"},
		{"no currency", "10-08-2022 15:30:02;1;Debit;;;;1.0;1.00;0.00;0.00;-1.00;1;", "currency"},
		{"one side of an exchange", "10-08-2022 15:30:02;1;Forex debit;;;;1.0;1.00;0.00;0.00;-1.00;1;CHF", "other side"},
		{"shares without cash", "10-08-2022 15:30:02;1;Internal transfer;A;A;US8863645383;5;;;;-;1;USD", "no net amount"},
		{"an unknown word", "10-08-2022 15:30:02;1;Kartentransaktion;;;;1.0;1.00;0.00;0.00;-1.00;1;CHF", "Kartentransaktion"},
		{"a wrong digit in the ISIN", "10-08-2022 15:30:02;1;Buy;A;A;US8863645384;200.0;19.85;5.96;0.00;-3975.96;1;USD", "ISIN"},
		{"a dividend taken back", "10-08-2022 15:30:02;1;Dividend;A;A;US8863645383;1;5;0;0;-5;1;USD", "wrong sign"},
		{"a fee of nothing", "10-08-2022 15:30:02;1;Custody Fees;;;;1;5;0;0;0;1;USD", "needs amount"},
		{"a debit that brought money", "10-08-2022 15:30:02;1;Debit;;;;1;5;0;0;5;1;USD", "wrong sign"},
		{"costs below zero", "10-08-2022 15:30:02;1;Debit;;;;1;5;-1;0;-5;1;USD", "negative"},
		{"a number that is none", "10-08-2022 15:30:02;1;Debit;;;;one;5;0;0;-5;1;USD", "not a number"},
		{"a date that is none", "2022/08/10;1;Debit;;;;1.0;1.00;0.00;0.00;-1.00;1;CHF", "not a date"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := importertest.Read(t, importer.Swissquote(), importertest.File(swissquoteEnglishHeader, row.line), importer.Options{})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want one with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

func TestSwissquote_ExchangeIsOneTransactionOfTwoLines(t *testing.T) {
	s := importertest.Read(t, importer.Swissquote(), importertest.File(swissquoteGermanHeader,
		"23-08-2022 12:00:25;1147;Forex-Gutschrift;;;;1.0;1995.39;0.00;0.00;1995.39;2937.32;EUR",
		"23-08-2022 12:00:25;1147;Forex-Belastung;;;;1.0;2000.00;0.00;0.00;-2000.00;166660.08;USD"), importer.Options{})
	if diff := cmp.Diff([]string{"[2 3] 2022-08-23 currency_exchange 2000 USD to 1995.39 EUR"}, importertest.Describe(s)); diff != "" {
		t.Errorf("Read differs:\n%s%v", diff, s.Problems)
	}
}

// A line can have several transactions.
func TestSwissquote_LineOfSeveralActs(t *testing.T) {
	for _, row := range []struct {
		name, header, line string
		want               []string
		cash               map[string]string
	}{
		// 9550.00 plus 0.50 of costs and 12.34 of interest are 9562.84.
		{"bond with interest", swissquoteEnglishHeader, "10-08-2022 15:30:02;1;Buy;;SOME BOND;CH0038863350;100;95.50;0.50;12.34;-9562.84;1;CHF",
			[]string{"[2] 2022-08-10 buy CH0038863350 100 @95.5 9550 CHF fee 0.5", "[2] 2022-08-10 interest_paid CH0038863350 12.34 CHF"},
			map[string]string{"CHF": "-9562.84"}},
		{"purchase in euros from francs", swissquoteSeveralCurrencies, "12-01-2023 14:00:00;1;Kauf;VWRL;VANGUARD;IE00B3RBWM25;10.0;95.50;9.55;0.00;-964.55;EUR;-950.20;5000.00;CHF",
			[]string{"[2] 2023-01-12 currency_exchange 950.2 CHF to 964.55 EUR", "[2] 2023-01-12 buy IE00B3RBWM25 10 @95.5 955 EUR fee 9.55"},
			map[string]string{"CHF": "-950.2", "EUR": "0"}},
		{"sale in euros to francs", swissquoteSeveralCurrencies, "20-06-2023 11:30:00;2;Verkauf;VWRL;VANGUARD;IE00B3RBWM25;5.0;101.00;5.05;0.00;499.95;EUR;490.00;5490.00;CHF",
			[]string{"[2] 2023-06-20 sell IE00B3RBWM25 5 @101 505 EUR fee 5.05", "[2] 2023-06-20 currency_exchange 499.95 EUR to 490 CHF"},
			map[string]string{"CHF": "490", "EUR": "0"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, err := importer.Swissquote().Read(importertest.File(row.header, row.line), importer.Options{Account: "a"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
			if diff := cmp.Diff(row.cash, importertest.Cash(s)); diff != "" {
				t.Errorf("cash differs:\n%s", diff)
			}
			if ids := importertest.IDs(s); ids[0] == ids[1] {
				t.Errorf("SourceIDs = %v, want two", ids)
			}
		})
	}
}

func TestSwissquote_BalanceIsFollowed(t *testing.T) {
	lines := []string{
		"03-01-2023 10:00:00;0;Debit;;;;1.0;20.00;0.00;0.00;-20.00;130.00;CHF",
		"02-01-2023 10:00:00;0;Credit;;;;1.0;50.00;0.00;0.00;50.00;150.00;CHF",
		"01-01-2023 10:00:00;0;Credit;;;;1.0;100.00;0.00;0.00;100.00;100.00;CHF",
	}
	whole := importertest.Read(t, importer.Swissquote(), importertest.File(append([]string{swissquoteEnglishHeader}, lines...)...), importer.Options{})
	oldestFirst := importertest.Read(t, importer.Swissquote(), importertest.File(swissquoteEnglishHeader, lines[2], lines[1], lines[0]), importer.Options{})
	if len(whole.Doubts)+len(oldestFirst.Doubts) != 0 {
		t.Errorf("doubts = %v and, the other way round, %v; want none", whole.Doubts, oldestFirst.Doubts)
	}
	// With only one date, the dates do not show the order of the file.
	day := func(line string) string { return "05" + line[2:] }
	for i, file := range [][]string{{day(lines[2]), day(lines[1]), day(lines[0])}, {day(lines[0]), day(lines[1]), day(lines[2])}} {
		if s := importertest.Read(t, importer.Swissquote(), importertest.File(append([]string{swissquoteEnglishHeader}, file...)...), importer.Options{}); len(s.Doubts) != 0 {
			t.Errorf("a day, way %d: doubts = %v, want none", i, s.Doubts)
		}
	}
	gap := importertest.Read(t, importer.Swissquote(), importertest.File(swissquoteEnglishHeader, lines[0], lines[2]), importer.Options{})
	if len(gap.Entries) != 2 || len(gap.Problems) != 0 || len(gap.Doubts) != 1 || gap.Doubts[0].Line != 2 || gap.Doubts[0].Text != "100 CHF before, 130 CHF after" {
		t.Errorf("without the second line: entries %v, problems %v; want both read and a doubt about line 2", importertest.Describe(gap), gap.Problems)
	}
}

func TestSwissquote_RefusesOtherFiles(t *testing.T) {
	importertest.CheckRefused(t, importer.Swissquote(), importertest.File("Date,Ticker,Type,Quantity", "2024-01-01,A,BUY,1"))
}

func TestSwissquote_WindowsFilesAreRead(t *testing.T) {
	// "Stückpreis" and "Währung" in Windows-1252.
	raw := []byte(strings.NewReplacer("ü", "\xfc", "ä", "\xe4").Replace(swissquoteGermanHeader + "\r\n" +
		"30-06-2022 18:01:13;0;Depotgebühren;;;;1.0;50.00;3.85;0.00;-53.85;1;CHF\r\n"))
	f, err := importer.Decode("transactions.csv", raw)
	if err != nil {
		t.Fatal(err)
	}
	s := importertest.Read(t, importer.Swissquote(), f, importer.Options{})
	if diff := cmp.Diff([]string{"[2] 2022-06-30 fee 53.85 CHF"}, importertest.Describe(s)); diff != "" {
		t.Errorf("Read differs:\n%s%v", diff, s.Problems)
	}
}

func FuzzSwissquote(f *testing.F) {
	f.Add(swissquoteEnglishHeader + "\n10-08-2022 15:30:02;113;Buy;ORFN;ORPHAN;US8863645383;200.0;19.85;5.96;0.00;-3'975.96;168'660.08;USD\n;;;\n")
	f.Add(swissquoteSeveralCurrencies + "\n12-01-2023 14:00:00;1;Kauf;VWRL;V;IE00B3RBWM25;10.0;95.50;9.55;0.00;-964.55;EUR;-950.20;5000.00;CHF\n")
	f.Add(swissquoteGermanHeader + "\n23-08-2022 12:00:25;1;Forex-Gutschrift;;;;1;1;0;0;1;1;EUR\n23-08-2022 12:00:25;1;Forex-Belastung;;;;1;2;0;0;-2;1;USD\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.Swissquote(), text) })
}

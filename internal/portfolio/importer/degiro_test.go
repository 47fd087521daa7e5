package importer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const degiroHeader = "Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id"

// readDEGIRO reads lines below the English header, newest first as DEGIRO writes them.
func readDEGIRO(t testing.TB, lines ...string) importer.Statement {
	t.Helper()
	return importertest.Read(t, importer.DEGIRO(), importertest.File(append([]string{degiroHeader}, lines...)...), importer.Options{})
}

// degiroStatementHeaders is a year's statement with correct balances: 1,000 euros are paid in; ten
// shares are bought for 500 dollars, at 1.10 dollars per euro and a fee of 2; a dividend of 5
// dollars less 0.75 of tax is exchanged the next day; four shares are sold for 210 dollars, and 100
// euros are withdrawn.
var degiroStatementHeaders = []string{
	`20-12-2024,10:00,20-12-2024,,,Processed Flatex Withdrawal,,EUR,"100,00",EUR,"634,77",`,
	`20-12-2024,10:00,20-12-2024,,,flatex Withdrawal,,EUR,"-100,00",EUR,"534,77",`,
	`19-12-2024,09:00,19-12-2024,,,Withdrawal,,EUR,"-100,00",EUR,"634,77",`,
	`02-12-2024,15:30,02-12-2024,APPLE INC,US0378331005,FX Credit,,EUR,"187,50",EUR,"734,77",o2`,
	`02-12-2024,15:30,02-12-2024,APPLE INC,US0378331005,FX Debit,"1,1200",USD,"-210,00",USD,"0,00",o2`,
	`02-12-2024,15:30,02-12-2024,APPLE INC,US0378331005,DEGIRO Transaction and/or third party fees,,EUR,"-2,00",EUR,"547,27",o2`,
	`02-12-2024,15:30,02-12-2024,APPLE INC,US0378331005,"Sell 4 Apple Inc@52,50 USD (US0378331005)",,USD,"210,00",USD,"210,00",o2`,
	`16-05-2024,07:00,15-05-2024,,,FX Credit,,EUR,"3,82",EUR,"549,27",`,
	`16-05-2024,07:00,15-05-2024,,,FX Debit,"1,1126",USD,"-4,25",USD,"0,00",`,
	`15-05-2024,08:00,15-05-2024,APPLE INC,US0378331005,Dividend,,USD,"5,00",USD,"4,25",`,
	`15-05-2024,08:00,15-05-2024,APPLE INC,US0378331005,Dividend Tax,,USD,"-0,75",USD,"-0,75",`,
	`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,FX Credit,"1,1000",USD,"500,00",USD,"0,00",o1`,
	`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,FX Debit,,EUR,"-454,55",EUR,"545,45",o1`,
	`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,"Buy 10 Apple Inc@50 USD (US0378331005)",,USD,"-500,00",USD,"-500,00",o1`,
	`02-01-2024,12:00,02-01-2024,,,flatex Deposit,,EUR,"1000,00",EUR,"1000,00",`,
}

func TestDEGIRO_AYearOfOneTransactionPerAct(t *testing.T) {
	s := readDEGIRO(t, degiroStatementHeaders...)
	want := []string{
		"[4] 2024-12-19 withdrawal 100 EUR",
		"[5 6 7 8] 2024-12-02 sell US0378331005 4 187.5 EUR fee 2",
		"[9 10] 2024-05-16 currency_exchange 4.25 USD to 3.82 EUR",
		"[11 12] 2024-05-15 dividend US0378331005 5 USD tax 0.75",
		"[13 14 15] 2024-01-03 buy US0378331005 10 454.55 EUR",
		"[16] 2024-01-02 deposit 1000 EUR",
	}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
	// The last balances of the statement.
	if diff := cmp.Diff(map[string]string{"EUR": "634.77", "USD": "0"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash, want against got:\n%s", diff)
	}
	if len(s.Problems) != 0 {
		t.Errorf("problems = %v, want none", s.Problems)
	}
}

func TestDEGIRO_MissingLinesShowInTheBalance(t *testing.T) {
	without := append(append([]string{}, degiroStatementHeaders[:7]...), degiroStatementHeaders[9:]...) // the exchange of the dividend
	s := readDEGIRO(t, without...)
	// C33: the lines are recorded, so none is left out.
	if got := importertest.Reasons(s.Doubts, 11); len(s.Problems) != 0 || !slices.Equal(got, []string{"7 the balance", "8 the balance"}) {
		t.Errorf("problems %v, doubts %v; want none and lines 7 and 8", s.Problems, got)
	}
	if got := s.Doubts[0].Text; !strings.HasPrefix(got, "545.45 EUR before") {
		t.Errorf("doubt of line 7 = %q, want the balance before it", got)
	}
}

func TestDEGIRO_AStatementTurnedAroundIsTheSame(t *testing.T) {
	var turned []string
	for i := range degiroStatementHeaders {
		turned = append(turned, degiroStatementHeaders[len(degiroStatementHeaders)-1-i])
	}
	s, newestFirst := readDEGIRO(t, turned...), readDEGIRO(t, degiroStatementHeaders...)
	if diff := cmp.Diff(importertest.IDs(newestFirst), importertest.IDs(s)); diff != "" || len(s.Problems) != 0 {
		t.Errorf("sources, newest first against oldest first:\n%s problems %v", diff, s.Problems)
	}
}

// A file may end on any day: the results of the parts must add up to those of the whole.
func TestDEGIRO_WhereAFileIsCutChangesNothing(t *testing.T) {
	whole := readDEGIRO(t, degiroStatementHeaders...)
	ids := append(importertest.IDs(readDEGIRO(t, degiroStatementHeaders[:7]...)), importertest.IDs(readDEGIRO(t, degiroStatementHeaders[7:]...))...)
	same := map[string]bool{}
	for _, id := range ids {
		same[id] = true
	}
	for _, id := range importertest.IDs(whole) {
		if !same[id] || len(ids) != len(whole.Entries) {
			t.Errorf("%s is of the whole file and of no part, or there are more parts: %v", id, ids)
		}
	}
}

func TestDEGIRO_OtherLanguages(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		lines        []string
		want         []string
	}{
		{"Dutch", "Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id", []string{
			`15-12-2022,16:55,15-12-2022,VICI,US9256521090,DEGIRO Transactiekosten en/of kosten van derden,,EUR,"-1,00",EUR,"65,10",o`,
			`15-12-2022,16:55,15-12-2022,VICI,US9256521090,"Koop 1 @ 33,9 EUR",,EUR,"-33,90",EUR,"66,10",o`,
			`15-12-2022,16:49,15-12-2022,,,iDEAL storting,,EUR,"100,00",EUR,"100,00",`,
		}, []string{"[2 3] 2022-12-15 buy US9256521090 1 @33.9 33.9 EUR fee 1", "[4] 2022-12-15 deposit 100 EUR"}},
		{"German", "Datum,Uhrzeit,Valutadatum,Produkt,ISIN,Beschreibung,FX,Änderung,,Saldo,,Order-ID", []string{
			`03-08-2019,06:55,02-08-2019,,,Währungswechsel (Einbuchung),,EUR,"3,45",EUR,"3,45",`,
			`03-08-2019,06:55,02-08-2019,,,Währungswechsel (Ausbuchung),"1,1120",USD,"-3,84",USD,"0,00",`,
			`02-08-2019,06:09,02-08-2019,APPLE,US0378331005,Dividende,,USD,"4,52",USD,"3,84",`,
			`02-08-2019,06:09,02-08-2019,APPLE,US0378331005,Dividendensteuer,,USD,"-0,68",USD,"-0,68",`,
			`01-08-2019,06:09,01-08-2019,APPLE,US0378331005,"Kauf 1.200 zu je 0,50 EUR (US0378331005)",,EUR,"-600,00",EUR,"0,00",p`,
		}, []string{"[2 3] 2019-08-03 currency_exchange 3.84 USD to 3.45 EUR", "[4 5] 2019-08-02 dividend US0378331005 4.52 USD tax 0.68", "[6] 2019-08-01 buy US0378331005 1200 @0.5 600 EUR"}},
		{"French", "Date,Heure,Date de,Produit,Code ISIN,Description,FX,Mouvements,,Solde,,ID Ordre", []string{
			`11-03-2024,10:39,11-03-2024,QT GROUP OYJ,FI4000198031,Frais DEGIRO de courtage et/ou de parties tierces,,EUR,-4.90,EUR,33.53,c`,
			`11-03-2024,10:39,11-03-2024,QT GROUP OYJ,FI4000198031,"Achat 6 QT GROUP OYJ@79,96 EUR (FI4000198031)",,EUR,-479.76,EUR,38.43,c`,
		}, []string{"[2 3] 2024-03-11 buy FI4000198031 6 @79.96 479.76 EUR fee 4.9"}},
		{"Spanish", "Fecha,Hora,Fecha valor,Producto,ISIN,Descripción,Tipo,Variación,,Saldo,,ID Orden", []string{
			`24-12-2025,07:44,23-12-2025,META,US30303M1027,Dividendo,,USD,"6,30",USD,"5,35",`,
			`24-12-2025,07:44,23-12-2025,META,US30303M1027,"Retención del dividendo",,USD,"-0,95",USD,"-0,95",`,
		}, []string{"[2 3] 2025-12-24 dividend US30303M1027 6.3 USD tax 0.95"}},
		{"Italian", "Data,Ora,Data Valore,Prodotto,ISIN,Descrizione,Borsa,Variazioni,,Saldo,,ID Ordine", []string{
			`02-04-2024,15:53,02-04-2024,BROADCOM INC,US11135F1012,Credito FX,"1,0736",USD,"3944,91",USD,"0,00",o`,
			`02-04-2024,15:53,02-04-2024,BROADCOM INC,US11135F1012,Prelievo FX,,EUR,"-3674,47",EUR,"325,53",o`,
			`02-04-2024,15:53,02-04-2024,BROADCOM INC,US11135F1012,DEGIRO costi di transazione e/o di terze parti,,EUR,"-2,00",EUR,"4000,00",o`,
			`02-04-2024,15:53,02-04-2024,BROADCOM INC,US11135F1012,"Acquisto 3 Broadcom Inc@1.314,97 USD (US11135F1012)",,USD,"-3944,91",USD,"-3944,91",o`,
		}, []string{"[2 3 4 5] 2024-04-02 buy US11135F1012 3 3674.47 EUR fee 2"}},
		{"Portuguese", "Data,Hora,Data Valor,Produto,ISIN,Descrição,T.,Mudança,,Saldo,,ID da Ordem", []string{
			`02-01-2024,14:42,02-01-2024,ISHARES,IE00B4L5Y983,Comissões de transação DEGIRO e/ou taxas de terceiros,,EUR,-1.00,EUR,2.54,o`,
			`02-01-2024,14:42,02-01-2024,ISHARES,IE00B4L5Y983,"Compra 1 ISHARES MSCI WOR A@82,055 EUR (IE00B4L5Y983)",,EUR,-82.06,EUR,3.54,o`,
			`01-01-2024,14:42,01-01-2024,,,Depósitos,,EUR,85.60,EUR,85.60,`,
		}, []string{"[2 3] 2024-01-02 buy IE00B4L5Y983 1 @82.055 82.06 EUR fee 1", "[4] 2024-01-01 deposit 85.6 EUR"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := importertest.File(append([]string{tt.header}, tt.lines...)...)
			s := importertest.Read(t, importer.DEGIRO(), f, importer.Options{})
			if diff := cmp.Diff(tt.want, importertest.Describe(s)); diff != "" || len(s.Problems) != 0 {
				t.Errorf("want against got:\n%s problems %v", diff, s.Problems)
			}
		})
	}
}

func TestDEGIRO_EachKindOfLine(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"pence are booked in pounds", `02-04-2024,09:00,02-04-2024,AVIVA,GB00BPQY8M80,Sell 4 AVIVA@496 GBX (GB00BPQY8M80),,GBP,19.84,GBP,114.31,o`, "2024-04-02 sell GB00BPQY8M80 4 @4.96 19.84 GBP"},
		{"thousands apart by a blank", `02-04-2024,09:00,02-04-2024,X,IE00B4L5Y983,"Vente 1 046,5 X@2,00 EUR (IE00B4L5Y983)",,EUR,"2093,00",EUR,"1,00",o`, "2024-04-02 sell IE00B4L5Y983 1046.5 @2 2093 EUR"},
		{"name that begins with a digit", `02-04-2024,09:00,02-04-2024,3M,US88579Y1010,"Buy 6 3M Co@100 USD (US88579Y1010)",,USD,"-600,00",USD,"1,00",o`, "2024-04-02 buy US88579Y1010 6 @100 600 USD"},
		{"fee without an order", `05-02-2024,07:16,31-01-2024,,,DEGIRO Exchange Connection Fee 2024 (Xetra - XET),,EUR,-2.50,EUR,-6.28,`, "2024-02-05 fee 2.5 EUR"},
		{"fee of a security", `05-02-2024,07:16,31-01-2024,APPLE,US0378331005,ADR/GDR Pass-Through Fee,,USD,-0.10,USD,-6.28,`, "2024-02-05 fee US0378331005 0.1 USD"},
		{"tax of a purchase elsewhere", `05-02-2024,07:16,31-01-2024,APPLE,US0378331005,Hong Kong Stamp Duty,,HKD,-1.00,HKD,-6.28,o`, "2024-02-05 tax US0378331005 1 HKD"},
		{"interest", `05-02-2024,07:16,31-01-2024,,,Flatex Interest Income,,EUR,0.13,EUR,-6.28,`, "2024-02-05 interest 0.13 EUR"},
		{"interest paid", `05-02-2024,07:16,31-01-2024,,,Flatex Interest,,EUR,-0.13,EUR,-6.28,`, "2024-02-05 interest_paid 0.13 EUR"},
		{"price of the cash fund", `15-07-2020,00:00,14-07-2020,EUR CASH FUND FUNDSHARE,NL0010661914,Variation Fonds Monétaires (EUR),,EUR,-0.25,EUR,24.58,`, "2020-07-15 interest_paid 0.25 EUR"},
		{"capital paid back", `24-07-2026,07:08,24-07-2026,NESTLE,CH0038863350,Kapitalrückzahlung,,CHF,5.04,CHF,5.04,`, "2026-07-24 return_of_capital CH0038863350 5.04 CHF"},
		{"tax given back", `15-05-2024,08:00,15-05-2024,APPLE INC,US0378331005,Dividend Tax,,USD,"0,75",USD,"4,25",`, "2024-05-15 tax_refund US0378331005 0.75 USD"},
		{"fee given back", `05-02-2024,07:16,31-01-2024,,,DEGIRO Exchange Connection Fee 2024 (Xetra - XET),,EUR,2.50,EUR,-6.28,`, "2024-02-05 fee_refund 2.5 EUR"},
		{"duty given back", `05-02-2024,07:16,31-01-2024,APPLE,US0378331005,Hong Kong Stamp Duty,,HKD,1.00,HKD,-6.28,o`, "2024-02-05 tax_refund US0378331005 1 HKD"},
		{"gift of the broker", `23-08-2024,12:21,23-08-2024,,,DEGIRO courtesy,,EUR,0.24,EUR,61.30,`, "2024-08-23 deposit 0.24 EUR"},
		{"reservation", `15-12-2022,16:49,15-12-2022,,,Reservation iDEAL / Sofort Deposit,,EUR,"27,80",EUR,"32,98",`, "2022-12-15 deposit 27.8 EUR"},
		{"accents broken on the way", `03-02-2024,07:16,31-01-2024,,,DepÃ³sitos,,EUR,1.00,EUR,2.00,`, "2024-02-03 deposit 1 EUR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readDEGIRO(t, tt.line)
			if diff := cmp.Diff([]string{"[2] " + tt.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("read %s, want against got:\n%s problems %v", tt.line, diff, s.Problems)
			}
		})
	}
}

func TestDEGIRO_FillsOfOneOrderBearItsFeeOnce(t *testing.T) {
	s := readDEGIRO(t,
		`03-01-2024,16:05,03-01-2024,APPLE INC,US0378331005,"Buy 2 Apple Inc@50 EUR (US0378331005)",,EUR,"-100,00",EUR,"748,00",o1`,
		`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,DEGIRO Transaction and/or third party fees,,EUR,"-2,00",EUR,"848,00",o1`,
		`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,"Buy 3 Apple Inc@50 EUR (US0378331005)",,EUR,"-150,00",EUR,"850,00",o1`,
	)
	want := []string{"[2] 2024-01-03 buy US0378331005 2 @50 100 EUR", "[3 4] 2024-01-03 buy US0378331005 3 @50 150 EUR fee 2"}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

func TestDEGIRO_AnExchangeThatDoesNotFitStaysApart(t *testing.T) {
	s := readDEGIRO(t,
		`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,FX Credit,"1,1000",USD,"480,00",USD,"0,00",o1`,
		`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,FX Debit,,EUR,"-436,36",EUR,"545,45",o1`,
		`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,DEGIRO Transaction and/or third party fees,,EUR,"-2,00",EUR,"981,81",o1`,
		`03-01-2024,16:00,03-01-2024,APPLE INC,US0378331005,"Buy 10 Apple Inc@50 USD (US0378331005)",,USD,"-500,00",USD,"-480,00",o1`,
	)
	want := []string{"[2 3] 2024-01-03 currency_exchange 436.36 EUR to 480 USD", "[4] 2024-01-03 fee US0378331005 2 EUR", "[5] 2024-01-03 buy US0378331005 10 @50 500 USD"}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

func TestDEGIRO_ABrokenNumberOfAnOrderIsJoined(t *testing.T) {
	s := readDEGIRO(t,
		`03-01-2024,16:00,03-01-2024,APPLE,US0378331005,DEGIRO Transaction and/or third party fees,,EUR,"-2,00",EUR,"848,00",5925d76b-`,
		`,,,,,,,,,,,b017`,
		`03-01-2024,16:00,03-01-2024,APPLE,US0378331005,"Buy 3 Apple Inc@50 EUR (US0378331005)",,EUR,"-150,00",EUR,"850,00",5925d76b-b017`,
	)
	if diff := cmp.Diff([]string{"[2 3 4] 2024-01-03 buy US0378331005 3 @50 150 EUR fee 2"}, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

func TestDEGIRO_WhatCompaniesDoWithTheirShares(t *testing.T) {
	out := `06-06-2022,14:38,06-06-2022,AMAZON,US0231351067,STOCK SPLIT: Sell 5 Amazon@2000 USD (US0231351067),,USD,"10000,00",USD,"10000,00",`
	in := `06-06-2022,14:38,06-06-2022,AMAZON,US0231351067,STOCK SPLIT: Buy 100 Amazon@100 USD (US0231351067),,USD,"-10000,00",USD,"0,00",`
	fewer := `06-06-2022,14:38,06-06-2022,AMAZON,US0231351067,STOCK SPLIT: Buy 1 Amazon@10000 USD (US0231351067),,USD,"-10000,00",USD,"0,00",`
	other := `06-06-2022,14:38,06-06-2022,APPLE,US0378331005,STOCK SPLIT: Buy 10 Apple@1000 USD (US0378331005),,USD,"-10000,00",USD,"0,00",`
	wordless := `06-06-2022,14:38,06-06-2022,AMAZON,US0231351067,"STOCK SPLIT: 100 Amazon @ 100 USD (US0231351067)",,USD,"-10000,00",USD,"0,00",`
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"split", []string{in, out}, "[2 3] 2022-06-06 split US0231351067 100 for 5"},
		{"direction by the sign alone", []string{wordless, out}, "[2 3] 2022-06-06 split US0231351067 100 for 5"},
		{"reverse split", []string{fewer, out}, "[2 3] 2022-06-06 reverse_split US0231351067 1 for 5"},
		{"shares of another", []string{other, out}, "[2 3] 2022-06-06 merger US0231351067 10 for 5 to US0378331005"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readDEGIRO(t, tt.lines...)
			if diff := cmp.Diff([]string{tt.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("want against got:\n%s problems %v", diff, s.Problems)
			}
		})
	}
	if s := readDEGIRO(t, in, other, out); len(s.Entries) != 0 || len(s.Problems) < 3 {
		t.Errorf("two came for one that left = %v, want a problem each", importertest.Describe(s))
	}
}

func TestDEGIRO_WhatIsTakenBackOnTheSameDayIsNothing(t *testing.T) {
	s := readDEGIRO(t,
		`17-12-2022,09:51,16-12-2022,,,iDEAL Deposit,,EUR,"27,80",EUR,"27,80",`,
		`17-12-2022,09:51,16-12-2022,,,Reservation iDEAL / Sofort Deposit,,EUR,"-27,80",EUR,"0,00",`,
		`16-12-2022,09:51,16-12-2022,APPLE,US0378331005,ADR/GDR Pass-Through Fee,,USD,0.10,USD,0.00,`,
		`16-12-2022,09:50,16-12-2022,APPLE,US0378331005,ADR/GDR Pass-Through Fee,,USD,-0.10,USD,-0.10,`,
		`15-12-2022,16:49,15-12-2022,,,Reservation iDEAL / Sofort Deposit,,EUR,"27,80",EUR,"27,80",`,
	)
	if diff := cmp.Diff([]string{"[6] 2022-12-15 deposit 27.8 EUR"}, importertest.Describe(s)); diff != "" || len(s.Problems) != 0 {
		t.Errorf("want against got:\n%s problems %v", diff, s.Problems)
	}
	s = readDEGIRO(t, `17-12-2022,10:51,16-12-2022,,,Withdrawal,,EUR,"-27,80",EUR,"0,00",`, `17-12-2022,09:51,16-12-2022,,,iDEAL Deposit,,EUR,"27,80",EUR,"27,80",`)
	if len(s.Entries) != 2 {
		t.Errorf("a deposit and a withdrawal of one day = %v, want both", importertest.Describe(s))
	}
}

// The dividend and its tax are one transaction, in another file: removing it must not refund the
// tax a second time.
func TestDEGIRO_TaxOfADividendThatWasTakenBackIsLeftToTheUser(t *testing.T) {
	s := readDEGIRO(t,
		`15-05-2024,08:00,15-05-2024,APPLE INC,US0378331005,Dividend Tax,,USD,"0,75",USD,"0,00",`,
		`15-05-2024,08:00,15-05-2024,APPLE INC,US0378331005,Dividend,,USD,"-5,00",USD,"-0,75",`,
		`14-05-2024,08:00,14-05-2024,APPLE INC,US0378331005,Dividend Tax,,USD,"0,25",USD,"4,25",`,
	)
	if diff := cmp.Diff([]string{"[4] 2024-05-14 tax_refund US0378331005 0.25 USD"}, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2 0.75 USD of tax on a reversed", "3 5 USD of a dividend were reve"}, importertest.Reasons(s.Problems, 29)); diff != "" {
		t.Errorf("problems, want against got:\n%s", diff)
	}
}

func TestDEGIRO_WhatIsNotUnderstoodSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ name, line, reason string }{
		{"shares for nothing", `14-09-2023,08:49,14-09-2023,PROSUS NV,NL0013654783,STOCK DIVIDEND: Koop 999 @ 0 EUR,,EUR,0.00,EUR,9999.99,`, "enter it by hand as a split"},
		{"sum that does not fit", `08-03-2024,11:25,08-03-2024,TOYOTA,JP3633400001,"Koop 30 @ 22,4 EUR",,EUR,-9999.99,EUR,9999.99,5`, "is not 9999.99 EUR"},
		{"price in another currency", `08-03-2024,11:25,08-03-2024,TOYOTA,JP3633400001,"Koop 30 @ 22,4 USD",,EUR,-672.00,EUR,9999.99,5`, "price is in USD"},
		{"purchase that brings money", `08-03-2024,11:25,08-03-2024,TOYOTA,JP3633400001,"Koop 30 @ 22,4 EUR",,EUR,672.00,EUR,9999.99,5`, "contradict"},
		{"no ISIN", `08-03-2024,11:25,08-03-2024,TOYOTA,,"Koop 30 @ 22,4 EUR",,EUR,-672.00,EUR,9999.99,5`, "missing security"},
		{"half of an exchange", `03-01-2024,16:00,03-01-2024,,,FX Debit,,EUR,"-436,36",EUR,"545,45",`, "one half of a currency exchange"},
		{"dividend taken back", `15-05-2024,08:00,15-05-2024,APPLE INC,US0378331005,Dividend,,USD,"-5,00",USD,"4,25",`, "were reversed"},
		{"unknown words", `15-05-2024,08:00,15-05-2024,,,Zorglub,,USD,"5,00",USD,"4,25",`, `unknown description "Zorglub"`},
		{"no amount", `15-05-2024,08:00,15-05-2024,,,Interest,,,,USD,"4,25",`, "missing amount"},
		{"no currency", `15-05-2024,08:00,15-05-2024,,,Interest,,,"5,00",USD,"4,25",`, "missing currency for 5"},
		{"number that can be two", `15-05-2024,08:00,15-05-2024,,,Interest,,EUR,"5.000",USD,"4",`, "mixes number formats"},
		{"no date", `05/15/2024,08:00,15-05-2024,,,Interest,,EUR,"5,00",USD,"4",`, "not a date"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readDEGIRO(t, tt.line)
			if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, tt.reason) || s.Problems[0].Line != 2 {
				t.Errorf("read %s = %v, problems %v; want a problem of line 2 that says %q", tt.line, importertest.Describe(s), s.Problems, tt.reason)
			}
		})
	}
}

func TestDEGIRO_OtherFilesAreRefused(t *testing.T) {
	importertest.CheckRefused(t, importer.DEGIRO(), importertest.File("Date,Amount", "2024-01-01,5"))
}

func TestDEGIRO_ComesOutToTheCent(t *testing.T) {
	s := importertest.Read(t, importer.DEGIRO(), importertest.Recorded(t, "degiro.csv"), importer.Options{})
	// Euros: 27.80 + 25.00 + 0.24 + 0.61 paid in; 1.28 + 54.57 + 0.79 + 408.83 + 12.28
	// - 31.91 exchanged; 79.35 + 97.93 + 19.50 + 42.53 + 298.71 + 82.06 + 479.76
	// bought, 5.42 sold; fees of 4.50 and 9,999.99 in Dutch, 1.00, 4.90, 7.50 and
	// 2.50; 0.25 and 4.81 by the cash fund. Without line 69, which is a problem.
	// Dollars: dividends of 19.06 less taxes of 0.93, 63.97 - 63.97 of a sale and its
	// exchange and 33.90 - 33.90 of a purchase, 1.2108 bought, 0.01 of a fee, and
	// 1.36 + 0.85 + 457.52 + 12.75 exchanged.
	if diff := cmp.Diff(map[string]string{"EUR": "-10620.38", "USD": "-455.5708", "GBP": "19.84", "JPY": "0"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash, want against got:\n%s", diff)
	}
	// Bought 1 + 1, 500, 1, 6 + 1, 1, 6 and 1; sold 1, 1 and 4.
	want := map[market.Symbol]string{
		"US9256521090": "1", "CA0641491075": "-1", "IE00B3RBWM25": "2", "AU000000FBR4": "500", "US00165C1045": "1", "IE00BYXG2H39": "-1",
		"IE00B0M63391": "1", "IE00B4L5Y983": "7", "FI4000198031": "6", "GB00BPQY8M80": "-4",
	}
	if diff := cmp.Diff(want, importertest.Shares(s)); diff != "" {
		t.Errorf("shares, want against got:\n%s", diff)
	}
	// 0.44 + 0.44 + 0.73 + 11.82 + 1.39 + 0.51 + 3.50 + 0.23 dollars, before tax.
	if diff := cmp.Diff(map[string]string{"USD": "19.06", "JPY": "9999.99"}, importertest.Sum(s, portfolio.KindDividend)); diff != "" {
		t.Errorf("dividends, want against got:\n%s", diff)
	}
}

// The recording combines many statements, so its balances jump; the first 21 lines are of one
// statement and do not.
func TestDEGIRO_WhatIsLeftToTheUser(t *testing.T) {
	s := importertest.Read(t, importer.DEGIRO(), importertest.Recorded(t, "degiro.csv"), importer.Options{})
	var others []string
	for _, p := range s.Problems {
		if p.Line < 23 {
			t.Errorf("line %d: %s; want no problem in lines that belong together", p.Line, p.Reason)
		}
		if !strings.HasPrefix(p.Reason, "balance was") {
			others = append(others, importertest.Reasons([]importer.SkippedLine{p}, 18)...)
		}
	}
	if diff := cmp.Diff([]string{"65 corporate action w", "69 30 at 22,4 EUR is "}, others); diff != "" {
		t.Errorf("problems, want against got:\n%s", diff)
	}
	want := []string{"2 move ", "3 move ", "4 rever", "5 rever", "8 move ", "9 move ", "16 move ", "17 move ", "24 rever", "25 rever", "34 same ", "35 same ", "75 move "}
	if diff := cmp.Diff(want, importertest.Reasons(s.Ignored, 5)); diff != "" {
		t.Errorf("ignored, want against got:\n%s", diff)
	}
}

func FuzzDEGIRO(f *testing.F) {
	f.Add(degiroHeader + "\n" + strings.Join(degiroStatementHeaders, "\n") + "\n")
	f.Add(degiroHeader + "\n06-06-2022,14:38,06-06-2022,A,US0231351067,STOCK SPLIT: Sell 5 A@2000 USD (US0231351067),,USD,\"1.000\",USD,\"1\",\n,,,,,,,,,,,x\n")
	f.Add("Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id\n01-02-2024,10:00,,A,,Overboeking naar flatexDEGIRO Bank: 0.92 EUR,,,,EUR,\"1,2\",\n")
	f.Add(degiroTradeListHeader + "\n12-03-2021,09:05,A,US0378331005,NDQ,MSRP,5,\"119,34\",USD,\"-596,70\",USD,\"-524,44\",1,\"-1,31\",\"-2,00\",\"-527,75\",,o\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.DEGIRO(), text) })
}

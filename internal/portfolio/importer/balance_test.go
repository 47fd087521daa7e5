package importer_test

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// The cash before the first line is the balance after it minus the change of that line, in files that begin
// with the oldest line and in files that begin with the newest.
func TestCashBefore_IsTheFirstBalanceLessItsChange(t *testing.T) {
	table := []string{"2024-01-15,Buy,AAPL,10,172.50,-1725.00,USD,3275.00", "2024-02-20,Sell,AAPL,4,185.75,743.00,USD,4018.00", "2024-03-01,Dividend,AAPL,,,1.44,USD,4019.44"}
	wrong := []string{table[0], "2024-02-20,Sell,AAPL,4,185.75,743.00,USD,1000.00", "2024-03-01,Dividend,AAPL,,,1.44,USD,17.00"}
	newest := slices.Clone(table)
	slices.Reverse(newest)
	header := "Date,Type,Symbol,Quantity,Price,Amount,Currency,Balance"
	mapped := func(lines []string) (importer.Format, importer.File) {
		f := importertest.File(append([]string{header}, lines...)...)
		m, open := importer.GuessMapping(f, importer.Corrections{})
		if m.Name = "x"; len(open) > 0 {
			t.Fatal(open)
		}
		return importer.MappedFormat(m), f
	}
	fidelity := importertest.File("Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date",
		"05/15/2025,DIVIDEND RECEIVED ACME INC (ACM) (Cash),ACM,ACME INC,Cash,,,,,,2.50,8273.55,", "03/14/2025,YOU BOUGHT ACME INC (ACM) (Cash),ACM,ACME INC,Cash,10,172.40,4.95,,,-1728.95,8271.05,03/17/2025")
	degiro := importertest.File("Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id",
		`28-08-2026,14:17,28-08-2026,,,"Overboeking naar uw geldrekening bij flatexDEGIRO Bank: 0,09 EUR",,,,EUR,"6.919,21",`, `28-08-2026,14:17,28-08-2026,,,Degiro Cash Sweep Transfer,,EUR,"-0,09",EUR,"4.057,68",`,
		`28-08-2026,14:16,28-08-2026,,,iDEAL storting,,EUR,"0,09",EUR,"4.057,77",`, `24-08-2026,00:00,24-08-2026,MORGAN STANLEY EUR LIQUIDITY FUND,LU1959429272,Koersverandering geldmarktfonds (EUR),,EUR,"-0,02",EUR,"1.500,09",`,
		`19-08-2026,07:48,18-08-2026,ISHARES CORE MSCI WORLD,IE00B4L5Y983,Dividend,,EUR,"9,60",EUR,"4.057,68",`)
	for _, tc := range []struct {
		name   string
		read   func() (importer.Format, importer.File)
		want   string
		doubts int
	}{
		{"a table", func() (importer.Format, importer.File) { return mapped(table) }, "[USD 2024-01-15 5000]", 0},
		{"its newest line first", func() (importer.Format, importer.File) { return mapped(newest) }, "[USD 2024-01-15 5000]", 0},
		{"balances that do not fit", func() (importer.Format, importer.File) { return mapped(wrong) }, "[]", 2},
		{"fidelity", func() (importer.Format, importer.File) { return importer.Fidelity(), fidelity }, "[USD 2025-03-14 10000]", 0},
		{"degiro, with balances of its bank and its fund", func() (importer.Format, importer.File) { return importer.DEGIRO(), degiro }, "[EUR 2026-08-19 4048.08]", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			format, f := tc.read()
			s, err := format.Read(f, importer.Options{Account: "a"})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, b := range s.CashBefore {
				got = append(got, fmt.Sprint(b.Currency, " ", b.Date.Format("2006-01-02"), " ", b.Amount))
			}
			if fmt.Sprint(got) != tc.want || len(s.Doubts) != tc.doubts {
				t.Errorf("cash before %v, doubts %v; want %s and %d", got, s.Doubts, tc.want, tc.doubts)
			}
		})
	}
}

// A table of which most lines are understood is read; the others are left out with their reason.
func TestGuessMapping_UnknownWordsDoNotStopTheRest(t *testing.T) {
	f := importertest.File("TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Commission,Description",
		"04/05/23,Sold,EQ,AMZN,-2,202.2,101.1,0,AMAZON.COM INC", "04/03/23,Bought,EQ,AMZN,2,-204.9,102.45,0,AMAZON.COM INC", "03/31/23,Dividend,EQ,TSLA,0,12.34,0,0,TESLA",
		"12/30/22,Interest,BOND,#2021396,0,0.14,0,0,INTEREST", "12/20/22,Transfer,CASH,,0,15000,0,0,ACH DEPOSIT", "12/19/22,Stock split,EQ,AMZN,38,0,0,0,AMAZON.COM INC")
	m, open := importer.GuessMapping(f, importer.Corrections{})
	if m.Name = "etrade"; len(open) > 0 {
		t.Fatal(open)
	}
	s, err := importer.ReadMapped(f, m, importer.Options{Account: "a", Currency: "USD"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"[2] 2023-04-05 sell AMZN 2 @101.1 202.2 USD", "[3] 2023-04-03 buy AMZN 2 @102.45 204.9 USD", "[4] 2023-03-31 dividend TSLA 12.34 USD", "[5] 2022-12-30 interest 0.14 USD"}
	if got := importertest.Describe(s); !slices.Equal(got, want) {
		t.Errorf("entries %q, want %q", got, want)
	}
	if got := importertest.Reasons(s.Problems, 24); !slices.Equal(got, []string{`6 "Transfer" has no meanin`, `7 "Stock split": a table d`}) {
		t.Errorf("problems %q", got)
	}
}

// A fee next to an amount that was converted may be in the currency of the price.
func TestMapped_AFeeOfUnknownCurrencyIsNotGuessed(t *testing.T) {
	f := importertest.File("Date,Type,ISIN,Quantity,Price,Exchange rate,Amount,Fee", "2024-01-15,Buy,US0378331005,10,100,10.5,-10500.00,99", "2024-01-16,Buy,US0378331005,10,100,10.5,-10500.00,0")
	m, _ := importer.GuessMapping(f, importer.Corrections{Fields: map[string]string{"totals": importer.TotalsGross}})
	m.Name = "x"
	s, err := importer.ReadMapped(f, m, importer.Options{Account: "a", Currency: "SEK"})
	if err != nil {
		t.Fatal(err)
	}
	if got := importertest.Describe(s); !slices.Equal(got, []string{"[3] 2024-01-16 buy US0378331005 10 10500 SEK"}) || len(s.Problems) != 1 {
		t.Errorf("entries %q, problems %v; want the line with a fee as a problem", got, s.Problems)
	}
}

// A file in an encoding of Central European programs, and a table with times in its own zone.
func TestGuessMapping_PolishTextAndTimesInTheirZone(t *testing.T) {
	raw, err := charmap.Windows1250.NewEncoder().String("Data;Typ operacji;ISIN;Ilość;Cena;Prowizja;Kwota;Waluta\n10.01.2025;Wpłata;;;;;1000,00;PLN\n11.01.2025;Kupno;PLOPTTC00011;2;200,00;1,56;-401,56;PLN\n12.01.2025;Sprzedaż;PLOPTTC00011;1;220,00;0,86;219,14;PLN\n")
	if err != nil {
		t.Fatal(err)
	}
	polish, err := importer.Decode("pl.csv", []byte(raw))
	if err != nil || polish.Encoding != "Windows-1250" {
		t.Fatalf("encoding %s, %v; want Windows-1250", polish.Encoding, err)
	}
	zoned := importertest.File("Executed At,Side,Symbol,Filled Quantity,Price,Fees,Net Amount,Currency,Status", "2025-01-06T23:30:00-05:00,BUY,AAPL,10,240.00,1.00,-2401.00,USD,FILLED",
		"2025-01-07T10:30:00-05:00,BUY,AAPL,10,240.00,1.00,-2401.00,USD,CANCELLED", "2025-01-08T10:30:00-05:00,SELL SHORT,TSLA,5,250.00,1.00,1249.00,USD,FILLED")
	for _, tc := range []struct {
		file importer.File
		want []string
	}{
		{polish, []string{"[2] 2025-01-10 deposit 1000 PLN", "[3] 2025-01-11 buy PLOPTTC00011 2 @200 400 PLN fee 1.56", "[4] 2025-01-12 sell PLOPTTC00011 1 @220 220 PLN fee 0.86"}},
		{zoned, []string{"[2] 2025-01-06 buy AAPL 10 @240 2400 USD fee 1"}}, // a short sale does not sell shares that are held
	} {
		m, open := importer.GuessMapping(tc.file, importer.Corrections{})
		if m.Name = "x"; len(open) > 0 {
			t.Fatalf("%s: %v", tc.file.Name, open)
		}
		s, err := importer.ReadMapped(tc.file, m, importer.Options{Account: "a"})
		if got := importertest.Describe(s); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, %v; want %q\n%v", tc.file.Name, got, err, tc.want, s.Problems)
		}
	}
}

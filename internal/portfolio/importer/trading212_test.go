package importer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// trading212Header has every column that these tests need, in the order of recent exports.
const trading212Header = "Action,Time (UTC),ISIN,Ticker,Name,Notes,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result)," +
	"Total,Currency (Total),Withholding tax,Currency (Withholding tax),Stamp duty reserve tax,Currency (Stamp duty reserve tax)," +
	"Currency conversion from amount,Currency (Currency conversion from amount),Currency conversion to amount,Currency (Currency conversion to amount)," +
	"Currency conversion fee,Currency (Currency conversion fee)"

func readTrading212(t testing.TB, lines ...string) importer.Statement {
	t.Helper()
	return importertest.Read(t, importer.Trading212(), importertest.File(append([]string{trading212Header}, lines...)...), importer.Options{})
}

// C33: a cost that the broker added to its export is not dropped in silence.
func TestTrading212_AnUnknownCostColumnIsReported(t *testing.T) {
	s := importertest.Read(t, importer.Trading212(), importertest.File(trading212Header+",Spanish robot levy",
		`Market buy,2025-09-16 10:50:21+00:00,US67066G1040,NVDA,Nvidia,,EOF1,1,177.17,USD,1,,,177.17,USD,,,,,,,,,,,0.35`,
		`Market buy,2025-09-17 10:50:21+00:00,US67066G1040,NVDA,Nvidia,,EOF2,1,177.17,USD,1,,,177.17,USD,,,,,,,,,,,`), importer.Options{})
	if len(s.Entries) != 2 || len(s.Doubts) != 1 || s.Doubts[0].Line != 2 || !strings.Contains(s.Doubts[0].Reason, "Spanish robot levy") {
		t.Errorf("doubts = %v, want the levy of line 2", s.Doubts)
	}
}

func TestTrading212_EachKindOfLine(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"purchase in the account's currency", `Market buy,2025-09-16 10:50:21+00:00,US67066G1040,NVDA,Nvidia,,EOF1,1.0000000000,177.1700000000,USD,1.00000000,,,177.17,USD`,
			"2025-09-16 buy NVDA 1 @177.17 177.17 USD"},
		// 2.73260073 shares at 5.46 pounds are 14.92, and 0.08 of stamp duty.
		{"purchase in pence with stamp duty", `Market buy,2026-05-26 10:03:47,GB0007980591,BP,BP,,EOF2,2.7326007300,546.0000000000,GBX,100.00000000,,,15.00,GBP,,,0.08,GBP`,
			"2026-05-26 buy BP.L 2.73260073 @5.46 14.92 GBP tax 0.08"},
		// 10 shares at 100 dollars, 1.10 for a euro, are 909.09 euros, and 1.36 of fee.
		{"purchase with a fee of conversion", `Limit buy,2025-01-02 10:00:00,US0378331005,AAPL,Apple,,EOF3,10,100,USD,1.10,,,910.45,EUR,,,,,,,,,1.36,EUR`,
			"2025-01-02 buy AAPL 10 909.09 EUR fee 1.36"},
		{"sale with a fee of conversion", `Stop limit sell,2025-01-02 10:00:00,US0378331005,AAPL,Apple,,EOF4,10,100,USD,1.10,5,EUR,907.73,EUR,,,,,,,,,1.36,EUR`,
			"2025-01-02 sell AAPL 10 909.09 EUR fee 1.36"},
		// C31: 1,000 before a duty of 5, which is a cost, and 20 of withheld tax, which is not.
		{"duty and withheld tax of a sale", `Market sell,2025-01-02 10:00:00,FR0000120271,TTE,TotalEnergies,,EOF9,10,100,EUR,1,,,975,EUR,20,EUR,5,EUR`,
			"2025-01-02 sell TTE.PA 10 @100 1000 EUR fee 5 tax 20"},
		{"fee in another currency stays in the sum", `Market sell,2025-01-02 10:00:00,US0378331005,AAPL,Apple,,EOF5,10,100,USD,1.10,,,909.07,EUR,,,,,,,,,0.02,USD`,
			"2025-01-02 sell AAPL 10 909.07 EUR"},
		{"dividend with tax in its currency", `Dividend (Dividend),2025-01-02 10:00:00,GB0007980591,BP,BP,,,10,5,GBX,Not available,,,0.45,GBP,0.05,GBP`,
			"2025-01-02 dividend GB0007980591 0.5 GBP tax 0.05"},
		{"dividend with tax in pence", `Dividend (Property income distribution),2025-01-02 10:00:00,GB0007980591,BP,BP,,,10,5,GBX,Not available,,,0.40,GBP,10,GBX`,
			"2025-01-02 dividend GB0007980591 0.5 GBP tax 0.1"},
		{"dividend with tax in another", `Dividend (Ordinary),2025-01-02 10:00:00,US0378331005,AAPL,Apple,,,10,0.25,USD,Not available,,,1.95,EUR,0.38,USD`,
			"2025-01-02 dividend AAPL 1.95 EUR"},
		{"capital paid back", `Dividend (Return of capital),2025-01-02 10:00:00,US0378331005,AAPL,Apple,,,10,0.25,USD,,,,1.95,EUR`,
			"2025-01-02 return_of_capital AAPL 1.95 EUR"},
		{"interest of a fund", `Dividend (Interest),2025-01-02 10:00:00,IE00B4L5Y983,IWDA,iShares,,,10,0.25,EUR,,,,2.50,EUR`, "2025-01-02 interest IE00B4L5Y983 2.5 EUR"},
		{"interest", `Interest on cash,2025-01-02 10:00:00,,,,Interest on cash,8ffb,,,,,,,0.01,EUR`, "2025-01-02 interest 0.01 EUR"},
		{"interest of shares lent", `Lending interest,2025-01-02 10:00:00,,,,,8ffc,,,,,,,0.02,EUR`, "2025-01-02 interest 0.02 EUR"},
		{"deposit", `Deposit,2025-01-02 10:00:00,,,,Transaction ID: X,d1,,,,,,,320.00,PLN`, "2025-01-02 deposit 320 PLN"},
		{"withdrawal below zero", `Withdrawal,2025-01-02 10:00:00,,,,,d2,,,,,,,-20.00,EUR`, "2025-01-02 withdrawal 20 EUR"},
		{"withdrawal above zero", `Withdrawal,2025-01-02 10:00:00,,,,,d3,,,,,,,20.00,EUR`, "2025-01-02 withdrawal 20 EUR"},
		{"payment by card", `Card debit,2025-01-02 10:00:00,,,,,d4,,,,,,,-4.50,EUR`, "2025-01-02 withdrawal 4.5 EUR"},
		{"exchange of currency", `Currency conversion,2025-01-02 10:00:00,,,,,d5,,,,,,,,,,,,,-100,EUR,109.84,USD,0.15,EUR`, "2025-01-02 currency_exchange 100 EUR to 109.84 USD"},
		{"shares out", `Transfer out,2025-02-28 08:25:01.076,DE000A3GK2N1,XBTI,Bitcoin,,EOF6,595.0,3.419430,EUR,1.0,0.00,EUR,2034.56,EUR`, "2025-02-28 transfer_out XBTI.DE 595"},
		{"shares in, at no known cost", `Transfer in,2025-02-28 08:25:01.076,DE000A3GK2N1,XBTI,Bitcoin,,EOF7,595.0,3.419430,EUR,1.0,0.00,EUR,2034.56,EUR`,
			"2025-02-28 transfer_in XBTI.DE 595 cost unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readTrading212(t, tt.line)
			if diff := cmp.Diff([]string{"[2] " + tt.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("read %s, want against got:\n%s problems %v", tt.line, diff, s.Problems)
			}
		})
	}
}

func TestTrading212_WhatTheAmountsCannotShowIsNoted(t *testing.T) {
	s := readTrading212(t, `Market buy,2025-01-02 10:00:00,US0378331005,AAPL,Apple,,EOF3,10,100,USD,1.10,,,909.11,EUR,,,,,,,,,0.02,USD`)
	const want = "100 USD a share at 1.1, after currency conversion fee 0.02 USD"
	if got := s.Entries[0].Transaction.Note; got != want {
		t.Errorf("note = %q, want %q", got, want)
	}
}

func TestTrading212_TheBrokersNumberIsTheSource(t *testing.T) {
	buy := `Market buy,2025-09-16 10:50:21,US67066G1040,NVDA,Nvidia,,EOF1,1,177.17,USD,1,,,177.17,USD`
	s := readTrading212(t, buy, buy)
	if diff := cmp.Diff([]string{"EOF1"}, importertest.IDs(s)); diff != "" || len(s.Ignored) != 1 {
		t.Errorf("a line twice: sources, want against got:\n%s ignored %v, want the second", diff, s.Ignored)
	}
}

func TestTrading212_DaysAreThoseOfTheZone(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	f := importertest.File(trading212Header, `Deposit,2024-12-31 23:30:00,,,,,d1,,,,,,,1.00,EUR`)
	s := importertest.Read(t, importer.Trading212(), f, importer.Options{Zone: zone})
	x := s.Entries[0].Transaction
	if want := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC); !x.Date.Equal(want) || !x.Time.Equal(time.Date(2024, 12, 31, 23, 30, 0, 0, time.UTC)) {
		t.Errorf("23:30 UTC in %v = %v at %v, want %v at the same moment", zone, x.Date, x.Time, want)
	}
}

func TestTrading212_OldColumnsNameTheCurrency(t *testing.T) {
	f := importertest.File(
		"Currency conversion fee (GBP),Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result (GBP),Total (GBP),Notes,ID",
		`0.12,Market buy,2021-03-04 15:00:00,US0378331005,AAPL,Apple,1,111.20,USD,1.39,,80.12,,EOF9`,
	)
	s := importertest.Read(t, importer.Trading212(), f, importer.Options{})
	// 111.20 dollars at 1.39 are 80 pounds.
	if diff := cmp.Diff([]string{"[2] 2021-03-04 buy AAPL 1 80 GBP fee 0.12"}, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s problems %v", diff, s.Problems)
	}
}

func TestTrading212_ASplitIsTwoHalves(t *testing.T) {
	closed := `Stock split close,2025-03-24 07:24:24.095,CA46500E8678,ISOU,IsoEnergy,,EOF10,29.8047800000,2.070473,USD,1.03401461,0.00,EUR,59.68,EUR`
	opened := `Stock split open,2025-03-24 07:24:24.104,CA46500E8678,ISOU,IsoEnergy,,EOF11,7.4511950000,8.281893,USD,1.03401474,,EUR,59.68,EUR`
	want := []string{"[2 3] 2025-03-24 reverse_split CA46500E8678 7.451195 for 29.80478"}
	for _, lines := range [][]string{{closed, opened}, {opened, closed}} {
		if diff := cmp.Diff(want, importertest.Describe(readTrading212(t, lines...))); diff != "" {
			t.Errorf("want against got:\n%s", diff)
		}
	}
	for _, lines := range [][]string{{closed}, {opened}, {closed, opened, strings.Replace(opened, "EOF11", "EOF12", 1)}} {
		if s := readTrading212(t, lines...); len(s.Entries) != 0 || len(s.Problems) != len(lines) {
			t.Errorf("%d halves that do not fit = %v, want a problem each", len(lines), importertest.Describe(s))
		}
	}
}

func TestTrading212_WhatIsNotUnderstoodSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ name, line, reason string }{
		{"no currency of the total", `Market buy,2025-09-16 10:50:21,US67066G1040,NVDA,Nvidia,,EOF1,1,177.17,USD,1,,,177.17,`, "set the account's currency"},
		{"fee of no currency", `Market buy,2025-09-16 10:50:21,US67066G1040,NVDA,Nvidia,,EOF1,1,177.17,USD,1,,,177.17,USD,,,0.5,`, "missing currency for 0.5"},
		{"pence for pounds", `Market buy,2026-05-26 10:03:47,GB0007980591,BP,BP,,EOF2,2,546,GBP,,,,10.92,GBP`, "is 1092, not 10.92"},
		{"cells of other columns", `Stock split close,2025-03-24 07:24:24.095,CA46500E8678,ISOU,IsoEnergy,,29.8,EOF10,2.07,USD`, "not a number"},
		{"wrong digit in the ISIN", `Market buy,2025-09-16 10:50:21,US67066G1041,NVDA,Nvidia,,EOF1,1,177.17,USD,1,,,177.17,USD`, "wrong check digit"},
		{"shares handed out", `Stock distribution,2025-01-23 14:46:06.327,US9078181081,PALAF,Union,,EOF2,11.05,0.00,USD,,,,0.00,EUR`, "enter a spin-off"},
		{"demerger", `Dividend (Demerger),2025-01-23 14:46:06,US9078181081,UNP,Union,,,11.05,0.00,USD,,,,3.00,EUR`, "demerger"},
		{"dividend taken back", `Dividend adjustment,2025-01-23 14:46:06,US9078181081,UNP,Union,,,,,,,,,-3.00,EUR`, "wrong sign"},
		{"correction", `Result adjustment,2025-01-23 14:46:06,,,,,x,,,,,,,-3.00,EUR`, "enter a deposit or a fee"},
		{"half a conversion", `Currency conversion,2025-01-02 10:00:00,,,,,d5,,,,,,,,,,,,,-100,EUR`, "amounts are missing"},
		{"unknown action", `Gift,2025-01-02 10:00:00,,,,,d5,,,,,,,1,EUR`, `unknown action "Gift"`},
		{"no moment", `Deposit,02/01/2025,,,,,d5,,,,,,,1,EUR`, "not a date"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readTrading212(t, tt.line)
			if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, tt.reason) || s.Problems[0].Line != 2 {
				t.Errorf("read %s = %v, problems %v; want a problem of line 2 that says %q", tt.line, importertest.Describe(s), s.Problems, tt.reason)
			}
		})
	}
}

func TestTrading212_OtherFilesAreRefused(t *testing.T) {
	importertest.CheckRefused(t, importer.Trading212(), importertest.File("Date,Amount", "2024-01-01,5"))
}

func TestTrading212_ComesOutToTheCent(t *testing.T) {
	s := importertest.Read(t, importer.Trading212(), importertest.Recorded(t, "trading212.csv"), importer.Options{})
	// 31.00 deposited - 1.33 - 1.20 - 1.47 bought + 0.70 sold + 0.03 + 0.03 + 17.67
	// of dividends + 0.01 of interest. Taxes are in dollars and only noted.
	if diff := cmp.Diff(map[string]string{"EUR": "45.44"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash, want against got:\n%s", diff)
	}
	if got := importertest.Sum(s, portfolio.KindDividend)["EUR"]; got != "17.73" {
		t.Errorf("dividends = %s, want 17.73", got)
	}
	want := map[market.Symbol]string{"CSCO": "0.029053", "VICI": "0.041014", "ASTS": "0.29764", "ASTR": "-0.61254", "XBTI.DE": "-595"}
	if diff := cmp.Diff(want, importertest.Shares(s)); diff != "" {
		t.Errorf("shares, want against got:\n%s", diff)
	}
	// The last four lines have the columns of a newer header: a distribution, which lacks its cost, a
	// transfer and a split.
	if diff := cmp.Diff([]string{"11 11.0563304 sh"}, importertest.Reasons(s.Problems, 13)); diff != "" || len(s.Ignored) != 0 {
		t.Errorf("problems, want against got:\n%s ignored %v", diff, s.Ignored)
	}
}

// The lines that do not match the file's header are read with the header that they were written
// with.
func TestTrading212_UnderTheNewerHeader(t *testing.T) {
	f := importertest.Recorded(t, "trading212.csv")
	lines := strings.Split(strings.TrimSpace(f.Text), "\n")
	f = importer.File{Name: f.Name, Text: strings.Join(append([]string{trading212Header}, lines[10:]...), "\n"), Encoding: f.Encoding}
	s := importertest.Read(t, importer.Trading212(), f, importer.Options{})
	want := []string{"[3] 2025-02-28 transfer_out XBTI.DE 595", "[4 5] 2025-03-24 reverse_split CA46500E8678 7.451195 for 29.80478"}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" || len(s.Problems) != 1 {
		t.Errorf("want against got:\n%s problems %v, want the distribution", diff, s.Problems)
	}
}

func FuzzTrading212(f *testing.F) {
	f.Add(trading212Header + "\nMarket buy,2025-09-16 10:50:21+00:00,US67066G1040,NVDA,Nvidia,,EOF1,1.0,177.17,USD,1.0,,,177.17,USD\n")
	f.Add(trading212Header + "\nStock split close,2025-03-24 07:24:24,,I,,,1,29.8,2,USD,1,,,59,EUR\nStock split open,2025-03-24 07:24:24,,I,,,2,7,8,USD,1,,,59,EUR\n")
	f.Add("Action,Time,ISIN,Ticker,No. of shares,Price / share,Currency (Price / share),Total (EUR),Withholding tax\nDividend (x),2025-03-24 07:24:24,,I,1,1,GBX,1,1\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.Trading212(), text) })
}

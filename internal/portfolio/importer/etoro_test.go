package importer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const etoroHeader = "Date,Type,Details,Amount,Units,Realized Equity Change,Realized Equity,Balance,Position ID,Asset type,NWA"

func readEToro(t testing.TB, lines ...string) importer.Statement {
	t.Helper()
	return importertest.Read(t, importer.EToro(), importertest.File(append([]string{etoroHeader}, lines...)...), importer.Options{})
}

func TestEToro_EachKindOfLine(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"purchase", `09/01/2024 15:37:16,Open Position,AMD/USD,49.88,0.337209,0.00,"4,581.91",0.00,2596572937,Stocks,0.00`, "2024-01-09 buy AMD 0.337209 49.88 USD"},
		{"sale, of all that came back", `16/01/2024 20:08:09,Position closed,AMD/USD,61.27,0.388423,38.57,"4,581.91",0.80,2602058508,ETF,0.00`, "2024-01-16 sell AMD 0.388423 61.27 USD"},
		{"sum with a comma", `14/04/2020 14:00:25,Open Position,NKE/USD," 1 100,50 ",0.398451," 0,00 "," 212,87 "," 12,87 ",1,Stocks," 0,00 "`, "2020-04-14 buy NKE 0.398451 1100.5 USD"},
		{"coins are a pair", `14/04/2020 14:00:25,Open Position,BTC/USD,100.00,0.01,0.00,1,1,1,Crypto,0.00`, "2020-04-14 buy BTC-USD 0.01 100 USD"},
		{"coins quoted in another currency are the same coins", `14/04/2020 14:00:25,Open Position,BTC/EUR,100.00,0.01,0.00,1,1,1,Crypto,0.00`, "2020-04-14 buy BTC-USD 0.01 100 USD"},
		{"dividend", `02/01/2024 00:10:33,Dividend,KER/EUR,0.17,-,0.17,1,1,2272508626,Stocks,0.00`, "2024-01-02 dividend KER.EUR 0.17 USD"},
		{"interest", `01/01/2024 05:50:54,Interest Payment,,0.08,-,0.08,1,0.00,-,,0.00`, "2024-01-01 interest 0.08 USD"},
		{"what holding costs", `15/04/2020 00:46:41,Overnight fee,Daily,"(0,10)",-,"(0,10)",1,1,1074146905,CFD,0`, "2020-04-15 interest_paid 0.1 USD"},
		{"what holding brings", `20/05/2020 01:31:04,Overnight refund,Daily," 0,21 ",-," 0,21 ",1,1,624957573,CFD,0`, "2020-05-20 interest 0.21 USD"},
		{"stamp duty", `10/07/2025 15:15:01,SDRT,HNKE/USD,(6.97),-,(6.97),"11,316.06 ",0.00 ,3069370143,Stocks,0.00`, "2025-07-10 tax HNKE 6.97 USD"},
		{"fee of a trade", `15/01/2025 14:32:11,Fee,AAPL/USD,1.50,-,-1.50,0.00,3145.50,3111001,Stocks,0.00`, "2025-01-15 fee AAPL 1.5 USD"},
		{"fee given back", `02/01/2024 00:10:33,Fee,KER/EUR,-0.17,-,0.17,1,1,2,Stocks,0.00`, "2024-01-02 fee_refund KER.EUR 0.17 USD"},
		{"stamp duty given back", `10/07/2025 15:15:01,SDRT,HNKE/USD,6.97,-,6.97,"11,316.06 ",0.00 ,3069370143,Stocks,0.00`, "2025-07-10 tax_refund HNKE 6.97 USD"},
		{"what holding cost, given back", `15/04/2020 00:46:41,Overnight fee,Daily,0.10,-,0.10,1,1,1074146905,CFD,0`, "2020-04-15 interest 0.1 USD"},
		{"deposit", `03/01/2024 13:09:09,Deposit,100.00 EUR PayPal,109.10,-,109.10,1,1,-,,0.00`, "2024-01-03 deposit 109.1 USD"},
		{"withdrawal", `03/01/2024 13:09:09,Withdraw Request,-,-100.11,-,-100.11,1,0.00,-,,0.00`, "2024-01-03 withdrawal 100.11 USD"},
		{"split", `10/06/2024 00:00:00,corp action: Split,NVDA/USD 10:1,0.00,-,0.00,1,1,7,Stocks,0.00`, "2024-06-10 split NVDA 10 for 1"},
		{"reverse split", `10/06/2024 00:00:00,corp action: Split,ABC/USD 1:20,0.00,-,0.00,1,1,7,Stocks,0.00`, "2024-06-10 reverse_split ABC 1 for 20"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readEToro(t, tt.line)
			if diff := cmp.Diff([]string{"[2] " + tt.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("read %s, want against got:\n%s problems %v", tt.line, diff, s.Problems)
			}
		})
	}
}

func TestEToro_ASplitIsOneForAllPositions(t *testing.T) {
	first := `10/06/2024 00:00:01,corp action: Split,NVDA/USD 10:1,0.00,-,0.00,1,1,7,Stocks,0.00`
	second := `10/06/2024 00:00:02,corp action: Split,NVDA/USD 10:1,0.00,-,0.00,1,1,8,Stocks,0.00`
	both, one := readEToro(t, first, second), readEToro(t, second)
	if len(both.Entries) != 1 || len(both.Ignored) != 1 {
		t.Fatalf("a split of two positions = %v, ignored %v; want one each", importertest.Describe(both), both.Ignored)
	}
	if diff := cmp.Diff(importertest.IDs(both), importertest.IDs(one)); diff != "" {
		t.Errorf("sources by the first and by the second position differ:\n%s", diff)
	}
	contract := strings.Replace(first, "Stocks", "CFD", 1)
	if s := readEToro(t, contract); len(s.Entries) != 0 || len(s.Ignored) != 1 {
		t.Errorf("the split of a contract = %v, problems %v; want it ignored", importertest.Describe(s), s.Problems)
	}
	if s := readEToro(t, contract, second); len(s.Entries) != 1 || len(s.Ignored) != 1 {
		t.Errorf("the split of a contract and of shares = %v, ignored %v; want that of the shares", importertest.Describe(s), s.Ignored)
	}
}

func TestEToro_DividendsUnderTheirOldName(t *testing.T) {
	open := `01/02/2019 10:00:00,Open Position,KO/USD,100.00,2,0.00,1,1,77,Stocks,0.00`
	paid := `01/03/2019 10:00:00,Rollover Fee,Payment caused by dividend,0.80,-,0.80,1,1,77,Stocks,0.00`
	s := readEToro(t, open, paid)
	if want := "[3] 2019-03-01 dividend KO 0.8 USD"; len(s.Entries) != 2 || importertest.Describe(s)[1] != want {
		t.Errorf("read = %v, want the second %q", importertest.Describe(s), want)
	}
	if s = readEToro(t, paid); len(s.Problems) != 1 {
		t.Errorf("a dividend of a position that is not in the file = %v, want a problem", importertest.Describe(s))
	}
}

func TestEToro_WhatChangesNothingIsIgnored(t *testing.T) {
	s := readEToro(t,
		`03/01/2024 13:09:09,Withdraw Fee,-,0.00,-,0.00,1,100.11,-,,0.00`,
		`03/01/2024 13:09:09,Withdrawal Conversion Fee,-,-1.36,-,0.00,1,0.00,-,,0.00`,
		`03/01/2024 13:09:10,Start Copy,trader,500.00,-,0.00,1,0.00,-,,0.00`,
		`03/01/2024 13:09:11,Open Position,NKE/USD,100.00,1,0.00,1,0.00,9,CFD,0.00`,
	)
	want := []string{"2 amount ", "3 part of", "4 move be", "5 contrac"}
	if diff := cmp.Diff(want, importertest.Reasons(s.Ignored, 7)); diff != "" {
		t.Errorf("ignored, want against got:\n%s", diff)
	}
}

func TestEToro_WhatIsNotUnderstoodSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ name, line, reason string }{
		{"contract for difference", `20/05/2020 20:59:02,Position closed,NKE/USD,392.16,65.359477,192.16,1,1,6,CFD,0`, "by hand, 192.16 USD"},
		{"unknown kind of asset", `20/05/2020 20:59:02,Position closed,NKE/USD,392.16,65.359477,192.16,1,1,6,,0`, `asset type ""`},
		{"missing units", `09/01/2024 15:37:16,Open Position,AMD/USD,49.88,-,0.00,1,0.00,2,Stocks,0.00`, "missing or non-positive units"},
		{"no security", `09/01/2024 15:37:16,Open Position,-,49.88,1,0.00,1,0.00,2,Stocks,0.00`, "missing symbol or ISIN"},
		{"split of no ratio", `10/06/2024 00:00:00,corp action: Split,NVDA/USD,0.00,-,0.00,1,1,7,Stocks,0.00`, "no split ratio"},
		{"dividend taken back", `02/01/2024 00:10:33,Dividend,KER/EUR,-0.17,-,-0.17,1,1,2,Stocks,0.00`, "wrong sign"},
		{"withdrawal that came back", `03/01/2024 13:09:09,Withdraw Request,-,100.11,-,100.11,1,0.00,-,,0.00`, "wrong sign"},
		{"unknown type", `02/01/2024 00:10:33,AirDrop,ETHW/USD,0.17,-,0.17,1,1,2,Crypto,0.00`, `unknown type "AirDrop"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readEToro(t, tt.line)
			if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, tt.reason) || s.Problems[0].Line != 2 {
				t.Errorf("read %s = %v, problems %v; want a problem of line 2 that says %q", tt.line, importertest.Describe(s), s.Problems, tt.reason)
			}
		})
	}
}

func TestEToro_ANumberThatCanBeTwoIsDecidedByTheFileOrNotAtAll(t *testing.T) {
	unclear := `01/01/2024 05:50:54,Interest Payment,,"1,234",-,0,1,0,-,,0`
	point := `02/01/2024 05:50:54,Interest Payment,,0.08,-,0.08,1,0,-,,0`
	comma := `03/01/2024 05:50:54,Interest Payment,,"0,09",-,"0,09",1,0,-,,0`
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"points elsewhere", []string{unclear, point}, "1234.08"},
		{"commas elsewhere", []string{unclear, comma}, "1.324"},
		{"both elsewhere", []string{unclear, point, comma}, "0.17"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readEToro(t, tt.lines...)
			if got := importertest.Cash(s)["USD"]; got != tt.want {
				t.Errorf("cash = %s, want %s; problems %v", got, tt.want, s.Problems)
			}
		})
	}
}

func TestEToro_ColumnsAreFoundByName(t *testing.T) {
	f := importertest.File("NWA,Position ID,Asset type,Type,Date,Details,Realized Equity Change,Amount,Units / Contracts", `0,2,Stocks,Open Position,09/01/2024 15:37:16,AMD/USD,0.00,49.88,0.337209`)
	s := importertest.Read(t, importer.EToro(), f, importer.Options{Currency: "EUR"})
	if diff := cmp.Diff([]string{"[2] 2024-01-09 buy AMD 0.337209 49.88 EUR"}, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

func TestEToro_OtherFilesAreRefused(t *testing.T) {
	importertest.CheckRefused(t, importer.EToro(), importertest.File("Date,Amount", "2024-01-01,5"))
}

func TestEToro_ComesOutToTheCent(t *testing.T) {
	s := importertest.Read(t, importer.EToro(), importertest.Recorded(t, "etoro.csv"), importer.Options{})
	for _, sum := range []struct {
		name, want string
		kinds      []portfolio.Kind
	}{
		// NKE 0.17 + 0.16, LRCX 0.51, NXPI 0.28 + 0.04, DIS 0.14 + 0.29, HST 0.07, KER 0.03 + 0.01 + 0.01
		{"dividends", "1.71", []portfolio.Kind{portfolio.KindDividend}},
		{"interest", "0.29", []portfolio.Kind{portfolio.KindInterest}}, // 0.08 + 0.21
		{"interest paid", "0.41", []portfolio.Kind{portfolio.KindInterestDue}},
		{"bought", "170.87", []portfolio.Kind{portfolio.KindBuy}}, // 49.88 + 27.37 + 93.62
		{"sold", "80.08", []portfolio.Kind{portfolio.KindSell}},   // 18.43 + 0.38 + 61.27
		{"taxes", "6.97", []portfolio.Kind{portfolio.KindTax}},
		{"taken out", "100.11", []portfolio.Kind{portfolio.KindWithdrawal}},
	} {
		if got := importertest.Sum(s, sum.kinds...)["USD"]; got != sum.want {
			t.Errorf("%s = %s, want %s", sum.name, got, sum.want)
		}
	}
	// 1.71 + 0.29 - 0.41 - 170.87 + 80.08 - 6.97 - 100.11
	if diff := cmp.Diff(map[string]string{"USD": "-196.28"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash, want against got:\n%s", diff)
	}
	want := map[market.Symbol]string{"OLED": "-0.102626", "AMAT": "-0.002556", "AMD": "-0.051214", "SLAB": "0.219575", "SWKS": "0.888488"}
	if diff := cmp.Diff(want, importertest.Shares(s)); diff != "" {
		t.Errorf("shares, want against got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"28 contract f"}, importertest.Reasons(s.Problems, 10)); diff != "" {
		t.Errorf("problems, want against got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"6 amount ", "7 part of", "23 contrac", "25 contrac"}, importertest.Reasons(s.Ignored, 7)); diff != "" {
		t.Errorf("ignored, want against got:\n%s", diff)
	}
}

func FuzzEToro(f *testing.F) {
	f.Add(etoroHeader + "\n09/01/2024 15:37:16,Open Position,AMD/USD,49.88,0.337209,0.00,\"4,581.91\",0.00,2596572937,Stocks,0.00\n")
	f.Add(etoroHeader + "\n10/06/2024 00:00:00,corp action: Split,NVDA/USD 10:1,0,-,0,1,1,7,Stocks,0\n15/04/2020 00:46:41,Overnight fee,Daily,\"(0,10)\",-,\"(0,10)\",1,1,7,CFD,0\n")
	f.Add(etoroHeader + "\n01/03/2019 10:00:00,Rollover Fee,Payment caused by dividend,\"1,234\",-,1.5,1,1,77,Stocks,0\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.EToro(), text) })
}

// One impossible month shows the date order of the whole file, so 05/04 is not the date it seems to be.
func TestEToro_MonthsBeforeDaysRefuseTheWholeFile(t *testing.T) {
	f := importertest.File(etoroHeader, `05/04/2024 05:50:54,Interest Payment,,0.08,-,0.08,1,0.00,-,,0.00`, `01/31/2024 00:10:33,Interest Payment,,0.08,-,0.08,1,0.00,-,,0.00`)
	s, err := importer.EToro().Read(f, importer.Options{Account: importertest.Account})
	if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), "01/31/2024") {
		t.Errorf("Read = %v, %v; want ErrFormat that names the date", importertest.Describe(s), err)
	}
}

package importer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

func TestActivity_EveryRowBecomesWhatItSays(t *testing.T) {
	s := readIBKR(t, readIBKRTestdata(t, "activity.csv"), importer.Options{})
	want := []string{
		"2024-01-05 U1 buy ACM isin=US00000ACM14 quantity=1100 amount=11550 USD fee=1.1",
		"2024-03-01 U1 sell ACM isin=US00000ACM14 quantity=10 amount=120 USD fee=1",
		"2024-01-04 U1 currency_exchange amount=11050 CHF fee=1.8 to=13000 USD",
		"2024-01-03 U1 deposit amount=12000 CHF",
		"2024-02-01 U1 deposit amount=100 CHF",
		"2024-02-01 U1 deposit amount=100 CHF", // two equal lines are two deposits
		"2024-04-01 U1 dividend ACM isin=US00000ACM14 amount=545 USD tax=81.75",
		"2024-05-03 U1 interest amount=1.25 USD",
		"2024-05-03 U1 interest_paid amount=0.42 CHF",
		"2024-05-04 U1 fee amount=10 USD",
		"2024-06-10 U1 split ACM isin=US00000ACM14 new=4 old=1",
	}
	if d := cmp.Diff(want, formatAllIBKR(s)); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	compareIBKRReasons(t, "problems", map[int]string{15: "options are not supported", 40: "section Mystery Payments is not supported"}, s.Problems)
	// Every line that is not a header is reported.
	if got := len(ibkrLinesReported(s)); got != 42-13 {
		t.Errorf("%d lines are named, want %d: all but the 13 headers", got, 42-13)
	}
}

func TestActivity_ExecutionsCountWhereThereAreNoOrders(t *testing.T) {
	text := "Statement,Header,Field Name,Field Value\n" +
		"Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,Proceeds,Comm/Fee,Code\n" +
		"Trades,Data,Execution,Stocks,USD,ACM,\"2024-01-05, 09:30:01\",2,10,-20,-1,O\n" +
		"Trades,Data,ClosedLot,Stocks,USD,ACM,2024-01-05,2,10,,,\n"
	s := readIBKR(t, text, importer.Options{Account: "a"})
	if d := cmp.Diff([]string{"2024-01-05 a buy ACM quantity=2 amount=20 USD fee=1"}, formatAllIBKR(s)); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
}

// C33: a line of an order whose discriminator column has another name is reported, not dropped.
func TestActivity_AnUnknownDiscriminatorIsAProblem(t *testing.T) {
	text := "Statement,Header,Field Name,Field Value\n" +
		"Trades,Header,Kind,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,Proceeds,Comm/Fee,Code\n" +
		"Trades,Data,Order,Stocks,USD,ACM,\"2024-01-05, 09:30:01\",2,10,-20,-1,O\n"
	s := readIBKR(t, text, importer.Options{Account: "a"})
	compareIBKRReasons(t, "problems", map[int]string{3: "unknown kind of trade line"}, s.Problems)
}

// An exchange is read if the file has Symbol and AssetClass, and a file may have several sections.
func TestFlat_SectionsBelowOneAnother(t *testing.T) {
	text := `"ClientAccountID","AssetClass","Symbol","ISIN","Buy/Sell","TradeDate","Quantity","TradePrice","TradeMoney","CurrencyPrimary","IBCommission","IBCommissionCurrency","TransactionID"
"U1","CASH","USD.CHF","","BUY","20240104","2000","0.85","1700","CHF","-1.8","CHF","1"
"U1","STK","ACM","US00000ACM14","BUY","20240105","60","10.5","630","USD","-0.6","USD","2"
"ClientAccountID","CurrencyPrimary","Symbol","Type","SettleDate","Amount","Description","TransactionID"
"U1","CHF","","Deposits/Withdrawals","20240103","5000","CASH RECEIPTS","3"
"ClientAccountID","CurrencyPrimary","EndingCash"
"U1","CHF","3298.2"
"EOS","x"
`
	s := readIBKR(t, text, importer.Options{Account: "a"})
	want := []string{
		"2024-01-04 a currency_exchange amount=1700 CHF fee=1.8 to=2000 USD",
		"2024-01-05 a buy ACM isin=US00000ACM14 quantity=60 amount=630 USD fee=0.6",
		"2024-01-03 a deposit amount=5000 CHF",
	}
	if d := cmp.Diff(want, formatAllIBKR(s)); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	compareIBKRReasons(t, "problems", map[int]string{7: "unsupported table"}, s.Problems)
}

// The recorded trades: shares 7 of CH0111762537, and 95+105+11+1+2+97+12 = 323 of
// US9220427424. Cash: CHF 1978.90 and 5 of commission; USD 8909.10 + 10019.10 +
// 1050.06 + 97.84 + 206.36 + 10050.17 + 1243.92 = 31576.55, and 6 times 1 and 0.979
// of commission. Three exchanges lack their other currency.
func TestIBKR_Trades(t *testing.T) {
	s := readIBKR(t, ibkrRecording(t, "ibkr-trades.csv"), importer.Options{Account: "a"})
	held, cash := map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
	for _, e := range s.Entries {
		x := e.Transaction
		if x.Kind != portfolio.KindBuy {
			t.Errorf("line %v is a %s, want buys alone", e.Lines, x.Kind)
		}
		held[x.ISIN] = held[x.ISIN].Add(x.Quantity)
		cash[x.Currency] = cash[x.Currency].Sub(x.Amount).Sub(x.Fee)
	}
	checkIBKRSums(t, "held", held, map[string]string{"CH0111762537": "7", "US9220427424": "323"})
	checkIBKRSums(t, "cash", cash, map[string]string{"CHF": "-1983.9", "USD": "-31583.529"})
	const lost = "without its other currency in the file"
	compareIBKRReasons(t, "problems", map[int]string{10: lost, 11: lost, 12: lost}, s.Problems)
	if got := len(ibkrLinesReported(s)); got != 11 {
		t.Errorf("%d lines are named, want 11", got)
	}
}

// The recorded payments, before tax: USD 137.23 + 85.97 + 169.77 + 0.59 = 393.56,
// CHF 41.93, JPY 455, and CHF 4.83 of capital paid back. Withheld: USD 20.58 + 12.90
// + 25.47 = 58.95 and CHF 14.68, which is 35 % of 41.93 and so belongs to that line
// and not to the capital paid back on the same day.
func TestIBKR_Dividends(t *testing.T) {
	s := readIBKR(t, ibkrRecording(t, "ibkr-dividends.csv"), importer.Options{Account: "a"})
	paid, tax, capital := map[string]decimal.Decimal{}, map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
	for _, e := range s.Entries {
		x := e.Transaction
		switch x.Kind {
		case portfolio.KindDividend:
			paid[x.Currency] = paid[x.Currency].Add(x.Amount)
			tax[x.Currency] = tax[x.Currency].Add(x.Tax)
		case portfolio.KindReturnOfCapital:
			capital[x.Currency] = capital[x.Currency].Add(x.Amount).Sub(x.Tax)
		default:
			t.Errorf("line %v is a %s", e.Lines, x.Kind)
		}
	}
	checkIBKRSums(t, "dividends", paid, map[string]string{"USD": "393.56", "CHF": "41.93", "JPY": "455"})
	checkIBKRSums(t, "taxes", tax, map[string]string{"USD": "58.95", "CHF": "14.68", "JPY": "0"})
	checkIBKRSums(t, "capital", capital, map[string]string{"CHF": "4.83"})
	if got := len(ibkrLinesReported(s)); got != 11 || len(s.Problems)+len(s.Ignored) != 0 {
		t.Errorf("%d lines are named, problems %v, ignored %v; want 11 and none", got, s.Problems, s.Ignored)
	}
}

func TestIBKR_OtherFilesAreNotTaken(t *testing.T) {
	for name, text := range map[string]string{
		"empty":             "",
		"another's columns": "Date,Type,Amount,Currency,SettleDate\n2024-01-01,Dividends,5,USD,2024-01-03\n",
		"another's XML":     "<OFX><SIGNONMSGSRSV1/></OFX>",
		"words":             "Statement of what happened",
	} {
		t.Run(name, func(t *testing.T) {
			f := importer.File{Name: "x", Text: text}
			if importer.IBKR().Recognizes(f) {
				t.Error("recognised, want not")
			}
			if _, err := importer.IBKR().Read(f, importer.Options{}); err == nil {
				t.Error("read without an error")
			}
		})
	}
}

func checkIBKRSums(t *testing.T, what string, got map[string]decimal.Decimal, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
	for key, text := range want {
		if !got[key].Equal(decimal.RequireFromString(text)) {
			t.Errorf("%s of %s = %s, want %s", what, key, got[key], text)
		}
	}
}

func ibkrLinesReported(s importer.Statement) map[int]bool {
	named := map[int]bool{}
	for _, e := range s.Entries {
		for _, line := range e.Lines {
			named[line] = true
		}
	}
	for _, r := range append(append([]importer.SkippedLine{}, s.Problems...), s.Ignored...) {
		named[r.Line] = true
	}
	return named
}

func FuzzIBKR(f *testing.F) {
	f.Add(readIBKRTestdata(f, "flex.xml"))
	f.Add(readIBKRTestdata(f, "activity.csv"))
	f.Add("\"Type\",\"SettleDate\",\"ISIN\",\"Description\",\"Amount\",\"CurrencyPrimary\"\n\"Dividends\",\"20230623\",\"US00000ACM14\",\"ACM(US00000ACM14) CASH\",\"1\",\"USD\"\n")
	f.Add("Statement,Header,a\nTrades,Header,Currency\nTrades,Data,\"x\ny\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := importer.File{Name: "fuzz", Text: text}
		s, err := importer.IBKR().Read(file, importer.Options{Account: "a"})
		if err != nil {
			return
		}
		for _, e := range s.Entries {
			x := e.Transaction
			x.ID = "1"
			if err := x.Validate(); err != nil || len(e.Lines) == 0 {
				t.Errorf("entry of lines %v: %v", e.Lines, err)
			}
		}
		if strings.HasPrefix(strings.TrimSpace(text), "<") {
			return
		}
		rows, err := file.RowsWith(importer.TableOptions{Comma: ','})
		if err != nil {
			return
		}
		named := ibkrLinesReported(s)
		for _, row := range rows {
			if !named[row.Line] && !row.Empty() && row.At(1) != "Header" && !strings.Contains(row.Text(), "CurrencyPrimary") {
				t.Errorf("nothing is said of line %d: %s", row.Line, row.Text())
			}
		}
	})
}

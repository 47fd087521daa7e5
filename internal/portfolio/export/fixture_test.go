package export_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func nullDec(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

func date(month time.Month, day int) market.Date {
	return time.Date(2024, month, day, 0, 0, 0, 0, time.UTC)
}

// everyKind returns a ledger with a transaction of each kind, in accounts with and without tracked
// cash, and with names that have special characters in the output formats.
func everyKind() portfolio.Ledger {
	moment := time.Date(2024, 2, 1, 15, 30, 0, 123000000, time.FixedZone("", 3600))
	return portfolio.Ledger{
		Accounts: []portfolio.Account{
			portfolio.NewAccount("roth ira"),
			portfolio.NewAccount("main; (A:B)  x"),
			{Name: "trades", Method: portfolio.MethodSpecific, Cash: portfolio.CashUntracked},
		},
		Aliases:    map[market.Symbol]market.Symbol{"US0378331005": "AAPL"},
		Securities: []portfolio.Security{{Symbol: "AAPL", Class: portfolio.ClassEquity}},
		Targets:    []portfolio.Target{{Symbol: "AAPL", Weight: dec("0.5")}},
		Transactions: []portfolio.Transaction{
			{ID: "a01", Date: date(1, 2), Kind: portfolio.KindDeposit, Account: "roth ira", Currency: "USD", Amount: dec("10000")},
			{ID: "a02", Date: date(1, 2), Kind: portfolio.KindDeposit, Account: "main; (A:B)  x", Currency: "EUR", Amount: dec("5000.55"), Note: `=HYPERLINK("x");@SUM(1)`},
			{ID: "a03", Date: date(2, 1), Time: moment, Kind: portfolio.KindBuy, Account: "roth ira", Symbol: "US0378331005", ISIN: "US0378331005", Name: "'Apple' ; note:: 1 [2024/01/01]",
				Quantity: dec("10.5"), Price: nullDec("100.10"), Currency: "USD", Amount: dec("1051.05"), Fee: dec("1.25"), Tax: dec("0.01"), Source: "schwab", SourceID: "-17"},
			{ID: "a04", Date: date(3, 1), Kind: portfolio.KindDividend, Account: "roth ira", Symbol: "AAPL", Currency: "USD", Amount: dec("10"), Tax: dec("1.5")},
			{ID: "a05", Date: date(3, 2), Kind: portfolio.KindReinvest, Account: "roth ira", Symbol: "AAPL", Quantity: dec("0.05"), Currency: "USD", Amount: dec("6"), Tax: dec("0.9"), Fee: dec("0.1")},
			{ID: "a06", Date: date(3, 3), Kind: portfolio.KindInterest, Account: "roth ira", Currency: "USD", Amount: dec("2.2")},
			{ID: "a07", Date: date(3, 4), Kind: portfolio.KindFee, Account: "roth ira", Currency: "USD", Amount: dec("3")},
			{ID: "a08", Date: date(3, 5), Kind: portfolio.KindTax, Account: "roth ira", Currency: "USD", Amount: dec("4")},
			{ID: "a09", Date: date(3, 6), Kind: portfolio.KindInterestDue, Account: "roth ira", Currency: "USD", Amount: dec("0.5")},
			{ID: "a10", Date: date(3, 7), Kind: portfolio.KindWithdrawal, Account: "roth ira", Currency: "USD", Amount: dec("100"), Note: "for ＝the roof, 20 %"},
			{ID: "=b1", Date: date(4, 1), Kind: portfolio.KindTransferIn, Account: "trades", Symbol: "BRK.B", Quantity: dec("1.5"), Currency: "USD", Amount: dec("450"), Acquired: date(1, 6)},
			{ID: "a11", Date: date(4, 1), Kind: portfolio.KindTransferIn, Account: "trades", Symbol: "BRK.B", Quantity: dec("3"), Currency: "USD", Amount: dec("900"), Acquired: date(1, 5)},
			{ID: "a12", Date: date(4, 2), Kind: portfolio.KindTransferIn, Account: "trades", Symbol: "ALL", Quantity: dec("7"), CostUnknown: true},
			{ID: "a13", Date: date(4, 3), Kind: portfolio.KindTransferOut, Account: "trades", ToAccount: "roth ira", Symbol: "BRK.B", Quantity: dec("1"), Lots: []portfolio.LotPick{{Lot: "a11", Quantity: dec("1")}}},
			{ID: "a14", Date: date(4, 4), Kind: portfolio.KindTransferOut, Account: "roth ira", ToAccount: "main; (A:B)  x", Currency: "USD", Amount: dec("250")},
			{ID: "a15", Date: date(4, 5), Kind: portfolio.KindTransferOut, Account: "trades", Symbol: "ALL", Quantity: dec("2"), Lots: []portfolio.LotPick{{Lot: "a12", Quantity: dec("2")}}},
			{ID: "a16", Date: date(5, 1), Kind: portfolio.KindSplit, Account: "roth ira", Symbol: "AAPL", New: dec("4"), Old: dec("1")},
			{ID: "a17", Date: date(5, 2), Kind: portfolio.KindReverseSplit, Account: "trades", Symbol: "ALL", New: dec("1"), Old: dec("5")},
			{ID: "a18", Date: date(5, 3), Kind: portfolio.KindSpinOff, Account: "roth ira", Symbol: "AAPL", ToSymbol: "PEAR", Quantity: dec("4"), CostPart: nullDec("0.1")},
			{ID: "a19", Date: date(5, 4), Kind: portfolio.KindMerger, Account: "roth ira", Symbol: "PEAR", ToSymbol: "PLUM", New: dec("1"), Old: dec("2"), Currency: "USD", Amount: dec("12"), CostPart: nullDec("0.2")},
			{ID: "a20", Date: date(5, 5), Kind: portfolio.KindReturnOfCapital, Account: "roth ira", Symbol: "PLUM", Currency: "USD", Amount: dec("1.5")},
			{ID: "a21", Date: date(5, 6), Kind: portfolio.KindExchange, Account: "main; (A:B)  x", Currency: "EUR", Amount: dec("1000"), ToCurrency: "ALL", ToAmount: dec("107500"), Fee: dec("2")},
			{ID: "a22", Date: date(6, 1), Kind: portfolio.KindSell, Account: "roth ira", Symbol: "AAPL", Quantity: dec("20"), Currency: "USD", Amount: dec("700"), Fee: dec("1"), Tax: dec("0.02")},
			{ID: "a23", Date: date(6, 2), Kind: portfolio.KindSell, Account: "trades", Symbol: "BRK.B", Quantity: dec("2"), Currency: "USD", Amount: dec("800"), Lots: []portfolio.LotPick{{Lot: "a11", Quantity: dec("0.5")}, {Lot: "=b1", Quantity: dec("1.5")}}},
			{ID: "a24", Date: date(6, 3), Kind: portfolio.KindSell, Account: "roth ira", Symbol: "GME", Quantity: dec("1"), Currency: "USD", Amount: dec("20"), Short: true},
			{ID: "a25", Date: date(6, 4), Kind: portfolio.KindBuy, Account: "roth ira", Symbol: "GME", Quantity: dec("3"), Currency: "USD", Amount: dec("45")},
			{ID: "a26", Date: date(6, 5), Kind: portfolio.KindExchange, Account: "trades", Currency: "EUR", Amount: dec("10"), ToCurrency: "USD", ToAmount: dec("11")},
			{ID: "a27", Date: date(6, 6), Kind: portfolio.KindFeeRefund, Account: "roth ira", Currency: "USD", Amount: dec("1.25")},
			{ID: "a28", Date: date(6, 7), Kind: portfolio.KindTaxRefund, Account: "trades", Symbol: "BRK.B", Currency: "USD", Amount: dec("0.75")},
		},
	}
}

func writeString(t testing.TB, l portfolio.Ledger, f export.Format) string {
	t.Helper()
	var out bytes.Buffer
	if err := export.Write(&out, l, f); err != nil {
		t.Fatalf("Write(%s) = %v", f, err)
	}
	return out.String()
}

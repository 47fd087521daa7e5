package portfoliotest

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Day parses YYYY-MM-DD. It panics on other text.
func Day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func number(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func nullNumber(text string) decimal.NullDecimal { return decimal.NewNullDecimal(number(text)) }

// Purchase returns a purchase of ten shares for 2000 USD.
func Purchase(id, account string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: Day("2026-03-02"), Kind: portfolio.KindBuy, Account: account, Symbol: "VTI",
		Quantity: number("10"), Price: nullNumber("200.00"), Currency: "USD", Amount: number("2000.00"), Fee: number("1.00"),
	}
}

// Transfer returns a transfer of two shares between accounts.
func Transfer(id, from, to string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: Day("2026-03-05"), Kind: portfolio.KindTransferOut, Account: from, ToAccount: to, Symbol: "VTI", Quantity: number("2"),
	}
}

// EveryKind returns transactions of all kinds between two accounts, which together use every field.
// Each is valid by itself, but together they are not a valid ledger.
func EveryKind(account, other string) []portfolio.Transaction {
	zone := time.FixedZone("", -4*60*60)
	full := Purchase("full", account)
	full.Time = time.Date(2026, 3, 2, 15, 59, 59, 123456789, zone)
	full.ISIN, full.Name, full.Note = "US9229087690", "VANGUARD TOTAL STOCK MARKET ETF «ü» ☝️ 中文", "it's a \"note\"; DROP TABLE account"
	full.Source, full.SourceID, full.Tax = "schwab", "2026-03-02/17", number("0.0000000001")
	full.Quantity, full.Price = number("12345678901234567890.123456789"), nullNumber("0.00")
	full.Price = nullNumber("0.00000001")
	all := []portfolio.Transaction{full, Transfer("moved", account, other)}
	add := func(t portfolio.Transaction) {
		t.ID, t.Date, t.Account = fmt.Sprint("k", len(all)), Day("2026-04-01"), account
		all = append(all, t)
	}
	add(portfolio.Transaction{
		Kind: portfolio.KindSell, Symbol: "VTI", Quantity: number("3.5"), Currency: "USD", Amount: number("700"), Short: true,
	})
	add(portfolio.Transaction{
		Kind: portfolio.KindSell, Symbol: "VTI", Quantity: number("3.50"), Currency: "USD", Amount: number("700"),
		Lots: []portfolio.LotPick{{Lot: "full", Quantity: number("1.25")}, {Lot: "k1-2", Quantity: number("2.25")}},
	})
	add(portfolio.Transaction{Kind: portfolio.KindDividend, Symbol: "VTI", Currency: "USD", Amount: number("12.34"), Tax: number("1.85")})
	add(portfolio.Transaction{Kind: portfolio.KindReinvest, Symbol: "VTI", Quantity: number("0.0432"), Currency: "USD", Amount: number("10.49")})
	for _, kind := range []portfolio.Kind{
		portfolio.KindInterest, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindFeeRefund, portfolio.KindTaxRefund,
		portfolio.KindDeposit, portfolio.KindWithdrawal,
	} {
		add(portfolio.Transaction{Kind: kind, Currency: "EUR", Amount: number("1000.10")})
	}
	add(portfolio.Transaction{Kind: portfolio.KindTransferIn, Symbol: "AAPL", Quantity: number("5"), CostUnknown: true})
	add(portfolio.Transaction{
		Kind: portfolio.KindTransferIn, Symbol: "AAPL", Quantity: number("5"), Currency: "USD", Amount: number("600"), Acquired: Day("1999-12-31"),
	})
	add(portfolio.Transaction{Kind: portfolio.KindSplit, Symbol: "AAPL", New: number("4"), Old: number("1")})
	add(portfolio.Transaction{Kind: portfolio.KindReverseSplit, Symbol: "GE", New: number("1"), Old: number("8")})
	add(portfolio.Transaction{Kind: portfolio.KindSpinOff, Symbol: "GE", ToSymbol: "GEHC", Quantity: number("1.5"), CostPart: nullNumber("0.2174")})
	add(portfolio.Transaction{
		Kind: portfolio.KindMerger, Symbol: "VMW", ToSymbol: "AVGO", New: number("0.2520"), Old: number("1"), Currency: "USD", Amount: number("710"), CostPart: nullNumber("0"),
	})
	add(portfolio.Transaction{Kind: portfolio.KindReturnOfCapital, Symbol: "O", Currency: "USD", Amount: number("3.21")})
	add(portfolio.Transaction{Kind: portfolio.KindExchange, Currency: "USD", Amount: number("1000"), ToCurrency: "EUR", ToAmount: number("921.55")})
	return all
}

package importer

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Vanguard returns the format of Vanguard's download of transactions, which follows a table of positions. Amounts are
// changes in cash. The settlement fund holds the account's cash, so moves between the two are ignored.
func Vanguard() Format {
	return spec{
		name: "vanguard", title: "Vanguard, download center (CSV)", header: []string{"Account Number", "Trade Date", "Transaction Type", "Symbol", "Shares", "Share Price", "Net Amount"},
		date: "Trade Date", action: "Transaction Type", symbol: "Symbol", security: "Investment Name", account: "Account Number",
		quantity: "Shares", price: "Share Price", amount: "Net Amount", fee: "Commission Fees|Commissions & Fees|Commission & Fees|Commissions and Fees",
		layouts: []string{time.DateOnly, "01/02/2006"}, decimal: DecimalPoint, money: "USD", marks: true, net: true, tolerance: decimal.New(1, -3),
		rules: []rule{
			{words: "buy|buy (exchange)|reinvestment|reinvestment (lt gain)|reinvestment (st gain)", out: portfolio.KindBuy},
			{words: "sell|sell (exchange)|corp action (redemption)", in: portfolio.KindSell},
			{words: "dividend|capital gain (lt)|capital gain (st)|capital gain", in: portfolio.KindDividend},
			{words: "interest", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "fee", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "withholding|tax withholding", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "funds received|funds paid|contribution|distribution|withdrawal|deposit|rollover (incoming)|transfer (incoming)|transfer (outgoing)|transfer|conversion (incoming)|conversion (outgoing)|asset transfer",
				book: bookCashOrShares},
			{words: "sweep in|sweep out|sweep", ignore: "transfer between cash and the settlement fund, which counts as cash"},
			{words: "stock split", problem: "split of {symbol} with {shares} shares received, but the file does not give the ratio: enter the split by hand"},
			{words: "corp action (cash in lieu)", problem: "{amount} dollars paid for a fractional share of {symbol} of unknown size: enter a sale of the fraction"},
		},
		check: func(l *specLine) error {
			if l.rule().out == portfolio.KindBuy && slices.Contains(coreCash, l.symbol) {
				return IgnoreReason("bought the settlement fund, which holds the account's cash")
			}
			return nil
		},
		note: func(l *specLine) string { return l.word },
	}.format()
}

package importer

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Robinhood returns the format of Robinhood's account activity. Amounts are changes in cash; payments are in
// parentheses.
func Robinhood() Format {
	return spec{
		name: "robinhood", title: "Robinhood, account activity (CSV)", header: []string{"Activity Date", "Process Date", "Settle Date", "Instrument", "Description", "Trans Code"},
		date: "Activity Date", action: "Trans Code", symbol: "Instrument", quantity: "Quantity", price: "Price", amount: "Amount",
		layouts: []string{"1/2/2006"}, decimal: DecimalPoint, money: "USD", marks: true, net: true, tolerance: decimal.New(1, -3),
		rules: []rule{
			{words: "buy", out: portfolio.KindBuy},
			{words: "sell", in: portfolio.KindSell},
			{words: "cdiv|mdiv|div", in: portfolio.KindDividend},
			{words: "roc", in: portfolio.KindReturnOfCapital},
			{words: "int|slip|gdbp", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "mint", out: portfolio.KindInterestDue},
			{words: "gold|afee|dfee|fee", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "dtax|nrat|nraw", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "ach|rtp|wire|dcf|itrf|jnlc|xent_cc|gmpc", in: portfolio.KindDeposit, out: portfolio.KindWithdrawal},
			{words: "acati|rec", kind: portfolio.KindTransferIn},
			{words: "acato", kind: portfolio.KindTransferOut},
			{words: "bto|btc|sto|stc|oexp|oasgn|oexcs|occ", problem: "options are not supported: enter the cash received or paid, {amount} dollars, by hand"},
			{words: "spl|spr", problem: "split of {symbol} with a change of {shares} shares, but the file does not give the ratio: enter the split by hand"},
			{words: "mrgs|mrgc|soff|sdiv|conv|cil", problem: "corporate action of {symbol}, but the file lacks part of it: enter it by hand"},
		},
		when: func(l *specLine) error {
			if filled := slices.DeleteFunc(slices.Clone(l.row.Cells), func(cell string) bool { return trimCell(cell) == "" }); len(filled) == 1 {
				return IgnoreReason("text below the table")
			}
			return l.parseTime()
		},
		identify: func(l *specLine) (market.Symbol, string, error) {
			if l.symbol == "" {
				return "", "", nil
			}
			return l.identifySecurity("USD")
		},
		note: func(l *specLine) string { return l.cell("Description") },
	}.format()
}

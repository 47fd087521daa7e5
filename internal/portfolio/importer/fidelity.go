package importer

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Fidelity is Fidelity's account history, of one account or of several. Amounts are changes in cash.
// The action begins with words in capitals: "YOU BOUGHT APPLE INC (AAPL) (Cash)".
func Fidelity() Format {
	move := func(words string) rule {
		return rule{words: words, in: portfolio.KindDeposit, out: portfolio.KindWithdrawal, book: bookCashOrShares}
	}
	return spec{
		name: "fidelity", title: "Fidelity, account history (CSV)", header: []string{"Run Date", "Action", "Symbol", "Quantity", "Settlement Date", "Amount ($)|Amount"},
		date: "Run Date", action: "Action", symbol: "Symbol", security: "Description|Security Description", account: "Account Number|Account", currency: "Currency",
		quantity: "Quantity", price: "Price ($)|Price", amount: "Amount ($)|Amount", fee: "Commission ($)|Commission",
		others:  []string{fidelityFees, fidelityInterest},
		layouts: []string{"01/02/2006", "Jan-02-2006"}, blanks: []string{"--", "No Description"}, decimal: DecimalPoint, marks: true, net: true, tolerance: decimal.New(1, -3),
		rules: []rule{
			{words: "you bought*", out: portfolio.KindBuy},
			{words: "you sold*", in: portfolio.KindSell},
			{words: "reinvestment*", out: portfolio.KindBuy},
			{words: "redemption*", in: portfolio.KindSell},
			{words: "dividend received*", in: portfolio.KindDividend},
			{words: "long-term cap gain*", in: portfolio.KindDividend},
			{words: "short-term cap gain*", in: portfolio.KindDividend},
			{words: "return of capital*", in: portfolio.KindReturnOfCapital},
			{words: "interest*", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "margin interest*", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "foreign tax*", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "fee charged*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "advisory fee*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "adr mgmt fee*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			move("electronic funds transfer*"), move("direct deposit*"), move("direct debit*"), move("wire transfer*"), move("cash contribution*"),
			move("contrib*"), move("co contr*"), move("partic contr*"), move("rollover*"), move("journaled*"), move("transfer*"), move("check received*"),
			move("check paid*"), move("bill payment*"), move("debit card*"), move("cash advance*"), move("normal distr*"),
			{words: "distribution*", problem: "{shares} shares of {symbol} were distributed, but the file does not have their part of the cost: enter a split, or a spin-off"},
			{words: "in lieu of*", problem: "{amount} dollars for a fractional share of {symbol} of unknown size: enter a sale of the fraction"},
			{words: "merger*", problem: "the file does not have both sides of the merger of {symbol}: enter it by hand"},
			{words: "reverse split*", problem: "the file does not have the ratio of the split of {symbol}: enter it by hand"},
			{words: "name changed*", problem: "the file does not have the other name of {symbol}: enter a merger of 1 for 1"},
		},
		when: whenFidelity, parse: parseFidelity, check: checkFidelity,
		identify: func(l *specLine) (market.Symbol, string, error) {
			switch {
			case strings.HasPrefix(l.symbol, "-"):
				return "", "", errors.New("options are not supported: enter the cash gained or paid by hand")
			case l.symbol == "":
				return "", "", nil
			}
			return l.identifySecurity("USD")
		},
		note: func(l *specLine) string { return l.word },
	}.format()
}

const (
	fidelityFees     = "Fees ($)|Fees"
	fidelityInterest = "Accrued Interest ($)|Accrued Interest"
)

// whenFidelity ignores the text below the table.
func whenFidelity(l *specLine) error {
	if l.word == "" && l.cell("Symbol") == "" {
		return IgnoreReason("text below the table")
	}
	return l.parseTime()
}

func parseFidelity(l *specLine) error {
	l.currency = cmp.Or(l.currency, "USD")
	l.fee.Decimal = l.fee.Decimal.Add(l.others[fidelityFees].Decimal)
	if l.fee.Decimal.IsNegative() {
		return errors.New("negative fee: enter the line by hand")
	}
	return nil
}

// coreCash are money market funds that hold the cash of an account, at a dollar a share. Their
// reinvested dividends stay cash.
var coreCash = []string{"SPAXX", "FDRXX", "FZFXX", "FCASH", "CORE", "QIWSQ", "VMFXX", "VMMXX", "VMRXX"}

func checkFidelity(l *specLine) error {
	if strings.HasPrefix(l.action, "reinvestment") && slices.Contains(coreCash, l.symbol) {
		return IgnoreReason("reinvested in the fund that holds the account's cash")
	}
	if !l.others[fidelityInterest].Decimal.IsZero() {
		return errors.New("bond with accrued interest: enter the trade and the interest by hand")
	}
	return nil
}

// bookCashOrShares books cash or shares moved into or out of the account, by sign.
func bookCashOrShares(l *specLine) ([]portfolio.Transaction, error) {
	moved := rule{in: portfolio.KindDeposit, out: portfolio.KindWithdrawal}
	if !l.quantity.Decimal.IsZero() && l.symbol != "" && !slices.Contains(coreCash, l.symbol) {
		moved = rule{in: portfolio.KindTransferIn, out: portfolio.KindTransferOut, note: Shorten(l.word)}
	}
	t, err := l.transaction(moved)
	return []portfolio.Transaction{t}, err
}

package importer

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Fidelity returns the format of Fidelity's account history, of one account or of several. Amounts are changes in cash.
// The action begins with words in capitals: "YOU BOUGHT APPLE INC (AAPL) (Cash)".
func Fidelity() Format {
	move := func(words string) rule {
		return rule{words: words, in: portfolio.KindDeposit, out: portfolio.KindWithdrawal, book: bookCashOrShares}
	}
	return spec{
		name: "fidelity", title: "Fidelity, account history (CSV)", header: []string{"Run Date", "Action", "Symbol", "Quantity", "Settlement Date", "Amount ($)|Amount"},
		date: "Run Date", action: "Action", symbol: "Symbol", security: "Description|Security Description", account: "Account Number|Account", currency: "Currency",
		quantity: "Quantity", price: "Price ($)|Price", amount: "Amount ($)|Amount", fee: "Commission ($)|Commission",
		balance: "Cash Balance ($)", others: []string{fidelityFees, fidelityInterest},
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
			{words: "muni exempt int*", in: portfolio.KindInterest},
			{words: "margin interest*", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "foreign tax*", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "fed tax w/h*", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "state tax w/h*", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "non-resident tax*", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "fee charged*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "advisory fee*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "adr mgmt fee*", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			move("electronic funds transfer*"), move("direct deposit*"), move("direct debit*"), move("wire transfer*"), move("cash contribution*"),
			move("contrib*"), move("co contr*"), move("partic contr*"), move("rollover*"), move("journaled*"), move("transfer*"), move("check received*"),
			move("check paid*"), move("bill payment*"), move("debit card*"), move("cash advance*"), move("normal distr*"),
			{words: "distribution*", problem: "{shares} shares of {symbol} were distributed, but the file does not have their part of the cost basis: enter a split or a spin-off"},
			{words: "in lieu of*", problem: "{amount} dollars paid for a fractional share of {symbol} of unknown size: enter a sale of the fraction"},
			{words: "merger*", problem: "the file does not have both sides of the merger of {symbol}: enter it by hand"},
			{words: "reverse split*", problem: "the file does not have the ratio of the split of {symbol}: enter it by hand"},
			{words: "name changed*", problem: "the file does not have the other name of {symbol}: enter a merger of 1 for 1"},
		},
		when: whenFidelity, parse: parseFidelity, check: checkFidelity, join: joinFidelity,
		identify: func(l *specLine) (market.Symbol, string, error) {
			if l.symbol == "" {
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
	if len(l.row.Cells) < len(l.table.Header.Cells)/2 {
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
	if strings.HasPrefix(l.symbol, "-") {
		return errors.New("options are not supported: enter the cash received or paid by hand")
	}
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

// fidelityMerger matches the line with the new shares of a merger, which names the number of the old
// ones: "MERGER MER FROM G8354H126#REOR M0099999990001 GINKGO ... (DNA) (Cash)".
var fidelityMerger = lazyregexp.New(`^merger mer from ([0-9a-z]+)#`)

// joinFidelity joins the two lines of a merger without cash: shares received and shares given.
func joinFidelity(r *specReader, lines []*specLine) {
	pairs := pairsOf(lines, func(l *specLine) string {
		old := strings.ToLower(l.symbol)
		if match := fidelityMerger().FindStringSubmatch(l.action); match != nil {
			old = match[1]
		} else if !strings.HasPrefix(l.action, "merger mer payout") {
			return ""
		}
		return l.account + " " + l.date.Format(time.DateOnly) + " " + old
	})
	for _, pair := range pairs {
		given, received := pair[0], pair[1]
		if given.quantity.Decimal.IsPositive() {
			given, received = received, given
		}
		if !given.quantity.Decimal.IsNegative() || !received.quantity.Decimal.IsPositive() || !given.amount.Decimal.IsZero() || !received.amount.Decimal.IsZero() {
			continue
		}
		t := portfolio.Transaction{Date: given.date, Account: given.account, Kind: portfolio.KindMerger, New: received.quantity.Decimal, Old: given.quantity.Decimal.Neg()}
		var errOld, errNew error
		t.Symbol, t.ISIN, errOld = given.identify(given)
		t.ToSymbol, _, errNew = received.identify(received)
		if err := cmp.Or(errOld, errNew); err != nil {
			r.collector.Skip(err, given.row, received.row)
			continue
		}
		r.add([]portfolio.Transaction{t}, given, received)
	}
}

package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Schwab returns the format of Schwab's transaction history, in US dollars only. Amounts are changes in cash.
func Schwab() Format {
	columns := []string{"Date", "Action", "Symbol", "Description", "Quantity", "Price", "Fees & Comm", "Amount"}
	return spec{
		name: "schwab", title: "Charles Schwab, transaction history (CSV)", header: columns,
		date: "Date", action: "Action", symbol: "Symbol", security: "Description",
		quantity: "Quantity", price: "Price", amount: "Amount", fee: "Fees & Comm",
		layouts: []string{"01/02/2006"}, decimal: DecimalPoint, money: "USD", marks: true, net: true,
		rules: []rule{
			{words: "buy|reinvest shares|buy to cover", out: portfolio.KindBuy},
			{words: "sell", in: portfolio.KindSell},
			{words: "sell short", in: portfolio.KindSell, short: true},
			{words: schwabDividends, in: portfolio.KindDividend},
			{words: "return of capital", in: portfolio.KindReturnOfCapital},
			{words: "credit interest|bank interest|bond interest|cd interest|interest adj|margin interest|debit interest", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "advisor fee|service fee|adr mgmt fee|foreign transaction fee|management fee|wire fee", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "foreign tax paid|nra tax adj|nra tax|nra withholding|nra withhold|tax withholding|backup withholding|irs withhold adj", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "moneylink transfer|moneylink deposit|moneylink adj|wire funds|wire funds adj|wire sent|wire received|wire funds received|funds received|funds paid|" +
				"bank transfer|journal|internal transfer|misc cash entry|misc credits|visa purchase|atm withdrawal|schwab atm rebate|promotional award|" +
				"journaled shares|security transfer|stock plan activity", book: bookSchwabTransfer},
			{words: "buy to open|buy to close|sell to open|sell to close|expired|assigned|exchange or exercise", problem: schwabOption},
			{words: "stock split", problem: "split of {symbol} with {shares} shares received, but the file does not give the ratio: enter the split of {symbol} by hand"},
			{words: "reverse split|name change|stock merger|conversion|mandatory reorg exc|exchange",
				problem: "shares were exchanged, but the file does not give the old symbol: enter a merger of that symbol ({shares} {symbol} in this line)"},
			{words: "spin-off|stock div dist", problem: "{shares} shares of {symbol} were distributed, but the file does not give the original shares or their part of the cost basis: enter a spin-off or split"},
			{words: "cash in lieu", problem: "{amount} dollars paid for a fractional share of {symbol} of unknown size: enter a sale of the fraction"},
		},
		when: whenSchwab, parse: parseSchwab, join: joinSchwab, identify: identifySchwab,
		note: func(l *specLine) string { return l.word + ": " + l.cell("Description") },
		fingerprint: func(l *specLine) []string {
			action := strings.Join(strings.Fields(strings.ToLower(l.word)), " ")
			return append([]string{l.schwabPosted().Format(time.DateOnly), l.date.Format(time.DateOnly), action, l.symbol}, plain(l.quantity, l.price, l.fee, l.amount)...)
		},
	}.format()
}

const (
	schwabDividends = "cash dividend|cash div|qualified dividend|qual div|non-qualified div|non-qual div|non qual div|special dividend|special div|special qual div|" +
		"special non qual div|qual div reinvest|reinvest dividend|div reinvest|non-qual div reinvest|special qual div reinvest|div adjustment|" +
		"long term cap gain|short term cap gain|long term cap gain reinvest|short term cap gain reinvest"
	schwabOption = "options are not supported: enter the cash received or paid by hand"
)

// whenSchwab reads "07/15/2024 as of 07/12/2024": the posting date, and the effective date.
func whenSchwab(l *specLine) error {
	text := l.cell("Date")
	if strings.HasPrefix(strings.ToLower(text), "transactions total") {
		return IgnoreReason("total of the lines above")
	}
	posted, day, both := strings.Cut(text, " as of ")
	if !both {
		day = posted
	}
	var err error
	if _, err = ParseDay(posted, l.layouts...); err == nil {
		l.date, err = ParseDay(day, l.layouts...)
	}
	return err
}

func (l *specLine) schwabPosted() market.Date {
	text, _, _ := strings.Cut(l.cell("Date"), " as of ")
	posted, _ := ParseDay(text, l.layouts...)
	return posted
}

func parseSchwab(l *specLine) error {
	l.action = strings.TrimPrefix(l.action, "pr yr ") // prior year
	if l.fee.Decimal.IsNegative() {
		return errors.New("negative fee on a line of another type: enter both by hand, the fee as a fee_refund")
	}
	return nil
}

// schwabOptionPattern matches option contracts, such as "GOOG 03/19/2027 385.00 C".
var schwabOptionPattern = lazyregexp.New(`\d{2}/\d{2}/\d{4}`)

// schwabTransferPattern matches lines of accounts moved from TD Ameritrade: they have the symbol
// only at the end of the description.
var schwabTransferPattern = lazyregexp.New(`^TDA TRAN - .*\(([A-Z][A-Z0-9./]{0,7})\)$`)

func identifySchwab(l *specLine) (market.Symbol, string, error) {
	ticker := l.symbol
	if schwabOptionPattern().MatchString(ticker) {
		return "", "", errors.New(schwabOption)
	}
	// Charges and interest belong to a security only if the line has its symbol.
	r := l.rule()
	if match := schwabTransferPattern().FindStringSubmatch(l.cell("Description")); ticker == "" && match != nil && (r.in == "" || movesShares(r.in)) {
		ticker = match[1]
	}
	if ticker == "" {
		return "", "", nil
	}
	symbol, err := ParseTicker(ticker)
	return symbol, "", err
}

// bookSchwabTransfer books cash or shares moved into or out of the account, by sign. The price of
// shares is the day's price, not their cost.
func bookSchwabTransfer(l *specLine) ([]portfolio.Transaction, error) {
	moved := rule{in: portfolio.KindDeposit, out: portfolio.KindWithdrawal}
	switch shares := !l.quantity.Decimal.IsZero(); {
	case shares && !l.amount.Decimal.IsZero():
		return nil, errors.New("cash and shares in one line: enter each by hand")
	case shares || l.action == "stock plan activity":
		moved = rule{in: portfolio.KindTransferIn, out: portfolio.KindTransferOut, note: Shorten(l.specReader.note(l))}
	}
	t, err := l.transaction(moved)
	return []portfolio.Transaction{t}, err
}

// joinSchwab joins the two lines of a reinvested dividend, and of a reverse split.
func joinSchwab(r *specReader, lines []*specLine) {
	dividends := map[string][]*specLine{}
	for _, l := range lines {
		if l.rule().words == schwabDividends && l.amount.Decimal.IsPositive() && l.symbol != "" {
			dividends[l.schwabDividendKey()] = append(dividends[l.schwabDividendKey()], l)
		}
	}
	for _, l := range lines {
		if l.action != "reinvest shares" || !l.fee.Decimal.IsZero() {
			continue
		}
		key := l.schwabDividendKey()
		paid := dividends[key]
		if len(paid) == 0 {
			continue
		}
		t, err := l.transaction(rule{out: portfolio.KindBuy})
		if err != nil {
			continue
		}
		t.Kind = portfolio.KindReinvest
		r.add([]portfolio.Transaction{t}, paid[0], l)
		dividends[key] = paid[1:]
	}
	// The two lines of a reverse split have the same date and name, except for a suffix for the old
	// shares.
	pairs := pairsOf(lines, func(l *specLine) string {
		company, _, _ := strings.Cut(l.cell("Description"), "XXX")
		if l.action != "reverse split" || l.quantity.Decimal.IsZero() {
			return ""
		}
		return fmt.Sprint(l.schwabPosted(), strings.TrimSpace(company))
	})
	for _, pair := range pairs {
		in, out := pair[0], pair[1]
		if in.quantity.Decimal.IsNegative() {
			in, out = out, in
		}
		if in.quantity.Decimal.IsPositive() && out.quantity.Decimal.IsNegative() {
			r.addSchwabReverseSplit(in, out)
		}
	}
}

// schwabDividendKey returns a key that is equal for a dividend and the purchase it paid for.
func (l *specLine) schwabDividendKey() string {
	return fmt.Sprint(l.date, l.schwabPosted(), l.symbol, " ", l.amount.Decimal.Abs())
}

// addSchwabReverseSplit uses the posting date, from which the new shares trade.
func (r *specReader) addSchwabReverseSplit(in, out *specLine) {
	t := portfolio.Transaction{Date: in.schwabPosted(), Kind: portfolio.KindReverseSplit, Name: Shorten(in.cell("Description"))}
	t.New, t.Old = in.quantity.Decimal, out.quantity.Decimal.Abs()
	var err error
	if t.Symbol, _, err = identifySchwab(in); err != nil || t.Symbol == "" || t.New.GreaterThan(t.Old) {
		return
	}
	if t.New.Equal(t.Old) {
		r.collector.Skip(IgnoreReason("reverse split with an unchanged number of shares"), in.row, out.row)
		return
	}
	r.add([]portfolio.Transaction{t}, in, out)
}

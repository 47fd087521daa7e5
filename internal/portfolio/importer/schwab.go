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

// Schwab is Schwab's transaction history, in US dollars alone. Amounts are what moved in cash.
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
			{words: "stock split", problem: "{shares} shares of {symbol} came by a split, but its ratio is not in the file: record a split of {symbol}, new shares for old ones"},
			{words: "reverse split|name change|stock merger|conversion|mandatory reorg exc|exchange",
				problem: "shares became others, and the symbol under which the old ones were held is not in the file: record a merger of that symbol, {shares} {symbol} in this line"},
			{words: "spin-off|stock div dist", problem: "{shares} shares of {symbol} were handed out; the file does not say for which shares, nor what part of their cost went with them: record a spin-off or split"},
			{words: "cash in lieu", problem: "{amount} dollars for a part of a share of {symbol}, whose size is not in the file: record a sale of that part"},
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
	schwabOption = "an option; contracts are not recorded: enter what came of it in cash by hand"
)

// whenSchwab reads "07/15/2024 as of 07/12/2024": the day on which a line was posted, and the one
// that it belongs to.
func whenSchwab(l *specLine) error {
	text := l.cell("Date")
	if strings.HasPrefix(strings.ToLower(text), "transactions total") {
		return IgnoreReason("the total of the lines above")
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
	l.action = strings.TrimPrefix(l.action, "pr yr ") // of the year before
	if l.fee.Decimal.IsNegative() {
		return errors.New("a fee below zero in the line of another thing: record that, and the fee_refund, by hand")
	}
	return nil
}

// schwabOptionPattern matches contracts, as "GOOG 03/19/2027 385.00 C".
var schwabOptionPattern = lazyregexp.New(`\d{2}/\d{2}/\d{4}`)

// schwabTransferPattern matches lines that came with accounts of TD Ameritrade: they have no
// symbol but name it at the end of the description.
var schwabTransferPattern = lazyregexp.New(`^TDA TRAN - .*\(([A-Z][A-Z0-9./]{0,7})\)$`)

func identifySchwab(l *specLine) (market.Symbol, string, error) {
	ticker := l.symbol
	if schwabOptionPattern().MatchString(ticker) {
		return "", "", errors.New(schwabOption)
	}
	// Charges and interest are of a security only if the line has its symbol.
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

// bookSchwabTransfer books cash or shares that came from outside or left, by their sign. The price of
// shares is that of the day, and not what they cost.
func bookSchwabTransfer(l *specLine) ([]portfolio.Transaction, error) {
	moved := rule{in: portfolio.KindDeposit, out: portfolio.KindWithdrawal}
	switch shares := !l.quantity.Decimal.IsZero(); {
	case shares && !l.amount.Decimal.IsZero():
		return nil, errors.New("cash and shares in one line: record each by hand")
	case shares || l.action == "stock plan activity":
		moved = rule{in: portfolio.KindTransferIn, out: portfolio.KindTransferOut, note: Shorten(l.specReader.note(l))}
	}
	t, err := l.transaction(moved)
	return []portfolio.Transaction{t}, err
}

// joinSchwab records the two lines of a dividend that was reinvested, and of a reverse split.
func joinSchwab(r *specReader, lines []*specLine) {
	dividends, arrived, left := map[string][]*specLine{}, map[string][]*specLine{}, map[string][]*specLine{}
	for _, l := range lines {
		rule := l.rule()
		switch {
		case rule.words == schwabDividends && l.amount.Decimal.IsPositive() && l.symbol != "":
			dividends[l.schwabDividendKey()] = append(dividends[l.schwabDividendKey()], l)
		case l.action == "reverse split" && l.quantity.Decimal.IsPositive():
			arrived[l.schwabSplitKey()] = append(arrived[l.schwabSplitKey()], l)
		case l.action == "reverse split" && l.quantity.Decimal.IsNegative():
			left[l.schwabSplitKey()] = append(left[l.schwabSplitKey()], l)
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
	for _, l := range lines {
		if l.action != "reverse split" {
			continue
		}
		in, out := arrived[l.schwabSplitKey()], left[l.schwabSplitKey()]
		if len(in) == 1 && in[0] == l && len(out) == 1 {
			r.addSchwabReverseSplit(l, out[0])
		}
	}
}

// schwabDividendKey is equal for a dividend and the purchase that it paid for.
func (l *specLine) schwabDividendKey() string {
	return fmt.Sprint(l.date, l.schwabPosted(), l.symbol, " ", l.amount.Decimal.Abs())
}

// schwabSplitKey is equal for the two lines of a reverse split: the day, and the name up to
// what Schwab writes behind it for the old shares.
func (l *specLine) schwabSplitKey() string {
	company, _, _ := strings.Cut(l.cell("Description"), "XXX")
	return fmt.Sprint(l.schwabPosted(), strings.TrimSpace(company))
}

// addSchwabReverseSplit takes the day on which the split was posted, from which on the new shares trade.
func (r *specReader) addSchwabReverseSplit(in, out *specLine) {
	t := portfolio.Transaction{Date: in.schwabPosted(), Kind: portfolio.KindReverseSplit, Name: Shorten(in.cell("Description"))}
	t.New, t.Old = in.quantity.Decimal, out.quantity.Decimal.Abs()
	var err error
	if t.Symbol, _, err = identifySchwab(in); err != nil || t.Symbol == "" || t.New.GreaterThan(t.Old) {
		return
	}
	if t.New.Equal(t.Old) {
		r.collector.Skip(IgnoreReason("a reverse split that left as many shares as before"), in.row, out.row)
		return
	}
	r.add([]portfolio.Transaction{t}, in, out)
}

package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Coinbase is Coinbase's transaction history. Purchases that a card or bank account paid for have
// no deposit in the file: an account whose cash is not tracked suits it best.
func Coinbase() Format {
	f := spec{
		name: "coinbase", title: "Coinbase, transaction history (CSV)", open: openCoinbase,
		date: "Timestamp", action: "Transaction Type", symbol: "Asset", id: "ID", currency: "Price Currency|Spot Price Currency",
		quantity: "Quantity Transacted", price: "Price at Transaction|Spot Price at Transaction",
		amount: "Total (inclusive of fees and/or spread)|Total (inclusive of fees)", fee: "Fees and/or Spread|Fees", others: []string{"Subtotal"},
		layouts: []string{"2006-01-02 15:04:05 MST", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700"},
		decimal: DecimalPoint, marks: true,
		unknown: "%q is no type of transaction that is known; enter it by hand",
		rules: []rule{
			{words: "buy|advanced trade buy|advance trade buy", kind: portfolio.KindBuy, book: bookCoinbaseTrade},
			{words: "sell|advanced trade sell|advance trade sell", kind: portfolio.KindSell, book: bookCoinbaseTrade},
			{words: "convert", book: bookCoinbaseConversion},
			{words: "staking income|rewards income|reward income|inflation reward|coinbase earn|learning reward|interest payout|incentives rewards payout|airdrop|" +
				"subscription rebate|subscription rebates|subscription rebates (24 hours)", book: bookCoinbaseReward},
			{words: "send|exchange deposit|pro deposit|withdrawal|fiat withdrawal", book: bookCoinbaseOut},
			{words: "receive|exchange withdrawal|pro withdrawal|deposit|fiat deposit", book: bookCoinbaseIn},
			{words: "vault withdrawal|vault deposit|cash to savings|savings to cash|retail staking transfer|retail unstaking transfer|retail eth2 deprecation",
				ignore: "a move between parts of the same account"},
		},
		parse: parseCoinbase, join: joinCoinbase,
	}.format()
	f.Recognizes = func(f File) bool {
		_, _, ok := findCoinbaseHeader(f.Text)
		return ok
	}
	return f
}

// findCoinbaseHeader finds how many lines stand above the header, and where it begins. They are prose
// of some years, with quotation marks of its own.
func findCoinbaseHeader(text string) (above, at int, found bool) {
	for above = range maxPreamble {
		first, _, more := strings.Cut(text[at:], "\n")
		if strings.Contains(first, "Timestamp") && strings.Contains(first, "Transaction Type") && strings.Contains(first, "Quantity Transacted") {
			return above, at, true
		}
		if !more {
			break
		}
		at += len(first) + 1
	}
	return 0, 0, false
}

func openCoinbase(s *spec, f File) (Table, error) {
	above, at, ok := findCoinbaseHeader(f.Text)
	if !ok {
		return Table{}, fmt.Errorf("%s: %w: it has no header of Coinbase's", f.Name, ErrFormat)
	}
	rows, err := File{Name: f.Name, Text: f.Text[at:]}.RowsWith(TableOptions{Comma: ',', Lazy: true})
	if err != nil {
		return Table{}, fmt.Errorf("%w: below line %d: %w", ErrFormat, above, err)
	}
	for i := range rows {
		rows[i].Line += above
	}
	t := NewTable(rows[0], rows[1:])
	for _, column := range []string{"Timestamp", "Transaction Type", "Asset", "Quantity Transacted"} {
		if !t.Has(column) {
			return Table{}, fmt.Errorf("%s: %w: it has no column %q", f.Name, ErrFormat, column)
		}
	}
	// The first exports have the currency in the names of columns: "EUR Subtotal".
	for _, cell := range t.Header.Cells {
		code, ok := strings.CutSuffix(strings.TrimSpace(cell), " Spot Price at Transaction")
		if ok && ValidCurrency(code) && !t.Has("Price Currency") && !t.Has("Spot Price Currency") {
			s.money, s.price, s.amount, s.fee, s.others = code, cell, code+" Total (inclusive of fees)", code+" Fees", []string{code + " Subtotal"}
		}
	}
	return t, nil
}

// maxCoinbasePlaces are the digits after the point that are kept: more come from a division.
const maxCoinbasePlaces = 18

func parseCoinbase(l *specLine) error {
	subtotal := l.coinbaseSubtotal()
	l.time = l.time.UTC()
	switch {
	case !ValidCurrency(l.currency):
		return errors.New("the currency of the price is missing; enter it by hand")
	case !l.quantity.Valid:
		return fmt.Errorf("quantity: %w", notNumber(""))
	case l.price.Decimal.IsNegative():
		return fmt.Errorf("%s is below zero; enter it by hand", l.specReader.price)
	case l.fee.Decimal.IsNegative():
		return fmt.Errorf("%s is below zero; enter it by hand", l.specReader.fee)
	}
	// The kind says what came and went.
	subtotal.Decimal, l.amount.Decimal = subtotal.Decimal.Abs(), l.amount.Decimal.Abs()
	for _, d := range []*decimal.NullDecimal{&subtotal, &l.amount, &l.price, &l.fee} {
		d.Decimal = d.Decimal.Round(maxCoinbasePlaces)
	}
	l.others[l.specReader.others[0]] = subtotal
	return nil
}

func (l *specLine) coinbaseSubtotal() decimal.NullDecimal { return l.others[l.specReader.others[0]] }

// coinbaseCode is the one name of coins that Coinbase had two for.
func coinbaseCode(code string) string {
	if code == "ETH2" {
		return "ETH"
	}
	return code
}

// coinbaseTransaction is what all transactions of a line have.
func (l *specLine) coinbaseTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Currency: l.currency, Note: Shorten(l.cell("Notes"))}
}

func (l *specLine) coinTransaction(kind portfolio.Kind, code string) (portfolio.Transaction, error) {
	t := l.coinbaseTransaction(kind)
	var err error
	t.Name = Shorten(coinbaseCode(code))
	t.Symbol, err = CoinSymbol(coinbaseCode(code))
	return t, err
}

// coinbaseMoney tells money from coins.
func (l *specLine) coinbaseMoney(code string) bool { return IsFiat(code) || code == l.currency }

// bookCoinbaseTrade books a coin for money, or for another coin that the note names: then two
// transactions, of the coin and of what it was paid with or for, at one value.
func bookCoinbaseTrade(l *specLine) ([]portfolio.Transaction, error) {
	kind, subtotal := l.rule().kind, l.coinbaseSubtotal()
	sold := kind == portfolio.KindSell
	switch {
	case !sold && l.quantity.Decimal.IsNegative():
		return nil, errors.New("a purchase of less than nothing; enter it by hand")
	case !subtotal.Valid || !l.amount.Valid:
		return nil, errors.New("the subtotal or total is missing; enter it by hand")
	}
	cost := l.amount.Decimal.Sub(subtotal.Decimal)
	if sold {
		cost = cost.Neg()
	}
	fee := cost
	if l.fee.Valid {
		fee = l.fee.Decimal
	}
	if cost.Sub(fee).Abs().GreaterThan(cent) || fee.IsNegative() {
		return nil, fmt.Errorf("subtotal %s, fee %s and total %s do not agree; enter it by hand", subtotal.Decimal, fee, l.amount.Decimal)
	}
	// The total is what was paid; rounding is the subtotal's.
	amount := amountBeforeCosts(kind, l.amount.Decimal, fee)
	if err := l.checkCoinbasePrice(amount); err != nil {
		return nil, err
	}
	t, err := l.coinTransaction(kind, l.symbol)
	if err != nil {
		return nil, err
	}
	t.Quantity, t.Amount, t.Fee, t.Price = l.quantity.Decimal.Abs(), amount, fee, l.price
	quote, paid := coinbaseQuote(l.cell("Notes"))
	switch {
	case quote == "" || quote == l.currency:
		return []portfolio.Transaction{t}, nil
	case IsFiat(quote):
		return nil, fmt.Errorf("it was paid in %s and is valued in %s; enter it by hand with what was paid", quote, l.currency)
	}
	other, err := l.coinTransaction(portfolio.KindSell, quote)
	other.Quantity, other.Amount, other.SourceID = paid, l.amount.Decimal, "/"+quote
	if sold {
		other.Kind = portfolio.KindBuy
		return []portfolio.Transaction{t, other}, err
	}
	return []portfolio.Transaction{other, t}, err
}

// checkCoinbasePrice catches a comma in the wrong place. The price in the file is that of the
// market at the time, and may be some per cent off what was paid.
func (l *specLine) checkCoinbasePrice(amount decimal.Decimal) error {
	quantity := l.quantity.Decimal.Abs()
	value := quantity.Mul(l.price.Decimal)
	if !l.price.Decimal.IsZero() && value.Sub(amount).Abs().GreaterThan(value.Shift(-1).Add(decimal.New(5, -2))) {
		return fmt.Errorf("%s at %s is not %s; compare the line with Coinbase and enter it by hand", quantity, l.price.Decimal, amount)
	}
	return nil
}

// coinbaseQuote reads the note of a trade, "Bought 0.01 BTC for 250.5 USDC on BTC-USDC at
// 25000 USDC/BTC". A note that says nothing of it yields no quote.
func coinbaseQuote(note string) (quote string, amount decimal.Decimal) {
	_, tail, _ := strings.Cut(note, " for ")
	fields := strings.Fields(tail)
	if !strings.HasPrefix(note, "Bought ") && !strings.HasPrefix(note, "Sold ") || len(fields) < 2 || len(fields[1]) > 10 {
		return "", decimal.Decimal{}
	}
	amount, _, err := ParseMoney(fields[0], DecimalPoint)
	if err != nil || !amount.IsPositive() {
		return "", decimal.Decimal{}
	}
	return strings.ToUpper(strings.TrimRight(fields[1], ".,")), amount
}

// coinbaseLeg is one side of a conversion.
type coinbaseLeg struct {
	code     string
	quantity decimal.Decimal
}

// coinbaseLegs reads the note of a conversion, "Converted 0.00363125 BTC to 156.145683 XRP".
func coinbaseLegs(note string) (from, to coinbaseLeg, ok bool) {
	fields := strings.Fields(note)
	if len(fields) != 6 || fields[0] != "Converted" || fields[3] != "to" {
		return from, to, false
	}
	var err1, err2 error
	from.code, to.code = fields[2], fields[5]
	from.quantity, err1 = ParseNumber(fields[1], DecimalPoint)
	to.quantity, err2 = ParseNumber(fields[4], DecimalPoint)
	return from, to, err1 == nil && err2 == nil && from.quantity.IsPositive() && to.quantity.IsPositive()
}

// bookCoinbaseConversion books a coin for another one: a sale and a purchase at the value that the
// file gives, and no cash. The total is what was given, the subtotal what was got for it.
func bookCoinbaseConversion(l *specLine) ([]portfolio.Transaction, error) {
	from, to, ok := coinbaseLegs(l.cell("Notes"))
	quantity, subtotal := l.quantity.Decimal.Abs(), l.coinbaseSubtotal()
	fee := l.amount.Decimal.Sub(subtotal.Decimal)
	switch {
	case !ok:
		return nil, errors.New("the note does not say what was converted to what; enter the sale and the purchase by hand")
	case coinbaseCode(from.code) == coinbaseCode(to.code) && from.quantity.Equal(to.quantity):
		return nil, IgnoreReason("a coin under another name: as many as before")
	case l.symbol == to.code && quantity.Equal(to.quantity) && l.symbol != from.code:
		return nil, errors.New("the line of what was given for it is missing; enter the sale and the purchase by hand")
	case l.symbol != from.code || !quantity.Equal(from.quantity):
		return nil, errors.New("the note says something else than the line; enter the sale and the purchase by hand")
	case !subtotal.Valid || !l.amount.Valid:
		return nil, errors.New("the value of what was converted is missing; enter the sale and the purchase by hand")
	case fee.IsNegative() || l.fee.Valid && l.fee.Decimal.Sub(fee).Abs().GreaterThan(cent):
		return nil, fmt.Errorf("subtotal %s and total %s do not agree; enter the sale and the purchase by hand", subtotal.Decimal, l.amount.Decimal)
	}
	if err := l.checkCoinbasePrice(l.amount.Decimal); err != nil {
		return nil, err
	}
	sale, err := l.coinTransaction(portfolio.KindSell, from.code)
	if err != nil {
		return nil, err
	}
	sale.Quantity, sale.Amount, sale.Fee, sale.Price, sale.SourceID = quantity, l.amount.Decimal, fee, l.price, "/sale"
	purchase, err := l.coinTransaction(portfolio.KindBuy, to.code)
	purchase.Quantity, purchase.Amount, purchase.SourceID = to.quantity, subtotal.Decimal, "/purchase"
	return []portfolio.Transaction{sale, purchase}, err
}

// bookCoinbaseReward books coins that were paid for holding, learning or spending: income at the
// value that the file gives, which became coins at once. Money that was paid stays money.
func bookCoinbaseReward(l *specLine) ([]portfolio.Transaction, error) {
	subtotal := l.coinbaseSubtotal()
	if !l.quantity.Decimal.IsPositive() {
		return nil, errors.New("a reward of nothing or less; enter it by hand")
	}
	if l.coinbaseMoney(l.symbol) {
		t := l.coinbaseTransaction(portfolio.KindInterest)
		t.Currency, t.Amount = l.symbol, l.quantity.Decimal
		return []portfolio.Transaction{t}, nil
	}
	if !subtotal.Valid || l.fee.Decimal.IsPositive() {
		return nil, errors.New("the value of the reward is missing, or a fee was taken of it; enter it by hand")
	}
	t, err := l.coinTransaction(portfolio.KindReinvest, l.symbol)
	t.Quantity, t.Amount, t.Price = l.quantity.Decimal, subtotal.Decimal, l.price
	if t.Amount.IsZero() {
		// Worth less than the file shows: units that cost nothing, and no income.
		t.Kind, t.Price = portfolio.KindBuy, decimal.NewNullDecimal(decimal.Zero)
	}
	return []portfolio.Transaction{t}, err
}

// bookCoinbaseIn books what came from outside. What coins cost before they came is not known. Early
// exports call received what was a gift of Coinbase's.
func bookCoinbaseIn(l *specLine) ([]portfolio.Transaction, error) {
	note := l.cell("Notes")
	switch {
	case !l.quantity.Decimal.IsPositive():
		return nil, errors.New("nothing or less was received; enter it by hand")
	case l.coinbaseMoney(l.symbol):
		return l.bookCoinbasePayment(portfolio.KindDeposit)
	case strings.Contains(note, "Coinbase Earn") || strings.Contains(note, "Coinbase Rewards") || strings.Contains(note, "Coinbase Referral"):
		return bookCoinbaseReward(l)
	}
	t, err := l.coinTransaction(portfolio.KindTransferIn, l.symbol)
	t.Quantity, t.CostUnknown = l.quantity.Decimal, true
	return []portfolio.Transaction{t}, err
}

// bookCoinbaseOut books what left for somewhere else.
func bookCoinbaseOut(l *specLine) ([]portfolio.Transaction, error) {
	switch {
	case l.quantity.Decimal.IsZero():
		return nil, errors.New("nothing was sent; enter it by hand")
	case l.coinbaseMoney(l.symbol):
		return l.bookCoinbasePayment(portfolio.KindWithdrawal)
	case l.fee.Decimal.IsPositive():
		return nil, fmt.Errorf("whether the fee of %s is within the %s %s that were sent is not said; enter it by hand", l.fee.Decimal, l.quantity.Decimal.Abs(), Shorten(l.symbol))
	}
	t, err := l.coinTransaction(portfolio.KindTransferOut, l.symbol)
	t.Quantity = l.quantity.Decimal.Abs()
	return []portfolio.Transaction{t}, err
}

// bookCoinbasePayment books a payment from or to a bank. With a fee, the file does not say whether
// its quantity is before or after.
func (l *specLine) bookCoinbasePayment(kind portfolio.Kind) ([]portfolio.Transaction, error) {
	if l.fee.Decimal.IsPositive() {
		return nil, fmt.Errorf("whether the fee of %s is within the %s is not said; enter it by hand", l.fee.Decimal, l.quantity.Decimal.Abs())
	}
	t := l.coinbaseTransaction(kind)
	t.Currency, t.Amount = l.symbol, l.quantity.Decimal.Abs()
	return []portfolio.Transaction{t}, nil
}

// joinCoinbase ignores what lines mean only together: the second side of conversions of which both
// sides have a line, and coins that left and came back at the same time, as many, under another name.
func joinCoinbase(r *specReader, lines []*specLine) {
	passage := func(l *specLine) string {
		return fmt.Sprint(l.time, coinbaseCode(l.symbol), " ", l.quantity.Decimal.Abs())
	}
	conversion := func(l *specLine) string { return fmt.Sprint(l.time, l.cell("Notes")) }
	given, left := map[string]bool{}, map[string]*specLine{}
	for _, l := range lines {
		switch l.action {
		case "convert":
			if from, _, ok := coinbaseLegs(l.cell("Notes")); ok && from.code == l.symbol {
				given[conversion(l)] = true
			}
		case "send":
			left[passage(l)] = l
		}
	}
	for _, l := range lines {
		switch l.action {
		case "convert":
			from, to, ok := coinbaseLegs(l.cell("Notes"))
			renamed := coinbaseCode(from.code) == coinbaseCode(to.code)
			if ok && !renamed && l.symbol == to.code && l.quantity.Decimal.Abs().Equal(to.quantity) && given[conversion(l)] {
				r.collector.Ignore(l.row, "the other side of a conversion, which is read from the line of what was given")
			}
		case "receive":
			if sent := left[passage(l)]; sent != nil && sent.symbol != l.symbol {
				r.collector.Ignore(sent.row, "a coin under another name: as many came back under the new one")
				r.collector.Ignore(l.row, "a coin under another name: as many as left under the old one")
				delete(left, passage(l))
			}
		}
	}
}

package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Coinbase returns the format of Coinbase's transaction history. Purchases paid by card or bank account have no
// deposit in the file, so CashUntracked is the best policy for such an account.
func Coinbase() Format {
	return spec{
		name: "coinbase", title: "Coinbase, transaction history (CSV)",
		recognizes: func(f File) bool {
			_, _, ok := findCoinbaseHeader(f.Text)
			return ok
		},
		open: openCoinbase,
		date: "Timestamp", action: "Transaction Type", symbol: "Asset", id: "ID", currency: "Price Currency|Spot Price Currency",
		quantity: "Quantity Transacted", price: "Price at Transaction|Spot Price at Transaction",
		amount: "Total (inclusive of fees and/or spread)|Total (inclusive of fees)", fee: "Fees and/or Spread|Fees", others: []string{"Subtotal"},
		layouts: []string{"2006-01-02 15:04:05 MST", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700"},
		decimal: DecimalPoint, marks: true,
		unknown: "unknown transaction type %q; enter the transaction by hand",
		rules: []rule{
			{words: "buy|advanced trade buy|advance trade buy", kind: portfolio.KindBuy, book: bookCoinbaseTrade},
			{words: "sell|advanced trade sell|advance trade sell", kind: portfolio.KindSell, book: bookCoinbaseTrade},
			{words: "convert", book: bookCoinbaseConversion},
			{words: "staking income|rewards income|reward income|inflation reward|coinbase earn|learning reward|interest payout|incentives rewards payout|airdrop|" +
				"subscription rebate|subscription rebates|subscription rebates (24 hours)", book: bookCoinbaseReward},
			{words: "send|exchange deposit|pro deposit|withdrawal|fiat withdrawal", book: bookCoinbaseOut},
			{words: "receive|exchange withdrawal|pro withdrawal|deposit|fiat deposit", book: bookCoinbaseIn},
			{words: "vault withdrawal|vault deposit|cash to savings|savings to cash|retail staking transfer|retail unstaking transfer|retail eth2 deprecation",
				ignore: "move within the same account"},
		},
		parse: parseCoinbase, join: joinCoinbase,
	}.format()
}

// findCoinbaseHeader returns the number of lines above the header, and its offset. The text above
// it varies by year and may contain quotation marks.
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
		return Table{}, fmt.Errorf("%s: %w: no Coinbase header", f.Name, ErrFormat)
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
			return Table{}, fmt.Errorf("%s: %w: no column %q", f.Name, ErrFormat, column)
		}
	}
	// The first exports have the currency in column names: "EUR Subtotal".
	header := Row{Line: t.Header.Line, Cells: slices.Clone(t.Header.Cells)}
	for _, cell := range t.Header.Cells {
		code, ok := strings.CutSuffix(strings.TrimSpace(cell), " Spot Price at Transaction")
		if !ok || !ValidCurrency(code) || t.Has("Price Currency") || t.Has("Spot Price Currency") {
			continue
		}
		s.money = code
		for i := range header.Cells {
			header.Cells[i] = strings.TrimPrefix(header.At(i), code+" ")
		}
	}
	return NewTable(header, t.Rows), nil
}

// maxCoinbasePlaces is the number of decimals kept; longer fractions come from a division.
const maxCoinbasePlaces = 18

func parseCoinbase(l *specLine) error {
	subtotal := l.others["Subtotal"]
	l.time = l.time.UTC()
	switch {
	case !ValidCurrency(l.currency):
		return errors.New("missing price currency; enter the transaction by hand")
	case !l.quantity.Valid:
		return fmt.Errorf("quantity: %w", notNumber(""))
	case l.price.Decimal.IsNegative():
		return fmt.Errorf("%s is negative; enter the transaction by hand", firstName(l.specReader.price))
	case l.fee.Decimal.IsNegative():
		return fmt.Errorf("%s is negative; enter the transaction by hand", firstName(l.specReader.fee))
	}
	// The transaction kind decides the direction.
	subtotal.Decimal, l.amount.Decimal = subtotal.Decimal.Abs(), l.amount.Decimal.Abs()
	for _, d := range []*decimal.NullDecimal{&subtotal, &l.amount, &l.price, &l.fee} {
		d.Decimal = d.Decimal.Round(maxCoinbasePlaces)
	}
	l.others["Subtotal"] = subtotal
	return nil
}

// coinbaseCode returns one code for coins with two codes at Coinbase.
func coinbaseCode(code string) string {
	if code == "ETH2" {
		return "ETH"
	}
	return code
}

// coinbaseTransaction returns a transaction with the fields that all kinds share.
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

// coinbaseMoney reports whether code is money rather than a coin.
func (l *specLine) coinbaseMoney(code string) bool { return IsFiat(code) || code == l.currency }

// bookCoinbaseTrade books a coin traded for money, or for another coin that the note names. The
// latter becomes two transactions at the same value, one per coin.
func bookCoinbaseTrade(l *specLine) ([]portfolio.Transaction, error) {
	kind, subtotal := l.rule().kind, l.others["Subtotal"]
	sold := kind == portfolio.KindSell
	switch {
	case !sold && l.quantity.Decimal.IsNegative():
		return nil, errors.New("purchase with a negative quantity; enter the transaction by hand")
	case !subtotal.Valid || !l.amount.Valid:
		return nil, errors.New("missing subtotal or total; enter the transaction by hand")
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
		return nil, fmt.Errorf("subtotal %s, fee %s and total %s do not add up; enter the transaction by hand", subtotal.Decimal, fee, l.amount.Decimal)
	}
	// The total is the amount paid; the subtotal may be rounded.
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
		return nil, fmt.Errorf("paid in %s but valued in %s; enter the transaction by hand with the amount paid", quote, l.currency)
	}
	other, err := l.coinTransaction(portfolio.KindSell, quote)
	other.Quantity, other.Amount, other.SourceID = paid, l.amount.Decimal, "/"+quote
	if sold {
		other.Kind = portfolio.KindBuy
		return []portfolio.Transaction{t, other}, err
	}
	return []portfolio.Transaction{other, t}, err
}

// checkCoinbasePrice catches a misplaced decimal point. The price in the file is the market price
// at the time and may differ from the price paid by a few percent.
func (l *specLine) checkCoinbasePrice(amount decimal.Decimal) error {
	quantity := l.quantity.Decimal.Abs()
	value := quantity.Mul(l.price.Decimal)
	if !l.price.Decimal.IsZero() && value.Sub(amount).Abs().GreaterThan(value.Shift(-1).Add(decimal.New(5, -2))) {
		return fmt.Errorf("%s at %s is not %s; compare the line with Coinbase and enter the transaction by hand", quantity, l.price.Decimal, amount)
	}
	return nil
}

// coinbaseQuote reads the note of a trade, "Bought 0.01 BTC for 250.5 USDC on BTC-USDC at 25000
// USDC/BTC". It returns "" for other notes.
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

// bookCoinbaseConversion books a conversion between coins as a sale and a purchase at the value in
// the file, without cash. The total is the value of the sold coin, the subtotal that of the bought
// coin.
func bookCoinbaseConversion(l *specLine) ([]portfolio.Transaction, error) {
	from, to, ok := coinbaseLegs(l.cell("Notes"))
	quantity, subtotal := l.quantity.Decimal.Abs(), l.others["Subtotal"]
	fee := l.amount.Decimal.Sub(subtotal.Decimal)
	switch {
	case !ok:
		return nil, errors.New("the note does not name both sides of the conversion; enter the sale and the purchase by hand")
	case coinbaseCode(from.code) == coinbaseCode(to.code) && from.quantity.Equal(to.quantity):
		return nil, IgnoreReason("coin renamed, quantity unchanged")
	case l.symbol == to.code && quantity.Equal(to.quantity) && l.symbol != from.code:
		return nil, errors.New("the line of the sold coin is missing; enter the sale and the purchase by hand")
	case l.symbol != from.code || !quantity.Equal(from.quantity):
		return nil, errors.New("the note and the line disagree; enter the sale and the purchase by hand")
	case !subtotal.Valid || !l.amount.Valid:
		return nil, errors.New("missing value of the conversion; enter the sale and the purchase by hand")
	case fee.IsNegative() || l.fee.Valid && l.fee.Decimal.Sub(fee).Abs().GreaterThan(cent):
		return nil, fmt.Errorf("subtotal %s and total %s do not match; enter the sale and the purchase by hand", subtotal.Decimal, l.amount.Decimal)
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

// bookCoinbaseReward books coins received for holding, learning or spending as income, reinvested
// in coins, at the value in the file. Rewards in money stay cash.
func bookCoinbaseReward(l *specLine) ([]portfolio.Transaction, error) {
	subtotal := l.others["Subtotal"]
	if !l.quantity.Decimal.IsPositive() {
		return nil, errors.New("reward without a positive quantity; enter the transaction by hand")
	}
	if l.coinbaseMoney(l.symbol) {
		t := l.coinbaseTransaction(portfolio.KindInterest)
		t.Currency, t.Amount = l.symbol, l.quantity.Decimal
		return []portfolio.Transaction{t}, nil
	}
	if !subtotal.Valid || l.fee.Decimal.IsPositive() {
		return nil, errors.New("missing value of the reward, or a fee on it; enter the transaction by hand")
	}
	t, err := l.coinTransaction(portfolio.KindReinvest, l.symbol)
	t.Quantity, t.Amount, t.Price = l.quantity.Decimal, subtotal.Decimal, l.price
	if t.Amount.IsZero() {
		// The value rounds to zero: units without cost or income.
		t.Kind, t.Price = portfolio.KindBuy, decimal.NewNullDecimal(decimal.Zero)
	}
	return []portfolio.Transaction{t}, err
}

// bookCoinbaseIn books receipts from outside. The cost of received coins is unknown. Early exports
// list gifts from Coinbase as received.
func bookCoinbaseIn(l *specLine) ([]portfolio.Transaction, error) {
	note := l.cell("Notes")
	switch {
	case !l.quantity.Decimal.IsPositive():
		return nil, errors.New("received quantity is not positive; enter the transaction by hand")
	case l.coinbaseMoney(l.symbol):
		return l.bookCoinbasePayment(portfolio.KindDeposit)
	case strings.Contains(note, "Coinbase Earn") || strings.Contains(note, "Coinbase Rewards") || strings.Contains(note, "Coinbase Referral"):
		return bookCoinbaseReward(l)
	}
	t, err := l.coinTransaction(portfolio.KindTransferIn, l.symbol)
	t.Quantity, t.CostUnknown = l.quantity.Decimal, true
	return []portfolio.Transaction{t}, err
}

// bookCoinbaseOut books coins and money sent elsewhere.
func bookCoinbaseOut(l *specLine) ([]portfolio.Transaction, error) {
	switch {
	case l.quantity.Decimal.IsZero():
		return nil, errors.New("sent quantity is zero; enter the transaction by hand")
	case l.coinbaseMoney(l.symbol):
		return l.bookCoinbasePayment(portfolio.KindWithdrawal)
	case l.fee.Decimal.IsPositive():
		return nil, fmt.Errorf("unclear whether the fee of %s is included in the %s %s sent; enter the transaction by hand", l.fee.Decimal, l.quantity.Decimal.Abs(), Shorten(l.symbol))
	}
	t, err := l.coinTransaction(portfolio.KindTransferOut, l.symbol)
	t.Quantity = l.quantity.Decimal.Abs()
	return []portfolio.Transaction{t}, err
}

// bookCoinbasePayment books a payment from or to a bank. If there is a fee, the file does not say
// whether the quantity includes it.
func (l *specLine) bookCoinbasePayment(kind portfolio.Kind) ([]portfolio.Transaction, error) {
	if l.fee.Decimal.IsPositive() {
		return nil, fmt.Errorf("unclear whether the fee of %s is included in the %s; enter the transaction by hand", l.fee.Decimal, l.quantity.Decimal.Abs())
	}
	t := l.coinbaseTransaction(kind)
	t.Currency, t.Amount = l.symbol, l.quantity.Decimal.Abs()
	return []portfolio.Transaction{t}, nil
}

// joinCoinbase ignores lines that only make sense together: the second side of conversions that
// have two lines, and coins that left and came back at the same time, in the same quantity, under
// another name.
func joinCoinbase(r *specReader, lines []*specLine) {
	passage := func(l *specLine) string {
		return fmt.Sprint(l.time, coinbaseCode(l.symbol), " ", l.quantity.Decimal.Abs())
	}
	conversion := func(l *specLine) string { return fmt.Sprint(l.time, l.cell("Notes")) }
	sold, left := map[string]bool{}, map[string]*specLine{}
	for _, l := range lines {
		switch l.action {
		case "convert":
			if from, _, ok := coinbaseLegs(l.cell("Notes")); ok && from.code == l.symbol {
				sold[conversion(l)] = true
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
			if ok && !renamed && l.symbol == to.code && l.quantity.Decimal.Abs().Equal(to.quantity) && sold[conversion(l)] {
				r.collector.Ignore(l.row, "other side of a conversion; recorded from the line of the sold coin")
			}
		case "receive":
			if sent := left[passage(l)]; sent != nil && sent.symbol != l.symbol {
				r.collector.Ignore(sent.row, "coin renamed; the new name has a line with the same quantity")
				r.collector.Ignore(l.row, "coin renamed; the old name has a line with the same quantity")
				delete(left, passage(l))
			}
		}
	}
}

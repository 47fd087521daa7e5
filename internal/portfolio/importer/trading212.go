package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

const trading212PriceCurrency = "Currency (Price / share)"

// Trading212 returns the format of Trading 212's history. Totals are changes in cash, including all costs. The
// exchange rate may differ between price and total, and it covers costs in other currencies.
func Trading212() Format {
	return spec{
		name: "trading212", title: "Trading 212, history (CSV)",
		header: []string{"Action", "ISIN", "Ticker", "No. of shares", "Price / share", trading212PriceCurrency}, blanks: []string{"Not available"},
		open: openTrading212,
		date: "Time|Time (UTC)", action: "Action", symbol: "Ticker", isin: "ISIN", security: "Name", id: "ID",
		quantity: "No. of shares", price: "Price / share", amount: "Total", others: []string{"Exchange rate"},
		layouts: []string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", time.RFC3339}, utc: true,
		decimal: DecimalPoint, net: true, tolerance: decimal.New(2, -2),
		rules: []rule{
			{words: "market buy|limit buy|stop buy|stop limit buy", kind: portfolio.KindBuy},
			{words: "market sell|limit sell|stop sell|stop limit sell", kind: portfolio.KindSell},
			{words: "dividend*", book: bookTrading212Dividend},
			{words: "interest on cash|lending interest|share lending interest", in: portfolio.KindInterest, out: portfolio.KindInterestDue},
			{words: "deposit|card credit|card refund|spending cashback", in: portfolio.KindDeposit},
			{words: "withdrawal|card debit", kind: portfolio.KindWithdrawal},
			{words: "new card cost", kind: portfolio.KindFee},
			{words: "currency conversion", book: bookTrading212Exchange},
			{words: "transfer in", kind: portfolio.KindTransferIn},
			{words: "transfer out", kind: portfolio.KindTransferOut},
			{words: "stock distribution|spin off", problem: "{shares} shares of {symbol} were distributed, but the file does not give the original shares or their part of the cost basis: enter a spin-off or split"},
			{words: "stock split|stock split open|stock split close", problem: "one half of the split of {symbol} is missing: enter the split by hand"},
			{words: "result adjustment", problem: "correction of unknown cause: enter a deposit or a fee of {amount} by hand"},
		},
		parse: parseTrading212, join: joinTrading212, complete: completeTrading212,
		identify: func(l *specLine) (market.Symbol, string, error) {
			if r := l.rule(); r.in == portfolio.KindInterest || l.symbol == "" && l.isin == "" {
				return "", "", nil
			}
			return l.identifySecurity(l.trading212Quoted())
		},
		note: func(l *specLine) string {
			if r := l.rule(); r.in == portfolio.KindInterest || l.cell("Notes") == "" {
				return l.word
			}
			return l.word + ": " + l.cell("Notes")
		},
		// Dividends have no ID.
		fingerprint: func(l *specLine) []string {
			quantity, _, _ := l.number("No. of shares")
			price, _, _ := l.number("Price / share")
			return append([]string{strings.ToLower(l.word), l.time.UTC().Format(time.RFC3339Nano), l.isin, l.symbol, l.currency}, plain(quantity, price, l.amount)...)
		},
	}.format()
}

// trading212ID matches the number of an order.
var trading212ID = lazyregexp.New(`^EOF\d+$`)

// openTrading212 reads files joined from old and new exports: their header has Notes and ID last, but newer
// rows have them before the number of shares. It moves these cells to the end.
func openTrading212(s *spec, f File) (Table, error) {
	table, err := ReadTable(f, s.header...)
	if err != nil {
		return table, err
	}
	shares, notes, id := table.Index("No. of shares"), table.Index("Notes"), table.Index("ID")
	for i, row := range table.Rows {
		if notes < shares+2 || id != notes+1 || !trading212ID().MatchString(row.At(shares+1)) {
			continue
		}
		cells := append(slices.Clone(row.Cells), make([]string, max(0, id+1-len(row.Cells)))...)
		moved := slices.Concat(cells[:shares], cells[shares+2:id+1], cells[shares:shares+2], cells[id+1:])
		table.Rows[i] = Row{Line: row.Line, Cells: moved}
	}
	return table, nil
}

// parseTrading212 ignores a price in another currency than the total.
func parseTrading212(l *specLine) error {
	var err error
	if l.amount, l.currency, err = l.trading212Sum("Total"); err != nil {
		return err
	}
	if l.currency == "" {
		l.currency = l.options.Currency
	}
	if l.fee.Decimal, l.tax.Decimal, _, err = l.trading212Costs(); err != nil {
		return err
	}
	currency := l.cell(trading212PriceCurrency)
	places, minor := l.trading212Shift(currency)
	switch {
	case minor:
		l.price.Decimal = l.price.Decimal.Shift(-places)
	case currency != l.currency:
		l.price = decimal.NullDecimal{}
	}
	return nil
}

// trading212Sum reads an amount with its currency, which is in a separate column ("Currency
// (Total)") or, in older exports, in the amount's column name ("Total (EUR)").
func (l *specLine) trading212Sum(sum string) (decimal.NullDecimal, string, error) {
	if amount, _, err := l.number(sum); err != nil || amount.Valid {
		return amount, l.cell("Currency (" + sum + ")"), err
	}
	for _, header := range l.table.Header.Cells {
		header = strings.TrimSpace(header)
		rest, ok := strings.CutPrefix(header, sum+" (")
		currency, closed := strings.CutSuffix(rest, ")")
		if !ok || !closed || !ValidCurrency(currency) {
			continue
		}
		if amount, _, err := l.number(header); err != nil || amount.Valid {
			return amount, currency, err
		}
	}
	return decimal.NullDecimal{}, "", nil
}

// trading212Shift returns the decimal shift from a currency to that of the total, if one is a
// fraction of the other: pence to pounds.
func (l *specLine) trading212Shift(currency string) (places int32, ok bool) {
	whole, places := market.MinorUnit(currency)
	return places, whole != "" && whole == l.currency
}

// trading212Costs returns the costs in the currency of the total, and other costs as text.
func (l *specLine) trading212Costs() (fee, tax decimal.Decimal, foreign []string, err error) {
	fees := []string{"Currency conversion fee", "Transaction fee", "Finra fee", "PTM levy", "UK PTM Levy"}
	taxes := []string{"Stamp duty", "Stamp duty reserve tax", "French transaction tax", "Italian transaction tax", "Spanish transaction tax", "Withholding tax"}
	for i, column := range append(fees, taxes...) {
		amount, currency, err := l.trading212Sum(column)
		if places, minor := l.trading212Shift(currency); minor {
			currency, amount.Decimal = l.currency, amount.Decimal.Shift(-places)
		}
		switch {
		case err != nil:
			return fee, tax, nil, err
		case amount.Decimal.IsZero():
		case currency == "":
			return fee, tax, nil, fmt.Errorf("%s: missing currency for %s: enter the line by hand", column, amount.Decimal)
		case amount.Decimal.IsNegative():
			return fee, tax, nil, fmt.Errorf("negative %s of %s (a refund, or another sign convention): compare the line with Trading 212 and enter it by hand", column, amount.Decimal)
		case currency != l.currency:
			foreign = append(foreign, fmt.Sprintf("%s %s %s", strings.ToLower(column), amount.Decimal, currency))
		// A duty on a sale is a cost; the tax of a sale is what was withheld on its gain.
		case i < len(fees) || column != "Withholding tax" && l.rule().kind == portfolio.KindSell:
			fee = fee.Add(amount.Decimal)
		default:
			tax = tax.Add(amount.Decimal)
		}
	}
	return fee, tax, foreign, nil
}

// bookTrading212Dividend books a distribution, by the words in parentheses.
func bookTrading212Dividend(l *specLine) ([]portfolio.Transaction, error) {
	kind := portfolio.KindDividend
	switch {
	case strings.Contains(l.action, "return of capital"):
		kind = portfolio.KindReturnOfCapital
	case strings.Contains(l.action, "demerger"):
		return nil, fmt.Errorf("demerger, but the file does not give its part of the cost basis: enter a spin-off, or a dividend of %s %s", l.amount.Decimal, l.currency)
	case strings.Contains(l.action, "interest"):
		kind = portfolio.KindInterest
	}
	l.quantity = decimal.NullDecimal{} // the number of shares held, which do not move
	return l.book(rule{in: kind})
}

// bookTrading212Exchange books the amounts as they moved; the first includes the fee.
func bookTrading212Exchange(l *specLine) ([]portfolio.Transaction, error) {
	from, fromCurrency, err1 := l.trading212Sum("Currency conversion from amount")
	to, toCurrency, err2 := l.trading212Sum("Currency conversion to amount")
	switch {
	case err1 != nil || err2 != nil:
		return nil, errors.Join(err1, err2)
	case !from.Valid || !to.Valid || fromCurrency == "" || toCurrency == "":
		return nil, errors.New("conversion amounts are missing: enter the currency exchange by hand")
	}
	t := portfolio.Transaction{
		Date: l.date, Time: l.time, Kind: portfolio.KindExchange,
		Currency: fromCurrency, Amount: from.Decimal.Abs(), ToCurrency: toCurrency, ToAmount: to.Decimal.Abs(),
	}
	if l.fee.Decimal.IsPositive() {
		t.Note = fmt.Sprintf("includes a fee of %s %s", l.fee.Decimal, l.currency)
	}
	return []portfolio.Transaction{t}, nil
}

// completeTrading212 adds a note for what the amounts do not show, and checks a price in another
// currency.
func completeTrading212(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
	if t.Symbol == "" || t.Amount.IsZero() {
		return []portfolio.Transaction{t}, nil
	}
	var notes []string
	price, _, err := l.number("Price / share")
	if trade := t.Kind == portfolio.KindBuy || t.Kind == portfolio.KindSell; trade && price.Valid && !t.Price.Valid {
		note, rate := fmt.Sprintf("%s %s a share", price.Decimal, l.cell(trading212PriceCurrency)), l.others["Exchange rate"]
		if rate.Valid {
			note += fmt.Sprintf(" at %s", rate.Decimal)
		}
		notes = append(notes, note)
		if rate.Decimal.IsPositive() {
			err = l.checkProduct(t, t.Quantity.Mul(price.Decimal).DivRound(rate.Decimal, 8))
		}
	}
	if _, _, foreign, _ := l.trading212Costs(); len(foreign) > 0 {
		notes = append(notes, Shorten("after "+strings.Join(foreign, ", ")))
	}
	t.Note = strings.Join(notes, ", ")
	return []portfolio.Transaction{t}, err
}

// trading212Quoted returns the currency that a security is quoted in. For a dividend the column has the
// currency of the payment, which may differ.
func (l *specLine) trading212Quoted() string {
	if strings.HasPrefix(l.action, "dividend") {
		return ""
	}
	return l.cell(trading212PriceCurrency)
}

// joinTrading212 joins the two lines of a split: one closes the old position, the other opens the
// new one.
func joinTrading212(r *specReader, lines []*specLine) {
	for _, l := range lines {
		if l.trading212Quoted() != "" {
			_, _, _ = l.identifySecurity(l.trading212Quoted()) // errors are reported with the line
		}
	}
	pairs := pairsOf(lines, func(l *specLine) string {
		if l.action != "stock split open" && l.action != "stock split close" || !l.quantity.Decimal.IsPositive() {
			return ""
		}
		return l.symbol + " " + l.time.UTC().Format(time.DateOnly)
	})
	for _, pair := range pairs {
		before, after := pair[0], pair[1]
		if before.action == "stock split open" {
			before, after = after, before
		}
		if before.action == after.action {
			continue
		}
		t := portfolio.Transaction{Date: after.date, Time: after.time, New: after.quantity.Decimal, Old: before.quantity.Decimal}
		var err error
		t.Kind = splitKind(t.New, t.Old)
		t.Symbol, t.ISIN, err = after.identifySecurity(after.trading212Quoted())
		t.Name = Shorten(after.cell("Name"))
		switch {
		case t.New.Equal(t.Old):
			r.collector.Skip(IgnoreReason("split with an unchanged number of shares"), before.row, after.row)
			continue
		case err != nil:
			r.collector.Skip(err, before.row, after.row)
			continue
		}
		r.add([]portfolio.Transaction{t}, after, before)
		r.collector.SetHeld(after.row, t.Old)
	}
}

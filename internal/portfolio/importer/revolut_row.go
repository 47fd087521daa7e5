package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// revolutRow is one of the file, with its numbers decided.
type revolutRow struct {
	row      Row
	kind     string         // upper case
	trade    portfolio.Kind // of purchases and sales alone
	transfer bool           // between Revolut's own companies
	symbol   market.Symbol
	currency string
	date     market.Date
	time     time.Time
	quantity decimal.NullDecimal
	price    decimal.NullDecimal
	total    decimal.Decimal
}

func (r *revolutReader) parseRow(row Row) (revolutRow, error) {
	l := revolutRow{row: row, kind: strings.ToUpper(r.table.Cell(row, "Type")), currency: r.table.Cell(row, "Currency")}
	switch {
	case l.kind == "BUY" || strings.HasPrefix(l.kind, "BUY - "):
		l.trade = portfolio.KindBuy
	case l.kind == "SELL" || strings.HasPrefix(l.kind, "SELL - "):
		l.trade = portfolio.KindSell
	}
	l.transfer = strings.HasPrefix(l.kind, "TRANSFER FROM REVOLUT ")
	if whole, _ := market.MinorUnit(l.currency); !ValidCurrency(l.currency) || whole != "" {
		return l, fmt.Errorf("%q is no currency that sums can be booked in; enter the line by hand", Shorten(l.currency))
	}
	instant, err := ParseTime(r.table.Cell(row, "Date"), r.zone, time.RFC3339Nano)
	if err != nil {
		return l, err
	}
	l.time = instant.UTC()
	l.date = DayOf(instant)
	if ticker := r.table.Cell(row, "Ticker"); ticker != "" {
		if l.symbol, _, err = ParseSecurity(ticker, ""); err != nil {
			return l, err
		}
	}
	return l, r.parseNumbers(&l)
}

// parseNumbers reads the three numbers of a line.
func (r *revolutReader) parseNumbers(l *revolutRow) error {
	quantities, err := r.readings(*l, "Quantity")
	if err != nil {
		return err
	}
	prices, err := r.readings(*l, "Price per share")
	if err != nil {
		return err
	}
	totals, err := r.readings(*l, "Total Amount")
	if err != nil {
		return err
	}
	if l.trade != "" {
		return l.decide(quantities, prices, totals)
	}
	if len(totals) == 0 {
		return errors.New("the total is missing; enter it by hand")
	}
	if l.total, err = r.chooseReading(totals); err != nil {
		return err
	}
	if len(quantities) > 0 {
		l.quantity.Valid = true
		l.quantity.Decimal, err = r.chooseReading(quantities)
	}
	return err
}

// readings are what a cell says with a decimal point and with a decimal comma: one,
// or two that differ, and none of an empty cell.
func (r *revolutReader) readings(l revolutRow, column string) ([]decimal.Decimal, error) {
	text := r.table.Cell(l.row, column)
	if text == "" {
		return nil, nil
	}
	var found []decimal.Decimal
	for _, sign := range []DecimalSeparator{DecimalPoint, DecimalComma} {
		d, code, err := parseRevolutMoney(text, sign)
		if err != nil {
			continue
		}
		if code != "" && code != l.currency {
			return nil, fmt.Errorf("%s is in %s and the line in %s; enter it by hand", column, code, l.currency)
		}
		if len(found) == 0 || !found[0].Equal(d) {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w: %q", column, ErrNumber, Shorten(text))
	}
	return found, nil
}

// parseRevolutMoney reads also "USD -0.25", with the sign behind the code.
func parseRevolutMoney(text string, sign DecimalSeparator) (decimal.Decimal, string, error) {
	if len(text) > 4 && ValidCurrency(text[:3]) && text[3] == ' ' {
		d, err := ParseNumber(text[4:], sign)
		return d, text[:3], err
	}
	return ParseMoney(text, sign)
}

// chooseReading decides between two readings by how the file writes its other sums.
func (r *revolutReader) chooseReading(readings []decimal.Decimal) (decimal.Decimal, error) {
	switch {
	case len(readings) == 1 || r.signKnown && r.sign == DecimalPoint:
		return readings[0], nil
	case r.signKnown:
		return readings[1], nil
	}
	return decimal.Decimal{}, fmt.Errorf("the number may be %s or %s, and nothing in the file tells which; enter it by hand", readings[0], readings[1])
}

// decide finds the one way to read a trade in which quantity, price and total
// agree.
func (l *revolutRow) decide(quantities, prices, totals []decimal.Decimal) error {
	if len(quantities) == 0 || len(prices) == 0 || len(totals) == 0 {
		return errors.New("quantity, price or total is missing; enter the trade by hand")
	}
	found := 0
	for _, q := range quantities {
		for _, p := range prices {
			for _, total := range totals {
				if !l.agrees(q.Abs(), p, total.Abs()) {
					continue
				}
				found++
				l.quantity, l.price, l.total = decimal.NewNullDecimal(q.Abs()), decimal.NewNullDecimal(p), total.Abs()
			}
		}
	}
	if found != 1 {
		return fmt.Errorf("%s at %s is not %s; compare the line with Revolut and enter it by hand", quantities[0], prices[0], totals[0])
	}
	return nil
}

// agrees allows for the rounding of the price and the total to their last digits, and
// for fees within the total, which make a purchase dearer and a sale less: at most
// five per cent or two units of the currency.
func (l *revolutRow) agrees(quantity, price, total decimal.Decimal) bool {
	if !quantity.IsPositive() || !price.IsPositive() || !total.IsPositive() {
		return false
	}
	product := quantity.Mul(price)
	rounding := quantity.Mul(decimal.New(5, min(price.Exponent(), -2)-1)).Add(decimal.New(1, -2))
	fees := decimal.Max(product.Mul(decimal.New(5, -2)), decimal.NewFromInt(2))
	fees = decimal.Min(fees, product)
	over := total.Sub(product)
	if l.trade == portfolio.KindSell {
		over = over.Neg()
	}
	return over.GreaterThanOrEqual(rounding.Neg()) && over.LessThanOrEqual(fees.Add(rounding))
}

// newTransaction is what all transactions of the line have.
func (l revolutRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Currency: l.currency, Symbol: l.symbol}
}

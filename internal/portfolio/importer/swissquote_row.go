package importer

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// swissquoteRow is one of the file.
type swissquoteRow struct {
	row                                  Row
	action                               swissquoteAction
	rawAction, order, symbol, name, isin string
	date                                 market.Date
	time                                 time.Time
	currency                             string // of all sums but balance
	quantity, price, costs, accrued, net decimal.Decimal
	account                              string          // the currency of the account
	cash                                 decimal.Decimal // what the account changed by
	balance                              decimal.NullDecimal
}

func (r *swissquoteReader) parseRow(row Row) (swissquoteRow, error) {
	cell := func(column string) string {
		if column == "" {
			return ""
		}
		return r.table.Cell(row, column)
	}
	c := r.columns
	l := swissquoteRow{
		row: row, rawAction: cell(c.kind), action: swissquoteActionOf(cell(c.kind)), order: cell(c.order), symbol: cell(c.symbol),
		name: Shorten(cell(c.name)), isin: cell(c.isin), currency: cell(c.netCurrency), account: cell(c.currency),
	}
	if l.currency == "" {
		l.currency = l.account
	}
	if l.account == "" {
		l.account = l.currency
	}
	if err := l.setTime(cell(c.date), r.zone); err != nil {
		return l, err
	}
	var cash decimal.Decimal
	for _, field := range []struct {
		column string
		to     *decimal.Decimal
	}{
		{c.quantity, &l.quantity}, {c.price, &l.price}, {c.costs, &l.costs}, {c.accrued, &l.accrued}, {c.net, &l.net},
		{c.accountNet, &cash}, {c.balance, &l.balance.Decimal},
	} {
		text := cell(field.column)
		if text == "" || text == "-" {
			continue
		}
		d, err := ParseNumber(text, DecimalPoint)
		if err != nil {
			return l, fmt.Errorf("%s: %w", field.column, err)
		}
		*field.to = d
	}
	l.balance.Valid = cell(c.balance) != ""
	return l, l.setCurrencies(cash, cell(c.net) != "" && cell(c.net) != "-")
}

// swissquoteLayouts are how days and moments are written.
func swissquoteLayouts() []string {
	return []string{"02-01-2006 15:04:05", "02-01-2006 15:04", "02.01.2006 15:04:05", "02.01.2006 15:04", "02-01-2006", "02.01.2006"}
}

// setTime reads the day and the time of day, which decides what of a day was first: the
// newest line of a file stands at its top.
func (l *swissquoteRow) setTime(text string, zone *time.Location) error {
	at, err := ParseTime(text, zone, swissquoteLayouts()...)
	if err != nil {
		return err
	}
	l.date = DayOf(at)
	if h, m, s := at.Clock(); h+m+s > 0 {
		l.time = at.UTC()
	}
	return nil
}

// setCurrencies decides the currencies: pence become pounds, and the account changes by the
// net amount where the file does not say by what.
func (l *swissquoteRow) setCurrencies(cash decimal.Decimal, hasNet bool) error {
	if whole, places := market.MinorUnit(l.currency); whole != "" {
		l.currency = whole
		for _, sum := range []*decimal.Decimal{&l.price, &l.costs, &l.accrued, &l.net} {
			*sum = sum.Shift(-places)
		}
	}
	if whole, places := market.MinorUnit(l.account); whole != "" {
		l.account, cash, l.balance.Decimal = whole, cash.Shift(-places), l.balance.Decimal.Shift(-places)
	}
	l.cash = cash
	if cash.IsZero() {
		l.cash = l.net
	}
	switch {
	case !ValidCurrency(l.currency) || !ValidCurrency(l.account):
		return errors.New("the currency is missing; enter it by hand")
	case !hasNet:
		return errors.New("the line has no net amount and changed no cash; enter by hand what it did to the securities")
	case cash.IsZero() && l.account != l.currency:
		return fmt.Errorf("what the account in %s changed by is not said; enter it by hand", l.account)
	case l.costs.IsNegative() || l.accrued.IsNegative():
		return errors.New("costs or interest below zero; enter it by hand")
	}
	return nil
}

// newTransaction is what all transactions of the line have.
func (l swissquoteRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Currency: l.currency}
}

// setSecurity puts the security of the line into t.
func (l swissquoteRow) setSecurity(t *portfolio.Transaction) error {
	var err error
	t.Symbol, t.ISIN, err = ParseSecurity(l.symbol, l.isin)
	t.Name = l.name
	return err
}

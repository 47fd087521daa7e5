package swissquote

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// line is one of the file.
type line struct {
	row                                  sheet.Row
	act                                  act
	word, order, symbol, name, isin      string
	date                                 market.Date
	time                                 time.Time
	currency                             string // of all sums but balance
	quantity, price, costs, accrued, net decimal.Decimal
	account                              string          // the currency of the account
	cash                                 decimal.Decimal // what the account changed by
	balance                              decimal.NullDecimal
}

func (r *reader) line(row sheet.Row) (line, error) {
	cell := func(column string) string {
		if column == "" {
			return ""
		}
		return r.table.Cell(row, column)
	}
	c := r.columns
	l := line{
		row: row, word: cell(c.kind), act: actOf(cell(c.kind)), order: cell(c.order), symbol: cell(c.symbol),
		name: sheet.Shorten(cell(c.name)), isin: cell(c.isin), currency: cell(c.netCurrency), account: cell(c.currency),
	}
	if l.currency == "" {
		l.currency = l.account
	}
	if l.account == "" {
		l.account = l.currency
	}
	if err := l.when(cell(c.date), r.zone); err != nil {
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
		d, err := sheet.Number(text, sheet.Point)
		if err != nil {
			return l, fmt.Errorf("%s: %w", field.column, err)
		}
		*field.to = d
	}
	l.balance.Valid = cell(c.balance) != ""
	return l, l.settle(cash, cell(c.net) != "" && cell(c.net) != "-")
}

// layouts are how days and moments are written.
func layouts() []string {
	return []string{"02-01-2006 15:04:05", "02-01-2006 15:04", "02.01.2006 15:04:05", "02.01.2006 15:04", "02-01-2006", "02.01.2006"}
}

// when reads the day and the time of day, which decides what of a day was first: the
// newest line of a file stands at its top.
func (l *line) when(text string, zone *time.Location) error {
	at, err := sheet.Moment(text, zone, layouts()...)
	if err != nil {
		return err
	}
	l.date = sheet.DayOf(at)
	if h, m, s := at.Clock(); h+m+s > 0 {
		l.time = at.UTC()
	}
	return nil
}

// settle decides the currencies: pence become pounds, and the account changes by the
// net amount where the file does not say by what.
func (l *line) settle(cash decimal.Decimal, hasNet bool) error {
	if whole, places := market.Minor(l.currency); whole != "" {
		l.currency = whole
		for _, sum := range []*decimal.Decimal{&l.price, &l.costs, &l.accrued, &l.net} {
			*sum = sum.Shift(-places)
		}
	}
	if whole, places := market.Minor(l.account); whole != "" {
		l.account, cash, l.balance.Decimal = whole, cash.Shift(-places), l.balance.Decimal.Shift(-places)
	}
	l.cash = cash
	if cash.IsZero() {
		l.cash = l.net
	}
	switch {
	case !broker.ValidCurrency(l.currency) || !broker.ValidCurrency(l.account):
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

// begin is what all transactions of the line have.
func (l line) begin(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Currency: l.currency}
}

// identify puts the security of the line into t.
func (l line) identify(t *portfolio.Transaction) error {
	var err error
	t.Symbol, t.ISIN, err = broker.Security(l.symbol, l.isin)
	t.Name = l.name
	return err
}

package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// trading212Row is a row as it is written; what is empty there is invalid here.
type trading212Row struct {
	row           Row
	rawAction     string // the action as it is written
	action        string // and in lower case
	moment        time.Time
	isin          string
	ticker        string
	name          string
	note          string
	id            string
	shares        decimal.NullDecimal
	price         decimal.NullDecimal
	priceCurrency string // currency of the price
	rate          decimal.NullDecimal
	total         decimal.NullDecimal
	currency      string          // of total
	fee, tax      decimal.Decimal // those in currency
	withheld      decimal.Decimal // from a dividend, in currency
	foreignCosts  []string        // fees and taxes in other currencies, as written
	from, to      decimal.NullDecimal
	fromCurrency  string
	toCurrency    string
}

func (r *trading212Reader) parseRows(table Table, o Options) []trading212Row {
	sums, charges := newTrading212Table(table), trading212Costs()
	lines := make([]trading212Row, 0, len(table.Rows))
	for _, row := range table.Rows {
		l, err := parseTrading212Row(trading212Cells{sums, row}, charges, o)
		if err != nil {
			r.collector.Problem(row, "%v", err)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

func parseTrading212Row(c trading212Cells, charges []trading212Cost, o Options) (trading212Row, error) {
	l := trading212Row{
		row: c.row, rawAction: c.text(trading212ColumnAction), isin: c.text(trading212ColumnISIN), ticker: c.text(trading212ColumnTicker), name: c.text(trading212ColumnName),
		note: c.text("Notes"), id: c.text("ID"), priceCurrency: c.text(trading212ColumnPriceCurrency),
	}
	l.action = strings.ToLower(l.rawAction)
	written := c.text("Time")
	if written == "" {
		written = c.text("Time (UTC)")
	}
	var err error
	if l.moment, err = ParseTime(written, time.UTC, "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00"); err != nil {
		return trading212Row{}, err
	}
	if o.Zone != nil {
		l.moment = l.moment.In(o.Zone)
	}
	for _, cell := range []struct {
		column string
		to     *decimal.NullDecimal
	}{{trading212ColumnShares, &l.shares}, {trading212ColumnPrice, &l.price}, {"Exchange rate", &l.rate}} {
		if *cell.to, err = c.number(cell.column); err != nil {
			return trading212Row{}, fmt.Errorf("%w: the cells are not those of the header above", err)
		}
	}
	if err := l.readSums(c); err != nil {
		return trading212Row{}, err
	}
	if l.currency == "" {
		l.currency = o.Currency
	}
	return l, l.readCosts(c, charges)
}

func (l *trading212Row) readSums(c trading212Cells) error {
	var err error
	if l.total, l.currency, err = c.money("Total"); err != nil {
		return err
	}
	if l.from, l.fromCurrency, err = c.money("Currency conversion from amount"); err != nil {
		return err
	}
	l.to, l.toCurrency, err = c.money("Currency conversion to amount")
	return err
}

// readCosts gathers what the total includes.
func (l *trading212Row) readCosts(c trading212Cells, charges []trading212Cost) error {
	for _, cost := range charges {
		amount, currency, err := c.money(cost.column)
		if places, minor := l.totalShift(currency); minor {
			currency, amount.Decimal = l.currency, amount.Decimal.Shift(-places)
		}
		switch {
		case err != nil:
			return err
		case amount.Decimal.IsZero():
		case currency == "":
			return fmt.Errorf("%s: the currency of %s is missing: record the line by hand", cost.column, amount.Decimal)
		case amount.Decimal.IsNegative():
			return fmt.Errorf("%s of %s is below zero, which may be what was given back or another way to write a cost: compare the line with Trading 212 and record it by hand", cost.column, amount.Decimal)
		case currency != l.currency:
			l.foreignCosts = append(l.foreignCosts, fmt.Sprintf("%s %s %s", strings.ToLower(cost.column), amount.Decimal, currency))
		default:
			*cost.amount(l) = cost.amount(l).Add(amount.Decimal)
		}
	}
	return nil
}

// trading212Cost is a column of what was charged.
type trading212Cost struct {
	column string
	amount func(*trading212Row) *decimal.Decimal
}

func trading212Costs() []trading212Cost {
	fee := func(l *trading212Row) *decimal.Decimal { return &l.fee }
	tax := func(l *trading212Row) *decimal.Decimal { return &l.tax }
	return []trading212Cost{
		{"Currency conversion fee", fee}, {"Transaction fee", fee}, {"Finra fee", fee}, {"PTM levy", fee}, {"UK PTM Levy", fee},
		{"Stamp duty", tax}, {"Stamp duty reserve tax", tax}, {"French transaction tax", tax}, {"Italian transaction tax", tax}, {"Spanish transaction tax", tax},
		{"Withholding tax", func(l *trading212Row) *decimal.Decimal { return &l.withheld }},
	}
}

// identity tells a line from others by what does not change from export to export.
func (l trading212Row) identity() []string {
	cells := []string{l.action, l.moment.UTC().Format(time.RFC3339Nano), l.isin, l.ticker, l.currency}
	for _, d := range []decimal.NullDecimal{l.shares, l.price, l.total} {
		if d.Valid {
			cells = append(cells, d.Decimal.String())
		} else {
			cells = append(cells, "")
		}
	}
	return cells
}

func (l trading212Row) day() market.Date {
	return DayOf(l.moment)
}

// newTransaction begins a transaction with what all lines have.
func (l trading212Row) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day(), Time: l.moment, Kind: kind}
}

// newSecurityTransaction also says what security it is about.
func (l trading212Row) newSecurityTransaction(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	var err error
	t.Symbol, t.ISIN, err = ParseSecurity(l.ticker, l.isin)
	t.Name = Shorten(l.name)
	return t, err
}

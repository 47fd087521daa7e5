package trading212

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// line is a row as it is written; what is empty there is invalid here.
type line struct {
	row       sheet.Row
	word      string // the action as it is written
	action    string // and in lower case
	moment    time.Time
	isin      string
	ticker    string
	name      string
	note      string
	id        string
	shares    decimal.NullDecimal
	price     decimal.NullDecimal
	quoted    string // currency of the price
	rate      decimal.NullDecimal
	total     decimal.NullDecimal
	currency  string          // of total
	fee, tax  decimal.Decimal // those in currency
	withheld  decimal.Decimal // from a dividend, in currency
	foreign   []string        // fees and taxes in other currencies, as written
	from, to  decimal.NullDecimal
	fromMoney string
	toMoney   string
}

func (r *reader) lines(table sheet.Table, o broker.Options) []line {
	sums, charges := newLedger(table), costs()
	lines := make([]line, 0, len(table.Rows))
	for _, row := range table.Rows {
		l, err := parse(cells{sums, row}, charges, o)
		if err != nil {
			r.out.Problem(row, "%v", err)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

func parse(c cells, charges []cost, o broker.Options) (line, error) {
	l := line{
		row: c.row, word: c.text(columnAction), isin: c.text(columnISIN), ticker: c.text(columnTicker), name: c.text(columnName),
		note: c.text("Notes"), id: c.text("ID"), quoted: c.text(columnPriceCurrency),
	}
	l.action = strings.ToLower(l.word)
	written := c.text("Time")
	if written == "" {
		written = c.text("Time (UTC)")
	}
	var err error
	if l.moment, err = sheet.Moment(written, time.UTC, "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00"); err != nil {
		return line{}, err
	}
	if o.Zone != nil {
		l.moment = l.moment.In(o.Zone)
	}
	for _, cell := range []struct {
		column string
		to     *decimal.NullDecimal
	}{{columnShares, &l.shares}, {columnPrice, &l.price}, {"Exchange rate", &l.rate}} {
		if *cell.to, err = c.number(cell.column); err != nil {
			return line{}, fmt.Errorf("%w: the cells are not those of the header above", err)
		}
	}
	if err := l.readSums(c); err != nil {
		return line{}, err
	}
	if l.currency == "" {
		l.currency = o.Currency
	}
	return l, l.readCosts(c, charges)
}

func (l *line) readSums(c cells) error {
	var err error
	if l.total, l.currency, err = c.money("Total"); err != nil {
		return err
	}
	if l.from, l.fromMoney, err = c.money("Currency conversion from amount"); err != nil {
		return err
	}
	l.to, l.toMoney, err = c.money("Currency conversion to amount")
	return err
}

// readCosts gathers what the total includes.
func (l *line) readCosts(c cells, charges []cost) error {
	for _, cost := range charges {
		amount, currency, err := c.money(cost.column)
		if places, minor := l.inTotal(currency); minor {
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
			l.foreign = append(l.foreign, fmt.Sprintf("%s %s %s", strings.ToLower(cost.column), amount.Decimal, currency))
		default:
			*cost.to(l) = cost.to(l).Add(amount.Decimal)
		}
	}
	return nil
}

// cost is a column of what was charged.
type cost struct {
	column string
	to     func(*line) *decimal.Decimal
}

func costs() []cost {
	fee := func(l *line) *decimal.Decimal { return &l.fee }
	tax := func(l *line) *decimal.Decimal { return &l.tax }
	return []cost{
		{"Currency conversion fee", fee}, {"Transaction fee", fee}, {"Finra fee", fee}, {"PTM levy", fee}, {"UK PTM Levy", fee},
		{"Stamp duty", tax}, {"Stamp duty reserve tax", tax}, {"French transaction tax", tax}, {"Italian transaction tax", tax}, {"Spanish transaction tax", tax},
		{"Withholding tax", func(l *line) *decimal.Decimal { return &l.withheld }},
	}
}

// mark tells a line from others by what does not change from export to export.
func (l line) mark() []string {
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

func (l line) day() market.Date {
	return sheet.DayOf(l.moment)
}

// of begins a transaction with what all lines have.
func (l line) of(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day(), Time: l.moment, Kind: kind}
}

// forSymbol also says what security it is about.
func (l line) forSymbol(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.of(kind)
	var err error
	t.Symbol, t.ISIN, err = broker.Security(l.ticker, l.isin)
	t.Name = sheet.Shorten(l.name)
	return t, err
}

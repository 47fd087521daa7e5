package degiro

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

// line is a movement as it is written; what is empty there is invalid here.
type line struct {
	rows        []sheet.Row // one, and those that continue it
	day         market.Date
	moment      time.Time
	product     string
	isin        string
	description string
	words       string // the description as it is compared
	class       class
	rate        decimal.NullDecimal
	currency    string
	change      decimal.NullDecimal
	held        string // currency of the balance
	balance     decimal.NullDecimal
	order       string
}

// lines reads the rows. Those that cannot be read are reported.
func (t table) lines(out *broker.Collector, o broker.Options) []line {
	sign, known := t.sign(), vocabulary()
	var lines []line
	for i := 0; i < len(t.rows); {
		row, rows := t.rows[i], t.rows[i:i+1]
		for i++; i < len(t.rows) && !t.rows[i].Empty() && t.continues(t.rows[i]); i++ {
			row, rows = t.joined(row, t.rows[i]), append(rows[:len(rows):len(rows)], t.rows[i])
		}
		if row.Empty() {
			continue
		}
		l, err := t.parse(row, sign, o)
		l.class = classOf(l.words, known)
		l.rows = rows
		if err != nil {
			for _, row := range rows {
				out.Problem(row, "%v", err)
			}
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

// sign is the decimal sign of all sums and balances, and 0 where there are both.
func (t table) sign() sheet.Sign {
	var written []string
	for _, row := range t.rows {
		written = append(written, row.At(t.change), row.At(t.change+1), row.At(t.balance), row.At(t.balance+1))
	}
	sign, _ := sheet.GuessSign(written)
	return sign
}

func (t table) parse(row sheet.Row, sign sheet.Sign, o broker.Options) (line, error) {
	l := line{
		product: row.At(t.product), isin: strings.ToUpper(row.At(t.isin)),
		description: row.At(t.description), order: row.At(t.order),
	}
	l.words = plain(l.description)
	var err error
	if l.day, err = sheet.Day(row.At(t.date), layout); err != nil {
		return line{}, err
	}
	if l.moment, err = sheet.Moment(row.At(t.date)+" "+row.At(t.clock), o.Zone, layout+" 15:04"); err != nil {
		return line{}, err
	}
	if t.rate >= 0 {
		if l.rate, err = number(row.At(t.rate), sign); err != nil {
			return line{}, fmt.Errorf("rate of exchange: %w", err)
		}
	}
	if l.currency, l.change, err = sum(row.At(t.change), row.At(t.change+1), sign); err != nil {
		return line{}, fmt.Errorf("change: %w", err)
	}
	if l.held, l.balance, err = sum(row.At(t.balance), row.At(t.balance+1), sign); err != nil {
		return line{}, fmt.Errorf("balance: %w", err)
	}
	return l, nil
}

// sum reads two cells, of which one has the currency and the other the amount.
func sum(one, other string, sign sheet.Sign) (string, decimal.NullDecimal, error) {
	currency, text := one, other
	if !broker.ValidCurrency(currency) && broker.ValidCurrency(other) {
		currency, text = other, one
	}
	d, err := number(text, sign)
	if err == nil && d.Valid && !broker.ValidCurrency(currency) {
		err = fmt.Errorf("the currency of %s is missing: record the line by hand", d.Decimal)
	}
	return currency, d, err
}

func number(text string, sign sheet.Sign) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := sheet.Either(text, sign)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// unsure is the sign where the file does not tell.
const unsure sheet.Sign = 0

// mark tells a line from others by what does not change from export to export, not
// even with the language.
func (l line) mark(kind string) []string {
	return []string{kind, l.moment.Format("2006-01-02 15:04"), l.isin, l.currency, l.change.Decimal.String(), l.order}
}

// of begins a transaction with what all lines have.
func (l line) of(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day, Time: l.moment, Kind: kind, Currency: l.currency, Amount: l.change.Decimal.Abs()}
}

// forSecurity also says what security it is about.
func (l line) forSecurity(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.of(kind)
	var err error
	t.Symbol, t.ISIN, err = broker.Security("", l.isin)
	t.Name = sheet.Shorten(l.product)
	return t, err
}

// at is a text of the day, for keys.
func (l line) at() string { return l.day.Format(time.DateOnly) }

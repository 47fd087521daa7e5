package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// degiroRow is a movement as it is written; what is empty there is invalid here.
type degiroRow struct {
	rows            []Row // one, and those that continue it
	day             market.Date
	moment          time.Time
	product         string
	isin            string
	description     string
	normalized      string // the description as it is compared
	class           degiroClass
	rate            decimal.NullDecimal
	currency        string
	change          decimal.NullDecimal
	balanceCurrency string // currency of the balance
	balance         decimal.NullDecimal
	order           string
}

// lines reads the rows. Those that cannot be read are reported.
func (t degiroStatement) lines(out *Collector, o Options) []degiroRow {
	sign, phrases := t.sign(), degiroVocabulary()
	var lines []degiroRow
	for i := 0; i < len(t.rows); {
		row, rows := t.rows[i], t.rows[i:i+1]
		for i++; i < len(t.rows) && !t.rows[i].Empty() && t.isContinuation(t.rows[i]); i++ {
			row, rows = t.joinRows(row, t.rows[i]), append(rows[:len(rows):len(rows)], t.rows[i])
		}
		if row.Empty() {
			continue
		}
		l, err := t.parse(row, sign, o)
		l.class = degiroClassOf(l.normalized, phrases)
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
func (t degiroStatement) sign() DecimalSeparator {
	var written []string
	for _, row := range t.rows {
		written = append(written, row.At(t.change), row.At(t.change+1), row.At(t.balance), row.At(t.balance+1))
	}
	sign, _ := GuessDecimalSeparator(written)
	return sign
}

func (t degiroStatement) parse(row Row, sign DecimalSeparator, o Options) (degiroRow, error) {
	l := degiroRow{
		product: row.At(t.product), isin: strings.ToUpper(row.At(t.isin)),
		description: row.At(t.description), order: row.At(t.order),
	}
	l.normalized = degiroNormalize(l.description)
	var err error
	if l.day, err = ParseDay(row.At(t.date), degiroDateLayout); err != nil {
		return degiroRow{}, err
	}
	if l.moment, err = ParseTime(row.At(t.date)+" "+row.At(t.clock), o.Zone, degiroDateLayout+" 15:04"); err != nil {
		return degiroRow{}, err
	}
	if t.rate >= 0 {
		if l.rate, err = parseDEGIRONumber(row.At(t.rate), sign); err != nil {
			return degiroRow{}, fmt.Errorf("rate of exchange: %w", err)
		}
	}
	if l.currency, l.change, err = parseDEGIROAmount(row.At(t.change), row.At(t.change+1), sign); err != nil {
		return degiroRow{}, fmt.Errorf("change: %w", err)
	}
	if l.balanceCurrency, l.balance, err = parseDEGIROAmount(row.At(t.balance), row.At(t.balance+1), sign); err != nil {
		return degiroRow{}, fmt.Errorf("balance: %w", err)
	}
	return l, nil
}

// parseDEGIROAmount reads two cells, of which one has the currency and the other the amount.
func parseDEGIROAmount(one, other string, sign DecimalSeparator) (string, decimal.NullDecimal, error) {
	currency, text := one, other
	if !ValidCurrency(currency) && ValidCurrency(other) {
		currency, text = other, one
	}
	d, err := parseDEGIRONumber(text, sign)
	if err == nil && d.Valid && !ValidCurrency(currency) {
		err = fmt.Errorf("the currency of %s is missing: record the line by hand", d.Decimal)
	}
	return currency, d, err
}

func parseDEGIRONumber(text string, sign DecimalSeparator) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := ParseEitherNumber(text, sign)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// degiroUnknownSeparator is the sign where the file does not tell.
const degiroUnknownSeparator DecimalSeparator = 0

// identity tells a line from others by what does not change from export to export, not
// even with the language.
func (l degiroRow) identity(kind string) []string {
	return []string{kind, l.moment.Format("2006-01-02 15:04"), l.isin, l.currency, l.change.Decimal.String(), l.order}
}

// newTransaction begins a transaction with what all lines have.
func (l degiroRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day, Time: l.moment, Kind: kind, Currency: l.currency, Amount: l.change.Decimal.Abs()}
}

// newSecurityTransaction also says what security it is about.
func (l degiroRow) newSecurityTransaction(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	var err error
	t.Symbol, t.ISIN, err = ParseSecurity("", l.isin)
	t.Name = Shorten(l.product)
	return t, err
}

// dayKey is a text of the day, for keys.
func (l degiroRow) dayKey() string { return l.day.Format(time.DateOnly) }

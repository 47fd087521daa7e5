package sqlstore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// errText means that a text cannot be stored unchanged.
var errText = errors.New("it has an invalid character")

// rowParser converts rows to transactions. It checks each value, because a person may have edited
// the row.
type rowParser struct {
	columns []string
	kinds   []portfolio.Kind

	rest   string // rest of the row, from column at
	column int
	err    error // the first error
}

func newRowParser() *rowParser {
	return &rowParser{columns: transactionColumns(), kinds: portfolio.Kinds()}
}

func (p *rowParser) transaction(seq int64, row string) (portfolio.Transaction, error) {
	if err := p.begin(row); err != nil {
		return portfolio.Transaction{}, fmt.Errorf("row %d of transactions: %w", seq, err)
	}
	// Go evaluates calls from left to right, which is the order of the columns.
	t := portfolio.Transaction{
		ID: p.text(), Date: p.date(), Time: p.timestamp(), Kind: p.kind(), Account: p.text(),
		Symbol: market.Symbol(p.text()), ISIN: p.text(), Name: p.text(), Quantity: p.decimal().Decimal, Price: p.decimal(),
		Currency: p.text(), Amount: p.decimal().Decimal, Fee: p.decimal().Decimal, Tax: p.decimal().Decimal,
		CostUnknown: p.flag(), Acquired: p.date(),
		ToAccount: p.text(), ToSymbol: market.Symbol(p.text()), ToCurrency: p.text(), ToAmount: p.decimal().Decimal,
		New: p.decimal().Decimal, Old: p.decimal().Decimal, CostPart: p.decimal(),
		Short: p.flag(), Note: p.text(), Source: p.text(), SourceID: p.text(),
	}
	if p.err != nil {
		return portfolio.Transaction{}, fmt.Errorf("row %d of transactions, with id %q: %w", seq, t.ID, p.err)
	}
	return t, nil
}

func (p *rowParser) begin(row string) error {
	p.rest, p.column, p.err = row, 0, nil
	if strings.Count(row, separator) != len(p.columns)-1 {
		return errText
	}
	return nil
}

func (p *rowParser) text() string {
	value, rest, _ := strings.Cut(p.rest, separator)
	p.rest = rest
	p.column++
	return value
}

func (p *rowParser) fail(value string, err error) {
	if p.err == nil {
		p.err = fmt.Errorf("%s %q: %w", p.columns[p.column-1], value, err)
	}
}

func (p *rowParser) decimal() decimal.NullDecimal {
	value := p.text()
	if value == "" {
		return decimal.NullDecimal{}
	}
	d, err := parseDecimal(value)
	if err != nil {
		p.fail(value, err)
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d)
}

func (p *rowParser) date() market.Date {
	value := p.text()
	if value == "" {
		return market.Date{}
	}
	d, err := time.Parse(time.DateOnly, value)
	if err != nil {
		p.fail(value, errors.New("not a date such as 2026-11-22"))
	}
	return d
}

func (p *rowParser) timestamp() time.Time {
	value := p.text()
	if value == "" {
		return time.Time{}
	}
	parsed, err := time.Parse(time.RFC3339Nano, value)
	if err != nil {
		p.fail(value, errors.New("not a time such as 2026-11-22T15:04:05Z"))
	}
	return parsed
}

func (p *rowParser) kind() portfolio.Kind {
	value := portfolio.Kind(p.text())
	index := slices.Index(p.kinds, value)
	if index < 0 {
		p.fail(string(value), fmt.Errorf("not one of %q", p.kinds))
		return ""
	}
	return p.kinds[index]
}

func (p *rowParser) class() portfolio.Class {
	value := portfolio.Class(p.text())
	if value != "" && !slices.Contains(portfolio.Classes(), value) {
		p.fail(string(value), fmt.Errorf("not one of %q", portfolio.Classes()))
	}
	return value
}

func (p *rowParser) flag() bool {
	value := p.text()
	if value != "0" && value != "1" {
		p.fail(value, errors.New("neither 0 nor 1"))
	}
	return value == "1"
}

// Limits of a decimal, far above those in a ledger.
const (
	maxExponent      = 400
	maxDigits        = 400
	maxDecimalLength = 2*maxDigits + maxExponent // more characters than a number within the limits has
)

func parseDecimal(text string) (decimal.Decimal, error) {
	if len(text) > maxDecimalLength || strings.Trim(text, "-.0123456789") != "" {
		return decimal.Decimal{}, errors.New("not a number such as 1234.50")
	}
	d, err := decimal.NewFromString(text)
	if err != nil {
		return decimal.Decimal{}, errors.New("not a number such as 1234.50")
	}
	return d, nil
}

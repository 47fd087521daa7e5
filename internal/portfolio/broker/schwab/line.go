package schwab

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// line is a row as it is written; what is empty there is invalid here.
type line struct {
	row         sheet.Row
	day         market.Date // to which it belongs
	posted      market.Date
	word        string // the action as it is written
	action      string // and in lower case
	ticker      string
	description string
	quantity    decimal.NullDecimal
	price       decimal.NullDecimal
	fee         decimal.NullDecimal
	amount      decimal.NullDecimal
}

// lines reads the rows. Those that cannot be read are reported, and the total below
// them is left out.
func (r *reader) lines(table sheet.Table) []line {
	lines := make([]line, 0, len(table.Rows))
	for _, row := range table.Rows {
		if strings.HasPrefix(strings.ToLower(table.Cell(row, columnDate)), "transactions total") {
			r.out.Ignore(row, "the total of the lines above")
			continue
		}
		l, err := parse(table, row)
		if err != nil {
			r.out.Problem(row, "%v", err)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

func parse(table sheet.Table, row sheet.Row) (line, error) {
	l := line{
		row:         row,
		word:        table.Cell(row, columnAction),
		action:      strings.Join(strings.Fields(strings.ToLower(table.Cell(row, columnAction))), " "),
		ticker:      table.Cell(row, columnSymbol),
		description: table.Cell(row, columnDescription),
	}
	var err error
	if l.posted, l.day, err = days(table.Cell(row, columnDate)); err != nil {
		return line{}, err
	}
	if l.quantity, err = number(table.Cell(row, columnQuantity)); err != nil {
		return line{}, fmt.Errorf("quantity: %w", err)
	}
	for _, cell := range []struct {
		column string
		to     *decimal.NullDecimal
	}{{columnPrice, &l.price}, {columnFee, &l.fee}, {columnAmount, &l.amount}} {
		if *cell.to, err = dollars(table.Cell(row, cell.column)); err != nil {
			return line{}, fmt.Errorf("%s: %w", strings.ToLower(cell.column), err)
		}
	}
	if l.fee.Decimal.IsNegative() {
		return line{}, fmt.Errorf("a fee below zero in the line of another thing: record that, and the fee_refund, by hand")
	}
	return l, nil
}

const layout = "01/02/2006"

// days splits "07/15/2024 as of 07/12/2024".
func days(text string) (posted, day market.Date, err error) {
	first, second, both := strings.Cut(text, " as of ")
	if posted, err = sheet.Day(first, layout); err != nil {
		return posted, day, err
	}
	if !both {
		return posted, posted, nil
	}
	day, err = sheet.Day(second, layout)
	return posted, day, err
}

func number(text string) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := sheet.Number(text, sheet.Point)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// dollars reads "-$1,259.59". Schwab writes the plain sign for US dollars alone.
func dollars(text string) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, written, err := sheet.Money(text, sheet.Point)
	if err == nil && written != "" && written != currency {
		err = fmt.Errorf("%q is not in US dollars: record the line by hand", sheet.Shorten(text))
	}
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// mark tells a line from others by what does not change from export to export.
func (l line) mark() []string {
	cells := []string{l.posted.Format("2006-01-02"), l.day.Format("2006-01-02"), l.action, l.ticker}
	for _, d := range []decimal.NullDecimal{l.quantity, l.price, l.fee, l.amount} {
		if d.Valid {
			cells = append(cells, d.Decimal.String())
		} else {
			cells = append(cells, "")
		}
	}
	return cells
}

// of begins a transaction with what all lines have.
func (l line) of(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day, Kind: kind}
}

// forSymbol also says what security it is about.
func (l line) forSymbol(kind portfolio.Kind) (portfolio.Transaction, error) {
	symbol, err := l.symbol()
	t := l.of(kind)
	t.Symbol, t.Name = symbol, sheet.Shorten(l.description)
	return t, err
}

// option matches contracts, as "GOOG 03/19/2027 385.00 C".
var option = pattern.Lazy(`\d{2}/\d{2}/\d{4}`)

// transferred matches lines that came with accounts of TD Ameritrade: they have no
// symbol but name it at the end of the description.
var transferred = pattern.Lazy(`^TDA TRAN - .*\(([A-Z][A-Z0-9./]{0,7})\)$`)

func (l line) symbol() (market.Symbol, error) {
	switch {
	case option().MatchString(l.ticker):
		return "", fmt.Errorf("%s is an option; contracts are not recorded: enter what came of it in cash by hand", sheet.Shorten(l.ticker))
	case l.ticker != "":
		return broker.Ticker(l.ticker)
	}
	if match := transferred().FindStringSubmatch(l.description); match != nil {
		return broker.Ticker(match[1])
	}
	return "", fmt.Errorf("no symbol says which security this is of: record it by hand")
}

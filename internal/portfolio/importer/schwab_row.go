package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// schwabRow is a row as it is written; what is empty there is invalid here.
type schwabRow struct {
	row         Row
	day         market.Date // to which it belongs
	posted      market.Date
	rawAction   string // the action as it is written
	action      string // and in lower case
	ticker      string
	description string
	quantity    decimal.NullDecimal
	price       decimal.NullDecimal
	fee         decimal.NullDecimal
	amount      decimal.NullDecimal
}

// parseRows reads the rows. Those that cannot be read are reported, and the total below
// them is left out.
func (r *schwabReader) parseRows(table Table) []schwabRow {
	lines := make([]schwabRow, 0, len(table.Rows))
	for _, row := range table.Rows {
		if strings.HasPrefix(strings.ToLower(table.Cell(row, schwabColumnDate)), "transactions total") {
			r.collector.Ignore(row, "the total of the lines above")
			continue
		}
		l, err := parseSchwabRow(table, row)
		if err != nil {
			r.collector.Problem(row, "%v", err)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

func parseSchwabRow(table Table, row Row) (schwabRow, error) {
	l := schwabRow{
		row:         row,
		rawAction:   table.Cell(row, schwabColumnAction),
		action:      strings.Join(strings.Fields(strings.ToLower(table.Cell(row, schwabColumnAction))), " "),
		ticker:      table.Cell(row, schwabColumnSymbol),
		description: table.Cell(row, schwabColumnDescription),
	}
	var err error
	if l.posted, l.day, err = parseSchwabDays(table.Cell(row, schwabColumnDate)); err != nil {
		return schwabRow{}, err
	}
	if l.quantity, err = parseSchwabNumber(table.Cell(row, schwabColumnQuantity)); err != nil {
		return schwabRow{}, fmt.Errorf("quantity: %w", err)
	}
	for _, cell := range []struct {
		column string
		to     *decimal.NullDecimal
	}{{schwabColumnPrice, &l.price}, {schwabColumnFee, &l.fee}, {schwabColumnAmount, &l.amount}} {
		if *cell.to, err = parseSchwabDollars(table.Cell(row, cell.column)); err != nil {
			return schwabRow{}, fmt.Errorf("%s: %w", strings.ToLower(cell.column), err)
		}
	}
	if l.fee.Decimal.IsNegative() {
		return schwabRow{}, fmt.Errorf("a fee below zero in the line of another thing: record that, and the fee_refund, by hand")
	}
	return l, nil
}

const schwabDateLayout = "01/02/2006"

// parseSchwabDays splits "07/15/2024 as of 07/12/2024".
func parseSchwabDays(text string) (posted, day market.Date, err error) {
	first, second, both := strings.Cut(text, " as of ")
	if posted, err = ParseDay(first, schwabDateLayout); err != nil {
		return posted, day, err
	}
	if !both {
		return posted, posted, nil
	}
	day, err = ParseDay(second, schwabDateLayout)
	return posted, day, err
}

func parseSchwabNumber(text string) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := ParseNumber(text, DecimalPoint)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// parseSchwabDollars reads "-$1,259.59". Schwab writes the plain sign for US dollars alone.
func parseSchwabDollars(text string) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, written, err := ParseMoney(text, DecimalPoint)
	if err == nil && written != "" && written != schwabCurrency {
		err = fmt.Errorf("%q is not in US dollars: record the line by hand", Shorten(text))
	}
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// identity tells a line from others by what does not change from export to export.
func (l schwabRow) identity() []string {
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

// newTransaction begins a transaction with what all lines have.
func (l schwabRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day, Kind: kind}
}

// newSecurityTransaction also says what security it is about.
func (l schwabRow) newSecurityTransaction(kind portfolio.Kind) (portfolio.Transaction, error) {
	symbol, err := l.symbol()
	t := l.newTransaction(kind)
	t.Symbol, t.Name = symbol, Shorten(l.description)
	return t, err
}

// schwabOptionPattern matches contracts, as "GOOG 03/19/2027 385.00 C".
var schwabOptionPattern = lazyregexp.New(`\d{2}/\d{2}/\d{4}`)

// schwabTransferPattern matches lines that came with accounts of TD Ameritrade: they have no
// symbol but name it at the end of the description.
var schwabTransferPattern = lazyregexp.New(`^TDA TRAN - .*\(([A-Z][A-Z0-9./]{0,7})\)$`)

func (l schwabRow) symbol() (market.Symbol, error) {
	switch {
	case schwabOptionPattern().MatchString(l.ticker):
		return "", fmt.Errorf("%s is an option; contracts are not recorded: enter what came of it in cash by hand", Shorten(l.ticker))
	case l.ticker != "":
		return ParseTicker(l.ticker)
	}
	if match := schwabTransferPattern().FindStringSubmatch(l.description); match != nil {
		return ParseTicker(match[1])
	}
	return "", fmt.Errorf("no symbol says which security this is of: record it by hand")
}

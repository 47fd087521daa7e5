package importer

import (
	"github.com/nfa-cli/nfa/internal/portfolio"
)

const (
	schwabName     = "schwab"
	schwabCurrency = "USD"
)

// Columns of the export.
const (
	schwabColumnDate        = "Date"
	schwabColumnAction      = "Action"
	schwabColumnSymbol      = "Symbol"
	schwabColumnDescription = "Description"
	schwabColumnQuantity    = "Quantity"
	schwabColumnPrice       = "Price"
	schwabColumnFee         = "Fees & Comm"
	schwabColumnAmount      = "Amount"
)

func schwabColumns() []string {
	return []string{schwabColumnDate, schwabColumnAction, schwabColumnSymbol, schwabColumnDescription, schwabColumnQuantity, schwabColumnPrice, schwabColumnFee, schwabColumnAmount}
}

// Schwab is Schwab's transaction history.
func Schwab() Format {
	return Format{
		Name:       schwabName,
		Title:      "Charles Schwab, transaction history (CSV)",
		Recognizes: func(f File) bool { return HasTable(f, schwabColumns()...) },
		Read:       readSchwab,
	}
}

func readSchwab(f File, o Options) (Statement, error) {
	table, err := ReadTable(f, schwabColumns()...)
	if err != nil {
		return Statement{}, err
	}
	if err := CheckDayOrder(f, table.Rows, func(row Row) string { return table.Cell(row, schwabColumnDate) }, schwabDateLayout); err != nil {
		return Statement{}, err
	}
	if err := CheckDecimalSeparator(f, table, DecimalPoint, schwabColumnQuantity, schwabColumnPrice, schwabColumnFee, schwabColumnAmount); err != nil {
		return Statement{}, err
	}
	r := &schwabReader{collector: NewCollector(schwabName, o)}
	lines := r.parseRows(table)
	lines = r.joinReinvestments(lines)
	lines = r.joinReverseSplits(lines)
	for _, l := range lines {
		r.recordSingle(l)
	}
	return r.collector.Statement(table.Rows), nil
}

// schwabReader turns lines into transactions, each line once.
type schwabReader struct {
	collector *Collector
	counter   FingerprintCounter
}

// add records a transaction under the name of its first line.
func (r *schwabReader) add(t portfolio.Transaction, lines ...schwabRow) {
	rows := make([]Row, len(lines))
	for i, l := range lines {
		rows[i] = l.row
	}
	r.collector.Add(t, r.counter.ID(lines[0].identity()), rows...)
}

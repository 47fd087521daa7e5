package importer

import (
	"github.com/nfa-cli/nfa/internal/portfolio"
)

const trading212Name = "trading212"

// Columns of the export that all versions have.
const (
	trading212ColumnAction        = "Action"
	trading212ColumnISIN          = "ISIN"
	trading212ColumnTicker        = "Ticker"
	trading212ColumnName          = "Name"
	trading212ColumnShares        = "No. of shares"
	trading212ColumnPrice         = "Price / share"
	trading212ColumnPriceCurrency = "Currency (Price / share)"
)

// Trading212 is Trading 212's history.
func Trading212() Format {
	return Format{
		Name:       trading212Name,
		Title:      "Trading 212, history (CSV)",
		Recognizes: func(f File) bool { return HasTable(f, trading212Columns()...) },
		Read:       readTrading212,
	}
}

// trading212Columns are those that every version of the export has.
func trading212Columns() []string {
	return []string{trading212ColumnAction, trading212ColumnISIN, trading212ColumnTicker, trading212ColumnShares, trading212ColumnPrice, trading212ColumnPriceCurrency}
}

func readTrading212(f File, o Options) (Statement, error) {
	table, err := ReadTable(f, trading212Columns()...)
	if err != nil {
		return Statement{}, err
	}
	if err := CheckDecimalSeparator(f, table, DecimalPoint, trading212ColumnShares, trading212ColumnPrice, "Total"); err != nil {
		return Statement{}, err
	}
	r := &trading212Reader{collector: NewCollector(trading212Name, o)}
	lines := r.parseRows(table, o)
	lines = r.joinSplits(lines)
	for _, l := range lines {
		t, err := l.transaction()
		switch {
		case err != nil:
			r.collector.Problem(l.row, "%v", err)
		case l.total.Decimal.IsZero() && t.Quantity.IsZero() && t.ToAmount.IsZero():
			r.collector.Ignore(l.row, "nothing was paid")
		default:
			r.add(t, l)
		}
	}
	return r.collector.Statement(table.Rows), nil
}

// trading212Reader turns lines into transactions, each line once.
type trading212Reader struct {
	collector *Collector
	counter   FingerprintCounter
}

// add records a transaction under the broker's own number, which dividends lack.
func (r *trading212Reader) add(t portfolio.Transaction, lines ...trading212Row) {
	rows := make([]Row, len(lines))
	for i, l := range lines {
		rows[i] = l.row
	}
	id := lines[0].id
	if id == "" {
		id = r.counter.ID(lines[0].identity())
	}
	r.collector.Add(t, id, rows...)
}

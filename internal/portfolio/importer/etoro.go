package importer

import (
	"github.com/nfa-cli/nfa/internal/portfolio"
)

const etoroName = "etoro"

// Columns of the sheet. The number of units has had two names.
const (
	etoroColumnDate     = "Date"
	etoroColumnType     = "Type"
	etoroColumnDetails  = "Details"
	etoroColumnAmount   = "Amount"
	etoroColumnUnits    = "Units"
	etoroColumnUnitsNow = "Units / Contracts"
	etoroColumnChange   = "Realized Equity Change"
	etoroColumnPosition = "Position ID"
	etoroColumnAsset    = "Asset type"
)

// EToro is eToro's account activity.
func EToro() Format {
	return Format{Name: etoroName, Title: "eToro, account activity (CSV)", Recognizes: recognizesEToro, Read: readEToro}
}

// etoroColumns are those of the sheet, with the number of units under either name.
func etoroColumns(units string) []string {
	return []string{etoroColumnDate, etoroColumnType, etoroColumnDetails, etoroColumnAmount, units, etoroColumnChange, etoroColumnPosition, etoroColumnAsset}
}

func recognizesEToro(f File) bool {
	return HasTable(f, etoroColumns(etoroColumnUnits)...) || HasTable(f, etoroColumns(etoroColumnUnitsNow)...)
}

func readEToro(f File, o Options) (Statement, error) {
	table, err := ReadTable(f, etoroColumns(etoroColumnUnitsNow)...)
	if err != nil {
		table, err = ReadTable(f, etoroColumns(etoroColumnUnits)...)
	}
	if err != nil {
		return Statement{}, err
	}
	if err := CheckDayOrder(f, table.Rows, func(row Row) string { return table.Cell(row, etoroColumnDate) }, etoroTimeLayout); err != nil {
		return Statement{}, err
	}
	r := &etoroReader{collector: NewCollector(etoroName, o), currency: o.Currency, split: map[string]bool{}}
	if r.currency == "" {
		r.currency = "USD"
	}
	lines := r.parseRows(table, o)
	r.positions = etoroSymbols(lines)
	for _, l := range lines {
		r.recordSingle(l)
	}
	return r.collector.Statement(table.Rows), nil
}

// etoroReader turns lines into transactions, each line once.
type etoroReader struct {
	collector *Collector
	counter   FingerprintCounter
	currency  string
	positions map[string]string // number of a position to what it is of
	split     map[string]bool   // splits that are recorded already
}

// add names a split without the position that its line is about: it is the same
// one for whichever of them comes first.
func (r *etoroReader) add(t portfolio.Transaction, l etoroRow) {
	mark := l.identity()
	if t.Kind == portfolio.KindSplit || t.Kind == portfolio.KindReverseSplit {
		mark = []string{l.splitKey()}
	}
	r.collector.Add(t, r.counter.ID(mark), l.row)
}

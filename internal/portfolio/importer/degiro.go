package importer

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const (
	degiroName       = "degiro"
	degiroDateLayout = "02-01-2006" // of days
)

// DEGIRO is DEGIRO's account statement.
func DEGIRO() Format {
	return Format{Name: degiroName, Title: "DEGIRO, account statement or transactions (CSV)", Recognizes: recognizesDEGIRO, Read: readDEGIRO}
}

func recognizesDEGIRO(f File) bool {
	rows, err := f.Rows(0)
	if err != nil {
		return false
	}
	_, statement := findDEGIROStatement(rows)
	_, trades := findDEGIROTrades(rows)
	return statement || trades
}

func readDEGIRO(f File, o Options) (Statement, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return Statement{}, err
	}
	r := &degiroReader{collector: NewCollector(degiroName, o), used: map[int]bool{}, reversedDividends: map[string]bool{}}
	if t, ok := findDEGIROTrades(rows); ok {
		if err := CheckDayOrder(f, t.rows, func(row Row) string { return row.At(t.date) }, degiroDateLayout); err != nil {
			return Statement{}, err
		}
		r.readTradeList(t, o)
		return r.collector.Statement(t.rows), nil
	}
	t, ok := findDEGIROStatement(rows)
	if !ok {
		return Statement{}, fmt.Errorf("%s: %w: there is no line with the columns of DEGIRO's account statement, as Date, Time, Product, ISIN, Description, Change, Balance, nor of its transactions",
			f.Name, ErrFormat)
	}
	if err := CheckDayOrder(f, t.rows, func(row Row) string { return row.At(t.date) }, degiroDateLayout); err != nil {
		return Statement{}, err
	}
	r.readStatement(t, o)
	return r.collector.Statement(t.rows), nil
}

// readStatement reads a statement.
func (r *degiroReader) readStatement(t degiroStatement, o Options) {
	r.lines = t.lines(r.collector, o)
	r.checkBalances()
	r.recordCorporateActions()
	r.dropReversals()
	r.findExchanges()
	r.recordTrades()
	r.recordDividends()
	for i := range r.lines {
		if !r.used[i] {
			r.recordSingle(i)
		}
	}
}

// degiroReader turns lines into transactions, each line once.
type degiroReader struct {
	collector         *Collector
	counter           FingerprintCounter
	lines             []degiroRow
	used              map[int]bool         // lines of which something was said
	exchanges         []degiroExchangePair // exchanges of currency
	reversedDividends map[string]bool      // dividends that are not in the file, by payer
}

// add records a transaction of the lines, under the name of the first.
func (r *degiroReader) add(t portfolio.Transaction, lines ...int) {
	var rows []Row
	for _, i := range lines {
		r.used[i] = true
		rows = append(rows, r.lines[i].rows...)
	}
	r.collector.Add(t, r.counter.ID(r.lines[lines[0]].identity(string(t.Kind))), rows...)
}

func (r *degiroReader) ignore(i int, reason string) {
	r.used[i] = true
	for _, row := range r.lines[i].rows {
		r.collector.Ignore(row, reason)
	}
}

func (r *degiroReader) problem(i int, format string, args ...any) {
	r.used[i] = true
	reason := fmt.Sprintf(format, args...)
	for _, row := range r.lines[i].rows {
		r.collector.Problem(row, "%s", reason)
	}
}

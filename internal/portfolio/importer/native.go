package importer

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const nativeName = "nfa"

// nativeColumns returns columns that occur together only in nfa's CSV. The others may be missing, because users
// remove empty columns.
func nativeColumns() []string {
	return []string{"date", "kind", "account", "currency", "amount", "cost_unknown", "to_account", "source_id"}
}

// Native returns the format of nfa's own export, CSV or JSON. Accounts come from the file, or from the options for lines
// without one. IDs are kept, because lots are named by them and because transactions entered by hand have
// no source. A line with neither an ID nor a source gets this source and a fingerprint of its cells.
func Native() Format {
	return Format{
		Name:  nativeName,
		Title: "nfa export (CSV or JSON)",
		Recognizes: func(f File) bool {
			if isJSONObject(f) {
				return isNativeLedger(f)
			}
			return HasTable(f, nativeColumns()...)
		},
		Read: func(f File, o Options) (Statement, error) {
			r := nativeReader{options: o, out: Statement{Format: nativeName}}
			var err error
			if isJSONObject(f) {
				r.out.Settings = &portfolio.Ledger{}
				r.json = newJSONReader(f.Text)
				if err = r.readJSON(); err != nil {
					err = fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
				}
			} else {
				err = r.readCSV(f)
			}
			if err != nil {
				return Statement{}, err
			}
			return r.out, nil
		},
	}
}

type nativeReader struct {
	json    *jsonReader // nil for CSV
	options Options
	counter FingerprintCounter
	out     Statement
}

// add records a transaction, or its error, and fills in a missing account or source.
func (r *nativeReader) add(row Row, t portfolio.Transaction, err error) {
	if err == nil {
		if t.Account == "" {
			t.Account = r.options.Account
		}
		if t.Source == "" && t.SourceID == "" && t.ID == "" {
			t.Source, t.SourceID = nativeName, r.counter.ID(row.identity())
		}
		checked := t
		if checked.ID == "" {
			checked.ID = "new"
		}
		err = checked.Validate()
	}
	if err != nil {
		r.problem(row, err)
		return
	}
	r.out.Entries = append(r.out.Entries, Entry{Lines: []int{row.Line}, Transaction: t})
}

func (r *nativeReader) problem(row Row, err error) {
	r.out.Problems = append(r.out.Problems, SkippedLine{Line: row.Line, Text: row.Text(), Reason: err.Error()})
}

func (r *nativeReader) ignore(row Row, reason string) {
	r.out.Ignored = append(r.out.Ignored, SkippedLine{Line: row.Line, Text: row.Text(), Reason: reason})
}

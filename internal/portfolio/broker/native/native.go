// Package native writes transactions as nfa's own files, as CSV and as JSON, and
// reads them again. Nothing is lost on the way: what is read is what was written.
package native

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "nfa"

// Header is the columns of the CSV, which are called as the fields in JSON are.
func Header() []string {
	return []string{
		"date", "time", "kind", "account", "symbol", "isin", "name", "quantity", "price", "currency", "amount", "fee", "tax", "cost_unknown", "acquired",
		"to_account", "to_symbol", "to_currency", "to_amount", "new", "old", "cost_part", "short", "lots", "note", "source", "source_id", "id",
	}
}

// Format is nfa's own export, of either kind. The accounts are those of the file,
// and that of the options only where a line has none. IDs are kept, since lots are
// named by them. What the user had entered, without a source, gets this one, with
// its ID for a number.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "nfa, its own export (CSV or JSON)",
		Recognizes: recognizes,
		Read: func(f sheet.File, o broker.Options) (broker.Statement, error) {
			if isJSON(f) {
				return readJSON(f, o)
			}
			return readCSV(f, o)
		},
	}
}

func recognizes(f sheet.File) bool {
	if isJSON(f) {
		return looksLikeLedger(f.Text)
	}
	end := strings.IndexByte(f.Text, '\n')
	if end < 0 {
		end = len(f.Text)
	}
	head := sheet.File{Name: f.Name, Text: f.Text[:end]}
	rows, err := head.Rows(0)
	if err != nil {
		return false
	}
	_, found := sheet.Find(rows, Header()...)
	return found
}

// finish is what every transaction gets that was read: an account, a source and a
// check.
func finish(t *portfolio.Transaction, o broker.Options, counter *sheet.Counter, cells []string) error {
	if t.Account == "" {
		t.Account = o.Account
	}
	if t.Source == "" && t.SourceID == "" {
		t.Source, t.SourceID = name, t.ID
		if t.ID == "" {
			t.SourceID = counter.ID(cells)
		}
	}
	checked := *t
	if checked.ID == "" {
		checked.ID = "new"
	}
	return checked.Validate()
}

// remark says what is wrong with a line.
func remark(row sheet.Row, err error) broker.Remark {
	return broker.Remark{Line: row.Line, Text: row.Text(), Reason: fmt.Sprint(err)}
}

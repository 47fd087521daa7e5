// Package native reads nfa's own exports, as CSV and as JSON. Nothing is lost on the
// way: what is read is what package export wrote.
package native

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "nfa"

// columns are those of the CSV that no other program's table has together; the rest
// may be missing where the user took out what was empty.
func columns() []string {
	return []string{"date", "kind", "account", "currency", "amount", "cost_unknown", "to_account", "source_id"}
}

// Format is nfa's own export, of either kind. The accounts are those of the file,
// and that of the options only where a line has none. IDs are kept, since lots are
// named by them, and tell what the user had entered, which has no source. A line
// without either gets this source, with its cells for a number.
func Format() broker.Format {
	return broker.Format{
		Name:  name,
		Title: "nfa's own export (CSV or JSON)",
		Recognizes: func(f sheet.File) bool {
			if isJSON(f) {
				return isLedger(f)
			}
			return broker.Heads(f, columns()...)
		},
		Read: func(f sheet.File, o broker.Options) (broker.Statement, error) {
			if isJSON(f) {
				return readJSON(f, o)
			}
			return readCSV(f, o)
		},
	}
}

// finish is what every transaction gets that was read: an account, a source and a
// check.
func finish(t *portfolio.Transaction, o broker.Options, counter *sheet.Counter, cells []string) error {
	if t.Account == "" {
		t.Account = o.Account
	}
	if t.Source == "" && t.SourceID == "" && t.ID == "" {
		t.Source, t.SourceID = name, counter.ID(cells)
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

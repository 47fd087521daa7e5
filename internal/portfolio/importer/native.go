package importer

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const nativeName = "nfa"

// nativeColumns are those of the CSV that no other program's table has together; the rest
// may be missing where the user took out what was empty.
func nativeColumns() []string {
	return []string{"date", "kind", "account", "currency", "amount", "cost_unknown", "to_account", "source_id"}
}

// Native is nfa's own export, of either kind. The accounts are those of the file,
// and that of the options only where a line has none. IDs are kept, since lots are
// named by them, and tell what the user had entered, which has no source. A line
// without either gets this source, with its cells for a number.
func Native() Format {
	return Format{
		Name:  nativeName,
		Title: "nfa's own export (CSV or JSON)",
		Recognizes: func(f File) bool {
			if isNativeJSON(f) {
				return isNativeLedger(f)
			}
			return HasTable(f, nativeColumns()...)
		},
		Read: func(f File, o Options) (Statement, error) {
			if isNativeJSON(f) {
				return readNativeJSON(f, o)
			}
			return readNativeCSV(f, o)
		},
	}
}

// finishNative is what every transaction gets that was read: an account, a source and a
// check.
func finishNative(t *portfolio.Transaction, o Options, counter *FingerprintCounter, cells []string) error {
	if t.Account == "" {
		t.Account = o.Account
	}
	if t.Source == "" && t.SourceID == "" && t.ID == "" {
		t.Source, t.SourceID = nativeName, counter.ID(cells)
	}
	checked := *t
	if checked.ID == "" {
		checked.ID = "new"
	}
	return checked.Validate()
}

// nativeSkippedLine says what is wrong with a line.
func nativeSkippedLine(row Row, err error) SkippedLine {
	return SkippedLine{Line: row.Line, Text: row.Text(), Reason: fmt.Sprint(err)}
}

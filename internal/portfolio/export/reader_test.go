package export_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/native"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
)

// plain is everyKind without what package native does not take back as it was: a
// sign of a formula behind a semicolon.
func plain() portfolio.Ledger {
	l := everyKind()
	for i := range l.Transactions {
		t := &l.Transactions[i]
		t.Note = strings.ReplaceAll(t.Note, ";@", ";")
		if len(t.Lots) > 1 {
			t.Lots = []portfolio.LotPick{{Lot: "a11", Quantity: t.Quantity}}
		}
	}
	return l
}

func TestExport_IsImportedAgainWithoutLoss(t *testing.T) {
	for _, f := range []export.Format{export.FormatCSV, export.FormatJSON} {
		t.Run(string(f), func(t *testing.T) {
			l := plain()
			file, err := sheet.Decode("book."+string(f), []byte(written(t, l, f)))
			if err != nil {
				t.Fatal(err)
			}
			if !native.Format().Recognizes(file) {
				t.Error("the file is not recognized")
			}
			statement, err := native.Format().Read(file, broker.Options{})
			if err != nil || len(statement.Problems) > 0 {
				t.Fatalf("Read = %v, problems %v", err, statement.Problems)
			}
			read := map[string]portfolio.Transaction{}
			for _, e := range statement.Entries {
				read[e.Transaction.ID] = e.Transaction
			}
			for _, want := range l.Transactions {
				if want.Source == "" {
					want.Source, want.SourceID = "nfa", want.ID
				}
				if diff := cmp.Diff(want, read[want.ID]); diff != "" {
					t.Errorf("transaction %s read back (-want +got):\n%s", want.ID, diff)
				}
			}
		})
	}
}

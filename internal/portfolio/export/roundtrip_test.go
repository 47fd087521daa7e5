package export_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

// readBack fails if importing the file does not return what was exported; a missing source becomes
// nfa's.
func readBack(t testing.TB, text string, f export.Format, exported []portfolio.Transaction) {
	t.Helper()
	file, err := importer.Decode("book."+string(f), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if !importer.Native().Recognizes(file) {
		t.Error("the file is not recognized")
	}
	statement, err := importer.Native().Read(file, importer.Options{})
	if err != nil || len(statement.Problems) > 0 || len(statement.Entries) != len(exported) {
		t.Fatalf("Read = %v, %d transactions of %d, problems %v", err, len(statement.Entries), len(exported), statement.Problems)
	}
	read := map[string]portfolio.Transaction{}
	for _, e := range statement.Entries {
		read[e.Transaction.ID] = e.Transaction
	}
	for _, want := range exported {
		if diff := cmp.Diff(want, read[want.ID], cmp.Comparer(decimal.Decimal.Equal), cmp.Comparer(time.Time.Equal)); diff != "" {
			t.Errorf("transaction %s read back (-want +got):\n%s", want.ID, diff)
		}
	}
}

func TestExport_IsImportedAgainWithoutLoss(t *testing.T) {
	every := everyKind()
	every.Transactions = append(every.Transactions, portfoliotest.EveryKind("roth ira", "trades")...)
	for _, f := range []export.Format{export.FormatCSV, export.FormatJSON} {
		t.Run(string(f), func(t *testing.T) { readBack(t, writeString(t, every, f), f, every.Transactions) })
	}
}

// Only JSON has more than transactions; accounts are sorted by name.
func TestExport_TheSettingsOfALedgerAreInItsJSON(t *testing.T) {
	want := everyKind()
	want.Securities = append(want.Securities, portfolio.Security{Symbol: "VT", Region: "World", Fee: nullDec("0.0007"), RecordedOn: date(2, 3)})
	want.Targets = append(want.Targets, portfolio.Target{Symbol: "VT", Weight: dec("0.25")})
	want.Accounts[0].Untaxed, want.Accounts[0].Owner = true, "spouse"
	for format, settings := range map[export.Format]*portfolio.Ledger{export.FormatCSV: nil, export.FormatJSON: &want} {
		s, err := importer.Native().Read(importer.File{Name: "x", Text: writeString(t, want, format)}, importer.Options{})
		if err != nil || len(s.Problems)+len(s.Ignored) > 0 {
			t.Fatalf("Read of %s = %v, problems %v, ignored %v", format, err, s.Problems, s.Ignored)
		}
		if settings != nil {
			sorted := want
			sorted.Transactions, sorted.Accounts = nil, []portfolio.Account{want.Accounts[1], want.Accounts[0], want.Accounts[2]}
			settings = &sorted
		}
		if diff := cmp.Diff(settings, s.Settings); diff != "" {
			t.Errorf("settings in %s (-want +got):\n%s", format, diff)
		}
	}
}

// FuzzExport looks for texts that do not survive a round trip.
func FuzzExport(f *testing.F) {
	for _, seed := range []string{"x", "=1+1", "'=x", ";'=x", "a;b=1", " blanks ", `q"q,`, "\xef\xbb\xbfmark", "sep=;", "\u00a0"} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, account, note, id string) {
		l := portfolio.Ledger{Transactions: []portfolio.Transaction{{
			ID: id, Date: date(1, 2), Kind: portfolio.KindSell, Account: account, Symbol: "X", Quantity: dec("3"), Currency: "EUR", Amount: dec("10"),
			Name: account, Note: note, Source: "schwab", SourceID: "=" + id, Lots: []portfolio.LotPick{{Lot: id, Quantity: dec("1")}, {Lot: "=" + id, Quantity: dec("2")}},
		}}}
		for _, format := range []export.Format{export.FormatCSV, export.FormatJSON} {
			var out strings.Builder
			if err := export.Write(&out, l, format); err != nil {
				t.Skip("the ledger cannot be applied")
			}
			if id != "" {
				readBack(t, out.String(), format, l.Transactions)
			}
		}
	})
}

package ledger_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/recordings"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// recorded returns a real broker file next to the project, or in the folder NFA_FIXTURES. The test
// is skipped if the file is missing.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, "market", "broker", name)
}

// C37: each file is imported into its own ledger at the first try, through the tool, although the
// files are incomplete histories. A second import adds nothing.
func TestImport_RecordedFilesOfBrokers(t *testing.T) {
	for file, format := range map[string]string{
		"coinbase.csv": "coinbase", "degiro.csv": "degiro", "delta.csv": "delta", "etoro.csv": "etoro", "ibkr-trades.csv": "ibkr", "parqet.csv": "parqet",
		"revolut-invest.csv": "revolut", "schwab.csv": "schwab", "swissquote.csv": "swissquote", "trading212.csv": "trading212",
	} {
		t.Run(file, func(t *testing.T) {
			w := newSQLiteFixture(t)
			w.Files[file] = recorded(t, file)
			in := args{"path": file}
			first := toolstest.DecodeResult(t, w.MustCall("import_transactions", in))
			l := w.Ledger()
			held, _ := first["openings"].([]any)
			if got := float64(len(l.Transactions) - len(held)); first["format"] != format || got == 0 || first["added"] != got {
				t.Errorf("read as %v, %v added; the ledger has %v of the file, want them all, of %s", first["format"], first["added"], got, format)
			}
			if err := lots.Check(l); err != nil {
				t.Errorf("the ledger is invalid: %v", err)
			}
			again := toolstest.DecodeResult(t, w.MustCall("import_transactions", in))
			if again["added"] != 0.0 || again["already_there"] != first["added"] || len(w.Ledger().Transactions) != len(l.Transactions) {
				t.Errorf("again = %v added, %v there; want 0 and %v", again["added"], again["already_there"], first["added"])
			}
			if len(w.Approvals) != 1 {
				t.Errorf("the user was asked %d times, want once: the second import writes nothing", len(w.Approvals))
			}
		})
	}
}

// The dividends refer to securities from the trades, and go to the same account.
func TestImport_TwoFilesOfOneBrokerAreOneAccount(t *testing.T) {
	w := newSQLiteFixture(t)
	for _, file := range []string{"ibkr-trades.csv", "ibkr-dividends.csv"} {
		w.Files[file] = recorded(t, file)
		w.MustCall("import_transactions", args{"path": file})
	}
	l := w.Ledger()
	if len(l.Accounts) != 1 || l.Accounts[0].Name != "ibkr" || l.Accounts[0].Cash != portfolio.CashUntracked {
		t.Errorf("accounts = %+v, want one that does not keep cash", l.Accounts)
	}
	if err := lots.Check(l); err != nil {
		t.Errorf("the ledger is invalid: %v", err)
	}
}

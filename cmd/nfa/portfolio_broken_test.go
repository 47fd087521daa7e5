package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

const statementOfOne = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"01/04/2021","MoneyLink Deposit","","DEPOSIT","","","","$20,000.00"
"01/29/2021","Buy","AAPL","APPLE INC","50","$130.00","$1.00","-$6,501.00"
"02/26/2021","Sell","AAPL","APPLE INC","10","$120.00","$1.00","$1,199.00"
`

// portfolioRun runs commands in an empty home.
type portfolioRun struct {
	t    *testing.T
	home string
	in   *os.File
}

func newPortfolioRun(t *testing.T) *portfolioRun {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("HOME", filepath.Join(folder, "user"))
	t.Chdir(t.TempDir())
	if err := os.WriteFile("schwab.csv", []byte(statementOfOne), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nothing.Close() })
	withStoredPrices(t, filepath.Join(folder, "nfa"))
	return &portfolioRun{t, filepath.Join(folder, "nfa"), nothing}
}

func (r *portfolioRun) run(args ...string) (code int, out, errOut string) {
	r.t.Helper()
	env := map[string]string{"NFA_HOME": r.home, "NFA_KEY_STORE": "file", "NFA_DATA": "sample"}
	var o, e bytes.Buffer
	code = run(args, terminal{in: r.in, out: &o, err: &e, env: func(key string) string { return env[key] }})
	return code, o.String(), e.String()
}

func (r *portfolioRun) mustRun(args ...string) string {
	r.t.Helper()
	code, out, errOut := r.run(args...)
	if code != exitOK {
		r.t.Fatalf("nfa %q = %d: %s", args, code, errOut)
	}
	return out
}

func (r *portfolioRun) path() string { return filepath.Join(r.home, "book.db") }

func (r *portfolioRun) execute(statement string) {
	r.t.Helper()
	db, err := sql.Open("sqlite", r.path())
	if err == nil {
		_, err = db.Exec(statement)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// commandArgs returns a call of each command that reads the portfolio. All of them succeed with a
// valid ledger.
func commandArgs() map[string][]string {
	return map[string][]string{
		"nfa income": {}, "nfa income export": {}, "nfa portfolio": {}, "nfa portfolio list": {}, "nfa portfolio lots": {}, "nfa portfolio performance": {}, "nfa portfolio allocation": {},
		"nfa portfolio checkup": {}, "nfa portfolio rebalance": {"AAPL=50%"}, "nfa portfolio settings": {}, "nfa portfolio export": {},
		"nfa portfolio add":    {"deposit", "--amount", "5", "--currency", "USD", "--date", "2022-01-03", "--account", "schwab", "--yes"},
		"nfa portfolio import": {"schwab.csv", "--yes"}, "nfa portfolio remove": {"id", "--yes"}, "nfa portfolio account": {"new", "--new", "--yes"},
		"nfa portfolio map": {"A", "B", "--yes"}, "nfa portfolio classify": {"AAPL", "--class", "equity", "--yes"}, "nfa portfolio targets": {"AAPL=10%", "--yes"},
		"nfa profile": {}, "nfa profile answer": {"horizon", "2040", "--yes"}, "nfa profile clear": {"--yes"},
		"nfa watchlist": {}, "nfa watchlist add": {"MSFT", "--yes"}, "nfa watchlist remove": {"MSFT", "--yes"},
		"nfa journal": {}, "nfa journal record": {"buy", "MSFT", "--thesis", "cheap", "--disproof", "dear", "--benchmark", "^GSPC", "--yes"},
		"nfa journal close": {"id", "right", "--yes"}, "nfa journal remove": {"id", "--yes"}, "nfa journal review": {},
	}
}

// TestBook_OneThatCannotBeReadEndsEveryVerbWithOne checks the portfolio commands with a ledger that
// is damaged or of a newer nfa. All of them fail, and none reports wrong usage or an empty
// portfolio.
func TestBook_OneThatCannotBeReadEndsEveryVerbWithOne(t *testing.T) {
	verbs := commandArgs()
	for _, c := range privateCommands(t) {
		if c.Tool == "alerts" {
			continue // rules are in another file
		}
		if _, known := verbs["nfa "+c.Name]; !known {
			t.Errorf("no call of nfa %s is written down", c.Name)
		}
	}
	for _, c := range []struct {
		name, says string
		spoil      func(r *portfolioRun)
	}{
		{"text", "damaged portfolio", func(r *portfolioRun) {
			if err := os.WriteFile(r.path(), []byte("this is a text and not a book"), 0o600); err != nil {
				r.t.Fatal(err)
			}
		}},
		{"newer", "newer version of nfa", func(r *portfolioRun) { r.execute("PRAGMA user_version = 77") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newPortfolioRun(t)
			r.mustRun("portfolio", "import", "schwab.csv", "--yes")
			c.spoil(r)
			for verb, args := range verbs {
				all := append(strings.Fields(verb)[1:], args...)
				if code, out, errOut := r.run(all...); code != exitFailure || out != "" || !strings.Contains(errOut, c.says) {
					t.Errorf("%s %q = %d, %q, %q; want 1 and %q", verb, args, code, out, errOut, c.says)
				}
			}
			var answer struct {
				Error struct{ Code, Message string }
			}
			code, out, _ := r.run("portfolio", "add", "deposit", "--amount", "5", "--currency", "USD", "--date", "2022-01-03", "--yes", "--json")
			if err := json.Unmarshal([]byte(out), &answer); err != nil || code != exitFailure || answer.Error.Code != "" || !strings.Contains(answer.Error.Message, c.says) {
				t.Errorf("portfolio add --json = %d, %+v, %v; want 1, the error and no code that blames the call", code, answer, err)
			}
			if code, out, _ := r.run("doctor"); code != exitFailure || !strings.Contains(out, "! portfolio") || !strings.Contains(out, c.says) {
				t.Errorf("doctor = %d, %s; want 1 and the portfolio as a problem", code, out)
			}
		})
	}
}

// TestPortfolio_ContradictingTransactionsAreNotEmpty changes a row so that the transactions can be read
// but contradict each other. Commands that compute from them exit with 1; commands that list and
// fix them work.
func TestPortfolio_ContradictingTransactionsAreNotEmpty(t *testing.T) {
	r := newPortfolioRun(t)
	r.mustRun("portfolio", "import", "schwab.csv", "--yes")
	r.execute("UPDATE transactions SET quantity = '99999' WHERE kind = 'sell'")
	verbs := commandArgs()
	for _, verb := range []string{"", " lots", " performance", " allocation", " checkup", " rebalance", " add"} {
		all := append(strings.Fields("portfolio"+verb), verbs["nfa portfolio"+verb]...)
		if code, _, errOut := r.run(all...); code != exitFailure || !strings.Contains(errOut, "not held") {
			t.Errorf("%q = %d, %s; want 1 and what is not held", all, code, errOut)
		}
	}
	if code, _, errOut := r.run("portfolio", "export", "--format", "ledger"); code != exitFailure || !strings.Contains(errOut, "not held") {
		t.Errorf("portfolio export --format ledger = %d, %s; want 1", code, errOut)
	}
	if code, out, _ := r.run("doctor"); code != exitFailure || !strings.Contains(out, "are inconsistent") {
		t.Errorf("doctor = %d, %s; want 1 and that they do not hold", code, out)
	}
	list := r.mustRun("portfolio", "list", "--kind", "sell", "--json")
	var listed struct {
		Result struct{ Transactions []struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(list), &listed); err != nil || len(listed.Result.Transactions) != 1 {
		t.Fatalf("portfolio list = %v, %s; want the sale", err, list)
	}
	r.mustRun("portfolio", "remove", listed.Result.Transactions[0].ID, "--yes")
	r.mustRun("portfolio")
	// With a valid ledger, a wrong ID is a usage error.
	if code, _, _ := r.run("portfolio", "remove", "no-such-id", "--yes"); code != exitUsage {
		t.Errorf("removing what is not there = %d, want 2", code)
	}
}

// TestPortfolio_AReadOnlyHomeCanBeRead checks that the portfolio can be read in a read-only
// home. Where reading is not enough, the error says what to do.
func TestPortfolio_AReadOnlyHomeCanBeRead(t *testing.T) {
	r := newPortfolioRun(t)
	r.mustRun("portfolio", "import", "schwab.csv", "--yes")
	r.mustRun("watchlist", "add", "AAPL", "--yes")
	want := r.mustRun("portfolio", "list")
	if err := os.Remove(r.path() + ".lock"); err != nil {
		t.Fatal(err)
	}
	restrict(t, r.path(), 0o400)
	restrict(t, r.home, 0o500)
	if probe, err := os.Create(filepath.Join(r.home, "probe")); err == nil {
		_ = probe.Close()
		t.Skip("modes keep nobody from writing here: this is root, or no file system of Unix")
	}
	for _, args := range []string{"portfolio", "portfolio lots", "portfolio allocation", "portfolio settings", "portfolio export", "watchlist", "profile"} {
		r.mustRun(strings.Fields(args)...)
	}
	if got := r.mustRun("portfolio", "list"); got != want {
		t.Errorf("portfolio list = %s\nwant as before\n%s", got, want)
	}
	for verb, args := range commandArgs() {
		if len(args) == 0 || args[len(args)-1] != "--yes" || strings.HasSuffix(verb, " remove") || strings.HasSuffix(verb, " close") || strings.HasSuffix(verb, " clear") || strings.HasSuffix(verb, " import") {
			continue // what finds nothing to change writes nothing
		}
		all := append(strings.Fields(verb)[1:], args...)
		if code, _, errOut := r.run(all...); code != exitFailure || !strings.Contains(errOut, "is read-only") || !strings.Contains(errOut, "--home or NFA_HOME") {
			t.Errorf("%s %q = %d, %s; want 1 and what to do", verb, args, code, errOut)
		}
	}
}

// restrict sets the permissions of a path for the duration of the test.
func restrict(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
}

func TestImport_StandardInputIsBounded(t *testing.T) {
	r := newPortfolioRun(t)
	huge, err := os.Create(filepath.Join(t.TempDir(), "huge"))
	if err == nil {
		err = huge.Truncate(importer.MaxFileSize + 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = huge.Close() })
	r.in = huge
	if code, _, errOut := r.run("portfolio", "import", "-", "--yes"); code != exitUsage || !strings.Contains(errOut, "standard input is larger than 64 MiB") {
		t.Errorf("import of too much = %d, %s; want 2 and the bound", code, errOut)
	}
}

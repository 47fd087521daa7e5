package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

const schwabFile = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"01/04/2021","MoneyLink Deposit","","DEPOSIT","","","","$2,000,000.00"
"01/29/2021","Buy","AAPL","APPLE INC","7,654.321","$130.00","$1.00","-$995,062.73"
"06/30/2021","Buy","IBM","INTL BUSINESS MACHINES","30","$130.00","$1.00","-$3,901.00"
`

// TestPortfolio_AFileIsReadInTheEncodingThatItHas checks that the encoding and line ends that a
// spreadsheet writes do not change the result.
func TestPortfolio_AFileIsReadInTheEncodingThatItHas(t *testing.T) {
	utf16le := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(schwabFile)) {
		utf16le = append(utf16le, byte(unit), byte(unit>>8))
	}
	for name, raw := range map[string][]byte{
		"UTF-8":                    []byte(schwabFile),
		"UTF-8 with a mark":        append([]byte{0xef, 0xbb, 0xbf}, schwabFile...),
		"lines of Windows":         []byte(strings.ReplaceAll(schwabFile, "\n", "\r\n")),
		"UTF-16":                   utf16le,
		"Windows-1252":             []byte(strings.Replace(schwabFile, "APPLE INC", "APPLE \xa9 INC", 1)),
		"without the last newline": []byte(strings.TrimSuffix(schwabFile, "\n")),
	} {
		t.Run(name, func(t *testing.T) {
			nfa := runnerInFolder(t)
			write(t, "book.csv", raw)
			if code, _, errOut := nfa("portfolio", "import", "book.csv", "--yes"); code != exitOK {
				t.Fatalf("import = %d, %s", code, errOut)
			}
			_, out, _ := nfa("portfolio", "list")
			if !strings.Contains(out, "**3 of 3 transactions**") || !strings.Contains(out, "| 7,654.321 |") {
				t.Errorf("list = %s, want 3 transactions with 7,654.321 shares", out)
			}
		})
	}
}

// An incomplete download is rejected completely, wherever it ends.
func TestPortfolio_HalfAFileIsNeverReadAsAWholeOne(t *testing.T) {
	nfa := runnerInFolder(t)
	for cut := range len(schwabFile) {
		last := strings.LastIndex(schwabFile[:cut], "\n") + 1
		if cut%17 != 0 || last == cut || strings.HasSuffix(schwabFile[:cut], `"`) {
			continue // whole lines, or whole cells, are a valid file
		}
		write(t, "half.csv", []byte(schwabFile[:cut]))
		if code, out, _ := nfa("portfolio", "import", "half.csv", "--yes"); code != exitUsage {
			t.Errorf("import of the first %d bytes, %q = %d, %s, want exit %d", cut, schwabFile[last:cut], code, out, exitUsage)
		}
	}
	if code, _, _ := nfa("portfolio"); code != exitOK {
		t.Errorf("portfolio = %d, want exit %d for an empty portfolio", code, exitOK)
	}
}

func TestPortfolio_ALedgerOfANewerVersionIsLeftAlone(t *testing.T) {
	nfa := runnerInFolder(t)
	write(t, "book.csv", []byte(schwabFile))
	if code, _, errOut := nfa("portfolio", "import", "book.csv", "--yes"); code != exitOK {
		t.Fatalf("import = %d, %s", code, errOut)
	}
	_, out, _ := nfa("config", "path")
	path := filepath.Join(filepath.Dir(strings.TrimSpace(out)), "book.db")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw[63] = 99 // user_version, of four bytes from 60
	write(t, path, raw)
	for _, args := range [][]string{{"portfolio"}, {"portfolio", "export"}, {"portfolio", "import", "book.csv", "--yes"}, {"profile"}, {"watchlist"}} {
		code, _, errOut := nfa(args...)
		if code == exitOK || !strings.Contains(errOut, "update nfa") {
			t.Errorf("nfa %v = %d, %s, want that nfa is to be updated", args, code, errOut)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(raw, after) {
		t.Error("the ledger was changed")
	}
	if code, _, errOut := nfa("quote", "AAPL"); code != exitOK {
		t.Errorf("quote = %d, %s", code, errOut)
	}
}

func TestPortfolio_AFailedBackupIsReported(t *testing.T) {
	nfa := runnerInFolder(t)
	write(t, "book.csv", []byte(schwabFile))
	if code, _, errOut := nfa("portfolio", "import", "book.csv", "--yes"); code != exitOK {
		t.Fatalf("import = %d, %s", code, errOut)
	}
	_, out, _ := nfa("config", "path")
	// A folder that is not empty prevents the backup.
	if err := os.MkdirAll(filepath.Join(filepath.Dir(strings.TrimSpace(out)), "book.db.unfinished", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	code, _, errOut := nfa("watchlist", "add", "AAPL", "--yes")
	if code != exitOK || !strings.Contains(errOut, "no backup of the portfolio") {
		t.Errorf("watchlist add = %d, stderr %q; want a warning about the backup", code, errOut)
	}
}

// With share_amounts off, no sum and no quantity is sent to a model, neither in answers nor in refusals. The
// user sees everything.
func TestPortfolio_WhatIsNotSharedGoesToNoModel(t *testing.T) {
	server := llmtest.StartServer(llmtest.Answers(
		llmtest.Call(toolCallOf("c1", "portfolio_positions", nil), toolCallOf("c2", "tax_lots", nil), toolCallOf("c3", "portfolio_transactions", nil)),
		llmtest.Call(toolCallOf("c4", "add_transaction", map[string]any{"kind": "sell", "symbol": "AAPL", "quantity": 9000, "price": 1, "date": "2021-02-01"})),
		llmtest.Say("Done."))...)
	t.Cleanup(server.Close)
	nfa := runnerInFolderOf(t, server, "NFA_SHARE_AMOUNTS", "false")
	write(t, "book.csv", []byte(schwabFile))
	if code, _, errOut := nfa("portfolio", "import", "book.csv", "--yes"); code != exitOK {
		t.Fatalf("import = %d, %s", code, errOut)
	}
	if code, _, errOut := nfa("ask", "--yes", "what do I own?"); code != exitOK {
		t.Fatalf("ask = %d, %s", code, errOut)
	}
	requests := server.Requests()
	if len(requests) != 3 {
		t.Fatalf("%d requests, want 3", len(requests))
	}
	sent := string(requests[2].Body)
	// Shares, their cost and value at 137.44, the cash, and the sum of all.
	canaries := regexp.MustCompile(`7,?654|995,?06|1,?052,?00|1,?001,?03|2,?05[0-9],?[0-9]{3}`)
	if found := canaries.FindString(sent); found != "" {
		t.Errorf("the model was sent %q", found)
	}
	if !strings.Contains(sent, "AAPL") || !strings.Contains(sent, "weight") || !strings.Contains(sent, "not held") {
		t.Errorf("the model was not sent what it may know: %.300s", sent)
	}
	if _, out, _ := nfa("portfolio"); !strings.Contains(out, "| 7,654.321 |") {
		t.Errorf("portfolio = %s, want the quantity", out)
	}
	if _, _, errOut := nfa("portfolio", "add", "sell", "AAPL", "9000", "--price", "1", "--date", "2021-02-01", "--yes"); !strings.Contains(errOut, "has 7654.321 AAPL") {
		t.Errorf("add = %s, want what is held", errOut)
	}
}

func TestJournal_ADecisionIsClosedByItsID(t *testing.T) {
	nfa := runnerInFolder(t)
	code, out, errOut := nfa("journal", "record", "buy", "MSFT", "--thesis", "cheap", "--disproof", "dear", "--benchmark", "none", "--json", "--yes")
	if code != exitOK {
		t.Fatalf("record = %d, %s", code, errOut)
	}
	id := regexp.MustCompile(`"id": "([^"]+)"`).FindStringSubmatch(out)
	if id == nil || !json.Valid([]byte(out)) {
		t.Fatalf("record = %s, want JSON with an id", out)
	}
	if code, out, errOut = nfa("journal", "close", id[1], "sold", "too", "early", "--yes"); code != exitOK || !strings.Contains(out, "sold too early") {
		t.Errorf("close = %d, %s, %s", code, out, errOut)
	}
	if code, _, errOut = nfa("journal", "close", id[1], "again", "--yes"); code != exitUsage {
		t.Errorf("closing twice = %d, %s, want %d", code, errOut, exitUsage)
	}
	if code, _, errOut = nfa("journal", "remove", id[1], "--yes"); code != exitOK {
		t.Errorf("remove = %d, %s", code, errOut)
	}
	if code, _, _ = nfa("journal"); code != exitOK {
		t.Errorf("journal = %d, want exit %d for an empty journal", code, exitOK)
	}
}

// runnerInFolderOf runs the program in an empty folder with sample data, a model server and an additional
// variable.
func runnerInFolderOf(t *testing.T, server *llmtest.Server, name, value string) func(args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	env := map[string]string{
		"NFA_HOME": filepath.Join(home, "nfa"), "NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890", "NFA_MODEL": "m",
		"NFA_KEY_STORE": "file", "NFA_DATA": "sample", name: value,
	}
	withStoredPrices(t, env["NFA_HOME"])
	return func(args ...string) (int, string, string) {
		var out, errOut bytes.Buffer
		nothing, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer nothing.Close()
		code := run(args, terminal{in: nothing, out: &out, err: &errOut, env: func(key string) string { return env[key] }})
		return code, out.String(), errOut.String()
	}
}

func write(t *testing.T, path string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tui"
)

// newSlashProgram returns functions that run a line in the chat and on the command line, in one home.
func newSlashProgram(t *testing.T) (slash func(line string) (string, error), nfa func(line string) string) {
	t.Helper()
	p := newSessionProgram(t)
	withStoredPrices(t, p.Home)
	p.SetConversation(p.StartConversation(t.Context()))
	g := &globals{home: p.Home, offline: true}
	g.env = func(string) string { return "" }
	commands := screens.Commands(p, screens.Environment{
		Confirm:     func(context.Context, string, []string) (bool, error) { return true, nil },
		CommandLine: g.commandLineOf(tui.NewApprovals()),
	})
	slash = func(line string) (string, error) {
		name, args, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
		for _, c := range commands {
			if c.Name == name {
				out, err := c.Run(t.Context(), args)
				return out.Markdown, err
			}
		}
		return "", errors.New("no command /" + name)
	}
	nfa = func(line string) string {
		words, err := cli.SplitWords(line)
		if err != nil {
			t.Fatal(err)
		}
		nothing, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer nothing.Close()
		var out, errOut bytes.Buffer
		run(append([]string{"--home", p.Home, "--offline"}, words...), terminal{in: nothing, out: &out, err: &errOut, env: g.env})
		return out.String() + errOut.String()
	}
	return slash, nfa
}

// Chat, section 5: the same words make the same tool call in the chat and on the command line. The JSON
// output has the tool, the result and its figures.
func TestSlash_MakesTheCallsOfTheCommandLine(t *testing.T) {
	slash, nfa := newSlashProgram(t)
	fetched := regexp.MustCompile(`"fetched_at": "[^"]*"`) // a second may pass between the two calls
	nfa("portfolio account mine --new --yes")
	nfa(`portfolio add buy AAPL 3 --price 70 --date 2020-04-17 --account mine --currency USD --note "first of all" --yes`)
	nfa("watchlist add IBM --yes")
	for _, line := range []string{
		"quote AAPL MSFT", "history AAPL 5y", "compare AAPL MSFT 5y", "compare AAPL MSFT --from 2015", "search apple inc", "ratios AAPL", "statements AAPL income",
		"hours Xetra", "status", "chart AAPL,MSFT 5y", "portfolio", "portfolio --date 2020-05-01", "portfolio list AAPL --kind buy", "portfolio lots --kind open", "portfolio allocation --accounts mine",
		"portfolio checkup --max-holding 10%", "portfolio settings", "portfolio rebalance AAPL=50%", "watchlist", "watch", "journal", "review", "portfolio performance AAPL",
	} {
		inChat, err := slash("/" + line + " --json")
		want := nfa(line + " --json")
		if err != nil {
			if !strings.Contains(want, err.Error()) {
				t.Errorf("/%s: %v; the command line: %s", line, err, want)
			}
			continue
		}
		inChat = strings.TrimSuffix(strings.TrimPrefix(inChat, "```json\n"), "\n```\n")
		want, inChat = fetched.ReplaceAllString(want, ""), fetched.ReplaceAllString(inChat, "")
		if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(inChat)); diff != "" {
			t.Errorf("/%s (-nfa +chat):\n%s", line, diff)
		}
	}
}

// Chat, section 5: names, aliases and flags of the command line work in the chat.
func TestSlash_TakesTheWordsOfTheCommandLine(t *testing.T) {
	slash, nfa := newSlashProgram(t)
	nfa("portfolio account mine --new --cash untracked --yes")
	for _, row := range []struct{ line, want string }{
		{"/watch add AAPL", "AAPL is on your watchlist (1 symbol)."},
		{"/watchlist add MSFT", "MSFT is on your watchlist (2 symbols)."},
		{"/watch remove AAPL", "Removed AAPL; 1 left on the watchlist."},
		{"/portfolio add buy MSFT 3 --price 400 --date 2021-03-01 --account mine", "MSFT"},
		{"/portfolio export --format csv -o lots.csv", ""},
		{"/portfolio import lots.csv", "1 "},
		{"/lots MSFT", "MSFT"},
		{"/models list", "MODEL"},
		{"/config set base_currency EUR", "EUR"},
		{"/sessions list", "no saved sessions"},
		{"/agents show analyst", "analyst"},
		{"/tools show quote", "Latest price"},
		{"/doctor", "in 1 account"},
		{"/approvals", "no"},
	} {
		if got, err := slash(row.line); err != nil || !strings.Contains(strings.ToLower(got), strings.ToLower(row.want)) {
			t.Errorf("%s = %q, %v; want %q", row.line, got, err, row.want)
		}
	}
}

// Chat, section 5: a wrong argument answers with usage and an example, a missing one with a form.
func TestSlash_WrongAndMissingArguments(t *testing.T) {
	slash, _ := newSlashProgram(t)
	for _, row := range []struct{ line, want string }{
		{"/watch add AAPL MSFT", "usage: /watchlist add SYMBOL   e.g. /watchlist add NVDA"},
		{"/watch add AAPL --below cheap", `--below "cheap" is not a number; write 1234.56; usage: /watchlist add SYMBOL`},
		{"/watchlist frob", `unknown subcommand "frob"; usage: /watchlist [add | remove]   e.g. /watchlist`},
		{"/portfolio frob", `unknown subcommand "frob"; usage: /portfolio [list | `},
		{"/ratios AAPL --nosuch", "unknown flag: --nosuch; usage: /ratios SYMBOL   e.g. /ratios AAPL"},
		{"/sessions show a b", "usage: /sessions show ID"},
		{"/auth set openai", "/auth set does not run in the chat; run in a terminal: nfa auth set PROVIDER"},
	} {
		if _, err := slash(row.line); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; want %q", row.line, err, row.want)
		}
	}
	for _, row := range []struct {
		line   string
		fields []string
		values map[string]string
		want   string
	}{
		{"/watch add", []string{"symbol"}, map[string]string{"symbol": "AAPL"}, "/watchlist add AAPL"},
		{"/portfolio import", []string{"file"}, map[string]string{"file": "my trades.csv"}, `/portfolio import "my trades.csv"`},
		{"/portfolio add buy MSFT 3 --price 400", []string{"date"}, map[string]string{"date": "2021-03-01"}, "/portfolio add buy MSFT 3 --price 400 --date 2021-03-01"},
		{"/portfolio add", []string{"kind", "symbol", "quantity", "date"}, map[string]string{"kind": "deposit", "date": "2021-03-01"}, "/portfolio add deposit --date 2021-03-01"},
		{"/sessions show", []string{"id"}, map[string]string{"id": "x"}, "/sessions show x"},
		{"/quote", []string{"symbol"}, map[string]string{"symbol": "AAPL"}, "/quote AAPL"},
	} {
		_, err := slash(row.line)
		missing := tui.AsMissingInput(err)
		if missing == nil || missing.Line == nil {
			t.Errorf("%s: %v, want a form", row.line, err)
			continue
		}
		var fields []string
		for _, f := range missing.Fields {
			fields = append(fields, f.Name)
		}
		line, err := missing.Line(row.values)
		if !cmp.Equal(fields, row.fields) || line != row.want || err != nil {
			t.Errorf("%s asks for %q and sends %q, %v; want %q and %q", row.line, fields, line, err, row.fields, row.want)
		}
	}
}

// Each sum of an import that is asked about has its name.
func TestSlash_AnImportNamesItsSums(t *testing.T) {
	file, err := filepath.Abs("testdata/statement.csv")
	if err != nil {
		t.Fatal(err)
	}
	p := newSessionProgram(t)
	var plan string
	for _, c := range screens.Commands(p, screens.Environment{Confirm: func(_ context.Context, _ string, detail []string) (bool, error) {
		plan = strings.Join(detail, "\n")
		return false, nil
	}}) {
		if c.Name == "portfolio" {
			if _, err := c.Run(t.Context(), "import "+file); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := "buy: 3 transactions, amount 15,000.00 USD, fees 3.00 USD\n"; !strings.Contains(plan, want) {
		t.Errorf("plan:\n%s\nwant it to contain %q", plan, want)
	}
}

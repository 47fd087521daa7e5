package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// commandNamed returns a row by its name on the command line.
func commandNamed(t *testing.T, name string) app.Command {
	t.Helper()
	c, ok := app.LookupCommand(strings.TrimPrefix(name, "nfa "))
	if !ok {
		t.Fatalf("there is no command %q", name)
	}
	return c
}

func TestToolVerbs_ToolsSpeakTheWordsOfTheCommandLine(t *testing.T) {
	for _, tc := range []struct{ name, verb, said, want string }{
		{"a key with a line", "nfa portfolio import", "leave these out with skip_problems true", "leave these out with --skip-problems"},
		{"a switch", "nfa portfolio add", "where it happened twice, call again with again true", "where it happened twice, call again with --again"},
		{"a word that is English too", "nfa portfolio add", "the account has 5; name the account", "the account has 5; name the account with --account"},
		{"a flag that another verb has", "nfa portfolio list", "again true", "again true"},
		{"a tool", "nfa portfolio add", "to take it back: remove_transaction", "to take it back: nfa portfolio remove"},
		{"a tool of another command", "nfa portfolio add", "find it with search_symbol", "find it with nfa search"},
		{"a tool that names its verb", "nfa portfolio", "with import_transactions (nfa portfolio import FILE)", "with nfa portfolio import"},
		{"a name that only begins as a tool's", "nfa portfolio", "add_transaction_log", "add_transaction_log"},
		{"a call", "nfa portfolio", `To mend it: add_transaction {"kind":"split","note":"a 'b'"}; or not`, `To mend it: nfa tools call add_transaction --args '{"kind":"split","note":"a '\''b'\''"}'; or not`},
		{"an action", "nfa watchlist", `the watchlist is empty; add to it with {"action": "add", "symbol": "VTI"}`, "the watchlist is empty; add to it with nfa watchlist add"},
		{"not an object", "nfa watchlist", "a name with {braces", "a name with {braces"},
		{"a warning to models", "nfa portfolio import", "its lines (" + toolkit.OutsideTextNote + "):", "its lines:"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := newTextTranslator(commandNamed(t, tc.verb)).terminalText(tc.said)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("terminalText(%q) (-want +got):\n%s", tc.said, diff)
			}
		})
	}
}

// The message of a tool can contain any text, because it quotes names from a broker's file.
func FuzzToolCommands_TerminalText(f *testing.F) {
	f.Add("add_transaction {")
	f.Add(`portfolio_settings {"a":1} with {"action":"add"}`)
	f.Add("with {")
	var translators []textTranslator
	for _, c := range app.Commands() {
		if c.Tool != "" && c.Name != "" {
			translators = append(translators, newTextTranslator(c))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range translators {
			if got := w.terminalText(text); len(got) < len(text)/40 {
				t.Errorf("terminalText(%q) = %q", text, got)
			}
		}
	})
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// TestPrograms_AtOnceInAHomeOfTheirOwnLoseNothing starts programs at the same time in a home that
// does not exist yet. Each writes to everything that a home holds: conversations, portfolio,
// watchlist, settings and decisions about skills. Every write that succeeded must be there
// afterwards, once.
func TestPrograms_AtOnceInAHomeOfTheirOwnLoseNothing(t *testing.T) {
	for _, programs := range []int{2, 5} {
		t.Run(fmt.Sprint(programs), func(t *testing.T) {
			t.Parallel()
			server := llmtest.StartServer()
			defer server.Close()
			env := append(newEnvironment(t, server), "NFA_KEY_STORE=file")
			file := filepath.Join(t.TempDir(), "schwab.csv")
			if err := os.WriteFile(file, []byte(statementOfOne), 0o600); err != nil {
				t.Fatal(err)
			}
			skills := []string{"get-price", "analyze-trend", "dcf-valuation", "risk-xray", "rebalance"}
			watched := []string{"AAPL", "MSFT", "AMZN", "IBM", "XRX"}
			settings := [][]string{{"base_currency", "EUR"}, {"benchmark", "VTI"}, {"notify", "bell"}, {"motion", "reduced"}, {"title", "false"}}
			var all sync.WaitGroup
			for i := range programs {
				server.Add(llmtest.Answer(llmtest.Say("The answer.")))
				all.Go(func() {
					for _, args := range [][]string{
						{"ask", "and?"},
						{"portfolio", "import", file, "--yes"},
						{"portfolio", "add", "deposit", "--amount", fmt.Sprint(i + 1), "--currency", "USD", "--date", "2022-01-03", "--account", "schwab", "--yes"},
						{"watchlist", "add", watched[i], "--yes"},
						{"skills", "disable", skills[i]},
						append([]string{"config", "set"}, settings[i]...),
					} {
						if _, err := nfaIn(t, env, args...); err != nil {
							t.Errorf("program %d: %v", i, err)
						}
					}
				})
			}
			all.Wait()
			checkHomeOfMany(t, env, programs, skills, watched)
			written, err := os.ReadFile(filepath.Join(homeIn(env), "config.yaml"))
			if err != nil || strings.Count(string(written), "\n") != programs {
				t.Errorf("the settings are %q, %v; want a line of each program", written, err)
			}
		})
	}
}

func checkHomeOfMany(t *testing.T, env []string, programs int, skills, watched []string) {
	t.Helper()
	output := func(args ...string) string {
		out, err := nfaIn(t, env, args...)
		if err != nil {
			t.Error(err)
		}
		return out
	}
	var listed struct {
		Result struct {
			Transactions []struct{ Kind string }
		}
	}
	if err := json.Unmarshal([]byte(output("portfolio", "list", "--json")), &listed); err != nil {
		t.Fatal(err)
	}
	if got, want := len(listed.Result.Transactions), 3+programs; got != want {
		t.Errorf("the ledger has %d transactions, want the 3 of the file once and %d more", got, programs)
	}
	if got := strings.Count(output("sessions", "list"), "and?"); got != programs {
		t.Errorf("%d conversations are kept, want %d", got, programs)
	}
	list, disabled := output("watchlist"), output("skills", "list")
	for i := range programs {
		if !strings.Contains(list, watched[i]) {
			t.Errorf("%s is not on the watchlist: %s", watched[i], list)
		}
		if !disabledIn(disabled, skills[i]) {
			t.Errorf("%s is not disabled", skills[i])
		}
	}
	output("doctor") // exit 1 is a problem
}

// disabledIn reports whether a list says that a skill is disabled.
func disabledIn(list, name string) bool {
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, name+" ") && strings.Contains(line, "disabled") {
			return true
		}
	}
	return false
}

// homeIn returns NFA_HOME of an environment.
func homeIn(env []string) string {
	home := ""
	for _, v := range env {
		if rest, ok := strings.CutPrefix(v, "NFA_HOME="); ok {
			home = rest
		}
	}
	return home
}

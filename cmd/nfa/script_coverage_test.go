package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
)

// calls returns the lines of a script that run a program, starting at its name, but not lines that only check
// output.
func calls(script string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^(?:\[[^\]]*\] )*(?:! |\? )?(?:exec|exits \d+) (.*)$`).FindAllStringSubmatch(script, -1) {
		all = append(all, m[1])
	}
	return all
}

// hasCall reports whether one of the calls runs the command: "nfa skill" does not match "nfa skills".
func hasCall(calls []string, verb string) bool {
	for _, call := range calls {
		if rest, ok := strings.CutPrefix(call, verb); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// isOldName reports whether a command is the former name of another.
func isOldName(c *cobra.Command) bool {
	name := strings.TrimPrefix(c.CommandPath(), "nfa ")
	row, ok := app.LookupCommand(name)
	return ok && row.Name != name
}

func TestVerbs_EachIsTypedInAScript(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, calls(string(text))...)
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.HasSubCommands() && !isOldName(c) && !hasCall(all, c.CommandPath()) {
			t.Errorf("%s is called in no script of testdata/script", c.CommandPath())
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(newRoot(terminal{env: os.Getenv}, allCommands))
}

func TestHasCall_IsACallOfTheVerbItself(t *testing.T) {
	for _, c := range []struct {
		script string
		want   bool
	}{
		{"exec nfa skill", true},
		{"# first\nexec nfa skill look --json\n", true},
		{"! exec nfa skill", true},
		{"exits 3 nfa skill x", true},
		{"[unix] exec nfa skill", true},
		{"exec nfa skills", false},
		{"exec nfa skill-x", false},
		{"# nfa skill", false},
		{"stdout 'nfa skill'", false},
		{"! stdout 'nfa skill'", false},
		{"  exec nfa skill", false},
		{"exec echo nfa skill", false},
	} {
		if got := hasCall(calls(c.script), "nfa skill"); got != c.want {
			t.Errorf("nfa skill is called in %q: %t, want %t", c.script, got, c.want)
		}
	}
}

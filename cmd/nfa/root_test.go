package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/app"
)

func TestRoot_EveryCommandOfTheTableIsThere(t *testing.T) {
	root := newRoot(terminal{env: func(string) string { return "" }}, allCommands)
	for name := range implementations() {
		if _, ok := app.LookupCommand(name); !ok {
			t.Errorf("%s is implemented and not in the table", name)
		}
	}
	for _, row := range app.Commands() {
		if row.Name == "" {
			continue
		}
		for _, name := range append([]string{row.Name}, row.Old...) {
			cmd, rest, err := root.Find(strings.Fields(name))
			if err != nil || len(rest) > 0 || cmd.CommandPath() != "nfa "+name || cmd.Short != row.About || cmd.RunE == nil || cmd.Hidden != (row.Hidden || name != row.Name) {
				t.Errorf("nfa %s is %q, hidden %t, %v", name, cmd.CommandPath(), cmd.Hidden, err)
			}
		}
	}
}

func TestRoot_ACommandIsTheSameMadeAloneAndAmongAll(t *testing.T) {
	env := func(string) string { return "" }
	all := newRoot(terminal{env: env}, allCommands)
	for _, among := range all.Commands() {
		single := newRoot(terminal{env: env}, neededCommands([]string{among.Name(), "--json"}))
		if got := single.Commands(); len(got) != 1 || got[0].CommandPath() != among.CommandPath() {
			t.Errorf("%s makes %d commands, want itself alone", among.CommandPath(), len(got))
			continue
		}
		if diff := cmp.Diff(among.UsageString(), single.Commands()[0].UsageString()); diff != "" {
			t.Errorf("%s explains itself otherwise when made alone (-among all +alone):\n%s", among.CommandPath(), diff)
		}
	}
	for _, line := range [][]string{{"--offline", "ask"}, {"help", "ask"}, {"__complete", ""}, {"askk"}} {
		if got := len(newRoot(terminal{env: env}, neededCommands(line)).Commands()); got != len(all.Commands()) {
			t.Errorf("nfa %q makes %d commands, want all", line, got)
		}
	}
	if got := len(newRoot(terminal{env: env}, neededCommands(nil)).Commands()); got != 0 {
		t.Errorf("nfa makes %d commands, want none", got)
	}
}

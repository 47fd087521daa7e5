package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoot_AVerbIsTheSameMadeAloneAndAmongAll(t *testing.T) {
	env := func(string) string { return "" }
	all := newRoot(terminal{env: env}, subcommands())
	if got, want := len(all.Commands()), len(subcommands()); got != want {
		t.Errorf("the whole command line has %d verbs, want %d", got, want)
	}
	for _, v := range subcommands() {
		single := newRoot(terminal{env: env}, neededSubcommands([]string{v.name, "--json"}))
		if got := len(single.Commands()); got != 1 {
			t.Errorf("nfa %s makes %d verbs, want itself alone", v.name, got)
		}
		one, _, err := single.Find([]string{v.name})
		if err != nil {
			t.Errorf("nfa %s: %v", v.name, err)
			continue
		}
		among, _, err := all.Find([]string{v.name})
		if err != nil || one.CommandPath() != "nfa "+v.name {
			t.Errorf("%q is %q, alone or among all (%v)", v.name, one.CommandPath(), err)
			continue
		}
		if diff := cmp.Diff(among.UsageString(), one.UsageString()); diff != "" {
			t.Errorf("nfa %s explains itself otherwise when made alone (-among all +alone):\n%s", v.name, diff)
		}
	}
	for _, line := range [][]string{{"--offline", "ask"}, {"help", "ask"}, {"__complete", ""}, {"askk"}} {
		if got := len(neededSubcommands(line)); got != len(subcommands()) {
			t.Errorf("nfa %q makes %d verbs, want all", line, got)
		}
	}
}

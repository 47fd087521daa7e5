package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/humanize"
)

// reportCrash reports a panic and returns the exit code. The user sees one line; the log gets the
// stack. The panic value is written nowhere, because it may contain a key or an amount. Without a
// log, the stack goes to stderr. root may be nil; otherwise its flags name the data folder.
func (t terminal) reportCrash(site *crash.Site, root *cobra.Command) int {
	home, err := t.findHome(root)
	if err == nil {
		err = app.LogCrash(site, home)
	}
	if err != nil {
		fmt.Fprintf(t.err, "nfa: %v:\n%s\n", site, site.Stack())
		return exitFailure
	}
	fmt.Fprintf(t.err, "nfa: %v; details are in %s/nfa.log\n", site, humanize.ShortPath(home))
	return exitFailure
}

func (t terminal) findHome(root *cobra.Command) (string, error) {
	flag := ""
	if root != nil {
		flag, _ = root.PersistentFlags().GetString("home")
	}
	return config.Home(flag, t.env, os.UserHomeDir)
}

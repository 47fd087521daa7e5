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

// reportCrash ends the program after a panic: a calm line for the user, where it
// happened for the log, and what it said, which may quote a key or an amount, for
// nobody. Where there is no log to write to, the place stands below the line. The
// command line tells the home; it is nil where there was none yet.
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

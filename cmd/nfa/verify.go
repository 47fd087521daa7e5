package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tools/planning"
)

func newVerify(g *globals) *cobra.Command {
	var live, asJSON bool
	cmd := &cobra.Command{
		Long: `verify reads a report of write_report and the record beside it (FILE.provenance.json). It says
whether the file was changed since, matches every number in it to the figure on record, and
runs calculations again with their recorded arguments. What came from a market source is asked
for again with --live only, and may have changed since then.

It exits with 0 when all figures are traced and the same, with 1 when something differs or is
not traced, with 5 when there is no record. A record is not signed: who changed report and
record alike is found out by the calls that are made again, and by nothing else.`,
		Example: `  nfa verify apple-2026-11-20.md
  nfa verify ~/.nfa/reports/apple.html --live --json`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, names []string) error {
			pure := map[string]bool{}
			for _, t := range planning.CalculatorTools() {
				pure[t.Name] = true
			}
			v, err := report.Verify(cmd.Context(), names[0], report.VerifyOptions{Router: a.Tools, Pure: pure, Live: live})
			if errors.Is(err, report.ErrNoRecord) {
				return &exitError{exitNoData, err}
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = cli.WriteJSON(g.out, v)
			} else {
				_, err = io.WriteString(g.out, v.String())
			}
			if err == nil && !v.Same {
				err = &exitError{code: exitFailure}
			}
			return err
		}),
	}
	cmd.Flags().BoolVar(&live, "live", false, "ask the sources again, too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
)

func newDoctor(g *globals) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := app.Diagnose(cmd.Context(), g.options(app.Options{}), live)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			var err error
			if g.json {
				err = cli.WriteJSON(g.out, findings)
			} else {
				err = app.WriteFindings(g.out, findings)
			}
			if err == nil && app.HasProblems(findings) {
				err = &exitError{code: exitFailure}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "send a request to each data source")
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
)

func newDoctor(g *globals) *cobra.Command {
	var asJSON, live bool
	cmd := &cobra.Command{
		Long: `doctor looks at the home, the book, the settings, the model, the data and the skills. It asks
no server, but with --live each source of market data that is set up, once. It
exits with 1 when it finds a problem.`,
		Example: "  nfa doctor\n  nfa doctor --live",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := app.Diagnose(cmd.Context(), g.options(app.Options{}), live)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			var err error
			if asJSON {
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&live, "live", false, "ask each source of market data whether it answers")
	return cmd
}

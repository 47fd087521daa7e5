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
	var live bool
	cmd := &cobra.Command{
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
			if g.json {
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
	cmd.Flags().BoolVar(&live, "live", false, "also fetch market data again")
	return cmd
}

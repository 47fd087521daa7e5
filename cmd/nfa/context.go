package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
)

func newContext(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Agent: true}, func(_ *cobra.Command, a *app.App, _ []string) error {
			size, err := a.RequestSize()
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, size)
			}
			_, err = fmt.Fprint(g.out, screens.RequestSizeText(size))
			return err
		}),
	}
	return cmd
}

package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newProfileEdit(g *globals) *cobra.Command {
	var input string
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			if input == "" {
				if !cli.IsTerminal(g.in) || !cli.IsTerminal(g.out) {
					return usage.Errorf("an editor needs a terminal; give the text with: nfa profile edit --from FILE")
				}
				return a.ProfileEditor(g.out, g.err).Edit(cmd.Context(), g.runEditor)
			}
			_, text, err := app.ReadNamedFile(input)
			if err != nil {
				return usage.Errorf("--from: reading the file: %v", err)
			}
			return a.ProfileEditor(g.out, g.err).Put(cmd.Context(), text, input)
		}),
	}
	cmd.Flags().StringVar(&input, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

func newProfileAsk(g *globals) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Long: "ask goes through the questions that have no answer. An empty line leaves one open, and q ends; what was answered is kept.",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			return g.askProfile(cmd.Context(), a, all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "ask again what is answered")
	return cmd
}

// askProfile ends as interrupted where Ctrl+C ended the questions.
func (g *globals) askProfile(ctx context.Context, a *app.App, all bool) error {
	err := a.ProfileEditor(g.out, g.err).Ask(ctx, g.in, all)
	if err == nil && ctx.Err() != nil {
		err = &exitError{code: exitInterrupted}
	}
	return err
}

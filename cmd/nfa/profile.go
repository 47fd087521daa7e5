package main

import (
	"context"
	"io"

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
					return usage.Errorf("an editor needs a terminal; use: nfa profile edit --from FILE")
				}
				if err := a.ProfileEditor(g.textOut(), g.err).Edit(cmd.Context(), g.runEditor); err != nil {
					return err
				}
				return g.printProfile(cmd.Context(), a)
			}
			_, text, err := app.ReadNamedFile(input)
			if err != nil {
				return usage.Errorf("--from: %v", err)
			}
			if err := a.ProfileEditor(g.textOut(), g.err).Put(cmd.Context(), text, input); err != nil {
				return err
			}
			return g.printProfile(cmd.Context(), a)
		}),
	}
	cmd.Flags().StringVar(&input, "from", "", "`FILE` read the profile from this file instead of an editor")
	return cmd
}

func newProfileAsk(g *globals) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			if err := g.askProfile(cmd.Context(), a, all); err != nil {
				return err
			}
			return g.printProfile(cmd.Context(), a)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "ask all questions again")
	return cmd
}

// textOut returns the stream for text that people read: stderr with --json.
func (g *globals) textOut() io.Writer {
	if g.json {
		return g.err
	}
	return g.out
}

// printProfile prints the profile if --json is set.
func (g *globals) printProfile(ctx context.Context, a *app.App) error {
	if !g.json {
		return nil
	}
	return g.callTool(ctx, a, a.Tools, toolCall{"investor_profile", "{}", true})
}

// askProfile asks the unanswered questions, or all of them. If Ctrl+C ended them, it returns the error for an
// interruption.
func (g *globals) askProfile(ctx context.Context, a *app.App, all bool) error {
	err := a.ProfileEditor(g.textOut(), g.err).Ask(ctx, g.in, all)
	if err == nil && ctx.Err() != nil {
		err = &exitError{code: exitInterrupted}
	}
	return err
}

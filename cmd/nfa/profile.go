package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/usage"
)

// newProfile returns the command profile. Without a subcommand it shows the investor profile.
func newProfile(g *globals) *cobra.Command {
	root := withSubcommands(g, profileCommand(), profileSubcommands())
	root.AddCommand(newProfileAsk(g), newProfileEdit(g))
	return root
}

func profileCommand() toolCommand {
	return toolCommand{
		use: "profile", short: "Show who you are as an investor, and what is not known", tool: "investor_profile",
		example: "  nfa profile ask\n  nfa profile edit",
	}
}

func profileSubcommands() []toolCommand {
	return []toolCommand{
		{
			use: "answer ID ANSWER", short: "Answer one question of the interview", tool: "investor_profile", minArgs: 2, maxArgs: -1, writes: true,
			example: "  nfa profile answer horizon 10 years",
			fixed:   map[string]any{"action": "answer"},
			setArgs: func(args []string, in map[string]any) error {
				in["answers"] = map[string]string{args[0]: strings.Join(args[1:], " ")}
				return nil
			},
		},
		{
			use: "clear [ID...]", short: "Forget answers, all of them where none is named", tool: "investor_profile", maxArgs: -1, writes: true,
			fixed: map[string]any{"action": "clear"},
			setArgs: func(args []string, in map[string]any) error {
				if len(args) > 0 {
					in["ids"] = args
				}
				return nil
			},
		},
	}
}

// profileEditor returns the editor that asks the user for the investor profile.
func (p *program) profileEditor(g *globals) app.ProfileEditor {
	return app.ProfileEditor{Store: p.portfolio, Now: clock, Draft: filepath.Join(p.home, "profile-edit.yaml"), Out: g.out, Notices: g.err}
}

func newProfileEdit(g *globals) *cobra.Command {
	var input string
	cmd := &cobra.Command{
		Use: "edit", Short: "Edit the profile in $VISUAL or $EDITOR",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(cmd *cobra.Command, p *program, _ []string) error {
			if input == "" {
				if !cli.IsTerminal(g.in) || !cli.IsTerminal(g.out) {
					return usage.Errorf("an editor needs a terminal; give the text with: nfa profile edit --from FILE")
				}
				return p.profileEditor(g).Edit(cmd.Context(), g.runEditor)
			}
			_, text, err := readNamedFile(input)
			if err != nil {
				return usage.Errorf("--from: reading the file: %v", err)
			}
			return p.profileEditor(g).Put(cmd.Context(), text, input)
		}),
	}
	cmd.Flags().StringVar(&input, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

func newProfileAsk(g *globals) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "ask", Short: "Answer the questions that are open, one by one",
		Long: "ask goes through the questions that have no answer. An empty line leaves one open, and q ends; what was answered is kept.",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(cmd *cobra.Command, p *program, _ []string) error {
			return p.askProfile(cmd.Context(), g, all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "ask again what is answered")
	return cmd
}

// askProfile ends as interrupted where Ctrl+C ended the questions.
func (p *program) askProfile(ctx context.Context, g *globals, all bool) error {
	err := p.profileEditor(g).Ask(ctx, g.in, all)
	if err == nil && ctx.Err() != nil {
		err = &exitError{code: exitInterrupted}
	}
	return err
}

// profileForm runs /profile.
func (p *program) profileForm(g *globals) func(string) (string, error) {
	return func(string) (string, error) { return p.profileEditor(g).Form(context.Background()) }
}

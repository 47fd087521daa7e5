package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/questionnaire"
)

// newProfile is who the user is as an investor: alone it shows it.
func newProfile(g *globals) *cobra.Command {
	root := withVerbs(g, profileVerb(), profileVerbs())
	root.AddCommand(newProfileAsk(g), newProfileEdit(g))
	return root
}

func profileVerb() toolVerb {
	return toolVerb{
		use: "profile", short: "Show who you are as an investor, and what is not known", tool: "investor_profile",
		example: "  nfa profile ask\n  nfa profile edit",
	}
}

func profileVerbs() []toolVerb {
	return []toolVerb{
		{
			use: "answer ID ANSWER", short: "Answer one question of the interview", tool: "investor_profile", least: 2, most: -1, writes: true,
			example: "  nfa profile answer horizon 10 years",
			fixed:   map[string]any{"action": "answer"},
			fill: func(words []string, in map[string]any) error {
				in["answers"] = map[string]string{words[0]: strings.Join(words[1:], " ")}
				return nil
			},
		},
		{
			use: "clear [ID...]", short: "Forget answers, all of them where none is named", tool: "investor_profile", most: -1, writes: true,
			fixed: map[string]any{"action": "clear"},
			fill: func(words []string, in map[string]any) error {
				if len(words) > 0 {
					in["ids"] = words
				}
				return nil
			},
		},
	}
}

// questionnaire asks the user themself who they are.
func (h *house) questionnaire(g *globals) questionnaire.Questionnaire {
	return questionnaire.Questionnaire{Book: h.book, Now: clock, Draft: filepath.Join(h.home, "profile-edit.yaml"), Out: g.out, Notices: g.err}
}

func newProfileEdit(g *globals) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use: "edit", Short: "Edit the profile in $VISUAL or $EDITOR",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(cmd *cobra.Command, h *house, _ []string) error {
			if from == "" {
				if !console.IsTerminal(g.in) || !console.IsTerminal(g.out) {
					return misuse.Errorf("an editor needs a terminal; give the text with: nfa profile edit --from FILE")
				}
				return h.questionnaire(g).Edit(cmd.Context(), g.runEditor)
			}
			_, text, err := readWhole(from)
			if err != nil {
				return misuse.Errorf("--from: reading the file: %v", err)
			}
			return h.questionnaire(g).Put(cmd.Context(), text, from)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

func newProfileAsk(g *globals) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "ask", Short: "Answer the questions that are open, one by one",
		Long: "ask goes through the questions that have no answer. An empty line leaves one open, and q ends; what was answered is kept.",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(cmd *cobra.Command, h *house, _ []string) error {
			return h.askProfile(cmd.Context(), g, all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "ask again what is answered")
	return cmd
}

// askProfile ends as interrupted where Ctrl+C ended the questions.
func (h *house) askProfile(ctx context.Context, g *globals, all bool) error {
	err := h.questionnaire(g).Ask(ctx, g.in, all)
	if err == nil && ctx.Err() != nil {
		err = &exitError{code: exitInterrupted}
	}
	return err
}

// profileForm is /profile.
func (h *house) profileForm(g *globals) func(string) (string, error) {
	return func(string) (string, error) { return h.questionnaire(g).Form(context.Background()) }
}

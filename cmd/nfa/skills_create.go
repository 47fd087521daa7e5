package main

import (
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
)

func newSkillsCreate(g *globals) *cobra.Command {
	var f library.NewSkillOptions
	var replace bool
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Make a skill of your own to start from",
		Example: `  nfa skills create weekly-review --description "Reviews my watchlist. Use when I ask how the week went."
  nfa skills create weekly-review --from notes.md --description "Reviews my watchlist"`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			content, err := library.NewSkillText(names[0], f)
			if err != nil {
				return err
			}
			p, err := openProgram(cmd.Context(), g, programOptions{})
			if err != nil {
				return err
			}
			defer p.close()
			done, err := p.skillLibrary.Installer().Create(content, install.Options{Replace: replace})
			if err != nil {
				return withFlagHint(err, "choose another name, or --replace")
			}
			g.printInstalled("created", done)
			return nil
		},
	}
	cmd.Flags().StringVar(&f.Description, "description", "", "what it does and when to use it; the assistant chooses by it")
	cmd.Flags().StringVar(&f.Category, "category", "", "the group it is listed in")
	cmd.Flags().StringVar(&f.From, "from", "", "begin with this `FILE`: a SKILL.md, or Markdown for its body")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace your skill of that name, or hide another's")
	return cmd
}

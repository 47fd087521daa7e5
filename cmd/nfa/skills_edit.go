package main

import (
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsEdit(g *globals) *cobra.Command {
	var input string
	cmd := &cobra.Command{
		Use: "edit NAME", Short: "Edit a skill of yours in $VISUAL or $EDITOR",
		Long: `edit opens a copy of a skill's SKILL.md in your editor. What you save takes its place once
it is valid; else it is kept aside, with what is wrong. With another name in it the
skill is renamed. VISUAL and EDITOR may hold arguments, quoted as in a shell. Without a
terminal no editor is started: give the new text with --from FILE.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, names []string) error {
			if input == "" {
				return p.editByHand(g, names[0])
			}
			if _, err := p.skillLibrary.FindOwn(names[0]); err != nil {
				return fmt.Errorf("editing %s: %w", names[0], err)
			}
			content, err := library.ReadSkillText(input)
			if err != nil {
				return err
			}
			return p.putEdited(g, names[0], content)
		}),
	}
	cmd.Flags().StringVar(&input, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

// editByHand lets the user edit a copy in their editor.
func (p *program) editByHand(g *globals, name string) error {
	if _, err := p.skillLibrary.FindOwn(name); err != nil {
		return fmt.Errorf("editing %s: %w", name, err)
	}
	if !cli.IsTerminal(g.in) || !cli.IsTerminal(g.out) {
		return usage.Errorf("editing %s: an editor needs a terminal; give the new text with: nfa skills edit %s --from FILE", name, name)
	}
	d, err := p.skillLibrary.OpenDraft(name)
	if err != nil {
		return err
	}
	done, changed, err := p.skillLibrary.FinishDraft(d, g.runEditor(d.Copy))
	switch {
	case err != nil:
		return err
	case !changed:
		_, err := fmt.Fprintf(g.out, "%s is as it was\n", markdown.SanitizeLine(name))
		return err
	}
	g.printInstalled("wrote", done)
	return nil
}

func (p *program) putEdited(g *globals, name string, content []byte) error {
	done, err := p.skillLibrary.Installer().Write(name, content)
	if err != nil {
		return p.skillLibrary.ExplainError(err)
	}
	g.printInstalled("wrote", done)
	return nil
}

// editor returns the command that opens a file in the user's editor.
func (g *globals) editor(file string) (*exec.Cmd, error) { return cli.EditorCommand(g.env, file) }

// runEditor runs the user's editor in the terminal and waits for it.
func (g *globals) runEditor(file string) error {
	cmd, err := g.editor(file)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.in, g.out, g.err
	return cli.RunEditor(cmd)
}

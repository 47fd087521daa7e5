package main

import (
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/editor"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skillset"
)

func newSkillsEdit(g *globals) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use: "edit NAME", Short: "Edit a skill of yours in $VISUAL or $EDITOR",
		Long: `edit opens a copy of a skill's SKILL.md in your editor. What you save takes its place once
it is valid; else it is kept aside, with what is wrong. With another name in it the
skill is renamed. VISUAL and EDITOR may hold arguments, quoted as in a shell. Without a
terminal no editor is started: give the new text with --from FILE.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: g.inHouse(wiring{}, func(_ *cobra.Command, h *house, names []string) error {
			if from == "" {
				return h.editByHand(g, names[0])
			}
			if _, err := h.set.Own(names[0]); err != nil {
				return fmt.Errorf("editing %s: %w", names[0], err)
			}
			content, err := skillset.ReadText(from)
			if err != nil {
				return err
			}
			return h.putEdited(g, names[0], content)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

// editByHand lets the user edit a copy in their editor.
func (h *house) editByHand(g *globals, name string) error {
	if _, err := h.set.Own(name); err != nil {
		return fmt.Errorf("editing %s: %w", name, err)
	}
	if !console.IsTerminal(g.in) || !console.IsTerminal(g.out) {
		return misuse.Errorf("editing %s: an editor needs a terminal; give the new text with: nfa skills edit %s --from FILE", name, name)
	}
	d, err := h.set.OpenDraft(name)
	if err != nil {
		return err
	}
	done, changed, err := h.set.Finish(d, g.runEditor(d.Copy))
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

func (h *house) putEdited(g *globals, name string, content []byte) error {
	done, err := h.set.Installer().Write(name, content)
	if err != nil {
		return h.set.Explained(err)
	}
	g.printInstalled("wrote", done)
	return nil
}

// editor opens a file in the user's editor.
func (g *globals) editor(file string) (*exec.Cmd, error) { return editor.Command(g.env, file) }

// runEditor lets the user's editor have the terminal until it ends.
func (g *globals) runEditor(file string) error {
	cmd, err := g.editor(file)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.in, g.out, g.err
	return editor.Run(cmd)
}

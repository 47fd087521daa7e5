package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
)

func newSkillsEdit(g *globals) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use: "edit NAME", Short: "Edit a skill of yours in $VISUAL or $EDITOR",
		Long: `edit opens a copy of a skill's SKILL.md in your editor. What you save takes its place once
it is valid; else it is kept aside, with what is wrong. With another name in it the
skill is renamed.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: g.inHouse(wiring{}, func(_ *cobra.Command, h *house, names []string) error {
			file, err := h.ownSkill(names[0])
			if err != nil {
				return fmt.Errorf("editing %s: %w", names[0], err)
			}
			if from == "" {
				return h.editByHand(g, names[0], file)
			}
			content, err := readSkillText(from)
			if err != nil {
				return err
			}
			return h.putEdited(g, names[0], content)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

// editByHand lets the user edit a copy, which goes only when its content is in
// its place: an hour's work must not be lost to a missing colon.
func (h *house) editByHand(g *globals, name, file string) error {
	before, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("editing %s: %w", name, err)
	}
	dir, err := os.MkdirTemp("", "nfa-edit-*")
	if err != nil {
		return fmt.Errorf("editing %s: %w", name, err)
	}
	draft := filepath.Join(dir, skill.FileName)
	if err := os.WriteFile(draft, before, 0o600); err != nil {
		return fmt.Errorf("editing %s: %w", name, errors.Join(err, os.RemoveAll(dir)))
	}
	editErr := g.runEditor(draft)
	after, err := os.ReadFile(draft)
	if err != nil || bytes.Equal(before, after) {
		_ = os.RemoveAll(dir)
		if err = errors.Join(editErr, err); err != nil {
			return fmt.Errorf("editing %s: %w", name, err)
		}
		_, err := fmt.Fprintf(g.out, "%s is as it was\n", markdown.SanitizeLine(name))
		return err
	}
	if err = editErr; err == nil {
		err = h.takeDraft(g, name, file, before, after)
	}
	if err != nil {
		return fmt.Errorf("%w\nyour text is kept in %s; mend it there, then: nfa skills edit %s --from %[2]s", err, draft, name)
	}
	return os.RemoveAll(dir)
}

// takeDraft puts an edited text in its place, unless the skill was changed by
// somebody else while the editor was open.
func (h *house) takeDraft(g *globals, name, file string, before, after []byte) error {
	now, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(now, before) {
		return errors.Join(fmt.Errorf("editing %s: %s was changed meanwhile", name, file), err)
	}
	return h.putEdited(g, name, after)
}

func (h *house) putEdited(g *globals, name string, content []byte) error {
	done, err := h.installer().Write(name, content)
	if err != nil {
		return h.explained(err)
	}
	g.printInstalled("wrote", done)
	return nil
}

// runEditor lets the user's editor have the terminal until it ends.
func (g *globals) runEditor(file string) error {
	words, err := g.editor()
	if err != nil {
		return err
	}
	// Ctrl-C belongs to the editor while it runs.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cmd := exec.Command(words[0], append(words[1:], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.in, g.out, g.err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running the editor %s: %w", words[0], err)
	}
	return nil
}

// editor is the command that opens a file: that of the user, with its arguments,
// else one that systems have.
func (g *globals) editor() ([]string, error) {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		command := strings.TrimSpace(g.env(variable))
		if command == "" {
			continue
		}
		// A path may hold blanks of its own.
		if _, err := exec.LookPath(command); err == nil {
			return []string{command}, nil
		}
		return strings.Fields(command), nil
	}
	for _, command := range []string{"editor", "nano", "vi", "notepad"} {
		if path, err := exec.LookPath(command); err == nil {
			return []string{path}, nil
		}
	}
	return nil, usagef("no editor; name one in VISUAL or EDITOR")
}

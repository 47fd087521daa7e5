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
	"github.com/nfa-cli/nfa/internal/skill/install"
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
			if from == "" {
				return h.editByHand(g, names[0])
			}
			if _, err := h.ownSkill(names[0]); err != nil {
				return fmt.Errorf("editing %s: %w", names[0], err)
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

// editByHand lets the user edit a copy in their editor.
func (h *house) editByHand(g *globals, name string) error {
	d, err := h.openDraft(name)
	if err != nil {
		return err
	}
	done, changed, err := d.finish(h, g.runEditor(d.copy))
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

// draft is a copy of a skill's SKILL.md that is being edited. It goes only when
// its content is in its place: an hour's work must not be lost to a missing colon.
type draft struct {
	name   string
	before []byte
	copy   string // the path of the copy
}

func (h *house) openDraft(name string) (d draft, err error) {
	d.name = name
	if d.before, err = h.ownText(name); err != nil {
		return d, fmt.Errorf("editing %s: %w", name, err)
	}
	dir, err := os.MkdirTemp("", "nfa-edit-*")
	if err != nil {
		return d, fmt.Errorf("editing %s: %w", name, err)
	}
	d.copy = filepath.Join(dir, skill.FileName)
	if err := os.WriteFile(d.copy, d.before, 0o600); err != nil {
		return d, fmt.Errorf("editing %s: %w", name, errors.Join(err, d.drop()))
	}
	return d, nil
}

func (d draft) drop() error { return os.RemoveAll(filepath.Dir(d.copy)) }

// finish puts an edited copy in its place, unless the skill was changed by
// somebody else while the editor was open. editErr is how the editor ended.
func (d draft) finish(h *house, editErr error) (done install.Installed, changed bool, err error) {
	after, err := os.ReadFile(d.copy)
	if err != nil || bytes.Equal(d.before, after) {
		if err = errors.Join(editErr, err, d.drop()); err != nil {
			err = fmt.Errorf("editing %s: %w", d.name, err)
		}
		return done, false, err
	}
	if err = editErr; err == nil {
		done, err = d.put(h, after)
	}
	if err != nil {
		return done, true, fmt.Errorf("%w\nyour text is kept in %s; mend it there, then: nfa skills edit %s --from %[2]s", err, d.copy, d.name)
	}
	return done, true, d.drop()
}

func (d draft) put(h *house, after []byte) (install.Installed, error) {
	now, err := h.ownText(d.name)
	if err != nil || !bytes.Equal(now, d.before) {
		return install.Installed{}, errors.Join(fmt.Errorf("editing %s: it was changed meanwhile", d.name), err)
	}
	done, err := h.installer().Write(d.name, after)
	return done, h.explained(err)
}

// ownText is the SKILL.md of a skill that the user may change, usable or not.
func (h *house) ownText(name string) ([]byte, error) {
	file, err := h.ownSkill(name)
	if err != nil {
		return nil, err
	}
	if _, usable := h.skills.Lookup(name); !usable {
		return h.installer().Text(file)
	}
	content, err := h.skills.Load(name)
	return []byte(content.Text), err
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
	cmd, err := g.editorFor(file)
	if err != nil {
		return err
	}
	// Ctrl-C belongs to the editor while it runs.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.in, g.out, g.err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running the editor %s: %w", cmd.Args[0], err)
	}
	return nil
}

func (g *globals) editorFor(file string) (*exec.Cmd, error) {
	words, err := g.editor()
	if err != nil {
		return nil, err
	}
	return exec.Command(words[0], append(words[1:], file)...), nil
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

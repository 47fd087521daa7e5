package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
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
	if _, err := h.ownSkill(name); err != nil {
		return fmt.Errorf("editing %s: %w", name, err)
	}
	if !console.IsTerminal(g.in) || !console.IsTerminal(g.out) {
		return misuse.Errorf("editing %s: an editor needs a terminal; give the new text with: nfa skills edit %s --from FILE", name, name)
	}
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
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("the editor deleted the file it was given; the skill is as it was")
	}
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
		return done, true, &keptError{d, err}
	}
	return done, true, d.drop()
}

// keptError means that an edited text did not take its place and was kept.
type keptError struct {
	draft draft
	err   error
}

func (e *keptError) Error() string {
	return fmt.Sprintf("%v\nyour text is kept in %s; mend it there, then: nfa skills edit %s --from %[2]s", e.err, e.draft.copy, e.draft.name)
}

func (e *keptError) Unwrap() error { return e.err }

// stands reports whether a draft that was kept can be gone on with: it is there,
// and the skill is still what it was made of.
func (d draft) stands(h *house) bool {
	if _, err := os.Stat(d.copy); err != nil {
		return false
	}
	now, err := h.ownText(d.name)
	return err == nil && bytes.Equal(now, d.before)
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

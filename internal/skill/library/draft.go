package library

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// Draft is a copy of a skill's SKILL.md that is being edited. It goes only when
// its content is in its place: an hour's work must not be lost to a missing colon.
type Draft struct {
	Name string
	Copy string // the path of the copy

	original []byte
}

// OpenDraft makes a copy of the SKILL.md of a skill that the user may change.
func (lib *Library) OpenDraft(name string) (d Draft, err error) {
	d.Name = name
	if d.original, err = lib.ownText(name); err != nil {
		return d, fmt.Errorf("editing %s: %w", name, err)
	}
	dir, err := os.MkdirTemp("", "nfa-edit-*")
	if err != nil {
		return d, fmt.Errorf("editing %s: %w", name, err)
	}
	d.Copy = filepath.Join(dir, skill.FileName)
	if err := os.WriteFile(d.Copy, d.original, 0o600); err != nil {
		return d, fmt.Errorf("editing %s: %w", name, errors.Join(err, d.remove()))
	}
	return d, nil
}

func (d Draft) remove() error { return os.RemoveAll(filepath.Dir(d.Copy)) }

// FinishDraft puts an edited copy in its place, unless the skill was changed by
// somebody else while the editor was open. editErr is how the editor ended.
func (lib *Library) FinishDraft(d Draft, editErr error) (result install.Result, changed bool, err error) {
	edited, err := os.ReadFile(d.Copy)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("the editor deleted the file it was given; the skill is as it was")
	}
	if err != nil || bytes.Equal(d.original, edited) {
		if err = errors.Join(editErr, err, d.remove()); err != nil {
			err = fmt.Errorf("editing %s: %w", d.Name, err)
		}
		return result, false, err
	}
	if err = editErr; err == nil {
		result, err = lib.saveDraft(d, edited)
	}
	if err != nil {
		return result, true, &DraftKeptError{d, err}
	}
	return result, true, d.remove()
}

// DraftKeptError means that an edited text did not take its place and was kept.
type DraftKeptError struct {
	Draft Draft
	Err   error
}

// Error says what is wrong, and where the text is.
func (e *DraftKeptError) Error() string {
	return fmt.Sprintf("%v\nyour text is kept in %s; mend it there, then: nfa skills edit %s --from %[2]s", e.Err, e.Draft.Copy, e.Draft.Name)
}

// Unwrap gives what is wrong with the text.
func (e *DraftKeptError) Unwrap() error { return e.Err }

// DraftCurrent reports whether a draft that was kept can be gone on with: it is there,
// and the skill is still what it was made of.
func (lib *Library) DraftCurrent(d Draft) bool {
	if _, err := os.Stat(d.Copy); err != nil {
		return false
	}
	current, err := lib.ownText(d.Name)
	return err == nil && bytes.Equal(current, d.original)
}

func (lib *Library) saveDraft(d Draft, edited []byte) (install.Result, error) {
	current, err := lib.ownText(d.Name)
	if err != nil || !bytes.Equal(current, d.original) {
		return install.Result{}, errors.Join(fmt.Errorf("editing %s: it was changed meanwhile", d.Name), err)
	}
	result, err := lib.Installer().Write(d.Name, edited)
	return result, lib.ExplainError(err)
}

// ownText is the SKILL.md of a skill that the user may change, usable or not.
func (lib *Library) ownText(name string) ([]byte, error) {
	file, err := lib.FindOwn(name)
	if err != nil {
		return nil, err
	}
	if _, usable := lib.opts.Registry.Lookup(name); !usable {
		return lib.Installer().ReadText(file)
	}
	content, err := lib.opts.Registry.Load(name)
	return []byte(content.Text), err
}

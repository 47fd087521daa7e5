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

// Draft is a copy of a SKILL.md that is being edited. It is deleted only after its content is
// saved, so that a mistake never loses the user's work.
type Draft struct {
	Name string
	Copy string // path of the copy

	original []byte
}

// OpenDraft copies the SKILL.md of a skill that the user may change.
func (lib *Library) OpenDraft(name string) (d Draft, err error) {
	d.Name = name
	if d.original, err = lib.ownText(name); err != nil {
		return d, fmt.Errorf("edit %s: %w", name, err)
	}
	dir, err := os.MkdirTemp("", "nfa-edit-*")
	if err != nil {
		return d, fmt.Errorf("edit %s: %w", name, err)
	}
	d.Copy = filepath.Join(dir, skill.FileName)
	if err := os.WriteFile(d.Copy, d.original, 0o600); err != nil {
		return d, fmt.Errorf("edit %s: %w", name, errors.Join(err, d.remove()))
	}
	return d, nil
}

func (d Draft) remove() error { return os.RemoveAll(filepath.Dir(d.Copy)) }

// FinishDraft saves an edited copy, unless the skill was changed elsewhere while the editor was
// open. editErr is the error of the editor.
func (lib *Library) FinishDraft(d Draft, editErr error) (result install.Result, changed bool, err error) {
	edited, err := os.ReadFile(d.Copy)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("the editor deleted its file; the skill is unchanged")
	}
	if err != nil || bytes.Equal(d.original, edited) {
		if err = errors.Join(editErr, err, d.remove()); err != nil {
			err = fmt.Errorf("edit %s: %w", d.Name, err)
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

// DraftKeptError means that an edited text could not be saved as the skill, but was kept.
type DraftKeptError struct {
	Draft Draft
	Err   error
}

// Error returns the reason, and where the text is.
func (e *DraftKeptError) Error() string {
	return fmt.Sprintf("%v\nyour text was saved to %s; fix it there, then run: nfa skills edit %s --from %[2]s", e.Err, e.Draft.Copy, e.Draft.Name)
}

// Unwrap returns the reason.
func (e *DraftKeptError) Unwrap() error { return e.Err }

// DraftCurrent reports whether editing of a kept draft can continue: it exists, and the skill has
// not changed since.
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
		return install.Result{}, errors.Join(fmt.Errorf("edit %s: the skill has changed since you opened it", d.Name), err)
	}
	result, err := lib.Installer().Write(d.Name, edited)
	return result, lib.ExplainError(err)
}

// ownText returns the SKILL.md of a skill that the user may change, usable or not.
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

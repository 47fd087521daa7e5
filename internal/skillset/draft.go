package skillset

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

	before []byte
}

// OpenDraft makes a copy of the SKILL.md of a skill that the user may change.
func (set *Set) OpenDraft(name string) (d Draft, err error) {
	d.Name = name
	if d.before, err = set.ownText(name); err != nil {
		return d, fmt.Errorf("editing %s: %w", name, err)
	}
	dir, err := os.MkdirTemp("", "nfa-edit-*")
	if err != nil {
		return d, fmt.Errorf("editing %s: %w", name, err)
	}
	d.Copy = filepath.Join(dir, skill.FileName)
	if err := os.WriteFile(d.Copy, d.before, 0o600); err != nil {
		return d, fmt.Errorf("editing %s: %w", name, errors.Join(err, d.drop()))
	}
	return d, nil
}

func (d Draft) drop() error { return os.RemoveAll(filepath.Dir(d.Copy)) }

// Finish puts an edited copy in its place, unless the skill was changed by
// somebody else while the editor was open. editErr is how the editor ended.
func (set *Set) Finish(d Draft, editErr error) (done install.Installed, changed bool, err error) {
	after, err := os.ReadFile(d.Copy)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("the editor deleted the file it was given; the skill is as it was")
	}
	if err != nil || bytes.Equal(d.before, after) {
		if err = errors.Join(editErr, err, d.drop()); err != nil {
			err = fmt.Errorf("editing %s: %w", d.Name, err)
		}
		return done, false, err
	}
	if err = editErr; err == nil {
		done, err = set.put(d, after)
	}
	if err != nil {
		return done, true, &KeptError{d, err}
	}
	return done, true, d.drop()
}

// KeptError means that an edited text did not take its place and was kept.
type KeptError struct {
	Draft Draft
	Err   error
}

// Error says what is wrong, and where the text is.
func (e *KeptError) Error() string {
	return fmt.Sprintf("%v\nyour text is kept in %s; mend it there, then: nfa skills edit %s --from %[2]s", e.Err, e.Draft.Copy, e.Draft.Name)
}

// Unwrap gives what is wrong with the text.
func (e *KeptError) Unwrap() error { return e.Err }

// Stands reports whether a draft that was kept can be gone on with: it is there,
// and the skill is still what it was made of.
func (set *Set) Stands(d Draft) bool {
	if _, err := os.Stat(d.Copy); err != nil {
		return false
	}
	now, err := set.ownText(d.Name)
	return err == nil && bytes.Equal(now, d.before)
}

func (set *Set) put(d Draft, after []byte) (install.Installed, error) {
	now, err := set.ownText(d.Name)
	if err != nil || !bytes.Equal(now, d.before) {
		return install.Installed{}, errors.Join(fmt.Errorf("editing %s: it was changed meanwhile", d.Name), err)
	}
	done, err := set.Installer().Write(d.Name, after)
	return done, set.Explained(err)
}

// ownText is the SKILL.md of a skill that the user may change, usable or not.
func (set *Set) ownText(name string) ([]byte, error) {
	file, err := set.Own(name)
	if err != nil {
		return nil, err
	}
	if _, usable := set.o.Registry.Lookup(name); !usable {
		return set.Installer().Text(file)
	}
	content, err := set.o.Registry.Load(name)
	return []byte(content.Text), err
}

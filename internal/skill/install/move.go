package install

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/skill"
)

// MoveResult is the result of Move.
type MoveResult struct {
	Skills  []Result       // moved to the folder
	Waiting []WaitingSkill // still in the store
}

// WaitingSkill is a skill that stays in the store, with the reason.
type WaitingSkill struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Fix    string `json:"mend"` // how to resolve it
	// Taken is set if the folder has a skill of that name.
	Taken bool `json:"taken"`
}

// Move moves the skills of the store into the folder, each completely or not at all. If several
// programs call it at once, each skill is moved once. A skill whose name is taken in the folder
// stays in the store, unless both are equal: then an interrupted move is completed.
func (i *Installer) Move() (MoveResult, error) {
	stored, err := i.storedSkills()
	if err != nil || len(stored) == 0 {
		return MoveResult{}, err
	}
	var m MoveResult
	err = i.withFolderLock(func(c *folderChange) error { return i.moveAll(c, &m) })
	if err != nil {
		for _, s := range stored {
			m.Waiting = append(m.Waiting, i.newWaiting(s, err))
		}
	}
	if len(m.Skills) > 0 {
		i.Registry.Rescan()
	}
	return m, nil
}

func (i *Installer) moveAll(c *folderChange, m *MoveResult) error {
	// Read again under the lock, because another program may have moved them.
	stored, err := i.storedSkills()
	for _, s := range stored {
		if err := i.moveOne(c, s); err != nil {
			m.Waiting = append(m.Waiting, i.newWaiting(s, err))
			continue
		}
		m.Skills = append(m.Skills, Result{Name: s.Name, Path: filepath.Join(i.Dir, s.Name, skill.FileName)})
	}
	return err
}

func (i *Installer) moveOne(c *folderChange, s skill.StoredSkill) error {
	// Its name becomes a path, and the database may have been changed by anyone.
	if _, err := splitWarnings(s.Name, skill.ValidateContent([]byte(s.Text), s.Name)); err != nil {
		return err
	}
	moved, err := i.alreadyInFolder(c, s)
	if err == nil && !moved {
		err = c.apply(func(c *folderChange) error {
			staged, err := c.stage(bundle{files: []bundleFile{{skill.FileName, []byte(s.Text)}}}, s.Name)
			c.moves = append(c.moves, plannedMove{staged, s.Name})
			return err
		})
	}
	if err != nil {
		return err
	}
	// Remove last, so that a crash leaves two equal skills, not none.
	if err := i.swapStored([]skill.StoredSkill{s}, nil); err != nil {
		return fmt.Errorf("moved to the folder, but it could not be removed from the database: %w", err)
	}
	return nil
}

// alreadyInFolder reports whether the folder has an equal skill. A different skill with its name is
// a *ConflictError.
func (i *Installer) alreadyInFolder(c *folderChange, s skill.StoredSkill) (bool, error) {
	olds, err := i.conflictingFolders(c, s.Name)
	if err != nil || len(olds) == 0 {
		return false, err
	}
	text, err := c.root.ReadFile(path.Join(olds[0], skill.FileName))
	if err == nil && string(text) == s.Text {
		return true, nil
	}
	return false, &ConflictError{Name: s.Name, Path: filepath.Join(i.Dir, filepath.FromSlash(olds[0])), Source: skill.SourceUser}
}

func (i *Installer) newWaiting(s skill.StoredSkill, err error) WaitingSkill {
	w := WaitingSkill{Name: s.Name, Path: s.Path(), Reason: err.Error(), Fix: "nfa tries again when it starts"}
	conflict, taken := errors.AsType[*ConflictError](err)
	switch {
	case taken && conflict.Final:
		w.Taken = true
		w.Reason = fmt.Sprintf("%s exists and is not a skill", conflict.Path)
		w.Fix = "move or rename that file; nfa moves the skill when it starts again"
	case taken:
		w.Taken = true
		w.Reason = fmt.Sprintf("%s has the same name; the skill in the database is used", conflict.Path)
		w.Fix = fmt.Sprintf("keep one of them: run nfa skills delete %[1]s to delete the one in the database, "+
			"run nfa skills edit %[1]s to rename it, or move the folder", s.Name)
	case errors.Is(err, ErrNotWritable):
		w.Reason = fmt.Sprintf("cannot write to %s (%v)", i.Dir, stripErrorPath(err))
		w.Fix = "make it a writable folder; nfa moves the skill there when it starts again"
	}
	return w
}

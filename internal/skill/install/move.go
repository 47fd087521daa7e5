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
	Skills  []Result       // now in the folder
	Waiting []WaitingSkill // still in the store
}

// WaitingSkill is a skill that stays in the store, and why.
type WaitingSkill struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Fix    string `json:"mend"` // what to do about it
	// Taken is set when the reason is a skill of that name in the folder.
	Taken bool `json:"taken"`
}

// Move moves the skills of the store into the folder, each completely or not at all. If several
// programs call it at once, each skill is moved once. A skill whose name is taken in the folder stays
// in the store, unless both are the same: then an earlier move was interrupted and is completed.
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
	// Its name becomes a path, and anybody may have changed the database.
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
	// Last, so that a program killed before this leaves two equal skills and not none.
	if err := i.swapStored([]skill.StoredSkill{s}, nil); err != nil {
		return fmt.Errorf("it is in the folder now, but removing it from the database: %w", err)
	}
	return nil
}

// alreadyInFolder reports whether the folder has the same skill. Another skill of its name is a
// *ConflictError.
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
	w := WaitingSkill{Name: s.Name, Path: s.Path(), Reason: err.Error(), Fix: "the next start tries again"}
	conflict, taken := errors.AsType[*ConflictError](err)
	switch {
	case taken && conflict.Final:
		w.Taken = true
		w.Reason = fmt.Sprintf("%s is in the way and is not a skill", conflict.Path)
		w.Fix = "move that away; the next start moves the skill"
	case taken:
		w.Taken = true
		w.Reason = fmt.Sprintf("%s is a skill of that name; the one in the database is used", conflict.Path)
		w.Fix = fmt.Sprintf("keep one of them: nfa skills delete %[1]s deletes the one in the database, "+
			"nfa skills edit %[1]s can give it another name, or move the folder away", s.Name)
	case errors.Is(err, ErrNotWritable):
		w.Reason = fmt.Sprintf("%s cannot be written (%v)", i.Dir, stripErrorPath(err))
		w.Fix = "make it a folder that you can write; the next start moves the skill there"
	}
	return w
}

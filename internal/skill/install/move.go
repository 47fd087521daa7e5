package install

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/lint"
)

// Moved is what Move came to.
type Moved struct {
	Skills  []Installed // that are in the folder now
	Waiting []Waiting   // that are in the store still
}

// Waiting is a skill that stays in the store, and why.
type Waiting struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Mend   string `json:"mend"` // what to do about it
	// Taken is set when the reason is a skill of that name in the folder.
	Taken bool `json:"taken"`
}

// Move puts the skills of the store in the folder, each whole or not at all, and
// costs no more than a look when there are none. Of several programs that move
// at once, one does. A skill whose name is taken in the folder stays in the
// store, unless the two are the same: then a move that was cut short is ended.
func (i *Installer) Move() (Moved, error) {
	all, err := i.all()
	if err != nil || len(all) == 0 {
		return Moved{}, err
	}
	var m Moved
	err = i.inFolder(func(c *change) error { return i.moveAll(c, &m) })
	if err != nil {
		for _, s := range all {
			m.Waiting = append(m.Waiting, i.waiting(s, err))
		}
	}
	if len(m.Skills) > 0 {
		i.Registry.Rescan()
	}
	return m, nil
}

func (i *Installer) moveAll(c *change, m *Moved) error {
	// Looked for again, now that the folder is ours: another program may have
	// moved them meanwhile.
	all, err := i.all()
	for _, s := range all {
		if err := i.moveOne(c, s); err != nil {
			m.Waiting = append(m.Waiting, i.waiting(s, err))
			continue
		}
		m.Skills = append(m.Skills, Installed{Name: s.Name, Path: filepath.Join(i.Dir, s.Name, skill.FileName)})
	}
	return err
}

func (i *Installer) moveOne(c *change, s skill.Stored) error {
	// Its name becomes a path, and anybody may have changed the database.
	if _, err := tolerable(s.Name, lint.ValidateContent([]byte(s.Text), s.Name)); err != nil {
		return err
	}
	moved, err := i.hasTwin(c, s)
	if err == nil && !moved {
		err = c.attempt(func(c *change) error {
			staged, err := c.stage(bundle{files: []bundleFile{{skill.FileName, []byte(s.Text)}}}, s.Name)
			c.moves = append(c.moves, move{staged, s.Name})
			return err
		})
	}
	if err != nil {
		return err
	}
	// Only now that it is on disk to stay: who is stopped in between leaves two
	// that are the same, and not none.
	if err := i.swap([]skill.Stored{s}, nil); err != nil {
		return fmt.Errorf("it is in the folder now, but removing it from the database: %w", err)
	}
	return nil
}

// hasTwin reports whether the folder holds the very skill already. Another of its
// name is a *ConflictError.
func (i *Installer) hasTwin(c *change, s skill.Stored) (bool, error) {
	olds, err := i.inTheWay(c, s.Name)
	if err != nil || len(olds) == 0 {
		return false, err
	}
	text, err := c.root.ReadFile(path.Join(olds[0], skill.FileName))
	if err == nil && string(text) == s.Text {
		return true, nil
	}
	return false, &ConflictError{Name: s.Name, Path: filepath.Join(i.Dir, filepath.FromSlash(olds[0])), Source: skill.SourceUser}
}

func (i *Installer) waiting(s skill.Stored, err error) Waiting {
	w := Waiting{Name: s.Name, Path: s.Path(), Reason: err.Error(), Mend: "the next start tries again"}
	conflict, taken := errors.AsType[*ConflictError](err)
	switch {
	case taken && conflict.Final:
		w.Taken = true
		w.Reason = fmt.Sprintf("%s is in the way and is not a skill", conflict.Path)
		w.Mend = "move that away; the next start moves the skill"
	case taken:
		w.Taken = true
		w.Reason = fmt.Sprintf("%s is a skill of that name; the one in the database is used", conflict.Path)
		w.Mend = fmt.Sprintf("keep one of them: nfa skills delete %[1]s deletes the one in the database, "+
			"nfa skills edit %[1]s can give it another name, or move the folder away", s.Name)
	case errors.Is(err, ErrNotWritable):
		w.Reason = fmt.Sprintf("%s cannot be written (%v)", i.Dir, bare(err))
		w.Mend = "make it a folder that you can write; the next start moves the skill there"
	}
	return w
}

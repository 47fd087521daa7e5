package install

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Write replaces a skill's SKILL.md with content. If content has another name, the directory is
// renamed too. Content must be valid, as for Import, but is not repaired, so that an edited text is
// saved as written. A skill in the store is changed there. The errors are *NotFoundError,
// ErrBuiltin, ErrOutsideFolder, *InvalidError, *ConflictError, ErrNotWritable and ErrBusy.
func (i *Installer) Write(name string, content []byte) (Result, error) {
	var result Result
	old, stored, err := i.findStored(name)
	switch {
	case stored:
		result, err = i.rewriteStored(old, content)
	case err == nil:
		result, err = i.write(name, content)
	}
	if err != nil {
		return Result{}, fmt.Errorf("write %s: %w", name, err)
	}
	i.Registry.Rescan()
	return result, nil
}

func (i *Installer) write(name string, content []byte) (Result, error) {
	var result Result
	err := i.applyChange(func(c *folderChange) error {
		dir, err := i.findFolder(c, name)
		if err != nil {
			return err
		}
		if result.Warnings, err = splitWarnings(name, skill.ValidateContent(content, "")); err != nil {
			return err
		}
		s, _, err := skill.Parse(content)
		if err != nil {
			return err
		}
		result.Name = s.Name
		target, err := i.renameTarget(c, dir, s.Name)
		if err != nil {
			return err
		}
		if target != dir {
			result.From = path.Base(dir)
		}
		result.Path = filepath.Join(i.Dir, filepath.FromSlash(target), skill.FileName)
		staged, err := c.stage(bundle{files: []bundleFile{{skill.FileName, content}}}, "edit")
		if err != nil {
			return err
		}
		return c.planEdit(path.Join(staged, skill.FileName), dir, target)
	})
	return result, err
}

// renameTarget returns the directory for the skill in dir under the new name, which is dir itself
// if the name is unchanged.
func (i *Installer) renameTarget(c *folderChange, dir, name string) (string, error) {
	currentName := skill.CanonicalName(path.Base(dir))
	for _, s := range i.folderSkills() {
		if i.dirOf(s) == dir {
			currentName = s.Name
		}
	}
	if currentName == name {
		return dir, nil
	}
	olds, err := i.conflictingFolders(c, name)
	if err != nil {
		return "", err
	}
	for _, old := range olds {
		if old != dir {
			return "", &ConflictError{Name: name, Path: filepath.Join(i.Dir, filepath.FromSlash(old)), Source: skill.SourceUser}
		}
	}
	if other, known := i.Registry.Lookup(name); known && other.Name == name && !i.ownsSkill(other) {
		return "", &ConflictError{Name: name, Path: other.Path, Source: other.Source}
	}
	return path.Join(path.Dir(dir), name), nil
}

// planEdit plans to replace the SKILL.md in dir with a staged one, and to rename dir to target.
func (c *folderChange) planEdit(staged, dir, target string) error {
	file := path.Join(dir, skill.FileName)
	if info, err := c.root.Lstat(file); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link: %w", filepath.FromSlash(file), ErrOutsideFolder)
	}
	if target != dir {
		c.moves = append(c.moves, plannedMove{dir, target})
	}
	// This replaces the old file and is never undone, so it comes last.
	c.moves = append(c.moves, plannedMove{staged, path.Join(target, skill.FileName)})
	return nil
}

// Delete removes a skill's directory with its files. If the directory is a link, only the link is
// removed. If the skill is in the store, it is removed only there, even if the folder has one with
// that name. The errors are *NotFoundError, ErrBuiltin, ErrOutsideFolder, ErrNotWritable and
// ErrBusy.
func (i *Installer) Delete(name string) error {
	old, stored, err := i.findStored(name)
	switch {
	case stored:
		err = i.swapStored([]skill.StoredSkill{old}, nil)
	case err == nil:
		err = i.remove(name)
	}
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	i.Registry.Rescan()
	return i.forgetOrigin(name)
}

func (i *Installer) remove(name string) error {
	return i.applyChange(func(c *folderChange) error {
		dir, err := i.findFolder(c, name)
		if err != nil {
			return err
		}
		deleted := path.Join(stagingDir, "deleted")
		c.moves = []plannedMove{{dir, deleted}}
		return c.MkdirAll(path.Dir(deleted), 0o700)
	})
}

// findFolder returns the directory of a skill by the skill's name, then by the directory name, so
// that a broken skill can be edited and deleted too.
func (i *Installer) findFolder(c *folderChange, name string) (string, error) {
	name = skill.CanonicalName(name)
	dir := ""
	for _, s := range i.folderSkills() {
		if s.Name == name {
			dir = i.dirOf(s)
			break
		}
		if s.Alias == name {
			dir = i.dirOf(s)
		}
	}
	if dir == "" && checkPath(name) == nil && !strings.HasPrefix(name, ".") && i.isSkill(c, name) {
		dir = name
	}
	if dir != "" {
		return dir, c.checkNoLinks(dir)
	}
	s, known := i.Registry.Lookup(name)
	switch {
	case !known:
		return "", &skill.NotFoundError{Name: name}
	case s.Source == skill.SourceBuiltin:
		return "", ErrBuiltin
	}
	return "", fmt.Errorf("%w: it is at %s", ErrOutsideFolder, s.Directory)
}

// checkNoLinks rejects a directory below a link, because the target of a link is not part of the
// folder.
func (c *folderChange) checkNoLinks(dir string) error {
	for parent := path.Dir(dir); parent != "."; parent = path.Dir(parent) {
		info, err := c.root.Lstat(parent)
		if err != nil || info.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("%w: %s is a link", ErrOutsideFolder, filepath.FromSlash(parent))
		}
	}
	return nil
}

// ownsSkill reports whether a skill is in the folder.
func (i *Installer) ownsSkill(s skill.Skill) bool {
	rel, err := filepath.Rel(i.Dir, s.Directory)
	return err == nil && s.Source == skill.SourceUser && filepath.IsLocal(rel)
}

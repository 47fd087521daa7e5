package install

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/nfa-cli/nfa/internal/skill"
)

// planInstall stages a skill and plans its way into the folder.
func (i *Installer) planInstall(c *folderChange, b bundle, result *Result, replace bool) error {
	target, paths := result.Name, newPathSet()
	if slices.ContainsFunc(c.moves, func(m plannedMove) bool { return paths.key(m.To) == paths.key(target) }) {
		return fmt.Errorf("%w: two skills are named %s", ErrArchive, target)
	}
	olds, err := i.conflictingFolders(c, target)
	if err != nil {
		return err
	}
	result.Path = filepath.Join(i.Dir, target, skill.FileName)
	result.Replaced = len(olds) > 0
	other, known := i.Registry.Lookup(target)
	if known && other.Name == target && !i.ownsSkill(other) && other.Source != skill.SourceStore {
		result.Hides = other.Source
	}
	switch {
	case result.Replaced && !replace:
		return &ConflictError{Name: target, Path: filepath.Join(i.Dir, filepath.FromSlash(olds[0])), Source: skill.SourceUser}
	case result.Hides != "" && !replace:
		return &ConflictError{Name: target, Path: other.Path, Source: other.Source}
	}
	for _, old := range olds {
		if err := errors.Join(c.checkNoLinks(old), c.setAside(old, target)); err != nil {
			return err
		}
	}
	staged, err := c.stage(b, target)
	if err != nil {
		return err
	}
	c.moves = append(c.moves, plannedMove{staged, target})
	return nil
}

// conflictingFolders gives the directories that a skill named name would replace: the one
// at its place, and any that holds a skill of that name.
func (i *Installer) conflictingFolders(c *folderChange, name string) ([]string, error) {
	var dirs []string
	items, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	paths := newPathSet()
	for _, item := range items {
		// What a file system that ignores case would take for the same.
		if paths.key(item.Name()) != paths.key(name) {
			continue
		}
		if !i.isSkill(c, item.Name()) {
			return nil, &ConflictError{Name: name, Path: filepath.Join(i.Dir, item.Name()), Final: true}
		}
		dirs = append(dirs, item.Name())
	}
	for _, s := range i.folderSkills() {
		if dir := i.dirOf(s); s.Name == name && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// isSkill reports whether the directory, or the link, dir holds a SKILL.md,
// usable or not. A folder of several skills is not to be replaced by one.
func (i *Installer) isSkill(c *folderChange, dir string) bool {
	info, err := c.root.Lstat(dir)
	if err != nil {
		return false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		// The link goes, and what it leads to stays.
		return true
	}
	_, _, err = skill.FindFile(filepath.Join(i.Dir, filepath.FromSlash(dir)))
	return info.IsDir() && err == nil
}

// folderSkills gives the skills in the folder as they are now, also those that a skill of
// a higher source hides.
func (i *Installer) folderSkills() []skill.Skill {
	skills, _ := skill.Scan(skill.Root{Dir: i.Dir, Source: skill.SourceUser})
	return skills
}

// dirOf is where a skill of the folder lies in it.
func (i *Installer) dirOf(s skill.Skill) string {
	rel, err := filepath.Rel(i.Dir, s.Directory)
	if err != nil {
		return s.Directory
	}
	return filepath.ToSlash(rel)
}

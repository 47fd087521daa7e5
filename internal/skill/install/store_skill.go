package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/skill"
)

// storeTimeout is the timeout for one store operation.
const storeTimeout = 5 * time.Second

// storedSkills returns the skills of the store, or none without a store.
func (i *Installer) storedSkills() ([]skill.StoredSkill, error) {
	if i.Store == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	return i.Store.All(ctx)
}

func (i *Installer) swapStored(remove, add []skill.StoredSkill) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	return i.Store.Swap(ctx, remove, add)
}

func (i *Installer) now() time.Time {
	if i.Now == nil {
		return time.Now()
	}
	return i.Now()
}

// findStored returns a skill of the store. If the store cannot be read, the skills of the folder
// can still be changed.
func (i *Installer) findStored(name string) (s skill.StoredSkill, found bool, err error) {
	skills, err := i.storedSkills()
	if err != nil {
		if s, known := i.Registry.Lookup(name); !known || s.Source != skill.SourceStore {
			err = nil
		}
		return skill.StoredSkill{}, false, err
	}
	for _, s := range skills {
		if s.Name == skill.CanonicalName(name) {
			return s, true, nil
		}
	}
	return skill.StoredSkill{}, false, nil
}

// ReadText returns the current SKILL.md at a path, in the store or in a folder.
func (i *Installer) ReadText(file string) ([]byte, error) {
	name, stored := skill.ParseStorePath(file)
	if !stored {
		text, err := skill.ReadFile(file, skill.MaxFile)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		return text, nil
	}
	skills, err := i.storedSkills()
	for _, s := range skills {
		if s.Name == name {
			return []byte(s.Text), nil
		}
	}
	return nil, fmt.Errorf("read %s: %w", file, cmp.Or(err, fs.ErrNotExist))
}

// storedConflicts returns the skills of the store with the names of new skills. Unless they may be
// replaced, they are a conflict.
func (i *Installer) storedConflicts(taking []Result, replace bool) ([]skill.StoredSkill, error) {
	skills, err := i.storedSkills()
	if err != nil {
		return nil, nil // the folder can still be changed, see findStored
	}
	var named []skill.StoredSkill
	for _, s := range skills {
		if !slices.ContainsFunc(taking, func(d Result) bool { return sameFolderName(d.Name, s.Name) }) {
			continue
		}
		if !replace {
			return nil, &ConflictError{Name: s.Name, Path: s.Path(), Source: skill.SourceStore}
		}
		named = append(named, s)
	}
	return named, nil
}

// removeSuperseded removes skills from the store that were replaced in the folder, because they
// would hide the new ones.
func (i *Installer) removeSuperseded(old []skill.StoredSkill, by []Result) {
	for _, s := range old {
		err := i.swapStored([]skill.StoredSkill{s}, nil)
		for k := range by {
			if !sameFolderName(by[k].Name, s.Name) {
				continue
			}
			by[k].Replaced = true
			if err != nil {
				by[k].Warnings = append(by[k].Warnings, fmt.Sprintf("%s is still in use, because it could not be removed: %v", s.Path(), err))
			}
		}
	}
}

// sameFolderName reports whether two names are one directory on some system.
func sameFolderName(a, b string) bool {
	paths := newPathSet()
	return paths.key(a) == paths.key(b)
}

// storeChange collects one change of the store.
type storeChange struct {
	replace bool
	cause   error // why the folder could not be changed

	all         []skill.StoredSkill // before the change
	remove, add []skill.StoredSkill
}

// saveToStore saves bundles in the store, all or none.
func (i *Installer) saveToStore(bundles []bundle, results []Result, k storeChange) (err error) {
	k.all, err = i.storedSkills()
	for n := 0; err == nil && n < len(bundles); n++ {
		err = i.planStore(&k, &bundles[n], &results[n])
	}
	if err == nil {
		err = i.swapStored(k.remove, k.add)
	}
	// A name conflict applies to the folder and the store.
	if _, conflict := errors.AsType[*ConflictError](err); err == nil || conflict {
		return err
	}
	return fmt.Errorf("%w; saving in the database instead: %w", k.cause, err)
}

func (i *Installer) planStore(k *storeChange, b *bundle, result *Result) error {
	text, dropped, err := b.skillFileOnly()
	if err != nil {
		return err
	}
	result.LeftOut = append(result.LeftOut, dropped...)
	removals := len(k.remove)
	if result.Hides, err = i.planRemoval(k, result.Name); err != nil {
		return err
	}
	result.Replaced = len(k.remove) > removals
	now := i.now()
	fresh := skill.StoredSkill{Name: result.Name, Text: string(text), CreatedAt: now, ChangedAt: now}
	k.add = append(k.add, fresh)
	result.Path = fresh.Path()
	result.StoreNote = fmt.Sprintf("in the database, because %s cannot be written (%v); nfa moves it to disk when it starts with write permission", i.Dir, stripErrorPath(k.cause))
	return nil
}

// planRemoval plans to remove the stored skill that a new skill replaces, and returns the source of
// a skill that it hides.
func (i *Installer) planRemoval(k *storeChange, name string) (hides skill.Source, err error) {
	if slices.ContainsFunc(k.add, func(s skill.StoredSkill) bool { return sameFolderName(s.Name, name) }) {
		return "", fmt.Errorf("%w: two skills are named %s", ErrArchive, name)
	}
	if file, taken := i.findOnDisk(name); taken {
		if k.replace {
			return "", fmt.Errorf("%s is named %s and cannot be replaced", file, name)
		}
		return "", &ConflictError{Name: name, Path: file, Source: skill.SourceUser}
	}
	for _, s := range k.all {
		if !sameFolderName(s.Name, name) || slices.Contains(k.remove, s) {
			continue
		}
		if !k.replace {
			return "", &ConflictError{Name: name, Path: s.Path(), Source: skill.SourceStore}
		}
		k.remove = append(k.remove, s)
	}
	other, known := i.Registry.Lookup(name)
	if !known || other.Name != name || other.Source == skill.SourceStore {
		return "", nil
	}
	if !k.replace {
		return "", &ConflictError{Name: name, Path: other.Path, Source: other.Source}
	}
	return other.Source, nil
}

// findOnDisk returns the skill or file with that name in the folder.
func (i *Installer) findOnDisk(name string) (file string, taken bool) {
	for _, s := range i.folderSkills() {
		if s.Name == name {
			return s.Path, true
		}
	}
	file = filepath.Join(i.Dir, name)
	_, err := os.Lstat(file)
	return file, err == nil
}

// rewriteStored replaces the text of a stored skill.
func (i *Installer) rewriteStored(old skill.StoredSkill, content []byte) (Result, error) {
	var result Result
	var err error
	if result.Warnings, err = splitWarnings(old.Name, skill.ValidateContent(content, "")); err != nil {
		return Result{}, err
	}
	s, _, err := skill.Parse(content)
	if err != nil {
		return Result{}, err
	}
	fresh := skill.StoredSkill{Name: s.Name, Text: string(content), CreatedAt: old.CreatedAt, ChangedAt: i.now()}
	if fresh.Name != old.Name {
		k := storeChange{remove: []skill.StoredSkill{old}}
		if k.all, err = i.storedSkills(); err != nil {
			return Result{}, err
		}
		if _, err := i.planRemoval(&k, fresh.Name); err != nil {
			return Result{}, err
		}
		result.From = old.Name
	}
	result.Name, result.Path = fresh.Name, fresh.Path()
	result.StoreNote = "in the database; nfa moves it to disk when it starts with write permission"
	return result, i.swapStored([]skill.StoredSkill{old}, []skill.StoredSkill{fresh})
}

// skillFileOnly returns the SKILL.md of a bundle and the names of its other files, which are
// dropped.
func (b *bundle) skillFileOnly() (text []byte, dropped []string, err error) {
	for _, f := range b.files {
		if f.path == skill.FileName {
			text = f.data
		} else {
			dropped = append(dropped, f.path)
		}
	}
	needed := slices.DeleteFunc(slices.Clone(dropped), func(name string) bool { return b.canDropFiles && !needsFile(text, name) })
	if len(needed) > 0 {
		return nil, nil, fmt.Errorf("%w, but the skill also needs: %s", ErrSkillFileOnly, strings.Join(needed, ", "))
	}
	return text, dropped, nil
}

// needsFile reports whether a SKILL.md is useless without a file: a script, or a file that the text
// tells the model to read.
func needsFile(text []byte, name string) bool {
	folder, _, nested := strings.Cut(name, "/")
	return folder == "scripts" || bytes.Contains(text, []byte(name)) || nested && bytes.Contains(text, []byte(folder+"/"))
}

// stripErrorPath removes the operation and the path from a system error.
func stripErrorPath(err error) error {
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return skill.StripPath(err)
}

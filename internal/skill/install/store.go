package install

import (
	"bytes"
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
	"github.com/nfa-cli/nfa/internal/skill/lint"
)

// storeWait is how long the store may take for one look or one change.
const storeWait = 5 * time.Second

// all gives what is in the store; without one, nothing.
func (i *Installer) all() ([]skill.Stored, error) {
	if i.Store == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	return i.Store.All(ctx)
}

func (i *Installer) swap(was, is []skill.Stored) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	return i.Store.Swap(ctx, was, is)
}

func (i *Installer) now() time.Time {
	if i.Now == nil {
		return time.Now()
	}
	return i.Now()
}

// stored finds a skill of the store. A store that cannot be read keeps nobody
// from changing what is in the folder.
func (i *Installer) stored(name string) (skill.Stored, bool, error) {
	all, err := i.all()
	if err != nil {
		if s, known := i.Registry.Lookup(name); !known || s.Source != skill.SourceStore {
			err = nil
		}
		return skill.Stored{}, false, err
	}
	at := slices.IndexFunc(all, func(s skill.Stored) bool { return s.Name == skill.CanonicalName(name) })
	if at < 0 {
		return skill.Stored{}, false, nil
	}
	return all[at], true, nil
}

// Text is the SKILL.md at a path as it is now, in the store or in a folder.
func (i *Installer) Text(file string) ([]byte, error) {
	name, stored := skill.StoredName(file)
	if !stored {
		text, err := skill.ReadFile(file, skill.MaxFile)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		return text, nil
	}
	all, err := i.all()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	at := slices.IndexFunc(all, func(s skill.Stored) bool { return s.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("reading %s: %w", file, fs.ErrNotExist)
	}
	return []byte(all[at].Text), nil
}

// storedNamed gives the skills of the store whose names skills are about to take
// in the folder, which is a conflict unless they replace them.
func (i *Installer) storedNamed(taking []Installed, replace bool) ([]skill.Stored, error) {
	all, err := i.all()
	if err != nil {
		return nil, nil // as stored has it
	}
	var named []skill.Stored
	for _, s := range all {
		if !slices.ContainsFunc(taking, func(d Installed) bool { return sameFile(d.Name, s.Name) }) {
			continue
		}
		if !replace {
			return nil, &ConflictError{Name: s.Name, Path: s.Path(), Source: skill.SourceStore}
		}
		named = append(named, s)
	}
	return named, nil
}

// supersede takes out of the store what was replaced by skills in the folder,
// which it would hide otherwise.
func (i *Installer) supersede(old []skill.Stored, by []Installed) {
	for _, s := range old {
		err := i.swap([]skill.Stored{s}, nil)
		for k := range by {
			if !sameFile(by[k].Name, s.Name) {
				continue
			}
			by[k].Replaced = true
			if err != nil {
				by[k].Warnings = append(by[k].Warnings, fmt.Sprintf("%s is used still, for it could not be removed: %v", s.Path(), err))
			}
		}
	}
}

// sameFile reports whether two names would be one directory on some system.
func sameFile(a, b string) bool {
	paths := newPathSet()
	return paths.key(a) == paths.key(b)
}

// keeping is a change of the store, on its way.
type keeping struct {
	replace bool
	cause   error // why it is not the folder that is changed

	all     []skill.Stored // before the change
	was, is []skill.Stored // what it takes out, and puts in
}

// keep puts bundles in the store, all or none.
func (i *Installer) keep(bundles []bundle, done []Installed, k keeping) error {
	err := i.keepAll(&k, bundles, done)
	// A name that is taken is taken wherever the skill would go.
	if _, conflict := errors.AsType[*ConflictError](err); err == nil || conflict {
		return err
	}
	return fmt.Errorf("%w; keeping it in the database instead: %w", k.cause, err)
}

func (i *Installer) keepAll(k *keeping, bundles []bundle, done []Installed) (err error) {
	if k.all, err = i.all(); err != nil {
		return err
	}
	for n := range bundles {
		if err := i.keepOne(k, &bundles[n], &done[n]); err != nil {
			return err
		}
	}
	return i.swap(k.was, k.is)
}

func (i *Installer) keepOne(k *keeping, b *bundle, done *Installed) error {
	text, left, err := b.alone()
	if err != nil {
		return err
	}
	done.LeftOut = append(done.LeftOut, left...)
	before := len(k.was)
	if done.Hides, err = i.vacate(k, done.Name); err != nil {
		return err
	}
	done.Replaced = len(k.was) > before
	now := i.now()
	fresh := skill.Stored{Name: done.Name, Text: string(text), CreatedAt: now, ChangedAt: now}
	k.is = append(k.is, fresh)
	done.Path = fresh.Path()
	done.Kept = fmt.Sprintf("in the database, because %s cannot be written (%v); it moves to disk at the next start that can write", i.Dir, bare(k.cause))
	return nil
}

// vacate plans to take out of the store what a skill of that name replaces, and
// gives the source of the one that it hides.
func (i *Installer) vacate(k *keeping, name string) (hides skill.Source, err error) {
	if slices.ContainsFunc(k.is, func(s skill.Stored) bool { return sameFile(s.Name, name) }) {
		return "", fmt.Errorf("%w: two skills are named %s", ErrArchive, name)
	}
	if file, taken := i.onDisk(name); taken {
		if k.replace {
			return "", fmt.Errorf("%s has the name %s and cannot be replaced", file, name)
		}
		return "", &ConflictError{Name: name, Path: file, Source: skill.SourceUser}
	}
	for _, s := range k.all {
		if !sameFile(s.Name, name) || slices.Contains(k.was, s) {
			continue
		}
		if !k.replace {
			return "", &ConflictError{Name: name, Path: s.Path(), Source: skill.SourceStore}
		}
		k.was = append(k.was, s)
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

// onDisk finds what in the folder has a name, though it cannot be changed.
func (i *Installer) onDisk(name string) (file string, taken bool) {
	if i.undoneNext(name) {
		return "", false
	}
	for _, s := range i.own() {
		if s.Name == name {
			return s.Path, true
		}
	}
	file = filepath.Join(i.Dir, name)
	_, err := os.Lstat(file)
	return file, err == nil
}

// rewrite puts content in the place of a skill's in the store.
func (i *Installer) rewrite(old skill.Stored, content []byte) (Installed, error) {
	var done Installed
	var err error
	if done.Warnings, err = tolerable(old.Name, lint.ValidateContent(content, "")); err != nil {
		return Installed{}, err
	}
	s, _, err := skill.Parse(content)
	if err != nil {
		return Installed{}, err
	}
	fresh := skill.Stored{Name: s.Name, Text: string(content), CreatedAt: old.CreatedAt, ChangedAt: i.now()}
	if fresh.Name != old.Name {
		k := keeping{was: []skill.Stored{old}}
		if k.all, err = i.all(); err != nil {
			return Installed{}, err
		}
		if _, err := i.vacate(&k, fresh.Name); err != nil {
			return Installed{}, err
		}
		done.From = old.Name
	}
	done.Name, done.Path = fresh.Name, fresh.Path()
	done.Kept = "in the database, where it was; it moves to disk at the next start that can write"
	return done, i.swap([]skill.Stored{old}, []skill.Stored{fresh})
}

// alone is the SKILL.md of a bundle, and the names of the files that it goes
// without.
func (b *bundle) alone() (text []byte, left []string, err error) {
	for _, f := range b.files {
		if f.path == skill.FileName {
			text = f.data
		} else {
			left = append(left, f.path)
		}
	}
	needed := slices.DeleteFunc(slices.Clone(left), func(name string) bool { return b.divisible && !needs(text, name) })
	if len(needed) > 0 {
		return nil, nil, fmt.Errorf("%w, and the skill has: %s", ErrSkillFileOnly, strings.Join(needed, ", "))
	}
	return text, left, nil
}

// needs reports whether a SKILL.md is of no use without a file: scripts are what
// such a skill does, and another file is needed when the model is told of it.
func needs(text []byte, name string) bool {
	folder, _, nested := strings.Cut(name, "/")
	return folder == "scripts" || bytes.Contains(text, []byte(name)) || nested && bytes.Contains(text, []byte(folder+"/"))
}

// bare is what a system call answered, without its operation and path.
func bare(err error) error {
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return skill.Pathless(err)
}

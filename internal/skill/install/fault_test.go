package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestMain(m *testing.M) { os.Exit(skilltest.RunInMemory(m)) }

var errDisk = errors.New("disk full")

// folderChanges returns all kinds of folder changes, each with its initial state.
func folderChanges(t *testing.T) map[string]struct {
	before skilltest.Files
	skills int // that exist whenever the program is killed
	make   func(*install.Installer) error
} {
	two := zipFile(t, zipped(t,
		zipEntry{name: "ab/SKILL.md", data: skilltest.SkillFile("ab") + "new"}, zipEntry{name: "ab/references/new.md", data: "new"},
		zipEntry{name: "cd/SKILL.md", data: skilltest.SkillFile("cd") + "new"}))
	return map[string]struct {
		before skilltest.Files
		skills int
		make   func(*install.Installer) error
	}{
		"import": {skilltest.Files{"old/SKILL.md": skilltest.SkillFile("old")}, 1, func(i *install.Installer) error {
			_, err := i.Import(two, install.Options{})
			return err
		}},
		"replace": {skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "ab/scripts/a.py": "a", "group/x/SKILL.md": skilltest.SkillFile("cd"), "group/y/SKILL.md": skilltest.SkillFile("yy")}, 3, func(i *install.Installer) error {
			_, err := i.Import(two, install.Options{Replace: true})
			return err
		}},
		"delete": {skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "ab/references/a.md": "a"}, 0, func(i *install.Installer) error { return i.Delete("ab") }},
		"edit": {skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")}, 1, func(i *install.Installer) error {
			_, err := i.Write("ab", []byte(skilltest.SkillFile("ab")+"new"))
			return err
		}},
		"rename": {skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "ab/references/a.md": "a"}, 1, func(i *install.Installer) error {
			_, err := i.Write("ab", []byte(skilltest.SkillFile("xy")))
			return err
		}},
	}
}

// applyTo returns the folder after a successful change.
func applyTo(t *testing.T, before skilltest.Files, change func(*install.Installer) error) skilltest.Files {
	t.Helper()
	i := installer(t, before.Write(t))
	if err := change(i); err != nil {
		t.Fatal(err)
	}
	return tree(t, i.Dir)
}

// newFaultyAt returns an installer of a new folder whose nth disk operation fails; if dead is set,
// so does every later one. acts counts them.
func newFaultyAt(t *testing.T, before skilltest.Files, n int, dead bool) (i *install.Installer, acts *int) {
	t.Helper()
	dir := before.Write(t)
	r, _ := skilltest.OpenRegistry(t, builtins(), skilltest.UserRoot(dir))
	acts = new(int)
	return install.NewFaulty(dir, r, func(string, string) error {
		*acts++
		if *acts == n || dead && *acts > n {
			return errDisk
		}
		return nil
	}), acts
}

func TestK26_AFailingDiskLeavesTheFolderAsItWas(t *testing.T) {
	for name, change := range folderChanges(t) {
		t.Run(name, func(t *testing.T) {
			done := applyTo(t, change.before, change.make)
			for n := 1; ; n++ {
				i, acts := newFaultyAt(t, change.before, n, false)
				err := change.make(i)
				if *acts < n {
					return // every operation has failed once
				}
				want := change.before
				if err == nil {
					want = done // only the cleanup failed
				} else if !errors.Is(err, errDisk) {
					t.Errorf("act %d failed: %v, want the disk's error", n, err)
				}
				got := tree(t, i.Dir)
				if err == nil {
					got = withoutStaging(got)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("after act %d failed (%v) (-want +got):\n%s", n, err, diff)
				}
			}
		})
	}
}

func TestK26_AProgramKilledAtAnyMomentLeavesNoHalfSkill(t *testing.T) {
	for name, change := range folderChanges(t) {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				i, acts := newFaultyAt(t, change.before, n, true)
				_ = change.make(i)
				if *acts < n {
					return
				}
				wantWholeSkills(t, i.Dir, n)
				// The next change restores moved directories.
				next := installer(t, i.Dir)
				if _, err := next.Create([]byte(skilltest.SkillFile("next")), install.Options{}); err != nil {
					t.Fatalf("the change after act %d = %v", n, err)
				}
				if found := wantWholeSkills(t, i.Dir, n); found < change.skills+1 {
					t.Errorf("after a kill at act %d and a new change: %d skills, want %d", n, found, change.skills+1)
				}
				if got := tree(t, i.Dir); len(got) != len(withoutStaging(got)) {
					t.Errorf("after a kill at act %d and a new change: files are left in the staging directory", n)
				}
			}
		})
	}
}

// wantWholeSkills scans a folder as at a start after a crash, and returns the number of skills.
func wantWholeSkills(t *testing.T, dir string, n int) int {
	t.Helper()
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	for _, s := range r.List() {
		// Between two renames a skill may have its new directory and its old name.
		if problems := skill.ValidateContent([]byte(tree(t, s.Directory)[skill.FileName]), ""); len(problems) > 0 {
			t.Errorf("killed at act %d: %s is half a skill: %v", n, s.Name, problems)
		}
		if s.Directory != filepath.Join(dir, s.Alias) && filepath.Base(filepath.Dir(s.Directory)) != "group" {
			t.Errorf("killed at act %d: a skill is found in the staging: %s", n, s.Directory)
		}
	}
	for _, d := range r.Diagnostics() {
		if d.Skipped() {
			t.Errorf("killed at act %d: %s: %s", n, d.Path, d.Reason)
		}
	}
	return len(r.List())
}

func withoutStaging(got skilltest.Files) skilltest.Files {
	kept := skilltest.Files{}
	for path, data := range got {
		if strings.HasPrefix(path, ".nfa-staging/") {
			continue
		}
		kept[path] = data
	}
	return kept
}

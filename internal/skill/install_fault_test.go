package skill_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

var errDisk = errors.New("disk full")

// changes are the ways to change a folder, each with what it starts from.
func changes(t *testing.T) map[string]struct {
	before files
	make   func(*skill.Installer) error
} {
	two := zipFile(t, zipped(t,
		zipEntry{name: "ab/SKILL.md", data: named("ab") + "new"}, zipEntry{name: "ab/references/new.md", data: "new"},
		zipEntry{name: "cd/SKILL.md", data: named("cd") + "new"}))
	return map[string]struct {
		before files
		make   func(*skill.Installer) error
	}{
		"import": {files{"old/SKILL.md": named("old")}, func(i *skill.Installer) error {
			_, err := i.Import(two, skill.InstallOptions{})
			return err
		}},
		"replace": {files{"ab/SKILL.md": named("ab"), "ab/scripts/a.py": "a", "group/x/SKILL.md": named("cd"), "group/y/SKILL.md": named("yy")}, func(i *skill.Installer) error {
			_, err := i.Import(two, skill.InstallOptions{Replace: true})
			return err
		}},
		"delete": {files{"ab/SKILL.md": named("ab"), "ab/references/a.md": "a"}, func(i *skill.Installer) error { return i.Delete("ab") }},
		"edit": {files{"ab/SKILL.md": named("ab")}, func(i *skill.Installer) error {
			_, err := i.Write("ab", []byte(named("ab")+"new"))
			return err
		}},
		"rename": {files{"ab/SKILL.md": named("ab"), "ab/references/a.md": "a"}, func(i *skill.Installer) error {
			_, err := i.Write("ab", []byte(named("xy")))
			return err
		}},
	}
}

// after is the folder when the change goes well.
func after(t *testing.T, before files, change func(*skill.Installer) error) files {
	t.Helper()
	i := installer(t, before.write(t))
	if err := change(i); err != nil {
		t.Fatal(err)
	}
	return tree(t, i.Dir)
}

// faultAt is an installer of a new folder whose nth act on the disk fails; with
// dead set, as does every one after it. acts counts them.
func faultAt(t *testing.T, before files, n int, dead bool) (i *skill.Installer, acts *int) {
	t.Helper()
	dir := before.write(t)
	r, _ := scanned(t, builtins(), user(dir))
	acts = new(int)
	return skill.Faulty(dir, r, func(string, string) error {
		*acts++
		if *acts == n || dead && *acts > n {
			return errDisk
		}
		return nil
	}), acts
}

func TestK26_AFailingDiskLeavesTheFolderAsItWas(t *testing.T) {
	for name, change := range changes(t) {
		t.Run(name, func(t *testing.T) {
			done := after(t, change.before, change.make)
			for n := 1; ; n++ {
				i, acts := faultAt(t, change.before, n, false)
				err := change.make(i)
				if *acts < n {
					return // every act has failed once
				}
				want := change.before
				if err == nil {
					want = done // what failed was the clearing up afterwards
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
	for name, change := range changes(t) {
		t.Run(name, func(t *testing.T) {
			done := after(t, change.before, change.make)
			for n := 1; ; n++ {
				i, acts := faultAt(t, change.before, n, true)
				err := change.make(i)
				if *acts < n {
					return
				}
				wantWholeSkills(t, i.Dir, n)
				// The next change finds the plan and undoes what was begun.
				next := installer(t, i.Dir)
				if _, nextErr := next.Create([]byte(named("next")), skill.InstallOptions{}); nextErr != nil {
					t.Fatalf("the change after act %d = %v", n, nextErr)
				}
				want := files{"next/SKILL.md": named("next")}
				for path, data := range map[bool]files{true: done, false: change.before}[err == nil] {
					want[path] = data
				}
				if diff := cmp.Diff(want, tree(t, i.Dir)); diff != "" {
					t.Errorf("after a kill at act %d and a new change (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// wantWholeSkills scans a folder as a program does that starts after a crash.
func wantWholeSkills(t *testing.T, dir string, n int) {
	t.Helper()
	r, _ := scanned(t, user(dir))
	for _, s := range r.List() {
		// Between two renames a skill may have its new name and its old directory.
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
}

func withoutStaging(got files) files {
	kept := files{}
	for path, data := range got {
		if strings.HasPrefix(path, ".nfa-staging/") {
			continue
		}
		kept[path] = data
	}
	return kept
}

package install_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// newStoringInstaller returns an installer of dir with a store that has skills of these names, and
// the built-in get-price.
func newStoringInstaller(t testing.TB, dir string, names ...string) (*install.Installer, *skilltest.Store) {
	t.Helper()
	store := new(skilltest.Store)
	for _, name := range names {
		if err := store.Swap(t.Context(), nil, []skill.StoredSkill{skilltest.StoredSkill(name)}); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := skilltest.OpenRegistry(t, builtins(), skilltest.UserRoot(dir), skill.StoreRoot(store))
	return &install.Installer{Dir: dir, Registry: r, Store: store, Now: func() time.Time { return noon }}, store
}

// blockedFolder returns the path of a folder where a file exists instead.
func blockedFolder(t testing.TB) string {
	t.Helper()
	return filepath.Join(skilltest.Files{"skills": "a file"}.Write(t), "skills")
}

// storedAt returns a skill stored at noon.
func storedAt(name, text string) skill.StoredSkill {
	return skill.StoredSkill{Name: name, Text: text, CreatedAt: noon, ChangedAt: noon}
}

func TestK27_WhatCannotBeWrittenToTheFolderIsKeptInTheStore(t *testing.T) {
	for name, dir := range map[string]func(t *testing.T) string{
		"a file in its place": func(t *testing.T) string { return blockedFolder(t) },
		"a file above it":     func(t *testing.T) string { return filepath.Join(blockedFolder(t), "deeper") },
		"a link that leads nowhere": func(t *testing.T) string {
			at := filepath.Join(t.TempDir(), "skills")
			skilltest.Link(t, "nowhere", at)
			return at
		},
	} {
		t.Run(name, func(t *testing.T) {
			i, store := newStoringInstaller(t, dir(t))
			done, err := i.Create([]byte(skilltest.SkillFile("ab")), install.Options{})
			if err != nil || done.Path != "store:ab/SKILL.md" {
				t.Fatalf("Create(ab) = %+v, %v, want it in the store", done, err)
			}
			if !strings.HasPrefix(done.StoreNote, "in the database, because "+i.Dir+" cannot be written (") {
				t.Errorf("kept %s, want the reason", done.StoreNote)
			}
			skilltest.WantStored(t, store, storedAt("ab", skilltest.SkillFile("ab")))
			if s, _ := i.Registry.Lookup("ab"); s.Source != skill.SourceStore {
				t.Errorf("ab is a %s skill, want it known at once", s.Source)
			}
		})
	}
}

func TestK27_OnlyAFolderThatMayNotBeWrittenFallsBack(t *testing.T) {
	for err, stored := range map[error]bool{
		fs.ErrPermission: true, syscall.EROFS: true, syscall.EPERM: true,
		syscall.ENOSPC: false, syscall.EIO: false, syscall.EMFILE: false,
	} {
		i, store := newStoringInstaller(t, t.TempDir())
		faulty := install.NewFaulty(i.Dir, i.Registry, func(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: err} })
		faulty.Store = store
		_, got := faulty.Create([]byte(skilltest.SkillFile("ab")), install.Options{})
		all, _ := store.All(t.Context())
		if (got == nil) != stored || (len(all) == 1) != stored {
			t.Errorf("after %v: Create() = %v with %d in the store; want stored %v", err, got, len(all), stored)
		}
		if !stored && !errors.Is(got, err) {
			t.Errorf("after %v: Create() = %v, want it reported", err, got)
		}
	}
}

// A folder may become read-only at any operation of a change.
func TestK27_AFolderThatTurnsReadOnlyHalfWayHasNoHalfSkill(t *testing.T) {
	for n := 1; ; n++ {
		i, store := newStoringInstaller(t, t.TempDir())
		acts := 0
		faulty := install.NewFaulty(i.Dir, i.Registry, func(string, string) error {
			if acts++; acts >= n {
				return syscall.EROFS
			}
			return nil
		})
		faulty.Store = store
		done, err := faulty.Create([]byte(skilltest.SkillFile("ab")), install.Options{})
		if acts < n {
			return
		}
		if err != nil {
			t.Fatalf("read-only from act %d on: %v", n, err)
		}
		if all, _ := store.All(t.Context()); (len(all) == 1) != (done.StoreNote != "") {
			t.Errorf("read-only from act %d on: %d stored, but reported: %+v", n, len(all), done)
		}
		// The starts with write permission leaves one, on disk.
		if m, err := i.Move(); err != nil || len(m.Waiting) > 0 {
			t.Errorf("Move() after act %d = %+v, %v", n, m, err)
		}
		skilltest.WantStored(t, store)
		if diff := cmp.Diff(skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")}, withoutStaging(tree(t, i.Dir))); diff != "" {
			t.Errorf("folder after act %d (-want +got):\n%s", n, diff)
		}
	}
}

func TestK27_NamesInTheStoreAreTakenAsThoseInTheFolderAre(t *testing.T) {
	for name, tc := range map[string]struct {
		make func(*install.Installer) (install.Result, error)
		want install.Result // with no name: a conflict
	}{
		"taken in the store": {createSkill("ab", install.Options{}), install.Result{}},
		"replaced":           {createSkill("ab", install.Options{Replace: true}), install.Result{Name: "ab", Replaced: true}},
		"renamed":            {createSkill("ab", install.Options{Rename: "cd"}), install.Result{Name: "cd", From: "ab", Renamed: true}},
		"renamed to a taken": {createSkill("cd", install.Options{Rename: "ab"}), install.Result{}},
		"a built-in's":       {createSkill("get-price", install.Options{}), install.Result{}},
		"hiding a built-in":  {createSkill("get-price", install.Options{Replace: true}), install.Result{Name: "get-price", Hides: skill.SourceBuiltin}},
		"cloned to a taken":  {func(i *install.Installer) (install.Result, error) { return i.Clone("get-price", "ab") }, install.Result{}},
	} {
		t.Run(name, func(t *testing.T) {
			i, store := newStoringInstaller(t, blockedFolder(t), "ab")
			done, err := tc.make(i)
			if tc.want.Name == "" {
				if _, ok := errors.AsType[*install.ConflictError](err); !ok {
					t.Errorf("= %+v, %v, want a ConflictError", done, err)
				}
				skilltest.WantStored(t, store, skilltest.StoredSkill("ab"))
				return
			}
			done.Path, done.StoreNote = "", ""
			if diff := cmp.Diff(tc.want, done); err != nil || diff != "" {
				t.Errorf("= %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// createSkill creates a skill with a text that differs from the stored one.
func createSkill(name string, o install.Options) func(*install.Installer) (install.Result, error) {
	return func(i *install.Installer) (install.Result, error) {
		return i.Create([]byte(skilltest.SkillFile(name)+"new"), o)
	}
}

func TestK27_WhatIsInAFolderThatCannotBeWrittenIsNotReplaced(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/notes.md": "x"}.Write(t)
	i, store := newStoringInstaller(t, dir)
	faulty := install.NewFaulty(dir, i.Registry, func(op, name string) error { return syscall.EROFS })
	faulty.Store = store
	for _, name := range []string{"ab", "cd"} {
		if _, err := faulty.Create([]byte(skilltest.SkillFile(name)+"new"), install.Options{}); err == nil {
			t.Errorf("Create(%s) was accepted", name)
		}
		if _, err := faulty.Create([]byte(skilltest.SkillFile(name)+"new"), install.Options{Replace: true}); err == nil {
			t.Errorf("Create(%s) in the place of what cannot be changed was accepted", name)
		}
	}
	for what, err := range map[string]error{
		"Delete": faulty.Delete("ab"),
		"Write":  func() error { _, err := faulty.Write("ab", []byte(skilltest.SkillFile("ab")+"new")); return err }(),
	} {
		if !errors.Is(err, install.ErrNotWritable) {
			t.Errorf("%s(ab) = %v, want ErrNotWritable", what, err)
		}
	}
	skilltest.WantStored(t, store)
}

func TestK27_ASkillOfSeveralFilesIsRefusedWhole(t *testing.T) {
	packed := zipFile(t, zipped(t,
		zipEntry{name: "ab/SKILL.md", data: skilltest.SkillFile("ab")},
		zipEntry{name: "cd/SKILL.md", data: skilltest.SkillFile("cd")}, zipEntry{name: "cd/references/a.md", data: "a"}))
	folder := filepath.Join(skilltest.Files{"ef/SKILL.md": skilltest.SkillFile("ef"), "ef/evals.yaml": "x"}.Write(t), "ef")
	for source, file := range map[string]string{packed: "references/a.md", folder: "evals.yaml"} {
		i, store := newStoringInstaller(t, blockedFolder(t))
		_, err := i.Import(source, install.Options{})
		if !errors.Is(err, install.ErrSkillFileOnly) || !errors.Is(err, install.ErrNotWritable) || !strings.Contains(err.Error(), file) {
			t.Errorf("Import() = %v, want ErrSkillFileOnly that names %s", err, file)
		}
		skilltest.WantStored(t, store)
	}
	i, store := newStoringInstaller(t, blockedFolder(t))
	report, err := i.Import(zipFile(t, zipped(t,
		zipEntry{name: "ab/SKILL.md", data: skilltest.SkillFile("ab")}, zipEntry{name: "cd/SKILL.md", data: skilltest.SkillFile("cd")})), install.Options{})
	if err != nil || len(report.Skills) != 2 {
		t.Errorf("Import() of two skills of one file each = %+v, %v", report, err)
	}
	skilltest.WantStored(t, store, storedAt("ab", skilltest.SkillFile("ab")), storedAt("cd", skilltest.SkillFile("cd")))
}

func TestK27_ACloneLeavesBehindOnlyWhatItDoesNotNeed(t *testing.T) {
	for name, tc := range map[string]struct {
		body, file string
		taken      bool
	}{
		"a file it does not name": {"Calls quote.", "references/a.md", true},
		"its evals":               {"Calls quote.", "evals.yaml", true},
		"a file it names":         {"Read references/a.md first.", "references/a.md", false},
		"a folder it names":       {"Read all of references/ first.", "references/a.md", false},
		"a script":                {"Calls quote.", "scripts/x.py", false},
	} {
		t.Run(name, func(t *testing.T) {
			i, store := newStoringInstaller(t, blockedFolder(t))
			i.Registry, _ = skilltest.OpenRegistry(t, skill.Root{Dir: "builtin", Source: skill.SourceBuiltin, FS: fstest.MapFS{
				"ab/SKILL.md":   {Data: []byte(skilltest.SkillFile("ab") + tc.body)},
				"ab/" + tc.file: {Data: []byte("x")},
			}}, skill.StoreRoot(store))
			done, err := i.Clone("ab", "cd")
			if tc.taken && (err != nil || !cmp.Equal(done.LeftOut, []string{tc.file})) {
				t.Errorf("Clone() = %+v, %v, want %s left out", done, err, tc.file)
			}
			if !tc.taken && (!errors.Is(err, install.ErrSkillFileOnly) || !strings.Contains(err.Error(), tc.file)) {
				t.Errorf("Clone() = %+v, %v, want it refused for %s", done, err, tc.file)
			}
		})
	}
}

func TestK27_StoredSkillsAreEditedAndDeletedInTheStore(t *testing.T) {
	i, store := newStoringInstaller(t, t.TempDir(), "ab", "cd")
	text := skilltest.SkillFile("ab") + "edited $1,000\r\n"
	done, err := i.Write("ab", []byte(text))
	if err != nil || done.Path != "store:ab/SKILL.md" || !strings.HasPrefix(done.StoreNote, "in the database; nfa moves") {
		t.Errorf("Write(ab) = %+v, %v", done, err)
	}
	edited := skilltest.StoredSkill("ab")
	edited.Text, edited.ChangedAt = text, noon
	skilltest.WantStored(t, store, edited, skilltest.StoredSkill("cd"))
	for name, content := range map[string]string{
		"conflict": skilltest.SkillFile("cd"), "built-in": skilltest.SkillFile("get-price"), "invalid": "---\nname: ab\n---\n", "no skill": "x",
	} {
		if _, err := i.Write("ab", []byte(content)); err == nil {
			t.Errorf("Write(ab) with content that is %s was accepted", name)
		}
	}
	skilltest.WantStored(t, store, edited, skilltest.StoredSkill("cd"))
	if done, err := i.Write("ab", []byte(skilltest.SkillFile("xy"))); err != nil || done.Name != "xy" || done.From != "ab" {
		t.Errorf("Write(ab) under the name xy = %+v, %v", done, err)
	}
	if err := i.Delete("cd"); err != nil {
		t.Errorf("Delete(cd) = %v", err)
	}
	renamed := storedAt("xy", skilltest.SkillFile("xy"))
	renamed.CreatedAt = edited.CreatedAt
	skilltest.WantStored(t, store, renamed)
	skilltest.WantNames(t, i.Registry.List(), "get-price xy")
	if got := tree(t, i.Dir); len(got) > 0 {
		t.Errorf("the folder holds %v, want nothing", got)
	}
}

func TestK27_ReplacingAStoredSkillOnDiskTakesItOutOfTheStore(t *testing.T) {
	i, store := newStoringInstaller(t, t.TempDir(), "ab")
	if _, err := i.Create([]byte(skilltest.SkillFile("ab")+"new"), install.Options{}); err == nil {
		t.Error("Create(ab) was accepted though the store holds one")
	}
	done, err := i.Create([]byte(skilltest.SkillFile("ab")+"new"), install.Options{Replace: true})
	if err != nil || !done.Replaced || done.Hides != "" || done.StoreNote != "" {
		t.Errorf("Create(ab) = %+v, %v, want it in the place of the stored one", done, err)
	}
	skilltest.WantStored(t, store)
	if s, _ := i.Registry.Lookup("ab"); s.Source != skill.SourceUser {
		t.Errorf("ab is a %s skill, want user", s.Source)
	}
	i, store = newStoringInstaller(t, t.TempDir(), "ab")
	i.Store = dyingStore{store, func() bool { return true }}
	done, err = i.Create([]byte(skilltest.SkillFile("ab")+"new"), install.Options{Replace: true})
	if err != nil || len(done.Warnings) != 1 || !strings.Contains(done.Warnings[0], "store:ab/SKILL.md is still in use") {
		t.Errorf("Create(ab) where the stored one stays = %+v, %v, want a warning", done, err)
	}
}

func TestK27_ExportAndTextReadTheStore(t *testing.T) {
	i, _ := newStoringInstaller(t, blockedFolder(t), "ab")
	var packed strings.Builder
	if _, err := i.Export(&packed, "ab"); err != nil {
		t.Fatal(err)
	}
	files, err := install.Unpack([]byte(packed.String()))
	if diff := cmp.Diff(map[string]string{"ab/SKILL.md": skilltest.SkillFile("ab")}, files); err != nil || diff != "" {
		t.Errorf("export = %v (-want +got):\n%s", err, diff)
	}
	if text, err := i.ReadText("store:ab/SKILL.md"); err != nil || string(text) != skilltest.SkillFile("ab") {
		t.Errorf("Text() = %q, %v", text, err)
	}
	if _, err := i.ReadText("store:cd/SKILL.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Text() of none = %v, want fs.ErrNotExist", err)
	}
	if text, err := i.ReadText(i.Dir); err != nil || string(text) != "a file" {
		t.Errorf("Text() of a file = %q, %v", text, err)
	}
}

// brokenStore is a store that always fails.
type brokenStore struct{ err error }

func (b brokenStore) All(context.Context) ([]skill.StoredSkill, error) { return nil, b.err }
func (b brokenStore) Swap(context.Context, []skill.StoredSkill, []skill.StoredSkill) error {
	return b.err
}

func TestK27_AStoreThatFailsKeepsNobodyFromTheFolder(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": skilltest.SkillFile("cd")}.Write(t)
	i, _ := newStoringInstaller(t, dir)
	i.Store = brokenStore{errDisk}
	_, created := i.Create([]byte(skilltest.SkillFile("ef")), install.Options{})
	_, written := i.Write("ab", []byte(skilltest.SkillFile("ab")+"edited"))
	if err := errors.Join(created, written, i.Delete("cd")); err != nil {
		t.Errorf("changing the folder = %v", err)
	}
	i.Dir = blockedFolder(t)
	if _, err := i.Create([]byte(skilltest.SkillFile("gh")), install.Options{}); !errors.Is(err, errDisk) || !errors.Is(err, install.ErrNotWritable) {
		t.Errorf("Create() where neither works = %v, want both reasons", err)
	}
	if _, err := i.Move(); !errors.Is(err, errDisk) {
		t.Errorf("Move() = %v, want the store's error", err)
	}
}

func TestK27_AFolderThatCanBeWrittenIsUsed(t *testing.T) {
	i, store := newStoringInstaller(t, t.TempDir())
	done, err := i.Create([]byte(skilltest.SkillFile("ab")), install.Options{})
	if err != nil || done.StoreNote != "" {
		t.Errorf("Create(ab) = %+v, %v, want it on disk", done, err)
	}
	skilltest.WantStored(t, store)
	if _, err := os.Stat(done.Path); err != nil {
		t.Errorf("created at %s: %v", done.Path, err)
	}
}

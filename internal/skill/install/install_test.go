package install_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// builtins returns the root of the built-in skills.
func builtins() skill.Root {
	return skill.Root{Dir: "builtin", Source: skill.SourceBuiltin, FS: fstest.MapFS{
		"get-price/SKILL.md":        {Data: []byte(skilltest.SkillFile("get-price"))},
		"get-price/references/a.md": {Data: []byte("a")},
	}}
}

// installer returns an installer for dir, which knows its skills and one built-in, get-price.
func installer(t testing.TB, dir string) *install.Installer {
	t.Helper()
	r, _ := skilltest.OpenRegistry(t, builtins(), skilltest.UserRoot(dir))
	return &install.Installer{Dir: dir, Registry: r}
}

// tree reads the files of a skills folder, without the lock.
func tree(t testing.TB, dir string) skilltest.Files {
	t.Helper()
	got := skilltest.Files{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".nfa-lock" {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		got[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return got
}

func TestK24_NameConflictIsAnErrorUnlessRenamedOrReplaced(t *testing.T) {
	source := filepath.Join(skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab") + "new"}.Write(t), "ab")
	for name, tc := range map[string]struct {
		old     skilltest.Files
		options install.Options
		want    skilltest.Files // nil: a conflict
		report  install.Result
	}{
		"free":                    {nil, install.Options{}, skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab") + "new"}, install.Result{Name: "ab"}},
		"taken":                   {skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")}, install.Options{}, nil, install.Result{}},
		"taken in another folder": {skilltest.Files{"group/x/SKILL.md": skilltest.SkillFile("ab")}, install.Options{}, nil, install.Result{}},
		"taken by a broken skill": {skilltest.Files{"ab/SKILL.md": "broken"}, install.Options{}, nil, install.Result{}},
		"taken by a plain file":   {skilltest.Files{"ab": "text"}, install.Options{Replace: true}, nil, install.Result{}},
		"taken by a whole group":  {skilltest.Files{"ab/one/SKILL.md": skilltest.SkillFile("one")}, install.Options{Replace: true}, nil, install.Result{}},
		"renamed": {
			skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")}, install.Options{Rename: "cd"},
			skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": strings.Replace(skilltest.SkillFile("ab"), "name: ab", "name: cd", 1) + "new"},
			install.Result{Name: "cd", From: "ab", Renamed: true},
		},
		"renamed to a taken one": {skilltest.Files{"cd/SKILL.md": skilltest.SkillFile("cd")}, install.Options{Rename: "cd"}, nil, install.Result{}},
		"replaced": {
			skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "ab/references/old.md": "old", "cd/SKILL.md": skilltest.SkillFile("cd")}, install.Options{Replace: true},
			skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab") + "new", "cd/SKILL.md": skilltest.SkillFile("cd")}, install.Result{Name: "ab", Replaced: true},
		},
		"replaced in another folder": {
			skilltest.Files{"group/x/SKILL.md": skilltest.SkillFile("ab"), "group/y/SKILL.md": skilltest.SkillFile("yy")}, install.Options{Replace: true},
			skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab") + "new", "group/y/SKILL.md": skilltest.SkillFile("yy")}, install.Result{Name: "ab", Replaced: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := installer(t, tc.old.Write(t))
			report, err := i.Import(source, tc.options)
			if tc.want == nil {
				if _, ok := errors.AsType[*install.ConflictError](err); !ok {
					t.Errorf("Import() = %+v, %v, want a ConflictError", report, err)
				}
				tc.want = tc.old
			} else if err != nil {
				t.Fatal(err)
			} else {
				tc.report.Path = filepath.Join(i.Dir, tc.report.Name, "SKILL.md")
				if diff := cmp.Diff([]install.Result{tc.report}, report.Skills); diff != "" {
					t.Errorf("report (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(tc.want, tree(t, i.Dir)); diff != "" {
				t.Errorf("folder (-want +got):\n%s", diff)
			}
		})
	}
}

func TestK24_ABuiltInNameIsTakenUntilReplaceHidesIt(t *testing.T) {
	i := installer(t, t.TempDir())
	_, err := i.Create([]byte(skilltest.SkillFile("get-price")), install.Options{})
	if conflict, ok := errors.AsType[*install.ConflictError](err); !ok || conflict.Source != skill.SourceBuiltin {
		t.Errorf("Create(get-price) = %v, want a conflict with the built-in", err)
	}
	done, err := i.Create([]byte(skilltest.SkillFile("get-price")), install.Options{Replace: true})
	if err != nil || done.Hides != skill.SourceBuiltin || done.Replaced {
		t.Errorf("Create(get-price) = %+v, %v, want it to hide the built-in", done, err)
	}
	if s, _ := i.Registry.Lookup("get-price"); s.Source != skill.SourceUser {
		t.Errorf("get-price is now %s, want user", s.Source)
	}
	if err := i.Delete("get-price"); err != nil {
		t.Fatal(err)
	}
	if s, _ := i.Registry.Lookup("get-price"); s.Source != skill.SourceBuiltin {
		t.Errorf("get-price is then %s, want builtin", s.Source)
	}
}

func TestK24_BuiltInsCannotBeModified(t *testing.T) {
	i := installer(t, t.TempDir())
	_, written := i.Write("get-price", []byte(skilltest.SkillFile("get-price")))
	for what, err := range map[string]error{"Delete": i.Delete("get-price"), "Write": written} {
		if !errors.Is(err, install.ErrBuiltin) || !strings.Contains(err.Error(), "cannot modify built-in skill") {
			t.Errorf("%s(get-price) = %v, want ErrBuiltin", what, err)
		}
	}
	done, err := i.Clone("get-price", "my-price")
	if err != nil || done.Name != "my-price" || done.From != "get-price" {
		t.Fatalf("Clone() = %+v, %v", done, err)
	}
	want := skilltest.Files{"my-price/SKILL.md": strings.Replace(skilltest.SkillFile("get-price"), "name: get-price", "name: my-price", 1), "my-price/references/a.md": "a"}
	if diff := cmp.Diff(want, tree(t, i.Dir)); diff != "" {
		t.Errorf("clone (-want +got):\n%s", diff)
	}
	if _, err := i.Clone("get-price", "Not A Name"); err == nil || len(tree(t, i.Dir)) != 2 {
		t.Errorf("Clone() under a name that is none = %v, want it refused", err)
	}
}

func TestK24_SkillsKeptElsewhereAreNotChanged(t *testing.T) {
	outside := skilltest.Files{"group/ab/SKILL.md": skilltest.SkillFile("ab"), "solo/SKILL.md": skilltest.SkillFile("solo")}.Write(t)
	dir := t.TempDir()
	skilltest.Link(t, filepath.Join(outside, "group"), filepath.Join(dir, "linked"))
	skilltest.Link(t, filepath.Join(outside, "solo"), filepath.Join(dir, "solo"))
	shared := skilltest.Files{"other/SKILL.md": skilltest.SkillFile("other")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skill.Root{Dir: shared, Source: skill.SourceShared}, skilltest.UserRoot(dir))
	i := &install.Installer{Dir: dir, Registry: r}
	for _, name := range []string{"ab", "other"} {
		if err := i.Delete(name); !errors.Is(err, install.ErrOutsideFolder) {
			t.Errorf("Delete(%s) = %v, want ErrElsewhere", name, err)
		}
		if _, err := i.Write(name, []byte(skilltest.SkillFile(name))); !errors.Is(err, install.ErrOutsideFolder) {
			t.Errorf("Write(%s) = %v, want ErrElsewhere", name, err)
		}
	}
	if _, err := i.Create([]byte(skilltest.SkillFile("ab")), install.Options{Replace: true}); !errors.Is(err, install.ErrOutsideFolder) {
		t.Errorf("Create(ab) in place of a skill behind a link = %v, want ErrElsewhere", err)
	}
	if _, err := i.Write("solo", []byte(skilltest.SkillFile("solo")+"changed")); err == nil {
		t.Error("Write(solo) went through the link")
	}
	if err := i.Delete("solo"); err != nil {
		t.Errorf("Delete(solo) = %v, want the link removed", err)
	}
	want := skilltest.Files{"group/ab/SKILL.md": skilltest.SkillFile("ab"), "solo/SKILL.md": skilltest.SkillFile("solo")}
	if diff := cmp.Diff(want, tree(t, outside)); diff != "" {
		t.Errorf("what the links lead to (-want +got):\n%s", diff)
	}
}

func TestK24_WriteKeepsTheFilesAndFollowsANewName(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "ab/scripts/x.py": "x", "odd/SKILL.md": skilltest.SkillFile("cd"), "broken/SKILL.md": "broken"}.Write(t)
	i := installer(t, dir)
	edited := skilltest.SkillFile("ab") + "edited $1,000\r\n"
	if done, err := i.Write("ab", []byte(edited)); err != nil || done.Name != "ab" || done.From != "" {
		t.Errorf("Write(ab) = %+v, %v", done, err)
	}
	if _, err := i.Write("cd", []byte(skilltest.SkillFile("cd")+"edited")); err != nil {
		t.Errorf("Write(cd) = %v", err)
	}
	if done, err := i.Write("ab", []byte(skilltest.SkillFile("xy"))); err != nil || done.Name != "xy" || done.From != "ab" {
		t.Errorf("Write(ab) under the name xy = %+v, %v", done, err)
	}
	if _, err := i.Write("broken", []byte(skilltest.SkillFile("broken"))); err != nil {
		t.Errorf("Write(broken) = %v, want a broken skill mended", err)
	}
	want := skilltest.Files{
		"xy/SKILL.md": skilltest.SkillFile("xy"), "xy/scripts/x.py": "x",
		"odd/SKILL.md": skilltest.SkillFile("cd") + "edited", "broken/SKILL.md": skilltest.SkillFile("broken"),
	}
	for name, content := range map[string]string{
		"conflict":   skilltest.SkillFile("cd"),
		"built-in":   skilltest.SkillFile("get-price"),
		"invalid":    "---\nname: xy\n---\n",
		"misspelled": "---\nname: xy\ndescription: a: b\n---\n",
	} {
		if _, err := i.Write("xy", []byte(content)); err == nil {
			t.Errorf("Write(xy) with content that is %s was accepted", name)
		}
	}
	if _, err := i.Write("nowhere", []byte(skilltest.SkillFile("nowhere"))); err == nil || !strings.Contains(err.Error(), "Skill 'nowhere' not found") {
		t.Errorf("Write(nowhere) = %v", err)
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	skilltest.WantNames(t, i.Registry.List(), "broken cd get-price xy")
}

func TestK24_DeleteTakesBrokenSkillsAndNothingElse(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": "broken", "ab/references/x.md": "x", "cd/SKILL.md": skilltest.SkillFile("cd"), "group/ef/SKILL.md": skilltest.SkillFile("ef"), "plain/a.txt": "a"}.Write(t)
	i := installer(t, dir)
	for _, name := range []string{"plain", "group", "..", ".", "", ".nfa-lock", "cd/SKILL.md", "/etc", "get"} {
		if err := i.Delete(name); err == nil {
			t.Errorf("Delete(%q) was accepted", name)
		}
	}
	for _, name := range []string{"ab", "ef"} {
		if err := i.Delete(name); err != nil {
			t.Errorf("Delete(%s) = %v", name, err)
		}
	}
	if diff := cmp.Diff(skilltest.Files{"cd/SKILL.md": skilltest.SkillFile("cd"), "plain/a.txt": "a"}, tree(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestK25_ImportTakesFilesAndDirectories(t *testing.T) {
	source := skilltest.Files{
		"get-dividend/skills.md": "---\ndescription: d\n---\n", "get-dividend/references/a.md": "a", "get-dividend/.git/config": "x",
		"loose/SKILL.md": skilltest.SkillFile("loose"), "loose/not-taken.md": "x",
		"fin.md": "# Fin\n\ndescription: Finds\n", "empty/readme.md": "x",
	}.Write(t)
	skilltest.Link(t, "a.md", filepath.Join(source, "get-dividend", "references", "b.md"))
	i := installer(t, filepath.Join(t.TempDir(), "not", "there", "yet"))
	for _, path := range []string{"get-dividend", "loose/SKILL.md", "fin.md"} {
		if _, err := i.Import(filepath.Join(source, path), install.Options{}); err != nil {
			t.Errorf("Import(%s) = %v", path, err)
		}
	}
	want := skilltest.Files{
		"get-dividend/SKILL.md": "---\nname: get-dividend\ndescription: d\n---\n", "get-dividend/references/a.md": "a", "get-dividend/references/b.md": "a",
		"loose/SKILL.md": skilltest.SkillFile("loose"),
		"fin/SKILL.md":   "---\nname: fin\ndescription: Finds\n---\n\n# Fin\n\ndescription: Finds\n",
	}
	got := tree(t, i.Dir)
	got["fin/SKILL.md"] = strings.Replace(got["fin/SKILL.md"], "display_name: Fin\n", "", 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	for path, want := range map[string]error{"empty": skill.ErrNoSkillFile, "nowhere": skill.ErrUnreadable} {
		if _, err := i.Import(filepath.Join(source, path), install.Options{}); !errors.Is(err, want) {
			t.Errorf("Import(%s) = %v, want %v", path, err, want)
		}
	}
}

func TestK26_ImportFollowsNoLinkOut(t *testing.T) {
	source := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "secret.txt": "s", "secrets/x": "s"}.Write(t)
	for name, target := range map[string]string{"file": "../secret.txt", "folder": "../secrets", "absolute": filepath.Join(source, "secret.txt"), "broken": "nowhere", "folder inside": "."} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(source, "ab", "link")
			skilltest.Link(t, target, at)
			defer func() { _ = os.Remove(at) }()
			i := installer(t, t.TempDir())
			if _, err := i.Import(filepath.Join(source, "ab"), install.Options{}); !errors.Is(err, install.ErrLink) {
				t.Errorf("Import() = %v, want ErrLink", err)
			}
			if got := tree(t, i.Dir); len(got) > 0 {
				t.Errorf("the folder holds %v, want nothing", got)
			}
		})
	}
}

func TestK26_InstalledFilesAreTheirOwnersAlone(t *testing.T) {
	i := installer(t, filepath.Join(t.TempDir(), "skills"))
	if _, err := i.Clone("get-price", "my-price"); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(i.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has permissions %v, want %v", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestK27_AFolderThatCannotBeWrittenIsDistinguished(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	i := install.NewFaulty(dir, r, func(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrPermission} })
	if _, err := i.Create([]byte(skilltest.SkillFile("cd")), install.Options{}); !errors.Is(err, install.ErrNotWritable) {
		t.Errorf("Create() = %v, want ErrNotWritable", err)
	}
	file := filepath.Join(dir, "ab", "SKILL.md")
	i = &install.Installer{Dir: file, Registry: r}
	if _, err := i.Create([]byte(skilltest.SkillFile("cd")), install.Options{}); err == nil {
		t.Errorf("Create() in a file = %v, want an error", err)
	}
}

func TestK26_ConcurrentImportsDoNotMix(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			i := installer(t, dir)
			if _, err := i.Create([]byte(skilltest.SkillFile(fmt.Sprintf("skill-%d", n))), install.Options{}); err != nil {
				t.Errorf("Create(skill-%d) = %v", n, err)
			}
		})
	}
	wait.Wait()
	if got := tree(t, dir); len(got) != 8 {
		t.Errorf("%d skills, want 8: %v", len(got), got)
	}
}

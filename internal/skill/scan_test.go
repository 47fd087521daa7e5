package skill_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestK4_EveryBrokenKindIsSkippedWithAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    error
	}{
		"anchors":        {"---\nname: &n a\ndescription: d\n---\n", frontmatter.ErrAliases},
		"no description": {"---\nname: known\n---\n", skill.ErrMissingDescription},
		"bad name":       {"---\nname: a/b\ndescription: d\n---\n", skill.ErrInvalidName},
		"too large":      {skilltest.SkillFile("big") + strings.Repeat("x", skill.MaxSize), skill.ErrTooLarge},
		"not UTF-8":      {skilltest.SkillFile("latin") + "\xe9t\xe9", skill.ErrNotUTF8},
		"YAML too deep":  {skilltest.SkillFileWith("x: " + strings.Repeat("[", 20) + strings.Repeat("]", 20)), frontmatter.ErrNesting},
	} {
		t.Run(name, func(t *testing.T) { wantSkipped(t, c.content, c.want, "warn") })
	}
}

func TestK4_DirectoryNamedLikeTheFileIsReported(t *testing.T) {
	r, log := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"odd/SKILL.md/inner.txt": "x"}.Write(t)))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrNotRegular) || d.Name != "odd" {
		t.Errorf("diagnostic = %+v, log %s; want a directory where a file should be", d, log)
	}
}

func TestK4_UnreadableDirectoryIsAnErrorAndTheRestLoads(t *testing.T) {
	disk := fstest.MapFS{
		"closed/SKILL.md": &fstest.MapFile{Data: []byte(skilltest.SkillFile("closed"))},
		"open/SKILL.md":   &fstest.MapFile{Data: []byte(skilltest.SkillFile("open"))},
	}
	r, log := skilltest.OpenRegistry(t, skill.Root{Dir: "/skills", FS: unreadableFS{disk, "closed"}, Source: skill.SourceUser})
	skilltest.WantNames(t, r.List(), "open")
	if d := skilltest.WantOneSkipped(t, r); d.Path != "/skills/closed" || d.Severity != skill.SeverityError || d.Name != "closed" {
		t.Errorf("diagnostic = %+v, log %s; want an error for /skills/closed", d, log)
	}
}

func TestK3_LooksFourDirectoriesDownAndSaysWhatLiesDeeper(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{
		"one/SKILL.md": skilltest.SkillFile("one"), "a/b/c/four/SKILL.md": skilltest.SkillFile("four"), "a/b/c/d/five/SKILL.md": skilltest.SkillFile("five"),
		"a/b/c/d/e/six/SKILL.md": skilltest.SkillFile("six"),
	}.Write(t)))
	skilltest.WantNames(t, r.List(), "four one")
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrTooDeep) || d.Name != "five" {
		t.Errorf("diagnostic = %+v, want five too deep", d)
	}
}

func TestK3_WhatLiesInASkillIsTheSkills(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{
		"outer/SKILL.md": skilltest.SkillFile("outer"), "outer/examples/inner/SKILL.md": skilltest.SkillFile("inner"),
		".git/x/SKILL.md": skilltest.SkillFile("vcs"), "node_modules/y/SKILL.md": skilltest.SkillFile("dep"),
	}.Write(t)))
	skilltest.WantNames(t, r.List(), "outer")
	if d := r.Diagnostics(); len(d) != 0 {
		t.Errorf("diagnostics = %+v, want none", d)
	}
}

func TestK4_MisnamedFileIsReported(t *testing.T) {
	for _, name := range []string{"skill.md", "Skills.md"} {
		r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"x/" + name: skilltest.SkillFile("x")}.Write(t)))
		if d := skilltest.WantOneSkipped(t, r); d.Fix != "rename it to SKILL.md" || filepath.Base(d.Path) != name {
			t.Errorf("diagnostic = %+v, want advice to rename %s", d, name)
		}
	}
}

func TestK3_LinkedDirectoriesAreFollowedOnce(t *testing.T) {
	elsewhere := skilltest.Files{"mine/SKILL.md": skilltest.SkillFile("mine")}.Write(t)
	dir := skilltest.Files{"real/SKILL.md": skilltest.SkillFile("real")}.Write(t)
	skilltest.Link(t, filepath.Join(elsewhere, "mine"), filepath.Join(dir, "linked"))
	skilltest.Link(t, dir, filepath.Join(dir, "again"))
	skilltest.Link(t, filepath.Join(dir, "real"), filepath.Join(dir, "twin"))
	if err := os.MkdirAll(filepath.Join(dir, "group"), 0o755); err != nil {
		t.Fatal(err)
	}
	skilltest.Link(t, "..", filepath.Join(dir, "group", "up"))
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	skilltest.WantNames(t, r.List(), "mine real")
	for _, d := range r.Diagnostics() {
		if d.Skipped() {
			t.Errorf("diagnostic = %+v; a directory met again is no fault", d)
		}
	}
	if s, ok := r.Lookup("linked"); !ok || s.Name != "mine" {
		t.Errorf("Lookup(linked) = %q, %v; want mine by its directory", s.Name, ok)
	}
}

func TestK4_LinkToNowhereIsReported(t *testing.T) {
	dir := t.TempDir()
	skilltest.Link(t, filepath.Join(dir, "gone"), filepath.Join(dir, "lost"))
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrBrokenLink) || d.Name != "lost" {
		t.Errorf("diagnostic = %+v, want the broken link", d)
	}
}

func TestK1_AFolderThatIsAFileIsReported(t *testing.T) {
	dir := skilltest.Files{"skills": "a file"}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(filepath.Join(dir, "skills")))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrNotDirectory) {
		t.Errorf("diagnostic = %+v, want a file in the folder's place", d)
	}
	r, _ = skilltest.OpenRegistry(t, skilltest.UserRoot(filepath.Join(dir, "skills", "below")))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrUnreadable) {
		t.Errorf("diagnostic = %+v, want a folder that cannot be made", d)
	}
}

func TestK1_OnlyTheUsersFolderIsMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	r, _ := skilltest.OpenRegistry(t, skill.Root{Dir: dir, Source: skill.SourceShared})
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || len(r.Diagnostics()) > 0 {
		t.Errorf("Stat = %v, diagnostics %v; want nothing made and nothing said", err, r.Diagnostics())
	}
}

func TestK3_StopsAfterTooManyDirectories(t *testing.T) {
	dir := t.TempDir()
	for i := range 5100 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("junk-%04d", i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrTooMany) {
		t.Errorf("diagnostic = %+v, want too many", d)
	}
}

// panickingFS panics when some files are read.
type panickingFS struct{ fs.FS }

func (t panickingFS) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "trap") && strings.HasSuffix(name, skill.FileName) {
		panic("CANARY in " + name)
	}
	return t.FS.Open(name)
}

func TestScan_ASkillThatMakesItsReaderPanicCostsItselfAlone(t *testing.T) {
	disk := fstest.MapFS{"good/SKILL.md": {Data: []byte(skilltest.SkillFile("good"))}}
	const traps = 300 // more than the number of readers
	for i := range traps {
		disk[fmt.Sprintf("trap-%d/SKILL.md", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	r, log := skilltest.OpenRegistry(t, skill.Root{Dir: "/skills", FS: panickingFS{disk}, Source: skill.SourceUser})
	skilltest.WantNames(t, r.List(), "good")
	if got := len(r.Diagnostics()); got != traps {
		t.Errorf("%d of %d are reported", got, traps)
	}
	if text := fmt.Sprint(log); !strings.Contains(text, "panickingFS") || strings.Contains(text, "CANARY") {
		t.Errorf("the log has not where it was, or what it said: %.300s", text)
	}
}

// unreadableFS fails to open one path.
type unreadableFS struct {
	fs.FS
	path string
}

func (s unreadableFS) Open(name string) (fs.File, error) {
	if name == s.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.FS.Open(name)
}

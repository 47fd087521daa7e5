package skill_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nfa-cli/nfa/internal/skill"
)

func TestScan_EveryBrokenKindIsSkippedWithAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    error
	}{
		"anchors":        {"---\nname: &n a\ndescription: d\n---\n", skill.ErrAliases},
		"no description": {"---\nname: known\n---\n", skill.ErrMissingDescription},
		"bad name":       {"---\nname: a/b\ndescription: d\n---\n", skill.ErrInvalidName},
		"too large":      {named("big") + strings.Repeat("x", skill.MaxSize), skill.ErrTooLarge},
		"not UTF-8":      {named("latin") + "\xe9t\xe9", skill.ErrNotUTF8},
		"YAML too deep":  {head("x: " + strings.Repeat("[", 20) + strings.Repeat("]", 20)), skill.ErrTooDeep},
	} {
		t.Run(name, func(t *testing.T) { wantSkipped(t, c.content, c.want, "warn") })
	}
}

func TestScan_DirectoryNamedLikeTheFileIsReported(t *testing.T) {
	r, log := scanned(t, user(files{"odd/SKILL.md/inner.txt": "x"}.write(t)))
	if d := onlySkipped(t, r); !errors.Is(d.Err, skill.ErrNotRegular) || d.Name != "odd" {
		t.Errorf("diagnostic = %+v, log %s; want a directory where a file should be", d, log)
	}
}

func TestScan_UnreadableDirectoryIsAnErrorAndTheRestLoads(t *testing.T) {
	disk := fstest.MapFS{
		"closed/SKILL.md": &fstest.MapFile{Data: []byte(named("closed"))},
		"open/SKILL.md":   &fstest.MapFile{Data: []byte(named("open"))},
	}
	r, log := scanned(t, skill.Root{Dir: "/skills", FS: sealed{disk, "closed"}, Source: skill.SourceUser})
	wantNames(t, r.List(), "open")
	if d := onlySkipped(t, r); d.Path != "/skills/closed" || d.Severity != skill.Error || d.Name != "closed" {
		t.Errorf("diagnostic = %+v, log %s; want an error for /skills/closed", d, log)
	}
}

func TestScan_LooksFourDirectoriesDownAndSaysWhatLiesDeeper(t *testing.T) {
	r, _ := scanned(t, user(files{
		"one/SKILL.md": named("one"), "a/b/c/four/SKILL.md": named("four"), "a/b/c/d/five/SKILL.md": named("five"),
		"a/b/c/d/e/six/SKILL.md": named("six"),
	}.write(t)))
	wantNames(t, r.List(), "four one")
	if d := onlySkipped(t, r); !errors.Is(d.Err, skill.ErrTooDeep) || d.Name != "five" {
		t.Errorf("diagnostic = %+v, want five too deep", d)
	}
}

func TestScan_WhatLiesInASkillIsTheSkills(t *testing.T) {
	r, _ := scanned(t, user(files{
		"outer/SKILL.md": named("outer"), "outer/examples/inner/SKILL.md": named("inner"),
		".git/x/SKILL.md": named("vcs"), "node_modules/y/SKILL.md": named("dep"),
	}.write(t)))
	wantNames(t, r.List(), "outer")
	if d := r.Diagnostics(); len(d) != 0 {
		t.Errorf("diagnostics = %+v, want none", d)
	}
}

func TestScan_MisnamedFileIsReported(t *testing.T) {
	for _, name := range []string{"skill.md", "Skills.md"} {
		r, _ := scanned(t, user(files{"x/" + name: named("x")}.write(t)))
		if d := onlySkipped(t, r); d.Mend != "rename it to SKILL.md" || filepath.Base(d.Path) != name {
			t.Errorf("diagnostic = %+v, want advice to rename %s", d, name)
		}
	}
}

func TestScan_LinkedDirectoriesAreFollowedOnce(t *testing.T) {
	elsewhere := files{"mine/SKILL.md": named("mine")}.write(t)
	dir := files{"real/SKILL.md": named("real")}.write(t)
	link(t, filepath.Join(elsewhere, "mine"), filepath.Join(dir, "linked"))
	link(t, dir, filepath.Join(dir, "again"))
	link(t, filepath.Join(dir, "real"), filepath.Join(dir, "twin"))
	if err := os.MkdirAll(filepath.Join(dir, "group"), 0o755); err != nil {
		t.Fatal(err)
	}
	link(t, "..", filepath.Join(dir, "group", "up"))
	r, _ := scanned(t, user(dir))
	wantNames(t, r.List(), "mine real")
	for _, d := range r.Diagnostics() {
		if d.Skipped() {
			t.Errorf("diagnostic = %+v; a directory met again is no fault", d)
		}
	}
	if s, ok := r.Lookup("linked"); !ok || s.Name != "mine" {
		t.Errorf("Lookup(linked) = %q, %v; want mine by its directory", s.Name, ok)
	}
}

func TestScan_LinkToNowhereIsReported(t *testing.T) {
	dir := t.TempDir()
	link(t, filepath.Join(dir, "gone"), filepath.Join(dir, "lost"))
	r, _ := scanned(t, user(dir))
	if d := onlySkipped(t, r); !errors.Is(d.Err, skill.ErrBrokenLink) || d.Name != "lost" {
		t.Errorf("diagnostic = %+v, want the broken link", d)
	}
}

func TestScan_RootThatIsNoFolder(t *testing.T) {
	dir := files{"skills": "a file"}.write(t)
	r, _ := scanned(t, user(filepath.Join(dir, "skills")))
	if d := onlySkipped(t, r); !errors.Is(d.Err, skill.ErrNotDirectory) {
		t.Errorf("diagnostic = %+v, want a file in the folder's place", d)
	}
	r, _ = scanned(t, user(filepath.Join(dir, "skills", "below")))
	if d := onlySkipped(t, r); !errors.Is(d.Err, skill.ErrUnreadable) {
		t.Errorf("diagnostic = %+v, want a folder that cannot be made", d)
	}
}

func TestScan_OnlyTheUsersFolderIsMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	r, _ := scanned(t, skill.Root{Dir: dir, Source: skill.SourceShared})
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || len(r.Diagnostics()) > 0 {
		t.Errorf("Stat = %v, diagnostics %v; want nothing made and nothing said", err, r.Diagnostics())
	}
}

func TestScan_StopsAfterTooManyDirectories(t *testing.T) {
	disk := fstest.MapFS{}
	for i := range 5100 {
		disk[fmt.Sprintf("junk-%04d/x", i)] = &fstest.MapFile{}
	}
	r, _ := scanned(t, skill.Root{Dir: "/skills", FS: disk, Source: skill.SourceUser})
	if d := onlySkipped(t, r); !errors.Is(d.Err, skill.ErrTooMany) {
		t.Errorf("diagnostic = %+v, want too many", d)
	}
}

package skill_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestK2_HigherSourceHidesAndIsReported(t *testing.T) {
	sources := []skill.Source{skill.SourceBuiltin, skill.SourceShared, skill.SourceUser, skill.SourceProject}
	var roots []skill.Root
	for _, s := range sources {
		dir := skilltest.Files{"same/SKILL.md": skilltest.SkillFile("same"), string(s) + "/SKILL.md": skilltest.SkillFile(string(s))}.Write(t)
		roots = append(roots, skill.Root{Dir: dir, Source: s})
	}
	for last := len(roots); last > 0; last-- {
		r, _ := skilltest.OpenRegistry(t, roots[:last]...)
		if s, _ := r.Lookup("same"); s.Source != sources[last-1] {
			t.Errorf("with %d roots, same is from %s, want %s", last, s.Source, sources[last-1])
		}
		var hidden int
		for _, d := range r.Diagnostics() {
			if d.Skipped() && d.Name == "same" && d.Severity == skill.SeverityInfo && strings.Contains(d.Reason, string(sources[last-1])) {
				hidden++
			}
		}
		if hidden != last-1 || len(r.List()) != last+1 {
			t.Errorf("with %d roots, %d reported hidden, %d listed; want %d and %d", last, hidden, len(r.List()), last-1, last+1)
		}
	}
}

func TestK2_OrderOfRootsDoesNotOutrankTheSource(t *testing.T) {
	own := skilltest.Files{"same/SKILL.md": skilltest.SkillFile("same")}.Write(t)
	shared := skilltest.Files{"same/SKILL.md": skilltest.SkillFile("same")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(own), skill.Root{Dir: shared, Source: skill.SourceShared})
	if s, _ := r.Lookup("same"); s.Source != skill.SourceUser {
		t.Errorf("same is from %s, want the user's", s.Source)
	}
}

func TestK2_LaterRootWinsWithinASourceWithAWarning(t *testing.T) {
	first, second := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("same")}.Write(t), skilltest.Files{"b/SKILL.md": skilltest.SkillFile("same")}.Write(t)
	r, log := skilltest.OpenRegistry(t, skilltest.UserRoot(first), skilltest.UserRoot(second))
	if s, _ := r.Lookup("same"); s.Directory != filepath.Join(second, "b") {
		t.Errorf("same is at %s, want the later root's", s.Directory)
	}
	if d := skilltest.WantOneSkipped(t, r); d.Severity != skill.SeverityWarning || !strings.Contains(log.String(), "warn") {
		t.Errorf("diagnostic = %+v, want a warning", d)
	}
}

func TestK8_LookupTakesTheNameThenTheDirectory(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"folder/SKILL.md": skilltest.SkillFile("name"), "name/SKILL.md": skilltest.SkillFile("other")}.Write(t)))
	for wanted, name := range map[string]string{"name": "name", "other": "other", "folder": "name", " name ": "name", "ｎame": "name"} {
		if s, ok := r.Lookup(wanted); !ok || s.Name != name {
			t.Errorf("Lookup(%q) = %q, %v; want %s", wanted, s.Name, ok, name)
		}
	}
	for _, wanted := range []string{"", "Name", "../name", "name/SKILL.md"} {
		if s, ok := r.Lookup(wanted); ok {
			t.Errorf("Lookup(%q) = %q, want nothing", wanted, s.Name)
		}
	}
}

func TestK4_UsableSkillsKeepTheirWarningsInView(t *testing.T) {
	r, log := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"folder/SKILL.md": skilltest.SkillFile("name")}.Write(t)))
	d := r.Diagnostics()
	if len(d) != 1 || d[0].Skipped() || d[0].Severity != skill.SeverityInfo || !strings.Contains(d[0].Reason, "folder") {
		t.Errorf("diagnostics = %+v, want one warning of a skill in use", d)
	}
	if s, _ := r.Lookup("name"); len(s.Warnings) != 1 || !strings.Contains(log.String(), "loaded with a warning") {
		t.Errorf("warnings = %q, log %s; want it there too", s.Warnings, log)
	}
}

func TestK3_RescanSaysWhatChanged(t *testing.T) {
	dir := skilltest.Files{"keep/SKILL.md": skilltest.SkillFile("keep"), "edit/SKILL.md": skilltest.SkillFile("edit"), "drop/SKILL.md": skilltest.SkillFile("drop")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if c := r.Rescan(); !c.Empty() {
		t.Errorf("Rescan of the same = %+v, want nothing", c)
	}
	skilltest.PutFile(t, dir, "edit/SKILL.md", skilltest.SkillFile("edit")+"one more line\n")
	skilltest.PutFile(t, dir, "fresh/SKILL.md", skilltest.SkillFile("fresh"))
	if err := os.RemoveAll(filepath.Join(dir, "drop")); err != nil {
		t.Fatal(err)
	}
	want := skill.Changes{Added: []string{"fresh"}, Removed: []string{"drop"}, Changed: []string{"edit"}}
	if diff := cmp.Diff(want, r.Rescan()); diff != "" {
		t.Errorf("Rescan (-want +got):\n%s", diff)
	}
	skilltest.WantNames(t, r.List(), "edit fresh keep")
}

func TestK12_LoadFollowsASkillThatMoved(t *testing.T) {
	dir := skilltest.Files{"old/SKILL.md": skilltest.SkillFile("mover")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if err := os.Rename(filepath.Join(dir, "old"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	content, err := r.Load("mover")
	if err != nil || content.Skill.Alias != "new" {
		t.Errorf("Load = %+v, %v; want it from its new place", content.Skill, err)
	}
}

func TestK12_LoadOfAFileThatIsGone(t *testing.T) {
	dir := skilltest.Files{"gone/SKILL.md": skilltest.SkillFile("gone")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if err := os.RemoveAll(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Load("gone"); !errors.Is(err, skill.ErrFileMissing) {
		t.Errorf("Load = %v, want ErrFileGone", err)
	}
	skilltest.WantNames(t, r.List(), "")
}

func TestK9_LoadReadsWhatTheFileSaysNow(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	skilltest.PutFile(t, dir, "a/SKILL.md", "---\nname: aa\ndescription: Changed\n---\nNew")
	content, err := r.Load("aa")
	if err != nil || content.Body != "New" || content.Skill.Description != "Changed" || content.Skill.Source != skill.SourceUser {
		t.Errorf("Load = %+v, %v; want the new text in the old place", content, err)
	}
	skilltest.PutFile(t, dir, "a/SKILL.md", "no longer a skill")
	if _, err := r.Load("aa"); !errors.Is(err, frontmatter.ErrMissing) {
		t.Errorf("Load = %v, want what is wrong with the file", err)
	}
}

func TestRegistry_IsSafeForConcurrentUse(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa"), "b/SKILL.md": skilltest.SkillFile("bb")}.Write(t)
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				r.Rescan()
			}
		})
		wg.Go(func() {
			for range 20 {
				_, errLoad := r.Load("aa")
				_, errList := r.Resources("bb")
				if errLoad != nil || errList != nil || len(r.List()) == 0 {
					t.Errorf("while scanning: %v, %v, %v", errLoad, errList, r.List())
				}
			}
		})
	}
	wg.Wait()
}

func ExampleOpen() {
	registry := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	if s, ok := registry.Lookup("get-price"); ok {
		fmt.Printf("%s (%s) needs %v\n", s.DisplayName, s.Source, s.ToolsRequired)
	}
	// Output: Get price (builtin) needs [quote]
}

func TestK2_ARootThatIsNotAllowedAnyMoreIsLeftOutAtTheNextScan(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")}.Write(t)
	var refusal error
	r, _ := skilltest.OpenRegistry(t, skill.Root{Dir: dir, Source: skill.SourceProject, CheckTrust: func() error { return refusal }})
	if _, err := r.Load("a"); err != nil {
		t.Fatal(err)
	}
	skilltest.PutFile(t, dir, "a/SKILL.md", skilltest.SkillFile("a")+"Sell all.\n")
	if _, err := r.Load("a"); !errors.Is(err, skill.ErrChangedSinceTrust) {
		t.Errorf("Load of a changed skill = %v, want ErrChangedSince", err)
	}
	refusal = skill.ErrNotTrusted
	if changes := r.Rescan(); len(changes.Removed) != 1 || len(r.List()) != 0 {
		t.Errorf("Rescan = %+v, skills %v; want it gone", changes, r.List())
	}
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrNotTrusted) || d.Fix == "" {
		t.Errorf("diagnostic = %+v", d)
	}
}

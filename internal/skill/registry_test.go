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
		dir := skilltest.Files{"same/SKILL.md": skilltest.Named("same"), string(s) + "/SKILL.md": skilltest.Named(string(s))}.Write(t)
		roots = append(roots, skill.Root{Dir: dir, Source: s})
	}
	for last := len(roots); last > 0; last-- {
		r, _ := skilltest.Scanned(t, roots[:last]...)
		if s, _ := r.Lookup("same"); s.Source != sources[last-1] {
			t.Errorf("with %d roots, same is from %s, want %s", last, s.Source, sources[last-1])
		}
		var hidden int
		for _, d := range r.Diagnostics() {
			if d.Skipped() && d.Name == "same" && d.Severity == skill.Info && strings.Contains(d.Reason, string(sources[last-1])) {
				hidden++
			}
		}
		if hidden != last-1 || len(r.List()) != last+1 {
			t.Errorf("with %d roots, %d reported hidden, %d listed; want %d and %d", last, hidden, len(r.List()), last-1, last+1)
		}
	}
}

func TestK2_OrderOfRootsDoesNotOutrankTheSource(t *testing.T) {
	own := skilltest.Files{"same/SKILL.md": skilltest.Named("same")}.Write(t)
	shared := skilltest.Files{"same/SKILL.md": skilltest.Named("same")}.Write(t)
	r, _ := skilltest.Scanned(t, skilltest.User(own), skill.Root{Dir: shared, Source: skill.SourceShared})
	if s, _ := r.Lookup("same"); s.Source != skill.SourceUser {
		t.Errorf("same is from %s, want the user's", s.Source)
	}
}

func TestK2_LaterRootWinsWithinASourceWithAWarning(t *testing.T) {
	first, second := skilltest.Files{"a/SKILL.md": skilltest.Named("same")}.Write(t), skilltest.Files{"b/SKILL.md": skilltest.Named("same")}.Write(t)
	r, log := skilltest.Scanned(t, skilltest.User(first), skilltest.User(second))
	if s, _ := r.Lookup("same"); s.Directory != filepath.Join(second, "b") {
		t.Errorf("same is at %s, want the later root's", s.Directory)
	}
	if d := skilltest.OnlySkipped(t, r); d.Severity != skill.Warning || !strings.Contains(log.String(), "warn") {
		t.Errorf("diagnostic = %+v, want a warning", d)
	}
}

func TestK8_LookupTakesTheNameThenTheDirectory(t *testing.T) {
	r, _ := skilltest.Scanned(t, skilltest.User(skilltest.Files{"folder/SKILL.md": skilltest.Named("name"), "name/SKILL.md": skilltest.Named("other")}.Write(t)))
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
	r, log := skilltest.Scanned(t, skilltest.User(skilltest.Files{"folder/SKILL.md": skilltest.Named("name")}.Write(t)))
	d := r.Diagnostics()
	if len(d) != 1 || d[0].Skipped() || d[0].Severity != skill.Info || !strings.Contains(d[0].Reason, "folder") {
		t.Errorf("diagnostics = %+v, want one warning of a skill in use", d)
	}
	if s, _ := r.Lookup("name"); len(s.Warnings) != 1 || !strings.Contains(log.String(), "loaded with a warning") {
		t.Errorf("warnings = %q, log %s; want it there too", s.Warnings, log)
	}
}

func TestK3_RescanSaysWhatChanged(t *testing.T) {
	dir := skilltest.Files{"keep/SKILL.md": skilltest.Named("keep"), "edit/SKILL.md": skilltest.Named("edit"), "drop/SKILL.md": skilltest.Named("drop")}.Write(t)
	r, _ := skilltest.Scanned(t, skilltest.User(dir))
	if c := r.Rescan(); !c.Empty() {
		t.Errorf("Rescan of the same = %+v, want nothing", c)
	}
	skilltest.Put(t, dir, "edit/SKILL.md", skilltest.Named("edit")+"one more line\n")
	skilltest.Put(t, dir, "fresh/SKILL.md", skilltest.Named("fresh"))
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
	dir := skilltest.Files{"old/SKILL.md": skilltest.Named("mover")}.Write(t)
	r, _ := skilltest.Scanned(t, skilltest.User(dir))
	if err := os.Rename(filepath.Join(dir, "old"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	content, err := r.Load("mover")
	if err != nil || content.Skill.Alias != "new" {
		t.Errorf("Load = %+v, %v; want it from its new place", content.Skill, err)
	}
}

func TestK12_LoadOfAFileThatIsGone(t *testing.T) {
	dir := skilltest.Files{"gone/SKILL.md": skilltest.Named("gone")}.Write(t)
	r, _ := skilltest.Scanned(t, skilltest.User(dir))
	if err := os.RemoveAll(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Load("gone"); !errors.Is(err, skill.ErrFileGone) {
		t.Errorf("Load = %v, want ErrFileGone", err)
	}
	skilltest.WantNames(t, r.List(), "")
}

func TestK9_LoadReadsWhatTheFileSaysNow(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.Named("aa")}.Write(t)
	r, _ := skilltest.Scanned(t, skilltest.User(dir))
	skilltest.Put(t, dir, "a/SKILL.md", "---\nname: aa\ndescription: Changed\n---\nNew")
	content, err := r.Load("aa")
	if err != nil || content.Body != "New" || content.Skill.Description != "Changed" || content.Skill.Source != skill.SourceUser {
		t.Errorf("Load = %+v, %v; want the new text in the old place", content, err)
	}
	skilltest.Put(t, dir, "a/SKILL.md", "no longer a skill")
	if _, err := r.Load("aa"); !errors.Is(err, frontmatter.ErrMissing) {
		t.Errorf("Load = %v, want what is wrong with the file", err)
	}
}

func TestRegistry_IsSafeForConcurrentUse(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.Named("aa"), "b/SKILL.md": skilltest.Named("bb")}.Write(t)
	r, _ := skilltest.Scanned(t, skilltest.User(dir))
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
	// Output: Get Price (builtin) needs [quote]
}

func TestK2_ARootThatIsNotAllowedAnyMoreIsLeftOutAtTheNextScan(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.Named("a")}.Write(t)
	var refusal error
	r, _ := skilltest.Scanned(t, skill.Root{Dir: dir, Source: skill.SourceProject, Allowed: func() error { return refusal }})
	if _, err := r.Load("a"); err != nil {
		t.Fatal(err)
	}
	skilltest.Put(t, dir, "a/SKILL.md", skilltest.Named("a")+"Sell all.\n")
	if _, err := r.Load("a"); !errors.Is(err, skill.ErrChangedSince) {
		t.Errorf("Load of a changed skill = %v, want ErrChangedSince", err)
	}
	refusal = skill.ErrNotTrusted
	if changes := r.Rescan(); len(changes.Removed) != 1 || len(r.List()) != 0 {
		t.Errorf("Rescan = %+v, skills %v; want it gone", changes, r.List())
	}
	if d := skilltest.OnlySkipped(t, r); !errors.Is(d.Err, skill.ErrNotTrusted) || d.Mend == "" {
		t.Errorf("diagnostic = %+v", d)
	}
}

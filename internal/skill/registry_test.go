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

	"github.com/nfa-cli/nfa/internal/skill"
)

func TestRegistry_HigherSourceHidesAndIsReported(t *testing.T) {
	sources := []skill.Source{skill.SourceBuiltin, skill.SourceShared, skill.SourceUser, skill.SourceProject}
	var roots []skill.Root
	for _, s := range sources {
		dir := files{"same/SKILL.md": named("same"), string(s) + "/SKILL.md": named(string(s))}.write(t)
		roots = append(roots, skill.Root{Dir: dir, Source: s})
	}
	for last := len(roots); last > 0; last-- {
		r, _ := scanned(t, roots[:last]...)
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

func TestRegistry_OrderOfRootsDoesNotOutrankTheSource(t *testing.T) {
	own := files{"same/SKILL.md": named("same")}.write(t)
	shared := files{"same/SKILL.md": named("same")}.write(t)
	r, _ := scanned(t, user(own), skill.Root{Dir: shared, Source: skill.SourceShared})
	if s, _ := r.Lookup("same"); s.Source != skill.SourceUser {
		t.Errorf("same is from %s, want the user's", s.Source)
	}
}

func TestRegistry_LaterRootWinsWithinASourceWithAWarning(t *testing.T) {
	first, second := files{"a/SKILL.md": named("same")}.write(t), files{"b/SKILL.md": named("same")}.write(t)
	r, log := scanned(t, user(first), user(second))
	if s, _ := r.Lookup("same"); s.Directory != filepath.Join(second, "b") {
		t.Errorf("same is at %s, want the later root's", s.Directory)
	}
	if d := onlySkipped(t, r); d.Severity != skill.Warning || !strings.Contains(log.String(), "warn") {
		t.Errorf("diagnostic = %+v, want a warning", d)
	}
}

func TestRegistry_LookupTakesTheNameThenTheDirectory(t *testing.T) {
	r, _ := scanned(t, user(files{"folder/SKILL.md": named("name"), "name/SKILL.md": named("other")}.write(t)))
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

func TestRegistry_UsableSkillsKeepTheirWarningsInView(t *testing.T) {
	r, log := scanned(t, user(files{"folder/SKILL.md": named("name")}.write(t)))
	d := r.Diagnostics()
	if len(d) != 1 || d[0].Skipped() || d[0].Severity != skill.Info || !strings.Contains(d[0].Reason, "folder") {
		t.Errorf("diagnostics = %+v, want one warning of a skill in use", d)
	}
	if s, _ := r.Lookup("name"); len(s.Warnings) != 1 || !strings.Contains(log.String(), "loaded with a warning") {
		t.Errorf("warnings = %q, log %s; want it there too", s.Warnings, log)
	}
}

func TestRegistry_RescanSaysWhatChanged(t *testing.T) {
	dir := files{"keep/SKILL.md": named("keep"), "edit/SKILL.md": named("edit"), "drop/SKILL.md": named("drop")}.write(t)
	r, _ := scanned(t, user(dir))
	if c := r.Rescan(); !c.Empty() {
		t.Errorf("Rescan of the same = %+v, want nothing", c)
	}
	put(t, dir, "edit/SKILL.md", named("edit")+"one more line\n")
	put(t, dir, "fresh/SKILL.md", named("fresh"))
	if err := os.RemoveAll(filepath.Join(dir, "drop")); err != nil {
		t.Fatal(err)
	}
	want := skill.Changes{Added: []string{"fresh"}, Removed: []string{"drop"}, Changed: []string{"edit"}}
	if diff := cmp.Diff(want, r.Rescan()); diff != "" {
		t.Errorf("Rescan (-want +got):\n%s", diff)
	}
	wantNames(t, r.List(), "edit fresh keep")
}

func TestRegistry_LoadFollowsASkillThatMoved(t *testing.T) {
	dir := files{"old/SKILL.md": named("mover")}.write(t)
	r, _ := scanned(t, user(dir))
	if err := os.Rename(filepath.Join(dir, "old"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	content, err := r.Load("mover")
	if err != nil || content.Skill.Alias != "new" {
		t.Errorf("Load = %+v, %v; want it from its new place", content.Skill, err)
	}
}

func TestRegistry_LoadOfAFileThatIsGone(t *testing.T) {
	dir := files{"gone/SKILL.md": named("gone")}.write(t)
	r, _ := scanned(t, user(dir))
	if err := os.RemoveAll(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Load("gone"); !errors.Is(err, skill.ErrFileGone) {
		t.Errorf("Load = %v, want ErrFileGone", err)
	}
	wantNames(t, r.List(), "")
}

func TestRegistry_LoadReadsWhatTheFileSaysNow(t *testing.T) {
	dir := files{"a/SKILL.md": named("aa")}.write(t)
	r, _ := scanned(t, user(dir))
	put(t, dir, "a/SKILL.md", "---\nname: aa\ndescription: Changed\n---\nNew")
	content, err := r.Load("aa")
	if err != nil || content.Body != "New" || content.Skill.Description != "Changed" || content.Skill.Source != skill.SourceUser {
		t.Errorf("Load = %+v, %v; want the new text in the old place", content, err)
	}
	put(t, dir, "a/SKILL.md", "no longer a skill")
	if _, err := r.Load("aa"); !errors.Is(err, skill.ErrNoFrontMatter) {
		t.Errorf("Load = %v, want what is wrong with the file", err)
	}
}

func TestRegistry_IsSafeForConcurrentUse(t *testing.T) {
	dir := files{"a/SKILL.md": named("aa"), "b/SKILL.md": named("bb")}.write(t)
	r, _ := scanned(t, user(dir))
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

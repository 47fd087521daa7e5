package skill_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func openState(t testing.TB, home string) *skill.State {
	t.Helper()
	s, err := skill.OpenState(t.Context(), home)
	if err != nil {
		t.Fatalf("OpenState = %v", err)
	}
	return s
}

// usedAt is when the skills of these tests are used.
var usedAt = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func contentOf(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

func TestK24_DisabledSkillsStayDisabled(t *testing.T) {
	home := filepath.Join(t.TempDir(), "not", "yet")
	s := openState(t, home)
	if s.Disabled("a") {
		t.Error("a is disabled before anyone said so")
	}
	for _, name := range []string{"c", "a", "b", "a"} {
		must(t, s.SetDisabled(t.Context(), name, true))
	}
	must(t, s.SetDisabled(t.Context(), "b", false))
	for _, of := range []*skill.State{s, openState(t, home)} {
		if got := fmt.Sprint(of.Disabled("a"), of.Disabled("b"), of.Disabled(" c ")); got != "true false true" {
			t.Errorf("disabled a, b, c = %s, want true false true", got)
		}
	}
	const want = "{\n  \"disabled\": [\n    \"a\",\n    \"c\"\n  ],\n  \"trusted\": {},\n  \"uses\": {}\n}\n"
	if got := contentOf(t, filepath.Join(home, "skills.json")); got != want {
		t.Errorf("skills.json = %s, want %s", got, want)
	}
}

func TestState_ANullIsAnEmptyList(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "skills.json")
	must(t, os.WriteFile(file, []byte(`{"disabled":null,"trusted":null,"uses":null,"last_used":null,"reviewed":null}`), 0o600))
	s := openState(t, home)
	must(t, s.SetTrusted(t.Context(), skill.Listing{Folder: "/f", Hash: "h"}, true))
	must(t, s.CountUse(t.Context(), "a", usedAt))
	must(t, s.SetReviewed(t.Context(), "a", "h"))
	must(t, s.SetDisabled(t.Context(), "a", true))
	if !s.Disabled("a") || s.FolderTrust(skill.Listing{Folder: "/f", Hash: "h"}) != skill.Trusted {
		t.Errorf("skills.json = %s, want what was decided", contentOf(t, file))
	}
}

func TestState_IsForItsOwnerAlone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	must(t, openState(t, home).CountUse(t.Context(), "a", usedAt))
	left, err := os.ReadDir(home)
	must(t, err)
	var names []string
	for _, item := range left {
		info, err := item.Info()
		must(t, err)
		names = append(names, fmt.Sprintf("%s %o", item.Name(), info.Mode().Perm()))
	}
	if diff := cmp.Diff([]string{"skills.json 600", "skills.json.lock 600"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(home); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder = %v, %v, want 0700", info.Mode(), err)
	}
}

func TestState_WhatItDoesNotKnowIsKept(t *testing.T) {
	dir := skilltest.Files{"skills.json": `{"theme": {"a": [1.10, "x"]}, "disabled": ["b", "a", "b"], "uses": {"q": 2}}`}.Write(t)
	s := openState(t, dir)
	must(t, s.CountUse(t.Context(), "q", usedAt))
	var same strings.Builder
	for line := range strings.Lines(contentOf(t, filepath.Join(dir, "skills.json"))) {
		same.WriteString(strings.TrimSpace(line))
	}
	if want := `{"disabled": ["a","b"],"last_used": {"q": "2026-03-02T10:00:00Z"},"theme": {"a": [1.10,"x"]},"trusted": {},"uses": {"q": 3}}`; same.String() != want {
		t.Errorf("skills.json = %s, want %s", same.String(), want)
	}
}

func TestState_DamagedFileIsSetAsideAndSaid(t *testing.T) {
	for name, text := range map[string]string{
		"cut off": `{"disabled": ["a"`, "empty": "", "a list": `["a"]`, "null": "null", "wrong type": `{"disabled": "a"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := skilltest.Files{"skills.json": text, "skills.json.damaged-1": "older"}.Write(t)
			path := filepath.Join(dir, "skills.json")
			s, err := skill.OpenState(t.Context(), dir)
			var told *skill.DamagedStateError
			if !errors.As(err, &told) || told.Aside != path+".damaged-2" || !strings.Contains(err.Error(), told.Aside) {
				t.Fatalf("OpenState = %v, want where it was put", err)
			}
			if got := contentOf(t, told.Aside); got != text {
				t.Errorf("set aside = %q, want %q", got, text)
			}
			must(t, s.SetDisabled(t.Context(), "b", true))
			if s = openState(t, dir); !s.Disabled("b") || s.Disabled("a") {
				t.Error("the new file does not hold the new decision alone")
			}
			skilltest.PutFile(t, dir, "skills.json", text)
			if err := s.CountUse(t.Context(), "x", usedAt); !errors.As(err, &told) {
				t.Errorf("CountUse with a file damaged meanwhile = %v, want it said", err)
			}
			if uses := openState(t, dir).Uses(); uses["x"] != (skill.Use{Count: 1, Last: usedAt}) {
				t.Errorf("uses = %v, want the one counted", uses)
			}
		})
	}
}

func TestState_ProcessesDoNotUndoOneAnother(t *testing.T) {
	home := t.TempDir()
	var wait sync.WaitGroup
	for i := range 8 {
		s := openState(t, home) // each as in another process
		wait.Go(func() {
			for range 5 {
				if err := errors.Join(s.CountUse(t.Context(), "a", usedAt), s.SetDisabled(t.Context(), fmt.Sprint(i), true)); err != nil {
					t.Error(err)
				}
				s.Uses()
			}
		})
	}
	wait.Wait()
	s := openState(t, home)
	if got := s.Uses()["a"].Count; got != 40 {
		t.Errorf("uses = %d, want 40", got)
	}
	for i := range 8 {
		if !s.Disabled(fmt.Sprint(i)) {
			t.Errorf("%d is no longer disabled", i)
		}
	}
}

func TestState_ReloadTakesInWhatOthersChanged(t *testing.T) {
	home := t.TempDir()
	mine, other := openState(t, home), openState(t, home)
	must(t, other.SetDisabled(t.Context(), "a", true))
	must(t, mine.Reload(t.Context()))
	if !mine.Disabled("a") {
		t.Error("Reload did not take in the other's change")
	}
}

func TestState_AChangeThatCannotBeWrittenIsNotMade(t *testing.T) {
	home := t.TempDir()
	s := openState(t, home)
	must(t, s.SetDisabled(t.Context(), "a", true))
	lock := flock.New(filepath.Join(home, "skills.json.lock"))
	must(t, lock.Lock())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.SetDisabled(ctx, "b", true); !errors.Is(err, context.DeadlineExceeded) || s.Disabled("b") {
		t.Errorf("SetDisabled under another's lock = %v, disabled %t", err, s.Disabled("b"))
	}
	must(t, lock.Unlock())
	must(t, os.Remove(filepath.Join(home, "skills.json")))
	must(t, os.Mkdir(filepath.Join(home, "skills.json"), 0o700))
	if err := s.SetDisabled(t.Context(), "b", true); err == nil || s.Disabled("b") {
		t.Errorf("SetDisabled over a folder = %v, disabled %t", err, s.Disabled("b"))
	}
	if err := s.Reload(t.Context()); err == nil || !s.Disabled("a") {
		t.Errorf("Reload of what cannot be read = %v, a disabled %t, want what was known", err, s.Disabled("a"))
	}
}

func TestState_ALinkedFileStaysALink(t *testing.T) {
	elsewhere := skilltest.Files{"dotfiles/skills.json": "{}"}.Write(t)
	home := t.TempDir()
	skilltest.Link(t, filepath.Join(elsewhere, "dotfiles", "skills.json"), filepath.Join(home, "skills.json"))
	must(t, openState(t, home).SetDisabled(t.Context(), "a", true))
	if info, err := os.Lstat(filepath.Join(home, "skills.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("skills.json = %v, %v, want the link", info.Mode(), err)
	}
	if got := contentOf(t, filepath.Join(elsewhere, "dotfiles", "skills.json")); !strings.Contains(got, `"a"`) {
		t.Errorf("the file behind the link = %s", got)
	}
}

func TestK34_ASkillIsReviewedAsItIsAndNoOtherWay(t *testing.T) {
	home := t.TempDir()
	s := openState(t, home)
	if s.Reviewed("a", "") || s.Reviewed("a", "hash-1") {
		t.Error("reviewed before anybody looked")
	}
	must(t, s.SetReviewed(t.Context(), "a", "hash-1"))
	for _, of := range []*skill.State{s, openState(t, home)} {
		if !of.Reviewed(" a ", "hash-1") || of.Reviewed("a", "hash-2") || of.Reviewed("b", "hash-1") || of.Reviewed("a", "") {
			t.Error("Reviewed does not report what was reviewed")
		}
	}
	must(t, s.SetReviewed(t.Context(), "a", "hash-2"))
	if s.Reviewed("a", "hash-1") || !s.Reviewed("a", "hash-2") {
		t.Error("the skill as it was is still reviewed")
	}
}

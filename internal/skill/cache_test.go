package skill_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestMain(m *testing.M) { os.Exit(skilltest.RunInMemory(m)) }

// fakeClock is a clock that is moved by hand.
type fakeClock struct{ now time.Time }

func (h *fakeClock) clock() time.Time { return h.now }

func newCache(t testing.TB, content skilltest.Files) (*skill.Cache, *skill.Registry, string, *fakeClock) {
	t.Helper()
	dir := content.Write(t)
	registry, _ := skilltest.OpenRegistry(t, skill.Builtin(), skilltest.UserRoot(dir))
	clock := &fakeClock{time.Date(2020, 4, 17, 16, 0, 0, 0, time.UTC)}
	return skill.NewCache(registry, clock.clock), registry, dir, clock
}

// loadText loads a skill and returns a word for how it was loaded.
func loadText(t testing.TB, c *skill.Cache, conversation, name string) string {
	t.Helper()
	loaded, err := c.Load(conversation, name)
	switch {
	case err != nil:
		return err.Error()
	case loaded.AlreadyLoaded && loaded.Changed:
		t.Fatalf("Load(%s, %s) is both already loaded and changed", conversation, name)
	case loaded.AlreadyLoaded:
		return "already"
	case loaded.Changed:
		return "changed"
	}
	return "full"
}

func wantLoaded(t testing.TB, c *skill.Cache, conversation, name, want string) {
	t.Helper()
	if got := loadText(t, c, conversation, name); got != want {
		t.Errorf("Load(%s, %s) = %s, want %s", conversation, name, got, want)
	}
}

func TestK15_SecondLoadInAConversationIsAnsweredAsAlreadyLoaded(t *testing.T) {
	c, _, _, _ := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a"), "folder/SKILL.md": skilltest.SkillFile("b")})
	wantLoaded(t, c, "one", "a", "full")
	wantLoaded(t, c, "one", "a", "already")
	wantLoaded(t, c, "two", "a", "full")
	wantLoaded(t, c, "one", "b", "full")
	wantLoaded(t, c, "one", "folder", "already") // also found by its directory
	wantLoaded(t, c, "one", "get-price", "full")
	wantLoaded(t, c, "one", "get-price", "already")
	if got := c.Size(); got != 4 {
		t.Errorf("Size() = %d, want 4", got)
	}
}

func TestK15_ForgottenAfterAnHour(t *testing.T) {
	c, _, _, clock := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")})
	wantLoaded(t, c, "one", "a", "full")
	clock.now = clock.now.Add(time.Hour)
	wantLoaded(t, c, "one", "a", "already")
	clock.now = clock.now.Add(time.Second)
	if got := c.Size(); got != 0 {
		t.Errorf("Size() after an hour = %d, want 0", got)
	}
	wantLoaded(t, c, "one", "a", "full")
}

func TestK15_ClearForgetsOneConversationOrAll(t *testing.T) {
	c, _, _, _ := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")})
	for _, conversation := range []string{"one", "two", "two:a"} {
		wantLoaded(t, c, conversation, "a", "full")
	}
	c.Clear("two")
	wantLoaded(t, c, "one", "a", "already")
	wantLoaded(t, c, "two:a", "a", "already")
	wantLoaded(t, c, "two", "a", "full")
	c.ClearAll()
	for _, conversation := range []string{"one", "two", "two:a"} {
		wantLoaded(t, c, conversation, "a", "full")
		wantLoaded(t, c, conversation, "a", "already")
	}
}

func TestK15_WhatAConversationHasHadIsKnownToHaveChangedAfterAClearing(t *testing.T) {
	c, registry, dir, _ := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")})
	wantLoaded(t, c, "one", "a", "full")
	if err := os.WriteFile(filepath.Join(dir, "a", skill.FileName), []byte(skilltest.SkillFile("a")+"Buy low.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	registry.Rescan()
	c.ClearAll()
	wantLoaded(t, c, "one", "a", "changed")
	wantLoaded(t, c, "one", "a", "already")
}

func TestK15_TextThatChangedOnDiskIsNeverServed(t *testing.T) {
	before := skilltest.SkillFile("a") + "Buy low.\n"
	for _, row := range []struct{ name, after, want string }{
		{"longer", before + "More.\n", "changed"},
		{"same size and time", strings.Replace(before, "low", "now", 1), "changed"},
		{"written again unchanged", before, "already"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, _, dir, clock := newCache(t, skilltest.Files{"a/SKILL.md": before})
			path := filepath.Join(dir, "a", "SKILL.md")
			stamp := clock.now.Add(-time.Hour)
			if err := os.Chtimes(path, stamp, stamp); err != nil {
				t.Fatal(err)
			}
			wantLoaded(t, c, "one", "a", "full")
			skilltest.PutFile(t, dir, "a/SKILL.md", row.after)
			if row.want == "changed" {
				if err := os.Chtimes(path, stamp, stamp); err != nil {
					t.Fatal(err)
				}
			}
			loaded, err := c.Load("one", "a")
			if err != nil || loaded.Text != row.after {
				t.Fatalf("Load = %q, %v, want %q", loaded.Text, err, row.after)
			}
			if got := loaded.Changed; got != (row.want == "changed") || loaded.AlreadyLoaded == got {
				t.Errorf("Changed = %t, Already = %t, want %s", loaded.Changed, loaded.AlreadyLoaded, row.want)
			}
			wantLoaded(t, c, "one", "a", "already")
		})
	}
}

func TestK15_UpdateAndDeleteInvalidate(t *testing.T) {
	c, registry, dir, _ := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a"), "b/SKILL.md": skilltest.SkillFile("b")})
	for _, conversation := range []string{"one", "two"} {
		wantLoaded(t, c, conversation, "a", "full")
		wantLoaded(t, c, conversation, "b", "full")
	}
	c.Invalidate("a")
	if got := c.Size(); got != 2 {
		t.Errorf("Size() after Invalidate = %d, want the two of b", got)
	}
	wantLoaded(t, c, "one", "a", "full")
	wantLoaded(t, c, "one", "b", "already")

	if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Load("one", "b"); !errors.Is(err, skill.ErrFileMissing) {
		t.Errorf("Load of a deleted skill = %v, want ErrFileGone", err)
	}
	registry.Rescan()
	wantLoaded(t, c, "two", "b", "Skill 'b' not found")
	if got := c.Size(); got != 1 {
		t.Errorf("Size() after b was deleted = %d, want 1", got)
	}
}

func TestK15_ASkillThatHidesAnotherIsAnotherText(t *testing.T) {
	c, registry, dir, _ := newCache(t, skilltest.Files{})
	wantLoaded(t, c, "one", "get-price", "full")
	content, err := registry.Load("get-price")
	if err != nil {
		t.Fatal(err)
	}
	skilltest.PutFile(t, dir, "get-price/SKILL.md", content.Text)
	registry.Rescan()
	wantLoaded(t, c, "one", "get-price", "changed")
}

func TestK15_IsBoundedAndKeepsWhatWasUsedLast(t *testing.T) {
	c, _, _, clock := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")})
	wantLoaded(t, c, "first", "a", "full")
	for i := range 300 {
		clock.now = clock.now.Add(time.Second)
		wantLoaded(t, c, fmt.Sprint(i), "a", "full")
		wantLoaded(t, c, "first", "a", "already")
	}
	if got := c.Size(); got > 128 {
		t.Errorf("Size() after 301 conversations = %d, want at most 128", got)
	}
	wantLoaded(t, c, "0", "a", "full")
}

func TestK15_OfSimultaneousLoadsOneIsTheFirst(t *testing.T) {
	c, _, _, _ := newCache(t, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")})
	var first atomic.Int32
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			if loaded, err := c.Load("one", "a"); err == nil && !loaded.AlreadyLoaded {
				first.Add(1)
			}
			c.Size()
			c.Invalidate("another")
		})
	}
	wait.Wait()
	if got := first.Load(); got != 1 {
		t.Errorf("%d of 16 loads got the text, want 1", got)
	}
}

func BenchmarkCache_Hit(b *testing.B) {
	for _, kilobytes := range []int{5, 25, 50, 100} {
		b.Run(fmt.Sprintf("KB=%d", kilobytes), func(b *testing.B) {
			c, _, _, _ := newCache(b, skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a") + strings.Repeat("All work. ", 100*kilobytes)})
			wantLoaded(b, c, "one", "a", "full")
			b.ReportAllocs()
			for b.Loop() {
				if loaded, err := c.Load("one", "a"); err != nil || !loaded.AlreadyLoaded {
					b.Fatalf("Load = %+v, %v, want a hit", loaded.AlreadyLoaded, err)
				}
			}
		})
	}
}

// A resumed session of another process has the text, if the file is the same.
func TestK15_AResumedSessionHasWhatItLoaded(t *testing.T) {
	c, registry, dir, _ := newCache(t, skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")})
	content, err := registry.Load("ab")
	if err != nil {
		t.Fatal(err)
	}
	c.Restore("resumed", "ab", content.Version())
	wantLoaded(t, c, "resumed", "ab", "already")
	wantLoaded(t, c, "other", "ab", "full")
	c.Restore("older", "ab", content.Version())
	if err := os.WriteFile(filepath.Join(dir, "ab", skill.FileName), []byte(skilltest.SkillFile("ab")+"More.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantLoaded(t, c, "older", "ab", "changed")
	c.Restore("reloaded", "ab", content.Version())
	c.ClearAll()
	wantLoaded(t, c, "reloaded", "ab", "full")
}

// Broken files are logged once, not at every start.
func TestK4_DiagnosticsAreLoggedOnce(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": "no front matter\n"}.Write(t)
	file := filepath.Join(t.TempDir(), "cache", "logged")
	scan := func() string {
		var log strings.Builder
		skill.Open(skill.Options{Roots: []skill.Root{skilltest.UserRoot(dir)}, Log: zerolog.New(&log), Logged: file})
		return log.String()
	}
	if first := scan(); strings.Count(first, "\n") != 1 {
		t.Errorf("the first scan logged %q, want one line", first)
	}
	if second := scan(); second != "" {
		t.Errorf("the second scan logged %q, want nothing", second)
	}
	if err := os.WriteFile(filepath.Join(dir, "ab", skill.FileName), []byte("---\nname: ab\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if changed := scan(); strings.Count(changed, "\n") != 1 {
		t.Errorf("after a change the scan logged %q, want one line", changed)
	}
}

// The facts of a skill expire.
func TestK6_FactsExpire(t *testing.T) {
	s := skill.Skill{AsOf: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), MaxAge: 90 * 24 * time.Hour}
	if warning := s.StaleWarning(s.AsOf.AddDate(0, 0, 90)); warning != "" {
		t.Errorf("after 90 days: %s", warning)
	}
	if warning := s.StaleWarning(s.AsOf.AddDate(0, 0, 91)); !strings.Contains(warning, "2020-01-01") {
		t.Errorf("after 91 days: %q", warning)
	}
}

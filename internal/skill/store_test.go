package skill_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func newStore(t *testing.T, names ...string) *skilltest.Store {
	t.Helper()
	s := new(skilltest.Store)
	for _, name := range names {
		if err := s.Swap(t.Context(), nil, []skill.StoredSkill{skilltest.StoredSkill(name)}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestK27_AStoreIsReadAnewAtEveryRescanAndLoad(t *testing.T) {
	store := newStore(t, "ab")
	r, _ := skilltest.OpenRegistry(t, skill.StoreRoot(store))
	edited := skilltest.StoredSkill("ab")
	edited.Text += "edited"
	if err := store.Swap(t.Context(), []skill.StoredSkill{skilltest.StoredSkill("ab")}, []skill.StoredSkill{edited, skilltest.StoredSkill("cd")}); err != nil {
		t.Fatal(err)
	}
	if content, err := r.Load("ab"); err != nil || content.Text != edited.Text {
		t.Errorf("Load(ab) = %q, %v, want the edited text", content.Text, err)
	}
	if diff := cmp.Diff(skill.Changes{Added: []string{"cd"}, Changed: []string{"ab"}}, r.Rescan()); diff != "" {
		t.Errorf("Rescan() (-want +got):\n%s", diff)
	}
	s, _ := r.Lookup("cd")
	if s.Source != skill.SourceStore || s.Path != "store:cd/SKILL.md" || s.Directory != "store:cd" || len(s.Warnings) > 0 {
		t.Errorf("Lookup(cd) = %s at %s in %s, warnings %q", s.Source, s.Path, s.Directory, s.Warnings)
	}
}

func TestK27_AConversationMeetsTheChangedTextOfAStoredSkill(t *testing.T) {
	store := newStore(t, "ab")
	r, _ := skilltest.OpenRegistry(t, skill.StoreRoot(store))
	cache := skill.NewCache(r, func() time.Time { return time.Unix(0, 0) })
	for turn, want := range []skill.Loaded{{}, {AlreadyLoaded: true}} {
		if got, err := cache.Load("c", "ab"); err != nil || got.AlreadyLoaded != want.AlreadyLoaded || got.Changed {
			t.Errorf("load %d = already %v, changed %v, %v", turn, got.AlreadyLoaded, got.Changed, err)
		}
	}
	edited := skilltest.StoredSkill("ab")
	edited.Text += "edited"
	if err := store.Swap(t.Context(), []skill.StoredSkill{skilltest.StoredSkill("ab")}, []skill.StoredSkill{edited}); err != nil {
		t.Fatal(err)
	}
	if got, err := cache.Load("c", "ab"); err != nil || !got.Changed || got.Text != edited.Text {
		t.Errorf("load after the edit = changed %v, %q, %v", got.Changed, got.Text, err)
	}
}

func TestK27_AStoredSkillHasNoFilesButItsOwn(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skill.StoreRoot(newStore(t, "ab", "cd")))
	_, files, done, err := r.Files("ab")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := fstest.TestFS(files, "SKILL.md"); err != nil {
		t.Error(err)
	}
	if list, err := r.Resources("ab"); err != nil || len(list.Files) > 0 {
		t.Errorf("Resources(ab) = %v, %v, want none", list, err)
	}
	for _, name := range []string{"references/a.md", "../cd/SKILL.md", "SKILL.md/x"} {
		if text, err := r.ReadResource("ab", name, 0, 0); err == nil {
			t.Errorf("ReadResource(ab, %s) = %q, want an error", name, text.Text)
		}
	}
	if text, err := r.ReadResource("ab", "SKILL.md", 4, 4); err != nil || text.Text != "name" {
		t.Errorf("ReadResource(ab, SKILL.md) from 4 = %q, %v", text.Text, err)
	}
}

func TestK27_AStoredSkillRanksAsOneOfTheUser(t *testing.T) {
	user := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": skilltest.SkillFile("cd")}.Write(t)
	project := skilltest.Files{"ef/SKILL.md": skilltest.SkillFile("ef")}.Write(t)
	r, _ := skilltest.OpenRegistry(t,
		skilltest.UserRoot(user), skill.StoreRoot(newStore(t, "ab", "ef", "get-price")), skill.Builtin(),
		skill.Root{Dir: project, Source: skill.SourceProject})
	for name, want := range map[string]skill.Source{
		"ab": skill.SourceStore, "cd": skill.SourceUser, "ef": skill.SourceProject, "get-price": skill.SourceStore,
	} {
		if s, _ := r.Lookup(name); s.Source != want {
			t.Errorf("%s is the %s skill, want %s", name, s.Source, want)
		}
	}
}

// failingStore is a store that cannot be read.
type failingStore struct{ skill.Store }

var errLocked = errors.New("database is locked")

func (failingStore) All(context.Context) ([]skill.StoredSkill, error) { return nil, errLocked }

func TestK27_AStoreThatCannotBeReadIsReportedAndStopsNothing(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab")}.Write(t)
	r, log := skilltest.OpenRegistry(t, skilltest.UserRoot(dir), skill.StoreRoot(failingStore{}))
	skilltest.WantNames(t, r.List(), "ab")
	d := skilltest.WantOneSkipped(t, r)
	if d.Path != "store:" || d.Source != skill.SourceStore || !errors.Is(d.Err, errLocked) || d.Severity != skill.SeverityError {
		t.Errorf("diagnostic = %+v", d)
	}
	if !strings.Contains(log.String(), "database is locked") {
		t.Errorf("log = %s, want the reason", log)
	}
}

func TestK27_ADamagedStoredSkillIsSkippedWithItsReason(t *testing.T) {
	store := newStore(t, "ab")
	for _, name := range []string{"broken", "../out", "a/b", "."} {
		if err := store.Swap(t.Context(), nil, []skill.StoredSkill{{Name: name, Text: "no front matter"}}); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := skilltest.OpenRegistry(t, skill.StoreRoot(store))
	skilltest.WantNames(t, r.List(), "ab")
	skipped := 0
	for _, d := range r.Diagnostics() {
		if d.Skipped() {
			skipped++
		}
	}
	if skipped < 3 {
		t.Errorf("%d skipped, want each damaged one reported: %+v", skipped, r.Diagnostics())
	}
}

func TestK27_PathsOfStoredSkillsAreNoFiles(t *testing.T) {
	for path, want := range map[string]string{
		"store:ab/SKILL.md": "ab", "store:ab": "ab", "store:": "", skilltest.StoredSkill("cd").Path(): "cd",
	} {
		if name, ok := skill.ParseStorePath(path); !ok || name != want {
			t.Errorf("ParseStorePath(%s) = %q, %v, want %q", path, name, ok, want)
		}
	}
	for _, path := range []string{"ab/SKILL.md", "/store:/ab/SKILL.md", "builtin/ab/SKILL.md", ""} {
		if name, ok := skill.ParseStorePath(path); ok {
			t.Errorf("ParseStorePath(%s) = %q, want a file's path to be none", path, name)
		}
	}
}

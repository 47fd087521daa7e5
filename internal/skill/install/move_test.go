package install_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// moveSkills calls Move and expects no store error.
func moveSkills(t *testing.T, i *install.Installer) install.MoveResult {
	t.Helper()
	m, err := i.Move()
	if err != nil {
		t.Fatalf("Move() = %v", err)
	}
	return m
}

func movedNames(m install.MoveResult) string {
	var names []string
	for _, s := range m.Skills {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

func TestK27_TheNextStartThatCanWriteMovesWhatIsStored(t *testing.T) {
	i, store := newStoringInstaller(t, filepath.Join(t.TempDir(), "not", "there", "yet"), "ab", "cd")
	m := moveSkills(t, i)
	if got := movedNames(m); got != "ab cd" || len(m.Waiting) > 0 {
		t.Errorf("Move() = %+v, want ab and cd moved", m)
	}
	skilltest.WantStored(t, store)
	want := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": skilltest.SkillFile("cd")}
	if diff := cmp.Diff(want, tree(t, i.Dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if s, _ := i.Registry.Lookup("ab"); s.Source != skill.SourceUser || s.Path != m.Skills[0].Path {
		t.Errorf("ab is a %s skill at %s, want it known at %s", s.Source, s.Path, m.Skills[0].Path)
	}
	if again := moveSkills(t, i); len(again.Skills)+len(again.Waiting) > 0 {
		t.Errorf("second Move() = %+v, want nothing", again)
	}
}

func TestK27_WithNothingStoredTheFolderIsNotTouched(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skills")
	i, _ := newStoringInstaller(t, t.TempDir())
	i.Dir = dir
	moveSkills(t, i)
	i.Store = nil
	moveSkills(t, i)
	if got := tree(t, filepath.Dir(dir)); len(got) > 0 {
		t.Errorf("%s holds %v, want nothing made", dir, got)
	}
}

func TestK27_SkillsWaitWhileTheFolderCannotBeWritten(t *testing.T) {
	i, store := newStoringInstaller(t, blockedFolder(t), "ab", "cd")
	m := moveSkills(t, i)
	if len(m.Skills) > 0 || len(m.Waiting) != 2 {
		t.Fatalf("Move() = %+v, want both to wait", m)
	}
	w := m.Waiting[0]
	if w.Name != "ab" || w.Path != "store:ab/SKILL.md" || w.Taken || !strings.Contains(w.Reason, "cannot write to "+i.Dir+" (") || w.Fix == "" {
		t.Errorf("waiting = %+v", w)
	}
	skilltest.WantStored(t, store, skilltest.StoredSkill("ab"), skilltest.StoredSkill("cd"))
}

func TestK27_ANameThatIsTakenOnDiskWaitsAndIsReported(t *testing.T) {
	before := skilltest.Files{
		"ab/SKILL.md": skilltest.SkillFile("ab") + "another", "group/x/SKILL.md": skilltest.SkillFile("cd"), "ef": "a plain file",
		"gh/SKILL.md": skilltest.SkillFile("gh"), "gh/references/a.md": "a",
	}
	before["group/x/SKILL.md"] += "another"
	i, store := newStoringInstaller(t, before.Write(t), "ab", "cd", "ef", "gh", "ij")
	m := moveSkills(t, i)
	if got := movedNames(m); got != "gh ij" {
		t.Errorf("moved %q, want the one whose twin is there and the one that is free", got)
	}
	var waiting []string
	for _, w := range m.Waiting {
		if !w.Taken || w.Fix == "" || !strings.Contains(w.Reason, i.Dir) {
			t.Errorf("waiting = %+v, want what is in the way and what to do", w)
		}
		waiting = append(waiting, w.Name)
	}
	if got := strings.Join(waiting, " "); got != "ab cd ef" {
		t.Errorf("%q wait, want ab, cd and ef", got)
	}
	skilltest.WantStored(t, store, skilltest.StoredSkill("ab"), skilltest.StoredSkill("cd"), skilltest.StoredSkill("ef"))
	want := skilltest.Files{"ij/SKILL.md": skilltest.SkillFile("ij")}
	for name, text := range before {
		want[name] = text
	}
	if diff := cmp.Diff(want, tree(t, i.Dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	// Deleting by that name resolves the conflict, and removes nothing from the folder.
	if err := i.Delete("ab"); err != nil {
		t.Errorf("Delete(ab) = %v", err)
	}
	if s, _ := i.Registry.Lookup("ab"); s.Source != skill.SourceUser {
		t.Errorf("ab is then a %s skill, want the one in the folder", s.Source)
	}
}

func TestK27_AStoredSkillThatIsNotValidStaysStored(t *testing.T) {
	home := t.TempDir()
	i, store := newStoringInstaller(t, filepath.Join(home, "skills"), "ab")
	outside := []skill.StoredSkill{{Name: "../out", Text: skilltest.SkillFile("../out")}, {Name: "cd", Text: skilltest.SkillFile("ef")}, {Name: "gh", Text: "x"}}
	if err := store.Swap(t.Context(), nil, outside); err != nil {
		t.Fatal(err)
	}
	m := moveSkills(t, i)
	if got := movedNames(m); got != "ab" || len(m.Waiting) != 3 {
		t.Errorf("Move() = %+v, want ab alone moved", m)
	}
	if diff := cmp.Diff(skilltest.Files{"skills/ab/SKILL.md": skilltest.SkillFile("ab")}, tree(t, home)); diff != "" {
		t.Errorf("home (-want +got):\n%s", diff)
	}
}

// dyingStore is a store that fails once the program is dead.
type dyingStore struct {
	skill.Store
	dead func() bool
}

func (d dyingStore) Swap(ctx context.Context, was, is []skill.StoredSkill) error {
	if d.dead() {
		return errDisk
	}
	return d.Store.Swap(ctx, was, is)
}

// The program is killed once at every disk operation, and at the store operation after each skill.
func TestK27_AMoveThatIsKilledLosesNoSkillAndEndsAtTheNextStart(t *testing.T) {
	names := []string{"ab", "cd"}
	for n := 1; ; n++ {
		i, store := newStoringInstaller(t, t.TempDir(), names...)
		acts := 0
		dead := func() bool { acts++; return acts >= n }
		faulty := install.NewFaulty(i.Dir, i.Registry, func(string, string) error {
			if dead() {
				return errDisk
			}
			return nil
		})
		faulty.Store = dyingStore{store, dead}
		moveSkills(t, faulty)
		if acts < n {
			return
		}
		next, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(i.Dir), skill.StoreRoot(store))
		if got := skilltest.NamesOf(next.List()); got != "ab cd" {
			t.Errorf("killed at act %d: skills = %q, want both", n, got)
		}
		for _, name := range names {
			if content, err := next.Load(name); err != nil || content.Text != skilltest.SkillFile(name) {
				t.Errorf("killed at act %d: Load(%s) = %q, %v", n, name, content.Text, err)
			}
		}
		if m := moveSkills(t, i); len(m.Waiting) > 0 {
			t.Errorf("the start after act %d: %+v, want all on disk", n, m)
		}
		skilltest.WantStored(t, store)
		want := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": skilltest.SkillFile("cd")}
		if diff := cmp.Diff(want, withoutStaging(tree(t, i.Dir))); diff != "" {
			t.Errorf("folder after act %d and a start (-want +got):\n%s", n, diff)
		}
	}
}

func TestK27_ADiskThatFailsOnceMovesTheOthers(t *testing.T) {
	for n := 1; ; n++ {
		i, store := newStoringInstaller(t, t.TempDir(), "ab", "cd", "ef")
		acts := 0
		faulty := install.NewFaulty(i.Dir, i.Registry, func(string, string) error {
			if acts++; acts == n {
				return errDisk
			}
			return nil
		})
		faulty.Store = store
		m := moveSkills(t, faulty)
		if acts < n {
			return
		}
		if len(m.Skills)+len(m.Waiting) != 3 || len(m.Skills) < 2 {
			t.Errorf("act %d failed: %+v, want at most one to wait", n, m)
		}
		all, _ := store.All(t.Context())
		if len(all) != len(m.Waiting) || len(tree(t, i.Dir)) < len(m.Skills) {
			t.Errorf("act %d failed: %d stored, but reported %+v", n, len(all), m)
		}
	}
}

func TestK27_SeveralProgramsMoveOnce(t *testing.T) {
	var names []string
	for n := range 10 {
		names = append(names, fmt.Sprintf("skill-%d", n))
	}
	first, store := newStoringInstaller(t, t.TempDir(), names...)
	outcomes := make([]install.MoveResult, 4)
	var wait sync.WaitGroup
	for k := range outcomes {
		r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(first.Dir), skill.StoreRoot(store))
		i := &install.Installer{Dir: first.Dir, Registry: r, Store: store}
		wait.Go(func() {
			m, err := i.Move()
			if err != nil {
				t.Error(err)
			}
			outcomes[k] = m
		})
	}
	wait.Wait()
	moved := map[string]int{}
	for _, m := range outcomes {
		for _, s := range m.Skills {
			moved[s.Name]++
		}
		for _, w := range m.Waiting {
			t.Errorf("%s waits: %s", w.Name, w.Reason)
		}
	}
	for _, name := range names {
		if moved[name] != 1 {
			t.Errorf("%s was moved %d times, want once", name, moved[name])
		}
	}
}

func TestK27_AnEditDuringTheMoveIsNotLost(t *testing.T) {
	i, store := newStoringInstaller(t, t.TempDir(), "ab")
	i.Store = editedMeanwhile{store}
	m := moveSkills(t, i)
	if len(m.Waiting) != 1 || !strings.Contains(m.Waiting[0].Reason, skill.ErrStoreChanged.Error()) {
		t.Errorf("Move() of a skill that is edited at that moment = %+v, want it to wait", m)
	}
	all, err := store.All(t.Context())
	if err != nil || len(all) != 1 || !strings.HasSuffix(all[0].Text, "edited") {
		t.Errorf("stored = %v, %v, want the edit kept", all, err)
	}
}

// editedMeanwhile is a store that another program always changes first.
type editedMeanwhile struct{ *skilltest.Store }

func (e editedMeanwhile) Swap(ctx context.Context, was, is []skill.StoredSkill) error {
	edited := was[0]
	edited.Text += "edited"
	return errors.Join(e.Store.Swap(ctx, was, []skill.StoredSkill{edited}), e.Store.Swap(ctx, was, is))
}

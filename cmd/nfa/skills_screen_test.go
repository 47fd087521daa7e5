package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// skillScreen is the skill screen with the program that it belongs to.
type skillScreen struct {
	*app.App
	g *globals
}

// openSkillScreen opens the skill screen in an empty home.
func openSkillScreen(t *testing.T) (skillScreen, *tui.ListScreen) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Setenv("USERPROFILE", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	g := &globals{home: filepath.Join(home, "nfa")}
	g.env = func(string) string { return "" }
	p, err := g.open(t.Context(), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return skillScreen{p, g}, screens.Skills{App: p}.Screen()
}

// defaultKey returns the first default key of an action.
func defaultKey(a tui.ListAction) string { return widget.DefaultKeyMap().Keys(a.Action)[0] }

// press runs the action of a key that is offered for an item.
func press(t *testing.T, screen *tui.ListScreen, key, name string) tui.ActionResult {
	t.Helper()
	items := screen.Items()
	at := slices.IndexFunc(items, func(i tui.ListItem) bool { return i.Name == name })
	for _, a := range screen.Actions {
		if defaultKey(a) == key && (a.WithoutItem || at >= 0 && (a.AppliesTo == nil || a.AppliesTo(items[at]))) {
			o, err := a.Run(name)
			if err != nil {
				t.Fatalf("%s on %q: %v", a.Name, name, err)
			}
			return o
		}
	}
	t.Fatalf("the key %s is not offered for %q", key, name)
	return tui.ActionResult{}
}

func offered(screen *tui.ListScreen, key, name string) bool {
	for _, i := range screen.Items() {
		for _, a := range screen.Actions {
			if i.Name == name && defaultKey(a) == key && (a.AppliesTo == nil || a.AppliesTo(i)) {
				return true
			}
		}
	}
	return false
}

// fillIn completes a form with its own values and the given ones, and fails if the form is not done.
func fillIn(t *testing.T, form *tui.ActionForm, values map[string]string) tui.ActionResult {
	t.Helper()
	o, err := form.Fill(filled(form, values))
	if err != nil || o.Ask != nil {
		t.Fatalf("%s with %v: asks again %+v, %v", form.Title, values, o.Ask, err)
	}
	return o
}

func filled(form *tui.ActionForm, values map[string]string) map[string]string {
	all := map[string]string{}
	for _, f := range form.Fields {
		all[f.Name] = f.Value
	}
	for name, value := range values {
		all[name] = value
	}
	return all
}

func problems(o tui.ActionResult) map[string]string {
	found := map[string]string{}
	if o.Ask != nil {
		for _, f := range o.Ask.Fields {
			if f.Problem != "" {
				found[f.Name] = f.Problem
			}
		}
	}
	return found
}

func itemOf(screen *tui.ListScreen, name string) (tui.ListItem, bool) {
	items := screen.Items()
	at := slices.IndexFunc(items, func(i tui.ListItem) bool { return i.Name == name })
	if at < 0 {
		return tui.ListItem{}, false
	}
	return items[at], true
}

func TestK23_AFormMakesASkillAndBlamesTheFieldThatIsWrong(t *testing.T) {
	_, screen := openSkillScreen(t)
	form := press(t, screen, "n", "").Ask
	again, err := form.Fill(filled(form, map[string]string{"name": "My Plan", "description": "Checks"}))
	if got := problems(again); err != nil || !strings.Contains(got["name"], "lower case") || len(got) != 1 {
		t.Fatalf("problems = %v, %v; want one, at the name", got, err)
	}
	taken, err := form.Fill(filled(form, map[string]string{"name": "get-price", "description": "Mine"}))
	if got := problems(taken); err != nil || !strings.Contains(got["name"], "builtin") {
		t.Fatalf("problems = %v, %v; want that the name is taken", got, err)
	}
	done := fillIn(t, again.Ask, map[string]string{"name": "my-plan", "description": "Checks", "category": "plans"})
	if item, ok := itemOf(screen, "my-plan"); !ok || item.Group != "Yours · user" || done.Select != "my-plan" {
		t.Errorf("the new skill = %+v, %+v", item, done)
	}
	fillIn(t, taken.Ask, map[string]string{"name": "get-price", "description": "Mine", "replace": "yes"})
	if item, _ := itemOf(screen, "get-price"); !slices.Contains(item.Marks, "hides another") {
		t.Errorf("get-price = %+v, want it to hide the built-in one", item)
	}
}

func TestK23_FieldsAreEditedAndTheBodyStays(t *testing.T) {
	s, screen := openSkillScreen(t)
	fillIn(t, press(t, screen, "n", "").Ask, map[string]string{"name": "my-plan", "description": "Checks"})
	before, err := s.Skills.Registry.Load("my-plan")
	if err != nil {
		t.Fatal(err)
	}
	form := press(t, screen, "e", "my-plan").Ask
	again, err := form.Fill(filled(form, map[string]string{"description": strings.Repeat("x", 1025)}))
	if got := problems(again); err != nil || !strings.Contains(got["description"], "1025 characters") {
		t.Errorf("problems = %v, %v; want that the description is too long", got, err)
	}
	fillIn(t, form, map[string]string{"name": "our-plan", "description": "Use when: asked", "category": "plans"})
	after, err := s.Skills.Registry.Load("our-plan")
	if err != nil || after.Body != before.Body || after.Skill.Description != "Use when: asked" {
		t.Errorf("after = %+v, %v; want the new fields and the old body", after.Skill, err)
	}
	if _, ok := itemOf(screen, "my-plan"); ok {
		t.Error("the skill is there under its old name too")
	}
}

func TestK23_AFormDoesNotOverwriteWhatSomebodyElseWrote(t *testing.T) {
	s, screen := openSkillScreen(t)
	fillIn(t, press(t, screen, "n", "").Ask, map[string]string{"name": "my-plan", "description": "Checks"})
	form := press(t, screen, "e", "my-plan").Ask
	file, err := s.Skills.FindOwn("my-plan")
	if err != nil {
		t.Fatal(err)
	}
	const theirs = "---\nname: my-plan\ndescription: Theirs\n---\nbody\n"
	if err := os.WriteFile(file, []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := form.Fill(filled(form, map[string]string{"description": "Mine"})); err == nil || !strings.Contains(err.Error(), "has changed since you opened") {
		t.Errorf("Fill = %v, want that it was changed meanwhile", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != theirs {
		t.Errorf("the file = %q, %v", text, err)
	}
}

func TestK23_BuiltInsAreReadOnlyWithCloneAndExport(t *testing.T) {
	_, screen := openSkillScreen(t)
	for key, want := range map[string]bool{"e": false, "b": false, "d": false, "f": false, "c": true, "o": true, "t": true, "v": true} {
		if got := offered(screen, key, "get-price"); got != want {
			t.Errorf("%s is offered for a built-in: %v, want %v", key, got, want)
		}
	}
	fillIn(t, press(t, screen, "c", "get-price").Ask, nil)
	for _, key := range []string{"e", "b", "d", "f"} {
		if !offered(screen, key, "my-get-price") {
			t.Errorf("%s is not offered for the copy", key)
		}
	}
}

func TestK23_DeletingAsksAndNamesWhatGoes(t *testing.T) {
	s, screen := openSkillScreen(t)
	fillIn(t, press(t, screen, "n", "").Ask, map[string]string{"name": "my-plan", "description": "Checks"})
	beside := filepath.Join(s.Home, "skills", "my-plan", "notes.md")
	if err := os.WriteFile(beside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := press(t, screen, "d", "my-plan").Confirm
	if ask == nil || len(ask.Detail) != 2 || !strings.Contains(ask.Detail[1], "1 file next to it") {
		t.Fatalf("Confirm = %+v, want the path and the file beside it", ask)
	}
	if _, err := os.Stat(beside); err != nil {
		t.Fatalf("deleted before the yes: %v", err)
	}
	if o, err := ask.Yes(); err != nil || o.Message != "deleted my-plan" {
		t.Errorf("Yes = %+v, %v", o, err)
	}
	if _, ok := itemOf(screen, "my-plan"); ok {
		t.Error("it is still there")
	}
}

func TestK23_ASkillGoesOutAndComesInAgain(t *testing.T) {
	s, screen := openSkillScreen(t)
	out := press(t, screen, "o", "get-price").Ask
	fillIn(t, out, nil) // into the working directory
	again, err := out.Fill(filled(out, nil))
	if got := problems(again); err != nil || got["file"] == "" {
		t.Errorf("writing over a file = %v, %v; want a problem at the file", got, err)
	}
	fillIn(t, again.Ask, map[string]string{"replace": "yes"})
	in := press(t, screen, "i", "").Ask
	fillIn(t, in, map[string]string{"file": "get-price.zip", "as": "their-price"})
	if item, ok := itemOf(screen, "their-price"); !ok || !strings.HasPrefix(item.Group, "Yours · ") {
		t.Errorf("their-price = %+v", item)
	}
	if _, err := in.Fill(filled(in, map[string]string{"file": "nowhere.zip"})); err == nil {
		t.Error("importing a file that is not there = no error")
	}
	if _, err := s.Skills.Registry.Load("their-price"); err != nil {
		t.Error(err)
	}
}

func TestK23_DisablingIsAKeyAndSoIsEnabling(t *testing.T) {
	s, screen := openSkillScreen(t)
	if o := press(t, screen, "t", "get-price"); !strings.HasPrefix(o.Message, "disabled get-price") || !s.Skills.State.Disabled("get-price") {
		t.Errorf("disabling = %+v", o)
	}
	if item, _ := itemOf(screen, "get-price"); !slices.Contains(item.Marks, "disabled") || offered(screen, "enter", "get-price") {
		t.Errorf("get-price = %+v, want it marked and not to be used", item)
	}
	press(t, screen, "t", "get-price")
	if s.Skills.State.Disabled("get-price") || !offered(screen, "enter", "get-price") {
		t.Error("it stayed disabled")
	}
}

func TestK23_SkippedFilesAreThereWithTheirReasonAndCanBeFixed(t *testing.T) {
	s, screen := openSkillScreen(t)
	broken := filepath.Join(s.Home, "skills", "my-notes", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(broken), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, []byte("# My notes\n\ndescription: Keeps notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	press(t, screen, "r", "")
	item, ok := itemOf(screen, "skipped "+broken)
	if !ok || !item.Problem || item.Group != "Skipped" {
		t.Fatalf("items = %+v, want the file that was skipped", screen.Items())
	}
	if text, err := screen.Read(item.Name); err != nil || !strings.Contains(text, "no front matter") || !strings.Contains(text, "the file with") {
		t.Errorf("Read = %q, %v; want the reason and how to fix it", text, err)
	}
	if o := press(t, screen, "!", item.Name); !strings.Contains(o.Show, "was skipped: no front matter") {
		t.Errorf("doctor = %q", o.Show)
	}
	if o := press(t, screen, "v", item.Name); !strings.Contains(o.Show, "no front matter") {
		t.Errorf("validate = %+v", o)
	}
	if o := press(t, screen, "f", item.Name); !strings.Contains(o.Message, "front matter") {
		t.Errorf("fix = %+v", o)
	}
	if _, ok := itemOf(screen, "my-notes"); !ok {
		t.Error("the repaired skill is not there")
	}
}

func TestK23_TheEditorGetsACopyAndItsTextIsKeptWhenItIsWrong(t *testing.T) {
	s, screen := openSkillScreen(t)
	s.Env = func(name string) string {
		if name == "EDITOR" {
			return os.Args[0] // any existing program; it is not run
		}
		return ""
	}
	fillIn(t, press(t, screen, "n", "").Ask, map[string]string{"name": "my-plan", "description": "Checks"})
	edit := func(text string) (tui.ActionResult, error) {
		o := press(t, screen, "b", "my-plan").Exec
		copied := o.Cmd.Args[len(o.Cmd.Args)-1]
		t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(copied)) })
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return o.Then(nil)
	}
	if o, err := edit("---\nname: my-plan\ndescription: Better\n---\nNew body.\n"); err != nil || !strings.HasPrefix(o.Message, "wrote my-plan") {
		t.Fatalf("Then = %+v, %v", o, err)
	}
	if content, err := s.Skills.Registry.Load("my-plan"); err != nil || content.Body != "New body.\n" {
		t.Errorf("body = %q, %v", content.Body, err)
	}
	_, err := edit("---\nname: my-plan\n---\nNo description.\n")
	if err == nil || !strings.Contains(err.Error(), "; your text is in ") || !strings.HasSuffix(err.Error(), "(press b to open it again)") {
		t.Errorf("Then = %v, want what to do first, and where the text is kept", err)
	}
	again := press(t, screen, "b", "my-plan").Exec
	if text, err := os.ReadFile(again.Cmd.Args[len(again.Cmd.Args)-1]); err != nil || !strings.Contains(string(text), "No description.") {
		t.Errorf("b opens %q, %v; want the text that was kept", text, err)
	}
	if content, _ := s.Skills.Registry.Load("my-plan"); content.Skill.Description != "Better" {
		t.Errorf("the skill became %+v", content.Skill)
	}
	if o, err := edit("---\nname: my-plan\ndescription: Mended\n---\nx\n"); err != nil || !strings.HasPrefix(o.Message, "wrote my-plan") {
		t.Fatalf("Then of the mended text = %+v, %v", o, err)
	}
	fresh := press(t, screen, "b", "my-plan").Exec
	copied := fresh.Cmd.Args[len(fresh.Cmd.Args)-1]
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(copied)) })
	if text, err := os.ReadFile(copied); err != nil || !strings.Contains(string(text), "Mended") {
		t.Errorf("b opens %q, %v; want the skill as it is", text, err)
	}
}

func TestK20_ASkillNamedLikeACommandIsComposedWithItsPrefix(t *testing.T) {
	s, screen := openSkillScreen(t)
	for _, name := range []string{"help", "model"} {
		content := "---\nname: " + name + "\ndescription: Mine\n---\nx\n"
		if _, err := s.Skills.Installer().Create([]byte(content), install.Options{}); err != nil {
			t.Fatal(err)
		}
		if o := press(t, screen, "enter", name); o.Compose != "/skill:"+name+" " {
			t.Errorf("using %s = %+v, want its prefix", name, o)
		}
	}
}

func TestK28_BuiltInAgentsNameToolsThatExist(t *testing.T) {
	s, _ := openSkillScreen(t)
	for _, p := range agent.LoadProfiles("").List() {
		if unknown := s.Agents.UnknownTools(p); len(unknown) > 0 {
			t.Errorf("%s names %v", p.Name, unknown)
		}
	}
}

func TestSkillScreen_ScriptsAreReadBeforeTheyRunAndOnlyWhereThereAreAny(t *testing.T) {
	s, screen := openSkillScreen(t)
	for file, text := range map[string]string{
		"runs/SKILL.md":      "---\nname: runs\ndescription: d\nparameters: [symbol]\nsteps:\n  - {id: a, python: scripts/a.py}\n  - {id: b, code: 'print(2)'}\n---\n",
		"runs/scripts/a.py":  "print('\x1b[31mone')\n",
		"plain/SKILL.md":     "---\nname: plain\ndescription: d\n---\n",
		"broken/SKILL.md":    "---\nname: broken\ndescription: d\nsteps:\n  - {id: a, tool: crystal_ball}\n---\n",
		"plain/notes/one.md": "note\n",
	} {
		file = filepath.Join(s.Home, "skills", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Skills.Registry.Rescan()
	shown := press(t, screen, "s", "runs").Show
	for _, want := range []string{"print('one')", "`scripts/a.py`", "print(2)", "step 2, b"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the scripts do not show %q:\n%s", want, shown)
		}
	}
	if offered(screen, "s", "plain") {
		t.Error("the scripts of a skill without any are offered")
	}
	pane, err := screen.Read("runs")
	if err != nil || !strings.Contains(pane, "version 1.0") || !strings.Contains(pane, "not reviewed") || !strings.Contains(pane, "1. a  scripts/a.py {}") || !strings.Contains(pane, "`/runs [symbol]`") {
		t.Errorf("the pane = %s, %v", pane, err)
	}
	if page := press(t, screen, "!", "").Show; !strings.Contains(page, "unknown tool crystal_ball") {
		t.Errorf("doctor = %s; want what cannot be run", page)
	}
}

func TestSkillScreen_DoctorNamesWhatWaitsInTheDatabase(t *testing.T) {
	s, screen := openSkillScreen(t)
	// A file is in the place of the folder of skills.
	folder := filepath.Join(s.Home, "skills")
	if err := os.MkdirAll(s.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, folder, []byte("in the way"))
	stored := skill.StoredSkill{Name: "mine", Text: "---\nname: mine\ndescription: Mine\n---\nDo.\n", CreatedAt: clock(), ChangedAt: clock()}
	if err := s.Stores.Skills().Swap(t.Context(), nil, []skill.StoredSkill{stored}); err != nil {
		t.Fatal(err)
	}
	s.Skills.Move(func(string) {}, func(string) {})
	if page := press(t, screen, "!", "").Show; !strings.Contains(page, "mine is in the database, not on disk: ") {
		t.Errorf("doctor = %s", page)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	press(t, screen, "r", "")
	if page := press(t, screen, "!", "").Show; strings.Contains(page, "waits") {
		t.Errorf("doctor after a rescan with nothing left in the database = %s", page)
	}
}

// K38: the screen installs a skill from a repository after it has shown its files.
func TestK38_ThePickerInstallsFromARepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	repository := t.TempDir()
	for _, name := range []string{"one", "two"} {
		if err := os.MkdirAll(filepath.Join(repository, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repository, name, skill.FileName), []byte("---\nname: "+name+"\ndescription: Skill "+name+"\n---\nRun curl.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "skills"}} {
		if out, err := exec.Command("git", append([]string{"-C", repository}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
	}
	_, screen := openSkillScreen(t)
	form := press(t, screen, "g", "").Ask
	if _, err := form.Fill(filled(form, map[string]string{"repository": t.TempDir()})); err == nil {
		t.Error("a folder without a repository was accepted")
	}
	choice, err := form.Fill(filled(form, map[string]string{"repository": repository}))
	if err != nil || choice.Ask == nil || !slices.Equal(choice.Ask.Fields[2].Choices, []string{"one", "two", "all"}) {
		t.Fatalf("Fill = %+v, %v; want the choice of a skill", choice, err)
	}
	confirm := fillIn(t, choice.Ask, map[string]string{"repository": repository, "skill": "two"}).Confirm
	if confirm == nil || !strings.HasPrefix(confirm.Question, "Install two at commit ") || !slices.Contains(confirm.Detail, "  + "+skill.FileName) {
		t.Fatalf("Confirm = %+v", confirm)
	}
	if _, there := itemOf(screen, "two"); there {
		t.Error("installed before the confirmation")
	}
	if done, err := confirm.Yes(); err != nil || !strings.HasPrefix(done.Message, "installed two") {
		t.Errorf("Yes = %+v, %v", done, err)
	}
	if _, there := itemOf(screen, "two"); !there {
		t.Error("two is not in the list")
	}
	if _, there := itemOf(screen, "one"); there {
		t.Error("one was installed, too")
	}
}

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestSkills_EachThatIsNotOfferedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	for name, front := range map[string]string{"good": "name: good\ndescription: Good", "off": "name: off\ndescription: Off", "torn": "name: torn\n\tdescription: a tab"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name, skill.FileName), "---\n"+front+"\n---\nBody.\n")
	}
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	decided, err := skill.OpenState(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := decided.SetDisabled(t.Context(), "off", true); err != nil {
		t.Fatal(err)
	}
	registry := skill.Open(skill.Options{Roots: []skill.Root{{Dir: dir, Source: skill.SourceUser}}, Log: zerolog.Nop()})
	set := library.New(library.Options{
		Dir: dir, Registry: registry, State: decided, Agent: skilltest.Agent{Router: router}, Python: func() *python.Runner { return nil },
		AllTools: func() *tool.Router { return router }, Now: checkTime, Log: zerolog.Nop(),
	})
	found := app.SkillCheck{
		Set: set, Registry: registry, Folders: []string{dir, filepath.Join(dir, "gone")},
	}.Findings()
	wantFinding(t, found, "skills", app.StatusOK, "2 found, 1 eligible, 1 listed in the prompt")
	wantFinding(t, found, "skills", app.StatusOK, "off is not listed in the prompt: ")
	wantFinding(t, found, "skills", app.StatusProblem, "cannot read a folder in skills.paths")
	if f := wantFinding(t, found, "skills", app.StatusNote, "torn"); f.Fix == "" {
		t.Errorf("no Fix in %+v", f)
	}
}

func TestAgents_OneThatIsSetAndNotThereIsAProblem(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if err := os.Mkdir(filepath.Join(home, "agents"), 0o700); err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(home, "agents", "torn.md")
	writeFile(t, torn, "---\nname: torn\n\tx: y\n---\n")
	found := func(agent string) []app.Finding {
		t.Helper()
		line := app.CommandLine{Home: home, Flags: map[string]string{"agent": agent}}
		a, err := app.Open(t.Context(), app.Options{CommandLine: line, Env: func(string) string { return "" }, Now: checkTime, Warn: func(string) {}})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		return app.CheckAgents(a.Agents)
	}
	good := found("advisor")
	wantFinding(t, good, "agents", app.StatusNote, torn)
	if app.HasProblems(good) {
		t.Errorf("a file that is skipped is a problem: %+v", good)
	}
	if f := wantFinding(t, found("advisr"), "agents", app.StatusProblem, "advisr"); !strings.Contains(f.Fix, "config set agent") {
		t.Errorf("Fix = %q", f.Fix)
	}
}

func TestPython_IsNoProblemWhereThereIsNone(t *testing.T) {
	for status, want := range map[python.Status]app.Finding{
		{Runtime: "system 3.12"}:                    {Area: "python", Status: app.StatusOK, Message: "Python steps run with system 3.12"},
		{Reason: "there is none", Fix: "fetch one"}: {Area: "python", Status: app.StatusNote, Message: "Python steps cannot run: there is none", Fix: "fetch one"},
	} {
		if got := app.CheckPython(status); got != want {
			t.Errorf("Python(%+v) = %+v, want %+v", status, got, want)
		}
	}
}

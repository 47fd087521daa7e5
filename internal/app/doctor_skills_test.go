package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
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
	wantFinding(t, found, "skills", app.StatusOK, "off is not offered to the model: ")
	wantFinding(t, found, "skills", app.StatusProblem, "skills.paths names a folder that cannot be read")
	if f := wantFinding(t, found, "skills", app.StatusNote, "torn"); f.Fix == "" {
		t.Errorf("no Fix in %+v", f)
	}
}

func TestAgents_OneThatIsSetAndNotThereIsAProblem(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "torn.md"), "---\nname: torn\n\tx: y\n---\n")
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	decided, err := skill.OpenState(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := screens.Agents{
		Profiles: agent.LoadProfiles(dir), Default: "advisor", Router: router, State: decided, Skills: skill.Open(skill.Options{Log: zerolog.Nop()}),
		Active: func() (agent, model string) { return "", "" },
	}
	found := app.CheckAgents(a)
	wantFinding(t, found, "agents", app.StatusNote, filepath.Join(dir, "torn.md"))
	if app.HasProblems(found) {
		t.Errorf("a file that is skipped is a problem: %+v", found)
	}
	a.Default = "advisr"
	if f := wantFinding(t, app.CheckAgents(a), "agents", app.StatusProblem, "advisr"); !strings.Contains(f.Fix, "set agent") {
		t.Errorf("Fix = %q", f.Fix)
	}
}

func TestPython_IsNoProblemWhereThereIsNone(t *testing.T) {
	for status, want := range map[python.Status]app.Finding{
		{Runtime: "system 3.12"}:                    {Area: "python", Status: app.StatusOK, Message: "steps of skills run with system 3.12"},
		{Reason: "there is none", Fix: "fetch one"}: {Area: "python", Status: app.StatusNote, Message: "steps of skills in Python cannot run: there is none", Fix: "fetch one"},
	} {
		if got := app.CheckPython(status); got != want {
			t.Errorf("Python(%+v) = %+v, want %+v", status, got, want)
		}
	}
}

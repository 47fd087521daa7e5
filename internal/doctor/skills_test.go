package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/doctor"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/shelves"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/state"
	"github.com/nfa-cli/nfa/internal/skillset"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestSkills_EachThatIsNotOfferedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	for name, front := range map[string]string{"good": "name: good\ndescription: Good", "off": "name: off\ndescription: Off", "torn": "name: torn\n\tdescription: a tab"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name, skill.FileName), "---\n"+front+"\n---\nBody.\n")
	}
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	decided, err := state.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	registry := skill.Open(skill.Options{Roots: []skill.Root{{Dir: dir, Source: skill.SourceUser}}, Log: zerolog.Nop()})
	set := skillset.New(skillset.Options{
		Dir: dir, Registry: registry, State: decided, Python: func() *python.Runner { return nil },
		All: func() *tool.Router { return router }, Tools: func() *tool.Router { return router },
		May: func() func(string) bool { return nil }, Answers: func() string { return "advisor" }, Now: now, Log: zerolog.Nop(),
	})
	found := doctor.Skills{
		Set: set, Registry: registry, Disabled: func(name string) bool { return name == "off" }, Folders: []string{dir, filepath.Join(dir, "gone")},
	}.Findings()
	wantFinding(t, found, "skills", doctor.OK, "2 found, 1 offered to the model")
	wantFinding(t, found, "skills", doctor.OK, "off is not offered to the model: ")
	wantFinding(t, found, "skills", doctor.Problem, "skills.paths names a folder that cannot be read")
	if f := wantFinding(t, found, "skills", doctor.Note, "torn"); f.Mend == "" {
		t.Errorf("nothing is said to mend %+v", f)
	}
}

func TestAgents_OneThatIsSetAndNotThereIsAProblem(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "torn.md"), "---\nname: torn\n\tx: y\n---\n")
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	decided, err := state.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := shelves.Agents{
		Roster: roster.Open(dir), Default: "advisor", Router: router, State: decided, Skills: skill.Open(skill.Options{Log: zerolog.Nop()}),
		Answering: func() (agent, model string) { return "", "" },
	}
	found := doctor.Agents(a)
	wantFinding(t, found, "agents", doctor.Note, filepath.Join(dir, "torn.md"))
	if doctor.Failed(found) {
		t.Errorf("a file that is skipped is a problem: %+v", found)
	}
	a.Default = "advisr"
	if f := wantFinding(t, doctor.Agents(a), "agents", doctor.Problem, "advisr"); !strings.Contains(f.Mend, "set agent") {
		t.Errorf("to mend it is said %q", f.Mend)
	}
}

func TestPython_IsNoProblemWhereThereIsNone(t *testing.T) {
	for status, want := range map[python.Status]doctor.Finding{
		{Runtime: "system 3.12"}:                     {Area: "python", Status: doctor.OK, Message: "steps of skills run with system 3.12"},
		{Reason: "there is none", Mend: "fetch one"}: {Area: "python", Status: doctor.Note, Message: "steps of skills in Python cannot run: there is none", Mend: "fetch one"},
	} {
		if got := doctor.Python(status); got != want {
			t.Errorf("Python(%+v) = %+v, want %+v", status, got, want)
		}
	}
}

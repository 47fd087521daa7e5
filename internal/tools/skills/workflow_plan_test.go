package skills

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestPlanOf_SaysWhatARunWouldDo(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript, "two-steps/SKILL.md": twoSteps})
	w := b.workflows()
	w.Python = newPythonRunner(t)
	tools, err := w.Tools(b.router)
	if err != nil {
		t.Fatal(err)
	}
	plans := map[string]RunPlan{}
	given := map[string]string{"skill_doubles": `{"value":2}`, "skill_two_steps": `{"symbol":"AAPL"}`}
	for _, workflow := range tools {
		preview, err := workflow.Preview(t.Context(), json.RawMessage(given[workflow.Name]))
		if err != nil {
			t.Fatal(err)
		}
		plan, ok := RunPlanOf(preview, workflow.Effect)
		if !ok {
			t.Fatalf("PlanOf(%s) has no plan", workflow.Name)
		}
		plans[plan.Skill] = plan
	}
	script := plans["doubles"]
	if script.Effect != "executes" || !script.Asks || script.Reviewed || len(script.Steps) != 1 {
		t.Fatalf("plan = %+v", script)
	}
	step := script.Steps[0]
	if step.Tool != "python" || step.Effect != "executes" || !strings.HasPrefix(step.Runtime, "system ") || len(step.Scripts) != 1 || len(step.Scripts[0].SHA256) != 64 {
		t.Errorf("step = %+v, want its script, hash and interpreter", step)
	}
	save := plans["two-steps"].Steps[1]
	if save.Effect != "writes" || len(save.Needs) != 1 || !strings.Contains(string(save.Arguments), "{{steps.price.close}}") {
		t.Errorf("step = %+v, want what it needs of the first", save)
	}
	if _, ok := RunPlanOf(tool.Preview{}, tool.Reads); ok {
		t.Error("a preview of another tool has a plan")
	}
}

func TestWorkflows_AnAgentIsOfferedWhatItMayUse(t *testing.T) {
	b := newFixture(t, skilltest.Files{
		"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript,
		"two-steps/SKILL.md": twoSteps, "reading/SKILL.md": readingSkill,
	})
	w := b.workflows()
	w.MayUse = func(name string) bool { return name == "price" }
	tools, err := w.Tools(b.router.Only(w.MayUse))
	if err != nil || len(tools) != 1 || tools[0].Name != "skill_reading" {
		t.Fatalf("Tools = %v, %v; want the one whose steps only read prices", tools, err)
	}
	for name, want := range map[string]string{"doubles": "python", "two-steps": "save", "reading": ""} {
		s, _ := b.skills.Lookup(name)
		if got := strings.Join(w.MissingTools(s), ", "); got != want {
			t.Errorf("Lacks(%s) = %q, want %q", name, got, want)
		}
	}
}

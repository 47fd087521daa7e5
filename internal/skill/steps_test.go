package skill_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestK30_InputsAreAnotherWordForParameters(t *testing.T) {
	a, b := workflow.Parameter{Name: "a", Type: "string"}, workflow.Parameter{Name: "b", Type: "string"}
	for _, row := range []struct {
		name, yaml string
		want       []workflow.Parameter
		warning    string
	}{
		{"inputs alone", "inputs: [a]", []workflow.Parameter{a}, ""},
		{"parameters alone", "parameters: [b]", []workflow.Parameter{b}, ""},
		{"both", "inputs: [a]\nparameters: [b]", []workflow.Parameter{b}, "inputs is an alias of parameters, which is also set; inputs was ignored"},
		{"both, inputs empty", "inputs: []\nparameters: [b]", []workflow.Parameter{b}, ""},
		{"both, parameters empty", "inputs: [a]\nparameters: []", []workflow.Parameter{a}, ""},
		{"both, parameters nothing", "inputs: [a]\nparameters:", []workflow.Parameter{a}, ""},
		{"neither", "inputs:", nil, ""},
		{"no list", "inputs: a", nil, "inputs is not a list and was ignored"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := parse(t, skilltest.SkillFileWith(row.yaml))
			if diff := cmp.Diff(row.want, s.Parameters); diff != "" {
				t.Errorf("parameters (-want +got):\n%s", diff)
			}
			if s.Extra != nil {
				t.Errorf("extra = %v, want nothing left over", s.Extra)
			}
			if got := strings.Join(s.Warnings, "; "); got != row.warning {
				t.Errorf("warnings = %q, want %q", got, row.warning)
			}
		})
	}
}

func TestK33_AFaultyStepDoesNotLoseItsSkill(t *testing.T) {
	s := parse(t, skilltest.SkillFileWith("steps: [quote, {tool: quote}, {tool: quote, code: pass}]"))
	if len(s.Steps) != 3 || s.Steps[0].Fault == "" || s.Steps[1].Fault != "" || s.Steps[2].Fault == "" || len(s.Warnings) > 0 {
		t.Errorf("steps = %+v with warnings %q, want three, the faults with their steps", s.Steps, s.Warnings)
	}
}

package skill_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func fourSkills(t *testing.T) *skill.Registry {
	t.Helper()
	disk := skilltest.Files{}
	for _, name := range []string{"analyze-trend", "get-price", "portfolio-checkup", "summarize-file"} {
		disk[name+"/SKILL.md"] = skilltest.SkillFile(name)
	}
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(disk.Write(t)))
	return r
}

func TestK8_SuggestFindsTheNameMeant(t *testing.T) {
	r := fourSkills(t)
	for wanted, want := range map[string][]string{
		"get-prise":              {"get-price"},
		"getprice":               {"get-price"},
		"Get-Price":              {"get-price"},
		"analyse-trend":          {"analyze-trend"},
		"portfolio":              {"portfolio-checkup"},
		"summarize-file-please":  {"summarize-file"},
		"tax":                    nil,
		"":                       nil,
		strings.Repeat("x", 500): nil,
	} {
		if diff := cmp.Diff(want, r.Suggest(wanted)); diff != "" {
			t.Errorf("Suggest(%.30q) (-want +got):\n%s", wanted, diff)
		}
	}
}

func TestK8_SuggestGivesTheNearestThree(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{
		"1/SKILL.md": skilltest.SkillFile("plan-a"), "2/SKILL.md": skilltest.SkillFile("plan-b"), "3/SKILL.md": skilltest.SkillFile("plans"), "4/SKILL.md": skilltest.SkillFile("plan-it-all"),
	}.Write(t)))
	if diff := cmp.Diff([]string{"plans", "plan-a", "plan-b"}, r.Suggest("plan")); diff != "" {
		t.Errorf("Suggest(plan) (-want +got):\n%s", diff)
	}
}

package skill_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

func fourSkills(t *testing.T) *skill.Registry {
	t.Helper()
	disk := files{}
	for _, name := range []string{"analyze-trend", "get-price", "portfolio-checkup", "summarize-file"} {
		disk[name+"/SKILL.md"] = named(name)
	}
	r, _ := scanned(t, user(disk.write(t)))
	return r
}

func TestRegistry_SuggestFindsTheNameMeant(t *testing.T) {
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

func TestRegistry_SuggestGivesTheNearestThree(t *testing.T) {
	r, _ := scanned(t, user(files{
		"1/SKILL.md": named("plan-a"), "2/SKILL.md": named("plan-b"), "3/SKILL.md": named("plans"), "4/SKILL.md": named("plan-it-all"),
	}.write(t)))
	if diff := cmp.Diff([]string{"plans", "plan-a", "plan-b"}, r.Suggest("plan")); diff != "" {
		t.Errorf("Suggest(plan) (-want +got):\n%s", diff)
	}
}

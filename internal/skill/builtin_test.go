package skill_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestK29_EveryBuiltInLoadsWithoutAWord(t *testing.T) {
	r, log := skilltest.OpenRegistry(t, skill.Builtin())
	if log.Len() > 0 || len(r.Diagnostics()) > 0 {
		t.Errorf("log = %s, diagnostics %+v; want none", log, r.Diagnostics())
	}
	for _, s := range r.List() {
		content, err := r.Load(s.Name)
		if err != nil || strings.Count(content.Text, "\n") > 150 {
			t.Errorf("%s: %d lines, %v; want at most 150", s.Name, strings.Count(content.Text, "\n"), err)
		}
		if s.Source != skill.SourceBuiltin || s.Path != "builtin/"+s.Name+"/SKILL.md" || s.Category == "" {
			t.Errorf("%s = %+v, want its place and a category", s.Name, s)
		}
		// The instructions must mention each required tool.
		for _, tool := range s.ToolsRequired {
			if !strings.Contains(content.Body, "`"+tool) {
				t.Errorf("%s requires %s, but never says when to call it", s.Name, tool)
			}
		}
	}
}

func TestK29_TheFirstFourSayWhatMustNotBeClaimed(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skill.Builtin())
	for name, tools := range map[string]string{
		"get-price": "quote", "analyze-trend": "price_history returns_stats",
		"portfolio-checkup": "quote returns_stats calculate", "summarize-file": "",
	} {
		content, err := r.Load(name)
		if err != nil || strings.Join(content.Skill.ToolsRequired, " ") != tools || content.Skill.ArgumentHint == "" {
			t.Errorf("%s requires %v, hint %q, %v; want %s", name, content.Skill.ToolsRequired, content.Skill.ArgumentHint, err, tools)
		}
		if !strings.Contains(content.Body, "\n## Do not claim") {
			t.Errorf("%s does not say what must not be claimed", name)
		}
	}
}

func TestK29_ContentIsTheEmbeddedFileWithoutResources(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skill.Builtin())
	if got, err := r.Resources("get-price"); err != nil || len(got.Files) != 0 {
		t.Errorf("Resources = %+v, %v; want none", got, err)
	}
	if text, err := r.ReadResource("get-price", "SKILL.md", 0, 20); err != nil || text.Text != "---\nname: get-price\n" {
		t.Errorf("ReadResource = %q, %v; want the file's first lines", text.Text, err)
	}
}

func TestExamples_LoadWithoutADiagnostic(t *testing.T) {
	dir := filepath.Join("..", "..", "skills-examples")
	r, _ := skilltest.OpenRegistry(t, skill.Root{Dir: dir, Source: skill.SourceUser})
	skilltest.WantNames(t, r.List(), "compare-two-funds monthly-letter weekly-review")
	if d := r.Diagnostics(); len(d) > 0 {
		t.Errorf("diagnostics = %+v, want none", d)
	}
	for _, s := range r.List() {
		content, err := r.Load(s.Name)
		if err != nil || !strings.Contains(content.Text, "\n# ") || content.Body == "" {
			t.Errorf("%s: %v; want commented front matter and instructions", s.Name, err)
		}
	}
	if s, _ := r.Lookup("weekly-review"); !s.DisableModelInvocation || s.Disclaimer == "" {
		t.Errorf("weekly-review = %+v, want it for the user alone, with its disclaimer", s)
	}
	if s, _ := r.Lookup("compare-two-funds"); len(s.Parameters) != 3 || s.Parameters[2].Default != "5y" || len(s.Parameters[2].Enum) != 4 {
		t.Errorf("compare-two-funds = %+v, want three parameters, one of choices", s)
	}
	if text, err := r.ReadResource("compare-two-funds", "references/fees.md", 0, 0); err != nil || !strings.Contains(text.Text, "calculate") {
		t.Errorf("ReadResource = %q, %v; want the reference", text.Text, err)
	}
}

package skills

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

const trend = `---
name: trend
description: Reads a trend
tools_required: [quote, tea_leaves]
parameters:
  - name: symbol
    required: true
  - name: years
    required: true
    default: 5
disclaimer: Not advice.
---

# Steps

Look & <see>.

# Caveats

None.
`

// skillsFolder lays out a user's skills: trend with a file, one for the user
// alone, and a long one.
func skillsFolder(t *testing.T) (string, *skill.Registry) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"trend-reader/SKILL.md":           trend,
		"trend-reader/references/fees.md": strings.Repeat("fee \n", 4000),
		"secret.txt":                      "outside",
		"mine/SKILL.md":                   "---\nname: mine\ndescription: For me\ndisable-model-invocation: true\n---\nx\n",
		"long/SKILL.md":                   "---\nname: long\ndescription: A long one\n---\n# One\n\n" + strings.Repeat("text ", 4000) + "\n\n# Two\n\nshort\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, skill.Open(skill.Options{Roots: []skill.Root{{Dir: dir, Source: skill.SourceUser}}})
}

// callSkill runs one of the two tools through a Router, and gives its value as
// the model reads it.
func callSkill(t *testing.T, reg *skill.Registry, name, arguments string) (tool.Result, map[string]any) {
	t.Helper()
	has := func(name string) bool { return name == "quote" }
	router, err := tool.NewRouter([]tool.Tool{newSkillTool(Deps{Skills: reg, Now: time.Now, HasTool: has}), newReadSkillFile(reg, nil)}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := router.Call(t.Context(), llm.ToolCall{ID: "1", Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal([]byte(out.Result.ModelText()), &value); err != nil {
		t.Fatalf("%s %s = %q: %v", name, arguments, out.Result.ModelText(), err)
	}
	return out.Result, value
}

func TestK12_GivesTheWholeFileAndWhatItNeeds(t *testing.T) {
	dir, reg := skillsFolder(t)
	res, got := callSkill(t, reg, "Skill", `{"name":"trend"}`)
	want := map[string]any{
		"name": "trend", "description": "Reads a trend", "source": "user", "directory": filepath.Join(dir, "trend-reader"),
		"content":        trend,
		"tools_required": []any{"quote", "tea_leaves"}, "tools_missing": []any{"tea_leaves"},
		"parameters": []any{
			map[string]any{"name": "symbol", "type": "string", "required": true},
			map[string]any{"name": "years", "type": "string", "required": true, "default": 5.0},
		},
		"resources": []any{map[string]any{"path": "references/fees.md", "group": "references", "size": 20000.0}},
		"warnings": []any{
			`the name is "trend", its directory "trend-reader"; both find it`,
			"the tool tea_leaves is not available here: do what can be done without it and say what is missing",
			"the required parameter symbol has no value in arguments: take it from what the user said, or ask",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Skill trend (-want +got):\n%s", diff)
	}
	if res.IsError || res.Skill != "trend" || res.Title != "trend" || res.Summary != "user, 0.2 KB" {
		t.Errorf("result = skill %q, title %q, summary %q; want trend", res.Skill, res.Title, res.Summary)
	}
}

func TestK12_CardShowsWhatWasLoadedNotItsText(t *testing.T) {
	_, reg := skillsFolder(t)
	res, _ := callSkill(t, reg, "Skill", `{"name":"trend"}`)
	for _, part := range []string{"**Trend**", "Reads a trend", "`quote`, `tea_leaves`", "missing: `tea_leaves`", "Files: 1", "*Not advice.*"} {
		if !strings.Contains(res.ForUser, part) {
			t.Errorf("card lacks %q:\n%s", part, res.ForUser)
		}
	}
	if strings.Contains(res.ForUser, "Look &") {
		t.Errorf("card shows the body:\n%s", res.ForUser)
	}
}

func TestK12_ArgumentsGivenAreEchoedAndMissed(t *testing.T) {
	_, reg := skillsFolder(t)
	_, got := callSkill(t, reg, "Skill", `{"name":"trend-reader","arguments":{"symbol":"VTI"}}`)
	if diff := cmp.Diff(map[string]any{"symbol": "VTI"}, got["arguments"]); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if warnings := got["warnings"].([]any); len(warnings) != 2 {
		t.Errorf("warnings = %q, want none about symbol", warnings)
	}
}

func TestK12_UnknownNameIsAnsweredWithTheOthers(t *testing.T) {
	_, reg := skillsFolder(t)
	res, got := callSkill(t, reg, "Skill", `{"name":"trends"}`)
	want := map[string]any{
		"error": "Skill 'trends' not found",
		"available": []any{
			map[string]any{"name": "long", "description": "A long one"},
			map[string]any{"name": "trend", "description": "Reads a trend"},
		},
		"did_you_mean": []any{"trend"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Skill trends (-want +got):\n%s", diff)
	}
	if !res.IsError || res.Code != "skill_not_found" || res.Skill != "" || res.ErrorText() != "Skill 'trends' not found" {
		t.Errorf("result = %+v, want an error and no skill", res)
	}
	_, got = callSkill(t, reg, "Skill", `{"name":"../secret.txt"}`)
	if got["error"] != "Skill '../secret.txt' not found" {
		t.Errorf("a path for a name = %v, want it looked up, not opened", got["error"])
	}
}

func TestK12_ManySkillsAreNotAllOffered(t *testing.T) {
	dir := t.TempDir()
	for i := range 60 {
		name := "s-" + strings.Repeat("x", i+1)
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, skill.FileName), []byte("---\nname: "+name+"\ndescription: d\n---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	reg := skill.Open(skill.Options{Roots: []skill.Root{{Dir: dir, Source: skill.SourceUser}}})
	_, got := callSkill(t, reg, "Skill", `{"name":"zzz"}`)
	if n := len(got["available"].([]any)); n != 50 || got["more_available"] != 10.0 {
		t.Errorf("offered %d and %v more, want 50 and 10", n, got["more_available"])
	}
}

func TestK12_NameThatIsMissingOrNoStringIsRefusedSayingSo(t *testing.T) {
	_, reg := skillsFolder(t)
	for _, arguments := range []string{`{}`, `{"name":7}`, `{"name":null}`, `not JSON`} {
		res, got := callSkill(t, reg, "Skill", arguments)
		if message, _ := got["error"].(string); !res.IsError || got["code"] != tool.CodeValidation || message == "" {
			t.Errorf("Skill %s = %v, want a validation_error", arguments, got)
		}
	}
}

func TestK19_ForTheUserAloneIsNotLoadedByTheModel(t *testing.T) {
	_, reg := skillsFolder(t)
	res, got := callSkill(t, reg, "Skill", `{"name":"mine"}`)
	if !res.IsError || res.Code != "user_only" || !strings.Contains(got["error"].(string), "/mine") {
		t.Errorf("Skill mine = %v, want it left to the user", got)
	}
}

func TestK14_LongTextComesAsAnOutlineThenBySection(t *testing.T) {
	_, reg := skillsFolder(t)
	res, got := callSkill(t, reg, "Skill", `{"name":"long"}`)
	want := []any{
		map[string]any{"section": "1", "title": "One", "size": 20009.0},
		map[string]any{"section": "2", "title": "Two", "size": 13.0},
	}
	if diff := cmp.Diff(want, got["outline"]); diff != "" {
		t.Errorf("outline (-want +got):\n%s", diff)
	}
	if got["content"] != "---\nname: long\ndescription: A long one\n---\n" || len(got["warnings"].([]any)) != 1 {
		t.Errorf("content = %q, warnings %v; want the front matter and a word on it", got["content"], got["warnings"])
	}
	part, got := callSkill(t, reg, "Skill", `{"name":"long","section":"two"}`)
	if got["content"] != "# Two\n\nshort\n" {
		t.Errorf("section two = %q", got["content"])
	}
	if res.Skill != "long" || res.Section != "" || part.Skill != "long" || part.Section != "2" {
		t.Errorf("the outline is of %q %q, section two of %q %q; want long, and long 2", res.Skill, res.Section, part.Skill, part.Section)
	}
	res, got = callSkill(t, reg, "Skill", `{"name":"long","section":"three"}`)
	if !res.IsError || res.Skill != "" || !strings.Contains(got["error"].(string), "1 One; 2 Two") {
		t.Errorf("section three = %v, want the sections there are", got)
	}
}

func TestK12_FileThatIsGone(t *testing.T) {
	dir, reg := skillsFolder(t)
	if err := os.RemoveAll(filepath.Join(dir, "trend-reader")); err != nil {
		t.Fatal(err)
	}
	if res, got := callSkill(t, reg, "Skill", `{"name":"trend"}`); !res.IsError || got["code"] != "file_not_found" {
		t.Errorf("Skill trend = %v, want file_not_found", got)
	}
	if _, got := callSkill(t, reg, "Skill", `{"name":"trend"}`); got["error"] != "Skill 'trend' not found" {
		t.Errorf("the second time = %v, want it no longer known", got["error"])
	}
}

func TestK12_FileThatNoLongerParsesSaysWhy(t *testing.T) {
	dir, reg := skillsFolder(t)
	if err := os.WriteFile(filepath.Join(dir, "trend-reader", skill.FileName), []byte("gone wrong"), 0o644); err != nil {
		t.Fatal(err)
	}
	if res, got := callSkill(t, reg, "Skill", `{"name":"trend"}`); !res.IsError || !strings.Contains(got["error"].(string), "no front matter") {
		t.Errorf("Skill trend = %v, want the reason", got)
	}
}

// newConversation is a router whose calls belong to conversations.
func newConversation(t *testing.T, d Deps) func(conversation, arguments string) (tool.Result, map[string]any) {
	t.Helper()
	d.Now, d.HasTool = time.Now, func(string) bool { return true }
	router, err := tool.NewRouter([]tool.Tool{newSkillTool(d)}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(conversation, arguments string) (tool.Result, map[string]any) {
		t.Helper()
		ctx := tool.WithSessionID(t.Context(), conversation)
		out, err := router.Call(ctx, llm.ToolCall{ID: "1", Name: "Skill", Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		var value map[string]any
		if err := json.Unmarshal([]byte(out.Result.ModelText()), &value); err != nil {
			t.Fatal(err)
		}
		return out.Result, value
	}
}

// What is said to be there has to be: a section is not the whole.
func TestK15_AfterASectionAloneTheWholeIsGiven(t *testing.T) {
	_, reg := skillsFolder(t)
	load := newConversation(t, Deps{Skills: reg})
	if _, got := load("one", `{"name":"long","section":"two"}`); got["content"] == nil {
		t.Fatalf("section = %v, want its text", got)
	}
	for i, want := range []bool{false, true} {
		if _, got := load("one", `{"name":"long"}`); (got["already_loaded"] == true) != want {
			t.Errorf("load %d after it = %v, want already loaded: %v", i+1, got, want)
		}
	}
}

func TestK15_ASecondLoadInOneConversationDoesNotRepeatTheText(t *testing.T) {
	dir, reg := skillsFolder(t)
	load := newConversation(t, Deps{Skills: reg})
	if _, got := load("one", `{"name":"trend"}`); got["content"] == nil {
		t.Fatalf("first load = %v, want the text", got)
	}
	if res, got := load("one", `{"name":"trend"}`); got["already_loaded"] != true || got["content"] != nil || res.Skill != "" {
		t.Errorf("second load = %v, want that it is there", got)
	}
	if _, got := load("two", `{"name":"trend"}`); got["content"] == nil {
		t.Errorf("load in another conversation = %v, want the text", got)
	}
	if _, got := load("", `{"name":"trend"}`); got["content"] == nil {
		t.Errorf("load by hand = %v, want the text", got)
	}
	if _, got := load("", `{"name":"trend"}`); got["content"] == nil {
		t.Errorf("second load by hand = %v, want the text", got)
	}
	path := filepath.Join(dir, "trend-reader", "SKILL.md")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(old, "One more line.\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got := load("one", `{"name":"trend"}`)
	if text, _ := got["content"].(string); !strings.HasSuffix(text, "One more line.\n") {
		t.Errorf("load of a changed skill = %v, want its new text", got)
	}
}

func TestK19_ADisabledSkillIsNotGivenToTheModel(t *testing.T) {
	_, reg := skillsFolder(t)
	load := newConversation(t, Deps{Skills: reg, Disabled: func(name string) bool { return name == "trend" }})
	if res, got := load("one", `{"name":"trend"}`); res.Code != "disabled" || !strings.Contains(got["error"].(string), "nfa skills enable trend") {
		t.Errorf("Skill trend = %v, want it refused with how to allow it", got)
	}
}

func TestK22_ArgumentsArePutInAndMoneyStaysAsItIs(t *testing.T) {
	dir := t.TempDir()
	text := "---\nname: buy\ndescription: Buys\nparameters:\n  - name: symbol\n    type: symbol\n---\nBuy {{symbol}} for $1,000 or $AAPL, not {{other}} or $B$6.\n"
	if err := os.MkdirAll(filepath.Join(dir, "buy"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "buy", "SKILL.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	load := newConversation(t, Deps{Skills: skill.Open(skill.Options{Roots: []skill.Root{{Dir: dir, Source: skill.SourceUser}}})})
	if _, got := load("", `{"name":"buy"}`); got["content"] != text {
		t.Errorf("without arguments: %q, want the file byte for byte", got["content"])
	}
	_, got := load("", `{"name":"buy","arguments":{"symbol":"MSFT"}}`)
	if want := strings.Replace(text, "{{symbol}}", "MSFT", 1); got["content"] != want {
		t.Errorf("with arguments: %q, want %q", got["content"], want)
	}
	_, got = load("", `{"name":"buy","arguments":{"symbol":"not a symbol!"}}`)
	if warnings := fmt.Sprint(got["warnings"]); !strings.Contains(warnings, "symbol") {
		t.Errorf("with a wrong argument the warnings are %s", warnings)
	}
}

func TestK11_SkillIsThereUnlessThereIsNoSkillAtAll(t *testing.T) {
	has := func(reg *skill.Registry) string {
		var names []string
		for _, tool := range Tools(Deps{Skills: reg}) {
			if tool.Name == "Skill" || tool.Name == "read_skill_file" {
				names = append(names, tool.Name)
			}
		}
		return strings.Join(names, " ")
	}
	_, some := skillsFolder(t)
	none := skill.Open(skill.Options{Roots: []skill.Root{{Dir: t.TempDir(), Source: skill.SourceUser}}})
	if got := has(some); got != "Skill read_skill_file" {
		t.Errorf("with a skill there are %q", got)
	}
	if got := has(none) + has(nil); got != "" {
		t.Errorf("without any there are %q", got)
	}
}

package skills

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
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

// skillsFolder creates a user's skills: trend with a file, one that only the user can start, and a
// long one.
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

// callSkill runs one of the two tools through a Router, and returns its value as the model reads it.
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
			`the name is "trend", but the folder is named "trend-reader"; both names work`,
			"the tool tea_leaves is unavailable: continue without it and say what is missing",
			"the required parameter symbol has no value in arguments: take it from the user's message, or ask",
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
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("card lacks %q:\n%s", part, res.UserText())
		}
	}
	if strings.Contains(res.UserText(), "Look &") {
		t.Errorf("card shows the body:\n%s", res.UserText())
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
	for _, arguments := range []string{`{}`, `{"name":7}`, `{"name":" "}`, `{"name":null}`, `not JSON`, `{"query":7}`, `{"query":"trend","name":"trend"}`, `{"query":"trend","section":"one"}`} {
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

// newConversation returns a router whose calls belong to conversations.
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

// A loaded section is not the whole text, so the text must be returned again.
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

// oneOfAThousand returns a thousand unrelated skills of a user, in memory, because creating so many files
// takes seconds.
var oneOfAThousand = sync.OnceValue(func() skill.Root {
	files := fstest.MapFS{}
	add := func(name, text string) { files[name+"/SKILL.md"] = &fstest.MapFile{Data: []byte(text)} }
	for i := range 1000 {
		add(fmt.Sprintf("recipe-%04d", i), fmt.Sprintf("---\nname: recipe-%04d\ndescription: Cooks dish%d with herbs. Use for \"dinner%d\".\n---\nCook.\n", i, i, i))
	}
	add("call", "---\nname: call\ndescription: 'Reads the earnings call of a company, and says what was new. Use for \"what did they say\".'\n---\nRead.\n")
	add("secret", "---\nname: secret\ndescription: Reads earnings\ndisable-model-invocation: true\n---\nRead.\n")
	add("broker", "---\nname: broker\ndescription: Reads earnings\ntools_required: [fax]\n---\nRead.\n")
	return skill.Root{Dir: "/skills", FS: files, Source: skill.SourceUser}
})

func TestQuery_FindsOneOfAThousandSkills(t *testing.T) {
	reg, _ := skilltest.OpenRegistry(t, oneOfAThousand())
	for query, want := range map[string]any{
		"earnings":          []any{map[string]any{"name": "call", "does": "Reads the earnings call of a company, and says what was new"}},
		"what did they say": []any{map[string]any{"name": "call", "does": "Reads the earnings call of a company, and says what was new"}},
		"dinner777":         []any{map[string]any{"name": "recipe-0777", "does": "Cooks dish777 with herbs"}},
	} {
		res, got := callSkill(t, reg, "Skill", fmt.Sprintf(`{"query":%q}`, query))
		if found, _ := got["skills"].([]any); res.IsError || len(found) == 0 || len(got) != 1 || !cmp.Equal(found[:1], want) {
			t.Errorf("Skill query %q = %v, want %v first", query, got, want)
		}
		if res.Skill != "" || len(res.Activates) > 0 {
			t.Errorf("a query loads %q and %q", res.Skill, res.Activates)
		}
	}
	if _, got := callSkill(t, reg, "Skill", `{"query":"cook herbs"}`); len(got["skills"].([]any)) != 5 {
		t.Errorf("a query that many match finds %v, want 5", got)
	}
}

func TestQuery_FindsOnlyWhatTheModelMayLoad(t *testing.T) {
	reg, _ := skilltest.OpenRegistry(t, oneOfAThousand())
	load := newConversation(t, Deps{Skills: reg, Disabled: func(name string) bool { return name == "call" }})
	_, got := load("one", `{"query":"earnings"}`)
	if diff := cmp.Diff([]any{map[string]any{"name": "broker", "does": "Reads earnings"}}, got["skills"]); diff != "" {
		t.Errorf("skills (-want +got):\n%s", diff)
	}
	if res, got := load("one", `{"query":"zzzzqqqq"}`); res.Code != tool.CodeNoData || !strings.Contains(got["error"].(string), "zzzzqqqq") {
		t.Errorf("a query without a match = %v, want it said", got)
	}
}

func TestSkill_ActivatesTheToolsThatItNames(t *testing.T) {
	reg, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{
		"plain/SKILL.md":   skilltest.SkillFile("plain"),
		"allowed/SKILL.md": "---\nname: allowed\ndescription: d\nallowed-tools: [quote, Bash, calculate]\ntools_required: [price_history, quote]\n---\n",
		"steps/SKILL.md":   "---\nname: steps\ndescription: d\nsteps:\n  - {tool: quote}\n  - {code: print(1)}\n  - {tool: fax}\n---\n",
		"files/SKILL.md":   skilltest.SkillFile("files"), "files/references/fees.md": "fees",
	}.Write(t)))
	has := func(name string) bool { return name != "Bash" && name != "fax" && name != "python" }
	router, err := tool.NewRouter([]tool.Tool{newSkillTool(Deps{Skills: reg, Now: time.Now, HasTool: has})}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"plain": nil, "allowed": {"price_history", "quote", "calculate"}, "steps": {"skill_steps", "quote"}, "files": {"read_skill_file"},
	} {
		// The text is not repeated the second time, but the tools may be missing by then.
		for range 2 {
			out, err := router.Call(tool.WithSessionID(t.Context(), "one"), llm.ToolCall{ID: "1", Name: "Skill", Arguments: `{"name":"` + name + `"}`})
			if err != nil || out.Result.IsError {
				t.Fatalf("Skill %s = %+v, %v", name, out.Result, err)
			}
			if diff := cmp.Diff(want, out.Result.Activates); diff != "" {
				t.Errorf("%s activates (-want +got):\n%s", name, diff)
			}
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// inHome runs the program as a command in an empty home with these skills.
func inHome(t *testing.T, skills map[string]string, server *llmtest.Server, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for name, text := range skills {
		path := filepath.Join(home, ".nfa", "skills", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary", "NFA_MODEL": "test-model"}
	var out, err strings.Builder
	code = run(args, terminal{out: &out, err: &err, env: func(key string) string { return env[key] }})
	return code, out.String(), err.String()
}

func TestSkillsTest_LiveJudgesWhatTheModelLoadsFirst(t *testing.T) {
	loads := func(name string) llmtest.Turn {
		return llmtest.Turn{
			Calls: []llm.ToolCall{{ID: "c1", Name: "Skill", Arguments: `{"name":"` + name + `"}`}},
			Usage: llm.Usage{InputTokens: 1200, OutputTokens: 15},
		}
	}
	server := llmtest.StartServer(llmtest.Answers(loads("mine"), loads("get-price"), loads("mine"), llmtest.Say("Hello."))...)
	defer server.Close()
	skills := map[string]string{
		"mine/SKILL.md":   "---\nname: mine\ndescription: Prices of my own\n---\nQuote.\n",
		"mine/evals.yaml": "prompts:\n  select: [My prices, Another]\n  avoid: [Prices, Hello]\n",
	}
	code, stdout, stderr := inHome(t, skills, server, "skills", "test", "mine", "--live", "--json")
	if code != exitFailure || stderr != "" {
		t.Fatalf("exit %d, %s; want %d for what failed", code, stderr, exitFailure)
	}
	var results []eval.Result
	if err := json.Unmarshal([]byte(stdout), &results); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	var got []string
	for _, r := range results {
		got = append(got, strings.TrimSpace(strings.Join([]string{string(r.Kind), r.Text, string(r.Verdict), strings.Join(r.Reasons, "; ")}, " | ")))
	}
	want := []string{
		"skill |  | not_run | it has no cases",
		"select | My prices | pass | loaded mine",
		"select | Another | fail | loaded get-price",
		"avoid | Prices | fail | loaded mine",
		"avoid | Hello | pass | loaded no skill",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("results:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := results[1]; r.Model != "custom/test-model" || r.Usage == nil || r.Usage.InputTokens != 1200 {
		t.Errorf("%+v, want the model and its tokens", r)
	}
	if n := len(server.Requests()); n != 4 {
		t.Errorf("%d requests, want one for each prompt: no second step", n)
	}
}

func TestDocs_TheExampleOfATestIsTheProgramsOwn(t *testing.T) {
	if !strings.Contains(page(t, "docs/skills.md"), "```yaml\n"+eval.Example+"```\n") {
		t.Error("docs/skills.md does not show eval.Example as it is")
	}
	if want := "the clock at " + app.SkillTestTime().Format("2006-01-02"); !strings.Contains(strings.Join(strings.Fields(page(t, "docs/skills.md")), " "), want) {
		t.Errorf("docs/skills.md does not say %q", want)
	}
}

package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/recordings"
	"github.com/nfa-cli/nfa/internal/tool"
)

// expectation is what a question must lead to: one of tool, ask, say and decline.
type expectation struct {
	Text    string         `json:"text"`
	Lang    string         `json:"lang"`
	Kind    string         `json:"kind"`
	Tool    []string       `json:"tool"`
	Args    map[string]any `json:"args"`
	Ask     []string       `json:"ask"`
	Say     []string       `json:"say"`
	Decline string         `json:"decline"`
	OrTools []string       `json:"or_tools"`
}

var assistantNow = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// openAssistant opens an app with all tools of a user who is online, and never calls one.
func openAssistant(t testing.TB) (*App, llm.Model) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	env := func(name string) string {
		return map[string]string{"NFA_SEC_CONTACT": "me@example.com"}[name]
	}
	a, err := Open(t.Context(), Options{
		CommandLine: CommandLine{Home: home}, Env: env, Agent: true,
		Now: func() time.Time { return assistantNow }, Notice: func(string) {}, Warn: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	a.turnTools.Store(a.AllTools())
	return a, a.builtInAssistant()
}

func ask(t testing.TB, m llm.Model, messages ...llm.Message) (text string, calls []llm.ToolCall, outcome *llm.Outcome) {
	t.Helper()
	for chunk, err := range m.Stream(t.Context(), llm.Request{Messages: messages}) {
		if err != nil {
			t.Fatal(err)
		}
		text += chunk.Text
		if chunk.ToolCall != nil {
			calls = append(calls, *chunk.ToolCall)
		}
		if chunk.Outcome != nil {
			outcome = chunk.Outcome
		}
	}
	return text, calls, outcome
}

// verdict returns what is wrong with an answer, or "". wrongTool is set if another tool answered.
func (e expectation) verdict(t *testing.T, a *App, text string, calls []llm.ToolCall, outcome *llm.Outcome) (problem string, wrongTool bool) {
	said := fmt.Sprintf("said %.200q", text)
	if len(calls) > 0 {
		said = fmt.Sprintf("called %s %s", calls[0].Name, calls[0].Arguments)
	}
	switch {
	case len(e.Tool) > 0 && len(calls) == 0:
		return said, false
	case len(e.Tool) > 0:
		for _, c := range calls {
			if !slices.Contains(e.Tool, c.Name) {
				return said, true
			}
			definition, ok := a.turnTools.Load().Lookup(c.Name)
			if !ok {
				return "no such tool: " + said, true
			}
			if err := definition.Check(json.RawMessage(c.Arguments)); err != nil {
				return fmt.Sprintf("%s: %v", said, err), false
			}
		}
		for name, want := range e.Args {
			if !e.matches(t, a, calls, name, want) {
				return fmt.Sprintf("%s: %s is not %v", said, name, want), false
			}
		}
		return "", false
	case len(calls) > 0 && slices.Contains(e.OrTools, calls[0].Name):
		return "", false
	case len(calls) > 0:
		return said, true
	case len(e.Ask) > 0 || len(e.Say) > 0:
		for _, w := range append(e.Ask, e.Say...) {
			if strings.Contains(strings.ToLower(text), strings.ToLower(w)) && (len(e.Ask) == 0 || outcome.Kind == llm.OutcomeAsked) {
				return "", false
			}
		}
		return said, false
	case e.Decline != "" && outcome.Kind != llm.OutcomeDeclined:
		return said, false
	}
	return "", false
}

func (e expectation) matches(t *testing.T, a *App, calls []llm.ToolCall, name string, want any) bool {
	var all []map[string]any
	for _, c := range calls {
		var args map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
			t.Fatal(err)
		}
		all = append(all, args)
	}
	args := all[0]
	texts := func(v any) []string {
		switch v := v.(type) {
		case []any:
			var out []string
			for _, one := range v {
				out = append(out, fmt.Sprint(one))
			}
			return out
		case nil:
			return nil
		default:
			return []string{fmt.Sprint(v)}
		}
	}
	switch name {
	case "symbols", "symbol", "accounts", "account":
		singular, plural := strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "s")+"s"
		var got []string
		for _, one := range all {
			for _, s := range append(texts(one[plural]), texts(one[singular])...) {
				if !slices.Contains(got, s) {
					got = append(got, s)
				}
			}
		}
		wanted := texts(want)
		slices.Sort(got)
		slices.Sort(wanted)
		return strings.EqualFold(strings.Join(got, " "), strings.Join(wanted, " "))
	case "on":
		return fmt.Sprint(args["from"]) <= fmt.Sprint(want) && fmt.Sprint(args["to"]) >= fmt.Sprint(want) || args["date"] == want
	case "has":
		return slices.Contains(texts(args["indicators"]), fmt.Sprint(want))
	case "result":
		o, _ := a.Tools.Dispatch(t.Context(), calls, tool.Observer{})
		var v struct {
			Result json.Number `json:"result"`
			Value  json.Number `json:"value"`
		}
		raw, _ := json.Marshal(o[0].Result.Value)
		if json.Unmarshal(raw, &v) != nil {
			return false
		}
		got, _ := json.Number(v.Result + v.Value).Float64()
		return math.Abs(got-want.(float64)) < 1e-3*math.Max(1, math.Abs(want.(float64)))
	case "from", "to", "date", "year":
		wanted := strings.ReplaceAll(fmt.Sprint(want), "{last_year}", "2025")
		return strings.HasPrefix(fmt.Sprint(args[name]), wanted)
	}
	if n, ok := want.(float64); ok {
		got, ok := args[name].(float64)
		return ok && math.Abs(got-n) <= 1e-6*math.Max(1, math.Abs(n))
	}
	if w, ok := want.([]any); ok {
		return reflect.DeepEqual(args[name], w)
	}
	return strings.EqualFold(fmt.Sprint(args[name]), fmt.Sprint(want))
}

// measure asks the questions of a file, each in a conversation of its own.
func measure(t *testing.T, raw []byte) (right, total int, problems, wrong []string) {
	t.Helper()
	a, m := openAssistant(t)
	for line := range bytes.Lines(raw) {
		var e expectation
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		total++
		text, calls, outcome := ask(t, m, llm.Message{Role: llm.RoleUser, Content: e.Text})
		problem, wrongTool := e.verdict(t, a, text, calls, outcome)
		if problem == "" {
			right++
			continue
		}
		problem = fmt.Sprintf("%-8s %s: %s", e.Kind, e.Text, problem)
		if wrongTool {
			wrong = append(wrong, problem)
		} else {
			problems = append(problems, problem)
		}
	}
	return right, total, problems, wrong
}

func reportAnswers(t *testing.T, right, total int, problems, wrong []string, least float64) {
	t.Helper()
	share := float64(right) / float64(total)
	t.Logf("%d of %d right (%.1f%%), %d answered by a wrong tool", right, total, 100*share, len(wrong))
	for _, p := range wrong {
		t.Log("WRONG TOOL ", p)
	}
	for _, p := range problems {
		t.Log(p)
	}
	if len(wrong) > 0 {
		t.Errorf("%d answered by a wrong tool", len(wrong))
	}
	if share < least {
		t.Errorf("%.1f%% right, want at least %.0f%%", 100*share, 100*least)
	}
}

func TestAssistant_AnswersTheRecordedQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and uses one goroutine")
	}
	right, total, problems, wrong := measure(t, recordings.Read(t, "offline-questions.jsonl"))
	reportAnswers(t, right, total, problems, wrong, 0.95)
}

func TestAssistant_AnswersOurQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and uses one goroutine")
	}
	raw, err := os.ReadFile(filepath.Join("..", "llm", "offline", "testdata", "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	right, total, problems, wrong := measure(t, raw)
	reportAnswers(t, right, total, problems, wrong, 0.97)
}

func TestAssistant_KeepsAConversation(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "llm", "offline", "testdata", "conversations.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	a, m := openAssistant(t)
	right, total := 0, 0
	var problems, wrong []string
	for line := range bytes.Lines(raw) {
		var c struct {
			Turns []expectation `json:"turns"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var messages []llm.Message
		for n, e := range c.Turns {
			total++
			messages = append(messages, llm.Message{Role: llm.RoleUser, Content: e.Text})
			text, calls, outcome := ask(t, m, messages...)
			problem, wrongTool := e.verdict(t, a, text, calls, outcome)
			for _, call := range calls {
				messages = append(messages, llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{call}},
					llm.Message{Role: llm.RoleTool, ToolCallID: call.ID, ToolName: call.Name, Content: "{}"})
			}
			messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: text + "."})
			switch {
			case problem == "":
				right++
			case wrongTool:
				wrong = append(wrong, fmt.Sprintf("%s (%d of %s): %s", e.Text, n+1, c.Turns[0].Text, problem))
			default:
				problems = append(problems, fmt.Sprintf("%s (%d of %s): %s", e.Text, n+1, c.Turns[0].Text, problem))
			}
		}
	}
	reportAnswers(t, right, total, problems, wrong, 0.97)
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// sentRequest holds the parts of a received request that these tests read.
type sentRequest struct {
	body     []byte
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Function llm.ToolSpec `json:"function"`
	} `json:"tools"`
}

func (r sentRequest) toolNames() []string {
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Function.Name)
	}
	return names
}

// modelProgram opens a program whose model is a server with a context window of that many tokens.
func modelProgram(t *testing.T, agentName string, window int, turns ...llmtest.Turn) (*app.App, func() []sentRequest) {
	t.Helper()
	return modelProgramWithSkills(t, agentName, window, nil, turns...)
}

func modelProgramWithSkills(t *testing.T, agentName string, window int, skills map[string]string, turns ...llmtest.Turn) (*app.App, func() []sentRequest) {
	t.Helper()
	server := llmtest.StartServer(llmtest.Answers(turns...)...)
	t.Cleanup(server.Close)
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Setenv("USERPROFILE", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	nfa := filepath.Join(home, "nfa")
	if err := os.MkdirAll(nfa, 0o700); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("model: home/test\ndata: sample\nagent: %s\nproviders:\n  home:\n    base_url: %s\n    models:\n      test:\n        context_window: %d\n", agentName, server.URL, window)
	if err := os.WriteFile(filepath.Join(nfa, "config.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range skills {
		dir := filepath.Join(nfa, "skills", name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := &globals{home: nfa}
	g.env = func(string) string { return "" }
	p, err := g.open(t.Context(), app.Options{Agent: true, Notice: func(s string) { t.Errorf("unexpected notice: %s", s) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, func() []sentRequest {
		var out []sentRequest
		for _, received := range server.Requests() {
			r := sentRequest{body: received.Body}
			if err := json.Unmarshal(received.Body, &r); err != nil {
				t.Fatal(err)
			}
			out = append(out, r)
		}
		return out
	}
}

func TestRequest_TheFirstFitsTheProfileOfTheWindow(t *testing.T) {
	for _, window := range []struct{ tokens, bytes, tools int }{{128_000, 16_384, 14}, {8_000, 10_240, 8}, {4_096, 6_144, 4}} {
		for _, name := range []string{"advisor", "analyst", "portfolio-manager", "planner"} {
			t.Run(fmt.Sprintf("%s %d", name, window.tokens), func(t *testing.T) {
				p, requests := modelProgram(t, name, window.tokens, llmtest.Say("Hello."))
				ask(t, p.StartConversation(t.Context()), "hello")
				first := requests()[0]
				size, err := p.StartConversation(t.Context()).RequestSize()
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d bytes; %s", len(first.body), strings.ReplaceAll(screens.RequestSizeText(size), "\n", " "))
				if len(first.body) > window.bytes || len(first.Tools) > window.tools {
					t.Errorf("%d bytes and %d tools, want at most %d and %d", len(first.body), len(first.Tools), window.bytes, window.tools)
				}
				if !slices.Contains(first.toolNames(), "find_tools") {
					t.Errorf("tools %v lack find_tools", first.toolNames())
				}
			})
		}
	}
}

// A found tool can be called in the next step. It is appended to the tools sent before, and the bytes before
// it do not change.
func TestRequest_FoundToolsAreAppendedAndStay(t *testing.T) {
	call := func(name, args string) llmtest.Turn {
		return llmtest.Call(llm.ToolCall{ID: "call_" + name, Name: name, Arguments: args})
	}
	p, requests := modelProgram(t, "advisor", 128_000,
		call("find_tools", `{"query":"duration of a bond"}`), call("bond_price", `{"face":100,"coupon_rate":0.05,"yield":0.04,"years":5}`), llmtest.Say("Done."),
		llmtest.Say("Again."))
	c := p.StartConversation(t.Context())
	ask(t, c, "what is the duration of this bond?")
	got := requests()
	before, after := got[0].toolNames(), got[1].toolNames()
	if len(after) <= len(before) || !slices.Equal(after[:len(before)], before) || !slices.Contains(after[len(before):], "bond_price") {
		t.Fatalf("tools %v, then %v; want bond_price behind the first", before, after)
	}
	tools := func(r sentRequest) string {
		var raw struct{ Tools json.RawMessage }
		if err := json.Unmarshal(r.body, &raw); err != nil {
			t.Fatal(err)
		}
		return string(raw.Tools)
	}
	for i := 1; i < len(got); i++ {
		if prefix := strings.TrimSuffix(tools(got[i-1]), "]"); !strings.HasPrefix(tools(got[i]), prefix) {
			t.Errorf("the tools of request %d do not begin with those of request %d", i+1, i)
		}
		for j, m := range got[i-1].Messages {
			if string(m.Content) != string(got[i].Messages[j].Content) {
				t.Errorf("message %d of request %d differs from that of request %d", j, i+1, i)
			}
		}
	}
	p.CloseSession(c.ID())
	resumed, _, err := p.ResumeConversation(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	ask(t, resumed, "and now?")
	last := requests()[3]
	if !slices.Equal(last.toolNames(), got[2].toolNames()) {
		t.Errorf("resumed with %v, want %v", last.toolNames(), got[2].toolNames())
	}
}

// A tool that exists runs even if it was not sent. For an invented one, the error names the nearest.
func TestRequest_AToolThatWasNotSentIsRun(t *testing.T) {
	p, requests := modelProgram(t, "advisor", 128_000,
		llmtest.Call(llm.ToolCall{ID: "a", Name: "current_time", Arguments: `{}`}, llm.ToolCall{ID: "b", Name: "get_quotes", Arguments: `{}`}), llmtest.Say("Done."))
	ask(t, p.StartConversation(t.Context()), "what time is it?")
	second := requests()[1]
	if !slices.Contains(second.toolNames(), "current_time") {
		t.Errorf("tools %v lack the one that was called", second.toolNames())
	}
	answers := string(second.Messages[len(second.Messages)-2].Content) + string(second.Messages[len(second.Messages)-1].Content)
	if strings.Contains(answers, `no tool named \"current_time`) || !strings.Contains(answers, "did you mean quote") {
		t.Errorf("the calls were answered with %s", answers)
	}
}

func TestRequest_TwentySearchesNeverSendMoreThanTheMost(t *testing.T) {
	words := []string{"risk and return of my portfolio", "option", "loan", "retirement", "news", "filings", "insider", "correlation", "indicators", "backtest", "optimizer", "yield curve", "inflation", "tax lots", "rebalance", "watchlist", "report", "web page", "dividends", "crypto"}
	for window, most := range map[int]int{128_000: 40, 8_000: 14, 4_096: 8} {
		var turns []llmtest.Turn
		searches := len(words)
		if window < 6_000 {
			searches = 10 // more calls than fit the window without any result
		}
		for i, w := range words[:searches] {
			turns = append(turns, llmtest.Call(llm.ToolCall{ID: fmt.Sprint("c", i), Name: "find_tools", Arguments: fmt.Sprintf(`{"query":%q}`, w)}))
		}
		p, requests := modelProgram(t, "advisor", window, append(turns, llmtest.Say("Done."))...)
		for event, err := range p.StartConversation(t.Context()).Run(t.Context(), agent.Input{Text: "find everything"}) {
			if done, ok := event.(agent.TurnDone); ok && err != nil {
				t.Fatalf("window %d: %s, %v", window, done.Reason, err)
			}
		}
		if got := requests(); most < 40 && len(got[1].Tools)-len(got[0].Tools) > 3 {
			t.Errorf("window %d: one search loads %d tools, want at most 3", window, len(got[1].Tools)-len(got[0].Tools))
		}
		for i, r := range requests() {
			if n := len(r.Tools); n > most || !slices.Equal(r.toolNames()[:1], []string{"find_tools"}) {
				t.Errorf("window %d: request %d has %d tools, want at most %d", window, i+1, n, most)
			}
			if limit := window * 75 / 100 * 7 / 2; most < 40 && len(r.body) > limit {
				t.Errorf("window %d: request %d has %d bytes, want at most %d", window, i+1, len(r.body), limit)
			}
		}
	}
}

// A scripted conversation makes the same calls whether tools are sent when needed or all at once.
func TestRequest_DeferredToolsChangeNoCall(t *testing.T) {
	script := []llmtest.Turn{
		llmtest.Call(llm.ToolCall{ID: "a", Name: "quote", Arguments: `{"symbols":["AAPL"]}`}, llm.ToolCall{ID: "b", Name: "loan_payment", Arguments: `{"principal":1000,"annual_rate":0.05,"years":1}`}),
		llmtest.Call(llm.ToolCall{ID: "c", Name: "correlation", Arguments: `{"symbols":["AAPL","MSFT"],"range":"5y"}`}),
		llmtest.Call(llm.ToolCall{ID: "d", Name: "position_size", Arguments: `{"method":"risk","capital":10000,"price":10,"stop":9,"risk":0.01,"details":{"lot":10}}`}),
		llmtest.Say("Done."),
	}
	results := func(profile string) []string {
		p, _ := modelProgram(t, "advisor", 128_000, script...)
		sessions, err := p.Stores.Sessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		a, err := agent.New(agent.Config{
			Setup: func() (agent.Setup, error) {
				setup, err := p.Setup()
				if profile == "" {
					setup.Request = agent.RequestProfile{}
				}
				return setup, err
			}, Store: sessions, Now: clock,
		})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for event, err := range a.Start().Run(t.Context(), agent.Input{Text: "go"}) {
			if err != nil {
				t.Fatal(err)
			}
			if done, ok := event.(agent.ToolFinished); ok {
				if done.Outcome.Result.IsError {
					t.Errorf("%s: %s", done.Outcome.Call.Name, done.Outcome.Result.ErrorText())
				}
				out = append(out, done.Outcome.Call.Name+" "+done.Outcome.Call.Arguments+" "+done.Outcome.Result.Code+" "+done.Outcome.Result.Summary)
			}
		}
		return out
	}
	all, deferred := results(""), results("large")
	slices.Sort(all[:2]) // two calls of one step finish in any order
	slices.Sort(deferred[:2])
	if len(all) != 4 || !slices.Equal(all, deferred) {
		t.Errorf("with every tool %q\nwhen needed %q", all, deferred)
	}
}

// OpenAI rejects more than 128 tools. A hundred workflows are not in the first request, and find_tools finds
// them.
func TestRequest_AHundredWorkflowsAreFoundAndNotSent(t *testing.T) {
	skills := map[string]string{}
	for i := range 100 {
		name := fmt.Sprintf("chore-%03d", i)
		skills[name] = fmt.Sprintf("---\nname: %s\ndescription: Chore number %d of the household\nsteps:\n  - {id: a, tool: calculate, with: {expression: \"1+%d\"}}\n---\nDone.\n", name, i, i)
	}
	skills["zakat-due"] = "---\nname: zakat-due\ndescription: Zakat due on savings and gold\nsteps:\n  - {id: a, tool: calculate, with: {expression: \"0.025*100\"}}\n---\nDone.\n"
	p, requests := modelProgramWithSkills(t, "advisor", 128_000, skills,
		llmtest.Call(llm.ToolCall{ID: "a", Name: "find_tools", Arguments: `{"query":"how much zakat do I owe on my gold"}`}), llmtest.Say("Done."))
	ask(t, p.StartConversation(t.Context()), "zakat?")
	got := requests()
	if n := len(got[0].body); n > 18_000 || len(got[0].Tools) > 14 {
		t.Errorf("the first request has %d bytes and %d tools, want at most 18000 and 14", n, len(got[0].Tools))
	}
	if names := got[1].toolNames(); len(names) > 40 || !slices.Contains(names, "skill_zakat_due") {
		t.Errorf("after the search the tools are %v, want skill_zakat_due among at most 40", names)
	}
}

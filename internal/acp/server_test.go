package acp_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	protocol "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/acp"
	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// editor is a client that records what the agent sends.
type editor struct {
	protocol.Client // panics for what nfa must not ask: files and terminals

	answer protocol.PermissionOptionId

	mu     sync.Mutex
	said   strings.Builder
	user   strings.Builder
	calls  []string // title and status
	plans  []string
	inputs []string // title and arguments of each call
	asked  []protocol.RequestPermissionRequest
	names  []string // commands
	heard  chan struct{}
}

func (e *editor) SessionUpdate(_ context.Context, n protocol.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch u := n.Update; {
	case u.AgentMessageChunk != nil:
		e.said.WriteString(u.AgentMessageChunk.Content.Text.Text)
	case u.UserMessageChunk != nil:
		e.user.WriteString(u.UserMessageChunk.Content.Text.Text)
	case u.Plan != nil:
		var states []string
		for _, entry := range u.Plan.Entries {
			states = append(states, entry.Content+" "+string(entry.Status))
		}
		e.plans = append(e.plans, strings.Join(states, ", "))
	case u.ToolCall != nil:
		if raw, err := json.Marshal(u.ToolCall.RawInput); err == nil {
			e.inputs = append(e.inputs, u.ToolCall.Title+" "+string(raw))
		}
		e.calls = append(e.calls, u.ToolCall.Title+" started")
	case u.ToolCallUpdate != nil:
		e.calls = append(e.calls, strings.Fields(*u.ToolCallUpdate.Title)[0]+" "+string(*u.ToolCallUpdate.Status))
	case u.AvailableCommandsUpdate != nil:
		for _, c := range u.AvailableCommandsUpdate.AvailableCommands {
			e.names = append(e.names, c.Name)
		}
	}
	if e.heard != nil {
		select {
		case e.heard <- struct{}{}:
		default:
		}
	}
	return nil
}

func (e *editor) RequestPermission(_ context.Context, req protocol.RequestPermissionRequest) (protocol.RequestPermissionResponse, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, req)
	return protocol.RequestPermissionResponse{Outcome: protocol.NewRequestPermissionOutcomeSelected(e.answer)}, nil
}

func (e *editor) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.said.String()
}

// connect starts the agent and connects an editor to it. env adds to the settings of sample data.
func connect(t *testing.T, e *editor, env map[string]string) *protocol.ClientSideConnection {
	t.Helper()
	return connectIn(t, t.TempDir(), e, env)
}

func connectIn(t *testing.T, home string, e *editor, env map[string]string) *protocol.ClientSideConnection {
	t.Helper()
	_, _ = schemas() // finds the module cache below HOME
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	open := func(ctx context.Context, folder string, servers []mcpclient.Server, approver tool.Approver, notice func(string)) (*app.App, error) {
		return app.Open(ctx, app.Options{
			CommandLine: app.CommandLine{Home: filepath.Join(home, "nfa"), Folder: folder}, Servers: servers, Agent: true, Approver: approver,
			Env: func(name string) string {
				if name == "NFA_DATA" && env == nil {
					return "sample"
				}
				return env[name]
			},
			Now: time.Now, Notice: notice, Warn: notice,
		})
	}
	messages := &transcript{}
	toAgent, fromEditor := io.Pipe()
	toEditor, fromAgent := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := acp.Serve(context.WithoutCancel(t.Context()), "test", open, toAgent, fromAgent)
		_, _ = toAgent.Close(), fromAgent.Close() // as the end of the process does
		served <- err
	}()
	t.Cleanup(func() {
		_ = fromEditor.Close()
		<-served // the agent ends with the connection
		messages.validate(t)
	})
	c := protocol.NewClientSideConnection(e, io.MultiWriter(fromEditor, messages.from("editor")), io.TeeReader(toEditor, messages.from("agent")))
	res, err := c.Initialize(t.Context(), protocol.InitializeRequest{ProtocolVersion: protocol.ProtocolVersionNumber})
	if err != nil || !res.AgentCapabilities.LoadSession || res.ProtocolVersion != protocol.ProtocolVersionNumber {
		t.Fatalf("initialize: %+v, %v", res, err)
	}
	return c
}

func newSession(t *testing.T, c *protocol.ClientSideConnection, folder string) protocol.NewSessionResponse {
	t.Helper()
	s, err := c.NewSession(t.Context(), protocol.NewSessionRequest{Cwd: folder, McpServers: []protocol.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func prompt(t *testing.T, c *protocol.ClientSideConnection, id protocol.SessionId, blocks ...protocol.ContentBlock) protocol.PromptResponse {
	t.Helper()
	res, err := c.Prompt(t.Context(), protocol.PromptRequest{SessionId: id, Prompt: blocks})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// modelServer returns the environment of a model that plays turns.
func modelServer(t *testing.T, turns ...llmtest.Turn) map[string]string {
	t.Helper()
	server := llmtest.StartServer(llmtest.Answers(turns...)...)
	t.Cleanup(server.Close)
	return map[string]string{"NFA_BASE_URL": server.URL, "NFA_MODEL": "m", "NFA_DATA": "sample"}
}

func toolCall(id, name, args string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Arguments: args}
}

func TestServe_AnswersAndShowsItsCalls(t *testing.T) {
	e := &editor{}
	c := connect(t, e, modelServer(t,
		llmtest.Call(toolCall("c1", "quote", `{"symbols":["AAPL"]}`)),
		llmtest.Say("AAPL closed at 137.44 USD."),
	))
	s := newSession(t, c, t.TempDir())
	if s.Modes == nil || s.Modes.CurrentModeId != "advisor" || len(s.ConfigOptions) != 1 || s.ConfigOptions[0].Select.CurrentValue != "custom/m" {
		t.Errorf("session: %+v", s)
	}
	res := prompt(t, c, s.SessionId, protocol.TextBlock("price of AAPL"))
	if res.StopReason != protocol.StopReasonEndTurn || res.Meta["nfa"] == nil {
		t.Errorf("response: %+v", res)
	}
	if got := e.text(); !strings.Contains(got, "AAPL closed at 137.44 USD.") || !strings.Contains(got, "1 of 1 figures traced") {
		t.Errorf("said %q", got)
	}
	if got := strings.Join(e.calls, ", "); got != "quote started, quote completed" {
		t.Errorf("calls: %s", got)
	}
	if len(e.names) < 20 {
		t.Errorf("commands: %q", e.names)
	}
	// The session is an ordinary one, and can be shown again.
	list, err := c.ListSessions(t.Context(), protocol.ListSessionsRequest{})
	if err != nil || len(list.Sessions) != 1 || list.Sessions[0].SessionId != s.SessionId {
		t.Fatalf("sessions: %+v, %v", list, err)
	}
	if _, err := c.CloseSession(t.Context(), protocol.CloseSessionRequest{SessionId: s.SessionId}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.LoadSession(t.Context(), protocol.LoadSessionRequest{SessionId: s.SessionId, Cwd: t.TempDir(), McpServers: []protocol.McpServer{}}); err != nil {
		t.Fatal(err)
	}
	if e.user.String() != "price of AAPL" || strings.Count(e.text(), "AAPL closed at") != 2 || len(e.calls) != 4 {
		t.Errorf("replayed %q, %q, %q", e.user.String(), e.text(), e.calls)
	}
}

func TestServe_WithoutAModelTheBuiltInAssistantAnswers(t *testing.T) {
	e := &editor{}
	c := connect(t, e, nil)
	s := newSession(t, c, t.TempDir())
	prompt(t, c, s.SessionId, protocol.TextBlock("price of AAPL"))
	if got := e.text(); !strings.Contains(got, "137.44") {
		t.Errorf("said %q", got)
	}
}

func TestServe_AsksForPermission(t *testing.T) {
	report := toolCall("c1", "write_report", `{"path":"a.md","content":"# A"}`)
	for answer, written := range map[protocol.PermissionOptionId]bool{"once": true, "refuse": false} {
		e := &editor{answer: answer}
		c := connect(t, e, modelServer(t, llmtest.Call(report), llmtest.Say("Done.")))
		folder := t.TempDir()
		s := newSession(t, c, folder)
		prompt(t, c, s.SessionId, protocol.TextBlock("write it"))
		_, err := os.Stat(filepath.Join(folder, "a.md"))
		if len(e.asked) != 1 || (err == nil) != written {
			t.Errorf("%s: asked %d times, file %v; %s", answer, len(e.asked), err, e.calls)
			continue
		}
		last := e.asked[0].Options[len(e.asked[0].Options)-1]
		if e.asked[0].Options[0].Kind != protocol.PermissionOptionKindAllowOnce || last.Kind != protocol.PermissionOptionKindRejectOnce || *e.asked[0].ToolCall.Title == "" {
			t.Errorf("question: %+v", e.asked[0])
		}
	}
}

func TestServe_CancelEndsTheTurn(t *testing.T) {
	e := &editor{heard: make(chan struct{}, 1)}
	hold := make(chan struct{})
	defer close(hold)
	c := connect(t, e, modelServer(t, llmtest.Turn{Text: []string{"I am thinking", " and thinking"}, Hold: hold}))
	s := newSession(t, c, t.TempDir())
	go func() {
		for !strings.Contains(e.text(), "thinking") {
			<-e.heard
		}
		// Another prompt is refused meanwhile.
		_, err := c.Prompt(context.WithoutCancel(t.Context()), protocol.PromptRequest{SessionId: s.SessionId, Prompt: []protocol.ContentBlock{protocol.TextBlock("and?")}})
		if err == nil || !strings.Contains(err.Error(), "-32600") {
			t.Errorf("two prompts at once: %v", err)
		}
		_ = c.Cancel(context.WithoutCancel(t.Context()), protocol.CancelNotification{SessionId: s.SessionId})
	}()
	if res := prompt(t, c, s.SessionId, protocol.TextBlock("think")); res.StopReason != protocol.StopReasonCancelled {
		t.Errorf("stopped by %s", res.StopReason)
	}
}

func TestServe_BadInput(t *testing.T) {
	e := &editor{}
	c := connect(t, e, nil)
	if _, err := c.NewSession(t.Context(), protocol.NewSessionRequest{Cwd: "relative", McpServers: []protocol.McpServer{}}); err == nil || !strings.Contains(err.Error(), "absolute") {
		t.Errorf("a relative folder: %v", err)
	}
	if _, err := c.Prompt(t.Context(), protocol.PromptRequest{SessionId: "nope", Prompt: []protocol.ContentBlock{protocol.TextBlock("x")}}); err == nil || !strings.Contains(err.Error(), "not open") {
		t.Errorf("an unknown session: %v", err)
	}
	if _, err := c.LoadSession(t.Context(), protocol.LoadSessionRequest{SessionId: "nope", Cwd: t.TempDir(), McpServers: []protocol.McpServer{}}); err == nil || !strings.Contains(err.Error(), "open session nope") {
		t.Errorf("a session that does not exist: %v", err)
	}
	s := newSession(t, c, t.TempDir())
	if _, err := c.Prompt(t.Context(), protocol.PromptRequest{SessionId: s.SessionId, Prompt: []protocol.ContentBlock{protocol.ImageBlock("AAAA", "image/png")}}); err == nil || !strings.Contains(err.Error(), "nfa reads only text") {
		t.Errorf("a picture: %v", err)
	}
	if _, err := c.SetSessionMode(t.Context(), protocol.SetSessionModeRequest{SessionId: s.SessionId, ModeId: "nobody"}); err == nil {
		t.Error("an unknown agent was accepted")
	}
	if _, err := c.SetSessionMode(t.Context(), protocol.SetSessionModeRequest{SessionId: s.SessionId, ModeId: "analyst"}); err != nil {
		t.Errorf("the analyst: %v", err)
	}
}

// What a hostile model, page or file puts into a question or an answer does not act on the editor's terminal.
func TestServe_AMessageOver10MiBEndsTheConnectionAndKeepsTheSession(t *testing.T) {
	home := t.TempDir()
	env := modelServer(t, llmtest.Turn{Text: []string{"Hello."}})
	c := connectIn(t, home, &editor{}, env)
	s := newSession(t, c, home)
	prompt(t, c, s.SessionId, protocol.TextBlock("Good morning"))
	_, err := c.Prompt(t.Context(), protocol.PromptRequest{SessionId: s.SessionId, Prompt: []protocol.ContentBlock{protocol.TextBlock(strings.Repeat("a", 11<<20))}})
	if err == nil {
		t.Error("a message of 11 MiB was answered")
	}
	<-c.Done()

	again := &editor{}
	c = connectIn(t, home, again, env)
	if _, err := c.LoadSession(t.Context(), protocol.LoadSessionRequest{SessionId: s.SessionId, Cwd: home, McpServers: []protocol.McpServer{}}); err != nil {
		t.Fatal(err)
	}
	again.mu.Lock()
	defer again.mu.Unlock()
	if got := again.user.String(); got != "Good morning" {
		t.Errorf("after the connection ended, the session has the message %.40q, want Good morning", got)
	}
}

func TestServe_ControlSequencesDoNotReachTheEditor(t *testing.T) {
	env := modelServer(t, llmtest.Call(toolCall("a", "web_fetch", `{"url":"http://192.0.2.1/\u202eevil"}`), toolCall("b", "quote\x1b]0;owned\x07\u202e", `{}`)), llmtest.Say("Done \x1b]0;owned\x07\u202e."))
	e := &editor{answer: "refuse"}
	c := connect(t, e, env)
	s := newSession(t, c, t.TempDir())
	prompt(t, c, s.SessionId, protocol.ResourceLinkBlock("letter", "file:///letter"))
	if len(e.asked) != 1 {
		t.Fatalf("asked %d times: %s %q", len(e.asked), e.calls, e.text())
	}
	shown := e.text() + strings.Join(e.calls, " ") + *e.asked[0].ToolCall.Title
	for _, option := range e.asked[0].Options {
		shown += option.Name
	}
	for _, content := range e.asked[0].ToolCall.Content {
		shown += content.Content.Content.Text.Text
	}
	if strings.ContainsAny(shown, "\x1b\x07\u202e") || !strings.Contains(shown, `\u202eevil`) || !strings.Contains(shown, "Done ") {
		t.Errorf("the editor receives %q", shown)
	}
}

// What the editor attaches is material: an address in it does not come from the user.
func TestServe_AttachmentsAreMaterial(t *testing.T) {
	for _, row := range []struct {
		name   string
		blocks []protocol.ContentBlock
		asks   bool
	}{
		{"typed", []protocol.ContentBlock{protocol.TextBlock("hello")}, false},
		{"a link", []protocol.ContentBlock{protocol.ResourceLinkBlock("letter", "file:///letter")}, true},
	} {
		env := modelServer(t, llmtest.Call(toolCall("a", "web_fetch", `{"url":"http://192.0.2.1/?d=1"}`)), llmtest.Say("Done."))
		e := &editor{answer: "refuse"}
		c := connect(t, e, env)
		s := newSession(t, c, t.TempDir())
		prompt(t, c, s.SessionId, row.blocks...)
		if len(e.asked) > 0 != row.asks {
			t.Errorf("%s: asked %d times", row.name, len(e.asked))
		}
	}
}

// The chat and ask run the same conversation as an editor.
func TestServe_TheSameCallsAsTheChat(t *testing.T) {
	turns := []llmtest.Turn{
		llmtest.Call(toolCall("c1", "quote", `{"symbols":["AAPL"]}`), toolCall("c2", "calculate", `{"expression":"2*137.44"}`)),
		llmtest.Call(toolCall("c3", "write_report", `{"path":"a.md","content":"# A"}`)),
		llmtest.Say("Two shares cost 274.88 USD."),
	}
	e := &editor{answer: "once"}
	c := connect(t, e, modelServer(t, turns...))
	s := newSession(t, c, t.TempDir())
	prompt(t, c, s.SessionId, protocol.TextBlock("what do two shares of AAPL cost"))

	env := modelServer(t, turns...)
	a, err := app.Open(t.Context(), app.Options{
		CommandLine: app.CommandLine{Home: t.TempDir(), Folder: t.TempDir()}, Agent: true, Env: func(name string) string { return env[name] }, Now: time.Now,
		Approver: tool.Policy{All: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var calls []string
	for event, err := range a.StartConversation(t.Context()).Run(t.Context(), agent.Input{Text: "what do two shares of AAPL cost"}) {
		if err != nil {
			t.Fatal(err)
		}
		if started, ok := event.(agent.ToolStarted); ok {
			var args any
			_ = json.Unmarshal([]byte(started.Call.Arguments), &args)
			sorted, _ := json.Marshal(args)
			calls = append(calls, started.Call.Name+" "+string(sorted))
		}
	}
	if diff := cmp.Diff(calls, e.inputs); diff != "" || len(calls) != 3 {
		t.Errorf("calls (-chat +editor):\n%s", diff)
	}
}

func TestServe_ShowsThePlanOfAWorkflow(t *testing.T) {
	e := &editor{answer: "once"}
	c := connect(t, e, modelServer(t, llmtest.Say("Compared.")))
	s := newSession(t, c, t.TempDir())
	prompt(t, c, s.SessionId, protocol.TextBlock("/compare-assets AAPL,MSFT"))
	if len(e.plans) < 3 || strings.Contains(e.plans[0], "completed") || !strings.Contains(e.plans[1], "in_progress") || strings.Contains(e.plans[len(e.plans)-1], "pending") {
		t.Errorf("plans %q; said %s", e.plans, e.text())
	}
}

func TestServe_UsesTheFolderOfTheEditor(t *testing.T) {
	e := &editor{}
	c := connect(t, e, nil)
	folder := t.TempDir()
	skillFile := filepath.Join(folder, ".nfa", "skills", "house-view", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(skillFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(skillFile, []byte("---\nname: house-view\ndescription: Our view.\n---\n# View\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	newSession(t, c, folder)
	if slices.Contains(e.names, "house-view") {
		t.Error("a skill of an untrusted folder is offered")
	}
	ctx, home := t.Context(), filepath.Join(os.Getenv("HOME"), "nfa")
	listing, err := skill.ListFolder(filepath.Dir(filepath.Dir(skillFile)))
	if err != nil {
		t.Fatal(err)
	}
	state, err := skill.OpenState(ctx, home)
	if err != nil {
		t.Fatal(err)
	}
	if err := state.SetTrusted(ctx, listing, true); err != nil {
		t.Fatal(err)
	}
	newSession(t, c, folder)
	if !slices.Contains(e.names, "house-view") {
		t.Errorf("commands %q", e.names)
	}
}

// An editor may pass MCP servers. They do not start before the user trusts them.
func TestServe_TheServersOfAnEditorAreNotTrusted(t *testing.T) {
	e := &editor{answer: "once"}
	c := connect(t, e, modelServer(t, llmtest.Call(toolCall("c1", "mcp_evil_x", `{}`)), llmtest.Say("Nothing.")))
	folder := t.TempDir()
	mark := filepath.Join(folder, "started")
	s, err := c.NewSession(t.Context(), protocol.NewSessionRequest{Cwd: folder, McpServers: []protocol.McpServer{
		{Stdio: &protocol.McpServerStdio{Name: "evil", Command: "/bin/sh", Args: []string{"-c", "touch " + mark}, Env: []protocol.EnvVariable{{Name: "TOKEN", Value: "secret-1234567890"}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	prompt(t, c, s.SessionId, protocol.TextBlock("call it"))
	if _, err := os.Stat(mark); err == nil || len(e.asked) != 0 {
		t.Errorf("the server was started, or asked for: %v, %v", err, e.asked)
	}
	saved, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), "nfa", "mcp.json"))
	if err != nil || !strings.Contains(string(saved), `"evil"`) || strings.Contains(string(saved), "secret-1234567890") {
		t.Errorf("saved for nfa mcp trust: %v %s", err, saved)
	}
}

// What a folder changes is in the first answer, because editors hide what a program prints.
func TestServe_SaysWhatTheFolderChanges(t *testing.T) {
	e := &editor{}
	c := connect(t, e, modelServer(t, llmtest.Say("Fine."), llmtest.Say("Fine.")))
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, ".nfa"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, ".nfa", "config.yaml"), []byte("max_steps: 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, c, folder)
	for range 2 {
		prompt(t, c, s.SessionId, protocol.TextBlock("hello"))
	}
	if want := "! This folder changes settings: max_steps = 99"; strings.Count(e.text(), want) != 1 {
		t.Errorf("the editor shows %q, want %q once", e.text(), want)
	}
}

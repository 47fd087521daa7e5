// Package acp lets editors and other programs use nfa's agent over the Agent Client Protocol
// (https://agentclientprotocol.com).
//
// Each session has its own app.App, so that approvals in one do not count in another.
// A session that an editor opens is an ordinary nfa session: the chat can continue it.
package acp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"sync"

	protocol "github.com/coder/acp-go-sdk"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Opener opens the program for a session in a folder, with the MCP servers of the editor. It passes what
// the user should know, such as settings that the folder changes, to notice. The caller closes the program.
type Opener func(ctx context.Context, folder string, servers []mcpclient.Server, approver tool.Approver, notice func(string)) (*app.App, error)

// Serve serves an editor until it leaves or ctx ends.
func Serve(ctx context.Context, version string, open Opener, in io.Reader, out io.Writer) error {
	connected, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{ctx: connected, version: version, open: open, sessions: map[protocol.SessionId]*conversation{}}
	s.editor = protocol.NewAgentSideConnection(s, out, in)
	s.editor.SetLogger(slog.New(slog.DiscardHandler))
	select {
	case <-s.editor.Done():
	case <-ctx.Done():
	}
	cancel()
	s.closeAll()
	return context.Cause(ctx)
}

// server implements the agent's side of the protocol.
type server struct {
	ctx     context.Context // ends with the connection
	version string
	open    Opener
	editor  *protocol.AgentSideConnection

	mu       sync.Mutex
	sessions map[protocol.SessionId]*conversation
}

var (
	_ protocol.Agent       = (*server)(nil)
	_ protocol.AgentLoader = (*server)(nil)
)

func (s *server) Initialize(context.Context, protocol.InitializeRequest) (protocol.InitializeResponse, error) {
	return protocol.InitializeResponse{
		ProtocolVersion: protocol.ProtocolVersionNumber,
		AgentInfo:       &protocol.Implementation{Name: "nfa", Title: protocol.Ptr("nfa (not financial advice)"), Version: s.version},
		AuthMethods:     []protocol.AuthMethod{},
		AgentCapabilities: protocol.AgentCapabilities{
			LoadSession:        true,
			McpCapabilities:    protocol.McpCapabilities{Http: true},
			PromptCapabilities: protocol.PromptCapabilities{EmbeddedContext: true},
			SessionCapabilities: protocol.SessionCapabilities{
				List: &protocol.SessionListCapabilities{}, Resume: &protocol.SessionResumeCapabilities{}, Close: &protocol.SessionCloseCapabilities{},
			},
		},
	}, nil
}

// Authenticate does nothing, because it is never needed: without a model the built-in assistant answers, and says how to
// connect one.
func (s *server) Authenticate(context.Context, protocol.AuthenticateRequest) (protocol.AuthenticateResponse, error) {
	return protocol.AuthenticateResponse{}, nil
}

func (s *server) NewSession(_ context.Context, req protocol.NewSessionRequest) (protocol.NewSessionResponse, error) {
	c, err := s.start(req.Cwd, "", req.McpServers)
	if err != nil {
		return protocol.NewSessionResponse{}, err
	}
	return protocol.NewSessionResponse{SessionId: c.id, Modes: c.modes(), ConfigOptions: c.options(s.ctx)}, nil
}

// LoadSession continues a saved session and shows it again.
func (s *server) LoadSession(_ context.Context, req protocol.LoadSessionRequest) (protocol.LoadSessionResponse, error) {
	c, err := s.start(req.Cwd, string(req.SessionId), req.McpServers)
	if err != nil {
		return protocol.LoadSessionResponse{}, err
	}
	c.replay(s.ctx)
	return protocol.LoadSessionResponse{Modes: c.modes(), ConfigOptions: c.options(s.ctx)}, nil
}

// ResumeSession continues a saved session that the editor already shows.
func (s *server) ResumeSession(_ context.Context, req protocol.ResumeSessionRequest) (protocol.ResumeSessionResponse, error) {
	c, err := s.start(req.Cwd, string(req.SessionId), req.McpServers)
	if err != nil {
		return protocol.ResumeSessionResponse{}, err
	}
	return protocol.ResumeSessionResponse{Modes: c.modes(), ConfigOptions: c.options(s.ctx)}, nil
}

// start opens a session: a new one, or the saved one with an ID.
func (s *server) start(folder, id string, servers []protocol.McpServer) (*conversation, error) {
	if !filepath.IsAbs(folder) {
		return nil, protocol.NewInvalidParams(map[string]any{"error": "cwd must be an absolute path"})
	}
	c := &conversation{editor: s.editor}
	a, err := s.open(s.ctx, folder, serversOf(servers), c, c.notice)
	if err != nil {
		return nil, internal(err)
	}
	c.app = a
	if id == "" {
		c.agent = a.StartConversation(s.ctx)
	} else if c.agent, c.entries, err = a.ResumeConversation(s.ctx, id); err != nil {
		a.Close()
		return nil, invalid(fmt.Errorf("open session %s: %w", id, err))
	}
	if err := a.Agents.Resume(agent.LastProfile(c.entries)); err != nil {
		a.Close()
		return nil, internal(err)
	}
	a.SetConversation(c.agent)
	c.id = protocol.SessionId(c.agent.ID())
	s.mu.Lock()
	before := s.sessions[c.id]
	s.sessions[c.id] = c
	s.mu.Unlock()
	if before != nil {
		before.close()
	}
	c.announceCommands(s.ctx)
	return c, nil
}

// serversOf returns the MCP servers that the editor requests. Kinds other than programs and HTTP are not
// supported, as the capabilities say.
func serversOf(list []protocol.McpServer) []mcpclient.Server {
	var out []mcpclient.Server
	for _, one := range list {
		switch {
		case one.Stdio != nil:
			s := mcpclient.Server{Name: one.Stdio.Name, Command: one.Stdio.Command, Args: one.Stdio.Args, Env: map[string]string{}}
			for _, v := range one.Stdio.Env {
				s.Env[v.Name] = v.Value
			}
			out = append(out, s)
		case one.Http != nil:
			s := mcpclient.Server{Name: one.Http.Name, URL: one.Http.Url, Headers: map[string]string{}}
			for _, h := range one.Http.Headers {
				s.Headers[h.Name] = h.Value
			}
			out = append(out, s)
		}
	}
	return out
}

// maxListed is the maximum number of sessions that a page of the list has.
const maxListed = 50

func (s *server) ListSessions(ctx context.Context, req protocol.ListSessionsRequest) (protocol.ListSessionsResponse, error) {
	a, err := s.open(ctx, "", nil, nil, func(string) {})
	if err != nil {
		return protocol.ListSessionsResponse{}, internal(err)
	}
	defer a.Close()
	all, err := a.ListSessions(ctx, 0)
	if err != nil {
		return protocol.ListSessionsResponse{}, internal(err)
	}
	first := 0
	if req.Cursor != nil {
		if first, err = strconv.Atoi(*req.Cursor); err != nil || first < 0 || first > len(all) {
			return protocol.ListSessionsResponse{}, protocol.NewInvalidParams(map[string]any{"error": "unknown cursor"})
		}
	}
	out := protocol.ListSessionsResponse{Sessions: []protocol.SessionInfo{}}
	for i, row := range all[first:] {
		if i == maxListed {
			out.NextCursor = protocol.Ptr(strconv.Itoa(first + i))
			break
		}
		info := protocol.SessionInfo{SessionId: protocol.SessionId(row.ID), UpdatedAt: protocol.Ptr(row.UpdatedAt.UTC().Format("2006-01-02T15:04:05Z"))}
		if row.Title != "" {
			info.Title = protocol.Ptr(markdown.SanitizeLine(row.Title))
		}
		out.Sessions = append(out.Sessions, info)
	}
	return out, nil
}

func (s *server) CloseSession(_ context.Context, req protocol.CloseSessionRequest) (protocol.CloseSessionResponse, error) {
	s.mu.Lock()
	c := s.sessions[req.SessionId]
	delete(s.sessions, req.SessionId)
	s.mu.Unlock()
	if c != nil {
		c.close()
	}
	return protocol.CloseSessionResponse{}, nil
}

func (s *server) closeAll() {
	s.mu.Lock()
	open := s.sessions
	s.sessions = nil
	s.mu.Unlock()
	for _, c := range open {
		c.close()
	}
}

// find returns an open session.
func (s *server) find(id protocol.SessionId) (*conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.sessions[id]; c != nil {
		return c, nil
	}
	return nil, protocol.NewInvalidParams(map[string]any{"error": fmt.Sprintf("session %s is not open", id)})
}

func (s *server) Prompt(ctx context.Context, req protocol.PromptRequest) (protocol.PromptResponse, error) {
	c, err := s.find(req.SessionId)
	if err != nil {
		return protocol.PromptResponse{}, err
	}
	return c.prompt(ctx, req.Prompt)
}

// Cancel does nothing: the connection ends the context of Prompt.
func (s *server) Cancel(context.Context, protocol.CancelNotification) error { return nil }

func (s *server) SetSessionMode(ctx context.Context, req protocol.SetSessionModeRequest) (protocol.SetSessionModeResponse, error) {
	c, err := s.find(req.SessionId)
	if err == nil {
		err = invalid(c.app.Agents.Switch(ctx, string(req.ModeId)))
	}
	return protocol.SetSessionModeResponse{}, err
}

func (s *server) SetSessionConfigOption(_ context.Context, req protocol.SetSessionConfigOptionRequest) (protocol.SetSessionConfigOptionResponse, error) {
	v := req.ValueId
	if v == nil || v.ConfigId != modelOption {
		return protocol.SetSessionConfigOptionResponse{}, protocol.NewInvalidParams(map[string]any{"error": "unknown option; known: " + modelOption})
	}
	c, err := s.find(v.SessionId)
	if err == nil {
		err = invalid(c.app.UseModel(string(v.Value)))
	}
	if err != nil {
		return protocol.SetSessionConfigOptionResponse{}, err
	}
	return protocol.SetSessionConfigOptionResponse{ConfigOptions: c.options(s.ctx)}, nil
}

func invalid(err error) error {
	if err == nil {
		return nil
	}
	return protocol.NewInvalidParams(map[string]any{"error": err.Error()})
}

func internal(err error) error {
	return protocol.NewInternalError(map[string]any{"error": err.Error()})
}

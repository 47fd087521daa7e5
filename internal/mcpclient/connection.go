package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxMessage limits one message of a server.
	maxMessage = 4 << 20
	// DefaultStartTimeout is the maximum time for a server to start and to list its tools.
	DefaultStartTimeout = 10 * time.Second
	// callTimeout is the maximum time for a call, without the time for questions to the user.
	callTimeout = 60 * time.Second
	// maxQuestions is how many questions a server may ask the user during a call; the others are declined.
	maxQuestions = 5
	// A server that ends is started again, up to maxRestarts times in restartPeriod.
	maxRestarts   = 3
	restartPeriod = 10 * time.Minute
)

// connection is a server and its session, if it is running.
type connection struct {
	Server
	client *Client

	turn    chan struct{} // held by the running call
	session *mcp.ClientSession
	child   *child // nil over HTTP
	starts  []time.Time
	clock   clock // of the running call

	mu  sync.Mutex
	off error // why the server is off until nfa ends
}

// id identifies a server by how it is started.
func (s *connection) id() string {
	return digest([]any{s.Name, s.Command, s.Args, s.Env, s.URL, s.Headers, s.Project})
}

func (s *connection) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.off
}

// fail turns the server off and tells the user, once.
func (s *connection) fail(reason error) error {
	err := fmt.Errorf("MCP server %s is off: %w", s.Name, reason)
	s.drop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off == nil {
		s.off = err
		s.client.opts.Warn(err.Error() + "; check it with: nfa mcp test " + s.Name)
	}
	return s.off
}

// acquire waits for the turn to use the session.
func (s *connection) acquire(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *connection) release() { <-s.turn }

// list starts the server, if it is not running, and records its tools.
func (s *connection) list(ctx context.Context) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	return s.connect(ctx)
}

// connect starts the server, if it is not running, and compares its tools with the accepted ones.
func (s *connection) connect(ctx context.Context) error {
	if err := s.failed(); err != nil {
		return err
	}
	if !s.client.trusts(s.Server) {
		return fmt.Errorf("MCP server %s is %w", s.Name, ErrNotTrusted)
	}
	limited, cancel := context.WithTimeout(ctx, s.client.opts.StartTimeout)
	defer cancel()
	err := s.open(limited)
	var specs []toolSpec
	if err == nil {
		specs, err = s.fetchTools(limited)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		s.drop()
		return ctx.Err()
	case limited.Err() != nil:
		return s.fail(fmt.Errorf("no answer within %s%s", s.client.opts.StartTimeout, s.messages()))
	default:
		if s.child != nil {
			if exit := s.child.exitText(); exit != "" {
				err = errors.New(exit + " at start")
			}
		}
		return s.fail(fmt.Errorf("%w%s", err, s.messages()))
	}
	return s.record(specs)
}

// record saves the tools that the server offers, and tells the user of changes.
func (s *connection) record(specs []toolSpec) error {
	before, known := s.client.state.read().Servers[s.id()]
	after := before.updated(specs)
	after.Name = s.Name
	if known && digest(before) == digest(after) {
		return nil
	}
	if names := after.changed(); len(names) > len(before.Changed) {
		s.client.opts.Warn(fmt.Sprintf("MCP server %s changed %s; a changed tool is off until you accept it: nfa mcp trust %s", s.Name, strings.Join(names, ", "), s.Name))
	}
	return s.client.state.change(func(st *state) { set(&st.Servers, s.id(), after) })
}

// messages returns the last messages of the program after a colon, or "".
func (s *connection) messages() string {
	if s.child == nil {
		return ""
	}
	return s.child.lastLines()
}

// open starts the session.
func (s *connection) open(ctx context.Context) error {
	if s.session != nil {
		return nil
	}
	now := s.client.opts.Now()
	recent := 0
	for _, at := range s.starts {
		if now.Sub(at) < restartPeriod {
			recent++
		}
	}
	if recent > maxRestarts {
		return fmt.Errorf("the server exited %d times within %s", recent, restartPeriod)
	}
	s.starts = append(s.starts, now)
	expand := func(values map[string]string) (map[string]string, error) {
		out := map[string]string{}
		for name, text := range values {
			value, err := s.client.opts.Expand(ctx, text)
			if err != nil {
				return nil, err
			}
			out[name] = value
		}
		return out, nil
	}
	var transport mcp.Transport
	if s.URL != "" {
		if s.client.opts.Offline {
			return errors.New("nfa is offline")
		}
		headers, err := expand(s.Headers)
		if err != nil {
			return err
		}
		transport = &mcp.StreamableClientTransport{
			Endpoint: s.URL, HTTPClient: newHTTPClient(s.client.opts.HTTP, headers), MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxMessage,
		}
	} else {
		env, err := expand(s.Env)
		if err != nil {
			return err
		}
		if s.child, err = startChild(s.Command, s.Args, s.client.opts.Folder, env); err != nil {
			return fmt.Errorf("start %s: %w", s.Command, err)
		}
		transport = &mcp.IOTransport{Reader: s.child.stdout, Writer: s.child.stdin, MaxLineLength: maxMessage}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "nfa", Version: s.client.opts.Version}, &mcp.ClientOptions{
		Logger:             slog.New(slog.DiscardHandler),
		Capabilities:       &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}},
		ElicitationHandler: s.elicit,
	}).Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	s.session = session
	return nil
}

// fetchTools returns the usable tools that the server offers, sanitized.
func (s *connection) fetchTools(ctx context.Context) ([]toolSpec, error) {
	const maxTools, maxPages = 256, 50
	var specs []toolSpec
	params := &mcp.ListToolsParams{}
	for range maxPages {
		page, err := s.session.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			spec, err := newToolSpec(t)
			if err != nil {
				s.client.opts.Log.Warn().Err(err).Str("server", s.Name).Msg("MCP tool is not usable")
				continue
			}
			specs = append(specs, spec)
		}
		if len(specs) > maxTools {
			return nil, fmt.Errorf("more than %d tools", maxTools)
		}
		if page.NextCursor == "" {
			return specs, nil
		}
		params.Cursor = page.NextCursor
	}
	return nil, fmt.Errorf("more than %d pages of tools", maxPages)
}

// Errors of a call, for the model and the user.
var (
	errTimeLimit = errors.New("time limit")
	errBroken    = errors.New("the connection was closed, because the server sent an invalid message or one larger than 4 MB")
	errSchema    = errors.New("the result does not match the tool's own schema, so it was discarded and the connection closed")
	errChanged   = errors.New("the tool has changed since you accepted it, so it is off; to see the changes: nfa mcp trust")
)

// call calls a tool as the user accepted it.
func (s *connection) call(ctx context.Context, spec toolSpec, args json.RawMessage) (*mcp.CallToolResult, error) {
	if err := s.acquire(ctx); err != nil {
		return nil, err
	}
	defer s.release()
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	usable := s.client.state.read().Servers[s.id()].usable()
	if i := indexOf(usable, spec.Name); i < 0 || digest(usable[i]) != digest(spec) {
		return nil, fmt.Errorf("%s: %w %s", spec.Name, errChanged, s.Name)
	}
	limit := s.callTimeout()
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.clock.start(limit, cancel)
	defer s.clock.stop()
	res, err := s.session.CallTool(limited, &mcp.CallToolParams{Name: spec.Name, Arguments: args})
	var refused *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && errors.Is(context.Cause(limited), errTimeLimit):
		return nil, fmt.Errorf("MCP server %s did not answer %s within %s; the call was canceled", s.Name, spec.Name, limit)
	case errors.As(err, &refused) && !errors.Is(err, mcp.ErrConnectionClosed):
		return nil, fmt.Errorf("MCP server %s refused the call: %s", s.Name, quoted(refused.Message))
	case err != nil:
		return nil, s.broken(err)
	}
	if err := matches(spec, res); err != nil {
		s.client.opts.Log.Warn().Err(err).Str("server", s.Name).Str("tool", spec.Name).Msg("result of an MCP server")
		s.drop()
		return nil, fmt.Errorf("MCP server %s: %w", s.Name, errSchema)
	}
	return res, nil
}

func (s *connection) callTimeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return callTimeout
}

// broken ends a session whose connection failed and returns the reason.
func (s *connection) broken(err error) error {
	defer s.drop()
	if s.child == nil {
		return fmt.Errorf("MCP server %s: %w", s.Name, err)
	}
	// The SDK has no value for a message over the limit. A program may exit when its output is closed.
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || strings.Contains(err.Error(), "maximum line length") {
		return fmt.Errorf("MCP server %s: %w", s.Name, errBroken)
	}
	if exit := s.child.exitText(); exit != "" {
		return fmt.Errorf("MCP server %s %s%s", s.Name, exit, s.child.lastLines())
	}
	return fmt.Errorf("MCP server %s: %w", s.Name, err)
}

// matches returns an error if a result does not have the form that the server promised.
func matches(spec toolSpec, res *mcp.CallToolResult) error {
	if len(spec.Output) == 0 || res.IsError {
		return nil
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(spec.Output, &schema); err != nil {
		return err
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return err
	}
	if res.StructuredContent == nil {
		return errors.New("no structured content")
	}
	return resolved.Validate(res.StructuredContent)
}

// drop ends the session at once.
func (s *connection) drop() { s.end(0) }

// close ends the session.
func (s *connection) close() {
	s.turn <- struct{}{} // canceled calls return soon
	defer s.release()
	s.end(endGrace)
}

func (s *connection) end(grace time.Duration) {
	if s.child != nil {
		s.child.end(grace)
		s.child = nil
	}
	if s.session != nil {
		_ = s.session.Close() // the connection is gone
		s.session = nil
	}
}

// clock limits the time of a call. It stops during a question to the user.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer
	limit time.Duration
	asked int // questions since start
}

func (c *clock) start(limit time.Duration, cancel context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer, c.limit, c.asked = time.AfterFunc(limit, func() { cancel(errTimeLimit) }), limit, 0
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

// pause stops the clock for a question to the user; ok is false after maxQuestions. resume starts it again
// with the whole limit.
func (c *clock) pause() (resume func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked++; c.asked > maxQuestions {
		return nil, false
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.timer != nil {
			c.timer.Reset(c.limit)
		}
	}, true
}

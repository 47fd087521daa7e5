// Package mcpclient offers the tools of MCP servers (https://modelcontextprotocol.io) to the Router.
//
// A server is another program, so nfa does not trust its texts. Its tools need an approval like every tool
// that executes, its descriptions are quoted and its results are data. A tool that changes is off until the
// user accepts the change. A server of a project starts only after the user trusts it.
//
// A server starts when one of its tools is called. Until then nfa reads its tools from a file.
package mcpclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Server is a server in the settings. See config.MCPServer.
type Server struct {
	Name    string
	Command string
	Args    []string
	Env     map[string]string
	URL     string
	Headers map[string]string
	Tools   []string
	Read    []string
	Figures []string
	Timeout time.Duration
	// Project is the folder or editor that defines the server, or "" for the user, whose servers need no trust.
	Project string
	Origin  string
}

// Target returns the command line or the address of the server.
func (s Server) Target() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}

// Options configure a Client.
type Options struct {
	Servers []Server
	File    string // with the trusted projects and accepted tools
	Folder  string // working directory of the programs
	// Expand replaces ${NAME} in the settings of a server.
	Expand   func(ctx context.Context, text string) (string, error)
	Approver tool.Approver // answers the questions of servers; nil declines
	Offline  bool          // no server over the network
	Version  string
	Now      func() time.Time
	Warn     func(string) // shows a warning to the user; nil drops it
	Log      zerolog.Logger
	HTTP     http.RoundTripper // nil means the default
	// StartTimeout is the maximum time for a server to start; 0 means DefaultStartTimeout.
	StartTimeout time.Duration
}

// Client holds the servers. It is safe for concurrent use.
type Client struct {
	opts    Options
	state   stateFile
	servers []*connection
}

// New returns a client. It starts nothing and reads nothing.
func New(o Options) *Client {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	o.StartTimeout = cmp.Or(o.StartTimeout, DefaultStartTimeout)
	c := &Client{opts: o, state: stateFile{path: o.File}}
	for _, s := range o.Servers {
		c.servers = append(c.servers, &connection{Server: s, client: c, turn: make(chan struct{}, 1)})
	}
	return c
}

// Any reports whether there are servers.
func (c *Client) Any() bool { return len(c.servers) > 0 }

// Close ends the servers that were started.
func (c *Client) Close() {
	var wg crash.WaitGroup
	for _, s := range c.servers {
		wg.Go(s.close)
	}
	wg.Wait()
}

// ErrNotTrusted means that a project defines the server and the user has not trusted it.
var ErrNotTrusted = errors.New("not trusted; review it: nfa mcp trust")

// ErrUnknown means that there is no server of a name.
var ErrUnknown = errors.New("no MCP server")

// Untrusted returns the servers that do not start because the user has not trusted them.
func (c *Client) Untrusted() []Server {
	var out []Server
	for _, s := range c.servers {
		if !c.trusts(s.Server) {
			out = append(out, s.Server)
		}
	}
	return out
}

// trusts reports whether a server may start: it is the user's own, or nothing of its project changed
// since the user trusted it.
func (c *Client) trusts(s Server) bool {
	return s.Project == "" || c.state.read().Trusted[s.Project] == digest(c.definedBy(s.Project))
}

func (c *Client) definedBy(project string) []Server {
	var out []Server
	for _, s := range c.servers {
		if s.Project == project {
			out = append(out, s.Server)
		}
	}
	return out
}

// Trust lets the servers of a project start, until one of them changes.
func (c *Client) Trust(project string) error {
	return c.state.change(func(s *state) { set(&s.Trusted, project, digest(c.definedBy(project))) })
}

// Request records the untrusted servers of an editor, so that the user can review them with Requests.
// The values of their variables, which may be secrets, are not recorded.
func (c *Client) Request(project string) error {
	servers := c.definedBy(project)
	if len(servers) == 0 || c.trusts(servers[0]) {
		return nil
	}
	shown := slices.Clone(servers)
	for i := range shown {
		shown[i].Env, shown[i].Headers = withoutValues(shown[i].Env), withoutValues(shown[i].Headers)
	}
	return c.state.change(func(s *state) { set(&s.Requested, project, request{digest(servers), shown}) })
}

func withoutValues(values map[string]string) map[string]string {
	out := map[string]string{}
	for name := range values {
		out[name] = ""
	}
	return out
}

// Requests returns the servers that an editor requested in a project.
func (c *Client) Requests(project string) []Server { return c.state.read().Requested[project].Servers }

// TrustRequest lets the servers start that Requests returned.
func (c *Client) TrustRequest(project string) error {
	return c.state.change(func(s *state) {
		set(&s.Trusted, project, s.Requested[project].Digest)
		delete(s.Requested, project)
	})
}

// Distrust keeps the servers of a project from starting.
func (c *Client) Distrust(project string) error {
	return c.state.change(func(s *state) { delete(s.Trusted, project) })
}

// Offer is a tool of a server.
type Offer struct {
	Server, Name string
	Tool         tool.Tool
}

// Tools returns the tools of all servers.
func (c *Client) Tools(ctx context.Context) []tool.Tool {
	var tools []tool.Tool
	for _, o := range c.Offers(ctx) {
		tools = append(tools, o.Tool)
	}
	return tools
}

// Offers returns the tools of all servers. A server whose tools are unknown is started to list them; a
// server that fails is reported once and has no tools.
func (c *Client) Offers(ctx context.Context) []Offer {
	known := c.state.read().Servers
	var wg crash.WaitGroup
	for _, s := range c.servers {
		if _, ok := known[s.id()]; !ok && c.trusts(s.Server) {
			wg.Go(func() { _ = s.list(ctx) }) // reported
		}
	}
	wg.Wait()
	known = c.state.read().Servers
	var offers []Offer
	names := map[string]bool{}
	for _, s := range c.servers {
		if !c.trusts(s.Server) || s.failed() != nil {
			continue
		}
		for _, spec := range known[s.id()].usable() {
			if s.Tools != nil && !slices.Contains(s.Tools, spec.Name) {
				continue
			}
			t, err := s.tool(uniqueName(s.Name, spec.Name, names), spec)
			if err != nil {
				c.opts.Log.Warn().Err(err).Str("server", s.Name).Msg("MCP tool is not usable")
				continue
			}
			names[t.Name] = true
			offers = append(offers, Offer{s.Name, spec.Name, t})
		}
	}
	return offers
}

// Status is a server as a row of a list.
type Status struct {
	Name    string   `json:"name"`
	Target  string   `json:"target"`
	From    string   `json:"from"`
	State   string   `json:"state"` // ready, new, not trusted, changed, or why it does not work
	Tools   []string `json:"tools"`
	Changed []string `json:"changed,omitempty"` // off until accepted
}

// List returns the servers without starting them.
func (c *Client) List() []Status {
	var rows []Status
	known := c.state.read().Servers
	for _, s := range c.servers {
		k, listed := known[s.id()]
		row := Status{Name: s.Name, Target: s.Target(), From: s.Origin, State: "ready", Tools: []string{}, Changed: k.changed()}
		for _, spec := range k.usable() {
			row.Tools = append(row.Tools, spec.Name)
		}
		switch {
		case !c.trusts(s.Server):
			row.State = "not trusted"
		case s.failed() != nil:
			row.State = s.failed().Error()
		case !listed:
			row.State = "new"
		case len(row.Changed) > 0:
			row.State = "changed"
		}
		rows = append(rows, row)
	}
	return rows
}

// Test starts a server and lists its tools.
func (c *Client) Test(ctx context.Context, name string) (Status, error) {
	s, err := c.find(name)
	if err == nil {
		err = s.list(ctx)
	}
	if err != nil {
		return Status{}, err
	}
	rows := c.List()
	return rows[slices.IndexFunc(rows, func(r Status) bool { return r.Name == name })], nil
}

// Changes returns a diff of the tools of a server that changed since the user accepted them.
func (c *Client) Changes(name string) (string, error) {
	s, err := c.find(name)
	if err != nil {
		return "", err
	}
	return c.state.read().Servers[s.id()].diff(), nil
}

// Accept turns the changed tools of a server on again.
func (c *Client) Accept(name string) error {
	s, err := c.find(name)
	if err != nil {
		return err
	}
	return c.state.change(func(st *state) {
		k := st.Servers[s.id()]
		for _, spec := range k.Changed {
			k.accept(spec)
		}
		k.Changed = nil
		set(&st.Servers, s.id(), k)
	})
}

// Forget deletes the saved tools of a server.
func (c *Client) Forget(name string) error {
	s, err := c.find(name)
	if err != nil {
		return err
	}
	return c.state.change(func(st *state) { delete(st.Servers, s.id()) })
}

func (c *Client) find(name string) (*connection, error) {
	i := slices.IndexFunc(c.servers, func(s *connection) bool { return s.Name == name })
	if i < 0 {
		var names []string
		for _, s := range c.servers {
			names = append(names, s.Name)
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%w %q; add one with: nfa mcp add NAME -- COMMAND", ErrUnknown, name)
		}
		return nil, fmt.Errorf("%w %q; known: %s", ErrUnknown, name, strings.Join(names, ", "))
	}
	return c.servers[i], nil
}

// Target returns the command line or the address of a server, or ErrUnknown.
func (c *Client) Target(name string) (string, error) {
	s, err := c.find(name)
	if err != nil {
		return "", err
	}
	return s.Server.Target(), nil
}

// ordinaryName is a name as the protocol recommends it.
var ordinaryName = lazyregexp.New(`^[\w./-]+$`)

// nameLabel returns a name for a sentence of nfa. It quotes names that could pass for a part of the sentence.
func nameLabel(name string) string {
	if ordinaryName().MatchString(name) {
		return name
	}
	return quoted(name)
}

// quoted returns a server's text as a quotation on one line.
func quoted(text string) string {
	return fmt.Sprintf("%q", shorten(markdown.SanitizeLine(text), maxDescription))
}

// shorten cuts a text without cutting a character.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// Package mcpserver offers nfa's tools to programs that speak the Model Context Protocol
// (https://modelcontextprotocol.io).
//
// The list has a few tools; find_tools finds the others, and call_tool calls them. Only tools that
// read are offered, unless Options.Write is set: then each change is shown to the user by the
// program that hosts the server, and made after the user accepts it.
package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Options configure a server.
type Options struct {
	Version string
	// Router has the tools. Its Approver must be Approver.
	Router *tool.Router
	Finder tool.Finder
	// Listed names the tools of the list; nil lists every offered tool.
	Listed []string
	// Write also offers the tools that change something.
	Write bool
	// Instructions are for the model of the host.
	Instructions string
	Resources    []Resource
	Now          func() time.Time
}

// Resource is a document that a host can read. A URI that ends in /{name} has one document for each
// name.
type Resource struct {
	URI, Name, Description, Type string
	// Read returns the text; name is "" unless the URI ends in /{name}.
	Read func(ctx context.Context, name string) (string, error)
}

// maxResult limits a result. A longer one ends with a note.
const maxResult = 1 << 20

// notOffered are tools that a host has itself or that must not run for an unknown program: files,
// addresses of the model's choice, and skills.
var notOffered = []string{"read_file", "list_files", "web_fetch", "check_api", "Skill", "read_skill_file"}

// online are the groups of tools that may use the network.
var online = []string{"company", "macro", "market", "portfolio", "statistics", "valuation", "web"}

// Server is an MCP server. It serves one host.
type Server struct {
	options Options
	offered *tool.Router
	server  *mcp.Server
	secret  []byte
	// exposure records what the host's model has read from nfa.
	exposure tool.Exposure
}

// New returns a server.
func New(o Options) (*Server, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{options: o, secret: newSecret()}
	may := o.Router.ForModel()
	s.offered = may.Only(func(name string) bool {
		t, _ := may.Lookup(name)
		return !slices.Contains(notOffered, name) && t.Group != tool.WorkflowGroup && (t.Effect == tool.Reads || t.Effect == tool.Writes && o.Write)
	}).WithFinder(o.Finder).WithModelBytes(maxResult)
	for _, name := range o.Listed {
		if _, ok := s.offered.Lookup(name); !ok {
			return nil, fmt.Errorf("no tool %s is offered; for all tools see nfa tools; --write adds tools that change data", name)
		}
	}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "nfa", Title: "nfa (not financial advice)", Version: o.Version}, &mcp.ServerOptions{
		Instructions: o.Instructions, Logger: slog.New(slog.DiscardHandler), Capabilities: &mcp.ServerCapabilities{},
	})
	for _, t := range s.offered.Tools() {
		if t.Name != tool.FindToolsName && (o.Listed == nil || slices.Contains(o.Listed, t.Name)) {
			s.server.AddTool(s.described(t), s.call)
		}
	}
	s.addSearch()
	for _, r := range o.Resources {
		s.addResource(r)
	}
	return s, nil
}

// Run serves a host until ctx ends, or until in ends and all its requests are answered.
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return s.server.Run(ctx, transport{&mcp.IOTransport{Reader: in, Writer: out}})
}

// described returns a tool as the host lists it.
func (s *Server) described(t tool.Tool) *mcp.Tool {
	writes := mayWrite(t)
	asks := slices.Contains(online, t.Group)
	destroys := strings.HasPrefix(t.Name, "remove_") || strings.HasPrefix(t.Name, "import_")
	out := &mcp.Tool{
		Name: t.Name, Description: t.Description, InputSchema: t.ModelSpec().Parameters,
		Annotations: &mcp.ToolAnnotations{Title: strings.ReplaceAll(t.Name, "_", " "), ReadOnlyHint: !writes, OpenWorldHint: &asks},
	}
	if writes {
		out.Annotations.DestructiveHint = &destroys
	}
	if t.Output != nil {
		out.OutputSchema = withFigures(t.Output())
	}
	return out
}

// mayWrite reports whether some calls of a tool change something: its preview asks for them.
func mayWrite(t tool.Tool) bool { return t.Effect != tool.Reads || t.Preview != nil }

// withFigures returns the schema of a structured result: the fields of the tool's answer and its figures.
// It omits the fields of nested lists and objects, because each request of the host carries the schema.
func withFigures(s *jsonschema.Schema) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		out.Properties[name] = &jsonschema.Schema{Type: p.Type, Types: p.Types}
	}
	out.Properties["figures"] = &jsonschema.Schema{Type: "array"}
	out.PropertyOrder = append(slices.Clone(s.PropertyOrder), "figures")
	return out
}

// call runs a tool of the list.
func (s *Server) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return s.run(ctx, req, llm.ToolCall{ID: "mcp", Name: req.Params.Name, Arguments: string(req.Params.Arguments)}), nil
}

func (s *Server) run(ctx context.Context, req *mcp.CallToolRequest, call llm.ToolCall) *mcp.CallToolResult {
	p, refusal := s.pendingOf(req, call)
	if refusal != "" {
		return failed(refusal)
	}
	s.exposure.BeginTurn() // the host does not report where a turn begins, so requests are not counted
	outcome, err := s.offered.Call(tool.WithExposure(context.WithValue(ctx, pendingKey{}, p), &s.exposure), call)
	switch {
	case err != nil:
		return failed(err.Error())
	case p.asked == nil:
		return result(outcome.Result)
	case !s.options.Write && len(p.asked.Hosts) == 0:
		return failed(call.Name + " would change data, but this server is read-only; start it with: nfa mcp --write")
	case p.accepted != "":
		return failed("the change differs from the one that was approved; nothing was changed. Call the tool again")
	case !canAsk(req):
		return failed(call.Name + " needs the user's approval, and this program cannot ask for it; nothing was changed")
	}
	return s.ask(call, p)
}

// result returns a tool's result for the host: the headline, what a model reads, and the figures.
func result(res tool.Result) *mcp.CallToolResult {
	text := res.ModelText()
	if res.IsError {
		if message := errorIn(text); message != "" {
			text = message
		}
		return failed(text)
	}
	out := &mcp.CallToolResult{}
	if res.Headline != "" && !res.Private {
		out.Content = append(out.Content, &mcp.TextContent{Text: res.Headline})
	}
	out.Content = append(out.Content, &mcp.TextContent{Text: text})
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil || object == nil {
		return out
	}
	if len(res.Figures) > 0 && !res.Private {
		if figures, err := json.Marshal(res.Figures); err == nil {
			object["figures"] = figures
		}
	}
	out.StructuredContent = object
	return out
}

func errorIn(text string) string {
	var object struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal([]byte(text), &object)
	return object.Error
}

func failed(message string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: message}}}
}

// addResource offers a document, or one for each name.
func (s *Server) addResource(r Resource) {
	prefix, named := strings.CutSuffix(r.URI, "{name}")
	read := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		name := ""
		if named {
			name = strings.TrimPrefix(req.Params.URI, prefix)
		}
		text, err := r.Read(tool.WithExposure(ctx, &s.exposure), name)
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: r.Type, Text: text}}}, nil
	}
	if named {
		s.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.Type}, read)
		return
	}
	s.server.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.Type}, read)
}

package tool

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// Default limits of the Router.
const (
	DefaultParallel   = 4
	DefaultTimeout    = 30 * time.Second
	DefaultModelBytes = 32 << 10
)

// graceTime is how long the Router waits for a tool after its context has ended, so that a write
// that just finished is not reported as canceled.
const graceTime = 100 * time.Millisecond

// Options configures a Router. The zero value refuses every call that needs approval.
type Options struct {
	Approver   Approver
	Rules      Rules         // nil saves no permissions
	Parallel   int           // maximum number of reading tools that run at once
	Timeout    time.Duration // for tools without their own
	ModelBytes int           // longer results are clipped for the model, not for people
	Secrets    SecretFilter  // nil removes nothing
	// HideAmounts reports whether the model receives the Redacted text of a tool's results. Nil
	// hides nothing.
	HideAmounts func(tool string) bool
	// Commands rewrites the command lines in texts for people as they are typed where they are shown, such
	// as /quote in a chat. Nil leaves them unchanged.
	Commands func(text string) string
	Now      func() time.Time
	Log      zerolog.Logger
}

// SecretFilter removes keys from text.
type SecretFilter interface {
	// HideKnown removes the keys that nfa knows. Text that only looks like a key stays: an approval must show
	// everything that a model wrote.
	HideKnown(text string) string
}

// Router runs tools by name: it validates the arguments, requests approval, limits the time and
// clips the result. It is safe for concurrent use.
type Router struct {
	tools map[string]Tool
	names []string
	opts  Options

	approvals   *sessionApprovals // shared with the routers made by Only
	preApproved bool              // calls that write or execute were already approved
}

// sessionApprovals holds what was approved for this session.
type sessionApprovals struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (s *sessionApprovals) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[key] = true
}

func (s *sessionApprovals) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[key]
}

// NewRouter returns a router for tools. Two tools with one name are an error.
func NewRouter(tools []Tool, opts Options) (*Router, error) {
	if opts.Approver == nil {
		opts.Approver = Policy{}
	}
	if opts.Parallel <= 0 {
		opts.Parallel = DefaultParallel
	}
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.ModelBytes <= 0 {
		opts.ModelBytes = DefaultModelBytes
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	r := &Router{tools: map[string]Tool{}, opts: opts, approvals: &sessionApprovals{keys: map[string]bool{}}}
	for _, t := range tools {
		if _, ok := r.tools[t.Name]; ok {
			return nil, fmt.Errorf("two tools named %s", t.Name)
		}
		r.tools[t.Name] = t
		r.names = append(r.names, t.Name)
	}
	sort.Strings(r.names)
	return r, nil
}

// Label returns the label of a tool for people. A tool without one has its name in words, without the
// prefix of an MCP server.
func (r *Router) Label(name string) string {
	if t := r.tools[name]; t.Label != "" {
		return t.Label
	}
	return LabelOf(name)
}

// LabelOf returns a label made from the name of a tool.
func LabelOf(name string) string {
	words := strings.Split(name, "_")
	switch {
	case words[0] == "skill":
		return "Skill"
	case len(words) > 2 && words[0] == "mcp":
		words = words[2:]
	}
	label := ""
	for _, word := range words {
		if word != "" && (label == "" || len(label)+1+len(word) <= maxLabel) {
			label = strings.TrimSpace(label + " " + word)
		}
	}
	if runes := []rune(label); len(runes) > maxLabel {
		label = string(runes[:maxLabel])
	}
	if label == "" {
		return "Tool"
	}
	return strings.ToUpper(label[:1]) + label[1:]
}

// maxLabel is the maximum length of a label, in letters.
const maxLabel = 10

// Only returns a router with just the tools that keep accepts; the others do not exist for it. Both
// routers share the approvals for the session.
func (r *Router) Only(keep func(name string) bool) *Router {
	filtered := &Router{tools: map[string]Tool{}, opts: r.opts, approvals: r.approvals, preApproved: r.preApproved}
	for _, name := range r.names {
		if keep(name) {
			filtered.tools[name] = r.tools[name]
			filtered.names = append(filtered.names, name)
		}
	}
	return filtered
}

// ForModel returns a router with the tools that a model may call.
func (r *Router) ForModel() *Router {
	return r.Only(func(name string) bool { return !r.tools[name].UserOnly })
}

// WithModelBytes returns a router with the same tools that clips results for the model at n bytes.
func (r *Router) WithModelBytes(n int) *Router {
	short := *r
	short.opts.ModelBytes = n
	return &short
}

// With returns a router with these tools added. A name that already exists is an error.
func (r *Router) With(tools ...Tool) (*Router, error) {
	more := &Router{tools: maps.Clone(r.tools), names: slices.Clone(r.names), opts: r.opts, approvals: r.approvals, preApproved: r.preApproved}
	for _, t := range tools {
		if _, ok := more.tools[t.Name]; ok {
			return nil, fmt.Errorf("two tools named %s", t.Name)
		}
		more.tools[t.Name] = t
		more.names = append(more.names, t.Name)
	}
	slices.Sort(more.names)
	return more, nil
}

// PreApproved returns a router with the same tools for the steps of an approved plan: it requests
// approval only if a tool's preview sets Ask, and for what a step sends that the plan did not show.
func (r *Router) PreApproved() *Router {
	granted := *r
	granted.preApproved = true
	return &granted
}

// Tools lists the tools by name.
func (r *Router) Tools() []Tool {
	out := make([]Tool, len(r.names))
	for i, name := range r.names {
		out[i] = r.tools[name]
	}
	return out
}

// Lookup finds a tool.
func (r *Router) Lookup(name string) (Tool, bool) {
	t, ok := r.tools[name]
	return t, ok
}

// Specs returns the schemas for the model, sorted so that prompt caches stay valid.
func (r *Router) Specs() []llm.ToolSpec {
	out := make([]llm.ToolSpec, len(r.names))
	for i, name := range r.names {
		out[i] = r.tools[name].Spec()
	}
	return out
}

func (r *Router) unknownTool(name string) Result {
	near := search.Nearest(name, r.names, 3)
	if len(near) == 0 {
		return Failed(CodeUnknownTool, fmt.Sprintf("no tool named %q; search with find_tools", name))
	}
	return Failed(CodeUnknownTool, fmt.Sprintf("no tool named %q; did you mean %s? find_tools searches all tools", name, strings.Join(near, ", ")))
}

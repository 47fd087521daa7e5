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

// Limits of the Router where Options leaves them zero.
const (
	DefaultParallel   = 4
	DefaultTimeout    = 30 * time.Second
	DefaultModelBytes = 32 << 10
)

// graceTime is how long a tool may still answer after its context has ended, so that a write that
// was just done is not reported as one that was not.
const graceTime = 100 * time.Millisecond

// Options tunes a Router. The zero value refuses whatever needs approval.
type Options struct {
	Approver   Approver
	Rules      Rules         // nil remembers nothing for always
	Parallel   int           // reading tools at once
	Timeout    time.Duration // for tools that name none
	ModelBytes int           // a longer result is clipped for the model only
	// Hide takes keys out of the text of files that an Approval shows; nil leaves all
	// of it.
	Hide func(text string) string
	// HideAmounts reports whether the amounts in results of a tool are kept from the model:
	// it then gets their Redacted text. Nil hides none.
	HideAmounts func(tool string) bool
	Now         func() time.Time
	Log         zerolog.Logger
}

// Router runs tools by name: it decodes, validates, asks for approval, bounds
// the time, runs, and clips. It is safe for concurrent use.
type Router struct {
	tools map[string]Tool
	names []string
	opts  Options

	approvals   *sessionApprovals // shared with the routers made by Only
	preApproved bool              // what writes or executes was approved already
}

// sessionApprovals are the tools that were approved for this session.
type sessionApprovals struct {
	mu    sync.Mutex
	names map[string]bool
}

// NewRouter makes a router over tools. Two tools of one name are a fault of the
// program, and an error.
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
	r := &Router{tools: map[string]Tool{}, opts: opts, approvals: &sessionApprovals{names: map[string]bool{}}}
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

// Only is a router over the tools that has accepts, and nothing else: a call of
// another is answered as one of a tool that does not exist. What was approved for
// the session holds in both.
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

// ForModel is a router over what a model may call.
func (r *Router) ForModel() *Router {
	return r.Only(func(name string) bool { return !r.tools[name].UserOnly })
}

// WithModelBytes is a router over the same tools whose results are clipped for the model at
// so many bytes.
func (r *Router) WithModelBytes(n int) *Router {
	short := *r
	short.opts.ModelBytes = n
	return &short
}

// With is a router over these tools as well; one of a name that is there already
// is a fault of the program, and an error.
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

// PreApproved is a router over the same tools for the steps of what was approved as a
// whole: it asks only where a tool's preview says that it must be asked for.
func (r *Router) PreApproved() *Router {
	granted := *r
	granted.preApproved = true
	granted.approvals = &sessionApprovals{names: map[string]bool{}}
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

// Specs describes the tools to a model, sorted, so that prompt caches hold.
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
		return Failed(CodeUnknownTool, fmt.Sprintf("no tool named %q; find_tools finds one by what it does", name))
	}
	return Failed(CodeUnknownTool, fmt.Sprintf("no tool named %q; did you mean %s? find_tools finds others by what they do", name, strings.Join(near, ", ")))
}

package tool

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Limits of the Router where Options leaves them zero.
const (
	DefaultParallel   = 4
	DefaultTimeout    = 30 * time.Second
	DefaultModelBytes = 32 << 10
)

// Options tunes a Router. The zero value refuses whatever needs approval.
type Options struct {
	Approver   Approver
	Parallel   int           // reading tools at once
	Timeout    time.Duration // for tools that name none
	ModelBytes int           // a longer result is clipped for the model only
	Now        func() time.Time
	Log        zerolog.Logger
}

// Router runs tools by name: it decodes, validates, asks for approval, bounds
// the time, runs, and clips. It is safe for concurrent use.
type Router struct {
	tools map[string]Tool
	names []string
	opts  Options

	mu      sync.Mutex
	allowed map[string]bool // tools approved for this session
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
	r := &Router{tools: map[string]Tool{}, opts: opts, allowed: map[string]bool{}}
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

// Outcome is a call with its result.
type Outcome struct {
	Call     llm.ToolCall
	Result   Result
	Duration time.Duration // of the run itself, without waiting for approval
}

// Observer is told of calls as they start, in their order, and as they finish,
// from the goroutines that run them, so it must be safe for concurrent use.
// Either function may be nil.
type Observer struct {
	Started  func(call llm.ToolCall)
	Finished func(o Outcome)
}

// Dispatch runs the calls of one step. Neighbouring reads run in parallel, a
// call that writes or executes runs alone, and the outcomes come in the order of
// the calls, one for each, whatever happened. When ctx ends, calls not done yet
// get a cancelled result and ctx's error is returned beside the outcomes.
func (r *Router) Dispatch(ctx context.Context, calls []llm.ToolCall, obs Observer) ([]Outcome, error) {
	outcomes := make([]Outcome, len(calls))
	for start := 0; start < len(calls); {
		end := start + 1
		for r.reads(calls[start]) && end < len(calls) && r.reads(calls[end]) {
			end++
		}
		r.runBatch(ctx, calls[start:end], outcomes[start:end], obs)
		start = end
	}
	return outcomes, context.Cause(ctx)
}

// Call runs one call, as a verb or a slash command does.
func (r *Router) Call(ctx context.Context, call llm.ToolCall) (Outcome, error) {
	outcomes, err := r.Dispatch(ctx, []llm.ToolCall{call}, Observer{})
	return outcomes[0], err
}

// reads counts an unknown tool as reading: answering that it does not exist
// disturbs nobody.
func (r *Router) reads(call llm.ToolCall) bool {
	t, ok := r.tools[call.Name]
	return !ok || t.Effect == Reads
}

func (r *Router) runBatch(ctx context.Context, calls []llm.ToolCall, outcomes []Outcome, obs Observer) {
	slots := make(chan struct{}, r.opts.Parallel)
	var wg sync.WaitGroup
	for i, call := range calls {
		slots <- struct{}{}
		// Told here and not by the goroutine, so that starts come in call order.
		if obs.Started != nil {
			obs.Started(call)
		}
		wg.Go(func() {
			defer func() { <-slots }()
			outcomes[i] = r.runOne(ctx, call, obs)
		})
	}
	wg.Wait()
}

func (r *Router) runOne(ctx context.Context, call llm.ToolCall, obs Observer) Outcome {
	o := Outcome{Call: call}
	o.Result, o.Duration = r.prepareAndRun(ctx, call)
	o.Result.ForModel = clip(o.Result.ModelText(), r.opts.ModelBytes)
	r.opts.Log.Debug().Str("tool", call.Name).Dur("took", o.Duration).Str("code", o.Result.Code).Bool("error", o.Result.IsError).Msg("tool call")
	if obs.Finished != nil {
		obs.Finished(o)
	}
	return o
}

func (r *Router) prepareAndRun(ctx context.Context, call llm.ToolCall) (Result, time.Duration) {
	if ctx.Err() != nil {
		return cancelled(), 0
	}
	t, ok := r.tools[call.Name]
	if !ok {
		return r.unknown(call.Name), 0
	}
	args, err := t.check(call.Arguments)
	if err != nil {
		return invalidArguments(call.Name, err), 0
	}
	if t.Effect != Reads {
		if refusal, ok := r.approve(ctx, t, call); !ok {
			return refusal, 0
		}
	}
	return r.run(ctx, t, args)
}

func (r *Router) approve(ctx context.Context, t Tool, call llm.ToolCall) (Result, bool) {
	r.mu.Lock()
	done := r.allowed[t.Name]
	r.mu.Unlock()
	if done {
		return Result{}, true
	}
	answer, err := r.opts.Approver.Approve(ctx, Approval{Call: call, Effect: t.Effect})
	switch {
	case ctx.Err() != nil:
		return cancelled(), false
	case err != nil:
		return Failed(CodeRefused, fmt.Sprintf("%s was not run: asking for approval: %v", t.Name, err)), false
	case !answer.Allowed:
		message := fmt.Sprintf("%s was refused by the user", t.Name)
		if answer.Reason != "" {
			message += ": " + answer.Reason
		}
		return Failed(CodeRefused, message), false
	}
	if answer.Scope == Session {
		r.mu.Lock()
		r.allowed[t.Name] = true
		r.mu.Unlock()
	}
	return Result{}, true
}

func (r *Router) run(ctx context.Context, t Tool, args []byte) (res Result, took time.Duration) {
	limit := t.Timeout
	if limit <= 0 {
		limit = r.opts.Timeout
	}
	runCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := r.opts.Now()
	defer func() {
		took = r.opts.Now().Sub(start)
		// One tool's fault must not take the conversation down with it.
		if p := recover(); p != nil {
			r.opts.Log.Error().Str("tool", t.Name).Interface("panic", p).Bytes("stack", debug.Stack()).Msg("tool crashed")
			res = Failed(CodeCrashed, fmt.Sprintf("%s crashed; the log has the details. Go on without it", t.Name))
		}
	}()
	res, err := t.run(runCtx, args)
	switch {
	case err == nil:
		return res, 0
	case ctx.Err() != nil:
		return cancelled(), 0
	case errors.Is(err, context.DeadlineExceeded):
		return Failed(CodeTimeout, fmt.Sprintf("%s took longer than %s and was stopped; ask for less or try again", t.Name, limit)), 0
	default:
		return Failed("", err.Error()), 0
	}
}

func (r *Router) unknown(name string) Result {
	return Failed(CodeUnknownTool, fmt.Sprintf("no tool named %q; available: %s", name, strings.Join(r.names, ", ")))
}

func invalidArguments(name string, err error) Result {
	return Failed(CodeValidation, fmt.Sprintf("arguments of %s: %v; send a JSON object that fits the tool's schema", name, err))
}

func cancelled() Result {
	return Failed(CodeCancelled, "cancelled by the user before it was done")
}

// clip shortens text to limit bytes at a rune's edge, and says so in the text:
// a model that does not know that something is missing will make it up.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s\n[clipped: the first %d of %d bytes; ask for a narrower range to see the rest]", text[:cut], cut, len(text))
}

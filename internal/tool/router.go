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

// graceTime is what a tool gets to answer in its own words once its context has
// ended: a write that was just done should not be told as one that was not.
const graceTime = 100 * time.Millisecond

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

	approved *approved // shared with the routers made by Only
}

// approved are the tools that were approved for this session.
type approved struct {
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
	r := &Router{tools: map[string]Tool{}, opts: opts, approved: &approved{names: map[string]bool{}}}
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
func (r *Router) Only(has func(name string) bool) *Router {
	fewer := &Router{tools: map[string]Tool{}, opts: r.opts, approved: r.approved}
	for _, name := range r.names {
		if has(name) {
			fewer.tools[name] = r.tools[name]
			fewer.names = append(fewer.names, name)
		}
	}
	return fewer
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
//
// A call that panics, in the tool or around it, is a crashed result. A tool that
// does not heed its context is left behind shortly after its time, or ctx, has
// ended: it may then still run beside the calls that follow, and what it answers
// is dropped.
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
	tellStart := func(call llm.ToolCall) bool {
		return obs.Started == nil || r.protect(call.Name, func() { obs.Started(call) })
	}
	run := func(i int, told bool) {
		outcomes[i] = r.runOne(ctx, calls[i], told)
		if obs.Finished != nil {
			r.protect(calls[i].Name, func() { obs.Finished(outcomes[i]) })
		}
	}
	if len(calls) == 1 {
		run(0, tellStart(calls[0]))
		return
	}
	slots := make(chan struct{}, r.opts.Parallel)
	var wg sync.WaitGroup
	for i, call := range calls {
		slots <- struct{}{}
		// Told here and not by the goroutine, so that starts come in call order.
		told := tellStart(call)
		wg.Go(func() {
			defer func() { <-slots }()
			run(i, told)
		})
	}
	wg.Wait()
}

// runOne gives the outcome of call, whatever happens. One whose start could not
// be told is not run: nothing may be done that nobody can see.
func (r *Router) runOne(ctx context.Context, call llm.ToolCall, told bool) Outcome {
	o := Outcome{Call: call}
	done := told && r.protect(call.Name, func() {
		o.Result, o.Duration = r.prepareAndRun(ctx, call)
		o.Result.ForModel = clip(o.Result.ModelText(), r.opts.ModelBytes)
	})
	if !done {
		o.Result = crashed(call.Name)
		o.Result.ForModel = o.Result.ModelText()
	}
	r.opts.Log.Debug().Str("tool", call.Name).Dur("took", o.Duration).Str("code", o.Result.Code).Bool("error", o.Result.IsError).Msg("tool call")
	return o
}

// protect runs act and says whether it came to its end: the fault of one tool
// must not take the conversation down with it.
func (r *Router) protect(name string, act func()) (done bool) {
	defer func() {
		if p := recover(); p != nil {
			// Sprint, as the logger's own encoding of p may panic in its turn.
			r.opts.Log.Error().Str("tool", name).Str("panic", fmt.Sprint(p)).Bytes("stack", debug.Stack()).Msg("tool crashed")
		}
	}()
	act()
	return true
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

// Forget drops the approvals that were given for the session: a new conversation
// asks again.
func (r *Router) Forget() {
	r.approved.mu.Lock()
	defer r.approved.mu.Unlock()
	clear(r.approved.names)
}

func (r *Router) approve(ctx context.Context, t Tool, call llm.ToolCall) (Result, bool) {
	r.approved.mu.Lock()
	done := r.approved.names[t.Name]
	r.approved.mu.Unlock()
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
		r.approved.mu.Lock()
		r.approved.names[t.Name] = true
		r.approved.mu.Unlock()
	}
	return Result{}, true
}

func (r *Router) run(ctx context.Context, t Tool, args []byte) (Result, time.Duration) {
	limit := t.Timeout
	if limit <= 0 {
		limit = r.opts.Timeout
	}
	runCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := r.opts.Now()
	got := r.await(runCtx, t, args)
	took := r.opts.Now().Sub(start)
	switch {
	case got.crashed:
		return crashed(t.Name), took
	case got.late && ctx.Err() != nil:
		return leftBehind(CodeCancelled, t.Name+" was cancelled by the user"), took
	case got.late:
		return leftBehind(CodeTimeout, fmt.Sprintf("%s took longer than %s", t.Name, limit)), took
	case got.err == nil:
		return got.res, took
	case ctx.Err() != nil:
		return cancelled(), took
	case errors.Is(got.err, context.DeadlineExceeded):
		return Failed(CodeTimeout, fmt.Sprintf("%s took longer than %s and was stopped; ask for less or try again", t.Name, limit)), took
	default:
		return Failed("", got.err.Error()), took
	}
}

// reply is what came of a tool's run.
type reply struct {
	res     Result
	err     error
	crashed bool
	late    bool // it did not come; the tool still runs
}

// await gives the reply of t, or a late one when t does not heed ctx.
func (r *Router) await(ctx context.Context, t Tool, args []byte) reply {
	replies, left := make(chan reply), make(chan struct{})
	go func() {
		// Also a tool that ends its goroutine has to be answered for.
		got := reply{crashed: true}
		defer func() {
			select {
			case replies <- got:
			case <-left:
				r.opts.Log.Debug().Str("tool", t.Name).Bool("crashed", got.crashed).Str("error", fmt.Sprint(got.err)).Msg("late result dropped")
			}
		}()
		r.protect(t.Name, func() {
			res, err := t.run(ctx, args)
			got = reply{res: res, err: err}
		})
	}()
	select {
	case got := <-replies:
		return got
	case <-ctx.Done():
	}
	grace := time.NewTimer(graceTime)
	defer grace.Stop()
	select {
	case got := <-replies:
		return got
	case <-grace.C:
		close(left)
		return reply{late: true}
	}
}

func (r *Router) unknown(name string) Result {
	return Failed(CodeUnknownTool, fmt.Sprintf("no tool named %q; available: %s", name, strings.Join(r.names, ", ")))
}

func invalidArguments(name string, err error) Result {
	return Failed(CodeValidation, fmt.Sprintf("arguments of %s: %v; send a JSON object that fits the tool's schema", name, err))
}

func crashed(name string) Result {
	return Failed(CodeCrashed, fmt.Sprintf("%s crashed; the log has the details. Go on without it", name))
}

// leftBehind is the result of a tool that runs on: to say that it was stopped
// could have a write made twice.
func leftBehind(code, why string) Result {
	return Failed(code, why+" and did not stop: what it was doing may still get done; look before you ask for it again")
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

package tool

import (
	"context"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
)

// Outcome is a call with its result.
type Outcome struct {
	Call     llm.ToolCall
	Result   Result
	Duration time.Duration // of the run itself, without waiting for approval
}

// Observer is notified of calls as they start, in their order, and as they finish, from the
// goroutines that run them, so it must be safe for concurrent use. Either function may be nil.
type Observer struct {
	Started  func(call llm.ToolCall)
	Finished func(o Outcome)
}

// Dispatch runs the calls of one step. Consecutive reads run in parallel; a call that writes or
// executes runs alone. It returns one outcome per call, in the order of the calls. When ctx ends,
// unfinished calls get a canceled result, and ctx's error is returned with the outcomes.
//
// A panic, in the tool or around it, becomes a crashed result. Dispatch does not wait for a tool
// that ignores its context: the tool may keep running during later calls, and its result is dropped.
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

// Call runs one call, for a command or a slash command.
func (r *Router) Call(ctx context.Context, call llm.ToolCall) (Outcome, error) {
	outcomes, err := r.Dispatch(ctx, []llm.ToolCall{call}, Observer{})
	return outcomes[0], err
}

// reads reports whether call only reads. An unknown tool counts as reading: it has no effect.
func (r *Router) reads(call llm.ToolCall) bool {
	t, ok := r.tools[call.Name]
	return !ok || t.Effect == Reads
}

func (r *Router) runBatch(ctx context.Context, calls []llm.ToolCall, outcomes []Outcome, obs Observer) {
	tellStart := func(call llm.ToolCall) bool {
		return obs.Started == nil || r.protect(call.Name, func() { obs.Started(call) })
	}
	run := func(i int, announced bool) {
		outcomes[i] = r.runOne(ctx, calls[i], announced, obs)
		if obs.Finished != nil {
			r.protect(calls[i].Name, func() { obs.Finished(outcomes[i]) })
		}
	}
	if len(calls) == 1 {
		run(0, tellStart(calls[0]))
		return
	}
	slots := make(chan struct{}, r.opts.Parallel)
	var wg crash.WaitGroup
	for i, call := range calls {
		slots <- struct{}{}
		// Not in the goroutine, so that starts are reported in call order.
		announced := tellStart(call)
		wg.Go(func() {
			defer func() { <-slots }()
			run(i, announced)
		})
	}
	wg.Wait()
}

// runOne returns the outcome of call, also if it panics. A call whose start could not be reported
// is not run, because the user would not see it.
func (r *Router) runOne(ctx context.Context, call llm.ToolCall, announced bool, obs Observer) Outcome {
	o := Outcome{Call: call}
	completed := announced && r.protect(call.Name, func() {
		o.Result, o.Duration = r.prepareAndRun(ctx, call, obs)
		o.Result.ForModel = o.Result.clippedForModel(r.opts.ModelBytes)
		o.Result.ForUser = clip(o.Result.ForUser, maxUserBytes)
		if o.Result.Chart != nil {
			// Before the result is shown, so that the saved chart is the same.
			thin := chart.Downsample(*o.Result.Chart)
			o.Result.Chart = &thin
		}
	})
	if !completed {
		o.Result = crashedResult(call.Name)
		o.Result.ForModel = o.Result.ModelText()
	}
	r.opts.Log.Debug().Str("tool", call.Name).Dur("took", o.Duration).Str("code", o.Result.Code).Bool("error", o.Result.IsError).Msg("tool call")
	return o
}

// protect runs act and reports whether it returned: a panic in one tool must not end the session.
func (r *Router) protect(name string, act func()) (completed bool) {
	defer func() {
		if p := recover(); p != nil {
			at := crash.NewSite(p)
			r.opts.Log.Error().Str("tool", name).Str("panic", at.Kind()).Str("stack", at.Stack()).Msg("tool crashed")
		}
	}()
	act()
	return true
}

func (r *Router) prepareAndRun(ctx context.Context, call llm.ToolCall, obs Observer) (Result, time.Duration) {
	if ctx.Err() != nil {
		return cancelledResult(ctx), 0
	}
	t, ok := r.tools[call.Name]
	if !ok {
		return r.unknownTool(call.Name), 0
	}
	args, err := t.check(call.Arguments)
	if err != nil {
		return invalidArguments(call.Name, err), 0
	}
	var preview Preview
	if t.Preview != nil {
		switch preview, err = t.Preview(ctx, args); {
		case err != nil && ctx.Err() != nil:
			return cancelledResult(ctx), 0
		case err != nil:
			res := FailedError(CodeValidation, err)
			r.complete(t, &res)
			return res, 0
		}
	}
	preview = preview.withAddressCheck(ctx, t, args)
	byPerson := false
	if t.Effect != Reads && !r.preApproved || preview.Ask {
		answer, refusal := r.approve(ctx, t, call, preview)
		if !answer.Allowed {
			return refusal, 0
		}
		byPerson = answer.Person
	}
	return r.run(withParent(ctx, parentCall{call, obs, preview.State, byPerson}), t, args)
}

// ForgetApprovals drops the approvals for the session, so that a new session asks again.
func (r *Router) ForgetApprovals() {
	r.approvals.mu.Lock()
	defer r.approvals.mu.Unlock()
	clear(r.approvals.names)
}

// maxUserBytes limits the text for people of one result, which is saved with the session.
const maxUserBytes = 64 << 10

// approve requests approval unless the call is already approved. An approval for the session holds
// while the tool's preview has the same key.
func (r *Router) approve(ctx context.Context, t Tool, call llm.ToolCall, p Preview) (Answer, Result) {
	key := t.Name + "\x00" + p.Key
	r.approvals.mu.Lock()
	approved := r.approvals.names[key]
	r.approvals.mu.Unlock()
	if approved || r.isAlwaysAllowed(t, p) {
		return Answer{Allowed: true}, Result{}
	}
	request := Approval{Call: call, Effect: t.Effect, Plan: p.Plan, Changes: r.hideSecrets(p.Changes)}
	if r.opts.Rules != nil {
		request.Pattern = p.Pattern
	}
	answer, err := r.opts.Approver.Approve(ctx, request)
	switch {
	case ctx.Err() != nil:
		return Answer{}, cancelledResult(ctx)
	case err != nil:
		return Answer{}, Failed(CodeRefused, fmt.Sprintf("%s was not run: request approval: %v", t.Name, err))
	case !answer.Allowed:
		message := t.Name + " was refused"
		if answer.Person {
			message += " by the user"
		}
		if answer.Reason != "" {
			message += ": " + answer.Reason
		}
		return answer, Failed(CodeRefused, message)
	}
	remembered := false
	if answer.Scope == Always && request.Pattern != "" {
		err := r.opts.Rules.Allow(context.WithoutCancel(ctx), t.Name, p.Pattern)
		if remembered = err == nil; !remembered {
			r.opts.Log.Warn().Err(err).Str("tool", t.Name).Msg("save permission")
		}
	}
	// A permission that could not be saved still holds for this session.
	if answer.Scope != Once && !remembered {
		r.approvals.mu.Lock()
		r.approvals.names[key] = true
		r.approvals.mu.Unlock()
	}
	return answer, Result{}
}

// hideSecrets returns lines of files without secrets.
func (r *Router) hideSecrets(lines []string) []string {
	if r.opts.Hide == nil || len(lines) == 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = r.opts.Hide(line)
	}
	return out
}

// isAlwaysAllowed reports whether a saved permission covers the call.
func (r *Router) isAlwaysAllowed(t Tool, p Preview) bool {
	return r.opts.Rules != nil && p.Pattern != "" && r.opts.Rules.Allows(t.Name, p.Pattern)
}

package tool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/progress"
)

// Outcome is a call with its result.
type Outcome struct {
	Call     llm.ToolCall
	Result   Result
	Duration time.Duration // of the run itself, without waiting for approval
}

// Observer is notified of calls as they start, in their order, and as they finish, from the
// goroutines that run them, so it must be safe for concurrent use. Any function may be nil.
type Observer struct {
	Started func(call llm.ToolCall)
	// Running reports that an approved call is running, and then what it is doing. It must return at once.
	Running  func(call llm.ToolCall, doing string)
	Finished func(o Outcome)
}

// watch returns a context in which the call can report what it is doing until stop is called.
func (obs Observer) watch(ctx context.Context, call llm.ToolCall) (watched context.Context, stop func()) {
	if obs.Running == nil {
		return ctx, func() {}
	}
	var mu sync.Mutex
	stopped := false
	report := func(doing string) {
		mu.Lock()
		defer mu.Unlock()
		if !stopped { // a tool may keep running after its call has ended
			obs.Running(call, doing)
		}
	}
	report("")
	return progress.With(ctx, report), func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
	}
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

// runOne returns the outcome of call, even if it panics. A call whose start could not be reported is not
// run, because the user would not see it.
func (r *Router) runOne(ctx context.Context, call llm.ToolCall, announced bool, obs Observer) Outcome {
	o := Outcome{Call: call}
	completed := announced && r.protect(call.Name, func() {
		o.Result, o.Duration = r.prepareAndRun(ctx, call, obs)
		o.Result.ForModel = o.Result.clippedForModel(r.opts.ModelBytes)
		o.Result.ForUser = clip(o.Result.ForUser, maxUserBytes)
		if e := ExposureOf(ctx); e != nil {
			// Now, because the next step of a workflow may send it.
			e.AddResult(call.Arguments, o.Result.ForModel, cmp.Or(o.Result.Data, PublicData), o.Result.names())
		}
		if o.Result.Chart != nil {
			// Before the result is shown, so that the saved chart is the same.
			thin := chart.Downsample(*o.Result.Chart)
			o.Result.Chart = &thin
		}
	})
	if !completed {
		o.Result = crashedResult(r.Label(call.Name))
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
	if preview.Review != nil {
		if answer, refusal := r.review(ctx, t, call, *preview.Review); !answer.Allowed {
			return refusal, 0
		}
	}
	if needs := r.uncovered(r.needsOf(ctx, t, args, preview), t.Name); len(needs) > 0 {
		if answer, refusal := r.approve(ctx, t, call, preview, needs); !answer.Allowed {
			return refusal, 0
		}
	}
	sends := slices.Concat(t.SendsOf(args), preview.Sends)
	ctx, stop := obs.watch(ctx, call)
	defer stop()
	return r.run(withParent(ctx, parentCall{call, obs, preview.State, sends, preview.Writes}), t, args)
}

// ForgetApprovals drops the approvals for the session, so that a new session asks again.
func (r *Router) ForgetApprovals() {
	r.approvals.mu.Lock()
	defer r.approvals.mu.Unlock()
	clear(r.approvals.keys)
}

// maxUserBytes limits the text for people of one result, which is saved with the session.
const maxUserBytes = 64 << 10

// uncovered returns the needs that no earlier approval covers. A saved permission covers a call only if
// it sends nothing that needs approval, because it names no address.
func (r *Router) uncovered(needs []need, tool string) []need {
	r.approvals.mu.Lock()
	needs = slices.DeleteFunc(needs, func(n need) bool { return r.approvals.keys[n.key] })
	r.approvals.mu.Unlock()
	if len(needs) == 1 && r.opts.Rules != nil && needs[0].pattern != "" && r.opts.Rules.Allows(tool, needs[0].pattern) {
		return nil
	}
	return needs
}

// approve asks for what a call needs, in one question.
func (r *Router) approve(ctx context.Context, t Tool, call llm.ToolCall, p Preview, needs []need) (Answer, Result) {
	request := Approval{
		Call: call, Effect: t.Effect, Question: cmp.Or(p.Question, t.Question), Touch: p.Touch, Plan: r.planLines(p.Plan), Changes: r.hideSecrets(p.Changes), Targets: p.Targets,
	}
	if t.Owner != "" {
		request.Plan = append([]string{"data of " + t.Owner}, request.Plan...)
	}
	if t.Effect == Reads && slices.ContainsFunc(needs, func(n need) bool { return n.send == nil }) {
		request.Effect = Writes // the tool only reads, but with these arguments it changes something
	}
	if r.opts.Rules != nil && len(needs) == 1 {
		request.Pattern = needs[0].pattern
	}
	if e := ExposureOf(ctx); e != nil {
		request.addSends(needs, e)
	}
	if len(request.Hosts) > 0 && t.Effect != Reads && len(p.Plan) == 0 {
		request.Plan = append(request.Plan, ArgumentLines(call.Arguments)...)
	}
	return r.ask(ctx, request, func(scope Scope) {
		if scope == Always {
			if err := r.opts.Rules.Allow(context.WithoutCancel(ctx), t.Name, request.Pattern); err == nil {
				return
			} else {
				r.opts.Log.Warn().Err(err).Str("tool", t.Name).Msg("save permission")
			}
		}
		// A permission that could not be saved still applies in this session.
		for _, n := range needs {
			r.approvals.add(n.key)
		}
	})
}

// review asks whether the user has read what the call would run.
func (r *Router) review(ctx context.Context, t Tool, call llm.ToolCall, v Review) (Answer, Result) {
	key := "review\x00" + t.Name + "\x00" + v.Key
	if r.approvals.has(key) {
		return Answer{Allowed: true}, Result{}
	}
	request := Approval{Call: call, Effect: t.Effect, Question: v.Question, Plan: v.Plan, Targets: "this text, until you quit", Pattern: v.Pattern}
	return r.ask(ctx, request, func(scope Scope) {
		if scope == Always {
			if err := v.Save(context.WithoutCancel(ctx)); err != nil {
				r.opts.Log.Warn().Err(err).Str("tool", t.Name).Msg("save review")
			}
		}
		r.approvals.add(key)
	})
}

// ask asks the user. remember is called for an approval that holds longer than once.
func (r *Router) ask(ctx context.Context, request Approval, remember func(Scope)) (Answer, Result) {
	request.AskedBy, _ = ctx.Value(askedByKey{}).(string)
	answer, err := r.opts.Approver.Approve(ctx, request)
	name := request.Call.Name
	switch {
	case ctx.Err() != nil:
		return Answer{}, cancelledResult(ctx)
	case err != nil:
		return Answer{}, Failed(CodeRefused, fmt.Sprintf("%s was not run: request approval: %v", name, err))
	case !answer.Allowed:
		return answer, refusedResult(name, answer)
	}
	if answer.Scope == Always && request.Pattern == "" {
		answer.Scope = Session
	}
	if answer.Scope != Once {
		remember(answer.Scope)
	}
	return answer, Result{}
}

// refusedResult returns the result of a call that was not approved. A person who refused it reads "you".
func refusedResult(name string, answer Answer) Result {
	reason := ""
	if answer.Reason != "" {
		reason = ": " + answer.Reason
	}
	if !answer.Person {
		return Failed(CodeRefused, name+" was refused"+reason)
	}
	r := Failed(CodeRefused, "you refused this"+reason)
	r.ForModel = Failed(CodeRefused, name+" was refused by the user"+reason).ModelText()
	return r
}

type askedByKey struct{}

// WithAskedBy makes the approvals of calls with ctx name the user's command that led to them.
func WithAskedBy(ctx context.Context, command string) context.Context {
	return context.WithValue(ctx, askedByKey{}, command)
}

// planLines returns the lines of a plan for people.
func (r *Router) planLines(plan []string) []string {
	lines := slices.Clone(r.hideSecrets(plan))
	if r.opts.Commands != nil {
		for i, line := range lines {
			lines[i] = r.opts.Commands(line)
		}
	}
	return lines
}

// hideSecrets returns lines with known keys removed.
func (r *Router) hideSecrets(lines []string) []string {
	if r.opts.Secrets == nil || len(lines) == 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = r.opts.Secrets.HideKnown(line)
	}
	return out
}

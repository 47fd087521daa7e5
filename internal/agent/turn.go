package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// turn is the state of one Run.
type turn struct {
	*Conversation
	cfg       Config
	setup     Setup        // the same for all steps
	router    *tool.Router // for the current calls
	emit      func(Event, error)
	abandoned bool      // the caller ended the range
	usage     llm.Usage // of the turn so far
	steps     int
	seen      map[string]int  // calls of this turn by name and arguments
	core      []string        // tools of the session's first request
	refused   map[string]bool // tools that repeated a call too often in this turn
	report    FiguresReport   // of the answer that ends the turn
	fences    []*tool.Fence   // one per skill loaded in this turn; nil for a skill without limits
	outcome   *llm.Outcome    // reported by the built-in assistant
	question  string          // the built-in assistant may quote it
	started   []string        // calls of this turn by ID, with the steps of workflows
	finished  []tool.Outcome  // their results
	around    Attribution     // of the answer that ends the turn
	private   bool            // a result of this turn has amounts that the user hides from models
	// triedCompact is set after the server refused the conversation as too long.
	triedCompact bool
	retried      bool        // an interrupted answer was requested again
	partial      llm.Message // that answer

	subsessions *subsessions // of the calls of this turn; nil in a subsession
	subsession  Usage        // of all of them
	// subsessionUSD is subsession.CostUSD with an estimate of what servers have not counted.
	subsessionUSD decimal.Decimal

	stepUsage llm.Usage
	// Estimates of unreported usage, so that cost limits apply to it too.
	uncounted, stepUncounted llm.Usage
}

// run asks the model and makes the calls that it requests, until it requests none.
func (t *turn) run(ctx context.Context, in Input) (TurnDone, error) {
	if err := t.begin(ctx, in); err != nil {
		return t.result(StopStorage, ""), err
	}
	if t.setup.RuleBased && !in.Pasted && !t.isSubsession {
		ctx = tool.WithAskedBy(ctx, in.Text) // its rules do what the user's message says
	}
	if in.Skill != "" {
		t.keepSkill(loadedSkill{in.Skill, in.SkillVersion, "", t.messages[len(t.messages)-1].Content})
		t.notifySkillLoaded(ctx, in.Skill, in.SkillNotes...)
		t.fences = append(t.fences, in.Fence)
	}
	if limitOf(ctx) == errSessionTime {
		return t.stop(ctx, StopSessionTime, ""), nil
	}
	stop, err := t.runFirstCalls(ctx, in)
	switch {
	case err != nil:
		return t.result(StopStorage, ""), err
	case stop != "":
		return t.stop(ctx, stop, ""), nil
	}
	if limit := t.reachedLimit(); limit != "" {
		return t.stop(ctx, limit, ""), nil
	}
	for {
		if err := t.compactIfFull(ctx); err != nil {
			return t.stop(ctx, stopReason(ctx, err), ""), visibleError(ctx, err)
		}
		t.steps++
		t.stepUsage, t.stepUncounted = llm.Usage{}, llm.Usage{}
		message, err := t.answer(ctx)
		t.usage = t.usage.Add(t.stepUsage)
		if err == nil || message.Content != "" {
			t.charge(t.setup.usage(t.stepUsage, t.stepUncounted))
		}
		if err != nil {
			return t.result(stopReason(ctx, err), message.Content), visibleError(ctx, err)
		}
		if len(message.ToolCalls) == 0 {
			t.emit(StepDone{Usage: t.stepUsage}, nil)
			return t.result(StopAnswered, message.Content), nil
		}
		stop, err := t.callTools(ctx, message.ToolCalls)
		if err != nil {
			return t.result(StopStorage, message.Content), err
		}
		t.emit(StepDone{Usage: t.stepUsage}, nil)
		if stop = cmp.Or(stop, t.reachedLimit()); stop != "" {
			return t.stop(ctx, stop, message.Content), nil
		}
	}
}

// begin records the user's message, and saves the session first if it is new.
func (t *turn) begin(ctx context.Context, in Input) error {
	now := t.cfg.Now()
	if !t.stored {
		s := session.Session{
			ID: t.id, Title: session.TitleOf(in.Text), Model: t.setup.ModelName,
			CreatedAt: now, UpdatedAt: now,
		}
		if err := t.cfg.Store.Create(ctx, s); err != nil {
			return fmt.Errorf("create the session: %w", err)
		}
		t.stored = true
	}
	content := in.ForModel
	display := Display{Skill: in.Skill, Version: in.SkillVersion, Profile: t.setup.Profile, Activates: in.Tools}
	if content == "" {
		content = in.Text
	} else {
		display.Text = in.Text
	}
	if note := t.newDay(now); note != "" {
		display.Text, display.Day = in.Text, now.Format(time.DateOnly)
		content = note + content
	}
	t.toolset.load(in.Tools, t.core, t.mostTools())
	message := llm.Message{Role: llm.RoleUser, Content: content}
	if err := t.record(ctx, entry(session.KindUser, message, display)); err != nil {
		return err
	}
	t.messages = append(t.messages, message)
	t.sources.AddText(in.Text)
	t.question = content
	t.turns++
	if t.isSubsession {
		// A model in another session wrote this message.
		t.exposure.AddResult(in.Text, content, tool.PublicData, content)
		return nil
	}
	t.exposure.BeginTurn()
	t.exposure.AddMessage(in.Text, cmp.Or(in.Template, in.ForModel, in.Text), in.Pasted, in.Skill != "")
	return nil
}

// userCallPrefix is the prefix of the IDs of calls that the user made, not the model.
const userCallPrefix = "call_user_"

// runFirstCalls makes the calls before the model is asked: those in a skill's text, then the user's own.
func (t *turn) runFirstCalls(ctx context.Context, in Input) (StopReason, error) {
	if len(in.Data) > 0 {
		if stop, err := t.runCalls(ctx, in.Data...); stop != "" || err != nil {
			return stop, err
		}
	}
	if in.Call == nil {
		return "", nil
	}
	own := t.router
	t.router = t.setup.Router
	defer func() { t.router = own }()
	t.exposure.AddMessage(in.Call.Arguments, in.Call.Arguments, false, false)
	return t.runCalls(tool.WithAskedBy(ctx, in.Text), *in.Call)
}

// runCalls makes calls as if the model had requested them in a message.
func (t *turn) runCalls(ctx context.Context, calls ...llm.ToolCall) (StopReason, error) {
	message := llm.Message{Role: llm.RoleAssistant}
	for i, call := range calls {
		call.ID = fmt.Sprintf(userCallPrefix+"%d", len(t.messages))
		if i > 0 {
			call.ID += fmt.Sprintf("_%d", i+1)
		}
		message.ToolCalls = append(message.ToolCalls, call)
	}
	if err := t.record(ctx, entry(session.KindAssistant, message, Display{})); err != nil {
		return "", err
	}
	t.messages = append(t.messages, message)
	return t.callTools(ctx, message.ToolCalls)
}

// callTools runs the calls of a message and records each result before it is shown. It returns a stop
// reason if the user cancels or the model keeps repeating a call.
func (t *turn) callTools(ctx context.Context, calls []llm.ToolCall) (StopReason, error) {
	if t.repeatsCall(calls) {
		// The model gets one more step, without the repeated tool.
		again := false
		for _, call := range calls {
			again = again || t.refused[call.Name]
			t.refused[call.Name] = true
		}
		if err := t.refuseCalls(ctx, calls); err != nil || again {
			return StopRepeatedCall, err
		}
		return "", nil
	}
	calls, outside := t.splitAtFence(calls)
	if err := t.recordResults(ctx, outside...); err != nil {
		return StopStorage, err
	}
	for _, o := range outside {
		t.messages = append(t.messages, resultMessage(o))
	}
	if len(calls) == 0 {
		return "", nil
	}
	t.subsessions.allow(t.remainingLimits())
	ctx, stopCalls := context.WithCancel(ctx)
	defer stopCalls()
	type update struct {
		started  *llm.ToolCall
		running  *ToolRunning
		finished *tool.Outcome
	}
	// Buffered for each call, so that tools do not wait for the screen. Only workflow steps may have to
	// wait.
	updates := make(chan update, 4*len(calls))
	outcomes := make(chan []tool.Outcome, 1)
	var crashed error // read when updates are closed
	go func() {
		defer close(updates)
		defer close(outcomes)
		defer crash.Catch(&crashed)
		all, _ := t.router.Dispatch(ctx, calls, tool.Observer{
			Started: func(call llm.ToolCall) { updates <- update{started: &call} },
			Running: func(call llm.ToolCall, doing string) {
				select {
				case updates <- update{running: &ToolRunning{CallID: call.ID, Doing: doing}}:
				default: // the screen is behind, and tools do not wait for it
				}
			},
			Finished: func(o tool.Outcome) {
				if tool.StepName(o.Call.ID) != "" {
					// Added now, because the next step may write a report.
					t.sources.addResult(o.Call, o.Result, resultMessage(o).Content)
				}
				updates <- update{finished: &o}
			},
		})
		outcomes <- all
	}()
	var failed error
	var cut []tool.Outcome
	for u := range updates {
		switch {
		case u.started != nil:
			t.started = append(t.started, u.started.ID)
			t.emit(ToolStarted{Call: *u.started, Label: t.router.Label(u.started.Name)}, nil)
		case u.running != nil:
			t.emit(*u.running, nil)
		case ctx.Err() != nil:
			// Recorded together below: either all calls of a canceled message have a result or none.
			cut = append(cut, *u.finished)
		default:
			if failed = t.recordResults(ctx, *u.finished); failed != nil {
				stopCalls() // start no further calls
			}
		}
	}
	if crashed != nil {
		panic(crashed) // as if this turn had made the calls
	}
	failed = errors.Join(failed, t.recordResults(ctx, cut...))
	for _, o := range <-outcomes {
		t.activate(o)
		t.messages = append(t.messages, t.messageFor(o))
		t.sources.addResult(o.Call, o.Result, resultMessage(o).Content)
	}
	if failed == nil && ctx.Err() != nil {
		return stopReason(ctx, context.Cause(ctx)), nil
	}
	return "", failed
}

// splitAtFence separates the calls that no skill loaded in this turn allows, with their results.
func (t *turn) splitAtFence(calls []llm.ToolCall) (inside []llm.ToolCall, outside []tool.Outcome) {
	for _, call := range calls {
		if err := t.checkFences(call); err != nil {
			outside = append(outside, tool.Outcome{Call: call, Result: tool.Failed(tool.CodeRefused, err.Error())})
		} else {
			inside = append(inside, call)
		}
	}
	return inside, outside
}

func (t *turn) checkFences(call llm.ToolCall) error {
	if len(t.fences) == 0 || isUserCall(llm.Message{ToolCalls: []llm.ToolCall{call}}) {
		return nil
	}
	called, ok := t.router.Lookup(call.Name)
	if !ok {
		return nil // the Router names similar tools
	}
	var err error
	for _, f := range t.fences {
		if err = f.Check(call.Name, called.Effect); err == nil {
			return nil
		}
	}
	return err
}

// recordResults records results, all or none, and then shows them.
func (t *turn) recordResults(ctx context.Context, outcomes ...tool.Outcome) error {
	var entries []session.Entry
	events := make([]ToolFinished, len(outcomes))
	for i, o := range outcomes {
		events[i] = ToolFinished{Outcome: o, Label: t.router.Label(o.Call.Name), SampleNotice: t.shown.sampleNotice(o.Result)}
		entries = append(entries, t.entryOf(events[i]))
	}
	if err := t.record(ctx, entries...); err != nil {
		return err
	}
	for _, e := range events {
		o := e.Outcome
		t.finished = append(t.finished, o)
		t.chargeSubsession(o.Call.ID)
		t.emit(e, nil)
		if o.Result.Skill != "" || o.Result.Fence != nil {
			t.fences = append(t.fences, o.Result.Fence)
		}
		if s := o.Result.Skill; s != "" {
			t.keepSkill(loadedSkill{s, o.Result.SkillVersion, o.Result.Section, o.Result.ModelText()})
			t.notifySkillLoaded(ctx, s)
		}
	}
	return nil
}

func (t *turn) notifySkillLoaded(ctx context.Context, skill string, notes ...string) {
	t.emit(SkillLoaded{Name: skill, Notes: notes}, nil)
	if t.cfg.SkillLoaded != nil {
		t.cfg.SkillLoaded(context.WithoutCancel(ctx), skill)
	}
}

// repeatsCall counts the calls and reports whether one was repeated too often.
func (t *turn) repeatsCall(calls []llm.ToolCall) bool {
	repeated := false
	for _, call := range calls {
		key := call.Name + "\x00" + call.Arguments
		t.seen[key]++
		repeated = repeated || t.seen[key] >= maxRepeatedCalls
	}
	return repeated
}

// refuseCalls records errors as the results of calls that are not run, because servers refuse a
// conversation in which a call has no result.
func (t *turn) refuseCalls(ctx context.Context, calls []llm.ToolCall) error {
	var results []session.Entry
	for _, call := range calls {
		o := tool.Outcome{Call: call, Result: tool.Failed("repeated_call",
			fmt.Sprintf("%s was called %d times with the same arguments. Use its result above, or state what is missing.", call.Name, maxRepeatedCalls))}
		results = append(results, t.entryOf(ToolFinished{Outcome: o, Label: t.router.Label(call.Name)}))
		t.messages = append(t.messages, resultMessage(o))
	}
	return t.record(ctx, results...)
}

// entryOf returns the entry of a result. Results of tools that hide amounts are private even if the tool
// did not run.
func (t *turn) entryOf(e ToolFinished) session.Entry {
	o := e.Outcome
	d := Display{
		Title: o.Result.Title, Summary: o.Result.Summary, ForUser: o.Result.ForUser, Label: e.Label, SampleNotice: e.SampleNotice,
		Headline: o.Result.Headline, HeadlineZH: o.Result.HeadlineZH, Keys: o.Result.Keys, Notes: o.Result.Notes,
		Data: cmp.Or(o.Result.Data, tool.PublicData), ByModel: o.Result.ByModel, Composed: o.Result.Composed, Figures: o.Result.Figures, Chart: o.Result.Chart, Opened: o.Result.Opened, Code: o.Result.Code, Skill: o.Result.Skill, Version: o.Result.SkillVersion, Section: o.Result.Section, Activates: t.activated(o), Error: o.Result.ErrorText(), Private: o.Result.Private || t.cfg.hidesAmounts(o.Call.Name),
		DurationMS: float64(o.Duration.Microseconds()) / 1000,
	}
	if len(d.Keys) > 0 {
		d.Body, d.About = o.Result.Body, &o.Result.About
	}
	t.subsessions.usedBy(o.Call.ID).describe(&d)
	if o.Result.Source.Line(0, 0) != "" {
		d.Source = &o.Result.Source
	}
	if tool.StepName(o.Call.ID) != "" {
		d.Arguments = o.Call.Arguments
	}
	return entry(session.KindTool, resultMessage(o), d)
}

// messageFor returns the message of a result for the model of this turn. The built-in assistant also
// receives what the user sees.
func (t *turn) messageFor(o tool.Outcome) llm.Message {
	m := resultMessage(o)
	if !t.setup.RuleBased {
		return m
	}
	t.private = t.private || o.Result.Private || t.cfg.hidesAmounts(o.Call.Name)
	m.Shown = &llm.Shown{
		Headline: o.Result.Headline, HeadlineZH: o.Result.HeadlineZH, Text: o.Result.ForUser,
		Error: o.Result.ErrorText(), Opened: o.Result.Opened,
	}
	return m
}

func resultMessage(o tool.Outcome) llm.Message {
	return llm.Message{
		Role: llm.RoleTool, Content: o.Result.ModelText(), IsError: o.Result.IsError,
		ToolCallID: o.Call.ID, ToolName: o.Call.Name,
	}
}

// record appends entries to the store, even if the turn was canceled.
func (t *turn) record(ctx context.Context, entries ...session.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	for i := range entries {
		entries[i].At = t.cfg.Now()
	}
	if err := t.cfg.Store.Append(context.WithoutCancel(ctx), t.id, entries...); err != nil {
		return fmt.Errorf("save the conversation: %w", err)
	}
	return nil
}

func entry(kind session.Kind, m llm.Message, d Display) session.Entry {
	e := session.Entry{Kind: kind, Message: m}
	b, err := json.Marshal(d)
	if err == nil && string(b) != "{}" {
		e.Display = b
	}
	return e
}

// stop ends a turn between two messages and records the reason as a note.
func (t *turn) stop(ctx context.Context, reason StopReason, answer string) TurnDone {
	if err := t.record(ctx, entry(session.KindNote, llm.Message{}, Display{Stop: reason})); err != nil {
		t.cfg.Log.Error().Err(err).Msg("save the stop reason")
	}
	return t.result(reason, answer)
}

func (t *turn) result(reason StopReason, answer string) TurnDone {
	return TurnDone{Reason: reason, Answer: answer, Usage: t.usage.Add(t.subsession.Tokens), CostUSD: t.cost(), Steps: t.steps, Figures: t.report, Attribution: t.around, Outcome: t.outcome}
}

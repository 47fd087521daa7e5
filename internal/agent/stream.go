package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// errStorage marks a failure to record, as against one of the model.
var errStorage = errors.New("cannot save the transcript")

// answer gets one message of the model. Text is recorded, then shown, a frame's
// worth at a time. On an error the part that came is kept, marked with why it
// was cut, and without the calls it may have asked for: they were not run.
func (t *turn) answer(ctx context.Context) (llm.Message, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // also ends a stream goroutine whose chunks nobody reads any more
	pieces := t.stream(ctx, t.request())

	w := &messageBuilder{turn: t, ctx: ctx}
	err := w.gather(pieces)
	if flushErr := w.flush(true); err == nil {
		err = flushErr
	}
	m := w.message()
	m.Private = t.private && len(m.ToolCalls) == 0
	if err == nil {
		err = w.finishError(m)
	}
	w.estimateUncounted(m)
	if llm.KindOf(err) == llm.KindContextLength && t.compactOnce(ctx) {
		return t.answer(ctx)
	}
	if w.wasTruncated(err) && !t.retried {
		// Once more, from the start. The text that came is on record as deltas, for
		// which the next message stands in.
		t.retried, t.partial = true, m
		t.emit(Retrying{Err: err, Restarted: m.Content != ""}, nil)
		return t.answer(ctx)
	}
	if err != nil {
		return t.recordPartial(ctx, m, err), err
	}
	d := t.displayOf(m)
	d.Own, d.Shows = w.ownText()
	if err := t.record(ctx, entry(session.KindAssistant, m, d)); err != nil {
		return m, errors.Join(errStorage, err)
	}
	t.messages = append(t.messages, m)
	t.partial = llm.Message{}
	t.spent.answers++
	t.counted, t.countedAt = contextTokens(t.stepUsage), len(t.messages)
	return m, nil
}

// request is what the model receives next. The built-in assistant runs in this process: it has the
// tools already, and reads earlier answers as they are.
func (t *turn) request() llm.Request {
	if t.setup.RuleBased {
		return llm.Request{Messages: t.messages}
	}
	messages := append([]llm.Message{{Role: llm.RoleSystem, Content: t.prompt()}}, t.outgoingMessages()...)
	return llm.Request{Messages: messages, Tools: t.specs()}
}

// contextTokens is how many tokens a conversation has after an answer that used u, or 0
// where the server has not counted what it read.
func contextTokens(u llm.Usage) int {
	if u.InputTokens == 0 {
		return 0
	}
	return u.InputTokens + u.OutputTokens
}

// compactOnce cuts a conversation down, once in a turn, that the server found longer
// than its window, and reports whether there is less of it now.
func (t *turn) compactOnce(ctx context.Context) bool {
	if t.triedCompact {
		return false
	}
	t.triedCompact = true
	done, err := t.compact(ctx, true)
	if err != nil {
		t.cfg.Log.Error().Err(err).Msg("compacting a session that is too long")
	}
	return err == nil && (done.Summarised || done.After < done.Before)
}

// wasTruncated reports whether the server broke off in the middle of an answer. Where
// nothing had come of it, the adapter has asked again by itself.
func (w *messageBuilder) wasTruncated(err error) bool {
	return llm.KindOf(err) == llm.KindTruncated && !errors.Is(err, llm.ErrAnswerTooLong) &&
		w.finish == "" && w.text.Len()+w.reasoning.Len() > 0
}

// finishError is the error of a message that ended before it was done: half an
// answer about money must not pass for a whole one.
func (w *messageBuilder) finishError(m llm.Message) error {
	switch {
	case w.finish == llm.FinishLength:
		return &llm.Error{Kind: llm.KindTruncated, Message: "the model reached its token limit"}
	case w.finish == llm.FinishContentFilter:
		return &llm.Error{Kind: llm.KindRefused, Message: "the provider's content filter stopped the answer"}
	case m.Content == "" && len(m.ToolCalls) == 0:
		return &llm.Error{Kind: llm.KindServer, Message: "the model returned an empty answer"}
	}
	return nil
}

// displayOf is what the screen needs of a whole message. The figures are checked
// here, before it is recorded, so that a resumed conversation shows the report.
func (t *turn) displayOf(m llm.Message) Display {
	d := Display{CostUSD: t.knownCost(t.stepUsage), UncountedUSD: t.knownCost(t.stepUncounted), Usage: countedOrNil(t.stepUsage)}
	if len(m.ToolCalls) > 0 {
		return d
	}
	t.report = t.check(m.Content)
	if t.report.Total > 0 {
		d.Report = t.report.withoutNotes()
	}
	slices.SortStableFunc(t.finished, func(a, b tool.Outcome) int {
		return slices.Index(t.started, a.Call.ID) - slices.Index(t.started, b.Call.ID)
	})
	shown, stated := relevantOutcomes(t.finished, t.report), t.report
	if t.setup.RuleBased { // its text repeats all results
		shown, stated = succeeded(t.finished), FiguresReport{}
	}
	t.around = t.attribute(shown, stated)
	t.addAnswer(answerRecord{turn: t.turns, question: t.question, text: m.Content, report: t.report, outcomes: shown})
	if t.around.Line != "" || len(t.around.Warnings) > 0 {
		d.Attribution = &t.around
	}
	return d
}

// check traces the numbers of an answer. An answer of the built-in assistant repeats what the tools
// show: a number that stands there is no claim of its own, whatever a language model may see of it.
func (t *turn) check(answer string) FiguresReport {
	if !t.setup.RuleBased {
		return t.sources.check(answer)
	}
	known := &t.sources
	if t.private { // what the model of another turn may not see is not there
		known = &sourceIndex{names: t.sources.names, now: t.sources.now}
		known.AddText(t.question)
		for _, o := range t.finished {
			known.addFigures(o.Call, o.Result.Figures, o.Result.UserText())
		}
	}
	report := known.check(withoutTables(answer))
	var shown []string
	for _, o := range t.finished {
		shown = append(shown, o.Result.UserText())
	}
	shownByTool := func(number string) bool {
		return slices.ContainsFunc(shown, func(text string) bool { return containsNumber(text, number) })
	}
	var numbers []trace.MatchedNumber
	for _, n := range report.Numbers {
		if n.Status == trace.Traced || !shownByTool(n.Text) {
			numbers = append(numbers, n)
			continue
		}
		report.Total--
		if n.Status == trace.Contradicted {
			report.Contradicted--
		}
	}
	report.Numbers = numbers
	report.Untraced = slices.DeleteFunc(report.Untraced, shownByTool)
	return report
}

// withoutTables puts spaces in the place of the rows of tables, so that everything else keeps its
// place. A table in an answer of the built-in assistant is that of a tool.
func withoutTables(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			line = strings.Repeat(" ", len(strings.TrimRight(line, "\n"))) + line[len(strings.TrimRight(line, "\n")):]
		}
		out.WriteString(line)
	}
	return out.String()
}

// containsNumber reports whether a text has a number that is not a part of a longer one.
func containsNumber(text, number string) bool {
	digit := func(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
	last := func(s string) string { return s[max(len(s)-1, 0):] }
	for {
		before, after, found := strings.Cut(text, number)
		if !found {
			return false
		}
		// "1" is a part of 1,234, 0.1 and 21, but not of "in 2021." or "1, 2".
		longer := digit(after) || digit(last(before)) || digit(strings.TrimLeft(after, ".,")) && after[0] != ' ' ||
			digit(last(strings.TrimRight(before, ".,"))) && last(before) != " "
		if !longer {
			return true
		}
		text = after
	}
}

// recordPartial records what came of a message that was cut. Where that is nothing, but
// an earlier try had brought a part, it is the earlier one: it is shown once more,
// as it was taken back when it was asked again.
func (t *turn) recordPartial(ctx context.Context, m llm.Message, cause error) llm.Message {
	m.ToolCalls = nil
	earlier := m.Content == "" && t.partial.Content != ""
	if earlier {
		m = t.partial
	}
	m.Extra = nil // what a provider wants back goes with the calls
	d := t.displayOf(m)
	d.Stop = stopReason(ctx, cause)
	if d.Stop != StopCancelled {
		d.Error = cause.Error()
	}
	kind := session.KindAssistant
	if m.Content == "" {
		// An empty assistant message would be refused by servers; the note
		// shows the reader of the transcript what happened all the same.
		kind = session.KindNote
	}
	err := t.record(ctx, entry(kind, m, d))
	if err != nil {
		t.cfg.Log.Error().Err(err).Msg("keeping a cut answer")
	}
	if kind == session.KindAssistant {
		t.messages = append(t.messages, m)
		t.spent.answers++
	}
	if earlier && err == nil {
		t.emit(TextDelta{Text: m.Content}, nil)
	}
	return m
}

type streamItem struct {
	chunk llm.Chunk
	err   error
}

// errAdapter stands for what an adapter panicked with, which may hold anything that
// it was sent.
var errAdapter = errors.New("the model client crashed; details are in nfa.log")

// stream reads the model's stream in a goroutine of its own, so that text which
// has come is shown on time even while the next chunk is awaited.
func (t *turn) stream(ctx context.Context, req llm.Request) <-chan streamItem {
	pieces := make(chan streamItem)
	go func() {
		defer close(pieces)
		defer func() {
			if p := recover(); p != nil {
				at := crash.NewSite(p)
				t.cfg.Log.Error().Str("panic", at.Kind()).Str("stack", at.Stack()).Msg("the model client crashed")
				send(ctx, pieces, streamItem{err: errAdapter})
			}
		}()
		for chunk, err := range t.setup.Model.Stream(ctx, req) {
			if !send(ctx, pieces, streamItem{chunk, err}) || err != nil {
				return
			}
		}
	}()
	return pieces
}

func send(ctx context.Context, pieces chan<- streamItem, p streamItem) bool {
	select {
	case pieces <- p:
		return true
	case <-ctx.Done():
		return false
	}
}

// messageBuilder gathers the chunks of one message.
type messageBuilder struct {
	*turn
	ctx       context.Context
	text      strings.Builder // what was recorded and shown
	reasoning strings.Builder
	own       strings.Builder // the part of text that repeats no result
	shows     []string        // the results that the text repeats
	pending   struct {        // what came since
		text      []*textPart
		reasoning strings.Builder
	}
	calls   []llm.ToolCall
	extra   map[string]json.RawMessage
	finish  llm.FinishReason
	counted bool // by the server, in tokens
}

// hasPending reports whether something has come that is not shown yet.
func (w *messageBuilder) hasPending() bool { return w.pendingBytes() > 0 }

func (w *messageBuilder) pendingBytes() int {
	n := w.pending.reasoning.Len()
	for _, part := range w.pending.text {
		n += part.Len()
	}
	return n
}

// textPart is text, and the call whose result it repeats, if it does.
type textPart struct {
	strings.Builder
	result string
}

// ownText returns the text without what repeats results, and the calls of these results.
func (w *messageBuilder) ownText() (own string, shows []string) {
	if len(w.shows) == 0 {
		return "", nil
	}
	return strings.TrimSpace(w.own.String()), w.shows
}

// slowFlushBytes is more text than anybody reads in a frame, or in ten.
const slowFlushBytes = 256

// flushInterval is how long the text after what is pending is gathered: twice as long where
// it comes too fast to be read, for each frame is a write and a screen.
func (w *messageBuilder) flushInterval() time.Duration {
	if w.pendingBytes() > slowFlushBytes {
		return 2 * w.cfg.FlushEvery
	}
	return w.cfg.FlushEvery
}

func (w *messageBuilder) message() llm.Message {
	return llm.Message{
		Role: llm.RoleAssistant, Content: w.text.String(), Reasoning: w.reasoning.String(),
		ToolCalls: w.calls, Extra: w.extra,
	}
}

func (w *messageBuilder) gather(pieces <-chan streamItem) error {
	frame := time.NewTimer(0) // the first text is shown at once
	defer frame.Stop()
	due := false
	for {
		select {
		case <-w.ctx.Done():
			// Not left to the adapter: Esc has to work on one that hangs, too.
			return context.Cause(w.ctx)
		case p, ok := <-pieces:
			if !ok {
				// The stream goroutine ends early when ctx does.
				return context.Cause(w.ctx)
			}
			if p.err != nil {
				return p.err
			}
			w.addChunk(p.chunk)
			if due && w.hasPending() {
				due = false
				frame.Reset(w.flushInterval())
				if err := w.flush(false); err != nil {
					return err
				}
			}
		case <-frame.C:
			due = !w.hasPending()
			if due {
				continue
			}
			frame.Reset(w.flushInterval())
			if err := w.flush(false); err != nil {
				return err
			}
		}
	}
}

func (w *messageBuilder) addChunk(c llm.Chunk) {
	if c.Retry != nil {
		w.emit(Retrying{Err: c.Retry.Err, Wait: c.Retry.Wait}, nil)
		return
	}
	// Whoever sends a whole answer in one breath sends thousands of them in a frame.
	if c.Text != "" {
		last := len(w.pending.text) - 1
		if last < 0 || w.pending.text[last].result != c.Result {
			w.pending.text = append(w.pending.text, &textPart{result: c.Result})
			last++
		}
		w.pending.text[last].WriteString(c.Text)
	}
	w.pending.reasoning.WriteString(c.Reasoning)
	if c.Finish != "" {
		w.finish = c.Finish
	}
	if c.ToolCall != nil {
		call := w.withUniqueID(*c.ToolCall)
		if w.cfg.Secrets != nil {
			call.Arguments = w.cfg.Secrets.HideKnown(call.Arguments)
		}
		w.calls = append(w.calls, call)
	}
	if c.Outcome != nil {
		w.outcome = c.Outcome
	}
	if c.Usage != nil {
		w.stepUsage = w.stepUsage.Add(*c.Usage)
		w.counted = w.counted || *c.Usage != llm.Usage{}
	}
	if len(c.Extra) > 0 && w.extra == nil {
		w.extra = map[string]json.RawMessage{}
	}
	maps.Copy(w.extra, c.Extra)
}

// withUniqueID gives a call an ID where the server gave none, or gave one twice, or one
// by which the user's calls or the steps of calls are known: results find their call
// by it.
func (w *messageBuilder) withUniqueID(call llm.ToolCall) llm.ToolCall {
	invalid := call.ID == "" || strings.HasPrefix(call.ID, userCallPrefix) || tool.ParentCallID(call.ID) != call.ID
	for _, c := range w.calls {
		invalid = invalid || c.ID == call.ID
	}
	if invalid {
		call.ID = fmt.Sprintf("call_%d_%d", len(w.messages), len(w.calls))
	}
	return call
}

// flush records what is pending, then shows it. What may be the beginning of a key stays pending, unless
// nothing more comes.
func (w *messageBuilder) flush(last bool) error {
	if !w.hasPending() {
		return nil
	}
	texts := w.takeTexts(last)
	delta := llm.Message{Role: llm.RoleAssistant, Reasoning: w.takePending(&w.pending.reasoning, last)}
	for _, text := range texts {
		delta.Content += text.Text
	}
	if delta.Content == "" && delta.Reasoning == "" {
		return nil
	}
	w.text.WriteString(delta.Content)
	w.reasoning.WriteString(delta.Reasoning)
	if err := w.record(w.ctx, session.Entry{Kind: session.KindDelta, Message: delta}); err != nil {
		return errors.Join(errStorage, err)
	}
	if delta.Reasoning != "" {
		w.emit(ReasoningDelta{Text: delta.Reasoning}, nil)
	}
	for _, text := range texts {
		w.emit(text, nil)
	}
	return nil
}

// takeTexts takes the pending text, and notes which of it repeats results.
func (w *messageBuilder) takeTexts(last bool) []TextDelta {
	var out []TextDelta
	parts := w.pending.text
	w.pending.text = nil
	for i, part := range parts {
		text := w.takePending(&part.Builder, last || i < len(parts)-1)
		if part.Len() > 0 {
			w.pending.text = []*textPart{part}
		}
		switch {
		case text == "":
			continue
		case part.result == "":
			w.own.WriteString(text)
		case !slices.Contains(w.shows, part.result):
			w.shows = append(w.shows, part.result)
		}
		out = append(out, TextDelta{Text: text, Result: part.result})
	}
	return out
}

// takePending takes text out of from, without known keys.
func (w *messageBuilder) takePending(from *strings.Builder, last bool) string {
	text := from.String()
	from.Reset()
	if w.cfg.Secrets == nil || text == "" {
		return text
	}
	text = w.cfg.Secrets.HideKnown(text)
	if last {
		return text
	}
	end := len(text) - w.cfg.Secrets.HeldBack(text)
	from.WriteString(text[end:])
	return text[:end]
}

// stopReason tells why a turn that met err ends.
func stopReason(ctx context.Context, err error) StopReason {
	switch {
	case errors.Is(err, errStorage):
		return StopStorage
	case limitOf(ctx) == errTimeLimit:
		return StopTimeLimit
	case limitOf(ctx) == errSessionTime:
		return StopSessionTime
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return StopCancelled
	default:
		return StopProvider
	}
}

// visibleError is the error to show for err: a cancelled turn has none.
func visibleError(ctx context.Context, err error) error {
	switch stopReason(ctx, err) {
	case StopCancelled, StopTimeLimit, StopSessionTime:
		return nil
	}
	return err
}

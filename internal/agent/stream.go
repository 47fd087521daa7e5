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

// errStorage marks an error of the store, as opposed to one of the model.
var errStorage = errors.New("cannot save the transcript")

// answer requests one message from the model. Its text is recorded and then shown, in pieces of about a
// frame. After an error the partial message is kept with the reason, without its calls, which were not
// run.
func (t *turn) answer(ctx context.Context) (llm.Message, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // also ends the goroutine of stream
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
		// Try once more from the start. The text so far is recorded as deltas, which the next message
		// replaces.
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

// request returns the next request. The built-in assistant runs in this process: it needs no tool
// definitions and may read private answers.
func (t *turn) request() llm.Request {
	if t.setup.RuleBased {
		return llm.Request{Messages: t.messages}
	}
	messages := append([]llm.Message{{Role: llm.RoleSystem, Content: t.prompt()}}, t.outgoingMessages()...)
	return llm.Request{Messages: messages, Tools: t.specs()}
}

// contextTokens returns the tokens of a conversation after an answer with usage u, or 0 if the server did
// not report its input.
func contextTokens(u llm.Usage) int {
	if u.InputTokens == 0 {
		return 0
	}
	return u.InputTokens + u.OutputTokens
}

// compactOnce compacts a conversation that the server refused as too long, at most once in a turn, and
// reports whether it became shorter.
func (t *turn) compactOnce(ctx context.Context) bool {
	if t.triedCompact {
		return false
	}
	t.triedCompact = true
	done, err := t.compact(ctx, true)
	if err != nil {
		t.cfg.Log.Error().Err(err).Msg("compact a session that is too long")
	}
	return err == nil && (done.Summarised || done.After < done.Before)
}

// wasTruncated reports whether the connection ended in the middle of an answer. If there was no text yet,
// the model client has already retried.
func (w *messageBuilder) wasTruncated(err error) bool {
	return llm.KindOf(err) == llm.KindTruncated && !errors.Is(err, llm.ErrAnswerTooLong) &&
		w.finish == "" && w.text.Len()+w.reasoning.Len() > 0
}

// finishError returns an error if a message is incomplete.
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

// displayOf returns the Display of a complete message. Figures are checked here, before recording, so that
// a resumed conversation has the report.
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

// check traces the numbers of an answer. The built-in assistant repeats what tools show the user, so
// numbers in that text need no further source. When it asks for a value, its numbers are examples.
func (t *turn) check(answer string) FiguresReport {
	if !t.setup.RuleBased {
		return t.sources.check(answer)
	}
	if t.outcome != nil && t.outcome.Kind == llm.OutcomeAsked {
		return FiguresReport{}
	}
	known := &t.sources
	if t.private { // texts withheld from the model in other turns are not in the index
		known = &sourceIndex{names: t.sources.names, now: t.sources.now}
		known.AddText(t.question)
		for _, o := range t.finished {
			known.addFigures(o.Call, o.Result.Figures, o.Result.UserText())
		}
	}
	report := known.check(withoutTables(answer))
	var shown []string
	for _, o := range t.finished {
		shown = append(shown, o.Result.Headline, o.Result.HeadlineZH, o.Result.UserText())
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

// withoutTables replaces table rows with spaces, so that offsets do not change. Tables in answers of the
// built-in assistant come from tools.
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

// containsNumber reports whether a text contains a number, not only as a part of a longer one.
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

// recordPartial records an incomplete message. If it is empty, but the first attempt had text, that text is
// recorded and shown again, because the retry had removed it.
func (t *turn) recordPartial(ctx context.Context, m llm.Message, cause error) llm.Message {
	m.ToolCalls = nil
	earlier := m.Content == "" && t.partial.Content != ""
	if earlier {
		m = t.partial
	}
	m.Extra = nil // belongs to the calls
	d := t.displayOf(m)
	d.Stop = stopReason(ctx, cause)
	if d.Stop != StopCancelled {
		d.Error = cause.Error()
	}
	kind := session.KindAssistant
	if m.Content == "" {
		// Servers refuse empty assistant messages; a note still shows in the transcript what happened.
		kind = session.KindNote
	}
	err := t.record(ctx, entry(kind, m, d))
	if err != nil {
		t.cfg.Log.Error().Err(err).Msg("save the partial answer")
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

// errAdapter replaces the panic value of a model client, which may contain private data.
var errAdapter = errors.New("the model client crashed; details are in nfa.log")

// stream reads the model's stream in a goroutine, so that pending text is shown on time while the next
// chunk is awaited.
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

// messageBuilder collects the chunks of one message.
type messageBuilder struct {
	*turn
	ctx       context.Context
	text      strings.Builder // recorded and shown
	reasoning strings.Builder
	own       strings.Builder // text that repeats no result
	shows     []string        // results repeated by the text
	pending   struct {        // not shown yet
		text      []*textPart
		reasoning strings.Builder
	}
	calls   []llm.ToolCall
	extra   map[string]json.RawMessage
	finish  llm.FinishReason
	counted bool // the server reported usage
}

// hasPending reports whether some text is not shown yet.
func (w *messageBuilder) hasPending() bool { return w.pendingBytes() > 0 }

func (w *messageBuilder) pendingBytes() int {
	n := w.pending.reasoning.Len()
	for _, part := range w.pending.text {
		n += part.Len()
	}
	return n
}

// textPart is text, with the call whose result it repeats, if any.
type textPart struct {
	strings.Builder
	result string
}

// ownText returns the text without the parts that repeat results, and the calls of those results.
func (w *messageBuilder) ownText() (own string, shows []string) {
	if len(w.shows) == 0 {
		return "", nil
	}
	return strings.TrimSpace(w.own.String()), w.shows
}

// slowFlushBytes is the amount of pending text above which flushes are less frequent.
const slowFlushBytes = 256

// flushInterval returns the time until the next flush. It doubles if text arrives faster than it can be
// read, because each flush costs a disk write and a frame.
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
			// Esc must work even if the model client hangs.
			return context.Cause(w.ctx)
		case p, ok := <-pieces:
			if !ok {
				// The stream also ends early with ctx.
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
	// Collect the text until the next flush: a fast server sends thousands of chunks between two frames.
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

// withUniqueID returns a call with a new ID if the server's ID is missing, repeated, or looks like the ID
// of a user's call or of a workflow step. Results refer to their call by ID.
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

// flush records the pending text, then shows it. The possible beginning of a key stays pending unless last
// is set.
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

// takeTexts removes and returns the pending text, and records which parts repeat results.
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

// takePending removes text from a buffer and returns it without known keys.
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

// stopReason returns why a turn with this error ends.
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

// visibleError returns the error to show: none if the turn was canceled or timed out.
func visibleError(ctx context.Context, err error) error {
	switch stopReason(ctx, err) {
	case StopCancelled, StopTimeLimit, StopSessionTime:
		return nil
	}
	return err
}

package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

func (r *Router) run(ctx context.Context, t Tool, args []byte) (Result, time.Duration) {
	limit := t.Timeout
	if limit <= 0 {
		limit = r.opts.Timeout
	}
	runCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := r.opts.Now()
	got := r.await(runCtx, t, args)
	elapsed := r.opts.Now().Sub(start)
	switch {
	case got.crashed:
		return crashedResult(r.Label(t.Name)), elapsed
	case got.late && ctx.Err() != nil:
		code, why := endReason(ctx)
		return stillRunningResult(code, r.describe(t, args)+" was "+why), elapsed
	case got.late:
		return stillRunningResult(CodeTimeout, fmt.Sprintf("%s did not finish within %s", r.describe(t, args), limit)), elapsed
	case got.err == nil:
		return got.res, elapsed
	case ctx.Err() != nil:
		return cancelledResult(ctx), elapsed
	case errors.Is(got.err, context.DeadlineExceeded):
		return Failed(CodeTimeout, fmt.Sprintf("%s did not finish within %s and was stopped; request less data or try again", r.describe(t, args), limit)), elapsed
	default:
		code := codeOf(got.err)
		res := FailedError(code, got.err)
		if t.Private && res.Redacted == "" {
			// An unexpected error may contain amounts.
			res.Redacted = Failed(code, HideNumbers(got.err.Error())).ModelText()
		}
		r.complete(t, &res)
		return res, elapsed
	}
}

// describe names a call for people: by the label of its tool and the arguments, "Prices (VTI, 5y)".
func (r *Router) describe(t Tool, args []byte) string {
	const longest = 60
	values := strings.Join(textArguments(args), ", ")
	if values == "" || len(values) > longest {
		return r.Label(t.Name)
	}
	return r.Label(t.Name) + " (" + values + ")"
}

// textArguments returns the texts among the arguments of a call, in their order.
func textArguments(args []byte) []string {
	var texts []string
	decoder := json.NewDecoder(bytes.NewReader(args))
	_, _ = decoder.Token() // the brace; the arguments were checked before
	for decoder.More() {
		var value json.RawMessage
		if _, err := decoder.Token(); err != nil || decoder.Decode(&value) != nil {
			break
		}
		var one string
		var several []string
		if json.Unmarshal(value, &one) == nil && one != "" {
			texts = append(texts, one)
		} else if json.Unmarshal(value, &several) == nil {
			texts = append(texts, several...)
		}
	}
	return texts
}

// codeOf returns the code that an error names itself, or "".
func codeOf(err error) string {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}

// runReply is the outcome of running a tool.
type runReply struct {
	res     Result
	err     error
	crashed bool
	late    bool // no reply in time: the tool is still running
}

// await returns the reply of t, or a late one if t does not stop when ctx ends.
func (r *Router) await(ctx context.Context, t Tool, args []byte) runReply {
	replies, abandoned := make(chan runReply), make(chan struct{})
	go func() {
		// The default reply, because a tool may end its goroutine with runtime.Goexit.
		got := runReply{crashed: true}
		defer func() {
			select {
			case replies <- got:
			case <-abandoned:
				r.opts.Log.Debug().Str("tool", t.Name).Bool("crashed", got.crashed).Str("error", fmt.Sprint(got.err)).Msg("late result dropped")
			}
		}()
		r.protect(t.Name, func() {
			res, err := t.run(ctx, args)
			r.complete(t, &res)
			got = runReply{res: res, err: err}
		})
	}()
	select {
	case got := <-replies:
		return got
	case <-ctx.Done():
	}
	grace := time.NewTimer(max(t.Grace, graceTime))
	defer grace.Stop()
	select {
	case got := <-replies:
		return got
	case <-grace.C:
		close(abandoned)
		return runReply{late: true}
	}
}

// complete sets what data the result may contain and names the tool as the source of figures without
// one. It hides known keys and, if the options say so, the user's amounts from the model.
func (r *Router) complete(t Tool, res *Result) {
	res.Data, res.Source.Owner = cmp.Or(res.Data, t.Data, PublicData), t.Owner
	for i := range res.Figures {
		if res.Figures[i].Source == "" {
			res.Figures[i].Source = t.Name
		}
	}
	r.hideKeys(res)
	r.writeCommands(res)
	if r.opts.HideAmounts == nil || !r.opts.HideAmounts(t.Name) {
		return
	}
	res.Private = res.Private || t.Private
	if res.Redacted != "" {
		res.ForModel, res.Private = res.Redacted, true
	}
}

// hideKeys removes known keys from what a program or a page returned.
func (r *Router) hideKeys(res *Result) {
	if r.opts.Secrets == nil {
		return
	}
	res.rewrite(r.opts.Secrets.HideKnown, &res.ForModel, &res.Redacted)
	if encoded, err := json.Marshal(res.Value); err == nil && res.Value != nil {
		if hidden := r.opts.Secrets.HideKnown(string(encoded)); hidden != string(encoded) {
			message := res.ErrorText()
			res.Value = json.RawMessage(hidden)
			if res.IsError {
				res.Value = map[string]any{"error": r.opts.Secrets.HideKnown(message), "code": res.Code}
			}
		}
	}
}

// writeCommands rewrites the command lines in the texts for people; see Options.Commands. The texts for the
// model and the value stay unchanged.
func (r *Router) writeCommands(res *Result) {
	if r.opts.Commands == nil {
		return
	}
	res.rewrite(r.opts.Commands)
	if message := res.ErrorText(); message != r.opts.Commands(message) {
		res.ForModel = res.ModelText()
		res.Value = map[string]any{"error": r.opts.Commands(message), "code": res.Code}
	}
}

// rewrite applies change to the texts for people and to others.
func (r *Result) rewrite(change func(string) string, others ...*string) {
	for _, text := range append(others, &r.ForUser, &r.Body, &r.Headline, &r.HeadlineZH, &r.Title, &r.Summary) {
		*text = change(*text)
	}
	for i := range r.Notes {
		r.Notes[i].Text = change(r.Notes[i].Text)
	}
}

func invalidArguments(name string, err error) Result {
	return Failed(CodeValidation, fmt.Sprintf("arguments of %s: %v; send a JSON object that matches the tool's schema", name, err))
}

func crashedResult(label string) Result {
	return Failed(CodeCrashed, fmt.Sprintf("%s crashed; continue without it (details are in the log)", label))
}

// stillRunningResult returns the result of a tool that has not stopped. It must not say that the tool
// was stopped, because a retry could then write twice.
func stillRunningResult(code, why string) Result {
	return Failed(code, why+" but is still running and may still finish; check the result before you retry")
}

func cancelledResult(ctx context.Context) Result {
	code, why := endReason(ctx)
	return Failed(code, why+" before it finished")
}

// endReason returns why ctx ended: the user canceled it, or it reached the limit that its cause names.
func endReason(ctx context.Context) (code, why string) {
	cause := context.Cause(ctx)
	switch {
	case !errors.Is(cause, context.DeadlineExceeded):
		return CodeCancelled, "canceled by the user"
	case cause == context.DeadlineExceeded:
		return CodeTimeout, "stopped at the time limit"
	}
	return CodeTimeout, "stopped at " + cause.Error()
}

// clippedForModel returns what the model reads of a result, in about limit bytes. A clipped result
// begins with its headline, unless the headline may contain hidden amounts.
func (r Result) clippedForModel(limit int) string {
	text := r.ModelText()
	if len(text) > limit && r.Headline != "" && !r.Private {
		text = r.Headline + "\n" + text
	}
	return clip(text, limit)
}

// clip shortens text to limit bytes without cutting runes. It keeps the end too, where the last rows and
// next_offset are, and says how much is missing, because a model may make up the missing part.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := limit*3/4, len(text)-limit/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[clipped: %d of %d bytes omitted here; request a narrower range to see them]\n%s", text[:head], tail-head, len(text), text[tail:])
}

package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Causes the watchdog cancels a request with.
var (
	errNoResponse = errors.New("no response")
	errSilence    = errors.New("no sign of life in the middle of the answer")
)

// maxErrorBody is how much of a refusal is read.
const maxErrorBody = 64 << 10

// closingTimeout limits how long a server may take for what follows the finish reason (usage,
// [DONE]). Some servers leave the connection open instead.
const closingTimeout = 5 * time.Second

// drainTime is how long the end of a finished stream is waited for, so that the
// connection can serve the next request.
const drainTime = 50 * time.Millisecond

// exchange is one request and its response: the HTTPDoer under go-openai.
type exchange struct {
	model *Model
	fill  bodyFill
	watch *watchdog

	sent   int // bytes of the request's body; 0 until it was ready to go
	events *eventReader
}

// Do completes the request, sends it, and gives back an answer whose body is a
// tidy event stream. Everything else is an error.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	if err := x.complete(req); err != nil {
		return nil, fmt.Errorf("completing the request body: %w", err)
	}
	x.watch.expect(x.model.cfg.Timeouts.FirstByte, errNoResponse)
	resp, err := x.model.cfg.HTTPClient.Do(req)
	if err != nil {
		return nil, err
	}
	x.watch.expect(x.model.cfg.Timeouts.Idle, errSilence)
	body := x.guard(req.Context(), resp.Body)
	if resp.StatusCode != http.StatusOK {
		defer body.Close()
		return nil, x.refusal(resp, body)
	}
	x.events = newEventReader(body)
	resp.Body = &eventBody{eventReader: x.events, body: body}
	return resp, nil
}

// complete puts in what go-openai's types have no place for.
func (x *exchange) complete(req *http.Request) error {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return err
	}
	if body, err = x.fill.apply(body); err != nil {
		return err
	}
	x.sent = len(body)
	req.ContentLength = int64(len(body))
	req.Body = io.NopCloser(bytes.NewReader(body))
	// The transport may have to send the body again when it finds that the
	// server has closed an idle connection.
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	for name, values := range x.model.cfg.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "nfa")
	return nil
}

// refusal reads the server's reason.
func (x *exchange) refusal(resp *http.Response, body io.Reader) error {
	// A reason that breaks off is still a reason.
	text, _ := io.ReadAll(io.LimitReader(body, maxErrorBody))
	e := x.model.errorOf(resp.StatusCode, text)
	e.RetryAfter = retryAfter(resp.Header, x.model.cfg.Retry.Now())
	if to := resp.Header.Get("Location"); resp.StatusCode/100 == 3 && to != "" {
		e.Message = x.model.secrets.line("the server has moved to " + to + "; set the base URL to its new place")
	}
	return e
}

// guard makes every byte that comes count as life, and ends a blocked read when
// ctx ends, also on bodies that do not know ctx.
func (x *exchange) guard(ctx context.Context, body io.ReadCloser) io.ReadCloser {
	return &guardedBody{
		body: body, watch: x.watch,
		release: context.AfterFunc(ctx, func() { body.Close() }),
	}
}

type guardedBody struct {
	body    io.ReadCloser
	watch   *watchdog
	release func() bool
	reads   int // small ones, one after another
}

// A fast model sends each token by itself, a thousand in a second, and to take each
// by itself costs more than all that is done with it. In a stream of small pieces
// several are therefore left to gather: for less time than a screen needs to show
// one, and never in a short answer.
const (
	gatherAfter = 64 // pieces
	gatherTime  = 20 * time.Millisecond
)

func (b *guardedBody) Read(p []byte) (int, error) {
	if b.reads > gatherAfter {
		time.Sleep(gatherTime)
	}
	n, err := b.body.Read(p)
	if b.reads++; n == len(p) {
		b.reads = 0 // it comes faster than it is taken
	}
	if n > 0 {
		b.watch.reset()
	}
	return n, err
}

func (b *guardedBody) Close() error {
	b.release()
	return b.body.Close()
}

// eventBody is the response body go-openai reads.
type eventBody struct {
	*eventReader
	body io.ReadCloser
}

// Close lets a finished stream end by itself first: a connection closed before
// its last byte was read is lost for the next request.
func (b *eventBody) Close() error {
	if errors.Is(b.err, io.EOF) {
		if g, ok := b.body.(*guardedBody); ok {
			g.watch.expectEnd(drainTime, errSilence)
		}
		// Nothing is done about a failure: the answer is whole already.
		_, _ = io.CopyN(io.Discard, b.src, maxErrorBody)
	}
	return b.body.Close()
}

// watchdog cancels a request whose server stays silent.
type watchdog struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
	fixed  bool // to signs of life
}

func newWatchdog(cancel context.CancelCauseFunc) *watchdog { return &watchdog{cancel: cancel} }

// expect demands a sign of life within limit, again and again, or cancels with
// cause. A limit below zero demands nothing.
func (w *watchdog) expect(limit time.Duration, cause error) {
	w.stop()
	w.limit, w.fixed = limit, false
	if limit >= 0 {
		cancel := w.cancel
		w.timer = time.AfterFunc(limit, func() { cancel(&silenceError{cause: cause, limit: limit}) })
	}
}

// expectEnd requires the end of the stream within limit. Events do not extend the limit, because a
// server may send comments without end.
func (w *watchdog) expectEnd(limit time.Duration, cause error) {
	w.expect(limit, cause)
	w.fixed = true
}

func (w *watchdog) reset() {
	if w.timer != nil && !w.fixed {
		w.timer.Reset(w.limit)
	}
}

func (w *watchdog) stop() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// silenceError is the cause of a request cancelled by the watchdog.
type silenceError struct {
	cause error
	limit time.Duration
}

func (e *silenceError) Error() string { return fmt.Sprintf("%v for %s", e.cause, e.limit) }
func (e *silenceError) Unwrap() error { return e.cause }

// timeoutError is the error of a server that stayed silent.
func (m *Model) timeoutError(cause *silenceError) *llm.Error {
	return &llm.Error{Kind: llm.KindTimeout, Provider: m.cfg.Provider, Message: cause.Error(), Err: cause}
}

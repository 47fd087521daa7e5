package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Causes for which the watchdog cancels a request.
var (
	errNoResponse = errors.New("no response")
	errSilence    = errors.New("the answer stalled")
)

// closingTimeout limits the time for what follows the finish reason (usage, [DONE]). Some servers
// leave the connection open instead.
const closingTimeout = 5 * time.Second

// drainTime limits the wait for the end of a finished stream.
const drainTime = 50 * time.Millisecond

// watchdog cancels a request whose server stays silent.
type watchdog struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
	fixed  bool // bytes do not extend the limit
}

// silenceError is the cause of a request that the watchdog canceled.
type silenceError struct {
	cause error
	limit time.Duration
}

func (e *silenceError) Error() string { return fmt.Sprintf("%v for %s", e.cause, e.limit) }
func (e *silenceError) Unwrap() error { return e.cause }

// expect cancels the request with cause if no byte arrives within limit; each byte restarts the limit. A
// negative limit means no limit.
func (w *watchdog) expect(limit time.Duration, cause error) {
	w.stop()
	w.limit, w.fixed = limit, false
	if limit >= 0 {
		w.timer = time.AfterFunc(limit, func() { w.cancel(&silenceError{cause: cause, limit: limit}) })
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

// guardedBody is a response body whose bytes reset the watchdog. A blocked read ends with the context, even
// if the body does not support that.
type guardedBody struct {
	body    io.ReadCloser
	watch   *watchdog
	release func() bool
	reads   int // consecutive small reads
}

func newGuardedBody(ctx context.Context, body io.ReadCloser, watch *watchdog) *guardedBody {
	return &guardedBody{body: body, watch: watch, release: context.AfterFunc(ctx, func() { body.Close() })}
}

// A fast model sends a thousand tokens per second, and handling each separately dominates the cost.
// In a stream of small pieces, several are therefore collected, for less time than one screen
// refresh, and never in a short answer.
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
		b.reads = 0 // data arrives faster than it is read
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

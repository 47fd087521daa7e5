package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// maxErrorBody is how much of a refusal is read.
const maxErrorBody = 64 << 10

// Stream answers req as llm.Model specifies. Until the first chunk is returned, temporary failures
// are retried according to Config.Retry; the error is that of the last attempt. Tool calls are
// returned whole, after the text, and only if the answer is complete.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		sink := &chunkSink{yield: yield}
		if err := m.streamTo(ctx, req, sink); err != nil && !sink.closed {
			yield(llm.Chunk{}, err)
		}
	}
}

func (m *Model) streamTo(ctx context.Context, req llm.Request, sink *chunkSink) error {
	body, err := m.requestBody(req)
	if err != nil {
		return &llm.Error{Kind: llm.KindBadRequest, Provider: m.cfg.Provider, Message: "building the request: " + err.Error(), Err: err}
	}
	tries := m.cfg.Retry.begin()
	for {
		err := m.attempt(ctx, body, sink)
		if err == nil || sink.sent || sink.closed || ctx.Err() != nil {
			return err
		}
		wait, retry := tries.next(err)
		if !retry {
			return err
		}
		m.cfg.Log.Warn().Err(err).Str("model", m.cfg.Model).Int("try", tries.tries).Dur("wait", wait).Msg("retrying the model request")
		if sink.closed = !sink.yield(llm.Chunk{Retry: &llm.Retry{Err: err, Wait: wait}}, nil); sink.closed {
			return nil
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// chunkSink records what the consumer received and whether it wants more.
type chunkSink struct {
	yield  func(llm.Chunk, error) bool
	sent   bool // some output was returned, so no retry
	closed bool // the consumer wants no more
}

// send skips empty chunks.
func (s *chunkSink) send(c llm.Chunk) bool {
	if c.Text == "" && c.Reasoning == "" && c.ToolCall == nil && c.Finish == "" {
		return true
	}
	s.sent = true
	s.closed = !s.yield(c, nil)
	return !s.closed
}

// attempt sends one request. A nil error means that the answer is complete, or that the consumer
// stopped.
func (m *Model) attempt(parent context.Context, body []byte, sink *chunkSink) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	watch := &watchdog{cancel: cancel}
	defer watch.stop()

	started, count := time.Now(), 0
	events, err := m.open(ctx, body, watch)
	if err == nil {
		err = m.read(events, sink)
		events.close()
		count = events.events
	}
	if err != nil {
		err = m.explain(parent, ctx, err)
	}
	m.cfg.Log.Debug().Err(err).Str("provider", m.cfg.Provider).Str("model", m.cfg.Model).
		Int("sent_bytes", len(body)).Int("events", count).Dur("took", time.Since(started)).Msg("model call")
	return err
}

// open sends a request and returns the events of the answer. A refusal is an *llm.Error.
func (m *Model) open(ctx context.Context, body []byte, watch *watchdog) (*eventReader, error) {
	req, err := m.newRequest(ctx, http.MethodPost, m.path(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "identity")
	watch.expect(m.cfg.Timeouts.FirstByte, errNoResponse)
	resp, err := m.cfg.HTTPClient.Do(req)
	if err != nil {
		return nil, err
	}
	watch.expect(m.cfg.Timeouts.Idle, errSilence)
	guarded := newGuardedBody(ctx, resp.Body, watch)
	if resp.StatusCode == http.StatusOK {
		return newEventReader(guarded), nil
	}
	defer guarded.Close()
	text, _ := io.ReadAll(io.LimitReader(guarded, maxErrorBody)) // an incomplete error message is still useful
	e := m.errorOf(resp.StatusCode, text)
	e.RetryAfter = retryAfter(resp.Header, m.cfg.Retry.Now())
	if to := resp.Header.Get("Location"); resp.StatusCode/100 == 3 && to != "" {
		e.Message = m.secrets.line("the server moved to " + to + "; update the base URL")
	}
	return nil, e
}

func (m *Model) newRequest(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, m.cfg.BaseURL+path, body)
	if err != nil {
		return nil, fmt.Errorf("request to %s: %w", m.host, err)
	}
	if m.cfg.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+m.cfg.APIKey)
	}
	for name, values := range m.cfg.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("User-Agent", "nfa")
	return req, nil
}

// answer assembles one streamed answer.
type answer interface {
	// add processes one event and returns what to show at once.
	add(raw []byte) (llm.Chunk, *serverError)
	size() int           // bytes received
	begun() bool         // anything was received
	complete() bool      // the server reported its end
	heldBack() llm.Chunk // what add has not returned yet, if the answer is cut off
	last() []llm.Chunk   // the chunks after the last event of a complete answer
}

// read sends the events of a stream to sink as chunks.
func (m *Model) read(events *eventReader, sink *chunkSink) error {
	a := m.newAnswer()
	for {
		raw, err := events.next()
		if err != nil {
			return m.finish(err, a, sink)
		}
		complete, size := a.complete(), a.size()
		chunk, failure := a.add(raw)
		if failure != nil {
			return m.errorWith(0, *failure)
		}
		if a.size() > maxAnswerBytes {
			return &llm.Error{
				Kind: llm.KindTruncated, Provider: m.cfg.Provider, Err: llm.ErrAnswerTooLong,
				Message: fmt.Sprintf("the answer was cut off: it is longer than %d MiB", maxAnswerBytes>>20),
			}
		}
		if !sink.send(chunk) {
			return nil
		}
		if a.complete() && (!complete || a.size() > size) {
			events.body.watch.expectEnd(closingTimeout, errSilence)
		}
	}
}

// finish handles the end of the stream. An answer is complete if the server sent a finish reason or
// [DONE].
func (m *Model) finish(err error, a answer, sink *chunkSink) error {
	if !errors.Is(err, io.EOF) && !a.complete() {
		sink.send(a.heldBack())
		var foreign *notStreamError
		if errors.As(err, &foreign) || errors.Is(err, errEventTooLarge) || !a.begun() && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err // handled separately
		}
		return &llm.Error{
			Kind: llm.KindTruncated, Provider: m.cfg.Provider, Err: m.secrets.cause(err),
			Message: "the server closed the connection before the answer was complete",
		}
	}
	if !a.begun() && !a.complete() {
		return &llm.Error{Kind: llm.KindServer, Provider: m.cfg.Provider, Message: "the server sent an empty answer"}
	}
	for _, c := range a.last() {
		if !sink.send(c) {
			return nil
		}
	}
	return nil
}

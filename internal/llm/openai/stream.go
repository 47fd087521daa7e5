package openai

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Stream answers req as llm.Model promises. Until the first chunk is given out,
// failures that may pass are tried again as Config.Retry says; the error then is
// that of the last try. Tool calls come whole, after the text, and only when
// the answer came to its end.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		out := &chunkSink{yield: yield}
		if err := m.streamTo(ctx, m.request(req), out); err != nil && !out.closed {
			yield(llm.Chunk{}, err)
		}
	}
}

func (m *Model) streamTo(ctx context.Context, req request, sink *chunkSink) error {
	tries := m.cfg.Retry.begin()
	for {
		err := m.attempt(ctx, req, sink)
		if err == nil || sink.sent || sink.closed || ctx.Err() != nil {
			return err
		}
		wait, retry := tries.next(err)
		if !retry {
			return err
		}
		m.cfg.Log.Warn().Err(err).Str("model", m.cfg.Model).Int("try", tries.tries).Dur("wait", wait).Msg("asking the model again")
		if sink.closed = !sink.yield(llm.Chunk{Retry: &llm.Retry{Err: err, Wait: wait}}, nil); sink.closed {
			return nil
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// chunkSink remembers what the consumer was given and whether it wants more.
type chunkSink struct {
	yield  func(llm.Chunk, error) bool
	sent   bool // something was given out and cannot be taken back
	closed bool // the consumer has turned away
}

// send leaves out chunks in which there is nothing.
func (o *chunkSink) send(c llm.Chunk) bool {
	if c.Text == "" && c.Reasoning == "" && c.ToolCall == nil && c.Finish == "" {
		return true
	}
	o.sent = true
	o.closed = !o.yield(c, nil)
	return !o.closed
}

// attempt asks once. A nil error means that the answer is done, or not wanted
// any more.
func (m *Model) attempt(parent context.Context, req request, sink *chunkSink) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	watch := newWatchdog(cancel)
	defer watch.stop()

	started := time.Now()
	x := &exchange{model: m, fill: req.fill, watch: watch}
	stream, err := m.client(x).CreateChatCompletionStream(ctx, req.chat)
	if err == nil {
		defer stream.Close()
		err = m.read(stream, watch, &answerBuilder{origin: m.cfg.Provider}, sink)
	}
	switch {
	case err != nil && x.sent == 0:
		err = &llm.Error{Kind: llm.KindBadRequest, Provider: m.cfg.Provider, Message: "building the request: " + err.Error(), Err: err}
	case err != nil:
		err = m.explain(parent, ctx, err)
	}
	m.logAttempt(x, started, err)
	return err
}

func (m *Model) client(x *exchange) *goopenai.Client {
	cfg := goopenai.DefaultConfig(m.cfg.APIKey)
	cfg.BaseURL = m.cfg.BaseURL
	cfg.HTTPClient = x
	return goopenai.NewClientWithConfig(cfg)
}

// rawStream is the part of go-openai's stream that is used.
type rawStream interface{ RecvRaw() ([]byte, error) }

// read gives the events of stream out as chunks.
func (m *Model) read(stream rawStream, watch *watchdog, a *answerBuilder, sink *chunkSink) error {
	for {
		raw, err := stream.RecvRaw()
		if err != nil {
			return m.finish(err, a, sink)
		}
		ev, err := decodeEvent(raw)
		if err != nil {
			return &llm.Error{Kind: llm.KindServer, Provider: m.cfg.Provider, Message: err.Error(), Err: err}
		}
		if c, ok := ev.serverError(raw); ok {
			return m.errorWith(0, c)
		}
		finish, size := a.finish, a.size()
		chunk := a.add(ev)
		if a.tooLong() {
			return m.answerTooLongError()
		}
		if !sink.send(chunk) {
			return nil
		}
		if a.finish != "" && (finish == "" || a.size() > size) {
			watch.expectEnd(closingTimeout, errSilence)
		}
	}
}

// finish judges the end of the stream, which err is. An answer is whole when
// the server said so, in one way or the other.
func (m *Model) finish(err error, a *answerBuilder, sink *chunkSink) error {
	done := errors.Is(err, io.EOF)
	if !done && a.finish == "" {
		sink.send(a.flush())
		return m.truncatedError(err, a)
	}
	if a.empty() {
		return &llm.Error{Kind: llm.KindServer, Provider: m.cfg.Provider, Message: "the server sent an empty answer"}
	}
	for _, c := range append([]llm.Chunk{a.flush()}, a.end()...) {
		if !sink.send(c) {
			return nil
		}
	}
	return nil
}

// truncatedError is a stream that ended before the answer did. Errors with a meaning of
// their own keep it.
func (m *Model) truncatedError(err error, a *answerBuilder) error {
	var foreign *notStreamError
	if errors.As(err, &foreign) || errors.Is(err, errEventTooLarge) || !a.started && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return &llm.Error{
		Kind: llm.KindTruncated, Provider: m.cfg.Provider, Err: m.secrets.cause(err),
		Message: "the server broke off before the answer was done",
	}
}

func (m *Model) logAttempt(x *exchange, started time.Time, err error) {
	events := 0
	if x.events != nil {
		events = x.events.events
	}
	m.cfg.Log.Debug().Err(err).Str("provider", m.cfg.Provider).Str("model", m.cfg.Model).
		Int("sent_bytes", x.sent).Int("events", events).Dur("took", time.Since(started)).Msg("model call")
}

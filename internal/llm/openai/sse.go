package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxEvent limits one event, and a response that is not a stream.
const maxEvent = 4 << 20

// maxPreview is how much of a response other than a stream is kept for the error message.
const maxPreview = 4 << 10

var errEventTooLarge = fmt.Errorf("a stream event is larger than %d MiB", maxEvent>>20)

// notStreamError is a response with status 200 that is a web page or plain text.
type notStreamError struct{ preview []byte }

func (e *notStreamError) Error() string { return "the answer is not an event stream" }

// eventReader reads the data of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html). A body that is one JSON document,
// from a server that cannot stream, is one event.
type eventReader struct {
	body    *guardedBody
	src     *bufio.Reader
	long    []byte // a line longer than src's buffer
	data    []byte // of the event that is being read
	preview []byte // lines that are not fields of an event
	events  int    // read so far
	whole   bool   // [DONE] or a whole document was read
	err     error  // error at the end of the body
}

func newEventReader(body *guardedBody) *eventReader {
	return &eventReader{body: body, src: bufio.NewReaderSize(body, 32<<10)}
}

// next returns the data of the next event, which is valid until the next call. After [DONE] or a
// whole document the error is io.EOF, and io.ErrUnexpectedEOF if the body ended before.
func (r *eventReader) next() ([]byte, error) {
	for r.err == nil {
		var line []byte
		line, r.err = r.readLine()
		if r.events == 0 && len(r.data) == 0 && isDocument(line) {
			return r.readDocument(line)
		}
		value, isData := bytes.CutPrefix(line, []byte("data:"))
		switch {
		case isData:
			value = bytes.TrimSpace(value)
			var previous []byte
			// Some servers leave out the blank line between events.
			if (bytes.HasPrefix(value, []byte("{")) || isDone(value)) && complete(r.data) {
				previous = bytes.Clone(r.data)
				r.data = r.data[:0]
			}
			// Between JSON tokens a space is the same as the newline of the standard.
			r.data = append(append(r.data, ' '), value...)
			if len(r.data) > maxEvent {
				r.err, r.data = errEventTooLarge, nil
			}
			if previous != nil {
				return r.event(previous)
			}
		case len(line) > 0:
			r.keepPreview(line)
		case r.err == nil:
			data := r.data
			r.data = r.data[:0]
			if len(bytes.TrimSpace(data)) > 0 {
				return r.event(data)
			}
		}
	}
	switch {
	case complete(r.data):
		data := r.data
		r.data = nil
		return r.event(data)
	case r.whole:
		return nil, io.EOF
	case r.events == 0 && len(r.preview) > 0 && !errors.Is(r.err, errEventTooLarge):
		return nil, &notStreamError{preview: r.preview}
	case errors.Is(r.err, io.EOF):
		return nil, io.ErrUnexpectedEOF
	}
	return nil, r.err
}

// event returns the data of a whole event, or io.EOF for [DONE].
func (r *eventReader) event(data []byte) ([]byte, error) {
	data = bytes.TrimSpace(data)
	if isDone(data) {
		r.whole, r.err = true, io.EOF
		return nil, io.EOF
	}
	r.events++
	return data, nil
}

// readDocument reads a body that is not an event stream: a JSON error, a web page, or the whole answer of a
// server that cannot stream.
func (r *eventReader) readDocument(first []byte) ([]byte, error) {
	body := append(bytes.Clone(first), '\n')
	if r.err == nil {
		var rest []byte
		rest, r.err = io.ReadAll(io.LimitReader(r.src, maxEvent))
		body = append(body, rest...)
	}
	switch {
	case json.Valid(body):
		r.events, r.whole, r.err = 1, true, io.EOF
		return body, nil
	case r.err == nil || errors.Is(r.err, io.EOF):
		r.err = &notStreamError{preview: body[:min(len(body), maxPreview)]}
	}
	return nil, r.err
}

// keepPreview keeps lines that are neither comments nor fields of an event.
func (r *eventReader) keepPreview(line []byte) {
	name, _, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "", "event", "id", "retry":
		return
	}
	if r.events == 0 && len(r.preview) < maxPreview && len(bytes.TrimSpace(line)) > 0 {
		r.preview = append(append(r.preview, line[:min(len(line), maxPreview)]...), '\n')
	}
}

// readLine returns the next line without its end, which is valid until the next call. The text
// before the end of the body is returned together with the error.
func (r *eventReader) readLine() ([]byte, error) {
	r.long = r.long[:0]
	for {
		line, err := r.src.ReadSlice('\n')
		if err != nil || len(r.long) > 0 {
			r.long = append(r.long, line...)
			line = r.long
		}
		switch {
		case len(line) > maxEvent:
			return nil, errEventTooLarge
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		if r.events == 0 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
	}
}

// close reads a finished stream to its end first, because a connection closed early cannot be
// reused.
func (r *eventReader) close() {
	if r.whole {
		r.body.watch.expectEnd(drainTime, errSilence)
		_, _ = io.CopyN(io.Discard, r.src, maxErrorBody) // the answer is already complete
	}
	r.body.Close()
}

func isDocument(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && (line[0] == '{' || line[0] == '[' || line[0] == '<')
}

func isDone(data []byte) bool { return string(data) == "[DONE]" }

func complete(data []byte) bool {
	data = bytes.TrimSpace(data)
	return isDone(data) || json.Valid(data)
}

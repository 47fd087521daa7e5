package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxEvent bounds one event, and a response that is no stream at all.
const maxEvent = 4 << 20

// maxPreview is how much of an answer that is not a stream is kept to say so.
const maxPreview = 4 << 10

var errEventTooLarge = fmt.Errorf("an event of the stream is larger than %d MiB", maxEvent>>20)

// notStreamError is a 200 whose body is something else: a web page, plain text.
type notStreamError struct{ preview []byte }

func (e *notStreamError) Error() string { return "the answer is not an event stream" }

// eventReader reads an event stream as servers really send it and gives it on
// as go-openai's line reader can take it: one "data: {...}\n" for each event
// and nothing else. A body that is one JSON document becomes one event.
//
// It ends with io.EOF after [DONE] or a whole document, with
// io.ErrUnexpectedEOF when the body ended before, else with the read's error.
type eventReader struct {
	src     *bufio.Reader
	pending []byte // the part of out that was not read yet
	out     []byte // what the last line made ready, normalised
	long    []byte // backs a line longer than src's buffer
	data    []byte // the data lines of the current event, joined
	lines   int    // how many those are
	events  int    // given on so far
	preview []byte // what came instead of events
	err     error  // what follows pending
}

func newEventReader(body io.Reader) *eventReader {
	return &eventReader{src: bufio.NewReaderSize(body, 32<<10)}
}

// Read gives on the next event, or as much of it as fits.
func (r *eventReader) Read(p []byte) (int, error) {
	for len(r.pending) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.out = r.out[:0]
		r.advance()
		r.pending = r.out
	}
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}

// advance takes one line in.
func (r *eventReader) advance() {
	line, err := r.readLine()
	if err != nil {
		r.finish(line, err)
		return
	}
	if r.events == 0 && r.lines == 0 && isDocument(line) {
		r.document(line)
		return
	}
	r.take(line)
}

// take handles one whole line. Comments, other fields and a byte order mark
// carry nothing for us.
func (r *eventReader) take(line []byte) {
	if len(line) == 0 {
		r.dispatch()
		return
	}
	value, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok {
		r.keepPreview(line)
		return
	}
	// Some servers leave out the blank line between events.
	value = bytes.TrimSpace(value)
	if r.lines > 0 && opensEvent(value) && complete(r.data) {
		r.dispatch()
	}
	if r.lines > 0 {
		// The standard says newline; between JSON tokens a space is the same
		// and keeps the event on one line.
		r.data = append(r.data, ' ')
	}
	r.data = append(r.data, value...)
	r.lines++
	if len(r.data) > maxEvent {
		r.err = errEventTooLarge
	}
}

func (r *eventReader) dispatch() {
	data := bytes.TrimSpace(r.data)
	r.data, r.lines = r.data[:0], 0
	if len(data) == 0 || r.err != nil {
		return
	}
	r.out = append(r.out, "data: "...)
	if rest, ok := bytes.CutPrefix(data, []byte("{")); ok {
		// go-openai takes events that open with {"error": out of the stream and
		// keeps little of them; a space inside the brace leaves them to us.
		r.out = append(r.out, "{ "...)
		data = rest
	} else if isDone(data) {
		r.err = io.EOF
	}
	r.out = append(append(r.out, data...), '\n')
	r.events++
}

// finish handles the end of the body, with what stood after the last newline.
func (r *eventReader) finish(rest []byte, err error) {
	switch {
	case r.events == 0 && r.lines == 0 && isDocument(rest):
		r.document(rest)
		return
	case len(rest) > 0 && !errors.Is(err, errEventTooLarge):
		r.take(rest)
	}
	if r.err == nil && complete(bytes.TrimSpace(r.data)) {
		r.dispatch()
	}
	switch {
	case r.err != nil: // [DONE] was the last line, or the event grew too large
	case r.events == 0 && len(bytes.TrimSpace(r.preview)) > 0:
		r.err = &notStreamError{preview: r.preview}
	case errors.Is(err, io.EOF):
		r.err = io.ErrUnexpectedEOF
	default:
		r.err = err
	}
}

// document reads a body that is no event stream: a JSON error, a web page, or
// the whole answer of a server that cannot stream.
func (r *eventReader) document(first []byte) {
	body := bytes.Clone(first)
	rest, err := io.ReadAll(io.LimitReader(r.src, maxEvent))
	body = append(append(body, '\n'), rest...)
	var flat bytes.Buffer
	if json.Compact(&flat, body) != nil {
		r.err = &notStreamError{preview: body[:min(len(body), maxPreview)]}
		if err != nil {
			r.err = err
		}
		return
	}
	r.data = append(r.data[:0], flat.Bytes()...)
	r.dispatch()
	r.err = io.EOF
}

func (r *eventReader) keepPreview(line []byte) {
	if r.events == 0 && line[0] != ':' && len(r.preview) < maxPreview && !isField(line) {
		r.preview = append(append(r.preview, line[:min(len(line), maxPreview)]...), '\n')
	}
}

// readLine returns the next line without its end. It is valid until the next
// call. What stands before the end of the body comes together with the error.
func (r *eventReader) readLine() ([]byte, error) {
	r.long = r.long[:0]
	for {
		part, err := r.src.ReadSlice('\n')
		if err == nil && len(r.long) == 0 {
			return r.trim(part), nil
		}
		r.long = append(r.long, part...)
		switch {
		case len(r.long) > maxEvent:
			return nil, errEventTooLarge
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return r.trim(r.long), err
		}
	}
}

func (r *eventReader) trim(line []byte) []byte {
	if r.events == 0 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

func isDocument(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && (line[0] == '{' || line[0] == '[' || line[0] == '<')
}

func isField(line []byte) bool {
	for _, name := range []string{"event:", "id:", "retry:"} {
		if bytes.HasPrefix(line, []byte(name)) {
			return true
		}
	}
	return false
}

func opensEvent(data []byte) bool { return bytes.HasPrefix(data, []byte("{")) || isDone(data) }

func isDone(data []byte) bool { return string(data) == "[DONE]" }

func complete(data []byte) bool { return isDone(data) || json.Valid(data) }

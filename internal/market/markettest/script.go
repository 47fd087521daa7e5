package markettest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Script maps paths to the server's responses: "/v1/quote?symbol=A" for one query, "/v1/quote" for all
// others. The host is ignored. A path without a response yields a 404. It is safe for concurrent use.
type Script struct {
	mu       sync.Mutex
	answers  map[string][]Response
	requests []*http.Request
}

// NewScript returns a script with one repeating response for each path.
func NewScript(answers map[string]Response) *Script {
	s := &Script{answers: make(map[string][]Response, len(answers))}
	for path, a := range answers {
		s.answers[path] = []Response{a}
	}
	return s
}

// Respond sets the responses of a path, in order; the last one repeats.
func (s *Script) Respond(path string, answers ...Response) *Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[path] = answers
	return s
}

// Requests returns the requests so far, in their order, without bodies.
func (s *Script) Requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.requests...)
}

// nextResponse records the request and returns its response.
func (s *Script) nextResponse(r *http.Request) Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Clone(context.WithoutCancel(r.Context())))
	for _, path := range []string{r.URL.RequestURI(), r.URL.Path} {
		switch answers := s.answers[path]; len(answers) {
		case 0:
		case 1:
			return answers[0]
		default:
			s.answers[path] = answers[1:]
			return answers[0]
		}
	}
	return Response{Status: http.StatusNotFound, Body: []byte("not in the script")}
}

// errRefused is the error for a refused connection.
var errRefused = errors.New("connection refused")

// RoundTrip responds in memory.
func (s *Script) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	a := s.nextResponse(r)
	switch a.Fault {
	case FaultRefused:
		return nil, errRefused
	case FaultSilent:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	header, body := a.encoded()
	res := &http.Response{
		Status: http.StatusText(a.status()), StatusCode: a.status(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Request: r, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
	}
	if a.Fault == FaultStalled || a.Fault == FaultCut {
		res.Body = &partialBody{Reader: bytes.NewReader(body[:len(body)/2]), ctx: r.Context(), stall: a.Fault == FaultStalled}
	}
	return res, nil
}

// partialBody is a body that ends early or never ends.
type partialBody struct {
	*bytes.Reader
	ctx   context.Context
	stall bool
}

func (h *partialBody) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if !h.stall {
		return n, io.ErrUnexpectedEOF
	}
	<-h.ctx.Done()
	return n, h.ctx.Err()
}

func (h *partialBody) Close() error { return nil }

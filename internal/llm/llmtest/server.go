package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
)

// Server is an OpenAI-compatible server on loopback. It answers each request to
// /v1/chat/completions or /v1/responses with the next reply and records the requests. A request beyond the last
// reply gets a 400.
type Server struct {
	// URL is the base URL for clients: http://127.0.0.1:PORT/v1.
	URL string

	http   *httptest.Server
	closed chan struct{}
	close  sync.Once

	mu       sync.Mutex
	replies  []Reply
	requests []Received
}

// Received is a received request.
type Received struct {
	Header http.Header
	Body   json.RawMessage
}

// Reply answers one request. It returns when the client goes away or the
// server is closed, at the latest.
type Reply func(w http.ResponseWriter, r *http.Request)

// StartServer starts a server; Close ends it.
func StartServer(replies ...Reply) *Server {
	s := &Server{replies: replies, closed: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.answer)
	mux.HandleFunc("POST /v1/responses", s.answer)
	mux.HandleFunc("GET /props", func(w http.ResponseWriter, _ *http.Request) { writeProps(w) })
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// Close ends the server, and the replies that are still waiting.
func (s *Server) Close() {
	s.close.Do(func() {
		close(s.closed)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// Add appends further replies.
func (s *Server) Add(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Requests returns the requests so far.
func (s *Server) Requests() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply, n := s.next(Received{Header: r.Header.Clone(), Body: body})
	if reply == nil {
		Status(http.StatusBadRequest, fmt.Sprintf("no reply is scripted for request %d", n))(w, r)
		return
	}
	ctx, cancel := contextUntil(r.Context(), s.closed)
	defer cancel()
	reply(w, r.WithContext(ctx))
	if ctx.Err() != nil {
		// Returning would turn a reply that was still waiting into an empty 200.
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) next(got Received) (Reply, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, got)
	n := len(s.requests)
	if n > len(s.replies) {
		return nil, n
	}
	return s.replies[n-1], n
}

// writeProps reports the size of the context window, as llama.cpp does.
func writeProps(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"default_generation_settings":{"n_ctx":131072}}`)
}

package llmtest

import (
	"net/http"
	"slices"
	"strings"
)

// Answer plays t as a well-behaved server would.
func Answer(t Turn) Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		opening, closing := openingEvents(t), append(closingEvents(t), "[DONE]")
		if forResponses(r) {
			opening, closing = openingResponseEvents(t), closingResponseEvents(t)
		}
		startStream(w)
		for _, e := range opening {
			send(w, sse(e))
		}
		if t.Hold != nil {
			select {
			case <-t.Hold:
			case <-r.Context().Done():
				return
			}
		}
		send(w, sse(closing...))
	}
}

// Answers returns an Answer for each turn.
func Answers(turns ...Turn) []Reply {
	out := make([]Reply, len(turns))
	for i, t := range turns {
		out[i] = Answer(t)
	}
	return out
}

// Stream sends body unchanged, with status 200, as an event stream.
func Stream(body string) Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		startStream(w)
		send(w, body)
	}
}

// Page sends body with a status and content type.
func Page(status int, contentType, body string) Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		send(w, body)
	}
}

// Status refuses with an error object, with further headers in pairs of name
// and value.
func Status(status int, message string, headers ...string) Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		for pair := range slices.Chunk(headers, 2) {
			w.Header().Set(pair[0], pair[1])
		}
		Page(status, "application/json", mustJSON(object{"error": object{"message": message}}))(w, r)
	}
}

// Unauthorized returns a 401 that quotes the refused key, as real servers do.
func Unauthorized() Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		Status(http.StatusUnauthorized, "Incorrect API key provided: "+key)(w, r)
	}
}

// Cut plays the first n events of t and closes the connection cleanly.
func Cut(t Turn, n int) Reply { return Stream(sse(Events(t)[:n]...)) }

// CutInLine works like Cut in the middle of event n, by breaking the connection.
func CutInLine(t Turn, n int) Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		events := Events(t)
		startStream(w)
		send(w, sse(events[:n]...)+"data: "+events[n][:len(events[n])/2])
		// This is the only way to break a connection from within a handler.
		panic(http.ErrAbortHandler)
	}
}

// Silence sends the headers and the first n events of t, then nothing until the
// client goes away.
func Silence(t Turn, n int) Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		startStream(w)
		send(w, sse(Events(t)[:n]...))
		<-r.Context().Done()
	}
}

// Endless repeats t's first piece of text until the client disconnects.
func Endless(t Turn) Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		startStream(w)
		// Long enough to fill a read, so that the client does not wait to collect small pieces.
		chunk := sse(delta(object{"content": strings.Repeat(t.Text[0], 10_000)}))
		for r.Context().Err() == nil {
			send(w, chunk)
		}
	}
}

// NoResponse accepts the request and sends nothing at all.
func NoResponse() Reply {
	return func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
}

func startStream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send(w, "")
}

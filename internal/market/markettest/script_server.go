package markettest

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// Serve serves the script on loopback until the test ends and returns the base URL.
func Serve(t testing.TB, s *Script) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// ServeHTTP responds over a connection.
func (s *Script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := s.nextResponse(r)
	switch a.Fault {
	case FaultRefused:
		panic(http.ErrAbortHandler) // closes the connection without a response
	case FaultSilent:
		<-r.Context().Done()
		return
	}
	header, body := a.encoded()
	for name, values := range header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status())
	if a.Fault != FaultStalled && a.Fault != FaultCut {
		_, _ = w.Write(body) // the client may have disconnected
		return
	}
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	if a.Fault == FaultCut {
		panic(http.ErrAbortHandler)
	}
	<-r.Context().Done()
}

package files_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func TestCheck_TellsHowAnAddressAnswered(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/v1", http.StatusPermanentRedirect)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-RateLimit-Remaining", "7")
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"status":"down","error":"maintenance"}`)
	})
	got, err := newTestClient(t, s, files.WebOptions{}).Check(t.Context(), http.MethodGet, "http://example.com/old")
	if err != nil {
		t.Fatal(err)
	}
	want := files.URLProbe{
		URL: "http://example.com/v1", Redirects: []files.Redirect{{URL: "http://example.com/old", Status: 308}}, Status: 503, StatusText: "Service Unavailable",
		Kind: "application/json", Bytes: 39, RetryAfter: "5", Limits: []string{"X-Ratelimit-Remaining: 7"}, JSON: "valid",
		Fields: []string{"error", "status"}, Beginning: `{"status":"down","error":"maintenance"}`,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(files.URLProbe{}, "Latency")); diff != "" || got.Latency <= 0 {
		t.Errorf("Check took %s (-want +got):\n%s", got.Latency, diff)
	}
}

func TestCheck_OfJSONWhatItIs(t *testing.T) {
	for body, want := range map[string]string{`{"a":1}`: "valid a", `[1]`: "valid ", `{"a":`: "invalid ", "<html>": "invalid ", "": " "} {
		got, err := newAnsweringClient(t, "application/json", body).Check(t.Context(), http.MethodGet, "http://example.com/")
		if text := got.JSON + " " + strings.Join(got.Fields, ","); err != nil || text != want {
			t.Errorf("Check of %q = %q, %v; want %q", body, text, err, want)
		}
	}
}

func TestCheck_ReadsAndNothingElse(t *testing.T) {
	asked := ""
	s := newServer(t, func(_ http.ResponseWriter, r *http.Request) { asked += r.Method + " " })
	c := newTestClient(t, s, files.WebOptions{})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "", "get"} {
		if _, err := c.Check(t.Context(), method, "http://example.com/"); !errors.Is(err, files.ErrURLRefused) {
			t.Errorf("Check with %q = %v, want it refused", method, err)
		}
	}
	if got, err := c.Check(t.Context(), http.MethodHead, "http://example.com/"); err != nil || got.Status != 200 || asked != "HEAD " {
		t.Errorf("Check with HEAD = %+v, %v; asked %s", got, err, asked)
	}
	if _, err := c.Check(t.Context(), http.MethodGet, "http://127.0.0.1/"); !errors.Is(err, files.ErrURLRefused) {
		t.Errorf("Check of this computer = %v, want it refused", err)
	}
}

func newTLSServer(t *testing.T, adjust func(*tls.Config)) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
		}
	}))
	s.TLS = &tls.Config{}
	adjust(s.TLS)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return s, pool
}

func TestCheck_CertificatesAreCheckedAndTold(t *testing.T) {
	s, pool := newTLSServer(t, func(*tls.Config) {})
	got, err := newTestClient(t, s, files.WebOptions{Roots: pool}).Check(t.Context(), http.MethodGet, "https://example.com/")
	if err != nil || got.TLS != "1.3" || !got.Certificate.Equal(s.Certificate().NotAfter) {
		t.Errorf("Check = %+v, %v; want TLS 1.3 until %s", got, err, s.Certificate().NotAfter)
	}
	if _, err := newTestClient(t, s, files.WebOptions{}).Check(t.Context(), http.MethodGet, "https://example.com/"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("Check of an unknown issuer = %v, want the certificate refused", err)
	}
	if _, err := newTestClient(t, s, files.WebOptions{Roots: pool}).Get(t.Context(), "https://example.com/down"); !errors.Is(err, files.ErrURLRefused) {
		t.Errorf("Get with a redirect to http:// = %v, want it refused", err)
	}
	old, pool := newTLSServer(t, func(c *tls.Config) { c.MaxVersion = tls.VersionTLS11; c.MinVersion = tls.VersionTLS10 })
	if _, err := newTestClient(t, old, files.WebOptions{Roots: pool}).Get(t.Context(), "https://example.com/"); err == nil {
		t.Error("Get over TLS 1.1 = nil error")
	}
}

func TestCheck_WithoutAnAnswerTheErrorSaysWhy(t *testing.T) {
	s := newServer(t, func(http.ResponseWriter, *http.Request) {})
	c := newTestClient(t, s, files.WebOptions{})
	s.Close()
	got, err := c.Check(t.Context(), http.MethodGet, "http://example.com/?q=private")
	if err == nil || errors.Is(err, files.ErrURLRefused) || got.Status != 0 || strings.Contains(err.Error(), "private") {
		t.Errorf("Check of a closed port = %+v, %v; want the cause without the address", got, err)
	}
}

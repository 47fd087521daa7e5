package files_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

// newAnsweringClient returns a client whose server answers with this type and body.
func newAnsweringClient(t testing.TB, contentType, body string) *files.WebClient {
	return newTestClient(t, newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // sends no type if none is given
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		fmt.Fprint(w, body)
	}), files.WebOptions{})
}

func gzipBytes(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGet_TextComesAsItIs(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"application/json", `{"a": [1, 2]}`, `{"a": [1, 2]}`}, {"text/csv; charset=utf-8", "a,b\n1,2\n", "a,b\n1,2\n"},
		{"application/vnd.api+json", "{}", "{}"}, {"text/plain; charset=iso-8859-1", "caf\xe9", "café"}, {"", "plain words", "plain words"},
		{"text/plain; charset=utf-16le", "h\x00i\x00", "hi"}, {"text/plain; charset=utf-8", "\ufeffbom", "bom"}, {"text/plain; charset=utf-8", "a\xffb", "a\ufffdb"},
	} {
		page, err := newAnsweringClient(t, c.kind, c.body).Get(t.Context(), "http://example.com/")
		if err != nil || page.Text != c.want || page.Bytes != len(c.body) || page.Cut {
			t.Errorf("Get of %s %q = %+v, %v; want %q", c.kind, c.body, page, err, c.want)
		}
	}
}

func TestGet_WhatIsNoTextIsRefusedByName(t *testing.T) {
	for _, c := range []struct{ kind, body, says string }{
		{"application/pdf", "%PDF-1.7", "application/pdf"}, {"image/png", "\x89PNG", "image/png"}, {"application/octet-stream", "x", "octet-stream"},
		{"", "\x1f\x8b\x08\x00\x00", "gzip"}, {"text/plain", "a\x00b", "its declared type"},
	} {
		_, err := newAnsweringClient(t, c.kind, c.body).Get(t.Context(), "http://example.com/")
		if !errors.Is(err, files.ErrNotTextPage) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Get of %s = %v, want ErrNotText with %s", c.kind, err, c.says)
		}
	}
}

func TestGet_LongBodiesAreCut(t *testing.T) {
	long := strings.Repeat("word ", files.MaxPageBytes/5+100)
	page, err := newAnsweringClient(t, "text/plain", long).Get(t.Context(), "http://example.com/")
	if err != nil || !page.Cut || page.Bytes != files.MaxPageBytes || len(page.Text) != files.MaxPageBytes {
		t.Errorf("Get of %d bytes = %d, cut %v, %v; want %d and cut", len(long), page.Bytes, page.Cut, err, files.MaxPageBytes)
	}
}

func TestGet_AnEndlessBodyEnds(t *testing.T) {
	c := newTestClient(t, newServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for r.Context().Err() == nil {
			if _, err := w.Write(bytes.Repeat([]byte("more "), 10_000)); err != nil {
				return
			}
		}
	}), files.WebOptions{})
	if page, err := c.Get(t.Context(), "http://example.com/"); err != nil || !page.Cut || page.Bytes != files.MaxPageBytes {
		t.Errorf("Get = %d bytes, cut %v, %v", page.Bytes, page.Cut, err)
	}
}

func TestGet_PackedBodies(t *testing.T) {
	bomb := gzipBytes(t, make([]byte, 16*files.MaxPageBytes))
	if len(bomb) > 300<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	// Members without content: unpacking never ends and never returns a byte.
	empty := bytes.Repeat(gzipBytes(t, nil), 3*files.MaxPageBytes/20)
	for name, c := range map[string]struct {
		encoding string
		data     []byte
		check    func(files.WebPage, error) bool
	}{
		"gzip":    {"gzip", gzipBytes(t, []byte("hello")), func(p files.WebPage, err error) bool { return err == nil && p.Text == "hello" }},
		"nothing": {"gzip", nil, func(p files.WebPage, err error) bool { return err == nil && p.Text == "" }},
		"bomb": {"gzip", bomb, func(p files.WebPage, err error) bool {
			return errors.Is(err, files.ErrNotTextPage) || p.Bytes <= files.MaxPageBytes
		}},
		"hollow":    {"gzip", empty, func(p files.WebPage, err error) bool { return err == nil && p.Cut }},
		"broken":    {"gzip", []byte("not gzip at all"), func(_ files.WebPage, err error) bool { return err != nil }},
		"torn":      {"gzip", gzipBytes(t, []byte(strings.Repeat("hello", 1000)))[:30], func(_ files.WebPage, err error) bool { return err != nil }},
		"unasked":   {"br", []byte("xx"), func(_ files.WebPage, err error) bool { return err != nil && strings.Contains(err.Error(), "br") }},
		"unchanged": {"identity", []byte("hello"), func(p files.WebPage, err error) bool { return err == nil && p.Text == "hello" }},
	} {
		t.Run(name, func(t *testing.T) {
			client := newTestClient(t, newServer(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				w.Header().Set("Content-Encoding", c.encoding)
				_, _ = w.Write(c.data)
			}), files.WebOptions{})
			if page, err := client.Get(t.Context(), "http://example.com/"); !c.check(page, err) {
				t.Errorf("Get = %d bytes %.20q, cut %v, %v", page.Bytes, page.Text, page.Cut, err)
			}
		})
	}
}

func TestGet_SlowServersAreLeft(t *testing.T) {
	for name, begin := range map[string]func(http.ResponseWriter){
		"silent":   func(http.ResponseWriter) {},
		"dripping": func(w http.ResponseWriter) { w.WriteHeader(200); _ = http.NewResponseController(w).Flush() },
	} {
		t.Run(name, func(t *testing.T) {
			c := newTestClient(t, newServer(t, func(w http.ResponseWriter, r *http.Request) {
				begin(w)
				<-r.Context().Done()
			}), files.WebOptions{Timeout: 30 * time.Millisecond})
			if _, err := c.Get(t.Context(), "http://example.com/"); !errors.Is(err, files.ErrWebTimeout) {
				t.Errorf("Get = %v, want ErrTimeout", err)
			}
		})
	}
}

func TestGet_AStatusIsNoPage(t *testing.T) {
	c := newTestClient(t, newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30 "+strings.Repeat("x", 10_000))
		http.Error(w, "slow down", http.StatusTooManyRequests)
	}), files.WebOptions{})
	_, err := c.Get(t.Context(), "http://example.com/")
	var status *files.HTTPStatusError
	if !errors.As(err, &status) || status.Code != 429 || !strings.Contains(err.Error(), "429 Too Many Requests, retry after 30") || len(err.Error()) > 500 {
		t.Errorf("Get = %v, want the status and when to ask again, in a line", err)
	}
}

func TestGet_ManyHeadersAreRefused(t *testing.T) {
	c := newTestClient(t, newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
	}), files.WebOptions{})
	if _, err := c.Get(t.Context(), "http://example.com/"); err == nil {
		t.Error("Get of a megabyte of headers = nil error")
	}
}

package web_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/web"
)

// answering is a client whose server answers with this type and body.
func answering(t testing.TB, contentType, body string) *web.Client {
	return world(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // and none where none is given
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		fmt.Fprint(w, body)
	}), web.Options{})
}

func zipped(t testing.TB, data []byte) []byte {
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
		page, err := answering(t, c.kind, c.body).Get(t.Context(), "http://example.com/")
		if err != nil || page.Text != c.want || page.Bytes != len(c.body) || page.Cut {
			t.Errorf("Get of %s %q = %+v, %v; want %q", c.kind, c.body, page, err, c.want)
		}
	}
}

func TestGet_WhatIsNoTextIsRefusedByName(t *testing.T) {
	for _, c := range []struct{ kind, body, says string }{
		{"application/pdf", "%PDF-1.7", "application/pdf"}, {"image/png", "\x89PNG", "image/png"}, {"application/octet-stream", "x", "octet-stream"},
		{"", "\x1f\x8b\x08\x00\x00", "gzip"}, {"text/plain", "a\x00b", "whatever it is called"},
	} {
		_, err := answering(t, c.kind, c.body).Get(t.Context(), "http://example.com/")
		if !errors.Is(err, web.ErrNotText) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Get of %s = %v, want ErrNotText with %s", c.kind, err, c.says)
		}
	}
}

func TestGet_LongBodiesAreCut(t *testing.T) {
	long := strings.Repeat("word ", web.MaxBytes/5+100)
	page, err := answering(t, "text/plain", long).Get(t.Context(), "http://example.com/")
	if err != nil || !page.Cut || page.Bytes != web.MaxBytes || len(page.Text) != web.MaxBytes {
		t.Errorf("Get of %d bytes = %d, cut %v, %v; want %d and cut", len(long), page.Bytes, page.Cut, err, web.MaxBytes)
	}
}

func TestGet_AnEndlessBodyEnds(t *testing.T) {
	c := world(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for r.Context().Err() == nil {
			if _, err := w.Write(bytes.Repeat([]byte("more "), 10_000)); err != nil {
				return
			}
		}
	}), web.Options{})
	if page, err := c.Get(t.Context(), "http://example.com/"); err != nil || !page.Cut || page.Bytes != web.MaxBytes {
		t.Errorf("Get = %d bytes, cut %v, %v", page.Bytes, page.Cut, err)
	}
}

func TestGet_PackedBodies(t *testing.T) {
	bomb := zipped(t, make([]byte, 16*web.MaxBytes))
	if len(bomb) > 300<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	// Members without content: endless to unpack, without ever giving a byte.
	empty := bytes.Repeat(zipped(t, nil), 3*web.MaxBytes/20)
	for name, c := range map[string]struct {
		encoding string
		data     []byte
		check    func(web.Page, error) bool
	}{
		"gzip":      {"gzip", zipped(t, []byte("hello")), func(p web.Page, err error) bool { return err == nil && p.Text == "hello" }},
		"nothing":   {"gzip", nil, func(p web.Page, err error) bool { return err == nil && p.Text == "" }},
		"bomb":      {"gzip", bomb, func(p web.Page, err error) bool { return errors.Is(err, web.ErrNotText) || p.Bytes <= web.MaxBytes }},
		"hollow":    {"gzip", empty, func(p web.Page, err error) bool { return err == nil && p.Cut }},
		"broken":    {"gzip", []byte("not gzip at all"), func(_ web.Page, err error) bool { return err != nil }},
		"torn":      {"gzip", zipped(t, []byte(strings.Repeat("hello", 1000)))[:30], func(_ web.Page, err error) bool { return err != nil }},
		"unasked":   {"br", []byte("xx"), func(_ web.Page, err error) bool { return err != nil && strings.Contains(err.Error(), "br") }},
		"unchanged": {"identity", []byte("hello"), func(p web.Page, err error) bool { return err == nil && p.Text == "hello" }},
	} {
		t.Run(name, func(t *testing.T) {
			client := world(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				w.Header().Set("Content-Encoding", c.encoding)
				_, _ = w.Write(c.data)
			}), web.Options{})
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
			c := world(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				begin(w)
				<-r.Context().Done()
			}), web.Options{Timeout: 30 * time.Millisecond})
			if _, err := c.Get(t.Context(), "http://example.com/"); !errors.Is(err, web.ErrTimeout) {
				t.Errorf("Get = %v, want ErrTimeout", err)
			}
		})
	}
}

func TestGet_AStatusIsNoPage(t *testing.T) {
	c := world(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30 "+strings.Repeat("x", 10_000))
		http.Error(w, "slow down", http.StatusTooManyRequests)
	}), web.Options{})
	_, err := c.Get(t.Context(), "http://example.com/")
	var status *web.StatusError
	if !errors.As(err, &status) || status.Code != 429 || !strings.Contains(err.Error(), "429 Too Many Requests, ask again after 30") || len(err.Error()) > 500 {
		t.Errorf("Get = %v, want the status and when to ask again, in a line", err)
	}
}

func TestGet_ManyHeadersAreRefused(t *testing.T) {
	c := world(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
	}), web.Options{})
	if _, err := c.Get(t.Context(), "http://example.com/"); err == nil {
		t.Error("Get of a megabyte of headers = nil error")
	}
}

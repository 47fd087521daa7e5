package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// These are faults of the connection, so the test uses real connections.
func TestGet_AHostileServerIsBoundedInTimeAndMemory(t *testing.T) {
	bomb := new(bytes.Buffer)
	packed := gzip.NewWriter(bomb)
	for range 64 {
		if _, err := packed.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	for name, serve := range map[string]http.HandlerFunc{
		"endless pieces": func(w http.ResponseWriter, r *http.Request) {
			for piece := bytes.Repeat([]byte("[1,"), 1<<14); r.Context().Err() == nil; {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
		"a gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		},
		"headers without end": func(w http.ResponseWriter, _ *http.Request) {
			for i := range 12 {
				w.Header().Set(fmt.Sprintf("X-Flood-%d", i), strings.Repeat("x", 1<<20))
			}
		},
		"redirects without end": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/"+r.URL.RawQuery+"?x"+r.URL.RawQuery, http.StatusFound)
		},
		"a longer body promised": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			_, _ = io.WriteString(w, "{}")
		},
		"two lengths": func(w http.ResponseWriter, _ *http.Request) {
			raw, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer raw.Close()
			_, _ = io.WriteString(raw, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 99\r\n\r\n{}")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(serve)
			defer server.Close()
			p := fastPolicy
			p.MaxBytes = 1 << 20
			r := quote()
			r.URL = server.URL + "/"
			// A separate client, so that its connections end with the test.
			own := &http.Transport{}
			defer own.CloseIdleConnections()
			began := time.Now()
			_, err := source(own, p).Get(t.Context(), r)
			if !errors.Is(err, market.ErrUnavailable) && !errors.Is(err, market.ErrMalformed) {
				t.Errorf("Get = %v, want no answer", err)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

// slowBody is a body that delivers one byte per second.
type slowBody struct{ ctx context.Context }

func (d slowBody) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

func TestTimeout_IsNotPutOffByASlowDrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := source(transport(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(slowBody{r.Context()})}, nil
		}), fastPolicy).Get(t.Context(), quote())
		if took := time.Since(began); !errors.Is(err, market.ErrUnavailable) || took != 15*time.Second {
			t.Errorf("Get = %v after %v, want no response within the 15 seconds of a policy", err, took)
		}
	})
}

// A redirect must not send a request, or its key, to the user's own machine or network, or to a file.
func TestGet_ARedirectIntoTheUsersNetworkIsNotFollowed(t *testing.T) {
	for _, to := range []string{
		"http://127.0.0.1/quote", "https://127.0.0.1/quote", "https://localhost/quote", "http://169.254.169.254/latest/meta-data/", "https://[::1]/quote",
		"https://10.0.0.1/", "https://2130706433/", "https://data.example.evil.example/", "https://data.example@evil.example/", "file:///etc/passwd",
		"http://data.example/quote", "gopher://data.example/", "//evil.example/quote", "https://data.example\\@evil.example/", "javascript:alert(1)",
	} {
		script := markettest.NewScript(map[string]markettest.Response{"/quote": {Status: 302, Header: http.Header{"Location": {to}}}})
		p := fastPolicy
		p.Header = http.Header{"Authorization": {"Bearer canary-7c1d"}}
		_, err := source(script, p).Get(t.Context(), quote())
		if n := len(script.Requests()); n != 1 || !errors.Is(err, market.ErrUnavailable) {
			t.Errorf("to %s: %d requests, %v; want one, and no answer", to, n, err)
		}
	}
}

// Otherwise one invalid tag would make its request fail as long as the file exists.
func TestKeep_ATagThatNoRequestMayCarryIsNotSent(t *testing.T) {
	for name, tag := range map[string]string{"control characters": "\"a\x01b\"", "a line end": "a\r\nHost: evil", "sixty kilobytes": strings.Repeat("t", 60<<10)} {
		d := newFixture(t)
		first := body("1")
		first.Header = http.Header{"Etag": {tag}, "Last-Modified": {tag}}
		d.script.Respond("/quote", first, body("2"))
		got(t, d, cacheableRequest())
		d.now = d.now.Add(time.Hour)
		if again := got(t, d, cacheableRequest()); again != `{"n":2}` {
			t.Errorf("%s: the next answer is %s, want the server's", name, again)
		}
		for _, r := range d.script.Requests() {
			if r.Header.Get("If-None-Match")+r.Header.Get("If-Modified-Since") != "" {
				t.Errorf("%s: sent %.40q", name, r.Header.Get("If-None-Match"))
			}
		}
	}
}

func TestKeep_ALongRunStaysWithinItsLimit(t *testing.T) {
	d := newFixture(t, markettest.Response{Body: bytes.Repeat([]byte("["), 4000)})
	const limit = 40_000
	s := client.New(client.Options{Dir: d.dir, Transport: d.script, MaxDisk: limit}).Source(fastPolicy)
	for i := range 40 {
		r := cacheableRequest()
		r.URL += fmt.Sprintf("?page=%d", i)
		if _, err := s.Get(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(filepath.Join(d.dir, "http"))
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > limit+limit/10+5000 {
		t.Errorf("40 answers of 4000 bytes leave %d bytes, want about %d", size, limit)
	}
}

// The links were made by someone with write access to the folder. Nothing outside of it may be changed.
func TestKeep_LinksInTheFolderLeadNowhere(t *testing.T) {
	d := newFixture(t, body("1"), body("2"))
	got(t, d, cacheableRequest())
	outside := filepath.Join(t.TempDir(), "diary")
	write(t, outside, "mine")
	path := d.file(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, path); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if answer := got(t, d, cacheableRequest()); answer != `{"n":2}` {
		t.Errorf("answer %s, want the server's", answer)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "mine" {
		t.Errorf("what the link leads to is now %q, %v", text, err)
	}
}

func TestGet_ACheckThatPanicsIsAMalformedAnswer(t *testing.T) {
	d := newFixture(t, body("1"))
	panics := func([]byte) (int, error) {
		var none []int
		return none[7], nil
	}
	if _, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), panics); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Parsed = %v, want ErrMalformed", err)
	}
	got(t, d, cacheableRequest()) // caches it, for a parser with another error
	if _, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), panics); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Parsed of a kept answer = %v, want ErrMalformed", err)
	}
}

package client_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// fixture is a client with a cache folder and an adjustable clock.
type fixture struct {
	dir    string
	now    time.Time
	script *markettest.Script
	log    bytes.Buffer
}

func newFixture(t testing.TB, answers ...markettest.Response) *fixture {
	return &fixture{dir: t.TempDir(), now: time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC), script: markettest.NewScript(nil).Respond("/quote", answers...)}
}

// source returns the source of a newly started process.
func (d *fixture) source() *client.Source {
	return client.New(client.Options{
		Dir: d.dir, Transport: d.script, Now: func() time.Time { return d.now }, Log: zerolog.New(&d.log).Level(zerolog.WarnLevel),
	}).Source(fastPolicy)
}

func (d *fixture) file(t testing.TB) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, "http", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept files: %v, %v, want one", files, err)
	}
	return files[0]
}

func cacheableRequest() client.Request {
	r := quote()
	r.Fresh, r.Stale = 15*time.Minute, 24*time.Hour
	return r
}

func body(s string) markettest.Response { return markettest.JSONResponse(`{"n":` + s + `}`) }

// got describes a response by its body and whether it is cached.
func got(t *testing.T, d *fixture, r client.Request) string {
	t.Helper()
	answer, err := d.source().Get(t.Context(), r)
	if err != nil {
		return "error: " + err.Error()
	}
	if answer.Status != 200 {
		t.Errorf("status %d of a good answer", answer.Status)
	}
	return strings.TrimSpace(string(answer.Body) + " " + string(answer.Cache))
}

func TestKeep_FreshThenAskedThenStandingIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFixture(t, body("1"), body("2"), markettest.Response{Status: 503})
		steps := []struct {
			after time.Duration
			want  string
		}{
			{0, `{"n":1}`}, {14 * time.Minute, `{"n":1} hit`}, {2 * time.Minute, `{"n":2}`},
			{16 * time.Minute, `{"n":2} stale`}, {23 * time.Hour, `{"n":2} stale`},
			{2 * time.Hour, "error: quote of AAPL from example: source unavailable: status 503"},
		}
		for i, step := range steps {
			d.now = d.now.Add(step.after)
			if text := got(t, d, cacheableRequest()); text != step.want {
				t.Errorf("step %d: %s, want %s", i+1, text, step.want)
			}
		}
	})
}

func TestKeep_WhatStandsInKeepsItsAge(t *testing.T) {
	d := newFixture(t, body("1"), markettest.Response{Status: 500})
	first := d.now
	got(t, d, cacheableRequest())
	d.now = d.now.Add(time.Hour)
	answer, err := d.source().Get(t.Context(), cacheableRequest())
	if err != nil || !answer.FetchedAt.Equal(first) || answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("Get = fetched %v with %v, %v, want %v", answer.FetchedAt, answer.Header, err, first)
	}
}

func TestKeep_ARefusalOfTheSourceIsNotCoveredUp(t *testing.T) {
	for _, status := range []int{401, 403, 404, 422} {
		d := newFixture(t, body("1"), markettest.Response{Status: status})
		got(t, d, cacheableRequest())
		d.now = d.now.Add(time.Hour)
		if text := got(t, d, cacheableRequest()); !strings.HasPrefix(text, "error") {
			t.Errorf("after a %d: %s, want the error", status, text)
		}
	}
}

func TestKeep_WhatFailedItsCheckIsNotKept(t *testing.T) {
	for name, first := range map[string]markettest.Response{
		"page": markettest.HTMLResponse(200, "no"), "404": {Status: 404}, "zero": body("0"),
	} {
		d := newFixture(t, first, body("2"))
		r := cacheableRequest()
		r.Check = func(a client.Response) error {
			if bytes.Contains(a.Body, []byte(`"n":0`)) {
				return market.ErrMalformed
			}
			return nil
		}
		got(t, d, r)
		if text := got(t, d, r); text != `{"n":2}` {
			t.Errorf("%s: then %s, want it asked anew", name, text)
		}
	}
}

func TestKeep_UnchangedIsAskedForByItsTag(t *testing.T) {
	tagged := body("1")
	tagged.Header.Set("ETag", `"a1"`)
	tagged.Header.Set("Last-Modified", "Fri, 20 Nov 2026 20:00:00 GMT")
	d := newFixture(t, tagged, markettest.Response{Status: 304, Header: http.Header{"Etag": {`"a2"`}}}, markettest.Response{Status: 304})
	got(t, d, cacheableRequest())
	for i, tag := range []string{`"a1"`, `"a2"`} {
		d.now = d.now.Add(time.Hour)
		answer, err := d.source().Get(t.Context(), cacheableRequest())
		if err != nil || string(answer.Body) != `{"n":1}` || !answer.FetchedAt.Equal(d.now) || answer.Cache != market.CacheMiss {
			t.Errorf("confirmed: %+v, %v, want the old body of now", answer, err)
		}
		sent := d.script.Requests()[i+1].Header
		if sent.Get("If-None-Match") != tag || sent.Get("If-Modified-Since") != "Fri, 20 Nov 2026 20:00:00 GMT" {
			t.Errorf("asked with %v, want tag %s", sent, tag)
		}
		if text := got(t, d, cacheableRequest()); text != `{"n":1} hit` {
			t.Errorf("after it was confirmed: %s, want a hit", text)
		}
	}
}

func TestKeep_ForeverIsForever(t *testing.T) {
	d := newFixture(t, body("1"), body("2"))
	r := quote()
	r.Fresh, r.Stale = client.Forever, client.Forever
	got(t, d, r)
	d.now = d.now.AddDate(80, 0, 0)
	if text := got(t, d, r); text != `{"n":1} hit` {
		t.Errorf("80 years later: %s, want the hit", text)
	}
}

func TestKeep_ZeroAsksEachTimeAndKeepsNothing(t *testing.T) {
	d := newFixture(t, body("1"), body("2"))
	for _, want := range []string{`{"n":1}`, `{"n":2}`} {
		if text := got(t, d, quote()); text != want {
			t.Errorf("Get = %s, want %s", text, want)
		}
	}
	if _, err := os.Stat(filepath.Join(d.dir, "http")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something is kept: %v", err)
	}
}

// An unknown age must not count as fresh: if the clock was fast and then corrected, responses from the
// meantime would be fresh forever.
func TestKeep_AnAnswerOfTheFutureIsNone(t *testing.T) {
	d := newFixture(t, body("1"), body("2"))
	got(t, d, cacheableRequest())
	d.now = d.now.Add(-time.Hour)
	if text := got(t, d, cacheableRequest()); text != `{"n":2}` {
		t.Errorf("Get = %s, want it asked anew", text)
	}
}

func TestKeep_AFileThatIsNotAsWrittenIsNone(t *testing.T) {
	change := func(do func([]byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, string(do(whole)))
		}
	}
	for name, damage := range map[string]func(t *testing.T, path string){
		"empty":            change(func([]byte) []byte { return nil }),
		"cut short":        change(func(b []byte) []byte { return b[:len(b)-1] }),
		"one bit":          change(func(b []byte) []byte { b[len(b)-2] ^= 1; return b }),
		"no JSON":          change(func(b []byte) []byte { return append([]byte("x"), b...) }),
		"another question": change(func(b []byte) []byte { return bytes.Replace(b, []byte("/quote"), []byte("/quota"), 1) }),
		"another version":  change(func(b []byte) []byte { return bytes.Replace(b, []byte(`"nfa_http":1`), []byte(`"nfa_http":2`), 1) }),
		"endless line":     change(func(b []byte) []byte { return bytes.Repeat([]byte("{"), 1<<17) }),
		"a folder": func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t, body("1"), body("2"))
			got(t, d, cacheableRequest())
			damage(t, d.file(t))
			if text := got(t, d, cacheableRequest()); text != `{"n":2}` {
				t.Errorf("Get = %s, want it asked anew", text)
			}
		})
	}
}

func TestKeep_FilesAreForTheUserAlone(t *testing.T) {
	d := newFixture(t, body("1"))
	got(t, d, cacheableRequest())
	for path, want := range map[string]os.FileMode{d.file(t): 0o600, filepath.Dir(d.file(t)): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

func TestKeep_ADiskThatTakesNothingFailsNoRequest(t *testing.T) {
	d := newFixture(t, body("1"))
	write(t, filepath.Join(d.dir, "http"), "a file where the folder should be")
	s := d.source()
	for range 3 {
		if answer, err := s.Get(t.Context(), cacheableRequest()); err != nil || string(answer.Body) != `{"n":1}` {
			t.Fatalf("Get = %q, %v", answer.Body, err)
		}
	}
	if n := strings.Count(d.log.String(), "not cached"); n != 1 {
		t.Errorf("said %d times, want once:\n%s", n, d.log.String())
	}
}

func TestKeep_TheOldestGoWhereTheFolderIsFull(t *testing.T) {
	d := newFixture(t, markettest.Response{Body: bytes.Repeat([]byte("["), 4000)})
	old, recent := filepath.Join(d.dir, "http", strings.Repeat("0a", 16)), filepath.Join(d.dir, "http", strings.Repeat("0b", 16))
	// A file that is not from the cache, because the folder may be a link to one used for other purposes.
	foreign := filepath.Join(d.dir, "http", "thesis.odt")
	for i, path := range []string{foreign, old, recent} {
		write(t, path, strings.Repeat("x", 4000))
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Duration(i-3)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	s := client.New(client.Options{Dir: d.dir, Transport: d.script, MaxDisk: 10_000}).Source(fastPolicy)
	if _, err := s.Get(t.Context(), cacheableRequest()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(d.dir, "http", "*"))
	if err != nil || len(files) != 3 || !slices.Contains(files, foreign) {
		t.Errorf("left: %v, %v, want the two newest and what is not ours", files, err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the oldest is still there: %v", err)
	}
}

func TestShare_EqualQuestionsAtOnceAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := good()
		slow := transport(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(time.Second):
				return script.RoundTrip(r)
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})
		s := source(slow, fastPolicy)
		first, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, leave)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := s.Get(first, cacheableRequest()); !errors.Is(err, context.Canceled) {
				t.Errorf("who left: %v, want context.Canceled", err)
			}
		})
		synctest.Wait()
		for range 8 {
			wg.Go(func() {
				if _, err := s.Get(t.Context(), cacheableRequest()); err != nil {
					t.Errorf("who stayed: %v", err)
				}
			})
		}
		wg.Wait()
		if n := len(script.Requests()); n != 1 {
			t.Errorf("asked %d times, want once", n)
		}
	})
}

func TestShare_WhereAllHaveLeftTheRequestEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		slow := transport(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			close(ended)
			return nil, r.Context().Err()
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := source(slow, fastPolicy).Get(ctx, cacheableRequest()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Get = %v, want the caller's deadline", err)
		}
		began := time.Now()
		<-ended
		if waited := time.Since(began); waited > 0 {
			t.Errorf("the request went on for %v", waited)
		}
	})
}

func FuzzKeep_AnyFileIsAnAnswerOrNone(f *testing.F) {
	d := newFixture(f, body("1"))
	if _, err := d.source().Get(f.Context(), cacheableRequest()); err != nil {
		f.Fatal(err)
	}
	path := d.file(f)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{whole, whole[:len(whole)-3], []byte("{}\n"), []byte("{\"nfa_http\":1}\n"), nil, []byte("\n\n")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		write(t, path, string(file))
		answer, err := d.source().Get(t.Context(), cacheableRequest())
		if err != nil || string(answer.Body) != `{"n":1}` && answer.Cache == market.CacheMiss {
			t.Errorf("Get = %q, %v", answer.Body, err)
		}
	})
}

func BenchmarkGet_Hit(b *testing.B) {
	d := newFixture(b, markettest.Response{Body: append([]byte("["), bytes.Repeat([]byte(" "), 100_000)...)})
	s := d.source()
	for b.Loop() {
		if _, err := s.Get(b.Context(), cacheableRequest()); err != nil {
			b.Fatal(err)
		}
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

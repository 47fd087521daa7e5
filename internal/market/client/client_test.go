package client_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/progress"
)

const base = "https://data.example"

// fastPolicy is a policy under which no request waits for its turn.
var fastPolicy = client.Policy{Source: "example", Rate: 1000, Burst: 100}

func source(script http.RoundTripper, p client.Policy) *client.Source {
	return client.New(client.Options{Transport: script}).Source(p)
}

func quote() client.Request {
	return client.Request{Op: "quote of AAPL", URL: base + "/quote", Kind: client.JSON}
}

func TestGet_GivesTheAnswerAsItCame(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{"/quote": markettest.JSONResponse(`{"price":1}`)})
	at := time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC)
	httpClient := client.New(client.Options{Transport: script, Now: func() time.Time { return at }})
	p := fastPolicy
	p.Header = http.Header{"user-agent": {"nfa"}}
	r := quote()
	r.Header = http.Header{"Accept": {"application/json"}}
	got, err := httpClient.Source(p).Get(t.Context(), r)
	if err != nil || got.Status != 200 || string(got.Body) != `{"price":1}` || !got.FetchedAt.Equal(at) || got.Cache != market.CacheMiss {
		t.Fatalf("Get = %+v, %v", got, err)
	}
	sent := script.Requests()[0].Header
	if sent.Get("User-Agent") != "nfa" || sent.Get("Accept") != "application/json" {
		t.Errorf("headers sent: %v, want those of policy and request", sent)
	}
}

// The screen shows the source that a call is waiting for, but not for a cached response.
func TestGet_ReportsWhichSourceIsAsked(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{"/quote": markettest.JSONResponse(`{"price":1}`)})
	p := fastPolicy
	p.Source = "yahoo"
	src := client.New(client.Options{Transport: script, Dir: t.TempDir()}).Source(p)
	var reported []string
	ctx := progress.With(t.Context(), func(text string) { reported = append(reported, text) })
	for range 2 {
		r := quote()
		r.Fresh = time.Hour
		if _, err := src.Get(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"asking Yahoo Finance"}, reported); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
}

func TestGet_BadDaysEndInTheirSentinel(t *testing.T) {
	good := []byte(`{"chart":{"result":[{"meta":{"symbol":"AAPL"}}]}}`)
	for _, day := range markettest.BadResponses(good) {
		if day.Name == "truncated body" {
			continue // only its parser can tell whether an object is complete
		}
		t.Run(day.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": day.Response}), fastPolicy).Get(t.Context(), quote())
				if !errors.Is(err, day.Want) {
					t.Fatalf("Get = %v, want %v", err, day.Want)
				}
				if _, ok := errors.AsType[*market.SourceError](err); !ok {
					t.Errorf("Get = %T, want *market.SourceError", err)
				}
			})
		})
	}
}

func TestGet_OtherStatuses(t *testing.T) {
	for status, want := range map[int]error{
		204: market.ErrNoData, 400: market.ErrUnavailable, 410: market.ErrUnknownSymbol, 418: market.ErrRateLimited,
		451: market.ErrAuth, 304: market.ErrUnavailable, 302: market.ErrUnavailable, 599: market.ErrUnavailable,
	} {
		answer := markettest.Response{Status: status}
		if _, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": answer}), fastPolicy).Get(t.Context(), quote()); !errors.Is(err, want) {
			t.Errorf("status %d: %v, want %v", status, err, want)
		}
	}
}

// The expected texts are what a user would read.
func TestGet_ErrorsSayWhatTheServerSaid(t *testing.T) {
	tests := []struct {
		name   string
		answer markettest.Response
		want   string
	}{
		{"message in an object", markettest.Response{Status: 404, Body: []byte(`{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}`)},
			"quote of AAPL from example: unknown symbol: status 404: the server said \"No data found, symbol may be delisted\""},
		{"plain text", markettest.Response{Status: 402, Body: []byte("Restricted\x1b[31m Endpoint\n\n")},
			"quote of AAPL from example: access refused: status 402: the server said \"Restricted [31m Endpoint\""},
		{"a page", markettest.HTMLResponse(403, "Undeclared Automated Tool"),
			`quote of AAPL from example: access refused: status 403: page "Undeclared Automated Tool"`},
		{"a page of status 200", markettest.HTMLResponse(200, "Verifying"),
			`quote of AAPL from example: malformed response: web page "Verifying" instead of JSON: status 200`},
		{"a redirect elsewhere", markettest.Response{Status: 307, Header: http.Header{"Location": {"https://consent.example/collect?x=1"}}},
			"quote of AAPL from example: source unavailable: status 307: redirects to consent.example"},
		{"nothing", markettest.Response{Status: 500}, "quote of AAPL from example: source unavailable: status 500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": test.answer}), fastPolicy).Get(t.Context(), quote())
			if err == nil || err.Error() != test.want {
				t.Errorf("Get = %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestGet_WordsOfAServerAreShort(t *testing.T) {
	answer := markettest.Response{Status: 500, Body: bytes.Repeat([]byte("sorry "), 1<<20)}
	_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": answer}), fastPolicy).Get(t.Context(), quote())
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("error of %d bytes, want a few words", len(err.Error()))
	}
}

func TestGet_AKeyIsNotCutInHalf(t *testing.T) {
	p := fastPolicy
	p.Secrets = []string{"apikey"}
	for before := 150; before < 220; before++ {
		answer := markettest.Response{Status: 401, Body: []byte(strings.Repeat("x", before) + "SECRETKEY")}
		r := quote()
		r.URL += "?apikey=SECRETKEY"
		_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": answer}), p).Get(t.Context(), r)
		if err == nil || strings.Contains(err.Error(), "SECR") {
			t.Fatalf("%d bytes before the key: %v", before, err)
		}
	}
}

func TestGet_KindIsKnownByTheFirstBytes(t *testing.T) {
	tests := []struct {
		name string
		kind client.BodyKind
		body string
		good bool
	}{
		{"object", client.JSON, "\xef\xbb\xbf {\"a\":1}", true},
		{"list", client.JSON, "\n[1]", true},
		{"null", client.JSON, "null\n", true},
		{"words for JSON", client.JSON, "nullified", false},
		{"XML for JSON", client.JSON, "<?xml version='1.0'?><Error/>", false},
		{"table", client.CSV, "Date,Close\n", true},
		{"JSON for CSV", client.CSV, `{"error":"no"}`, false},
		{"page for CSV", client.CSV, "\n<!doctype HTML><html></html>", false},
		{"feed", client.XML, "<?xml version=\"1.0\"?><rss></rss>", true},
		{"page for XML", client.XML, "<html><body/></html>", false},
		{"XHTML for XML", client.XML, "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", false},
		{"words for XML", client.XML, "error", false},
		{"page", client.HTML, "<html></html>", true},
		{"XHTML", client.HTML, "<?xml version='1.0'?><html/>", true},
		{"words for a page", client.HTML, "error", false},
		{"nothing for a page", client.HTML, " \n", false},
		{"anything", client.AnyBody, "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := quote()
			r.Kind = test.kind
			_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": {Body: []byte(test.body)}}), fastPolicy).Get(t.Context(), r)
			if test.good && err != nil || !test.good && !errors.Is(err, market.ErrMalformed) {
				t.Errorf("%s %q: %v, want good = %v", test.kind, test.body, err, test.good)
			}
		})
	}
}

func TestGet_TheRequestsCheckSpeaksFirst(t *testing.T) {
	tests := []struct {
		name   string
		answer markettest.Response
		check  error
		want   error
		detail string
	}{
		{"error inside a 200", markettest.JSONResponse(`{"Note":"25 requests per day"}`), market.ErrRateLimited, market.ErrRateLimited, ""},
		{"another meaning of a status", markettest.Response{Status: 400}, market.ErrUnknownSymbol, market.ErrUnknownSymbol, ""},
		{"nothing to say of a status", markettest.Response{Status: 401}, nil, market.ErrAuth, ""},
		{"no parse of a failure's page", markettest.HTMLResponse(500, "Oops"), market.ErrMalformed, market.ErrUnavailable, `page "Oops"`},
		{"an error of no sentinel", markettest.JSONResponse(`{}`), errors.New("line 1: no\x1b[2J price"), market.ErrMalformed, "line 1: no [2J price"},
		{"an error of a source", markettest.JSONResponse(`{}`), &market.SourceError{Err: market.ErrNoData, Detail: "before\nlisting"}, market.ErrNoData, `the server said "before listing"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := quote()
			r.Check = func(client.Response) error { return test.check }
			_, err := source(markettest.NewScript(map[string]markettest.Response{"/quote": test.answer}), fastPolicy).Get(t.Context(), r)
			found, ok := errors.AsType[*market.SourceError](err)
			if !ok || !errors.Is(err, test.want) || found.Detail != test.detail || found.Op != "quote of AAPL" {
				t.Errorf("Get = %#v, want %v with detail %q", err, test.want, test.detail)
			}
		})
	}
}

func TestGet_GzipIsUnpackedWithinBounds(t *testing.T) {
	p := fastPolicy
	p.MaxBytes = 1000
	for name, row := range map[string]struct {
		answer markettest.Response
		want   error
	}{
		"packed":          {markettest.Response{Body: []byte(`{"a":1}`), Fault: markettest.GzipBody}, nil},
		"bomb":            {markettest.Response{Body: bytes.Repeat([]byte("["), 1<<20), Fault: markettest.GzipBody}, market.ErrMalformed},
		"too large":       {markettest.Response{Body: bytes.Repeat([]byte("["), 1001)}, market.ErrMalformed},
		"as large as may": {markettest.Response{Body: bytes.Repeat([]byte("["), 1000)}, nil},
		"no gzip at all":  {markettest.Response{Body: []byte(`{"a":1}`), Header: http.Header{"Content-Encoding": {"gzip"}}}, market.ErrMalformed},
	} {
		script := markettest.NewScript(map[string]markettest.Response{"/quote": row.answer})
		got, err := source(script, p).Get(t.Context(), quote())
		if !errors.Is(err, row.want) || err == nil && string(got.Body) != string(row.answer.Body) {
			t.Errorf("%s: Get = %d bytes, %v, want %v", name, len(got.Body), err, row.want)
		}
		if n := len(script.Requests()); n != 1 {
			t.Errorf("%s: asked %d times, want once", name, n)
		}
	}
}

// endless is a body without an end that counts the bytes read.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += int64(len(p)); e.read > 1<<20 {
		return 0, errors.New("far more was read than may be")
	}
	for i := range p {
		p[i] = '['
	}
	return len(p), nil
}

func (e *endless) Close() error { return nil }

func TestGet_OfAnEndlessBodyNoMoreIsReadThanMayBe(t *testing.T) {
	p := fastPolicy
	p.MaxBytes = 1000
	stream := transport(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: &endless{}, Request: r}, nil
	})
	_, err := source(stream, p).Get(t.Context(), quote())
	if want := "quote of AAPL from example: malformed response: more than 1000 bytes: status 200"; err == nil || err.Error() != want {
		t.Errorf("Get = %v, want %s", err, want)
	}
}

func TestGet_KeysAreNowhereToBeRead(t *testing.T) {
	var log bytes.Buffer
	const key, token = "k3y+secret", "t0ken-secret"
	script := markettest.NewScript(map[string]markettest.Response{
		"/echo": {Status: 401, Body: []byte("Invalid API key k3y+secret (k3y%2Bsecret), token t0ken-secret")},
		"/good": markettest.JSONResponse(`{}`),
	})
	dir := t.TempDir()
	httpClient := client.New(client.Options{Transport: script, Dir: dir, Log: zerolog.New(&log)})
	p := fastPolicy
	p.Secrets, p.Header = []string{"apikey"}, http.Header{"Authorization": {"Bearer " + token}}
	s := httpClient.Source(p)
	var messages []string
	for _, path := range []string{"/echo?apikey=k3y%2Bsecret&symbol=A", "/good?apikey=k3y%2Bsecret&symbol=A", "/%zz?apikey=k3y%2Bsecret"} {
		r := client.Request{Op: "quote of A", URL: base + path, Fresh: time.Hour, Check: func(a client.Response) error {
			if a.Status != 200 {
				return errors.Join(market.ErrAuth, errors.New(string(a.Body)))
			}
			return nil
		}}
		if _, err := s.Get(t.Context(), r); err != nil {
			messages = append(messages, err.Error())
		}
	}
	if requests := script.Requests(); len(requests) != 2 || requests[0].URL.Query().Get("apikey") != key {
		t.Fatalf("the server was not given the key: %v", requests)
	}
	all := strings.Join(messages, "\n") + log.String() + everything(t, dir)
	for _, secret := range []string{key, "k3y%2Bsecret", token} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is among:\n%s", secret, all)
		}
	}
	if len(messages) != 2 || !strings.Contains(messages[0], "Invalid API key [key]") || !strings.Contains(log.String(), "symbol=A") {
		t.Errorf("errors %q, log %s; want the rest of what happened", messages, log.String())
	}
}

func TestGet_RedirectsStayAtHome(t *testing.T) {
	to := func(where string) markettest.Response {
		return markettest.Response{Status: 302, Header: http.Header{"Location": {where}}}
	}
	tests := []struct {
		name, where string
		asked       []string // hosts and paths, in order
		good        bool
	}{
		{"same host", "/new", []string{"data.example/quote", "data.example/new"}, true},
		{"named host", "https://cdn.example/new", []string{"data.example/quote", "cdn.example/new"}, true},
		{"foreign host", "https://evil.example/new", []string{"data.example/quote"}, false},
		{"no encryption", "http://data.example/new", []string{"data.example/quote"}, false},
		{"another scheme", "file:///etc/passwd", []string{"data.example/quote"}, false},
		{"nowhere", "", []string{"data.example/quote"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{"/quote": to(test.where), "/new": markettest.JSONResponse("{}")})
			p := fastPolicy
			p.Hosts, p.Header = []string{"cdn.example"}, http.Header{"X-Api-Key": {"secret"}, "User-Agent": {"nfa"}}
			r := quote()
			r.Header = http.Header{"Cookie": {"A3=secret"}}
			_, err := source(script, p).Get(t.Context(), r)
			if (err == nil) != test.good {
				t.Errorf("Get = %v, want good = %v", err, test.good)
			}
			var requests []string
			for _, r := range script.Requests() {
				requests = append(requests, r.URL.Host+r.URL.Path)
				home := r.URL.Host == "data.example"
				if (r.Header.Get("X-Api-Key") != "") != home || (r.Header.Get("Cookie") != "") != home || r.Header.Get("User-Agent") != "nfa" {
					t.Errorf("%s was given %v", r.URL.Host, r.Header)
				}
			}
			if diff := cmp.Diff(test.asked, requests); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGet_ARedirectInACircleEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := markettest.NewScript(map[string]markettest.Response{"/quote": {Status: 301, Header: http.Header{"Location": {"/quote"}}}})
		if _, err := source(script, fastPolicy).Get(t.Context(), quote()); !errors.Is(err, market.ErrUnavailable) {
			t.Errorf("Get = %v, want ErrUnavailable", err)
		}
	})
}

func TestGet_ACallerThatLeavesIsNoFaultOfTheSource(t *testing.T) {
	for _, fresh := range []time.Duration{0, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{"/quote": {Fault: markettest.FaultSilent}})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			r := quote()
			r.Fresh = fresh
			_, err := source(script, fastPolicy).Get(ctx, r)
			_, blamed := errors.AsType[*market.SourceError](err)
			if !errors.Is(err, context.Canceled) || blamed || !strings.Contains(err.Error(), "quote of AAPL") {
				t.Errorf("Get = %v, want context.Canceled with what was done", err)
			}
		})
	}
}

func TestGet_AMalformedAddressIsNotQuoted(t *testing.T) {
	for _, address := range []string{"", "data.example/x?key=secret", "https://", "ftp://data.example", "https://data.example/%zz?key=secret"} {
		_, err := source(markettest.NewScript(nil), fastPolicy).Get(t.Context(), client.Request{Op: "quote", URL: address})
		if !errors.Is(err, market.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Get(%q) = %v, want ErrUnavailable without the address", address, err)
		}
	}
}

func TestFailed_IsAnErrorOfTheSource(t *testing.T) {
	err := source(markettest.NewScript(nil), fastPolicy).NewError("quote of A", market.ErrMalformed, "price\x1b[2J 0")
	if want := "quote of A from example: malformed response: price [2J 0"; err.Error() != want {
		t.Errorf("Failed = %v, want %s", err, want)
	}
}

// everything returns the names and contents of all files in a folder.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(text) + "\n")
		return err
	})
	if err != nil || !strings.Contains(all.String(), "symbol=A") {
		t.Fatalf("the kept files: %v\n%s", err, all.String())
	}
	return all.String()
}

// breaking is a transport that panics with the URL and its key.
type breaking struct{}

func (breaking) RoundTrip(r *http.Request) (*http.Response, error) { panic("GET " + r.URL.String()) }

// Requests run in goroutines of their own, where a panic would end the program. Instead, each caller of a
// shared request panics, and the message does not contain the URL.
func TestGet_APanicReachesTheOneWhoAsked(t *testing.T) {
	for _, fresh := range []time.Duration{0, time.Hour} {
		r := quote()
		r.URL += "?key=CANARY"
		r.Fresh = fresh
		err := func() (err error) {
			defer crash.Catch(&err)
			_, err = source(breaking{}, fastPolicy).Get(t.Context(), r)
			return err
		}()
		at, ok := errors.AsType[*crash.Site](err)
		if !ok || !strings.Contains(at.Stack(), "breaking.RoundTrip") || strings.Contains(err.Error()+at.Stack(), "CANARY") {
			t.Errorf("kept for %s: Get = %v, want a panic with the transport's place", fresh, err)
		}
	}
}

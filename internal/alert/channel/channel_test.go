package channel_test

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/alert/channel"
	"github.com/nfa-cli/nfa/internal/tool"
)

const canary = "s3cret-canary-token"

func message() alert.Message {
	return alert.NewMessage(alert.Alert{
		ID: "q7f2k3abcdefgh23", RuleID: "r7", Rule: "AAPL below 150", Subject: "AAPL", Text: "AAPL 149.2 USD is below 150.",
		Figure: tool.Figure{Value: decimal.RequireFromString("149.2"), Unit: "USD", AsOf: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Source: "yahoo", Inputs: []string{"quantity 12345"}},
	})
}

func open(t *testing.T, c channel.Config) alert.Channel {
	t.Helper()
	c.Name, c.Secret = "phone", func(context.Context) (string, error) { return canary, nil }
	opened, err := channel.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// request is what a fake server received.
type request struct {
	path, body string
	header     http.Header
}

func fakeServer(t *testing.T, handle http.HandlerFunc) (base string, received func() []request) {
	t.Helper()
	var mu sync.Mutex
	var all []request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		all = append(all, request{r.URL.Path, string(body), r.Header})
		mu.Unlock()
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []request { mu.Lock(); defer mu.Unlock(); return all }
}

func TestWeb_EachServiceReceivesItsFormat(t *testing.T) {
	for _, row := range []struct {
		config channel.Config
		path   string
		parts  []string
	}{
		{channel.Config{Kind: "ntfy", To: "my-topic"}, "/", []string{`"topic":"my-topic"`, `"title":"nfa: AAPL below 150"`, "AAPL 149.2 USD is below 150. As of 2026-11-20, source yahoo. Rule r7. Details: nfa why q7f2k3abcdefgh23"}},
		{channel.Config{Kind: "telegram", To: "42"}, "/bot" + canary + "/sendMessage", []string{`"chat_id":"42"`, "Not financial advice."}},
		{channel.Config{Kind: "webhook"}, "/", []string{`"id":"q7f2k3abcdefgh23"`, `"value":"149.2"`, `"as_of":"2026-11-20"`}},
	} {
		base, received := fakeServer(t, func(http.ResponseWriter, *http.Request) {})
		row.config.URL = base
		if row.config.Kind == "webhook" {
			row.config.URL += "/"
		}
		if err := open(t, row.config).Send(t.Context(), message()); err != nil {
			t.Fatal(err)
		}
		got := received()[0]
		if got.path != row.path {
			t.Errorf("%s: path %s, want %s", row.config.Kind, got.path, row.path)
		}
		for _, part := range row.parts {
			if !strings.Contains(got.body, part) {
				t.Errorf("%s: %s lacks %s", row.config.Kind, got.body, part)
			}
		}
		if strings.Contains(got.body, canary) || strings.Contains(got.body, "12345") {
			t.Errorf("%s: the body has a secret or an amount: %s", row.config.Kind, got.body)
		}
		if row.config.Kind == "webhook" {
			mac := hmac.New(sha256.New, []byte(canary))
			mac.Write([]byte(got.body))
			if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); got.header.Get("X-Nfa-Signature") != want || got.header.Get("Idempotency-Key") != "q7f2k3abcdefgh23" {
				t.Errorf("headers %v, want signature %s", got.header, want)
			}
		}
	}
}

// C-6: fake servers with 429, 500, a refusal, a redirect, a timeout and a broken connection.
func TestWeb_FailuresSayWhetherToTryAgainAndHideTheToken(t *testing.T) {
	cut := func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if len(header) > 0 {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(code)
			fmt.Fprint(w, canary)
		}
	}
	for _, row := range []struct {
		name      string
		handle    http.HandlerFunc
		permanent bool
		after     time.Duration
	}{
		{"429", status(429, "Retry-After", "120"), false, 2 * time.Minute},
		{"500", status(500), false, 0},
		{"revoked token", status(401), true, 0},
		{"redirect", status(302, "Location", "https://example.com/"), true, 0},
		{"cut connection", cut, false, 0},
		{"time-out", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server notices that the client has left only after reading the body
			<-r.Context().Done()
		}, false, 0},
	} {
		for _, kind := range []string{"ntfy", "telegram", "webhook"} {
			t.Run(kind+" "+row.name, func(t *testing.T) {
				base, _ := fakeServer(t, row.handle)
				limit := time.Duration(0)
				if row.name == "time-out" {
					limit = 50 * time.Millisecond
				}
				err := open(t, channel.Config{Kind: kind, URL: base, To: "x", Timeout: limit}).Send(t.Context(), message())
				if err == nil || strings.Contains(err.Error(), canary) {
					t.Fatalf("error %v", err)
				}
				var hint *alert.SendError
				permanent := errors.As(err, &hint) && hint.Permanent
				if permanent != row.permanent {
					t.Errorf("permanent is %t: %v", permanent, err)
				}
				if row.after > 0 && hint.After != row.after {
					t.Errorf("wait %s, want %s", hint.After, row.after)
				}
			})
		}
	}
}

// A host other than the one in the settings, reached by its name or by a redirect, receives nothing.
func TestWeb_OnlyTheServerInTheSettingsReceivesAlerts(t *testing.T) {
	inside := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server behind the name received an alert") }))
	inside.Config.ErrorLog = log.New(io.Discard, "", 0)
	inside.StartTLS()
	defer inside.Close()
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := open(t, channel.Config{Kind: "webhook", URL: "https://localhost:" + port}).Send(t.Context(), message()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("Send = %v, want an error of the certificate", err)
	}
	elsewhere, received := fakeServer(t, func(http.ResponseWriter, *http.Request) {})
	base, _ := fakeServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
	})
	if err := open(t, channel.Config{Kind: "webhook", URL: base}).Send(t.Context(), message()); err == nil || len(received()) != 0 {
		t.Errorf("Send = %v; %d alerts went elsewhere", err, len(received()))
	}
}

func TestOpen_RefusesUnencryptedAddressesAndMissingFields(t *testing.T) {
	for _, c := range []channel.Config{
		{Kind: "webhook", URL: "http://example.com/x"}, {Kind: "webhook"}, {Kind: "webhook", URL: "ftp://x"}, {Kind: "ntfy"}, {Kind: "telegram"}, {Kind: "mail", To: "a@b.c"}, {Kind: "file"}, {Kind: "pager"},
	} {
		if _, err := channel.Open(c); err == nil {
			t.Errorf("%+v was opened", c)
		}
	}
}

func TestFile_HoldsEachAlertOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "alerts.jsonl")
	f := open(t, channel.Config{Kind: "file", To: path})
	for range 2 {
		if err := f.Send(t.Context(), message()); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(content), "\n"); n != 1 || strings.Contains(string(content), "12345") {
		t.Errorf("%d lines: %s", n, content)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// smtpServer starts a mail server that offers STARTTLS. reply is its answer to the end of DATA, such as "550
// ...".
func smtpServer(t *testing.T, plain bool, reply string) (address string, certificate *tls.Config, received func() string) {
	t.Helper()
	https := httptest.NewUnstartedServer(nil)
	https.StartTLS()
	t.Cleanup(https.Close)
	pool := x509.NewCertPool()
	pool.AddCert(https.Certificate())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var mu sync.Mutex
	letter := ""
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				say := func(text string) { fmt.Fprintf(conn, "%s\r\n", text) }
				say("220 fake")
				in := bufio.NewReader(conn)
				for {
					line, err := in.ReadString('\n')
					if err != nil {
						return
					}
					switch verb := strings.ToUpper(strings.TrimSpace(line)); {
					case strings.HasPrefix(verb, "EHLO") && plain:
						say("250 fake")
					case strings.HasPrefix(verb, "EHLO"):
						say("250-fake\r\n250-AUTH PLAIN\r\n250 STARTTLS")
					case verb == "STARTTLS":
						say("220 go")
						conn = tls.Server(conn, &tls.Config{Certificates: https.TLS.Certificates})
						in = bufio.NewReader(conn)
					case strings.HasPrefix(verb, "AUTH"):
						if reply == "hang" {
							_, _ = in.ReadString('\n') // until the client leaves
							return
						}
						say("235 ok")
					case verb == "DATA":
						say("354 go")
						for {
							line, err := in.ReadString('\n')
							if err != nil || line == ".\r\n" {
								break
							}
							mu.Lock()
							letter += line
							mu.Unlock()
						}
						if reply == "cut" {
							return
						}
						say(reply)
					case verb == "QUIT":
						say("221 bye")
						return
					default:
						say("250 ok")
					}
				}
			}()
		}
	}()
	return l.Addr().String(), &tls.Config{RootCAs: pool, ServerName: "example.com"}, func() string { mu.Lock(); defer mu.Unlock(); return letter }
}

func TestMail_IsEncryptedAndCarriesTheID(t *testing.T) {
	address, certificate, received := smtpServer(t, false, "250 stored")
	m := message()
	m.Title = "nfa: x\r\nBcc: thief@example.com"
	c := open(t, channel.Config{Kind: "mail", Host: address, User: "u", From: "nfa@example.com", To: "you@example.com", TLS: certificate})
	if err := c.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got := received()
	if !strings.Contains(got, "Message-ID: <q7f2k3abcdefgh23@nfa>") || !strings.Contains(got, "AAPL 149.2 USD is below 150.") {
		t.Errorf("letter:\n%s", got)
	}
	if strings.Contains(got, "\nBcc:") || strings.Contains(got, canary) {
		t.Errorf("a header was injected, or the password is in the letter:\n%s", got)
	}
}

func TestMail_FailuresSayWhetherToTryAgain(t *testing.T) {
	for _, row := range []struct {
		name, reply string
		plain       bool
		permanent   bool
	}{
		{name: "refused address", reply: "550 no such user", permanent: true},
		{name: "busy", reply: "451 try later"},
		{name: "hangs", reply: "hang"},
		{name: "cut connection", reply: "cut"},
		{name: "without encryption", reply: "250 ok", plain: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			address, certificate, received := smtpServer(t, row.plain, row.reply)
			limit := time.Duration(0)
			if row.reply == "hang" {
				limit = 200 * time.Millisecond
			}
			err := open(t, channel.Config{Kind: "mail", Host: address, User: "u", From: "nfa@example.com", To: "you@example.com", TLS: certificate, Timeout: limit}).Send(t.Context(), message())
			var hint *alert.SendError
			if err == nil || strings.Contains(err.Error(), canary) || !errors.As(err, &hint) || hint.Permanent != row.permanent {
				t.Errorf("error %v, %+v", err, hint)
			}
			if row.plain && received() != "" {
				t.Errorf("sent without encryption: %s", received())
			}
		})
	}
}

package yahoo_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

// consentPage is the consent page, with another form before the consent form.
const consentPage = `<html><body>
<form action="/search"><input type="hidden" name="csrfToken" value="wrong"></form>
<form method="post" class="consent-form" action="">
<input type="hidden" name="csrfToken" value="tok&#x3D;en"><input type="hidden" name="sessionId" value="s1">
<input type="hidden" name="namespace" value="yahoo"><input type="text" name="mail" value="x">
<button name="agree" value="agree"></button><button name="reject" value="reject"></button></form></body></html>`

func redirect(location string, cookies ...string) markettest.Response {
	return markettest.Response{Status: 302, Header: http.Header{"Location": {location}, "Set-Cookie": cookies}}
}

// posted records the bodies that were sent.
type posted struct {
	http.RoundTripper
	bodies []string
}

func (p *posted) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		p.bodies = append(p.bodies, string(body))
	}
	return p.RoundTripper.RoundTrip(r)
}

func european() *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{
		cookiePath:     {Status: 404},
		"/quote/AAPL":  redirect("https://guce.yahoo.com/consent?done=x", "GUCS=g; Domain=.yahoo.com; Max-Age=1800"),
		"/consent":     redirect("https://consent.yahoo.com/v2/collectConsent?sessionId=s1"),
		"/copyConsent": redirect("https://finance.yahoo.com/quote/AAPL?guccounter=1", "A3=european; Domain=.yahoo.com; Max-Age=31536000"),
		crumbPath:      crumb("crumb"),
		profilePath:    markettest.JSONResponse(profileBody),
	}).Respond("/v2/collectConsent",
		markettest.Response{Body: []byte(consentPage), Header: http.Header{"Content-Type": {"text/html"}}},
		redirect("https://guce.yahoo.com/copyConsent?sessionId=s1", "CFC=own; Domain=consent.yahoo.com"))
}

func TestConsent_IsRefusedAndBringsACookie(t *testing.T) {
	script := european()
	sent := &posted{RoundTripper: script}
	now := func() time.Time { return testNoon }
	s := yahoo.New(client.New(client.Options{Transport: sent, Now: now}), client.ProviderOptions{BaseURL: base, Now: now})
	if _, err := s.Profile(t.Context(), "AAA"); err != nil {
		t.Fatalf("Profile = %v after %s", err, paths(script))
	}
	want := "/ /quote/AAPL /consent /v2/collectConsent /v2/collectConsent /copyConsent " + crumbPath + " " + profilePath
	if got := paths(script); got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	filled, err := url.ParseQuery(strings.Join(sent.bodies, "|"))
	if err != nil || filled.Get("csrfToken") != "tok=en" || filled.Get("sessionId") != "s1" || filled.Get("reject") != "reject" || filled.Has("agree") || filled.Has("mail") {
		t.Errorf("sent %v, %v; want the hidden fields and a refusal", filled, err)
	}
	requests := script.Requests()
	if got := requests[5].Header.Get("Cookie"); got != "GUCS=g; CFC=own" {
		t.Errorf("cookies on the way = %q, want those of the way", got)
	}
	if got := requests[7].Header.Get("Cookie"); got != "GUCS=g; A3=european" {
		t.Errorf("cookies afterwards = %q, want those of all of Yahoo", got)
	}
}

func TestConsent_IsAskedWhereTheFirstCookieBringsNoCrumb(t *testing.T) {
	script := european().Respond(cookiePath, cookies("one")).Respond(crumbPath, refused(invalidCrumb), crumb("crumb"))
	if _, err := sourceOf(script).Profile(t.Context(), "AAA"); err != nil || !strings.Contains(paths(script), "/copyConsent") {
		t.Errorf("Profile = %v after %s, want the long way", err, paths(script))
	}
}

func TestConsent_CirclesEnd(t *testing.T) {
	script := european().Respond("/consent", redirect("https://consent.yahoo.com/x")).Respond("/x", redirect("https://guce.yahoo.com/consent"))
	if _, err := sourceOf(script).Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrUnavailable) || len(script.Requests()) > 12 {
		t.Errorf("Profile = %v after %d requests, want ErrUnavailable soon", err, len(script.Requests()))
	}
}

// Cookies are sent only to Yahoo's hosts, and only over HTTPS.
func TestConsent_IsNotFollowedElsewhere(t *testing.T) {
	for name, location := range map[string]string{
		"no safety":           "http://guce.yahoo.com/trap",
		"another server":      "https://notyahoo.com/trap",
		"Yahoo as a prefix":   "https://yahoo.com.evil.example/trap",
		"Yahoo as a user":     "https://guce.yahoo.com@evil.example/trap",
		"a port":              "https://guce.yahoo.com:8443/trap",
		"nowhere":             "",
		"another kind of URL": "javascript:alert(1)",
	} {
		script := european().Respond("/consent", redirect(location))
		_, err := sourceOf(script).Profile(t.Context(), "AAA")
		if !errors.Is(err, market.ErrUnavailable) || paths(script) != "/ /quote/AAPL /consent" {
			t.Errorf("%s: Profile = %v after %s, want ErrUnavailable and no further request", name, err, paths(script))
		}
	}
}

// answerOf reads a recorded HTTP response.
func answerOf(t *testing.T, file string) markettest.Response {
	t.Helper()
	head, body, _ := strings.Cut(strings.ReplaceAll(recordedBody(t, file), "\r\n", "\n"), "\n\n")
	res, err := http.ReadResponse(bufio.NewReader(strings.NewReader(strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	res.Header.Del("Content-Length")
	return markettest.Response{Status: res.StatusCode, Header: res.Header, Body: []byte(body)}
}

func TestConsent_OfRecordedMessages(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{
		cookiePath:     {Status: 404},
		"/quote/AAPL":  answerOf(t, "yahoo/cookie-1-quote-AAPL.http"),
		"/consent":     answerOf(t, "yahoo/cookie-2-guce-consent.http"),
		"/copyConsent": answerOf(t, "yahoo/cookie-5-copyConsent.http"),
		crumbPath:      answerOf(t, "yahoo/getcrumb.http"),
		profilePath:    markettest.JSONResponse(profileBody),
	}).Respond("/v2/collectConsent", answerOf(t, "yahoo/cookie-3-collectConsent.http"), answerOf(t, "yahoo/cookie-4-collectConsent-submit.http"))
	// The cookies are valid on the day of the recording.
	recordedOn := time.Date(2025, 2, 17, 11, 0, 0, 0, time.UTC)
	if _, err := sourceAt(script, recordedOn, client.ProviderOptions{}).Profile(t.Context(), "AAA"); err != nil {
		t.Fatalf("Profile = %v after %s", err, paths(script))
	}
	requests := script.Requests()
	last := requests[len(requests)-1]
	for _, name := range []string{"A1", "A3", "A1S", "GUC"} {
		if !strings.Contains(last.Header.Get("Cookie"), name+"=") {
			t.Errorf("cookies %q lack %s", last.Header.Get("Cookie"), name)
		}
	}
	if got := last.URL.Query().Get("crumb"); got != "haT3oykhHqZ" || strings.Contains(last.Header.Get("Cookie"), "CFC=") {
		t.Errorf("crumb %q, cookies %q; want the recorded one, and no cookie of the way", got, last.Header.Get("Cookie"))
	}
}

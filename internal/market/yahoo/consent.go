package yahoo

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// pageRequest is a request for a page, on the way to a cookie.
type pageRequest struct {
	method  string
	url     string // of the real host
	cookies string
	form    url.Values
}

// fetchPage asks for a page and returns the answer whatever its status is: a cookie
// comes with a 404 or a redirect as well. Only where there was no answer, or where
// Yahoo turned whoever asks away, there is an error.
func (s *Source) fetchPage(ctx context.Context, v pageRequest) (client.Response, error) {
	var response client.Response
	r := client.Request{Op: "cookie", URL: s.serverURL(v.url), Method: v.method, Header: http.Header{}}
	if v.cookies != "" {
		r.Header.Set("Cookie", v.cookies)
	}
	if v.form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Body = []byte(v.form.Encode())
	}
	r.Check = func(answer client.Response) error {
		response = answer
		return nil
	}
	_, err := s.getRotating(ctx, s.sessionClients, r)
	if err != nil && (response.Status == 0 || response.Status >= 500 || isBlocked(err) || ctx.Err() != nil) {
		return client.Response{}, err
	}
	return response, nil
}

// serverURL is an address of Yahoo's on the server that stands for it, if one does.
func (s *Source) serverURL(real string) string {
	u, err := url.Parse(real)
	if err != nil || s.o.BaseURL == "" {
		return real
	}
	return strings.TrimRight(s.o.BaseURL, "/") + u.RequestURI()
}

// maxConsentSteps is more than the way to a cookie has.
const maxConsentSteps = 8

// declineConsent walks the way that a European browser is sent: a page of quotes leads to
// a form on privacy, and its answer back to the page with cookies. The answer is
// no: what is refused is advertising, which a program does not see.
func (s *Source) declineConsent(ctx context.Context) (session, error) {
	var full, shared session
	next, answered := pageRequest{method: http.MethodGet, url: hostPages + "/quote/AAPL"}, false
	for range maxConsentSteps {
		next.cookies = full.header(s.o.Now())
		v, err := s.fetchPage(ctx, next)
		if err != nil {
			return session{}, err
		}
		full.addCookies(v.Header, s.o.Now(), true)
		shared.addCookies(v.Header, s.o.Now(), false)
		switch {
		case v.Status >= 300 && v.Status < 400:
			to, err := redirectURL(next.url, v.Header.Get("Location"))
			if err != nil {
				return session{}, err
			}
			if answered && strings.HasPrefix(to, hostPages+"/") {
				return shared, nil // back where it began
			}
			next = pageRequest{method: http.MethodGet, url: to}
		case !answered:
			form, ok := parseConsentForm(v.Body)
			if !ok {
				return shared, nil // nobody asks here
			}
			next, answered = pageRequest{method: http.MethodPost, url: next.url, form: form}, true
		default:
			return shared, nil
		}
	}
	return session{}, fmt.Errorf("%w: the page on privacy leads nowhere", market.ErrMalformed)
}

// redirectURL is where a redirect goes. Cookies are for Yahoo's own hosts, over a safe
// connection.
func redirectURL(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", client.Malformedf("an address that cannot be read")
	}
	to, err := base.Parse(location)
	if err != nil || location == "" {
		return "", client.Malformedf("a redirect without an address")
	}
	host := to.Hostname()
	if to.Scheme != "https" || to.Port() != "" || to.User != nil || host != domainYahoo && !strings.HasSuffix(host, "."+domainYahoo) {
		return "", client.Malformedf("a redirect away from Yahoo")
	}
	return to.String(), nil
}

// parseConsentForm is the form on privacy filled in with a refusal. It reports false for
// a page without one.
func parseConsentForm(page []byte) (url.Values, bool) {
	form, inside := url.Values{}, false
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		t := z.Token()
		switch {
		case t.Data == "form" && kind == html.StartTagToken:
			inside = strings.Contains(attribute(t, "class"), "consent-form")
		case t.Data == "form" && kind == html.EndTagToken:
			inside = false
		case t.Data == "input" && inside && attribute(t, "type") == "hidden":
			if name := attribute(t, "name"); name != "" && len(form) < maxCookies {
				form.Set(name, attribute(t, "value"))
			}
		}
	}
	if form.Get("csrfToken") == "" || form.Get("sessionId") == "" {
		return nil, false
	}
	form.Set("reject", "reject")
	return form, true
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

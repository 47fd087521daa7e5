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
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// visit is a request for a page, on the way to a cookie.
type visit struct {
	method  string
	url     string // of the real host
	cookies string
	form    url.Values
}

// visit asks for a page and returns the answer whatever its status is: a cookie
// comes with a 404 or a redirect as well. Only where there was no answer, or where
// Yahoo turned whoever asks away, there is an error.
func (s *Source) visit(ctx context.Context, v visit) (fetch.Response, error) {
	var seen fetch.Response
	r := fetch.Request{Doing: "cookie", URL: s.standIn(v.url), Method: v.method, Header: http.Header{}}
	if v.cookies != "" {
		r.Header.Set("Cookie", v.cookies)
	}
	if v.form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Body = []byte(v.form.Encode())
	}
	r.Check = func(answer fetch.Response) error {
		seen = answer
		return nil
	}
	_, err := s.ask(ctx, s.doors, r)
	if err != nil && (seen.Status == 0 || seen.Status >= 500 || turnedAway(err) || ctx.Err() != nil) {
		return fetch.Response{}, err
	}
	return seen, nil
}

// standIn is an address of Yahoo's on the server that stands for it, if one does.
func (s *Source) standIn(real string) string {
	u, err := url.Parse(real)
	if err != nil || s.o.BaseURL == "" {
		return real
	}
	return strings.TrimRight(s.o.BaseURL, "/") + u.RequestURI()
}

// mostSteps is more than the way to a cookie has.
const mostSteps = 8

// consent walks the way that a European browser is sent: a page of quotes leads to
// a form on privacy, and its answer back to the page with cookies. The answer is
// no: what is refused is advertising, which a program does not see.
func (s *Source) consent(ctx context.Context) (pass, error) {
	var all, lasting pass
	next, answered := visit{method: http.MethodGet, url: hostPages + "/quote/AAPL"}, false
	for range mostSteps {
		next.cookies = all.header(s.o.Now())
		v, err := s.visit(ctx, next)
		if err != nil {
			return pass{}, err
		}
		all.add(v.Header, s.o.Now(), true)
		lasting.add(v.Header, s.o.Now(), false)
		switch {
		case v.Status >= 300 && v.Status < 400:
			to, err := leads(next.url, v.Header.Get("Location"))
			if err != nil {
				return pass{}, err
			}
			if answered && strings.HasPrefix(to, hostPages+"/") {
				return lasting, nil // back where it began
			}
			next = visit{method: http.MethodGet, url: to}
		case !answered:
			form, ok := consentForm(v.Body)
			if !ok {
				return lasting, nil // nobody asks here
			}
			next, answered = visit{method: http.MethodPost, url: next.url, form: form}, true
		default:
			return lasting, nil
		}
	}
	return pass{}, fmt.Errorf("%w: the page on privacy leads nowhere", market.ErrMalformed)
}

// leads is where a redirect goes. Cookies are for Yahoo's own hosts, over a safe
// connection.
func leads(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", wire.Malformed("an address that cannot be read")
	}
	to, err := base.Parse(location)
	if err != nil || location == "" {
		return "", wire.Malformed("a redirect without an address")
	}
	host := to.Hostname()
	if to.Scheme != "https" || to.Port() != "" || to.User != nil || host != domainYahoo && !strings.HasSuffix(host, "."+domainYahoo) {
		return "", wire.Malformed("a redirect away from Yahoo")
	}
	return to.String(), nil
}

// consentForm is the form on privacy filled in with a refusal. It reports false for
// a page without one.
func consentForm(page []byte) (url.Values, bool) {
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
			if name := attribute(t, "name"); name != "" && len(form) < mostCookies {
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

package yahoo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// session holds the cookies and crumb for the services that need a crumb.
type session struct {
	Crumb    string    `json:"crumb,omitempty"`
	Cookies  []cookie  `json:"cookies,omitempty"`
	Obtained time.Time `json:"obtained,omitzero"`
}

type cookie struct {
	Name    string    `json:"name"`
	Value   string    `json:"value"`
	Expires time.Time `json:"expires,omitzero"`
}

// sessionLifetime is the lifetime of Yahoo's own cookies.
const sessionLifetime = 365 * 24 * time.Hour

func (p session) valid(now time.Time) bool {
	return p.Crumb != "" && p.header(now) != "" && !p.Obtained.After(now) && now.Sub(p.Obtained) < sessionLifetime
}

// header returns the Cookie header without expired cookies.
func (p session) header(now time.Time) string {
	var sent []string
	for _, c := range p.Cookies {
		if c.Expires.IsZero() || now.Before(c.Expires) {
			sent = append(sent, c.Name+"="+c.Value)
		}
	}
	return strings.Join(sent, "; ")
}

// Limits on what a server may store.
const (
	maxCookies     = 20
	maxCookieLen   = 4096
	maxSessionFile = 256 << 10
)

// addCookies stores cookies that a Yahoo response sets for all its hosts and, if includeOwn is
// true, those for its own host only. A later value replaces an earlier one.
func (p *session) addCookies(header http.Header, now time.Time, includeOwn bool) {
	response := http.Response{Header: header}
	for _, set := range response.Cookies() {
		domain := strings.TrimPrefix(set.Domain, ".")
		if domain != domainYahoo && !includeOwn || len(set.Name)+len(set.Value) > maxCookieLen || strings.ContainsAny(set.Value, "\r\n;") {
			continue
		}
		c := cookie{Name: set.Name, Value: set.Value, Expires: set.Expires}
		if set.MaxAge != 0 {
			c.Expires = now.Add(time.Duration(set.MaxAge) * time.Second)
		}
		p.setCookie(c)
	}
}

func (p *session) setCookie(c cookie) {
	for i, existing := range p.Cookies {
		if existing.Name == c.Name {
			p.Cookies[i] = c
			return
		}
	}
	if len(p.Cookies) < maxCookies {
		p.Cookies = append(p.Cookies, c)
	}
}

// sessionStore stores the session and the last accepted user agent in memory and on disk. If the file cannot
// be written, memory suffices.
type sessionStore struct {
	file       string // not stored if empty
	refreshing chan struct{}

	mu     sync.Mutex
	loaded bool
	record sessionRecord
	reason error // why no session is requested; nil if an earlier run recorded that
}

// sessionRecord is the content of the file.
type sessionRecord struct {
	Agent int     `json:"agent"`
	Pass  session `json:"pass"`
	// Refused is the time until which no new session is requested.
	Refused time.Time `json:"refused,omitzero"`
}

func newSessionStore(dir string) *sessionStore {
	k := &sessionStore{refreshing: make(chan struct{}, 1)}
	if dir != "" {
		k.file = filepath.Join(dir, "yahoo-session.json")
	}
	return k
}

// load reads the file once. A damaged or foreign file counts as absent.
func (k *sessionStore) load() {
	if k.loaded {
		return
	}
	k.loaded = true
	if k.file == "" {
		return
	}
	text, _, err := atomicfile.Read(k.file, maxSessionFile)
	var saved sessionRecord
	if err != nil || json.Unmarshal(text, &saved) != nil || !isCrumb(saved.Pass.Crumb) && saved.Pass.Crumb != "" {
		return
	}
	var valid session
	valid.Crumb, valid.Obtained = saved.Pass.Crumb, saved.Pass.Obtained
	for _, c := range saved.Pass.Cookies {
		if c.Name != "" && len(c.Name)+len(c.Value) <= maxCookieLen && !strings.ContainsAny(c.Name+c.Value, "\r\n;") {
			valid.setCookie(c)
		}
	}
	saved.Pass = valid
	if saved.Agent < 0 || saved.Agent >= len(agents()) {
		saved.Agent = 0
	}
	k.record = saved
}

// save writes the file atomically, readable only by its owner.
func (k *sessionStore) save() {
	if k.file == "" {
		return
	}
	text, err := json.Marshal(k.record)
	if err == nil && os.MkdirAll(filepath.Dir(k.file), 0o700) == nil {
		_ = atomicfile.Replace(k.file, text, 0o600)
	}
}

// agent returns the index of the user agent that worked last.
func (k *sessionStore) agent() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	return k.record.Agent
}

func (k *sessionStore) preferAgent(agent int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	if k.record.Agent != agent {
		k.record.Agent = agent
		k.save()
	}
}

// current returns the current session if it may still be valid. The error says why there is none and none is
// requested.
func (k *sessionStore) current(now time.Time) (session, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	// If the clock was set back, the pause must not become longer.
	if until := k.record.Refused; now.Before(until) && until.Sub(now) <= retryPause {
		if k.reason == nil {
			return session{}, false, fmt.Errorf("%w: Yahoo refused a session a few minutes ago", market.ErrUnavailable)
		}
		return session{}, false, k.reason
	}
	return k.record.Pass, k.record.Pass.valid(now), nil
}

func (k *sessionStore) set(p session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	k.record.Pass, k.record.Refused = p, time.Time{}
	k.save()
}

// suspend prevents requests for a session until a time.
func (k *sessionStore) suspend(until time.Time, reason error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	k.record.Refused, k.reason = until, reason
	k.save()
}

// retryPause is how long no new session is requested after Yahoo has refused one.
const retryPause = 10 * time.Minute

// getWithCrumb works like get for services that need a cookie and a crumb. A refused session is renewed once; after
// that, these services fail immediately for retryPause.
func getWithCrumb[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	var zero T
	var stale string
	for range 2 {
		p, err := s.getSession(ctx, q.op, stale)
		if err != nil {
			return zero, client.Response{}, err
		}
		found, answer, err := send(ctx, s, s.authorize(q, p), parse)
		if !crumbRejected(err) {
			return found, answer, err
		}
		stale = p.Crumb
	}
	reason := fmt.Errorf("%w: Yahoo currently refuses sessions from this network; prices, search and news still work", market.ErrAuth)
	s.session.suspend(s.o.Now().Add(retryPause), reason)
	return zero, client.Response{}, s.dataClients[0].NewError(q.op, reason, "")
}

// authorize returns q with the cookie and the crumb of a session.
func (s *Source) authorize(q apiRequest, p session) apiRequest {
	separator := "&"
	if !strings.Contains(q.url, "?") {
		separator = "?"
	}
	q.url += separator + "crumb=" + url.QueryEscape(p.Crumb)
	q.cookie = p.header(s.o.Now())
	return q
}

// crumbRejected reports whether Yahoo wants another crumb. It answers "Invalid Crumb", or that the user is
// unable to access this feature.
func crumbRejected(err error) bool {
	var sourceErr *market.SourceError
	return errors.Is(err, market.ErrAuth) && errors.As(err, &sourceErr) && sourceErr.Status != http.StatusForbidden
}

// getSession returns the cookie and crumb. It requests new ones if there are none or the current
// crumb is stale. Only one caller requests at a time.
func (s *Source) getSession(ctx context.Context, op, stale string) (session, error) {
	select {
	case s.session.refreshing <- struct{}{}:
		defer func() { <-s.session.refreshing }()
	case <-ctx.Done():
		return session{}, fmt.Errorf("%s from %s: %w", op, name, ctx.Err())
	}
	now := s.o.Now()
	p, good, err := s.session.current(now)
	if err != nil {
		return session{}, s.dataClients[0].NewError(op, err, "")
	}
	if good && (stale == "" || p.Crumb != stale) {
		return p, nil
	}
	if p, err = s.newSession(ctx); err != nil {
		if ctx.Err() == nil && !errors.Is(err, market.ErrRateLimited) {
			err = fmt.Errorf("%w: no cookie or crumb: %s", market.ErrUnavailable, causeText(err))
			s.session.suspend(now.Add(retryPause), err)
			return session{}, s.dataClients[0].NewError(op, err, "")
		}
		return session{}, err
	}
	s.session.set(p)
	return p, nil
}

// causeText returns an error without its operation, which the caller adds.
func causeText(err error) string {
	var sourceErr *market.SourceError
	if errors.As(err, &sourceErr) {
		return sourceErr.Err.Error()
	}
	return err.Error()
}

// newSession requests a cookie and a crumb: directly first, then through Yahoo's consent page for
// European addresses.
func (s *Source) newSession(ctx context.Context) (session, error) {
	var direct session
	v, err := s.fetchPage(ctx, pageRequest{method: http.MethodGet, url: hostCookie + "/"})
	if err != nil {
		return session{}, err
	}
	direct.addCookies(v.Header, s.o.Now(), false)
	if direct.header(s.o.Now()) != "" {
		crumbErr := s.fetchCrumb(ctx, &direct)
		if crumbErr == nil || ctx.Err() != nil || errors.Is(crumbErr, market.ErrRateLimited) {
			return direct, crumbErr
		}
	}
	viaConsent, err := s.declineConsent(ctx)
	if err != nil {
		return session{}, err
	}
	return viaConsent, s.fetchCrumb(ctx, &viaConsent)
}

// fetchCrumb requests the crumb for the cookies of p.
func (s *Source) fetchCrumb(ctx context.Context, p *session) error {
	now := s.o.Now()
	cookies := p.header(now)
	if cookies == "" {
		return market.ErrAuth
	}
	v, err := s.fetchPage(ctx, pageRequest{method: http.MethodGet, url: hostCrumb + "/v1/test/getcrumb", cookies: cookies})
	if err != nil {
		return err
	}
	text := strings.TrimSpace(string(v.Body[:min(len(v.Body), 200)]))
	switch {
	case strings.Contains(text, "Too Many Requests"):
		return s.dataClients[0].NewError("crumb", market.ErrRateLimited, "")
	case v.Status != http.StatusOK || !isCrumb(text):
		return fmt.Errorf("%w: no crumb in the response", market.ErrMalformed)
	}
	p.Crumb, p.Obtained = text, now
	return nil
}

// isCrumb reports whether a text can be a crumb, usually about eleven characters. A refusal is a sentence, a
// page or a JSON object instead.
func isCrumb(text string) bool {
	return text != "" && len(text) <= 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`<>{}"`, r)
	})
}

// pageRequest is a request for a page, sent to obtain a cookie.
type pageRequest struct {
	method  string
	url     string // of the real host
	cookies string
	form    url.Values
}

// fetchPage requests a page and returns a response with any status, because cookies also come with a 404 or a
// redirect. An error means that there was no response or that Yahoo refused the client.
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

// serverURL returns a Yahoo URL on the replacement server, if there is one.
func (s *Source) serverURL(real string) string {
	u, err := url.Parse(real)
	if err != nil || s.o.BaseURL == "" {
		return real
	}
	return strings.TrimRight(s.o.BaseURL, "/") + u.RequestURI()
}

// maxConsentSteps is more than the number of requests needed to obtain a cookie.
const maxConsentSteps = 8

// declineConsent follows the redirects of a European browser: a quote page leads to a consent form,
// and its submission back to the page with cookies. It declines, which refuses only advertising.
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
				return shared, nil // back at the start
			}
			next = pageRequest{method: http.MethodGet, url: to}
		case !answered:
			form, ok := parseConsentForm(v.Body)
			if !ok {
				return shared, nil // no consent needed here
			}
			next, answered = pageRequest{method: http.MethodPost, url: next.url, form: form}, true
		default:
			return shared, nil
		}
	}
	return session{}, fmt.Errorf("%w: the consent pages did not end", market.ErrMalformed)
}

// redirectURL returns the target of a redirect. It must be one of Yahoo's own hosts, over HTTPS, because
// cookies are sent there.
func redirectURL(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", client.Malformedf("invalid redirect URL")
	}
	to, err := base.Parse(location)
	if err != nil || location == "" {
		return "", client.Malformedf("redirect without a URL")
	}
	host := to.Hostname()
	if to.Scheme != "https" || to.Port() != "" || to.User != nil || host != domainYahoo && !strings.HasSuffix(host, "."+domainYahoo) {
		return "", client.Malformedf("redirect to another site")
	}
	return to.String(), nil
}

// parseConsentForm returns the fields of the consent form, filled in to decline. It reports false for a page
// without one.
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

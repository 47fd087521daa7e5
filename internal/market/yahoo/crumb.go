package yahoo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// retryPause is how long Yahoo is left in peace once it gave no pass, or took none of
// those that it gave.
const retryPause = 10 * time.Minute

// getWithCrumb is get for the services that need a cookie and a crumb. A pass that
// Yahoo does not take is renewed once; after that these services are off for a
// while, and say so at once.
func getWithCrumb[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	var zero T
	var stale string
	for range 2 {
		p, err := s.getSession(ctx, q.op, stale)
		if err != nil {
			return zero, client.Response{}, err
		}
		authorized := q
		authorized.cookie = p.header(s.o.Now())
		authorized.url += "&crumb=" + url.QueryEscape(p.Crumb)
		found, answer, err := get(ctx, s, authorized, parse)
		if !crumbRejected(err) {
			return found, answer, err
		}
		stale = p.Crumb
	}
	reason := fmt.Errorf("%w: Yahoo takes no crumb from here at present; prices, search and news need none", market.ErrAuth)
	s.session.suspend(s.o.Now().Add(retryPause), reason)
	return zero, client.Response{}, s.dataClients[0].NewError(q.op, reason, "")
}

// crumbRejected reports whether Yahoo wants another crumb: "Invalid Crumb", or that
// a user is unable to access this feature.
func crumbRejected(err error) bool {
	var sourceErr *market.SourceError
	return errors.Is(err, market.ErrAuth) && errors.As(err, &sourceErr) && sourceErr.Status != http.StatusForbidden
}

// getSession is the cookie and the crumb, got where there are none or where the crumb in
// hand is the one that was refused. Callers wait for each other: one of them asks.
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

// causeText is an error without what was being done, which the caller says.
func causeText(err error) string {
	var sourceErr *market.SourceError
	if errors.As(err, &sourceErr) {
		return sourceErr.Err.Error()
	}
	return err.Error()
}

// newSession gets a cookie and a crumb: the short way first, and the way over Yahoo's
// page on privacy, where European addresses are sent.
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

// fetchCrumb asks for the crumb that belongs to the cookies of p.
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
		return fmt.Errorf("%w: no crumb in the answer", market.ErrMalformed)
	}
	p.Crumb, p.Obtained = text, now
	return nil
}

// isCrumb reports whether a text can be a crumb: about eleven characters, where a
// refusal is a sentence, a page or a record.
func isCrumb(text string) bool {
	return text != "" && len(text) <= 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`<>{}"`, r)
	})
}

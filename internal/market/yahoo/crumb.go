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
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

// respite is how long Yahoo is left in peace once it gave no pass, or took none of
// those that it gave.
const respite = 10 * time.Minute

// getWithCrumb is get for the services that need a cookie and a crumb. A pass that
// Yahoo does not take is renewed once; after that these services are off for a
// while, and say so at once.
func getWithCrumb[T any](ctx context.Context, s *Source, q question, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	var stale string
	for range 2 {
		p, err := s.pass(ctx, q.doing, stale)
		if err != nil {
			return none, fetch.Response{}, err
		}
		with := q
		with.cookie = p.header(s.o.Now())
		with.url += "&crumb=" + url.QueryEscape(p.Crumb)
		found, answer, err := get(ctx, s, with, parse)
		if !passRefused(err) {
			return found, answer, err
		}
		stale = p.Crumb
	}
	why := fmt.Errorf("%w: Yahoo takes no crumb from here at present; prices, search and news need none", market.ErrAuth)
	s.kept.giveUp(s.o.Now().Add(respite), why)
	return none, fetch.Response{}, s.taps[0].Failed(q.doing, why, "")
}

// passRefused reports whether Yahoo wants another crumb: "Invalid Crumb", or that
// a user is unable to access this feature.
func passRefused(err error) bool {
	var from *market.SourceError
	return errors.Is(err, market.ErrAuth) && errors.As(err, &from) && from.Status != http.StatusForbidden
}

// pass is the cookie and the crumb, got where there are none or where the crumb in
// hand is the one that was refused. Callers wait for each other: one of them asks.
func (s *Source) pass(ctx context.Context, doing, stale string) (pass, error) {
	select {
	case s.kept.busy <- struct{}{}:
		defer func() { <-s.kept.busy }()
	case <-ctx.Done():
		return pass{}, fmt.Errorf("%s from %s: %w", doing, name, ctx.Err())
	}
	now := s.o.Now()
	p, good, err := s.kept.have(now)
	if err != nil {
		return pass{}, s.taps[0].Failed(doing, err, "")
	}
	if good && (stale == "" || p.Crumb != stale) {
		return p, nil
	}
	if p, err = s.obtain(ctx); err != nil {
		if ctx.Err() == nil && !errors.Is(err, market.ErrRateLimited) {
			err = fmt.Errorf("%w: no cookie or crumb: %s", market.ErrUnavailable, meaningOf(err))
			s.kept.giveUp(now.Add(respite), err)
			return pass{}, s.taps[0].Failed(doing, err, "")
		}
		return pass{}, err
	}
	s.kept.keep(p)
	return p, nil
}

// meaningOf is an error without what was being done, which the caller says.
func meaningOf(err error) string {
	var from *market.SourceError
	if errors.As(err, &from) {
		return from.Err.Error()
	}
	return err.Error()
}

// obtain gets a cookie and a crumb: the short way first, and the way over Yahoo's
// page on privacy, where European addresses are sent.
func (s *Source) obtain(ctx context.Context) (pass, error) {
	var short pass
	v, err := s.visit(ctx, visit{method: http.MethodGet, url: hostCookie + "/"})
	if err != nil {
		return pass{}, err
	}
	short.add(v.Header, s.o.Now(), false)
	if short.header(s.o.Now()) != "" {
		crumbErr := s.fetchCrumb(ctx, &short)
		if crumbErr == nil || ctx.Err() != nil || errors.Is(crumbErr, market.ErrRateLimited) {
			return short, crumbErr
		}
	}
	long, err := s.consent(ctx)
	if err != nil {
		return pass{}, err
	}
	return long, s.fetchCrumb(ctx, &long)
}

// fetchCrumb asks for the crumb that belongs to the cookies of p.
func (s *Source) fetchCrumb(ctx context.Context, p *pass) error {
	now := s.o.Now()
	cookies := p.header(now)
	if cookies == "" {
		return market.ErrAuth
	}
	v, err := s.visit(ctx, visit{method: http.MethodGet, url: hostCrumb + "/v1/test/getcrumb", cookies: cookies})
	if err != nil {
		return err
	}
	text := strings.TrimSpace(string(v.Body[:min(len(v.Body), 200)]))
	switch {
	case strings.Contains(text, "Too Many Requests"):
		return s.taps[0].Failed("crumb", market.ErrRateLimited, "")
	case v.Status != http.StatusOK || !crumbText(text):
		return fmt.Errorf("%w: no crumb in the answer", market.ErrMalformed)
	}
	p.Crumb, p.Obtained = text, now
	return nil
}

// crumbText reports whether a text can be a crumb: about eleven characters, where a
// refusal is a sentence, a page or a record.
func crumbText(text string) bool {
	return text != "" && len(text) <= 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`<>{}"`, r)
	})
}

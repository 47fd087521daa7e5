package client

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// checkResponse is what is wrong with an answer, nil where nothing is. The request's
// own check speaks first; a check that finds the body of another status malformed
// has said no more than the status does.
func (s *Source) checkResponse(r Request, target *url.URL, answer Response) *market.SourceError {
	sourceErr := &market.SourceError{Source: s.policy.Source, Op: r.Op, Status: answer.Status}
	if r.Check != nil {
		_, sourceErr.Err = recoverParse(func() (struct{}, error) { return struct{}{}, r.Check(answer) })
	}
	if inner, ok := errors.AsType[*market.SourceError](sourceErr.Err); ok {
		sourceErr.Err, sourceErr.RetryAt, sourceErr.Detail = inner.Err, inner.RetryAt, quoteServer(s.sanitize(inner.Detail, r, target))
	}
	if answer.Status != http.StatusOK && (sourceErr.Err == nil || sentinelOf(sourceErr.Err) == market.ErrMalformed) {
		sourceErr.Err, sourceErr.Detail = statusSentinel(answer.Status), s.serverMessage(answer, r, target)
	}
	if sourceErr.Err == nil {
		sourceErr.Err = checkBodyKind(r, answer)
	}
	if sourceErr.Err == nil {
		return nil
	}
	// What a check says may quote the server.
	if text, safe := sourceErr.Err.Error(), s.sanitize(sourceErr.Err.Error(), r, target); text != safe || sentinelOf(sourceErr.Err) == nil {
		sentinel := sentinelOf(sourceErr.Err)
		if sentinel == nil {
			sentinel = market.ErrMalformed
		}
		sourceErr.Err, sourceErr.Detail = sentinel, strings.TrimPrefix(safe, sentinel.Error()+": ")
	}
	return sourceErr
}

// recoverParse is what parse says, or ErrMalformed where it panics: a body that nobody
// foresaw is the next source's turn, and no end of the program. Callers ask from
// goroutines of their own, which nothing else guards.
func recoverParse[T any](parse func() (T, error)) (parsed T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: reading it ended in a fault", market.ErrMalformed)
		}
	}()
	return parse()
}

// sentinelOf is the sentinel that err wraps, nil where there is none.
func sentinelOf(err error) error {
	for _, sentinel := range []error{
		market.ErrUnknownSymbol, market.ErrRateLimited, market.ErrUnavailable, market.ErrNotConfigured,
		market.ErrNoData, market.ErrAuth, market.ErrMalformed, market.ErrAmbiguous,
	} {
		if errors.Is(err, sentinel) {
			return sentinel
		}
	}
	return nil
}

// statusSentinel is what a status says where nobody knows the server better.
func statusSentinel(status int) error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired, http.StatusUnavailableForLegalReasons:
		return market.ErrAuth
	case http.StatusNotFound, http.StatusGone:
		return market.ErrUnknownSymbol
	// The question was understood and cannot be answered: a range further back
	// than the server reaches, for the most part.
	case http.StatusUnprocessableEntity, http.StatusNoContent:
		return market.ErrNoData
	case http.StatusTooManyRequests, http.StatusTeapot: // the latter is Binance's, for who went on after 429
		return market.ErrRateLimited
	}
	return market.ErrUnavailable
}

// retryAfter is the pause that a server names, in seconds or as a date. A date is
// held against the server's own clock, where it tells it.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, maxBlock.Seconds()*24) * float64(time.Second)), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	return at.Sub(now), true
}

// checkBodyKind looks at the first bytes: a page where data were asked for is no data.
func checkBodyKind(r Request, answer Response) error {
	if r.Kind == AnyBody || r.Method == http.MethodHead {
		return nil
	}
	body := bytes.TrimLeft(bytes.TrimPrefix(answer.Body, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(body) == 0 {
		return fmt.Errorf("%w: nothing in place of %s", market.ErrMalformed, r.Kind)
	}
	page := isHTML(body)
	switch {
	case r.Kind != HTML && page:
		return fmt.Errorf("%w: a page%s in place of %s", market.ErrMalformed, pageTitle(body), r.Kind)
	case r.Kind == JSON && !bytes.ContainsRune([]byte("{["), rune(body[0])) && !bytes.Equal(bytes.TrimSpace(body), []byte("null")),
		r.Kind == XML && body[0] != '<', r.Kind == HTML && body[0] != '<', r.Kind == CSV && (body[0] == '<' || body[0] == '{'):
		return fmt.Errorf("%w: no %s", market.ErrMalformed, r.Kind)
	}
	return nil
}

// isHTML reports whether a body begins like HTML. XHTML differs from other XML only in its
// root.
func isHTML(body []byte) bool {
	start := bytes.ToLower(body[:min(len(body), 1024)])
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) ||
		bytes.HasPrefix(start, []byte("<head")) || bytes.HasPrefix(start, []byte("<?xml")) && bytes.Contains(start, []byte("<html"))
}

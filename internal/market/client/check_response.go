package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// checkResponse returns what is wrong with a response, or nil. The check of the request runs first. If it
// only finds that the body of an error status is malformed, the status decides.
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
	// The error of a check may quote the server.
	if text, safe := sourceErr.Err.Error(), s.sanitize(sourceErr.Err.Error(), r, target); text != safe || sentinelOf(sourceErr.Err) == nil {
		sentinel := sentinelOf(sourceErr.Err)
		if sentinel == nil {
			sentinel = market.ErrMalformed
		}
		sourceErr.Err, sourceErr.Detail = sentinel, strings.TrimPrefix(safe, sentinel.Error()+": ")
	}
	return sourceErr
}

// recoverParse calls parse and turns a panic into ErrMalformed, so that the next source is tried. Callers run
// in goroutines that do not recover panics.
func recoverParse[T any](parse func() (T, error)) (parsed T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: cannot be parsed", market.ErrMalformed)
		}
	}()
	return parse()
}

// sentinelOf returns the sentinel that err wraps, or nil.
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

// statusSentinel returns the default meaning of an HTTP status.
func statusSentinel(status int) error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired, http.StatusUnavailableForLegalReasons:
		return market.ErrAuth
	case http.StatusNotFound, http.StatusGone:
		return market.ErrUnknownSymbol
	// The server understood the request but cannot answer it, usually because the range starts before its
	// data.
	case http.StatusUnprocessableEntity, http.StatusNoContent:
		return market.ErrNoData
	// Binance sends Teapot to clients that continue after 429, Yahoo 999 instead of 429.
	case http.StatusTooManyRequests, http.StatusTeapot, statusThrottled:
		return market.ErrRateLimited
	}
	return market.ErrUnavailable
}

// statusThrottled is Yahoo's status for a client that sends too many requests.
const statusThrottled = 999

// retryAfter returns the pause that a server requests, in seconds or as a date. A date is compared
// with the server's own clock if the response has one.
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

// checkBodyKind checks the first bytes: a web page instead of data is an error.
func checkBodyKind(r Request, answer Response) error {
	if r.Kind == AnyBody || r.Method == http.MethodHead {
		return nil
	}
	body := bytes.TrimLeft(bytes.TrimPrefix(answer.Body, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(body) == 0 {
		return fmt.Errorf("%w: empty response instead of %s", market.ErrMalformed, r.Kind)
	}
	page := isHTML(body)
	switch {
	case r.Kind != HTML && page:
		return fmt.Errorf("%w: web page%s instead of %s", market.ErrMalformed, pageTitle(body), r.Kind)
	case r.Kind == JSON && !bytes.ContainsRune([]byte("{["), rune(body[0])) && !bytes.Equal(bytes.TrimSpace(body), []byte("null")),
		r.Kind == XML && body[0] != '<', r.Kind == HTML && body[0] != '<', r.Kind == CSV && (body[0] == '<' || body[0] == '{'):
		return fmt.Errorf("%w: not %s", market.ErrMalformed, r.Kind)
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

// maxErrorText limits the server's message in an error, and maxInspected the part of it that is
// read.
const (
	maxErrorText = 200
	maxInspected = 4 << 10
)

// sanitize prepares outside text for an error or the log. It removes keys before it truncates, because it
// would not recognize half a key.
func (s *Source) sanitize(text string, r Request, target *url.URL) string {
	return cleanLine(s.redact(text[:min(len(text), maxInspected)], r, target))
}

// cleanLine prepares outside text for an error or log: one line, printable, short.
func cleanLine(text string) string { return SingleLine(text, maxErrorText) }

// quoteServer quotes text of the server, so that a model reading the error does not take it for an
// instruction.
func quoteServer(text string) string {
	if text == "" {
		return ""
	}
	return "the server said " + strconv.Quote(text)
}

// serverMessage returns what a server reports with an error status: the target of a redirect, the
// title of a page, the message in a JSON object, or the text.
func (s *Source) serverMessage(answer Response, r Request, target *url.URL) string {
	body := bytes.TrimSpace(answer.Body)
	switch {
	case answer.Status >= 300 && answer.Status < 400:
		if to, err := url.Parse(answer.Header.Get("Location")); err == nil && to.Host != "" {
			return s.sanitize("redirects to "+to.Host, r, target)
		}
		return ""
	case len(body) == 0:
		return ""
	case isHTML(body):
		return s.sanitize("page"+pageTitle(body), r, target)
	case body[0] == '{':
		if text := errorMessage(body, 3); text != "" {
			return quoteServer(s.sanitize(text, r, target))
		}
	}
	return quoteServer(s.sanitize(string(body[:min(len(body), maxInspected)]), r, target))
}

// errorMessage returns the text in an error object of a common format, which may be nested, or "".
func errorMessage(body []byte, deepest int) string {
	var object map[string]json.RawMessage
	if deepest == 0 || json.Unmarshal(body, &object) != nil {
		return ""
	}
	for _, name := range []string{"message", "detail", "description", "error_message", "Error Message", "error"} {
		var text string
		if json.Unmarshal(object[name], &text) == nil && text != "" {
			return text
		}
		if text = errorMessage(object[name], deepest-1); text != "" {
			return text
		}
	}
	if len(object) == 1 { // a wrapper by the service's name
		for _, inner := range object {
			return errorMessage(inner, deepest-1)
		}
	}
	return ""
}

// pageTitle returns the title of a page in quotes, with a space before it, or "".
func pageTitle(body []byte) string {
	body = body[:min(len(body), 8192)]
	lower := bytes.ToLower(body)
	from := bytes.Index(lower, []byte("<title>"))
	if from < 0 || len(lower) != len(body) {
		return ""
	}
	from += len("<title>")
	to := bytes.Index(lower[from:], []byte("</title>"))
	if text := cleanLine(string(body[from : from+max(to, 0)])); text != "" {
		return " " + strconv.Quote(text)
	}
	return ""
}

// publicURL returns a URL without its secrets.
func (p Policy) publicURL(target *url.URL) string {
	redacted := *target
	redacted.User, redacted.Fragment = nil, ""
	if len(p.Secrets) > 0 && redacted.RawQuery != "" {
		query := redacted.Query()
		for _, name := range p.Secrets {
			query.Del(name)
		}
		redacted.RawQuery = query.Encode()
	}
	return redacted.String()
}

// redact removes keys from a text, because servers often quote them.
func (s *Source) redact(text string, r Request, target *url.URL) string {
	for _, secret := range s.secrets(r, target) {
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			text = strings.ReplaceAll(text, form, "[key]")
		}
	}
	return text
}

// secrets returns the values that must not be shown: those of the named parameters, of the URL's
// user, and of every header not known to be harmless.
func (s *Source) secrets(r Request, target *url.URL) []string {
	const shortest = 4 // a shorter value is not a key, and removing it would remove words
	var all []string
	query := target.Query()
	for _, name := range s.policy.Secrets {
		all = append(all, query[name]...)
	}
	if password, ok := target.User.Password(); ok {
		all = append(all, password)
	}
	for _, header := range []http.Header{s.policy.Header, r.Header} {
		for name, values := range header {
			if !isPublicHeader(name) {
				all = append(all, strings.Fields(strings.Join(values, " "))...)
			}
		}
	}
	all = slices.DeleteFunc(all, func(secret string) bool { return len(secret) < shortest })
	// Longest first, because a key may start with another.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// isPublicHeader reports whether a header contains no credentials.
func isPublicHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "User-Agent", "Accept", "Accept-Language", "Accept-Encoding", "Content-Type", "Referer", "Origin", "Cache-Control":
		return true
	}
	return false
}

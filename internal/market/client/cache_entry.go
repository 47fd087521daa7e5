package client

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/nfa-cli/nfa/internal/market"
)

// cacheable reports whether the response to r is stored on disk.
func (r Request) cacheable() bool {
	return (r.Fresh > 0 || r.Stale > 0) && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}

// maxStale returns the maximum age at which a cached response replaces one from an unreachable source.
func (r Request) maxStale() time.Duration {
	if r.Stale <= 0 {
		return 0
	}
	if r.Fresh > Forever-r.Stale {
		return Forever
	}
	return r.Fresh + r.Stale
}

// entry is a cached response.
type entry struct {
	entryHeader
	body []byte
}

// entryHeader is what the cache stores in addition to the body.
type entryHeader struct {
	Version   int                 `json:"nfa_http"`
	Source    string              `json:"source"`
	Method    string              `json:"method"`
	URL       string              `json:"url"` // without keys
	Accept    string              `json:"accept,omitempty"`
	FetchedAt time.Time           `json:"fetched_at"`
	Header    map[string][]string `json:"header,omitempty"`
	Size      int                 `json:"size"`
	Sum       uint32              `json:"crc32"`
}

// newEntryHeader returns the header that an entry for r must have.
func newEntryHeader(p Policy, r Request, target *url.URL) entryHeader {
	return entryHeader{Version: 1, Source: p.Source, Method: r.Method, URL: p.publicURL(target), Accept: accept(p, r)}
}

// accept distinguishes responses of one URL in several formats.
func accept(p Policy, r Request) string {
	for _, h := range []http.Header{r.Header, p.Header} {
		for name, values := range h {
			if http.CanonicalHeaderKey(name) == "Accept" {
				return strings.Join(values, ", ")
			}
		}
	}
	return ""
}

// sameRequest reports whether two entries are for the same request.
func (c entryHeader) sameRequest(other entryHeader) bool {
	return c.Version == other.Version && c.Source == other.Source && c.Method == other.Method && c.URL == other.URL && c.Accept == other.Accept
}

// fileNameBytes is how many bytes of the digest form a file name, enough to rule out collisions.
const fileNameBytes = 16

// fileName returns the name of the cache file of a request.
func (c entryHeader) fileName() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{c.Source, c.Method, c.URL, c.Accept}, "\n")))
	return hex.EncodeToString(sum[:fileNameBytes])
}

// youngerThan reports whether the entry is no older than age. An entry from the future does not
// count: the clock was set back, so its age is unknown.
func (e *entry) youngerThan(age time.Duration, now time.Time) bool {
	if e == nil || age <= 0 {
		return false
	}
	entryAge := now.Sub(e.FetchedAt)
	return entryAge >= 0 && entryAge < age
}

func (e *entry) response(state market.CacheState) Response {
	return Response{Status: http.StatusOK, Header: e.Header, Body: e.body, FetchedAt: e.FetchedAt, Cache: state}
}

// maxValidatorLen is longer than any sensible validator, such as an ETag.
const maxValidatorLen = 1024

// setValidators makes the request conditional on the entry having changed.
func (e *entry) setValidators(h http.Header) {
	for sent, stored := range map[string]string{"If-None-Match": "Etag", "If-Modified-Since": "Last-Modified"} {
		// An invalid value would make this request fail as long as the file exists.
		if value := http.Header(e.Header).Get(stored); value != "" && len(value) <= maxValidatorLen && httpguts.ValidHeaderFieldValue(value) {
			h.Set(sent, value)
		}
	}
}

// revalidate returns the entry's response after the server has confirmed that it is still current.
func (e *entry) revalidate(answer Response) Response {
	response := e.response(market.CacheMiss)
	response.FetchedAt = answer.FetchedAt
	response.Header = response.Header.Clone()
	for _, name := range storedHeaders() {
		if values := answer.Header.Values(name); len(values) > 0 {
			response.Header[name] = values
		}
	}
	return response
}

// storedHeaders returns the names of the response headers that describe the body. Cookies are never stored.
func storedHeaders() []string { return []string{"Content-Type", "Date", "Etag", "Last-Modified"} }

func fillEntryHeader(c entryHeader, answer Response) entryHeader {
	c.FetchedAt, c.Header = answer.FetchedAt, map[string][]string{}
	for _, name := range storedHeaders() {
		if values := answer.Header.Values(name); len(values) > 0 {
			c.Header[name] = values
		}
	}
	return c
}

// flightKey identifies requests that can share a response. It stays in memory, so it includes keys.
func (s *Source) flightKey(r Request, target *url.URL, cached *entry) string {
	parts := []string{s.policy.Source, r.Method, target.String(), string(r.Kind), fmt.Sprint(r.Fresh, r.Stale, cached != nil)}
	for _, header := range []http.Header{s.policy.Header, r.Header} {
		var lines []string
		for name, values := range header {
			lines = append(lines, fmt.Sprintf("%s: %q", name, values))
		}
		slices.Sort(lines)
		parts = append(parts, lines...)
	}
	return strings.Join(parts, "\n")
}

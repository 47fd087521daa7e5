package fetch

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

// kept reports whether the answer to r goes to the disk.
func (r Request) kept() bool {
	return (r.Fresh > 0 || r.Stale > 0) && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}

// stale is the age up to which an answer stands in for a silent source.
func (r Request) stale() time.Duration {
	if r.Stale <= 0 {
		return 0
	}
	if r.Fresh > Forever-r.Stale {
		return Forever
	}
	return r.Fresh + r.Stale
}

// entry is an answer as it is kept.
type entry struct {
	cover
	body []byte
}

// cover is what is kept of an answer beside its body.
type cover struct {
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

// coverFor is what an entry that answers r must say of itself.
func coverFor(p Policy, r Request, target *url.URL) cover {
	return cover{Version: 1, Source: p.Source, Method: r.Method, URL: p.public(target), Accept: accept(p, r)}
}

// accept tells answers of one address apart that come in several forms.
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

// same reports whether two covers are of one question.
func (c cover) same(other cover) bool {
	return c.Version == other.Version && c.Source == other.Source && c.Method == other.Method && c.URL == other.URL && c.Accept == other.Accept
}

// nameBytes of a digest name a file: enough that no two questions share one.
const nameBytes = 16

// name is the file of the question.
func (c cover) name() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{c.Source, c.Method, c.URL, c.Accept}, "\n")))
	return hex.EncodeToString(sum[:nameBytes])
}

// within reports whether the entry is no older than age. One of the future is
// none: the clock was set back, and its age is not known.
func (e *entry) within(age time.Duration, now time.Time) bool {
	if e == nil || age <= 0 {
		return false
	}
	is := now.Sub(e.FetchedAt)
	return is >= 0 && is < age
}

func (e *entry) response(state market.CacheState) Response {
	return Response{Status: http.StatusOK, Header: e.Header, Body: e.body, FetchedAt: e.FetchedAt, Cache: state}
}

// longestTag is more than a sensible tag of a version has.
const longestTag = 1024

// ask adds to a request that the entry is known.
func (e *entry) ask(h http.Header) {
	for sent, kept := range map[string]string{"If-None-Match": "Etag", "If-Modified-Since": "Last-Modified"} {
		// A value that no request may carry, or no server takes, would fail this
		// question for as long as the file is there.
		if value := http.Header(e.Header).Get(kept); value != "" && len(value) <= longestTag && httpguts.ValidHeaderFieldValue(value) {
			h.Set(sent, value)
		}
	}
}

// confirmed is the entry after the server has said that it is still right.
func (e *entry) confirmed(answer Response) Response {
	whole := e.response(market.CacheMiss)
	whole.FetchedAt = answer.FetchedAt
	whole.Header = whole.Header.Clone()
	for _, name := range keptHeaders() {
		if values := answer.Header.Values(name); len(values) > 0 {
			whole.Header[name] = values
		}
	}
	return whole
}

// keptHeaders are those of an answer that say something of its body. Cookies are
// for nobody's disk.
func keptHeaders() []string { return []string{"Content-Type", "Date", "Etag", "Last-Modified"} }

func coverOf(c cover, answer Response) cover {
	c.FetchedAt, c.Header = answer.FetchedAt, map[string][]string{}
	for _, name := range keptHeaders() {
		if values := answer.Header.Values(name); len(values) > 0 {
			c.Header[name] = values
		}
	}
	return c
}

// sharing is what two requests have in common that one answer is right for. It
// stays in memory, so keys belong to it.
func (s *Source) sharing(r Request, target *url.URL, kept *entry) string {
	parts := []string{s.policy.Source, r.Method, target.String(), string(r.Kind), fmt.Sprint(r.Fresh, r.Stale, kept != nil)}
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

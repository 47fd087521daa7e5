package openai

import (
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"unicode"
)

// maxMessage is how long a provider's message may be, in bytes.
const maxMessage = 500

// redactor removes secrets from outside text: servers and proxies quote the keys they refuse.
type redactor struct{ secrets []string }

func newRedactor(key string, header http.Header) redactor {
	var r redactor
	r.add(key)
	for _, values := range header {
		for _, v := range values {
			r.add(strings.TrimPrefix(v, "Bearer "))
		}
	}
	// Longest first, because a secret may contain another.
	sort.Slice(r.secrets, func(i, j int) bool { return len(r.secrets[i]) > len(r.secrets[j]) })
	return r
}

// add ignores text that is too short to be a secret: removing every "key" or "1" would destroy a
// message.
func (r *redactor) add(secret string) {
	const shortest = 8
	if len(secret) < shortest {
		return
	}
	r.secrets = append(r.secrets, secret)
	if escaped := url.QueryEscape(secret); escaped != secret {
		r.secrets = append(r.secrets, escaped)
	}
}

func (r redactor) clean(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, "[key]")
	}
	// Compiled here because errors are rare and every start would pay for it. It matches the
	// formats of keys, also of other providers, and truncated keys.
	shape := regexp.MustCompile(`(?i)(\b(?:sk|pk|gsk|xai|hf|csk|fw|nvapi|r8)[-_][\w\-*.]{6,})|(\bAIza[\w\-]{10,})|((?:bearer|[?&](?:key|api_key|api-key|token|access_token)=)\s*[^\s&"',;]{6,})|(//[^\s/@:]+:[^\s/@]+@)`)
	return shape.ReplaceAllString(s, "[key]")
}

// line returns s without secrets and control characters, on one line, and short enough to show.
func (r redactor) line(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return ' '
		}
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(r.clean(s), "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + " ..."
}

// cause returns err, with secrets removed from its message. The chain is unchanged, for errors.Is.
func (r redactor) cause(err error) error {
	if clean := r.clean(err.Error()); clean != err.Error() {
		return &redactedError{message: clean, err: err}
	}
	return err
}

type redactedError struct {
	message string
	err     error
}

func (c *redactedError) Error() string { return c.message }
func (c *redactedError) Unwrap() error { return c.err }

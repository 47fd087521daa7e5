package client

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
)

// Malformedf returns a market.ErrMalformed for an unexpected response. The format must limit quoted
// text of the response ("%.20q").
func Malformedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", market.ErrMalformed, fmt.Sprintf(format, args...))
}

// maxMessageLen limits the part of a server's message that is read.
const maxMessageLen = 4 << 10

// RefusalError returns a refusal with the server's message, which is untrusted: the caller redacts keys,
// truncates and quotes it.
func RefusalError(sentinel error, message string) error {
	return &market.SourceError{Err: sentinel, Detail: SingleLine(message, maxMessageLen)}
}

// Meaning maps lower-case phrases of a refusal to an error of market.
type Meaning struct {
	Err   error
	Words []string
}

// RefusalMeaning returns the RefusalError of the first meaning with a phrase in message, or
// ErrMalformed.
func RefusalMeaning(message string, meanings ...Meaning) error {
	low := strings.ToLower(message)
	for _, m := range meanings {
		if slices.ContainsFunc(m.Words, func(word string) bool { return strings.Contains(low, word) }) {
			return RefusalError(m.Err, message)
		}
	}
	return RefusalError(market.ErrMalformed, message)
}

// DecodeJSON decodes JSON; its error is ErrMalformed. The decoder's own error may quote the body
// and is dropped.
func DecodeJSON(body []byte, into any) error {
	if json.Unmarshal(body, into) != nil {
		return Malformedf("unexpected JSON")
	}
	return nil
}

// SingleLine returns outside text as one printable line of at most maxLen characters, ending in an
// ellipsis if truncated.
func SingleLine(text string, maxLen int) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	line := strings.Join(words, " ")
	if runes := []rune(line); len(runes) > maxLen {
		return string(runes[:max(maxLen, 1)-1]) + "…"
	}
	return line
}

// maxURLLen is longer than any URL worth showing.
const maxURLLen = 2000

// IsWebURL reports whether text is an http or https URL.
func IsWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && len(text) <= maxURLLen
}

// ParseTime parses a UTC time with the first matching layout, or returns the zero time.
func ParseTime(text string, layouts ...string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// maxUnixSeconds is the start of the year 2200, the end of plausible times.
const maxUnixSeconds = 7_258_118_400

// UnixTime converts seconds since 1970 to a UTC time. It reports false for zero, negative values,
// and times after 2199.
func UnixTime(seconds int64) (time.Time, bool) {
	if seconds <= 0 || seconds >= maxUnixSeconds {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0).UTC(), true
}

// PadCIK returns a CIK with ten digits, or "" if the text is not a CIK.
func PadCIK(text string) string {
	const digits = 10
	number := SingleLine(text, digits)
	if number == "" || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return strings.Repeat("0", digits-len(number)) + number
}

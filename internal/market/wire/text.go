package wire

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
)

// Malformed is the market.ErrMalformed of an answer that is not what was asked
// for. What it quotes of the answer is bounded by its format ("%.20q").
func Malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", market.ErrMalformed, fmt.Sprintf(format, args...))
}

// mostSaid is how much of a server's own words is looked at.
const mostSaid = 4 << 10

// Refused is a refusal in the server's own words, which are outside text: who asked
// hides keys in them, shortens them and sets them in quotes.
func Refused(sentinel error, said string) error {
	return &market.SourceError{Err: sentinel, Detail: Line(said, mostSaid)}
}

// Decode reads JSON; its error is ErrMalformed. What the decoder says may quote
// the body and is left out.
func Decode(body []byte, into any) error {
	if json.Unmarshal(body, into) != nil {
		return Malformed("not the JSON that was expected")
	}
	return nil
}

// Line is outside text on one line, printable, and no longer than most characters,
// of which the last is an ellipsis where something was cut off.
func Line(text string, most int) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	line := strings.Join(words, " ")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:max(most, 1)-1]) + "…"
	}
	return line
}

// longestLink is more than an address needs that people are shown.
const longestLink = 2000

// IsLink reports whether a text is an address of the web, of http or https.
func IsLink(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && len(text) <= longestLink
}

// Time reads a moment by the first of the layouts that fits, in universal time; it
// is zero where none does.
func Time(text string, layouts ...string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// latest is the begin of the year 2200: nothing is traded or written after it.
const latest = 7_258_118_400

// Unix is a moment in seconds since 1970, in universal time. It reports false for
// zero, for what is before and for what is after the year 2199.
func Unix(seconds int64) (time.Time, bool) {
	if seconds <= 0 || seconds >= latest {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0).UTC(), true
}

// CIK is the number of a company at the SEC in its ten digits, empty where the text
// is no such number.
func CIK(text string) string {
	const digits = 10
	number := Line(text, digits)
	if number == "" || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return strings.Repeat("0", digits-len(number)) + number
}

package chart

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
)

// Complaint is how Yahoo says no, under a name that differs by service.
type Complaint struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// Meaning is the complaint in the sentinels of market. The status is that of the
// answer; zero leaves it to the words.
func (c Complaint) Meaning(status int) error {
	sentinel := market.ErrUnavailable
	text := strings.ToLower(c.Code + " " + c.Description)
	has := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case status == http.StatusUnauthorized || has("unauthorized") || has("invalid crumb") || has("unable to access this feature"):
		sentinel = market.ErrAuth
	case has("no fundamentals data") || has("data not available") || has("data doesn't exist") || status == http.StatusUnprocessableEntity:
		sentinel = market.ErrNoData
	case status == http.StatusNotFound || has("not found"):
		sentinel = market.ErrUnknownSymbol
	case has("too many requests"):
		sentinel = market.ErrRateLimited
	}
	if said := Clean(c.Description, 200); said != "" {
		return fmt.Errorf("%w: %s", sentinel, said)
	}
	return sentinel
}

// Malformed is the ErrMalformed of an answer that is not what was asked for.
func Malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", market.ErrMalformed, fmt.Sprintf(format, args...))
}

// Decode reads JSON; its error is ErrMalformed. What the decoder says may quote
// the body and is left out.
func Decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return Malformed("not the JSON that was expected")
	}
	return nil
}

// Clean is outside text on one line, without control characters, and cut after so
// many runes.
func Clean(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// Instant is a moment that Yahoo gives in seconds, in universal time. It reports
// false for one that cannot be of trading: before 1800 or after 2200.
func Instant(unix int64) (time.Time, bool) { return time.Unix(unix, 0).UTC(), plausible(unix) }

func plausible(unix int64) bool { return unix > -5_364_662_400 && unix < 7_258_118_400 }

// Day is the session that an instant belongs to, by the exchange's own day.
func Day(at time.Time, zone *time.Location) market.Date {
	y, m, d := at.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func joined(notes ...string) string {
	var said []string
	for _, n := range notes {
		if n != "" {
			said = append(said, n)
		}
	}
	return strings.Join(said, " ")
}

package chart

import (
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/wire"
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
	if said := wire.Line(c.Description, 200); said != "" {
		return wire.Refused(sentinel, said)
	}
	return sentinel
}

// Instant is a moment that Yahoo gives in seconds, in universal time. It reports
// false for one that cannot be of trading: before 1800 or after 2200.
func Instant(unix int64) (time.Time, bool) { return time.Unix(unix, 0).UTC(), plausible(unix) }

func plausible(unix int64) bool { return unix > -5_364_662_400 && unix < 7_258_118_400 }

func joined(notes ...string) string {
	var said []string
	for _, n := range notes {
		if n != "" {
			said = append(said, n)
		}
	}
	return strings.Join(said, " ")
}

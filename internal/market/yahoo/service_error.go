package yahoo

import (
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// ServiceError is how Yahoo says no, under a name that differs by service.
type ServiceError struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// Sentinel is the complaint in the sentinels of market. The status is that of the
// answer; zero leaves it to the words.
func (c ServiceError) Sentinel(status int) error {
	sentinel := market.ErrUnavailable
	text := strings.ToLower(c.Code + " " + c.Description)
	contains := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case status == http.StatusUnauthorized || contains("unauthorized") || contains("invalid crumb") || contains("unable to access this feature"):
		sentinel = market.ErrAuth
	case contains("no fundamentals data") || contains("data not available") || contains("data doesn't exist") || status == http.StatusUnprocessableEntity:
		sentinel = market.ErrNoData
	case status == http.StatusNotFound || contains("not found"):
		sentinel = market.ErrUnknownSymbol
	case contains("too many requests"):
		sentinel = market.ErrRateLimited
	}
	if description := client.SingleLine(c.Description, 200); description != "" {
		return client.RefusalError(sentinel, description)
	}
	return sentinel
}

// ParseUnix is a moment that Yahoo gives in seconds, in universal time. It reports
// false for one that cannot be of trading: before 1800 or after 2200.
func ParseUnix(unix int64) (time.Time, bool) { return time.Unix(unix, 0).UTC(), isPlausibleTime(unix) }

func isPlausibleTime(unix int64) bool { return unix > -5_364_662_400 && unix < 7_258_118_400 }

func joinNotes(notes ...string) string {
	var texts []string
	for _, n := range notes {
		if n != "" {
			texts = append(texts, n)
		}
	}
	return strings.Join(texts, " ")
}

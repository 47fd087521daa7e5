package session

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// NewID returns the ID of a session created now: "20261121-150405-7k3qab". IDs sort by time; the random end
// distinguishes sessions created in the same second.
func NewID(now time.Time) string {
	// rand.Text is base32: each letter has five random bits.
	return now.UTC().Format("20060102-150405") + "-" + strings.ToLower(rand.Text()[:6])
}

var idPattern = lazyregexp.New(`^[0-9]{8}-[0-9]{6}-[a-z2-7]{6}$`)

// ValidID reports whether id has the format of NewID. Other input is rejected before it reaches a
// store.
func ValidID(id string) bool { return idPattern().MatchString(id) }

package session

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// NewID names a session that begins now: "20261121-150405-7k3q". IDs sort by
// time; the random end keeps two of one second apart.
func NewID(now time.Time) string {
	// rand.Text is base32: each letter is five random bits.
	return now.UTC().Format("20060102-150405") + "-" + strings.ToLower(rand.Text()[:6])
}

var idPattern = lazyregexp.New(`^[0-9]{8}-[0-9]{6}-[a-z2-7]{6}$`)

// ValidID reports whether id has the shape of NewID. Whatever else a user types
// is refused before it gets near a store.
func ValidID(id string) bool { return idPattern().MatchString(id) }

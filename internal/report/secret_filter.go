package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// secretMark replaces a secret.
const secretMark = "[secret]"

// shortestSecret is the minimum length of a known secret, because short values such as "none" are
// common words.
const shortestSecret = 8

// SecretFilter finds secrets that must not leave the program: known values, and text in the format
// of a key, because people paste keys into a chat.
type SecretFilter struct{ known func() []string }

// NewSecretFilter returns a filter. known returns the known values; it is called for each text, because
// more may become known.
func NewSecretFilter(known func() []string) *SecretFilter { return &SecretFilter{known} }

// values returns the known values, the longest first, so that no value leaves a part of another behind.
func (s *SecretFilter) values() []string {
	var values []string
	for _, value := range s.known() {
		if value = strings.TrimSpace(value); len(value) >= shortestSecret {
			values = append(values, value)
		}
	}
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	return values
}

// A key starts at a word boundary, also within JSON that is encoded as a string.
var secretFormat = lazyregexp.New(`(^|[^A-Za-z0-9]|\\[nrt])(?:` +
	`(?:sk|pk|rk|gsk|xai|hf|csk|fw|nvapi|r8)[-_][A-Za-z0-9_-]{16,}` + // model providers
	`|AIza[A-Za-z0-9_-]{30,}` + // Google
	`|(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}` +
	`|(?:AKIA|ASIA)[A-Z0-9]{16}\b` + // AWS
	`|xox[abprs]-[A-Za-z0-9-]{10,}` + // Slack
	`|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}` + // JSON web tokens
	`|(?i:bearer\s+)[A-Za-z0-9._~+/=-]{20,}` +
	`|-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z ]*PRIVATE KEY-----)?` +
	`)`)

// Hide returns the text without secrets.
func (s *SecretFilter) Hide(text string) string {
	return secretFormat().ReplaceAllString(s.HideKnown(text), "${1}"+secretMark)
}

// HideKnown returns the text without known values. Text that only has the format of a key is unchanged.
func (s *SecretFilter) HideKnown(text string) string {
	for _, value := range s.values() {
		text = strings.ReplaceAll(text, value, secretMark)
	}
	return text
}

// HeldBack returns how many bytes at the end of a text may be the beginning of a known value, of which
// the rest is still to come.
func (s *SecretFilter) HeldBack(text string) int {
	longest := 0
	for _, value := range s.values() {
		for n := min(len(value)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, value[:n]) {
				longest = n
			}
		}
	}
	return longest
}

// HideInJSON returns a document without secrets in its strings. Everything else is unchanged.
func (s *SecretFilter) HideInJSON(doc []byte) []byte {
	var out bytes.Buffer
	for len(doc) > 0 {
		start := bytes.IndexByte(doc, '"')
		if start < 0 {
			break
		}
		end := start + stringLength(doc[start:])
		out.Write(doc[:start])
		out.Write(s.hideInLiteral(doc[start:end]))
		doc = doc[end:]
	}
	out.Write(doc)
	return out.Bytes()
}

// stringLength returns the length of the string at the start of a document.
func stringLength(doc []byte) int {
	for i := 1; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}

func (s *SecretFilter) hideInLiteral(quoted []byte) []byte {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return quoted
	}
	hidden := s.Hide(text)
	if hidden == text {
		return quoted
	}
	encoded, err := json.Marshal(hidden)
	if err != nil {
		return quoted
	}
	return encoded
}

package cli

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// KeepsInHistory reports whether a message may be saved. It refuses messages that are empty, start
// with a space, seem to contain a key or password, or exceed MaxHistoryMessage.
func KeepsInHistory(text string) bool {
	return strings.TrimSpace(text) != "" && !strings.HasPrefix(text, " ") && len(text) <= MaxHistoryMessage && !containsKey(text)
}

// containsKey recognizes keys by their prefix, by the words before them and by their form. It can
// miss keys.
func containsKey(text string) bool {
	return keyPattern().MatchString(text) || keyAssignmentPattern().MatchString(text)
}

var (
	keyPattern = lazyregexp.New(`\b(?:sk|pk|rk|gsk|xai|tvly|hf|BSA)[-_][\w-]{12,}|\bgh[pousr]_\w{16,}|\bgithub_pat_\w{16,}` +
		`|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{20,}|\bxox[abprs]-[\w-]{8,}|\beyJ[\w-]{8,}\.eyJ|\bya29\.[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY`)
	// keyAssignmentPattern matches a word such as "key" followed by a value.
	keyAssignmentPattern = lazyregexp.New(`(?i)\b[\w-]*(?:api[_-]?key|secret|password|passwd|passphrase|access[_-]?token|auth[_-]?token)\w*["']?\s*(?:=|:)\s*\S{4,}` +
		`|\bbearer\s+[\w.~+/-]{12,}|\bauth\s+set\s+\S+\s+\S{12,}`)
)

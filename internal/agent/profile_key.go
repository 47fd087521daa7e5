package agent

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// intendedKey recognizes a misspelling of a key that restricts an agent: its tools or its model. Ignoring
// it would lift the restriction.
func intendedKey(key string) (intended string, ok bool) {
	const furthest = 2
	for _, intended := range []string{"tools", "model"} {
		if usage.Distance(strings.ToLower(key), intended, furthest) <= furthest {
			return intended, true
		}
	}
	return "", false
}

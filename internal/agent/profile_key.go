package agent

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// intendedKey recognises a key that may be meant for one that holds an agent back:
// its tools or its model. Ignored, it would set the agent free.
func intendedKey(key string) (intended string, ok bool) {
	const furthest = 2
	for _, intended := range []string{"tools", "model"} {
		if usage.Distance(strings.ToLower(key), intended, furthest) <= furthest {
			return intended, true
		}
	}
	return "", false
}

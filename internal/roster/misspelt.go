package roster

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/spelling"
)

// misspelt recognises a key that may be meant for one that holds an agent back:
// its tools or its model. Ignored, it would set the agent free.
func misspelt(key string) (meant string, ok bool) {
	const furthest = 2
	for _, meant := range []string{"tools", "model"} {
		if spelling.Distance(strings.ToLower(key), meant) <= furthest {
			return meant, true
		}
	}
	return "", false
}

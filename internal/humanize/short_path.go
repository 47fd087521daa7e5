package humanize

import (
	"os"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// ShortPath abbreviates the user's home folder in a path to ~.
func ShortPath(path string) string {
	if user, err := os.UserHomeDir(); err == nil && user != "/" {
		if rest, ok := strings.CutPrefix(path, user); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			path = "~" + rest
		}
	}
	return markdown.SanitizeLine(path)
}

package frontmatter

import (
	"strconv"
	"strings"
)

// LocateYAMLError returns the line, counted from 1, and the message of a YAML parser error. The
// line is 0 if the parser does not report one.
func LocateYAMLError(err error) (line int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if after, ok := strings.CutPrefix(message, "line "); ok {
		number, rest, _ := strings.Cut(after, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, message = n, rest
		}
	}
	// For a token in the wrong place, the parser counts lines from 0.
	if token, ok := strings.CutPrefix(message, "did not find expected "); ok && (token == "key" || token == "node content" || strings.HasPrefix(token, "'")) {
		line++
	}
	return line, message
}

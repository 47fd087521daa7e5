package frontmatter

import (
	"slices"
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
	if countsFromZero(message) {
		line++
	}
	return line, message
}

// countsFromZero reports whether the parser counts the line of a fault from 0 instead, and
// leaves out a 0: it does so wherever the words are well formed and stand in a wrong
// place.
func countsFromZero(message string) bool {
	return slices.ContainsFunc([]string{
		"did not find expected node content", "did not find expected key", "did not find expected '-' indicator",
		"did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected <",
		"found undefined tag handle", "found duplicate %", "found incompatible YAML document",
	}, func(start string) bool { return strings.HasPrefix(message, start) })
}

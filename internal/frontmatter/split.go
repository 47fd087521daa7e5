package frontmatter

import (
	"bytes"
	"fmt"
)

var bom = []byte("\xef\xbb\xbf")

// Split divides a SKILL.md into the YAML between its fences and the body after
// them. line is the number of the first line of the YAML, counted from 1.
//
// A fence is a line of three dashes in the first column, trailing blanks
// allowed. Dashes anywhere else belong to a value: YAML itself forbids the
// marker at the start of a line inside a scalar.
func Split(content []byte) (yaml []byte, line int, body []byte, err error) {
	rest := bytes.TrimPrefix(content, bom)
	line = 1
	for {
		first, after, more := cutLine(rest)
		line++
		if isFence(first) {
			rest = after
			break
		}
		if len(bytes.TrimSpace(first)) > 0 || !more {
			return nil, 0, nil, ErrMissing
		}
		rest = after
	}
	for at := 0; at < len(rest); {
		text, after, _ := cutLine(rest[at:])
		if isFence(text) {
			return rest[:at], line, after, nil
		}
		at = len(rest) - len(after)
	}
	return nil, 0, nil, fmt.Errorf("%w: the one opened on line %d is never closed", ErrMissing, line-1)
}

func cutLine(b []byte) (line, after []byte, more bool) {
	return bytes.Cut(b, []byte("\n"))
}

func isFence(line []byte) bool {
	after, ok := bytes.CutPrefix(line, []byte("---"))
	return ok && len(bytes.TrimRight(after, " \t\r")) == 0
}

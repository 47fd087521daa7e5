package humanize

import "strings"

// maxErrorBytes is the maximum length of an error's text. An error may quote data of any length, such as a row
// of a shared database that somebody else wrote.
const maxErrorBytes = 8 << 10

// ErrorText returns the text of an error, shortened if it is very long.
func ErrorText(err error) string {
	text := err.Error()
	if len(text) <= maxErrorBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxErrorBytes], "") + "…"
}

package frontmatter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// parsePlain reads front matter that is nothing but lines of `key: text`, as that of most
// skills is. Two readers of YAML take a tenth of a millisecond for what these few
// lines say in one way only, and a folder has a thousand skills. Whatever could be
// anything else than text to YAML, or goes over a line, is not its own: ok is false,
// and nothing is said of it.
func parsePlain(src []byte) (fm Matter, ok bool) {
	fm = Matter{Values: map[string]any{}, Written: map[string]string{}}
	for line := range strings.Lines(string(src)) {
		key, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !found || !plainKey(key) {
			return Matter{}, false
		}
		value, ok := plainValue(strings.Trim(rest, " "))
		if _, twice := fm.Values[key]; !ok || twice {
			return Matter{}, false
		}
		fm.Values[key], fm.Written[key] = value, value
	}
	return fm, len(fm.Values) > 0
}

// isReservedWord reports whether a YAML parser could read the word as something other than text.
func isReservedWord(word string) bool {
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf":
		return true
	}
	return false
}

// maxKeyLength is far below what YAML takes for a key without a question mark.
const maxKeyLength = 128

func plainKey(key string) bool {
	for i, r := range key {
		if letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'; !letter && (i == 0 || r != '-' && r != '_') {
			return false
		}
	}
	return key != "" && len(key) <= maxKeyLength && !isReservedWord(key)
}

// plainValue is what the rest of a line says, if it is text beyond doubt: in quotes
// without an escape, or words that begin with a letter.
func plainValue(s string) (string, bool) {
	if s == "" {
		return "", false
	}
	quote := s[0]
	if quote == '"' || quote == '\'' {
		inside, closed := strings.CutSuffix(s[1:], string(quote))
		return inside, closed && !strings.ContainsAny(inside, `"'\`) && plainText(inside)
	}
	first, _ := utf8.DecodeRuneInString(s)
	return s, unicode.IsLetter(first) && !isReservedWord(s) && plainText(s) &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":")
}

// plainText reports text of signs that every reader takes as they are.
func plainText(s string) bool {
	for _, r := range s {
		if (r < ' ' || r > '~') && !unicode.IsLetter(r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

package skill

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitleBytes is how much of a heading an outline shows, in bytes.
const maxTitleBytes = 90

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return clipTitle(line)
}

func clipTitle(title string) string {
	title = titleLine(title)
	if len(title) <= maxTitleBytes {
		return title
	}
	return title[:runeStartIn(title, maxTitleBytes)] + "…"
}

// titleLine keeps a title from writing lines of its own into a list of them.
func titleLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
	}), " ")
}

// runeStartIn is the start of the character of text that i falls into, where there is one.
func runeStartIn(text string, i int) int {
	for back := i; back > 0 && back > i-utf8.UTFMax && back < len(text); back-- {
		if utf8.RuneStart(text[back]) {
			return back
		}
	}
	return i
}

// normalizeTitle is a title without the marks of Markdown, in lower case.
func normalizeTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimLeft(title, "#"))
	return strings.Join(strings.Fields(title), " ")
}

// splitTitleNumber takes "3" and "rank them" from "3. rank them", "3) rank them" and
// "step 3: rank them".
func splitTitleNumber(title string) (number, rest string) {
	if first, after, ok := strings.Cut(title, " "); ok && slices.Contains([]string{"step", "phase", "part", "section"}, first) {
		title = after
	}
	end := strings.IndexFunc(title, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(title)
	}
	number = strings.Trim(title[:end], ".")
	return number, strings.TrimLeft(title[end:], " ):-–—")
}

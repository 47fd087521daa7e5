package excerpt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is how much of a heading an outline shows, in bytes.
const maxTitle = 90

func firstWords(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return clipTitle(line)
}

func clipTitle(title string) string {
	title = oneLine(title)
	if len(title) <= maxTitle {
		return title
	}
	return title[:edge(title, maxTitle)] + "…"
}

// oneLine keeps a title from writing lines of its own into a list of them.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
	}), " ")
}

// edge is the start of the character of text that i falls into, where there is one.
func edge(text string, i int) int {
	for back := i; back > 0 && back > i-utf8.UTFMax && back < len(text); back-- {
		if utf8.RuneStart(text[back]) {
			return back
		}
	}
	return i
}

// plainTitle is a title without the marks of Markdown, in lower case.
func plainTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimLeft(title, "#"))
	return strings.Join(strings.Fields(title), " ")
}

// ownNumber takes "3" and "rank them" from "3. rank them", "3) rank them" and
// "step 3: rank them".
func ownNumber(title string) (number, rest string) {
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

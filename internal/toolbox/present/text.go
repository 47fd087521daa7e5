package present

import "strings"

// Abridged is text on one line of at most 60 characters, short enough for one line of a card.
func Abridged(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// Fenced is a Markdown block of code that its text cannot end; language may be "".
func Fenced(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

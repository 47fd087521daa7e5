package toolkit

import "strings"

// Abbreviate is text on one line of at most 60 characters, short enough for one line of a card.
func Abbreviate(text string) string {
	const limit = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}

// CodeBlock is a Markdown block of code that its text cannot end; language may be "".
func CodeBlock(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

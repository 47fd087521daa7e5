package markdown

import "strings"

// QuoteCode quotes a text as code on one line, whatever ticks it holds.
func QuoteCode(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// Escape is text that says in Markdown what it says without: its signs are signs no
// more, and it stays on one line.
func Escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "'", "[", "\\[", "<", "\\<", "|", "\\|", "\n", " ").Replace(text)
}

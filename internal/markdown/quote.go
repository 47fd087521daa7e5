package markdown

import "strings"

// Code quotes a text as code on one line, whatever ticks it holds.
func Code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// Quote is text that says in Markdown what it says without: its signs are signs no
// more, and it stays on one line.
func Quote(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "'", "[", "\\[", "<", "\\<", "|", "\\|", "\n", " ").Replace(text)
}

package markdown

import "strings"

// QuoteCode formats text as inline code on one line, whatever backticks it contains.
func QuoteCode(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// Escape escapes text so that Markdown shows it unchanged, on one line.
func Escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "'", "[", "\\[", "<", "\\<", "|", "\\|", "\n", " ").Replace(text)
}

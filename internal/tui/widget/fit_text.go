package widget

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// ProseWidth is the maximum width of a line of prose: longer lines are hard to read, however wide
// the screen is.
const ProseWidth = 100

// Measure returns the width between the margins of a screen, at most ProseWidth. Only list screens
// and charts on the whole screen are wider.
func Measure(columns int) int { return max(min(columns-2*ScreenMargin(columns), ProseWidth), 1) }

// NarrowWidth is the width below which columns next to a name no longer help.
const NarrowWidth = 50

// FitLine cuts a line that does not fit, and adds an ellipsis. The line may contain styles.
func FitLine(line string, width int) string {
	if width <= 0 {
		return ""
	}
	// Except in escape sequences, no character has more columns than bytes, so short lines need no
	// measuring.
	if len(line) <= width || ansi.StringWidth(line) <= width {
		return line
	}
	cut := ansi.Truncate(line, width, "…")
	// Truncate measures a character before the selector after it, which makes it a wide emoji.
	for limit := width - 1; ansi.StringWidth(cut) > width; limit-- {
		cut = ansi.Truncate(line, limit, "…")
	}
	return cut
}

// WrapText breaks sanitized plain text into lines of at most width columns, at spaces. Only a word that is
// longer than a line is cut.
func WrapText(text string, width int) []string {
	width = max(width, 1)
	// A terminal's tab stops ignore margins.
	text = strings.ReplaceAll(text, "\t", "    ")
	// Wrap also breaks after hyphens, which would cut dates, negative numbers and file names.
	const hyphen, unbreakable = "-", "\u2011"
	restore := !strings.Contains(text, unbreakable)
	if restore {
		text = strings.ReplaceAll(text, hyphen, unbreakable)
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for row := range strings.SplitSeq(ansi.Wrap(line, width, ""), "\n") {
			if ansi.StringWidth(row) > width {
				// Wrap returns too much for a long word with a hyphen.
				row = ansi.Hardwrap(row, width, true)
			}
			for part := range strings.SplitSeq(row, "\n") {
				if restore {
					part = strings.ReplaceAll(part, unbreakable, hyphen)
				}
				// Hardwrap returns a wide character even if it does not fit.
				out = append(out, FitLine(part, width))
			}
		}
	}
	return out
}

// WrapProse works like WrapText with at most ProseWidth columns.
func WrapProse(text string, width int) []string { return WrapText(text, min(width, ProseWidth)) }

// JustifyLine puts left and right at the two ends of a line. If there is not enough space, it cuts
// left, or drops right if little of left would remain.
func JustifyLine(left, right string, width int) string {
	const gap = 2
	rightWidth := ansi.StringWidth(right)
	if right == "" || rightWidth+gap+8 > width {
		return FitLine(left, width)
	}
	left = FitLine(left, width-rightWidth-gap)
	return left + strings.Repeat(" ", width-rightWidth-ansi.StringWidth(left)) + right
}

// OneLine sanitizes outside text and replaces its line breaks by spaces.
func OneLine(s string) string {
	return strings.Join(strings.Fields(markdown.SanitizeLine(s)), " ")
}

// FormatDuration formats d for people: "12 ms", "3.4 s", "2 min 5 s".
func FormatDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	default:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

// EscapeMarkdown escapes outside text for a line of Markdown.
func EscapeMarkdown(text string) string {
	var out strings.Builder
	for _, r := range markdown.SanitizeLine(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

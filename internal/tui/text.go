package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// fit cuts a line that would not fit, and says so with an ellipsis.
func fit(line string, width int) string {
	if width <= 0 {
		return ""
	}
	// A byte is at least as wide as its column for all that is not ESC, so
	// short lines need no measuring.
	if len(line) <= width || ansi.StringWidth(line) <= width {
		return line
	}
	return ansi.Truncate(line, width, "…")
}

// wrap breaks sanitised plain text into lines of at most width columns.
func wrap(text string, width int) []string {
	width = max(width, 1)
	// A terminal's tab stops know nothing of margins.
	text = strings.ReplaceAll(text, "\t", "    ")
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for row := range strings.SplitSeq(ansi.Wrap(line, width, ""), "\n") {
			// Where not even one wide character fits, Wrap gives it anyway.
			out = append(out, fit(row, width))
		}
	}
	return out
}

// spread puts left and right at the two ends of a line; when both do not fit,
// left is cut, and when even then there is no room, right goes.
func spread(left, right string, width int) string {
	const gap = 2
	rightWidth := ansi.StringWidth(right)
	if right == "" || rightWidth+gap+8 > width {
		return fit(left, width)
	}
	left = fit(left, width-rightWidth-gap)
	return left + strings.Repeat(" ", width-rightWidth-ansi.StringWidth(left)) + right
}

// oneLine makes outside text safe and short of line breaks.
func oneLine(s string) string {
	return strings.Join(strings.Fields(markdown.SanitizeLine(s)), " ")
}

// took prints a duration as a card does: "12 ms", "3.4 s", "2 min 5 s".
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	default:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

package tui

import (
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Theme chooses the colours.
type Theme int

// Themes. Auto begins with the dark one and changes if the terminal answers
// that its background is light; nothing waits for that answer.
const (
	ThemeAuto Theme = iota
	ThemeDark
	ThemeLight
	ThemePlain // no colour and no other styling at all
)

// styles is a theme made ready for drawing. Blocks remember which one they were
// drawn with, so each theme is made once and compared by pointer.
type styles struct {
	markdown                             markdown.Theme
	accent, dim, strong, good, warn, bad markdown.Style
}

// newStyles takes every colour from the theme that prose is drawn with, so that
// the whole screen has one accent.
func newStyles(t Theme) *styles {
	md := markdown.Dark()
	switch t {
	case ThemePlain:
		md = markdown.Plain()
	case ThemeLight:
		md = markdown.Light()
	}
	return &styles{
		markdown: md,
		accent:   md.Accent, dim: md.Dim, strong: md.Strong,
		good: md.Gain, warn: md.Warning, bad: md.Loss,
	}
}

func (st *styles) options(width int) markdown.Options {
	return markdown.Options{Width: max(width, 1), Theme: st.markdown}
}

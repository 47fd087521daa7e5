package tui

import (
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
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

// styles are those that t begins with.
func (t Theme) styles() *draw.Styles {
	switch t {
	case ThemePlain:
		return draw.NewStyles(markdown.Plain())
	case ThemeLight:
		return draw.NewStyles(markdown.Light())
	default:
		return draw.NewStyles(markdown.Dark())
	}
}

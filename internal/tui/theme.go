package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Theme is a choice of colors.
type Theme int

// Themes. ThemeAuto starts with the dark theme and changes if the terminal answers that its
// background is light; nothing waits for that answer.
const (
	ThemeAuto Theme = iota
	ThemeDark
	ThemeLight
	ThemePlain // no colour and no other styling at all
)

// themeNames are the themes as people call them.
func themeNames() []string { return []string{"auto", "dark", "light", "plain"} }

// changeTheme implements /theme: it sets the named theme, or the next one.
func (m *Model) changeTheme(name string) tea.Cmd {
	names := themeNames()
	next := (int(m.cfg.Theme) + 1) % len(names)
	if name = strings.TrimSpace(name); name != "" {
		if next = slices.Index(names, name); next < 0 {
			m.transcript.Say(transcript.Error, "there is no theme of that name; there are "+strings.Join(names, ", "))
			return nil
		}
	}
	m.cfg.Theme = Theme(next)
	m.setStyles(m.cfg.styles(m.cfg.Theme))
	m.transcript.Say(transcript.Info, "theme "+names[next]+"; color in the settings keeps colours off for good")
	if m.cfg.Theme == ThemeAuto {
		return tea.RequestBackgroundColor
	}
	return nil
}

// styles returns the styles of a theme, with or without motion.
func (c Config) styles(t Theme) *widget.Styles {
	st := t.styles()
	st.ReducedMotion, st.Charts = c.ReducedMotion, c.Charts
	st.Names = true // the rest of the screen needs UTF-8 as well
	st.Hyperlinks = t != ThemePlain && SupportsHyperlinks(c.Environ)
	return st
}

// styles returns the initial styles of t.
func (t Theme) styles() *widget.Styles {
	switch t {
	case ThemePlain:
		return widget.NewStyles(markdown.PlainTheme())
	case ThemeLight:
		return widget.NewStyles(markdown.LightTheme())
	default:
		return widget.NewStyles(markdown.DarkTheme())
	}
}

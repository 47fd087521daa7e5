package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Theme is a choice of colors.
type Theme int

// Themes. ThemeAuto starts with the dark theme and changes to the light theme if the terminal reports a
// light background.
const (
	ThemeAuto Theme = iota
	ThemeDark
	ThemeLight
	ThemePlain   // no colors or other styles
	ThemeNoColor // no colors, but bold and underlined text
)

// themeNames returns the names of the themes, in the order of their constants.
func themeNames() []string { return []string{"auto", "dark", "light", "plain", "no-color"} }

// changeTheme implements /theme: it sets the named theme, or the next one.
func (m *Model) changeTheme(name string) tea.Cmd {
	names := themeNames()
	next := (int(m.chat.Theme) + 1) % len(names)
	if name = strings.TrimSpace(name); name != "" {
		if next = slices.Index(names, name); next < 0 {
			m.transcript.Say(transcript.Error, fmt.Sprintf("No theme named %q. Themes: %s.", name, strings.Join(names, ", ")))
			return nil
		}
	}
	m.chat.Theme = Theme(next)
	m.setTheme(m.chat.Theme)
	m.transcript.Say(transcript.Info, "Theme: "+names[next]+". To turn colors off permanently: nfa config set color never")
	if m.chat.Theme == ThemeAuto {
		return tea.RequestBackgroundColor
	}
	return nil
}

// styles returns the styles of the chat, with or without motion.
func (c *Chat) styles() *widget.Styles {
	st := widget.NewStyles(c.Theme.colors())
	st.ReducedMotion, st.Charts = c.ReducedMotion, c.Charts
	st.Names = true // the rest of the screen needs UTF-8 too
	st.Hyperlinks = c.Theme != ThemePlain && SupportsHyperlinks(c.Environ)
	return st
}

// setTheme changes the theme of the screen.
func (m *Model) setTheme(t Theme) {
	m.st.SetTheme(t.colors())
	m.st.Hyperlinks = t != ThemePlain && SupportsHyperlinks(m.chat.Environ)
}

// colors returns the initial colors of t.
func (t Theme) colors() markdown.Theme {
	switch t {
	case ThemePlain:
		return markdown.PlainTheme()
	case ThemeNoColor:
		return markdown.MonochromeTheme()
	case ThemeLight:
		return markdown.LightTheme()
	default:
		return markdown.DarkTheme()
	}
}

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
	next := (int(m.chat.Theme) + 1) % len(names)
	if name = strings.TrimSpace(name); name != "" {
		if next = slices.Index(names, name); next < 0 {
			m.transcript.Say(transcript.Error, "there is no theme of that name; there are "+strings.Join(names, ", "))
			return nil
		}
	}
	m.chat.Theme = Theme(next)
	m.setTheme(m.chat.Theme)
	m.transcript.Say(transcript.Info, "theme "+names[next]+"; color in the settings keeps colours off for good")
	if m.chat.Theme == ThemeAuto {
		return tea.RequestBackgroundColor
	}
	return nil
}

// styles returns the styles of the chat, with or without motion.
func (c *Chat) styles() *widget.Styles {
	st := widget.NewStyles(c.Theme.colors())
	st.ReducedMotion, st.Charts = c.ReducedMotion, c.Charts
	st.Names = true // the rest of the screen needs UTF-8 as well
	st.Hyperlinks = c.Theme != ThemePlain && SupportsHyperlinks(c.Environ)
	return st
}

// setTheme draws the screen with a theme.
func (m *Model) setTheme(t Theme) {
	m.st.SetTheme(t.colors())
	m.st.Hyperlinks = t != ThemePlain && SupportsHyperlinks(m.chat.Environ)
}

// colors returns the initial colors of t.
func (t Theme) colors() markdown.Theme {
	switch t {
	case ThemePlain:
		return markdown.PlainTheme()
	case ThemeLight:
		return markdown.LightTheme()
	default:
		return markdown.DarkTheme()
	}
}

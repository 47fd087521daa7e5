package tui_test

import (
	"context"
	"image/color"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui"
)

// drawn returns the first frame of a model after its terminal sent msgs.
func drawn(theme tui.Theme, environ []string, msgs ...tea.Msg) string {
	cfg := complete(tui.Config{Theme: tui.ThemePlain, Environ: environ})
	cfg.Theme = theme
	m := tui.New(context.Background(), cfg)
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.View() // lines that are cached here must not outlive the theme
	for _, msg := range msgs {
		m.Update(msg)
	}
	return m.View().Content
}

func TestTheme_FollowsTheTerminalsBackground(t *testing.T) {
	none := []string{"TERM=xterm"}
	dark, light := drawn(tui.ThemeDark, none), drawn(tui.ThemeLight, none)
	if dark == light {
		t.Fatal("the dark and the light theme draw the same")
	}
	white, black := tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black}
	for _, tt := range []struct {
		name string
		got  string
		want string
	}{
		{"no answer", drawn(tui.ThemeAuto, none), dark},
		{"white", drawn(tui.ThemeAuto, none, white), light},
		{"black", drawn(tui.ThemeAuto, none, black), dark},
		{"announced light", drawn(tui.ThemeAuto, []string{"COLORFGBG=0;15"}), light},
		{"announced dark", drawn(tui.ThemeAuto, []string{"COLORFGBG=15;default;0"}), dark},
		{"chosen dark, on white", drawn(tui.ThemeDark, none, white), dark},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: drawn with the wrong theme", tt.name)
		}
	}
}

func TestTheme_PlainHasNoEscapeAndSaysTheSame(t *testing.T) {
	plain := drawn(tui.ThemePlain, nil)
	if strings.Contains(plain, "\x1b") {
		t.Errorf("the plain theme draws escapes: %q", plain)
	}
	if got := ansi.Strip(drawn(tui.ThemeDark, nil)); got != plain {
		t.Errorf("without its colors the dark theme says\n%s\nthe plain one\n%s", got, plain)
	}
}

func TestTheme_IsChangedByName(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.ask("/theme dark")
		s.shows("Theme: dark")
		if !strings.Contains(s.model.View().Content, "\x1b[") {
			t.Error("the dark theme draws no color")
		}
		s.ask("/theme nonsense")
		s.shows("Themes: auto, dark, light, plain")
		s.ask("/theme plain")
		if strings.Contains(s.model.View().Content, "\x1b[") {
			t.Error("the plain theme draws color")
		}
	})
}

// Chat, section 10: dark, light and no color differ only in escape codes and marks.
func TestThemes_DrawTheSameScreens(t *testing.T) {
	draw := func(f frame, theme tui.Theme) (text string) {
		cfg := func() tui.Config {
			cfg := f.cfg()
			cfg.Theme = theme
			return cfg
		}
		onScreen(t, cfg, 100, 30, func(s *screen) {
			f.play(s)
			text = ansi.Strip(s.view())
		})
		return text
	}
	marks := strings.NewReplacer("`", "", "#", "", "~", "", "?", "", "!", "", "*", "", " ", "", "─", "")
	for _, f := range slices.Concat(frames(), composingFrames(), askingFrames()) {
		dark, light, plain := draw(f, tui.ThemeDark), draw(f, tui.ThemeLight), draw(f, tui.ThemePlain)
		if dark != light {
			t.Errorf("%s: dark and light differ:\n%s", f.name, cmp.Diff(dark, light))
		}
		if marks.Replace(dark) != marks.Replace(plain) {
			t.Errorf("%s: dark and no color differ:\n%s", f.name, cmp.Diff(dark, plain))
		}
	}
}

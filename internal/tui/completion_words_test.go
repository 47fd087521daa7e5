package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui"
)

// argumentConfig returns a chat with /draw SYMBOL [RANGE] [KIND], which stores its arguments.
func argumentConfig(got, asked *[]string) func() tui.Config {
	return func() tui.Config {
		return tui.Config{Commands: []tui.Command{
			{Name: "draw", Hint: "<symbol> [range]", About: "draws", Run: tui.TextCommand(func(args string) (string, error) {
				*got = append(*got, args)
				return "drawn", nil
			}), CompleteArgs: func(args string) []string {
				*asked = append(*asked, args)
				time.Sleep(10 * time.Millisecond)
				switch args {
				case "AAPL":
					return []string{"1y", "max", "candles", "\x1b[31mred", ""}
				case "AAPL max":
					return []string{"line", "candles"}
				}
				return nil
			}},
			{Name: "other", About: "has other words", Run: tui.TextCommand(func(string) (string, error) { return "other", nil }), CompleteArgs: func(string) []string {
				return []string{"else"}
			}},
		}}
	}
}

func TestArguments_OfACommandAreOffered(t *testing.T) {
	var got, asked []string
	onScreen(t, argumentConfig(&got, &asked), 80, 24, func(s *screen) {
		s.write("/draw AA")
		s.wait(time.Second)
		s.showsNot("┌")
		s.write("PL")
		s.wait(time.Second)
		s.showsNot("1y")
		s.write(" ")
		s.wait(time.Second)
		s.shows("›1y", " max", " candles")
		s.showsNot("red")
		s.write("MA")
		s.shows("›max")
		s.showsNot("candles")
		s.press("tab")
		s.wait(time.Second)
		s.shows("> /draw AAPL max\n", "›line")
		s.press("down", "tab")
		s.wait(time.Second)
		s.showsNot("┌")
		s.press("enter")
		s.wait(time.Second)
		s.shows("drawn")
		if diff := cmp.Diff([]string{"AAPL max candles"}, got); diff != "" {
			t.Errorf("the command got (-want +got):\n%s", diff)
		}
		if want := []string{"", "AAPL", "AAPL max", "AAPL max candles"}; !slices.Equal(asked, want) {
			t.Errorf("asked for the words behind %q, want each once: %q", asked, want)
		}
	})
}

func TestArguments_EnterSendsACompleteOne(t *testing.T) {
	for _, row := range []struct{ name, line, want string }{
		{"nothing is begun", "/draw AAPL ", "AAPL"},
		{"a word is whole", "/draw AAPL max", "AAPL max"},
		{"no word is so", "/draw AAPL 7y", "AAPL 7y"},
		{"another command", "/draw a", "a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got, asked []string
			onScreen(t, argumentConfig(&got, &asked), 80, 24, func(s *screen) {
				s.write(row.line)
				s.wait(time.Second)
				s.press("enter")
				s.wait(time.Second)
				if diff := cmp.Diff([]string{row.want}, got); diff != "" {
					t.Errorf("the command got (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestArguments_EnterCompletesAPartialOne(t *testing.T) {
	var got, asked []string
	onScreen(t, argumentConfig(&got, &asked), 80, 24, func(s *screen) {
		s.write("/draw AAPL can")
		s.wait(time.Second)
		s.press("enter")
		s.shows("> /draw AAPL candles\n")
		if len(got) > 0 {
			t.Errorf("it was sent: %q", got)
		}
	})
}

func TestArguments_AClosedListStaysClosedForItsCommandOnly(t *testing.T) {
	var got, asked []string
	onScreen(t, argumentConfig(&got, &asked), 80, 24, func(s *screen) {
		s.write("/draw AAPL ")
		s.wait(time.Second)
		s.press("esc")
		s.showsNot("1y")
		s.press("ctrl+u")
		s.write("/other ")
		s.wait(time.Second)
		s.shows("›else")
	})
}

func TestArguments_ThemesAreOffered(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.write("/theme ")
		s.wait(time.Second)
		s.shows("›auto", " dark", " light", " plain")
		s.write("pl")
		s.press("tab", "enter")
		s.wait(time.Second)
		s.shows("Theme: plain")
		if strings.Contains(s.view(), "┌") {
			t.Errorf("a list is still there:\n%s", s.view())
		}
	})
}

func TestArguments_AMessageHasNone(t *testing.T) {
	var got, asked []string
	onScreen(t, argumentConfig(&got, &asked), 80, 24, func(s *screen) {
		s.write("what does /draw AAPL ")
		s.wait(time.Second)
		if len(asked) > 0 {
			t.Errorf("words were asked for behind %q", asked)
		}
		s.press("ctrl+u")
		s.write("/nothing AAPL ")
		s.wait(time.Second)
		s.showsNot("┌")
	})
}

package tui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// withKeys returns a chat with custom keys.
func withKeys(t *testing.T, choices ...widget.KeyOverride) func() tui.Config {
	t.Helper()
	keys, err := widget.NewKeyMap(choices)
	if err != nil {
		t.Fatal(err)
	}
	return func() tui.Config {
		cfg := talk(turnAnswering("Hello."))()
		cfg.Keys = keys
		return cfg
	}
}

func TestHelp_ShowsTheKeysInUse(t *testing.T) {
	chosen := withKeys(t, widget.KeyOverride{Name: "help", Keys: []string{"f1"}}, widget.KeyOverride{Name: "recall", Keys: []string{"f2"}}, widget.KeyOverride{Name: "page-up", Keys: nil})
	onScreen(t, chosen, 100, 70, func(s *screen) {
		s.press("?")
		s.shows("> ?") // no longer a key
		s.press("backspace", "f1")
		s.shows("F2          search messages", "Dn          scroll")
		s.showsNot("Ctrl+R")
		s.write("page up")
		s.press("right")
		s.shows("no key", "page-up: []")
	})
}

// helpConfig returns a chat with all commands of the help page, a skill and a setting.
func helpConfig() tui.Config {
	cfg := tui.Config{Commands: demoCommands(), Settings: func() []tui.SettingItem {
		return []tui.SettingItem{{Key: "color", Value: "auto", About: "colors: auto, always or never", Change: "nfa config set color VALUE"}}
	}}
	for _, name := range []string{"portfolio", "compare", "chart", "watchlist", "why", "sessions", "setup"} {
		cfg.Commands = append(cfg.Commands, tui.Command{Name: name, About: "see " + name, Run: tui.TextCommand(func(string) (string, error) { return "", nil })})
	}
	return cfg
}

func TestHelp_FitsOnOnePage(t *testing.T) {
	for _, size := range []struct{ width, height, columns int }{{80, 24, 2}, {100, 30, 2}, {60, 20, 1}, {40, 15, 1}} {
		onScreen(t, helpConfig, size.width, size.height, func(s *screen) {
			s.press("?")
			s.shows("send", "/  $  @", "/portfolio", "/setup", "More: type to search", "Esc close")
			if two := strings.Contains(s.view(), "Commands"); two != (size.columns == 2) {
				t.Errorf("%dx%d: two columns: %t", size.width, size.height, two)
			}
			s.press("esc")
			s.showsNot("More: type to search")
		})
	}
}

func TestHelp_TypingSearchesKeysCommandsSkillsAndSettings(t *testing.T) {
	for _, tt := range []struct{ typed, group, row, page string }{
		{"undo", "Writing", "Ctrl+_", "undo: ["},
		{"/why", "Commands", "/why", "see why"},
		{"listed asset", "Skills", "/get-price", "/get-price <symbol>"},
		{"never", "Settings", "color", "nfa config set color VALUE"},
	} {
		onScreen(t, helpConfig, 80, 24, func(s *screen) {
			s.press("?")
			s.write(tt.typed)
			s.shows("Help  /"+tt.typed, "1 of ", tt.group, "› "+tt.row)
			s.press("right")
			s.shows(tt.page)
			s.press("esc", "esc")
			s.shows("More: type to search")
		})
	}
}

func TestHelp_AnItemIsOpenedAndClosed(t *testing.T) {
	for _, width := range []int{60, 80} {
		onScreen(t, helpConfig, width, 24, func(s *screen) {
			s.press("?")
			s.write("color")
			s.press("down", "enter")
			s.shows("› color", "Current value")
			s.press("esc")
			s.write("s")
			s.shows("Help  /colors")
			s.press("esc", "esc")
			s.showsNot("Help")
		})
	}
}

func TestHelp_BelowTheWidthForAPageEachRowHasItsText(t *testing.T) {
	for _, width := range []int{50, 60, 77} {
		onScreen(t, helpConfig, width, 24, func(s *screen) {
			s.press("?")
			s.write("new line")
			s.shows("Alt+Enter: new line (also Enter after \\)\n")
			s.press("esc")
			s.write("listed asset")
			s.shows("› /get-price: ", "listed asset")
		})
	}
}

func TestHelp_WritesACommandIntoTheLine(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.press("?")
		s.write("/quit")
		s.press("enter")
		s.shows("> /quit")
	})
}

func TestKeys_OfAScreenWithAListAreTheUsers(t *testing.T) {
	keys, err := widget.NewKeyMap([]widget.KeyOverride{
		{Name: "skill-new", Keys: []string{"ctrl+n"}}, {Name: "skill-delete", Keys: []string{"x", "f8"}}, {Name: "skill-toggle", Keys: nil},
		{Name: "screen-down", Keys: []string{"s"}}, {Name: "screen-keys", Keys: []string{"f1"}}, {Name: "screen-back", Keys: []string{"f10"}},
		{Name: "skill-scripts", Keys: nil}, {Name: "confirm-yes", Keys: []string{"f2"}}, {Name: "confirm-no", Keys: []string{"f3"}},
		{Name: "form-enter", Keys: []string{"f4"}}, {Name: "form-run", Keys: []string{"f5"}}, {Name: "form-cancel", Keys: []string{"f6"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	l := newLibrary()
	chosen := func() tui.Config {
		cfg := l.keeping()
		cfg.Keys = keys
		cfg.Commands[0].Open = func() *tui.ListScreen {
			list := l.listScreen()
			list.Actions = []tui.ListAction{
				{Action: "skill-new", Name: "new", WithoutItem: true, Run: l.create}, {Action: "skill-delete", Name: "delete", Run: l.delete},
				{Action: "skill-toggle", Name: "switch", Run: l.use}, {Action: "skill-scripts", Name: "code", Run: l.use},
			}
			return list
		}
		return cfg
	}
	onScreen(t, chosen, 80, 24, func(s *screen) {
		s.ask("/skills")
		s.shows("Tab actions: new, delete", "F10 close")
		s.press("down")
		s.shows("› Compare assets") // the removed key does nothing
		s.write("sx")
		s.shows("/sx", "F10 clear") // letters are letters in a filter
		s.press("f10", "f1")
		s.shows("Tab: all actions of the item", "F10 back")
		s.press("f10", "tab")
		s.shows("Ctrl+N new", "x   delete")
		s.press("f10", "ctrl+n")
		s.shows("F4 next · F5 done · F6 cancel")
		s.press("esc")
		s.shows("F6 cancel")
		s.press("f6", "f8")
		s.shows("F3 no   F2 yes")
		s.wait(time.Second)
		s.press("y")
		s.shows("F3 no   F2 yes")
		s.wait(time.Second)
		s.press("f2")
		s.shows("deleted ", "· 5")
		s.press("f10")
		s.shows("Connect a model")
	})
}

func TestKeys_AShortcutOfAFormReachesItsChoices(t *testing.T) {
	chosen := withKeys(t, widget.KeyOverride{Name: "form-choice-on", Keys: []string{"ctrl+n"}})
	asked := func() tui.Config {
		cfg := chosen()
		cfg.Commands = []tui.Command{{Name: "pick", Run: tui.TextCommand(func(string) (string, error) {
			return "", &tui.MissingInputError{
				Title: "pick", Fields: []widget.FormField{{Name: "term", Required: true, Choices: []string{"short", "long"}}},
				Show: func(values map[string]string) (string, error) { return "took " + values["term"], nil },
			}
		})}}
		return cfg
	}
	onScreen(t, asked, 80, 24, func(s *screen) {
		s.ask("/pick")
		s.press("right", "ctrl+n")
		s.press("enter")
		s.shows("took short")
	})
}

func TestKeys_AChosenKeyWorksAndTheOldOneDoesNot(t *testing.T) {
	chosen := withKeys(t, widget.KeyOverride{Name: "send", Keys: []string{"f2"}})
	onScreen(t, chosen, 80, 24, func(s *screen) {
		s.write("hi")
		s.press("f2")
		s.shows("Hello.")
	})
}

// The screen must name the keys that work.
func TestKeys_TheScreenNamesThoseInUse(t *testing.T) {
	var got tool.Answer
	keys, err := widget.NewKeyMap([]widget.KeyOverride{
		{Name: "help", Keys: []string{"f1"}}, {Name: "stop", Keys: []string{"f9"}}, {Name: "list-close", Keys: []string{"f10"}},
		{Name: "refuse", Keys: []string{"f3"}}, {Name: "allow-once", Keys: []string{"f4"}}, {Name: "allow-session", Keys: nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	chosen := func() tui.Config {
		cfg := approvalConfig(`{"path":"a.md"}`, &got)()
		cfg.Keys = keys
		return cfg
	}
	onScreen(t, chosen, 80, 24, func(s *screen) {
		s.shows("/ commands   F1 help")
		s.press("ctrl+r")
		s.write("nowhere")
		s.shows("no matches · F10 close")
		s.press("f10")
		s.ask("save")
		s.shows("› F3 No", "F4 Yes, once")
		s.showsNot("this session")
		s.wait(time.Second)
		s.press("f3")
		s.write("not yet")
		s.press("enter")
		s.wait(100 * time.Millisecond)
		s.showsNot("wants to make a change")
	})
	if want := (tool.Answer{Reason: "not yet", Person: true}); got != want {
		t.Errorf("the tool got %+v, want %+v", got, want)
	}
}

func TestKeys_TheKeyThatStopsIsNamed(t *testing.T) {
	chosen := withKeys(t, widget.KeyOverride{Name: "stop", Keys: []string{"f9"}})
	endless := func() tui.Config {
		cfg := chosen()
		cfg.Conversation = talk(hangs("Well"))().Conversation
		return cfg
	}
	onScreen(t, endless, 80, 24, func(s *screen) {
		s.ask("hi")
		s.shows("F9 stops")
		s.press("f9")
		s.shows("Stopped. The partial answer is kept.")
	})
}

func TestKeys_TheSignBelowNamesTheKeyThatWorks(t *testing.T) {
	long := turnAnswering(strings.Repeat("A line.\n\n", 60))
	onScreen(t, talk(long), 80, 24, func(s *screen) {
		s.ask("hi")
		s.press("pgup")
		s.shows(" End for the latest ")
		s.write("x") // End now moves within the line
		s.press("pgup")
		s.shows(" Ctrl+End for the latest ")
	})
	chosen := withKeys(t, widget.KeyOverride{Name: "bottom", Keys: []string{"f8"}}, widget.KeyOverride{Name: "line-end", Keys: nil})
	onScreen(t, func() tui.Config {
		cfg := chosen()
		cfg.Conversation = talk(long)().Conversation
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("hi")
		s.press("pgup")
		s.shows(" F8 for the latest ")
		s.press("f8")
		s.showsNot("for the latest")
	})
}

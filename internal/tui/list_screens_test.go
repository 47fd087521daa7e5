package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// onListScreen opens the list screen of a library on a screen of 80 by 24.
func onListScreen(t *testing.T, l *library, play func(*screen)) {
	t.Helper()
	onScreen(t, l.keeping, 80, 24, func(s *screen) {
		s.ask("/skills")
		play(s)
	})
}

// listScreenWith returns a chat whose /s opens a list screen of one item and one action, on "x".
func listScreenWith(run func(string) (tui.ActionResult, error)) func() tui.Config {
	return func() tui.Config {
		open := func() *tui.ListScreen {
			return &tui.ListScreen{
				Title: "Things", Items: func() []tui.ListItem { return []tui.ListItem{{Name: "one"}} },
				Actions: []tui.ListAction{{Action: "x", Name: "act", Run: run}},
			}
		}
		return tui.Config{Commands: []tui.Command{{Name: "s", Open: open}}}
	}
}

func TestK23_AListScreenIsBrowsedReadAndClosed(t *testing.T) {
	onListScreen(t, newLibrary(), func(s *screen) {
		s.shows("› Compare assets", "type to filter · 6", "Esc close")
		s.showsNot("# How to")
		s.press("down", "down", "down", "right")
		s.shows("› Rewrite text", "│ · Rewrite text", "# How to rewrite-text", "Esc back")
		s.press("down", "up")
		s.shows("# How to rewrite-text")
		s.press("left")
		s.showsNot("# How to")
		s.press("esc")
		s.showsNot("Rewrite text")
		s.shows("Connect a model")
	})
}

func TestK23_TheWordsAfterTheCommandAreTheFilter(t *testing.T) {
	onScreen(t, newLibrary().keeping, 80, 24, func(s *screen) {
		s.ask("/skills dcf")
		s.shows("Skills  /dcf", "› DCF valuation", "1 of 6", "Esc clear")
		s.press("esc")
		s.shows("› DCF valuation", "type to filter · 6")
	})
}

func TestK23_ActionsAreOfferedForTheItemTheyFit(t *testing.T) {
	l := newLibrary()
	onListScreen(t, l, func(s *screen) {
		s.shows("Tab actions: use, new, delete, doctor")
		s.press("tab")
		s.shows("Actions for Compare assets", "› u   use", "d   delete")
		s.press("esc", "end")
		s.shows("Tab actions: new, delete, doctor")
		s.press("tab")
		s.showsNot("u   use")
		s.press("esc", "u")
		s.shows("Skills  /u")
		s.press("esc", "?")
		s.shows("Tab: all actions of the item", "Esc: clear the filter")
	})
}

func TestK23_SlowItemsAndPagesHoldNothingUp(t *testing.T) {
	l := newLibrary()
	onScreen(t, func() tui.Config {
		cfg := l.keeping()
		cfg.Commands[0].Open = func() *tui.ListScreen {
			slow := l.listScreen()
			slow.Items = func() []tui.ListItem { time.Sleep(time.Second); return l.all() }
			slow.Read = func(name string) (string, error) { time.Sleep(time.Second); return l.read(name) }
			return slow
		}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("/skills")
		s.shows("Loading…")
		s.wait(time.Second)
		s.shows("› Compare assets")
		s.press("right")
		s.showsNot("# How to")
		s.press("down")
		s.shows("· DCF valuation")
		s.wait(time.Second)
		s.shows("# How to dcf-valuation")
		s.showsNot("# How to compare-assets")
	})
}

func TestK23_APageIsReadOnceAndLaidOutForEachWidth(t *testing.T) {
	reads := 0
	l := newLibrary()
	onScreen(t, func() tui.Config {
		cfg := l.keeping()
		cfg.Commands[0].Open = func() *tui.ListScreen {
			counted := l.listScreen()
			counted.Read = func(name string) (string, error) { reads++; return l.read(name) }
			return counted
		}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("/skills")
		s.press("right", "down", "up", "down", "up")
		if reads != 2 {
			t.Errorf("two items were read %d times, want once each", reads)
		}
		s.shows("each symbol, over the")
		s.send(tea.WindowSizeMsg{Width: 120, Height: 24})
		s.shows("each symbol, over the same dates, then\n")
		if reads != 2 {
			t.Errorf("another width read again, %d times in all", reads)
		}
	})
}

func TestK23_ActionsRunInTheBackgroundOneAtATime(t *testing.T) {
	ran := 0
	slow := func(string) (tui.ActionResult, error) {
		time.Sleep(time.Second)
		ran++
		return tui.ActionResult{Message: "acted"}, nil
	}
	onScreen(t, listScreenWith(slow), 80, 24, func(s *screen) {
		s.ask("/s")
		s.press("tab", "x")
		s.shows("act…")
		s.press("tab", "x")
		s.shows("act is still running")
		s.wait(time.Second)
		s.shows("acted")
		s.showsNot("act…")
		s.press("down")
		s.showsNot("acted")
		if ran != 1 {
			t.Errorf("ran %d times, want once", ran)
		}
	})
}

func TestK23_DeletingNeedsADeliberateYes(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys func(*screen)
		gone bool
	}{
		{"yes after a pause", func(s *screen) { s.wait(time.Second); s.press("y") }, true},
		{"yes at once", func(s *screen) { s.press("y") }, false},
		{"typing on", func(s *screen) { s.wait(time.Second); s.press("u", "y") }, false},
		{"a paste before", func(s *screen) { s.wait(time.Second); s.send(tea.PasteMsg{Content: "y"}); s.press("y") }, false},
		{"no", func(s *screen) { s.wait(time.Second); s.press("n") }, false},
		{"enter is no", func(s *screen) { s.wait(time.Second); s.press("enter") }, false},
		{"escape is no", func(s *screen) { s.wait(time.Second); s.press("esc") }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLibrary()
			onListScreen(t, l, func(s *screen) {
				s.press("down", "tab", "d")
				s.shows("! Delete dcf-valuation?", "n no   y yes", "› DCF valuation")
				tt.keys(s)
				if gone := len(l.all()) == 5; gone != tt.gone {
					t.Fatalf("deleted: %t, want %t", gone, tt.gone)
				}
				if tt.gone {
					s.shows("deleted dcf-valuation", "› Tax-loss", "· 5")
				}
			})
		})
	}
}

func TestK23_AMissingItemIsAnErrorAndReloadsTheList(t *testing.T) {
	l := newLibrary()
	onListScreen(t, l, func(s *screen) {
		s.press("tab", "d")
		l.remove("compare-assets")
		s.wait(time.Second)
		s.press("y")
		s.shows("✗ deleting compare-assets: no such skill", "› DCF valuation", "· 5")
		s.showsNot("Compare assets")
	})
}

func TestK23_AFormKeepsItsValuesAndSelectsTheNewItem(t *testing.T) {
	l := newLibrary()
	onListScreen(t, l, func(s *screen) {
		s.press("tab", "n")
		s.shows("Create a skill", "1 of 3", "category       Finance")
		s.press("ctrl+r")
		s.shows("✗ a value is required")
		s.write("full")
		s.press("tab")
		s.write("Check the plan")
		s.press("ctrl+r")
		s.shows("✗ writing full: no space left on device", "› description *  Check the plan")
		s.press("up", "backspace", "backspace")
		s.write("AA")
		s.press("ctrl+r")
		s.shows(`✗ "fuAA" has a space or a capital letter`, "description *  Check the plan")
		s.press("backspace", "backspace")
		s.write("nd")
		s.press("ctrl+r")
		s.shows("created fund", "› fund", "· 7")
		s.showsNot("Create a skill")
		if diff := cmp.Diff([]string{"create full", "create fuAA", "create fund"}, l.ran); diff != "" {
			t.Errorf("ran (-want +got):\n%s", diff)
		}
	})
}

func TestK23_AFilterThatHidesTheNewItemIsCleared(t *testing.T) {
	onListScreen(t, newLibrary(), func(s *screen) {
		s.write("text")
		s.press("tab", "n")
		s.write("fresh")
		s.press("enter")
		s.write("about it")
		s.press("ctrl+r")
		s.shows("› fresh")
		s.showsNot("/text")
	})
}

func TestK23_EscAndCtrlCCloseAFormAndNotTheListScreen(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		onListScreen(t, newLibrary(), func(s *screen) {
			s.press("tab", "n")
			s.write("name")
			s.press(key)
			s.showsNot("Create a skill")
			s.shows("› Compare assets")
			if key == "ctrl+c" {
				s.shows("Press Ctrl+C again to quit.")
				s.press(key)
			}
			if s.quit != (key == "ctrl+c") {
				t.Errorf("%s: quit = %t", key, s.quit)
			}
		})
	}
}

func TestK23_CommandsAreRefreshedAfterAListScreen(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := newLibrary().keeping()
		before := cfg.Commands
		cfg.Refresh = func() []tui.Command { return append(before, skillNamed("fresh", "")) }
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("/skills")
		s.press("esc")
		s.write("/fre")
		s.shows("/fresh")
	})
}

func TestK23_AnApprovalOverTheListScreenHasItsQuietTime(t *testing.T) {
	got := tool.Answer{Reason: "not answered"}
	onScreen(t, func() tui.Config {
		a := tui.NewApprovals()
		ask := asks(a, `{"path":"a.md"}`, func(answer tool.Answer) { got = answer })
		cfg := newLibrary().keeping()
		cfg.Approvals = a
		cfg.Conversation = &scripted{id: "s1", turns: []turnFunc{func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
			time.Sleep(time.Second)
			return ask(ctx, in, say)
		}}}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("save it")
		s.ask("/skills")
		s.press("tab", "n")
		s.write("half")
		s.wait(700 * time.Millisecond)
		s.shows("! write_report wants to make a change", "Compare assets")
		s.showsNot("Create a skill")
		s.press("s")
		s.shows("wants to make a change")
		s.wait(time.Second)
		s.press("y")
		if want := (tool.Answer{Allowed: true, Person: true}); got != want {
			t.Fatalf("answer = %+v, want %+v", got, want)
		}
		s.shows("Create a skill", "› name *         half")
	})
}

func TestK23_ATurnContinuesBelowTheListScreen(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := newLibrary().keeping()
		cfg.Conversation = &scripted{id: "s1", turns: []turnFunc{
			func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
				time.Sleep(2 * time.Second)
				return turnAnswering("the whole answer")(ctx, in, say)
			}, turnAnswering("the queued one")}}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("go")
		s.ask("and then")
		s.ask("/skills")
		s.shows("Skills", "thinking")
		s.wait(3 * time.Second)
		s.showsNot("thinking")
		s.press("esc")
		s.shows("the whole answer", "the queued one")
	})
}

func TestK23_TheResultOfAnActionIsShownAfterTheListScreenWasClosed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome tui.ActionResult
		err     error
		want    string
	}{
		{"an error", tui.ActionResult{}, errors.New("the disk is full"), "✗ act: the disk is full"},
		{"a word", tui.ActionResult{Message: "exported 3 skills"}, nil, "exported 3 skills"},
		{"what would go on", tui.ActionResult{Compose: "/late "}, nil, "> Ask a question"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refreshed := 0
			slow := func(string) (tui.ActionResult, error) {
				time.Sleep(time.Second)
				return tt.outcome, tt.err
			}
			onScreen(t, func() tui.Config {
				cfg := listScreenWith(slow)()
				cfg.Refresh = func() []tui.Command { refreshed++; return nil }
				return cfg
			}, 80, 24, func(s *screen) {
				s.ask("/s")
				s.press("tab", "x", "esc")
				s.wait(2 * time.Second)
				s.shows(tt.want)
				if refreshed != 2 {
					t.Errorf("asked what there is %d times, want at the close and after the action", refreshed)
				}
			})
		})
	}
}

func TestK23_AFormCanceledDuringFillReloadsTheList(t *testing.T) {
	l := newLibrary()
	onScreen(t, func() tui.Config {
		cfg := l.keeping()
		cfg.Commands[0].Open = func() *tui.ListScreen {
			slow := l.listScreen()
			form := l.creating("")
			fill := form.Fill
			form.Fill = func(values map[string]string) (tui.ActionResult, error) { time.Sleep(time.Second); return fill(values) }
			slow.Actions[1].Run = func(string) (tui.ActionResult, error) { return tui.ActionResult{Ask: form}, nil }
			return slow
		}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("/skills")
		s.press("tab", "n")
		s.write("late")
		s.press("enter")
		s.write("comes late")
		s.press("ctrl+r", "esc")
		s.showsNot("Create a skill")
		s.wait(2 * time.Second)
		s.shows("› Compare assets", "late ", "· 7")
		s.showsNot("created late")
	})
}

func TestK23_DiagnosticsAreReadInThePaneAndPutAway(t *testing.T) {
	onListScreen(t, newLibrary(), func(s *screen) {
		s.press("tab", "x")
		s.shows("› doctor", "1 of 6 skills cannot be used")
		s.press("esc")
		s.showsNot("cannot be used")
		s.shows("› Compare assets")
	})
}

func TestK23_TheMouseChoosesAndScrolls(t *testing.T) {
	onListScreen(t, newLibrary(), func(s *screen) {
		for y, line := range strings.Split(s.view(), "\n") {
			if strings.Contains(line, "Rewrite text") {
				s.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 8, Y: y})
			}
		}
		s.press("right")
		s.shows("› Rewrite text", "# How to rewrite-text")
		s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 60, Y: 8})
		s.showsNot("# How to")
		s.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 5, Y: 8})
		s.shows("› Compare assets")
	})
}

func TestK23_ANarrowScreenOpensThePageOverTheList(t *testing.T) {
	onScreen(t, newLibrary().keeping, 40, 15, func(s *screen) {
		s.ask("/skills")
		s.showsNot("# How to")
		s.press("down", "right")
		s.shows("› DCF valuation", "# How to dcf-valuation")
		s.showsNot("Compare assets")
		s.send(tea.WindowSizeMsg{Width: 100, Height: 30})
		s.shows("Compare assets", "# How to dcf-valuation")
		s.send(tea.WindowSizeMsg{Width: 40, Height: 15})
		s.press("esc")
		s.shows("› DCF valuation", "Compare assets")
	})
}

// setupConfig returns a chat whose /setup lists providers. A local server answers late.
func setupConfig() tui.Config {
	row := func(group, title, detail, state string) tui.ListItem {
		return tui.ListItem{Name: title, Group: group, Columns: []string{detail, state}}
	}
	return tui.Config{Commands: []tui.Command{{Name: "setup", Open: func() *tui.ListScreen {
		return &tui.ListScreen{
			Title: "Setup · 1 of 3 · Model", Step: "cancel", NamesFolded: true,
			Items: func() []tui.ListItem {
				return []tui.ListItem{
					row("Found on this computer", "OpenAI", "OPENAI_API_KEY is set", "ready"),
					row("Providers", "Anthropic", "needs an API key", ""),
					row("Providers", "OpenRouter", "needs an API key, one key for many models", ""),
					row("Other", "Another server", "any OpenAI-compatible address", ""),
				}
			},
			Late: func() []tui.ListItem {
				time.Sleep(5 * time.Second)
				return []tui.ListItem{row("Also found on this computer", "Ollama", "localhost:11434, 3 models", "ready")}
			},
			Actions: []tui.ListAction{{Action: "screen-enter", Name: "choose", Run: func(string) (tui.ActionResult, error) { return tui.ActionResult{Message: "chosen"}, nil }}},
		}
	}}}}
}

// Section 2 of the chat's design: a late row is added below and the cursor does not move.
func TestListScreen_LateItemsAreAddedBelow(t *testing.T) {
	onScreen(t, setupConfig, 100, 30, func(s *screen) {
		s.ask("/setup")
		s.press("down", "down")
		before := strings.Split(s.view(), "\n")
		s.showsNot("Ollama")
		s.wait(5 * time.Second)
		s.shows("Ollama", "› OpenRouter")
		for i, row := range strings.Split(s.view(), "\n") {
			if strings.Contains(row, "Also found") {
				break
			}
			if i > 0 && row != before[i] {
				t.Errorf("row %d moved: %q, before %q", i, row, before[i])
			}
		}
		s.press("enter")
		s.shows("chosen", "Ollama")
	})
}

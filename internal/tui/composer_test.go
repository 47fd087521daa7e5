package tui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui"
)

func TestComposer_SeveralKeysBreakTheLineAndEnterSends(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		s.write("one")
		s.press("alt+enter")
		s.write("two")
		s.press("ctrl+j")
		s.write("three")
		s.press("shift+enter")
		s.write(`four\`)
		s.press("enter")
		s.write("five")
		s.shows(" > one\n   two\n   three\n   four\n   five")
		s.press("enter")
		s.wait(1)
		if diff := cmp.Diff([]string{"one\ntwo\nthree\nfour\nfive"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestComposer_APasteOfManyLinesStaysOneMessage(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		lines := strings.TrimSpace(strings.Repeat("line of a statement\r\n", 500))
		s.send(tea.PasteMsg{Content: lines})
		if got := inputs(c); len(got) != 0 {
			t.Fatalf("a paste sent %q", got)
		}
		s.shows("> [paste 1: 500 lines]")
		s.press("enter")
		s.wait(1)
		want := strings.ReplaceAll(lines, "\r\n", "\n")
		if diff := cmp.Diff([]string{want}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestComposer_GrowsToEightLinesAndNoFurther(t *testing.T) {
	onScreen(t, talk(), 80, 40, func(s *screen) {
		for i := range 12 {
			if i > 0 {
				s.press("alt+enter")
			}
			s.write(string(rune('a' + i)))
		}
		s.shows("   e\n   f\n   g\n   h\n   i\n   j\n   k\n   l\n ─")
		s.showsNot("   d\n   e")
		if c := s.model.View().Cursor; c == nil || c.Y != 37 {
			t.Errorf("cursor = %+v, want it on line 37 with the last row", c)
		}
	})
}

func TestComposer_UpAndDownRecallSentMessages(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("second")
		s.press("up")
		s.shows("> second\n")
		s.press("up")
		s.shows("> first\n ─")
		s.press("down", "down")
		s.showsNot("> first\n ─", "> second\n ─")
		s.press("up")
		s.write("!")
		s.press("up")
		s.shows("> second!")
	})
}

func TestComposer_AResumedConversationRecallsItsMessages(t *testing.T) {
	onScreen(t, func() tui.Config { return tui.Config{History: recorded()} }, 80, 24, func(s *screen) {
		s.press("up", "up")
		s.shows("> What does AAPL cost?\n ─")
	})
}

func TestComposer_TheCursorIsAfterWideCharacters(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.write("中文a")
		c := s.model.View().Cursor
		if c == nil || c.X != 1+2+5 || c.Y != 21 {
			t.Errorf("cursor = %+v, want column 8 of line 21", c)
		}
	})
}

func TestComposer_RemovesPastedControlSequences(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		s.send(tea.PasteMsg{Content: "a\x1b]0;title\x07b\u202ec"})
		s.press("enter")
		s.wait(1)
		if diff := cmp.Diff([]string{"abc"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestComposer_ALongPasteIsALabelThatIsDeletedAsOne(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		s.write("see ")
		s.send(tea.PasteMsg{Content: strings.Repeat("x\n", 20)})
		s.send(tea.PasteMsg{Content: strings.Repeat("y\n", 29) + "[paste 1: 20 lines]"})
		s.write("!")
		s.shows("> see [paste 1: 20 lines][paste 2: 30 lines]!")
		s.press("backspace", "backspace")
		s.shows("> see [paste 1: 20 lines]\n")
		s.press("backspace")
		s.shows("> see\n")
		s.send(tea.PasteMsg{Content: strings.Repeat("z\n", 9) + "[paste 1: 20 lines]"})
		s.press("enter")
		s.wait(1)
		if diff := cmp.Diff([]string{"see " + strings.Repeat("z\n", 9) + "[paste 1: 20 lines]"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

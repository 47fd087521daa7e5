package tui_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// archive is a chat with a second conversation, which its list screen resumes.
type archive struct {
	first, other *scripted
	slow         time.Duration // how long loading takes
	doneCalls    []bool        // what Done received
}

func (a *archive) chat() tui.Config {
	resume := func(string) (tui.ActionResult, error) {
		time.Sleep(a.slow)
		history := []session.Entry{userEntry("What does AAPL cost?")}
		return tui.ActionResult{Resume: &tui.ResumeRequest{Conversation: a.other, History: history, Done: func(in bool) { a.doneCalls = append(a.doneCalls, in) }}}, nil
	}
	open := func() *tui.ListScreen {
		return &tui.ListScreen{
			Title: "Sessions", Items: func() []tui.ListItem { return []tui.ListItem{{Name: "s9", Title: "What does AAPL cost?"}} },
			Actions: []tui.ListAction{{Action: "screen-enter", Name: "resume", Run: resume}},
		}
	}
	return tui.Config{Conversation: a.first, Commands: []tui.Command{{Name: "sessions", Open: open}}}
}

func (a *archive) checkDone(t *testing.T, want bool) {
	t.Helper()
	if diff := cmp.Diff([]bool{want}, a.doneCalls); diff != "" {
		t.Errorf("Done received (-want +got):\n%s", diff)
	}
}

func TestResume_TheChatGoesOnWithTheOtherConversation(t *testing.T) {
	a := &archive{
		first: &scripted{id: "s1", turns: []turnFunc{turnAnswering("the first answer")}},
		other: &scripted{id: "s9", turns: []turnFunc{turnAnswering("the other answer")}},
	}
	onScreen(t, a.chat, 80, 24, func(s *screen) {
		s.ask("one")
		s.ask("/sessions")
		s.press("enter")
		s.shows("What does AAPL cost?", "The previous session is saved as s1")
		s.showsNot("the first answer")
		s.ask("two")
		s.shows("the other answer")
		if len(a.other.got) != 1 || len(a.first.got) != 1 || s.model.SessionID() != "s9" {
			t.Errorf("the other one got %v, and %s is resumed later; want the second question and s9", a.other.got, s.model.SessionID())
		}
		a.checkDone(t, true)
		s.press("up", "up")
		s.shows("> What does AAPL cost?")
	})
}

func TestResume_AnAnswerThatComesIsNotLostFromSight(t *testing.T) {
	a := &archive{first: &scripted{id: "s1", turns: []turnFunc{hangs("still")}}, other: &scripted{id: "s9"}}
	onScreen(t, a.chat, 80, 24, func(s *screen) {
		s.ask("one")
		s.ask("/sessions")
		s.press("enter")
		s.shows("nfa is still answering")
		a.checkDone(t, false)
		s.press("esc")
		s.shows("still")
		if s.model.SessionID() != "s1" {
			t.Errorf("the chat is in %s, want s1", s.model.SessionID())
		}
	})
}

func TestResume_AClosedListScreenChangesNothing(t *testing.T) {
	a := &archive{first: &scripted{id: "s1", turns: []turnFunc{turnAnswering("the first answer")}}, other: &scripted{id: "s9"}, slow: time.Second}
	onScreen(t, a.chat, 80, 24, func(s *screen) {
		s.ask("one")
		s.ask("/sessions")
		s.press("enter", "esc")
		s.wait(2 * time.Second)
		s.shows("the first answer")
		a.checkDone(t, false)
		if s.model.SessionID() != "s1" {
			t.Errorf("the chat is in %s, want s1", s.model.SessionID())
		}
	})
}

func TestResume_ALoadErrorIsShownOnTheListScreen(t *testing.T) {
	broken := listScreenWith(func(string) (tui.ActionResult, error) {
		return tui.ActionResult{}, errors.New("loading s9: entry 3 is no JSON")
	})
	onScreen(t, broken, 80, 24, func(s *screen) {
		s.ask("/s")
		s.press("tab", "x")
		s.shows("loading s9: entry 3 is no JSON")
	})
}

package tui_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// forking is a chat whose forks have the ID s2 and contain the first question.
type forking struct {
	asked   []string // "2 what next?"
	entered []bool
	err     error
	copy    *scripted
}

func (f *forking) config() tui.Config {
	cfg := talk(turnAnswering("**First.**"), turnAnswering("Second."))()
	f.copy = &scripted{id: "s2", turns: cfg.Conversation.(*scripted).turns}
	cfg.Fork = func(from int, question string) (*tui.ResumeRequest, error) {
		f.asked = append(f.asked, fmt.Sprint(from, " ", question))
		time.Sleep(time.Second) // it takes its time
		return &tui.ResumeRequest{
			Conversation: f.copy,
			History:      []session.Entry{{Kind: session.KindUser, Message: llm.Message{Role: llm.RoleUser, Content: "one"}}},
			Done:         func(entered bool) { f.entered = append(f.entered, entered) },
		}, f.err
	}
	return cfg
}

func TestSelection_AMessageIsCopiedAsItWasWritten(t *testing.T) {
	onScreen(t, new(forking).config, 80, 24, func(s *screen) {
		s.ask("one")
		s.press("tab")
		s.shows("›First.", "\n c copy  e edit  r retry  f fork  Esc back")
		s.press("c")
		s.shows("Copied 10 characters.")
		s.press("tab", "y")
		s.ask("/copy")
		if diff := cmp.Diff([]string{"**First.**", "one", "**First.**"}, s.copied); diff != "" {
			t.Errorf("copied (-want +got):\n%s", diff)
		}
	})
}

func TestSelection_OpenIsOfferedOnlyForWhatFolds(t *testing.T) {
	onScreen(t, talk(calls("Done.", priceHistory())), 80, 24, func(s *screen) {
		s.ask("one")
		s.press("tab")
		s.shows("›Done.", "\n c copy  Esc back")
		s.press("tab")
		s.shows("›✓ Price", "\n Enter expand  v full screen  c copy  Esc back")
		s.press("enter")
		s.shows("›▾ Price", "\n Enter collapse  v full screen  c copy  Esc back")
		s.press("tab")
		s.shows("›> one", "\n c copy  Esc back")
	})
}

func TestSelection_AQuestionIsEditedRetriedOrForked(t *testing.T) {
	tests := []struct {
		name  string
		keys  []string
		asked string // arguments of Fork
		shows string
		sent  []string // sent to the fork
	}{
		{"edit from the question", []string{"tab", "tab", "e"}, "2 two", "> two", nil},
		{"edit from the answer", []string{"tab", "e"}, "2 two", "> two", nil},
		{"retry", []string{"tab", "r"}, "2 two", "First.", []string{"two"}},
		{"fork behind the last", []string{"tab", "f"}, "3 ", "saved as s1", nil},
		{"fork behind the first", []string{"tab", "tab", "tab", "f"}, "2 two", "saved as s1", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &forking{}
			onScreen(t, f.config, 80, 40, func(s *screen) {
				s.ask("one")
				s.ask("two")
				s.press(tt.keys...)
				s.wait(2 * time.Second)
				s.shows("> one", tt.shows, "Forked. The previous session is saved as s1")
				s.showsNot("Second.")
				if diff := cmp.Diff([]string{tt.asked}, f.asked); diff != "" {
					t.Errorf("Fork (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tt.sent, inputs(f.copy)); diff != "" {
					t.Errorf("sent to the copy (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff([]bool{true}, f.entered); diff != "" {
					t.Errorf("Done (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestSelection_AFailedForkLosesNothing(t *testing.T) {
	f := &forking{err: errors.New("the disk is full")}
	onScreen(t, f.config, 80, 40, func(s *screen) {
		s.ask("one")
		s.press("tab", "e")
		s.wait(2 * time.Second)
		s.shows("the disk is full", "First.")
	})
	none := func() tui.Config { return talk(turnAnswering("First."))() }
	onScreen(t, none, 80, 40, func(s *screen) {
		s.ask("one")
		s.press("tab", "r")
		s.shows("Nothing to fork.")
	})
	onScreen(t, func() tui.Config {
		cfg := new(forking).config()
		cfg.Conversation.(*scripted).turns[1] = hangs("Half")
		return cfg
	}, 80, 40, func(s *screen) {
		s.ask("one")
		s.ask("two")
		s.press("tab", "tab", "r")
		s.shows("nfa is still answering")
	})
}

func TestSelection_AForkThatComesTooLateReturnsTheText(t *testing.T) {
	f := &forking{}
	onScreen(t, f.config, 80, 40, func(s *screen) {
		s.ask("one")
		s.press("tab", "r")
		s.ask("/clear")
		s.wait(2 * time.Second)
		if diff := cmp.Diff([]bool{false}, f.entered); diff != "" {
			t.Errorf("Done (-want +got):\n%s", diff)
		}
	})
}

func TestSelection_TheDraftStaysInAFork(t *testing.T) {
	f := &forking{}
	onScreen(t, f.config, 80, 40, func(s *screen) {
		s.ask("one")
		s.press("tab", "f")
		s.write("a draft")
		s.wait(2 * time.Second)
		s.shows("> a draft", "saved as s1")
	})
}

func TestFind_GoesFromMatchToMatchAndCountsThem(t *testing.T) {
	long := strings.Repeat("Filler text.\n\n", 30)
	onScreen(t, talk(turnAnswering("The drawdown was deep.\n\n"+long), turnAnswering("No hit.\n\n"+long), turnAnswering("A Drawdown of 10 %.")), 80, 24, func(s *screen) {
		s.ask("one")
		s.ask("two")
		s.ask("three")
		s.press("ctrl+f")
		s.write("DRAW")
		s.shows("find: DRAW", "2 of 2", "A Drawdown")
		s.press("enter")
		s.shows("The drawdown was deep.", "1 of 2")
		s.press("enter")
		s.shows("no more matches", "The drawdown was deep.")
		s.press("down")
		s.shows("A Drawdown", "2 of 2")
		s.write("x")
		s.shows("no matches")
		s.press("esc")
		s.showsNot("find:")
		s.shows("> ")
	})
}

func TestFind_HighlightsMatchesAndKeepsTheDraft(t *testing.T) {
	colored := func() tui.Config {
		cfg := talk(turnAnswering("It is 中文 with drawdown."))()
		cfg.Theme = tui.ThemeDark
		return cfg
	}
	onScreen(t, colored, 80, 24, func(s *screen) {
		s.ask("one")
		s.write("a draft")
		s.press("ctrl+f")
		s.write("drawdown")
		if got := s.model.View().Content; !strings.Contains(got, "\x1b[7mdrawdown\x1b[m") {
			t.Errorf("the words are not marked:\n%q", got)
		}
		s.press("esc")
		s.shows("a draft")
	})
}

func TestSelection_TheColumnsOfAWideTableScroll(t *testing.T) {
	var head, rule, row strings.Builder
	for i := range 12 {
		fmt.Fprintf(&head, "| column %d ", i)
		rule.WriteString("|---:")
		fmt.Fprintf(&row, "| %d,234,567.89 ", i+1)
	}
	table := head.String() + "|\n" + rule.String() + "|\n" + row.String() + "|\n"
	onScreen(t, talk(turnAnswering(table)), 80, 24, func(s *screen) {
		s.ask("a table")
		s.shows("column 0", "1,234,567.89", "more columns")
		s.showsNot("column 11")
		s.press("tab")
		s.shows("Right more columns")
		for range 20 {
			s.press("right")
		}
		s.shows("column 0", "column 11", "← ")
		for range 20 {
			s.press("left")
		}
		s.shows("column 1 ")
		s.showsNot("column 11")
	})
}

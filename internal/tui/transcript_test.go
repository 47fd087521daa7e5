package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// long returns a recorded conversation of n questions and answers.
func long(n int) func() tui.Config {
	return func() tui.Config {
		cfg := talk(hangs("a new answer"))()
		for i := range n {
			cfg.History = append(cfg.History, userEntry(fmt.Sprintf("question %d.", i)),
				session.Entry{Kind: session.KindAssistant, Message: llm.Message{Content: fmt.Sprintf("answer %d.", i)}})
		}
		return cfg
	}
}

func TestTranscript_ScrollsAndFollowsTheEnd(t *testing.T) {
	onScreen(t, long(100), 80, 24, func(s *screen) {
		s.shows("answer 99.")
		s.press("pgup")
		s.showsNot("answer 99.")
		s.shows("answer 94.", "End for the latest")
		s.press("home")
		s.shows("question 0.")
		s.press("pgdown")
		s.showsNot("question 0.")
		s.press("end")
		s.shows("answer 99.")
		s.showsNot("End for the latest")
	})
}

func TestTranscript_APageUpAndDownComesBackToTheEnd(t *testing.T) {
	onScreen(t, long(100), 80, 24, func(s *screen) {
		before := s.view()
		for range 7 {
			s.press("pgup")
		}
		for range 7 {
			s.press("pgdown")
		}
		if after := s.view(); after != before {
			t.Errorf("not where it began:\n%s", after)
		}
	})
}

func TestTranscript_TheWheelScrollsEveryRowOnce(t *testing.T) {
	onScreen(t, long(30), 80, 24, func(s *screen) {
		seen := map[string]bool{}
		for range 60 {
			for line := range strings.SplitSeq(s.view(), "\n") {
				seen[strings.TrimSpace(line)] = true
			}
			s.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		}
		for i := range 30 {
			if !seen[fmt.Sprintf("> question %d.", i)] || !seen[fmt.Sprintf("answer %d.", i)] {
				t.Errorf("exchange %d was never visible", i)
			}
		}
	})
}

func TestTranscript_NewTextBelowIsAnnouncedAndDoesNotMoveTheReader(t *testing.T) {
	stream := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		for i := range 100 {
			say(agent.TextDelta{Text: fmt.Sprintf("paragraph %d\n\n", i)})
			time.Sleep(50 * time.Millisecond)
		}
		return agent.TurnDone{Reason: agent.StopAnswered}, nil
	}
	onScreen(t, func() tui.Config {
		cfg := long(100)()
		cfg.Conversation = &scripted{turns: []turnFunc{stream}}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("go")
		s.press("pgup", "pgup")
		reading := strings.Split(s.view(), "\n")[2:17]
		s.wait(2 * time.Second)
		s.shows("↓ new below, End")
		for i, line := range strings.Split(s.view(), "\n")[2:17] {
			if line != reading[i] {
				t.Fatalf("line %d moved from %q to %q", i+2, reading[i], line)
			}
		}
		s.press("end")
		s.shows("paragraph 4")
		s.showsNot("new below")
	})
}

func TestTranscript_SendingReturnsToTheEnd(t *testing.T) {
	onScreen(t, long(100), 80, 24, func(s *screen) {
		s.press("pgup")
		s.ask("and now?")
		s.shows("> and now?", "a new answer")
	})
}

func TestTranscript_ANarrowerWindowKeepsTheReadersPlace(t *testing.T) {
	onScreen(t, long(100), 80, 24, func(s *screen) {
		s.press("pgup", "pgup", "pgup")
		first := strings.Split(s.view(), "\n")[3]
		s.send(tea.WindowSizeMsg{Width: 44, Height: 20})
		s.shows(strings.TrimSpace(first))
	})
}

func TestTranscript_CardsOpenByFocusByClickAndAllAtOnce(t *testing.T) {
	onScreen(t, talk(calls("Done.", priceHistory(), returnsStats())), 80, 24, func(s *screen) {
		s.ask("go")
		s.showsNot("3,095 daily bars")
		s.press("tab", "tab", "tab")
		s.shows("›✓ Price")
		if s.model.View().Cursor != nil {
			t.Error("the composer shows its cursor while a card has the focus")
		}
		s.press("enter")
		s.shows("›▾ Price", "│ 3,095 daily bars")
		s.press("enter")
		s.showsNot("3,095 daily bars")
		s.write("x")
		s.shows("> x", " ✓ Price")
		s.press("ctrl+o")
		s.shows("3,095 daily bars", "max drawdown")
		s.press("ctrl+o")
		s.showsNot("3,095 daily bars", "max drawdown")
		for y, line := range strings.Split(s.view(), "\n") {
			if strings.Contains(line, "Price") {
				s.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 10, Y: y})
			}
		}
		s.shows("3,095 daily bars")
		s.showsNot("max drawdown")
	})
}

func TestTranscript_AnOpenedCardKeepsItsHeadInSight(t *testing.T) {
	tall := priceHistory()
	tall.Result.ForUser = strings.Repeat("a paragraph\n\n", 40)
	onScreen(t, talk(calls("Done.", tall)), 80, 24, func(s *screen) {
		s.ask("go")
		s.press("tab", "tab", "enter")
		s.shows("›▾ Price", "│ a paragraph")
		s.showsNot("Done.")
		s.press("enter")
		s.shows("›✓ Price", "Done.")
	})
}

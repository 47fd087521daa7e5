package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cputest"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// storedHistory is a history of earlier chats.
type storedHistory struct {
	mu       sync.Mutex
	messages []string
	err      error
}

func (k *storedHistory) Messages(context.Context) ([]string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.messages), k.err
}

func (k *storedHistory) Add(_ context.Context, text string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.messages = append(k.messages, text)
	return k.err
}

func remembering(k *storedHistory, turns ...turnFunc) func() tui.Config {
	return func() tui.Config {
		cfg := talk(turns...)()
		cfg.InputHistory = k
		return cfg
	}
}

func earlierHistory() *storedHistory {
	return &storedHistory{messages: []string{
		"How has VTI done since 2008?", "Compare VTI and BND over ten years, with dividends", "one\ntwo\nthree",
		"What would \x1b[31m5 %\u202e less a year mean?", "/portfolio",
	}}
}

func TestInputHistory_UpRecallsTheMessagesOfAllChats(t *testing.T) {
	k := earlierHistory()
	onScreen(t, remembering(k, turnAnswering("Fine.")), 80, 24, func(s *screen) {
		s.ask("and now?")
		s.press("up")
		s.shows("> and now?\n ─")
		s.press("up")
		s.shows("> /portfolio\n ─")
		s.press("up")
		s.shows("> What would 5 % less a year mean?\n")
		s.press("up")
		s.shows("> one\n   two\n   three\n")
		if got := k.messages[len(k.messages)-1]; got != "and now?" {
			t.Errorf("the last kept is %q", got)
		}
	})
}

func TestInputHistory_ALongPasteIsNotStored(t *testing.T) {
	k := &storedHistory{}
	onScreen(t, remembering(k, turnAnswering("Fine."), turnAnswering("Fine.")), 80, 24, func(s *screen) {
		s.write("see ")
		s.send(tea.PasteMsg{Content: strings.Repeat("a line of a statement\n", 500) + "end"})
		s.press("enter")
		s.wait(200 * time.Millisecond)
		s.write("  private")
		s.press("enter")
		s.wait(200 * time.Millisecond)
		if diff := cmp.Diff([]string{"see [501 pasted lines]", "  private"}, k.messages); diff != "" {
			t.Errorf("given to keep (-want +got):\n%s", diff)
		}
	})
}

func TestInputHistory_AnErrorIsShownOnce(t *testing.T) {
	k := &storedHistory{err: errors.New("keeping what was written: disk full")}
	onScreen(t, remembering(k, turnAnswering("Fine."), turnAnswering("Good.")), 80, 24, func(s *screen) {
		s.ask("one")
		s.ask("two")
		s.shows("Fine.", "Good.")
		if n := strings.Count(s.view(), "disk full"); n != 1 {
			t.Errorf("it is shown %d times:\n%s", n, s.view())
		}
		s.press("up")
		s.shows("> two\n ─")
	})
}

func TestInputHistory_ClearKeepsSentMessages(t *testing.T) {
	onScreen(t, talk(turnAnswering("Fine.")), 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("/clear")
		s.press("up", "up")
		s.shows("> first\n ─")
	})
}

func TestSearch_FindsTakesAndGivesBackWhatWasWritten(t *testing.T) {
	onScreen(t, remembering(earlierHistory()), 80, 24, func(s *screen) {
		s.write("a draft")
		s.press("ctrl+r")
		s.shows("Messages, newest first", "›/portfolio", "one two three", "search:")
		s.write("vti")
		s.shows("›Compare VTI and BND", "How has VTI", "search: vti")
		s.press("ctrl+r")
		s.shows("›How has VTI")
		s.press("esc")
		s.shows("> a draft\n")
		s.showsNot("earlier:")
		s.press("ctrl+r")
		s.write("ten vti")
		s.press("enter")
		s.shows("> Compare VTI and BND over ten years, with dividends\n")
		s.press("ctrl+_")
		s.shows("> a draft\n")
	})
}

func TestSearch_ALongMessageIsShownFromWhereTheWordsStand(t *testing.T) {
	long := strings.Repeat("much before it, ", 400) + "the worst drawdown of all" + strings.Repeat(", and much behind", 400)
	k := &storedHistory{messages: []string{long, "a drawdown in short"}}
	onScreen(t, remembering(k), 80, 24, func(s *screen) {
		s.press("ctrl+r")
		s.shows("much before it, much before it")
		s.write("drawdown")
		s.shows("›a drawdown in short", "before it, the worst drawdown of all, and")
		s.press("ctrl+r", "enter")
		if got := s.model.View().Content; !strings.Contains(got, "much behind") {
			t.Errorf("the message was not taken whole:\n%s", got)
		}
	})
}

func TestSearch_NothingFoundAndNothingKept(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.press("ctrl+r")
		s.shows("search:   no matches · Esc close")
		s.send(tea.PasteMsg{Content: "two\nlines"})
		s.shows("search: two lines")
		s.press("enter")
		s.shows("> Ask a question")
		s.press("ctrl+r", "ctrl+c")
		s.showsNot("earlier:")
	})
}

func TestSearch_SeesWhatAnotherChatSentMeanwhile(t *testing.T) {
	k := earlierHistory()
	onScreen(t, remembering(k), 80, 24, func(s *screen) {
		k.messages = append(k.messages, "from the other window")
		s.press("ctrl+r")
		s.shows("›from the other window")
		s.press("esc", "up")
		s.shows("> /portfolio\n ─")
	})
}

func TestQueue_OfSeveralMessagesOneIsChosen(t *testing.T) {
	var c tui.Conversation
	gate := make(chan struct{})
	onScreen(t, func() tui.Config {
		gate = make(chan struct{})
		waits := func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
			<-gate
			return agent.TurnDone{Reason: agent.StopAnswered}, nil
		}
		c = &scripted{id: "s1", turns: []turnFunc{waits, turnAnswering("two"), turnAnswering("three"), turnAnswering("four")}}
		return tui.Config{Conversation: c}
	}, 80, 24, func(s *screen) {
		for _, text := range []string{"first", "second", "third", "fourth"} {
			s.ask(text)
		}
		s.press("up")
		s.shows("Queued messages", "›fourth", " second")
		s.showsNot("queued")
		s.press("up", "delete")
		s.shows("›fourth")
		s.showsNot("third")
		s.press("up", "enter")
		s.shows("> second\n", "queued  fourth")
		s.write("!")
		s.press("enter")
		s.press("up")
		s.shows("›second!")
		close(gate)
		s.wait(400 * time.Millisecond)
		s.showsNot("Queued messages", "queued")
		if diff := cmp.Diff([]string{"first", "fourth", "second!"}, inputs(c)); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestQueue_TypingClosesItsList(t *testing.T) {
	onScreen(t, talk(hangs("one")), 80, 24, func(s *screen) {
		for _, text := range []string{"first", "second", "third"} {
			s.ask(text)
		}
		s.press("up")
		s.write("x")
		s.shows("queued  second", "queued  third", "> x\n")
		s.press("backspace", "up", "backspace", "backspace")
		s.showsNot("Queued messages", "queued")
	})
}

func TestComposer_UndoAndRedo(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.write("sell all")
		s.press("ctrl+w", "ctrl+u")
		s.shows("> Ask a question")
		s.press("ctrl+_")
		s.shows("> sell\n")
		s.press("ctrl+/")
		s.shows("> sell all\n")
		s.press("ctrl+_")
		s.shows("> sell\n")
		s.press("ctrl+y")
		s.shows("> sell all\n")
		s.press("ctrl+y", "ctrl+y", "ctrl+y")
		s.shows("> Ask a question")
		s.press("ctrl+_", "ctrl+_", "ctrl+_", "ctrl+_", "ctrl+_")
		s.shows("> Ask a question")
	})
}

func TestComposer_UndoneIsAPasteWithItsLabel(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		paste := strings.Repeat("x\n", 20) + "end"
		s.send(tea.PasteMsg{Content: paste})
		s.press("ctrl+w")
		s.shows("> Ask a question")
		s.press("ctrl+_")
		s.shows("> [paste 1: 21 lines]\n")
		s.press("home", "delete")
		s.shows("> Ask a question")
		s.press("ctrl+_", "enter")
		s.wait(1)
		if diff := cmp.Diff([]string{paste}, inputs(c)); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestComposer_TabShowsAPasteInItsPlace(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		s.write("see ")
		paste := strings.Repeat("x\n", 20) + "end"
		s.send(tea.PasteMsg{Content: paste})
		s.press("tab")
		s.write("!")
		s.shows("   x\n   end!")
		s.press("enter")
		s.wait(1)
		if diff := cmp.Diff([]string{"see " + paste + "!"}, inputs(c)); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
		s.send(tea.PasteMsg{Content: strings.Repeat("y\n", 5_000)})
		s.press("tab")
		s.shows("too long to show here", "> [paste 1: 5000 lines]")
	})
}

func TestComposer_TheUsersKeysEdit(t *testing.T) {
	keys, err := widget.NewKeyMap([]widget.KeyOverride{{Name: "cut-word", Keys: []string{"ctrl+x"}}, {Name: "undo", Keys: []string{"alt+z"}}})
	if err != nil {
		t.Fatal(err)
	}
	onScreen(t, func() tui.Config {
		cfg := talk()()
		cfg.Keys = keys
		return cfg
	}, 80, 24, func(s *screen) {
		s.write("one two")
		s.press("ctrl+w")
		s.shows("> one two\n")
		s.press("ctrl+x")
		s.shows("> one\n")
		s.press("alt+z")
		s.shows("> one two\n")
	})
}

// folder returns a chat with files and symbols to offer.
func folder() tui.Config {
	cfg := talk(turnAnswering("Fine."), turnAnswering("Fine."))()
	cfg.Files = func() []string {
		return []string{"notes.txt", "my plan.md", "statements/2025.csv", "statements/2026 q1.csv", "\x1b]0;t\a.txt"}
	}
	cfg.Symbols = func(typed string) []tui.SymbolSuggestion {
		var out []tui.SymbolSuggestion
		for _, s := range []tui.SymbolSuggestion{
			{Symbol: "VTI", Name: "Vanguard Total Stock Market", Kind: "held"}, {Symbol: "VXUS", Name: "Vanguard Total International", Kind: "watched"},
			{Symbol: "V", Name: "Visa\u202e Inc.", Kind: "equity"},
		} {
			if strings.HasPrefix(s.Symbol, strings.ToUpper(typed)) {
				out = append(out, s)
			}
		}
		return out
	}
	return cfg
}

func TestCompletions_OfFilesAfterTheirPrefix(t *testing.T) {
	onScreen(t, folder, 80, 24, func(s *screen) {
		s.write("read @")
		s.shows("›my plan.md", " notes.txt", " statements/2025.csv")
		s.write("20")
		s.shows("›statements/2025.csv", " statements/2026 q1.csv")
		s.showsNot("notes.txt")
		s.press("down", "enter")
		s.shows(`> read @"statements/2026 q1.csv"` + "\n")
		s.showsNot("┌")
		s.write("and @no")
		s.press("esc")
		s.showsNot("┌")
		s.write("t")
		s.shows("›notes.txt")
		s.press("tab")
		s.shows(`> read @"statements/2026 q1.csv" and @notes.txt` + "\n")
		s.press("ctrl+_")
		s.shows("and @not\n")
	})
}

func TestCompletions_OfSymbolsAfterTheirPrefix(t *testing.T) {
	var c tui.Conversation
	onScreen(t, func() tui.Config {
		cfg := folder()
		c = cfg.Conversation
		return cfg
	}, 80, 24, func(s *screen) {
		s.write("costs $1 or $")
		s.showsNot("┌")
		s.write("v")
		s.shows("›VTI   Vanguard Total Stock Market", "held", "watched", "V     Visa Inc.")
		s.press("down", "tab")
		s.shows("> costs $1 or VXUS\n")
		s.write("$V")
		s.press("up")
		s.shows("›V ")
		s.press("enter")
		s.wait(200 * time.Millisecond)
		if diff := cmp.Diff([]string{"costs $1 or VXUS $V"}, inputs(c)); diff != "" {
			t.Errorf("Enter on a symbol written to its end sent (-want +got):\n%s", diff)
		}
	})
}

func TestCompletions_NoneWithoutASource(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.write("@a $b")
		s.showsNot("┌")
	})
}

func attaching(in agent.Input) (agent.Input, error) {
	if strings.Contains(in.Text, "@/etc") {
		return in, errors.New("attaching @/etc/hosts: outside; copy the file here, or paste what matters")
	}
	in.ForModel, in.Text = in.Text+" WITH FILE", in.Text+"\n(attached: notes.txt)"
	return in, nil
}

func TestAttach_FileContentIsNotShown(t *testing.T) {
	var c tui.Conversation
	onScreen(t, func() tui.Config {
		cfg := talk(turnAnswering("Read."), turnAnswering("Fine."))()
		cfg.Attach, c = attaching, cfg.Conversation
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("sum up @notes.txt")
		s.shows("> sum up @notes.txt\n   (attached: notes.txt)", "Read.")
		s.ask("nothing here")
		want := []agent.Input{{Text: "sum up @notes.txt\n(attached: notes.txt)", ForModel: "sum up @notes.txt WITH FILE"}, {Text: "nothing here"}}
		if diff := cmp.Diff(want, c.(*scripted).got); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
		s.press("up", "up")
		s.shows("> sum up @notes.txt\n ─")
		s.press("ctrl+u")
		s.ask("and @/etc/hosts?")
		s.shows("✗ attaching @/etc/hosts: outside; copy the file here", "> and @/etc/hosts?\n ─")
	})
}

func TestAttach_FilesOfASkillFollowItsText(t *testing.T) {
	var c tui.Conversation
	onScreen(t, func() tui.Config {
		cfg := withCommands(&c, skillNamed("review", "<file>"))()
		cfg.Attach = func(in agent.Input) (agent.Input, error) {
			in.ForModel += " + FILE"
			return in, nil
		}
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("/review @notes.txt")
		want := []agent.Input{{Text: "/review @notes.txt", ForModel: "skill review with @notes.txt + FILE", Skill: "review"}}
		if diff := cmp.Diff(want, c.(*scripted).got); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestAttach_AResumedSessionRecallsTypedMessages(t *testing.T) {
	onScreen(t, func() tui.Config {
		entry := userEntry("see @a.txt WITH FILE")
		entry.Display = display(agent.Display{Text: "see @a.txt\n(attached: a.txt)"})
		cfg := talk()()
		cfg.History = append(cfg.History, entry)
		return cfg
	}, 80, 24, func(s *screen) {
		s.shows("> see @a.txt\n   (attached: a.txt)")
		s.press("up")
		s.shows("> see @a.txt\n ─")
	})
}

// composingFrames returns the states of the composer.
func composingFrames() []frame {
	waiting := func(s *screen) {
		for _, text := range []string{question, "And with dividends?", "And in EUR?\nplease", "Then compare it with BND"} {
			s.ask(text)
		}
		s.press("up", "up")
	}
	return []frame{
		{"history", remembering(earlierHistory()), func(s *screen) {
			s.write("a draft")
			s.press("ctrl+r")
			s.write("vti")
		}},
		{"history-nothing", remembering(earlierHistory()), func(s *screen) {
			s.press("ctrl+r")
			s.write("中文")
		}},
		{"queue-list", talk(hangs("From 2008-01-02")), waiting},
		{"files", folder, func(s *screen) { s.write("read @") }},
		{"symbols", folder, func(s *screen) { s.write("what about $v") }},
		{"paste-folded", talk(), func(s *screen) {
			s.write("see ")
			s.send(tea.PasteMsg{Content: strings.Repeat("a line\n", 30)})
		}},
		{"paste-shown", talk(), func(s *screen) {
			s.send(tea.PasteMsg{Content: strings.Repeat("a line\n", 30) + "end"})
			s.press("tab")
		}},
		{"attached", func() tui.Config {
			cfg := talk(turnAnswering("Read."))()
			cfg.Attach = attaching
			return cfg
		}, func(s *screen) { s.ask("sum up @notes.txt") }},
	}
}

// Pasting a long statement takes time proportional to its lines. BenchmarkPaste measures it.
func TestComposer_TheTimeOfAPasteGrowsWithItsLines(t *testing.T) {
	took := func(lines int, enough time.Duration) time.Duration {
		m := shownModel(long(10)())
		text := strings.Repeat("a line of a statement, 100.00 USD, 2020-04-17\n", lines)
		return cputest.Least(t, enough, func() {
			m.Update(tea.PasteMsg{Content: text})
			m.View()
			m.Update(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
		})
	}
	few := took(500, 0)
	if many := took(8000, 80*few); many > 80*few { // 16 times as many; their square is 256
		t.Errorf("500 lines take %v, 8,000 take %v", few, many)
	}
}

func BenchmarkPaste(b *testing.B) {
	text := strings.Repeat("a line of a statement, 100.00 USD, 2020-04-17\n", 500)
	m := shownModel(long(10)())
	for b.Loop() {
		m.Update(tea.PasteMsg{Content: text})
		m.View()
		m.Update(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	}
}

// Measures typing into a draft with an expanded paste, where each key costs time for each line.
func BenchmarkKeystrokeInAShownPaste(b *testing.B) {
	for _, n := range []int{0, 100, 200} {
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			m := shownModel(long(10)())
			m.Update(tea.PasteMsg{Content: strings.Repeat("a line of a statement, 100.00 USD\n", max(n-1, 0)) + "end"})
			m.Update(tea.KeyPressMsg{Code: tea.KeyTab})
			keys := []tea.KeyPressMsg{{Code: 'a', Text: "a"}, {Code: tea.KeyBackspace}}
			for i := 0; b.Loop(); i++ {
				m.Update(keys[i%2])
				m.View()
			}
		})
	}
}

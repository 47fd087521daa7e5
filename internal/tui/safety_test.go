package tui_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// hostile is text that would control a terminal or mislead a reader.
const hostile = "x\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x1b[31m\u009b31m\x9b\u202eevil\u2066\r\x00\x7f\x08y"

// hostileEverywhere returns a chat with hostile text in every place that shows text.
func hostileEverywhere() tui.Config {
	bad := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		call := llm.ToolCall{ID: "1" + hostile, Name: "name" + hostile, Arguments: `{"a":"` + hostile + `"}`}
		say(agent.SkillLoaded{Name: hostile})
		say(agent.ReasoningDelta{Text: hostile})
		for _, b := range []byte("text " + hostile) {
			say(agent.TextDelta{Text: string([]byte{b})})
		}
		say(agent.ToolStarted{Call: call})
		say(agent.ToolFinished{Outcome: tool.Outcome{Call: call, Result: tool.Result{Title: hostile, Summary: hostile, ForUser: hostile}}})
		say(agent.ToolFinished{Outcome: tool.Outcome{Call: llm.ToolCall{ID: "2", Name: hostile, Arguments: hostile}, Result: tool.Failed("", hostile)}})
		return agent.TurnDone{Reason: agent.StopProvider, Figures: agent.FiguresReport{Total: 1, Untraced: []string{hostile}}}, fmt.Errorf("provider: %s", hostile)
	}
	return tui.Config{
		Conversation: &scripted{turns: []turnFunc{bad}},
		StartPage: func() tui.StartPage {
			return tui.StartPage{
				Intro: hostile, Rows: []tui.StartRow{{Text: hostile, Short: hostile}},
				State: []tui.StateLine{{Label: hostile, Text: hostile, Command: hostile}, {Text: hostile, Warn: true}},
			}
		},
		Status: func() tui.Status { return tui.Status{Model: hostile, Agent: hostile, Data: hostile} },
		Commands: []tui.Command{{
			Name: "bad" + hostile, DisplayName: hostile, Hint: hostile, About: hostile, Kind: tui.KindSkill,
			Prepare: func(string) (agent.Input, error) { return agent.Input{}, nil },
		}},
		ErrorAdvice: func(error) string { return hostile },
	}
}

// checkFrame checks what every frame guarantees: it fits, and it contains no escapes or control characters
// except colors.
func checkFrame(t *testing.T, s *screen, width, height int) {
	t.Helper()
	content := s.model.View().Content
	if content == "" {
		return
	}
	lines := strings.Split(content, "\n")
	if len(lines) > height {
		t.Fatalf("%d lines on a screen of %d:\n%s", len(lines), height, content)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Fatalf("line %d is %d columns wide on a screen of %d: %q", i, w, width, line)
		}
		for _, r := range line {
			if r < 0x20 || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("line %d holds %U: %q", i, r, line)
			}
		}
	}
}

func TestSafety_NoControlSequenceReachesTheScreen(t *testing.T) {
	onScreen(t, hostileEverywhere, 80, 60, func(s *screen) {
		checkFrame(t, s, 80, 60)
		s.write("/")
		checkFrame(t, s, 80, 60)
		s.press("backspace")
		s.send(tea.PasteMsg{Content: hostile})
		checkFrame(t, s, 80, 60)
		s.press("enter")
		s.wait(time.Second)
		s.press("ctrl+o")
		s.shows("provider: x")
		checkFrame(t, s, 80, 60)
		s.press("?")
		checkFrame(t, s, 80, 60)
		s.write("/")
		checkFrame(t, s, 80, 60)
	})
}

// letters are characters of many widths: narrow, wide, joined, combining, zero.
var letters = []string{
	"a", "B", " ", "  ", "\n", "\n\n", "\t", "中", "文", "é", "e\u0301", "🏳️‍🌈", "☝️", "⏺️", "👩‍👩‍👧", "🇩🇪", "\u200b", "\u200d", "ﷺ", "नि", "ก็",
	"**", "`", "# ", "- ", "| a | b |\n|---|---|\n| 1 | 2 |\n", "> ", "```\n", "[l](http://x.y)", "\x1b[31m", "\x1b]0;t\a", "\u202e", "/", "word ", strings.Repeat("long", 30),
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) + 1 {
		b.WriteString(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// TestSafety_NothingEverExceedsTheScreen plays random conversations on screens of random sizes, down to zero.
func TestSafety_NothingEverExceedsTheScreen(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := func() string { return randomText(r, 40) }
		random := func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
			o := outcome("c", text(), text(), tool.Result{Title: text(), Summary: text(), ForUser: text(), IsError: r.IntN(2) == 0}, time.Second)
			say(agent.ReasoningDelta{Text: text()})
			say(agent.ToolStarted{Call: o.Call})
			say(agent.ToolFinished{Outcome: o})
			for range 5 {
				say(agent.TextDelta{Text: text()})
			}
			return agent.TurnDone{Reason: agent.StopProvider}, fmt.Errorf("%s", text())
		}
		cfg := func() tui.Config {
			return tui.Config{
				Conversation: &scripted{turns: []turnFunc{random, random}}, Theme: tui.ThemePlain,
				History: []session.Entry{userEntry(text()), {Kind: session.KindAssistant, Message: llm.Message{Content: text()}}},
			}
		}
		width, height := r.IntN(100), r.IntN(40)
		onScreen(t, cfg, width, height, func(s *screen) {
			for range 2 {
				s.send(tea.PasteMsg{Content: text()})
				checkFrame(t, s, width, height)
				s.press("end", "ctrl+o", "enter")
				s.wait(500 * time.Millisecond)
				checkFrame(t, s, width, height)
				s.press("pgup", "tab", "enter", "esc", "/")
				checkFrame(t, s, width, height)
				width, height = r.IntN(100), r.IntN(40)
				s.send(tea.WindowSizeMsg{Width: width, Height: height})
				checkFrame(t, s, width, height)
			}
		})
	}
}

func TestSafety_TheSmallestScreensStillWork(t *testing.T) {
	for _, size := range []struct{ width, height int }{{5, 3}, {1, 1}, {3, 1}, {2, 8}, {80, 2}, {8, 40}} {
		for _, cfg := range []func() tui.Config{approving, hostileEverywhere, long(5)} {
			onScreen(t, cfg, size.width, size.height, func(s *screen) {
				checkFrame(t, s, size.width, size.height)
				s.write("/r")
				checkFrame(t, s, size.width, size.height)
				s.press("esc", "backspace", "backspace")
				s.ask("hello there")
				checkFrame(t, s, size.width, size.height)
				s.press("n")
				s.write("because")
				checkFrame(t, s, size.width, size.height)
			})
		}
	}
}

// TestSafety_AFormNeverExceedsTheScreen plays forms with hostile fields on screens of random sizes, down to
// zero.
func TestSafety_AFormNeverExceedsTheScreen(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2))
		text := func() string { return randomText(r, 12) + hostile[:r.IntN(len(hostile))] }
		var fields []widget.FormField
		for range r.IntN(8) + 1 {
			fields = append(fields, widget.FormField{
				Name: text(), About: text(), Hint: text(), Value: text(), Problem: text(),
				Choices: []string{text(), text()}[:r.IntN(3)], Required: r.IntN(2) == 0,
			})
		}
		needs := &tui.MissingInputError{Title: text(), Fields: fields, Fill: func(map[string]string) (agent.Input, error) {
			return agent.Input{}, errors.New(hostile)
		}}
		cfg := func() tui.Config {
			return tui.Config{Commands: []tui.Command{{Name: "f", Kind: tui.KindSkill, Prepare: func(string) (agent.Input, error) {
				return agent.Input{}, needs
			}}}}
		}
		width, height := r.IntN(100), r.IntN(40)
		onScreen(t, cfg, width, height, func(s *screen) {
			s.ask("/f")
			for _, key := range []string{"tab", "right", "enter", "ctrl+r", "up", "alt+enter", "left"} {
				checkFrame(t, s, width, height)
				s.press(key)
				s.send(tea.PasteMsg{Content: text()})
				s.write("中a")
				checkFrame(t, s, width, height)
				width, height = r.IntN(100), r.IntN(40)
				s.send(tea.WindowSizeMsg{Width: width, Height: height})
			}
			checkFrame(t, s, width, height)
		})
	}
}

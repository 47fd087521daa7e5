package tui_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// randomChat draws random texts, sizes and keys. Turns and commands that run concurrently also use it.
type randomChat struct {
	*rand.Rand
	width, height int // of the window now
}

func newChance(seed uint64) *randomChat {
	c := &randomChat{Rand: rand.New(&sharedSource{source: rand.NewPCG(seed, 7)})}
	c.width, c.height = 1+c.IntN(220), 1+c.IntN(60)
	return c
}

type sharedSource struct {
	mu     sync.Mutex
	source rand.Source
}

func (s *sharedSource) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Uint64()
}

// scripts returns letters of many scripts, and characters that act on terminals.
func scripts() []string {
	return []string{
		"word", " ", " ", "\n", "\t", "70.70", "中文字", "日本語", "한국어", "e\u0301\u0323", "ย่ำ", "नमस्ते", "שלום", "مرحبا", "\u200f", "\u202e", "\u2066", "\u200b", "\u200d",
		"🏳️‍🌈", "👩‍👩‍👧", "☝️", "⏺️", "🇩🇪", "👍🏽", "\ufe0f", "\U000e0041", "𝔘", "ﷺ", "½", "\u00a0", "\u3000", "\uff21",
		"\x00", "\x07", "\b", "\r", "\x1b[2J", "\x1b]0;t\a", "\x1b]8;;http://x\x1b\\", "\x1bP", "\x1b", "\u009b31m", "\u0085", "\u2028", "\xff", "\xc3",
		"# ", "- ", "> ", "1. ", "| a | b |\n|---|---:|\n", "```go\n", "```", "**", "`", "[a](https://x.example/)", "![](x)", "---", "<b>", "\\", "$V", "@n", "/",
	}
}

// text returns at most most random pieces.
func (c *randomChat) text(most int) string {
	all := scripts()
	var b strings.Builder
	for range c.IntN(most + 1) {
		b.WriteString(all[c.IntN(len(all))])
	}
	return b.String()
}

// chat returns a chat with random text in every place that shows text.
func (c *randomChat) chat() tui.Config {
	a := tui.NewApprovals()
	ask := func(ctx context.Context) {
		_, _ = a.Approve(ctx, tool.Approval{
			Call: llm.ToolCall{Name: c.text(3), Arguments: c.text(30)}, Effect: tool.Effect(c.IntN(3)), Pattern: c.text(2),
			Plan: strings.Split(c.text(c.IntN(20)), " "), Changes: strings.Split("+"+c.text(20), " "),
		})
	}
	turn := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.ReasoningDelta{Text: c.text(20)})
		for range c.IntN(6) {
			say(agent.TextDelta{Text: c.text(20)})
			time.Sleep(10 * time.Millisecond)
		}
		o := outcome("c1", c.text(3), c.text(20), tool.Result{
			Title: c.text(5), Summary: c.text(3), ForUser: c.text(40), IsError: c.IntN(3) == 0, Opened: c.IntN(2) == 0,
		}, 5*time.Millisecond)
		say(agent.ToolStarted{Call: o.Call})
		if c.IntN(3) == 0 {
			ask(ctx)
		}
		say(agent.ToolFinished{Outcome: o})
		if c.IntN(4) == 0 {
			say(agent.Retrying{Err: errors.New(c.text(10)), Restarted: c.IntN(2) == 0})
		}
		say(agent.StepDone{})
		say(agent.TextDelta{Text: c.text(120)})
		var err error
		if c.IntN(4) == 0 {
			err = errors.New(c.text(20))
		}
		return agent.TurnDone{Reason: agent.StopAnswered}, err
	}
	cfg := talk(turn, turn, turn, turn, turn, turn)()
	cfg.Approvals = a
	cfg.Theme = []tui.Theme{tui.ThemePlain, tui.ThemeDark, tui.ThemeLight}[c.IntN(3)]
	page := tui.StartPage{
		Intro: c.text(20), Rows: []tui.StartRow{{Text: c.text(9), Short: c.text(5)}, {Text: c.text(9)}},
		State: []tui.StateLine{{Label: c.text(2), Text: c.text(9), Command: c.text(2), Warn: c.IntN(2) == 0}, {Text: c.text(20), Warn: true}},
	}
	cfg.StartPage = func() tui.StartPage { return page }
	cfg.Status = func() tui.Status {
		return tui.Status{Model: c.text(3), Agent: c.text(2), Context: c.text(2), Cost: c.text(2), Mode: c.text(1), Data: c.text(2)}
	}
	cfg.Commands = []tui.Command{
		{Name: "list", Hint: c.text(3), About: c.text(9), Open: c.listScreen},
		{Name: "show", About: c.text(5), Run: tui.TextCommand(func(string) (string, error) { return c.text(60), nil })},
		{Name: "form", About: c.text(5), Run: tui.TextCommand(func(string) (string, error) {
			return "", &tui.MissingInputError{Fields: []widget.FormField{{Name: c.text(2), About: c.text(5), Choices: []string{c.text(1), "b"}}, {Name: "x", Required: true, Value: c.text(5), Problem: c.text(5)}}, Show: func(map[string]string) (string, error) { return c.text(9), nil }}
		})},
	}
	cfg.Files = func() []string { return []string{c.text(3), "notes.txt"} }
	cfg.Symbols = func(string) []tui.SymbolSuggestion {
		return []tui.SymbolSuggestion{{Symbol: c.text(2), Name: c.text(4), Kind: c.text(1)}}
	}
	return cfg
}

func (c *randomChat) listScreen() *tui.ListScreen {
	return &tui.ListScreen{
		Title: c.text(2), Empty: c.text(3),
		Items: func() (items []tui.ListItem) {
			for i := range c.IntN(12) {
				items = append(items, tui.ListItem{Name: fmt.Sprint(i), Title: c.text(4), Group: c.text(1), About: c.text(9), Marks: []string{c.text(2)}, Problem: c.IntN(4) == 0})
			}
			return items
		},
		Read: func(string) (string, error) { return c.text(80), nil },
		Actions: []tui.ListAction{{Action: "x", Name: c.text(2), About: c.text(4), WithoutItem: true, Run: func(string) (tui.ActionResult, error) {
			return tui.ActionResult{Message: c.text(9), Confirm: &tui.ConfirmRequest{Question: c.text(9), Detail: []string{c.text(20)}, Yes: func() (tui.ActionResult, error) { return tui.ActionResult{Show: c.text(20)}, nil }}}, nil
		}}},
	}
}

// step does something that a user or a terminal may do.
func (c *randomChat) step(s *screen) {
	// Without the keys that quit, suspend or open an editor.
	keys := strings.Fields("enter enter enter esc tab shift+tab up down left right pgup pgdown home end backspace delete ctrl+o ctrl+f ctrl+r ctrl+y ctrl+_ ctrl+l ctrl+p ctrl+up ctrl+down ctrl+home ctrl+end alt+enter ctrl+j ? / @ $ y n s a j k g c x q")
	switch c.IntN(10) {
	case 0:
		c.width, c.height = 1+c.IntN(220), 1+c.IntN(60)
		s.send(tea.WindowSizeMsg{Width: c.width, Height: c.height})
	case 1:
		s.send(tea.PasteMsg{Content: c.text(60)})
	case 2:
		for _, r := range strings.ToValidUTF8(c.text(6), "") {
			if r >= ' ' {
				s.write(string(r))
			}
		}
	case 3:
		s.write([]string{"/list", "/show", "/form", "/th", "@", "$V"}[c.IntN(6)])
		s.press("enter")
	case 4:
		s.send(tea.MouseClickMsg{X: c.IntN(220), Y: c.IntN(60), Button: tea.MouseLeft})
	case 5:
		s.send(tea.MouseWheelMsg{X: c.IntN(220), Y: c.IntN(60), Button: tea.MouseWheelUp})
	case 6:
		s.wait(time.Duration(c.IntN(600)) * time.Millisecond)
	default:
		s.press(keys[c.IntN(len(keys))])
	}
}

// harmless matches the sequences that a frame may contain: styles and web links.
var harmless = regexp.MustCompile("\x1b\\[[0-9;:]*m|\x1b\\]8;[^;\x07\x1b]*;[^\x07\x1b]*(?:\x1b\\\\|\x07)")

// frameProblem returns what is wrong with a frame of this size, or "".
func frameProblem(frame string, width, height int) string {
	lines := strings.Split(frame, "\n")
	if len(lines) > height {
		return fmt.Sprintf("%d lines of at most %d:\n%s", len(lines), height, frame)
	}
	for i, line := range lines {
		if got := ansi.StringWidth(line); got > width {
			return fmt.Sprintf("line %d has %d columns of at most %d: %q", i+1, got, width, line)
		}
		rest := harmless.ReplaceAllString(line, "")
		if at := strings.IndexFunc(rest, acts); at >= 0 || !utf8.ValidString(line) {
			return fmt.Sprintf("line %d acts on a terminal: %q", i+1, line)
		}
	}
	return ""
}

// acts reports whether a character is a control character, changes the order of letters, or is invisible and
// can carry text.
func acts(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f
}

// For any text and any keys, in windows of every size, a frame fits its window, contains nothing that acts on
// the terminal, and nothing panics.
func TestScreen_WhateverIsSaidAndPressedTheFrameIsSound(t *testing.T) {
	t.Parallel()
	const runs, steps = 12, 40
	for range runs {
		seed := rand.Uint64()
		c := newChance(seed)
		onScreen(t, c.chat, c.width, c.height, func(s *screen) {
			for n := range steps {
				c.tryStep(s, seed, n)
				view := s.model.View()
				if problem := frameProblem(view.Content, c.width, c.height); problem != "" {
					s.t.Fatalf("seed %d, step %d, in a window of %d x %d: %s", seed, n, c.width, c.height, problem)
				}
				if at := view.Cursor; at != nil && (at.X < 0 || at.X >= c.width || at.Y < 0 || at.Y >= c.height) {
					s.t.Fatalf("seed %d, step %d: the cursor is at %d, %d in a window of %d x %d", seed, n, at.X, at.Y, c.width, c.height)
				}
			}
		})
	}
}

// tryStep runs a step and reports the step if it panics.
func (c *randomChat) tryStep(s *screen, seed uint64, n int) {
	defer func() {
		if p := recover(); p != nil {
			s.t.Errorf("seed %d, step %d, in a window of %d x %d: panic", seed, n, c.width, c.height)
			panic(p)
		}
	}()
	c.step(s)
}

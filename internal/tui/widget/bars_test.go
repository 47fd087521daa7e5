package widget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func barStyles() *widget.Styles { return widget.NewStyles(markdown.PlainTheme()) }

func TestHeader_ShrinksToAWordAtEachEnd(t *testing.T) {
	h := widget.Header{Program: "nfa 0.1", Tagline: "not financial advice", Folder: "~/book", Mode: "offline"}
	for width, want := range map[int]string{
		60: "nfa 0.1  not financial advice                ~/book  offline",
		40: "nfa                              offline",
		12: "nfa",
		2:  "n…",
	} {
		if got := h.View(barStyles(), width); got != want {
			t.Errorf("header at %d = %q, want %q", width, got, want)
		}
	}
}

func TestStatus_TheDataWordIsTheLastToGo(t *testing.T) {
	state := widget.StatusInfo{Model: "openai/gpt-4o", Agent: "advisor", Data: "SAMPLE DATA"}
	s := widget.NewStatusBar(barStyles(), widget.DefaultKeyMap(), false)
	s.Info = state
	for width, want := range map[int]string{
		70: "openai/gpt-4o · advisor · SAMPLE DATA               / commands  ? help",
		40: "SAMPLE DATA                       ? help",
		12: "SAMPLE DATA",
	} {
		if got := s.View(width); got != want {
			t.Errorf("status at %d = %q, want %q", width, got, want)
		}
	}
	state.Data = ""
	s.Info = state
	if got, want := s.View(30), "openai/gpt-4o           ? help"; got != want {
		t.Errorf("status without data = %q, want %q", got, want)
	}
	const warning = "Press Ctrl+C again to quit."
	s.Warning = warning
	if got := s.View(30); got != warning {
		t.Errorf("status with a warning = %q, want only the warning", got)
	}
	s.Warning = ""
	if got := s.View(30); got != "openai/gpt-4o           ? help" {
		t.Errorf("status after a warning = %q, want what it was", got)
	}
}

func TestStatus_WhatWasSpentGivesWayToWhoAnswers(t *testing.T) {
	s := widget.NewStatusBar(barStyles(), widget.DefaultKeyMap(), false)
	s.Info = widget.StatusInfo{Model: "openai/gpt-4o", Agent: "advisor", Context: "12% of 128k", Cost: "4.2k tokens, $0.02", Data: "live data"}
	for width, want := range map[int]string{
		100: "openai/gpt-4o · advisor · 12% of 128k · 4.2k tokens, $0.02 · live data            / commands  ? help",
		80:  "openai/gpt-4o · advisor · 4.2k tokens, $0.02 · live data      / commands  ? help",
		70:  "openai/gpt-4o · advisor · 12% of 128k · live data   / commands  ? help",
		60:  "openai/gpt-4o · advisor · live data       / commands  ? help",
		40:  "live data                         ? help",
	} {
		if got := s.View(width); got != want {
			t.Errorf("status at %d = %q, want %q", width, got, want)
		}
	}
}

func TestStatus_ShowsThePickersKeyIfItFits(t *testing.T) {
	s := widget.NewStatusBar(barStyles(), widget.DefaultKeyMap(), true)
	s.Info = widget.StatusInfo{Model: "a model with a longer name"}
	for width, want := range map[int]string{
		64: "a model with a longer name     / commands  Ctrl+P search  ? help",
		61: "a model with a longer name  / commands  Ctrl+P search  ? help",
		60: "a model with a longer name                / commands  ? help",
	} {
		if got := s.View(width); got != want {
			t.Errorf("status at %d = %q, want %q", width, got, want)
		}
	}
}

func TestActivity_ShowsElapsedTimeAndMovesItsSpinner(t *testing.T) {
	now := time.Unix(0, 0)
	a := widget.NewActivityLine(barStyles(), widget.DefaultKeyMap(), func() time.Time { return now })
	if a.Running() {
		t.Error("something runs before anything began")
	}
	a.Begin("thinking")
	if got, want := a.View(40), "⠋ thinking                     Esc stops"; got != want {
		t.Errorf("activity = %q, want %q", got, want)
	}
	now = now.Add(62500 * time.Millisecond)
	a.Tick()
	a.SetTask("quote\nVTI")
	if got, want := a.View(40), "⠙ quote VTI · 1 min 2 s        Esc stops"; got != want {
		t.Errorf("activity later = %q, want %q", got, want)
	}
	a.SetTask("stopping")
	if got, want := a.Brief(), "⠙ stopping"; got != want {
		t.Errorf("brief = %q, want %q", got, want)
	}
	if a.SetTask(""); a.Running() {
		t.Error("nothing runs, but it says so")
	}
}

func TestRule_HasItsLabelIfItFits(t *testing.T) {
	for _, tt := range []struct {
		label string
		width int
		want  string
	}{
		{"", 5, "─────"},
		{"↓ new", 16, "─────── ↓ new ──"},
		{"↓ new", 12, "────────────"},
		{"End", 0, ""},
	} {
		if got := widget.HorizontalRule(barStyles(), tt.width, tt.label); got != tt.want {
			t.Errorf("Rule(%d, %q) = %q, want %q", tt.width, tt.label, got, tt.want)
		}
	}
}

func TestStatus_NamesTheKeysInUse(t *testing.T) {
	for _, tt := range []struct{ pick, help, want string }{
		{"f2", "f1", "/ commands  F2 search  F1 help"}, {"", "f1", "/ commands  F1 help"}, {"f2", "", "/ commands  F2 search"}, {"", "", "/ commands"},
	} {
		keys, err := widget.NewKeyMap([]widget.KeyOverride{{Name: "pick", Keys: strings.Fields(tt.pick)}, {Name: "help", Keys: strings.Fields(tt.help)}})
		if err != nil {
			t.Fatal(err)
		}
		s := widget.NewStatusBar(barStyles(), keys, true)
		s.Info = widget.StatusInfo{Model: "m", Agent: "a"}
		if got := s.View(60); !strings.HasSuffix(got, "  "+tt.want) {
			t.Errorf("with %q and %q the line is %q, want %q at its end", tt.pick, tt.help, got, tt.want)
		}
	}
}

package widget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func barStyles() *widget.Styles { return widget.NewStyles(markdown.PlainTheme()) }

func TestHeader_DropsTheAgentThenTheCostThenTheProgram(t *testing.T) {
	info := widget.StatusInfo{Model: "openai/gpt-5-mini", Agent: "advisor", Context: "6% context", Cost: "0.01 USD"}
	for width, want := range map[int]string{
		80: "nfa  openai/gpt-5-mini · advisor                           6% context · 0.01 USD",
		58: "nfa  openai/gpt-5-mini               6% context · 0.01 USD",
		36: "nfa  openai/gpt-5-mini    6% context",
		30: "openai/gpt-5-mini   6% context",
		12: "openai/gpt-…",
	} {
		if got := widget.HeaderLine(barStyles(), info, width); got != want {
			t.Errorf("header at %d = %q, want %q", width, got, want)
		}
	}
	info.Mode = "offline"
	if got, want := widget.HeaderLine(barStyles(), info, 40), "nfa  openai/gpt-5-mini           offline"; got != want {
		t.Errorf("header offline = %q, want %q", got, want)
	}
}

func TestStatus_TheDataIsTheLastToGo(t *testing.T) {
	s := widget.NewStatusBar(barStyles(), widget.DefaultKeyMap(), true)
	s.Info = widget.StatusInfo{Model: "openai/gpt-4o", Agent: "advisor", Data: "SAMPLE DATA"}
	for width, want := range map[int]string{
		60: "SAMPLE DATA              / commands   Ctrl+P search   ? help",
		40: "SAMPLE DATA          / commands   ? help",
		30: "SAMPLE DATA             ? help",
		12: "SAMPLE DATA",
	} {
		if got := s.View(width); got != want {
			t.Errorf("status at %d = %q, want %q", width, got, want)
		}
	}
	const warning = "Press Ctrl+C again to quit."
	s.Warning = warning
	if got := s.View(30); got != warning {
		t.Errorf("status with a warning = %q, want only the warning", got)
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
		{"f2", "f1", "/ commands   F2 search   F1 help"}, {"", "f1", "/ commands   F1 help"}, {"f2", "", "/ commands   F2 search"}, {"", "", "/ commands"},
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

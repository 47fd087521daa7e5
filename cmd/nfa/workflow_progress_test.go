package main

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

func TestStepProgress_SaysWhichStepRunsAndForHowLongAndGoes(t *testing.T) {
	var screen strings.Builder
	now := time.Unix(0, 0)
	p := &stepProgress{out: &screen, steps: 4, now: func() time.Time { return now }}
	drawn := func() string {
		s := screen.String()
		screen.Reset()
		return s
	}
	p.started(llm.ToolCall{ID: "run»price", Name: "quote"})
	if got, want := drawn(), clearLine+"step 1 of 4 price, quote …"; got != want {
		t.Errorf("at its start %q, want %q", got, want)
	}
	p.finished()
	p.started(llm.ToolCall{ID: "run»projection", Name: "python"})
	drawn()
	now = now.Add(12500 * time.Millisecond)
	p.tick()
	if got, want := drawn(), clearLine+"step 2 of 4 projection, python … 12 s"; got != want {
		t.Errorf("after a while %q, want %q", got, want)
	}
	p.finished()
	if got := drawn(); got != clearLine {
		t.Errorf("at its end %q, want the line cleared", got)
	}
	p.tick()
	p.keep()()
	if got := drawn(); got != "" {
		t.Errorf("with nothing running %q is drawn", got)
	}
}

func TestStepProgress_NoneIsSilent(t *testing.T) {
	var p *stepProgress
	stop := p.keep()
	p.started(llm.ToolCall{ID: "run»a"})
	p.finished()
	stop()
}

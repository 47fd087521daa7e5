package transcript_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

func started(id, name string) agent.ToolStarted {
	return agent.ToolStarted{Call: llm.ToolCall{ID: id, Name: name, Arguments: `{"years":10}`}}
}

func finished(id, name string, r tool.Result) agent.ToolFinished {
	return agent.ToolFinished{Outcome: tool.Outcome{Call: llm.ToolCall{ID: id, Name: name}, Result: r, Duration: 12 * time.Millisecond}}
}

// handleEvents draws events and then the end of an answered turn.
func handleEvents(turn *transcript.Turn, events ...agent.Event) {
	for _, e := range events {
		turn.Handle(e)
	}
	turn.End(agent.TurnDone{Reason: agent.StopAnswered}, "")
}

func TestTurn_ReasoningIsOneLineUntilOpened(t *testing.T) {
	p := newPage(t)
	turn := p.Begin("think")
	turn.Handle(agent.ReasoningDelta{Text: "First I look at the price.\n"})
	turn.Handle(agent.ReasoningDelta{Text: "Then at the drawdown."})
	p.shows("~ thinking  First I look at the price. Then at the drawdown.")
	p.time = p.time.Add(2 * time.Second)
	turn.Handle(agent.TextDelta{Text: "Done."})
	p.shows("~ thought  First I look at the price.", "2 s", "Done.")
	p.showsNot("│")
	p.ToggleAll()
	p.shows("│ Then at the drawdown.")
	p.ToggleAll()
	p.showsNot("│")
}

func TestTurn_ASkillIsShownOnce(t *testing.T) {
	load := tool.Result{Title: "get-price", Skill: "get-price"}
	loaded := agent.SkillLoaded{Name: "get-price"}
	for _, tt := range []struct {
		name   string
		events []agent.Event
		shows  string
	}{
		{"loaded by a call", []agent.Event{started("1", "skill"), finished("1", "skill", load), loaded}, "✓ Skill      get-price"},
		{"loaded by the input and a call", []agent.Event{loaded, started("1", "skill"), finished("1", "skill", load), loaded}, "✓ Skill      get-price"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPage(t)
			handleEvents(p.Begin("price?"), tt.events...)
			p.shows(tt.shows)
			if n := strings.Count(p.text(), "loaded"); n != 1 {
				t.Errorf("skill shown %d times, want once:\n%s", n, p.text())
			}
		})
	}
}

func TestTurn_AResultWithoutAStartHasItsCard(t *testing.T) {
	p := newPage(t)
	handleEvents(p.Begin("go"), finished("1", "quote", tool.Result{Title: "AAPL"}), finished("2", "news", tool.Failed("", "no news source")))
	p.shows("✓ Quote      AAPL", "✗ News", "   No news source.")
}

func TestTurn_EndSaysHowItEnded(t *testing.T) {
	for _, tt := range []struct {
		name    string
		done    agent.TurnDone
		failure string
		want    []string
	}{
		{"answered", agent.TurnDone{Reason: agent.StopAnswered}, "", []string{"! Backtest   10                                                    interrupted"}},
		{"canceled", agent.TurnDone{Reason: agent.StopCancelled}, "", []string{"! Stopped. The partial answer is kept."}},
		{"step limit", agent.TurnDone{Reason: agent.StopStepLimit}, "", []string{"! Stopped at the step limit"}},
		{"circling", agent.TurnDone{Reason: agent.StopRepeatedCall}, "", []string{"! Stopped: the model repeated the same tool call"}},
		{"failed", agent.TurnDone{Reason: agent.StopProvider}, "401 refused", []string{"✗ 401 refused"}},
		{"traced", agent.TurnDone{Figures: agent.FiguresReport{Total: 4, Traced: 4}, Attribution: agent.Attribution{Line: "Yahoo Finance · 4 figures traced", Warnings: []string{"Prices are old."}}}, "", []string{"! Prices are old.", "Yahoo Finance · 4 figures traced"}},
		{
			"untraced", agent.TurnDone{Figures: agent.FiguresReport{Total: 3, Traced: 2, Untraced: []string{"7.5%"}}}, "",
			[]string{"! 1 figure could not be traced: 7.5% (/why)"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPage(t)
			turn := p.Begin("test it")
			turn.Handle(started("1", "backtest"))
			p.shows("● Backtest   10")
			turn.End(tt.done, tt.failure)
			p.shows(tt.want...)
			p.shows("interrupted")
			if tt.done.Figures.Total == 0 {
				p.showsNot("traced")
			}
		})
	}
}

func TestTurn_SaysWhatItIsDoing(t *testing.T) {
	turn := newPage(t).Begin("go")
	doing := []string{turn.Activity()}
	for _, e := range []agent.Event{
		agent.TextDelta{Text: "\n\n"}, agent.Retrying{Err: errors.New("429 too many requests"), Wait: 2 * time.Second},
		agent.ReasoningDelta{Text: "well"}, agent.TextDelta{Text: "So"},
		started("1", "quote"), started("2", "news"), finished("1", "quote", tool.Result{}), finished("2", "news", tool.Result{}),
		agent.TextDelta{Text: "Done."}, agent.StepDone{},
	} {
		turn.Handle(e)
		doing = append(doing, turn.Activity())
	}
	want := []string{
		"thinking", "thinking", "retrying in 2 s: 429 too many requests",
		"thinking", "writing", "Quote · 10", "News · 10", "News · 10", "thinking", "writing", "thinking",
	}
	if diff := cmp.Diff(want, doing); diff != "" {
		t.Errorf("doing (-want +got):\n%s", diff)
	}
}

func TestTurn_WhatComesOutOfSightIsNoticed(t *testing.T) {
	p := newPage(t)
	turn := p.Begin("go")
	turn.Handle(agent.TextDelta{Text: strings.Repeat("a paragraph\n\n", 40)})
	p.Page(-1)
	if p.HasUnseen() {
		t.Fatal("something is unseen before it came")
	}
	turn.Handle(agent.TextDelta{Text: "more"})
	if !p.HasUnseen() {
		t.Error("more text of an answer out of sight was not noticed")
	}
	p.Begin("next")
	if p.HasUnseen() || p.Scrolled() {
		t.Error("a new turn does not follow the end")
	}
}

func TestTurn_ALimitThatEndsItNamesTheSettingThatRaisesIt(t *testing.T) {
	for reason, setting := range map[agent.StopReason]string{
		agent.StopCostLimit:    "raise max_cost.",
		agent.StopSessionSteps: "Raise max_session_steps",
		agent.StopSessionTime:  "Raise max_session_time",
		agent.StopSessionCost:  "Raise max_session_cost",
	} {
		p := newPage(t)
		turn := p.Begin("go")
		turn.End(agent.TurnDone{Reason: reason}, "")
		p.shows(setting)
	}
}

func TestCompactedText_NamesWhatTheModelGets(t *testing.T) {
	for _, row := range []struct {
		compacted agent.Compacted
		says      string
	}{
		{agent.Compacted{}, "older tool results"},
		{agent.Compacted{Summarised: true}, "as a summary"},
		{agent.Compacted{Summarised: true, Outline: true}, "without a summary"},
	} {
		if got := transcript.CompactedText(row.compacted); !strings.Contains(got, row.says) {
			t.Errorf("CompactedWords(%+v) = %q, want %q", row.compacted, got, row.says)
		}
	}
}

// A long comparison starts above the fold: its first row stays in view, and the end is below.
func TestTurn_ALongTableStaysAtItsStart(t *testing.T) {
	p := newPage(t)
	table := "| measure | AAPL | MSFT |\n| --- | ---: | ---: |\n"
	for i := range 30 {
		table += fmt.Sprintf("| measure %d | 1 | 2 |\n", i)
	}
	handleEvents(p.Begin("Compare AAPL and MSFT"), finished("1", "compare_assets", tool.Result{Title: "AAPL, MSFT", ForUser: table}),
		agent.StepDone{}, agent.TextDelta{Text: table, Result: "1"}, agent.StepDone{})
	p.SetSize(58, 12, true) // as before each view
	p.shows("measure 0")
	p.showsNot("measure 29")
	if !p.HasUnseen() {
		t.Error("the end is not announced")
	}
	p.Begin("thanks")
	p.SetSize(58, 12, true)
	p.shows("> thanks")
}

// The built-in assistant repeats the error of a call, which its card shows already.
func TestTurn_ShowsAnErrorOnce(t *testing.T) {
	p := newPage(t)
	handleEvents(p.Begin("price of KO"), started("a", "quote"), finished("a", "quote", tool.Failed(tool.CodeNoData, "no prices for KO")),
		agent.StepDone{}, agent.TextDelta{Text: "No prices for KO.", Result: "a"}, agent.StepDone{})
	if n := strings.Count(strings.ToLower(p.text()), "no prices for ko"); n != 1 {
		t.Errorf("the error is shown %d times:\n%s", n, p.text())
	}
}

// A result without key figures replaces its card, which would repeat it.
func TestTurn_AnAnswerThatRepeatsAResultSaysItOnce(t *testing.T) {
	p := newPage(t)
	const text = "No alert rules. Add one: /alerts add."
	result := tool.Result{Headline: text, Summary: text, ForUser: text + "\n"}
	handleEvents(p.Begin("my alerts"), started("1", "alerts"), finished("1", "alerts", result), agent.TextDelta{Text: text, Result: "1"})
	if n := strings.Count(p.text(), "No alert rules"); n != 1 {
		t.Errorf("the answer is shown %d times, want once:\n%s", n, p.text())
	}
	p.ToggleAll()
	p.shows("▾ Alerts", "│ alerts  10")
}

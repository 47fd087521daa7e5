package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

func display(d agent.Display) json.RawMessage {
	b, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return b
}

func userEntry(text string) session.Entry {
	return session.Entry{Kind: session.KindUser, Message: llm.Message{Role: llm.RoleUser, Content: text}}
}

func assistantEntry(m llm.Message) session.Entry {
	m.Role = llm.RoleAssistant
	return session.Entry{Kind: session.KindAssistant, Message: m}
}

func deltaEntry(text string) session.Entry {
	return session.Entry{Kind: session.KindDelta, Message: llm.Message{Content: text}}
}

func TestReplay_DrawsWhatWasDrawn(t *testing.T) {
	p := newPage(t)
	typed := p.AddHistory([]session.Entry{
		{Kind: session.KindUser, Message: llm.Message{Content: "long skill text"}, Display: display(agent.Display{Text: "/get-price AAPL", Skill: "get-price"})},
		assistantEntry(llm.Message{Reasoning: "A quote will do.", ToolCalls: []llm.ToolCall{
			{ID: "a", Name: "quote", Arguments: `{"symbol":"AAPL"}`}, {ID: "b", Name: "news", Arguments: `{}`}, {ID: "c", Name: "filings", Arguments: `{"n":3}`},
		}}),
		{Kind: session.KindTool, Message: llm.Message{ToolCallID: "a", ToolName: "quote"}, Display: display(agent.Display{Title: "AAPL · last", Summary: "70.70 USD", DurationMS: 2.6})},
		{Kind: session.KindTool, Message: llm.Message{ToolCallID: "b", ToolName: "news", IsError: true, Content: "no news source"}, Display: display(agent.Display{Code: tool.CodeNoData})},
		{Kind: session.KindTool, Message: llm.Message{ToolCallID: "z", ToolName: "lost"}},
		{Kind: session.KindAssistant, Message: llm.Message{Content: "AAPL is at"}, Display: display(agent.Display{Stop: agent.StopCancelled})},
		{Kind: session.KindNote, Display: display(agent.Display{Error: "openai: 500 server"})},
		{Kind: session.KindNote, Display: []byte("{broken"), Message: llm.Message{Content: "a plain note"}},
		userEntry("And MSFT?"),
	})
	p.shows("> /get-price AAPL", "Skill      get-price", "~ thought  A quote will do.", "✓ 4 lookups, 1 failed · 2 ms",
		"✗ News\n   No news source", "! Filings    3", "interrupted", "AAPL is at", "! Stopped.", "✗ openai: 500 server", "~ a plain note", "> And MSFT?")
	p.showsNot("long skill text")
	if diff := cmp.Diff([]string{"/get-price AAPL", "And MSFT?"}, typed); diff != "" {
		t.Errorf("typed (-want +got):\n%s", diff)
	}
}

func TestReplay_WhoWroteTheSummaryIsSaidAgain(t *testing.T) {
	p := newPage(t)
	p.AddHistory([]session.Entry{userEntry("hi"), {Kind: session.KindSummary, Display: display(agent.Display{Outline: true})}})
	p.shows("without a summary")
}

func TestReplay_AMessageStandsInForThePiecesBeforeIt(t *testing.T) {
	p := newPage(t)
	p.AddHistory([]session.Entry{
		userEntry("hi"), deltaEntry("The index "), deltaEntry("rose"), assistantEntry(llm.Message{Content: "The index rose."}),
	})
	if n := strings.Count(p.text(), "The index"); n != 1 {
		t.Errorf("the answer is shown %d times, want once:\n%s", n, p.text())
	}
	p.showsNot("interrupted")
}

func TestReplay_WhatADeathOfTheProgramCutIsMarked(t *testing.T) {
	p := newPage(t)
	p.AddHistory([]session.Entry{userEntry("hi"), deltaEntry("The index "), deltaEntry("rose"), userEntry("again")})
	if got, want := p.text(), " > hi\n\n The index rose\n\n ! Interrupted here. The partial answer is kept.\n\n > again"; got != want {
		t.Errorf("drawn:\n%s\nwant:\n%s", got, want)
	}
}

func TestReplay_TheFiguresOfAnAnswerAreReportedAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		report *agent.FiguresReport
		want   string
	}{
		{"all traced", &agent.FiguresReport{Total: 4, Traced: 4}, "\n\n Yahoo Finance · 4 figures traced"},
		{
			"some from nowhere", &agent.FiguresReport{Total: 3, Traced: 1, Untraced: []string{"7.5%", "12"}},
			"\n\n Yahoo Finance · 1 figure traced\n\n ! 2 figures could not be traced: 7.5%, 12 (/why)",
		},
		{"no figures", &agent.FiguresReport{}, ""},
		{"recorded without a report", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer := assistantEntry(llm.Message{Content: "Numbers."})
			d := agent.Display{Report: tt.report}
			if tt.report != nil && tt.report.Traced > 0 {
				d.Attribution = &agent.Attribution{Line: tool.Source{Names: []string{"Yahoo Finance"}}.Line(tt.report.Traced, 0)}
			}
			answer.Display = display(d)
			p := newPage(t)
			p.AddHistory([]session.Entry{userEntry("hi"), answer})
			if got, want := p.text(), " > hi\n\n Numbers."+tt.want; got != want {
				t.Errorf("drawn:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestReplay_NothingRecordedLeavesNothing(t *testing.T) {
	p := newPage(t)
	if typed := p.AddHistory(nil); len(typed) > 0 || !p.Empty() {
		t.Errorf("typed %q, Empty %t; want nothing", typed, p.Empty())
	}
}

// TestReplay_AResumedTurnLooksAsItDidWhenItRan draws one turn twice: from its events, and from its recorded
// entries.
func TestReplay_AResumedTurnLooksAsItDidWhenItRan(t *testing.T) {
	call := llm.ToolCall{ID: "1", Name: "quote", Arguments: `{"symbol":"AAPL"}`}
	result := tool.Result{Title: "AAPL · last", Summary: "70.70 USD", ForUser: "AAPL at **70.70**"}
	report := agent.FiguresReport{
		Total: 2, Traced: 1, Untraced: []string{"7.5%"},
		Numbers: []trace.MatchedNumber{
			{Start: 2, End: 11, Text: "70.70 USD", Status: trace.Traced, Note: 1}, {Start: 13, End: 17, Text: "7.5%", Status: trace.Untraced},
		},
		Notes: []agent.Note{{Call: agent.NotedCall{ID: "1", Name: "quote"}}},
	}

	live := newPage(t)
	turn := live.Begin("What does AAPL cost?")
	for _, e := range []agent.Event{
		agent.ReasoningDelta{Text: "A quote will do."},
		agent.ToolStarted{Call: call}, agent.ToolFinished{Outcome: tool.Outcome{Call: call, Result: result}}, agent.StepDone{},
		agent.TextDelta{Text: "\n\n70.70 USD, "}, agent.TextDelta{Text: "7.5% **more**."}, agent.StepDone{},
	} {
		turn.Handle(e)
	}
	turn.End(agent.TurnDone{Reason: agent.StopAnswered, Answer: "\n\n70.70 USD, 7.5% **more**.", Figures: report}, "")

	resumed := newPage(t)
	answer := assistantEntry(llm.Message{Content: "\n\n70.70 USD, 7.5% **more**."})
	answer.Display = display(agent.Display{Report: &report})
	resumed.AddHistory([]session.Entry{
		userEntry("What does AAPL cost?"),
		assistantEntry(llm.Message{Reasoning: "A quote will do.", ToolCalls: []llm.ToolCall{call}}),
		{
			Kind: session.KindTool, Message: llm.Message{ToolCallID: "1", ToolName: "quote"},
			Display: display(agent.Display{Title: result.Title, Summary: result.Summary, ForUser: result.ForUser}),
		},
		answer,
	})
	for _, opened := range []string{"folded", "opened"} {
		if diff := cmp.Diff(live.text(), resumed.text()); diff != "" {
			t.Errorf("%s (-live +resumed):\n%s", opened, diff)
		}
		live.ToggleAll()
		resumed.ToggleAll()
	}
	resumed.shows("70.70 USD, 7.5%? more.", "! 1 figure could not be traced: 7.5% (/why)")
}

func TestReplay_AStepAndAStopComeBackAsTheyWere(t *testing.T) {
	call := llm.ToolCall{ID: "1", Name: "skill_plan", Arguments: `{}`}
	step := llm.ToolCall{ID: "1»price", Name: "quote", Arguments: `{"symbol":"AAPL"}`}
	shown := "- ✗ **price** quote: no source\n- ~ **keep** was not run\n"
	failed := tool.Result{IsError: true, ForUser: shown, Value: map[string]any{"error": "step price: no source"}}

	live := newPage(t)
	turn := live.Begin("/plan")
	for _, e := range []agent.Event{
		agent.ToolStarted{Call: call}, agent.ToolStarted{Call: step},
		agent.ToolFinished{Outcome: tool.Outcome{Call: step, Result: tool.Result{Summary: "cut"}}},
		agent.ToolFinished{Outcome: tool.Outcome{Call: call, Result: failed}},
	} {
		turn.Handle(e)
	}
	turn.End(agent.TurnDone{Reason: agent.StopCancelled}, "")

	resumed := newPage(t)
	resumed.AddHistory([]session.Entry{
		userEntry("/plan"), assistantEntry(llm.Message{ToolCalls: []llm.ToolCall{call}}),
		{
			Kind: session.KindTool, Message: llm.Message{ToolCallID: step.ID, ToolName: step.Name},
			Display: display(agent.Display{Summary: "cut", Arguments: step.Arguments}),
		},
		{
			Kind: session.KindTool, Message: llm.Message{ToolCallID: "1", ToolName: call.Name, IsError: true, Content: failed.ModelText()},
			Display: display(agent.Display{ForUser: shown, Error: failed.ErrorText()}),
		},
		{Kind: session.KindNote, Display: display(agent.Display{Stop: agent.StopCancelled})},
	})
	for _, opened := range []string{"folded", "opened"} {
		if diff := cmp.Diff(live.text(), resumed.text()); diff != "" {
			t.Errorf("%s (-live +resumed):\n%s", opened, diff)
		}
		live.ToggleAll()
		resumed.ToggleAll()
	}
	resumed.ToggleAll()
	resumed.shows("Stopped. The partial answer is kept.", "AAPL", "keep was not run")
}

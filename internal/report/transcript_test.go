package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

var transcriptTime = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func entry(t *testing.T, kind session.Kind, m llm.Message, d agent.Display) session.Entry {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return session.Entry{Kind: kind, At: transcriptTime, Message: m, Display: b}
}

func user(t *testing.T, text string) session.Entry {
	return entry(t, session.KindUser, llm.Message{Role: llm.RoleUser, Content: text}, agent.Display{})
}

func answer(t *testing.T, text string, d agent.Display) session.Entry {
	return entry(t, session.KindAssistant, llm.Message{Role: llm.RoleAssistant, Content: text}, d)
}

func price(value int64) tool.Figure {
	return tool.Figure{Label: "price", Value: decimal.New(value, -2), Unit: "USD", Source: "SAMPLE", AsOf: time.Date(2020, 4, 17, 0, 0, 0, 0, time.UTC)}
}

func result(t *testing.T, id string, d agent.Display) session.Entry {
	return entry(t, session.KindTool, llm.Message{Role: llm.RoleTool, ToolCallID: id, ToolName: "quote", IsError: d.Code != ""}, d)
}

// transcriptBody returns the lines below the cover, without the blank ones.
func transcriptBody(entries []session.Entry, o report.TranscriptOptions) []string {
	text := report.WriteTranscript(session.Session{ID: "s1", Title: "price?"}, entries, o)
	_, below, _ := strings.Cut(text, "not financial advice.\n")
	var lines []string
	for l := range strings.Lines(below) {
		if l = strings.TrimRight(l, "\n"); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

func TestWrite_SaysWhatWasAskedDoneAndAnswered(t *testing.T) {
	calls := llm.Message{Role: llm.RoleAssistant, Content: "Looking.", ToolCalls: []llm.ToolCall{
		{ID: "a", Name: "quote", Arguments: `{"symbols":["AAPL"]}`}, {ID: "b", Name: "quote", Arguments: `{"symbols":["APPL"]}`},
	}}
	got := transcriptBody([]session.Entry{
		user(t, "price?\nand why"),
		entry(t, session.KindAssistant, calls, agent.Display{}),
		result(t, "a", agent.Display{Title: "AAPL", Summary: "70.70 USD", Figures: []tool.Figure{price(7070), price(7100)}}),
		result(t, "b", agent.Display{Code: "no_data", Summary: "no symbol APPL"}),
		answer(t, "AAPL costs 70.70 USD, soon 99.", agent.Display{Report: &agent.FiguresReport{
			Total: 2, Traced: 1, Untraced: []string{"99"}, Numbers: []trace.MatchedNumber{{Start: 27, End: 29, Text: "99", Status: trace.Untraced}},
		}}),
	}, report.TranscriptOptions{})
	want := []string{
		"---", "**Question 1** · 2026-11-21 12:00 UTC", "> price?", "> and why", "Looking.",
		"- **quote** AAPL: price 70.7 USD, price 71 USD (SAMPLE, as of 2020-04-17)",
		`- **quote** {"symbols":["APPL"]}: ! no symbol APPL`,
		"AAPL costs 70.70 USD, soon 99 [untraced].", "*1 of 2 figures traced.*",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("minutes (-want +got):\n%s", diff)
	}
}

func TestWrite_CoverSaysWhoAnsweredAndWhen(t *testing.T) {
	s := session.Session{ID: "s1", Title: "# big", Model: "openai/gpt-4o", Agent: "analyst", CreatedAt: transcriptTime, UpdatedAt: transcriptTime.Add(time.Hour)}
	want := "# # big\n\nSession s1 · started 2026-11-21 12:00 UTC · last used 2026-11-21 13:00 UTC · model openai/gpt-4o · agent analyst. Written by nfa: not financial advice.\n"
	if diff := cmp.Diff(want, report.WriteTranscript(s, nil, report.TranscriptOptions{})); diff != "" {
		t.Errorf("cover (-want +got):\n%s", diff)
	}
}

func TestWrite_WhatWasCutSaysSo(t *testing.T) {
	half := session.Entry{Kind: session.KindDelta, Message: llm.Message{Content: "Half an "}}
	rest := session.Entry{Kind: session.KindDelta, Message: llm.Message{Content: "answer"}}
	call := llm.Message{ToolCalls: []llm.ToolCall{{ID: "a", Name: "quote", Arguments: "{}"}}}
	for _, row := range []struct {
		name    string
		entries []session.Entry
		want    []string
	}{
		{"the program died", []session.Entry{half, rest}, []string{"Half an answer", "*~ interrupted here; the partial answer was kept*"}},
		{"and went on", []session.Entry{half, rest, user(t, "again")}, []string{
			"Half an answer", "*~ interrupted here; the partial answer was kept*", "---", "**Question 2** · 2026-11-21 12:00 UTC", "> again"}},
		{"in the middle of a call", []session.Entry{entry(t, session.KindAssistant, call, agent.Display{})}, []string{"- **quote**: ! interrupted before it returned a result"}},
		{"by the user", []session.Entry{answer(t, "Half", agent.Display{Stop: agent.StopCancelled})}, []string{"Half", "*~ stopped by the user; the partial answer was kept*"}},
		{"by the provider", []session.Entry{entry(t, session.KindNote, llm.Message{}, agent.Display{Stop: agent.StopProvider, Error: "429: rate limit"})}, []string{"*~ 429: rate limit*"}},
		{"within code", []session.Entry{half, {Kind: session.KindDelta, Message: llm.Message{Content: "\n```go\nx := 1"}}}, []string{"Half an ", "```go", "x := 1", "```", "*~ interrupted here; the partial answer was kept*"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := transcriptBody(append([]session.Entry{user(t, "price?")}, row.entries...), report.TranscriptOptions{})
			if diff := cmp.Diff(row.want, got[3:]); diff != "" {
				t.Errorf("minutes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrite_ASkillShowsWhatTheUserTypedAndNotItsText(t *testing.T) {
	got := transcriptBody([]session.Entry{entry(t, session.KindUser, llm.Message{Content: "long text of the skill"}, agent.Display{Text: "/get-price AAPL", Skill: "get-price"})}, report.TranscriptOptions{})
	want := []string{"---", "**Question 1** · 2026-11-21 12:00 UTC", "> /get-price AAPL", "- Skill **get-price** was loaded."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("minutes (-want +got):\n%s", diff)
	}
}

func TestWrite_TheLatestTurnsKeepTheirNumbers(t *testing.T) {
	got := transcriptBody([]session.Entry{user(t, "one"), answer(t, "1st", agent.Display{}), user(t, "two"), answer(t, "2nd", agent.Display{})}, report.TranscriptOptions{Latest: 1})
	want := []string{"*1 earlier question is not shown here.*", "---", "**Question 2** · 2026-11-21 12:00 UTC", "> two", "2nd"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("minutes (-want +got):\n%s", diff)
	}
}

func TestWrite_HoldsNothingThatATerminalActsOn(t *testing.T) {
	evil := "red \x1b[31malert\x1b]0;title\x07 \u202ebidi"
	d := agent.Display{Title: evil, Summary: evil, Skill: evil, Figures: []tool.Figure{{Label: evil, Unit: evil, Source: evil}}}
	text := report.WriteTranscript(session.Session{Title: evil, Model: evil, Agent: evil},
		[]session.Entry{user(t, evil), result(t, evil, d), answer(t, evil, agent.Display{Error: evil})}, report.TranscriptOptions{})
	if strings.ContainsAny(text, "\x1b\x07\u202e") {
		t.Errorf("written: %q", text)
	}
}

func TestWrite_MarksFiguresByTheirPlaces(t *testing.T) {
	text := "\n It is 5, not `5`, nor 7.5% or 12%."
	at := func(number string, status trace.Status, from int) trace.MatchedNumber {
		start := from + strings.Index(text[from:], number)
		return trace.MatchedNumber{Start: start, End: start + len(number), Text: number, Status: status}
	}
	traced := &agent.FiguresReport{
		Total: 4, Traced: 1, Contradicted: 1, Untraced: []string{"5", "7.5%", "12%"},
		Numbers: []trace.MatchedNumber{
			at("5", trace.Traced, 0), at("5", trace.Untraced, 14), at("7.5%", trace.Contradicted, 0), at("12%", trace.Untraced, 0),
		},
	}
	got := transcriptBody([]session.Entry{user(t, "?"), answer(t, text, agent.Display{Report: traced})}, report.TranscriptOptions{})
	want := []string{"It is 5, not `5` [untraced], nor 7.5% [contradicted] or 12% [untraced].", "*1 of 4 figures traced; 1 contradicted by a tool.*"}
	if diff := cmp.Diff(want, got[3:]); diff != "" {
		t.Errorf("minutes (-want +got):\n%s", diff)
	}
}

func TestWrite_AReportOfAnotherTextLeavesTheAnswerAlone(t *testing.T) {
	traced := &agent.FiguresReport{Total: 1, Untraced: []string{"99"}, Numbers: []trace.MatchedNumber{{Start: 2, End: 400, Text: "99", Status: trace.Untraced}}}
	got := transcriptBody([]session.Entry{user(t, "?"), answer(t, "It is 5.", agent.Display{Report: traced})}, report.TranscriptOptions{})
	if got[3] != "It is 5." {
		t.Errorf("written: %q, want the answer as it is", got[3])
	}
}

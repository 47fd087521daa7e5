package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/figures"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestWhy_ShowsTheChainOfAFigureOfTheLastAnswer(t *testing.T) {
	h := sessionHouse(t)
	c := h.begin(t.Context())
	h.enter(c)
	if text, err := h.why("1"); err != nil || !strings.Contains(text, "nothing to explain yet") {
		t.Errorf("why before any answer = %q, %v", text, err)
	}
	ask(t, c, "price of AAPL")
	text, err := h.why("1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`137.44 USD` states AAPL price **137.44 USD**", "Call: `quote {", "Source: ", "As of: 2022-06-28"} {
		if !strings.Contains(text, want) {
			t.Errorf("why 1 lacks %q:\n%s", want, text)
		}
	}
	if all, err := h.why(""); err != nil || !strings.Contains(all, "1. `137.44 USD`") || !strings.Contains(all, "figures traced") {
		t.Errorf("why = %q, %v, want a list of the notes", all, err)
	}
	if none, err := h.why("99.9%"); err != nil || !strings.Contains(none, "No answer here states the figure `99.9%`") {
		t.Errorf("why 99.9%% = %q, %v", none, err)
	}
}

func TestWhyThese_SaysWhatIsTracedInventedAndContradicted(t *testing.T) {
	figure := tool.Figure{
		Label: "AAPL annual return", Value: decimal.RequireFromString("5.74"), Unit: "%", AsOf: time.Date(2020, 4, 17, 0, 0, 0, 0, time.UTC),
		Source: "sample *data*", Formula: "(last / first) ^ (1 / years) - 1", Inputs: []string{"first 1447.16", "last 2874.56"},
	}
	note := agent.Note{Number: 1, Figure: figure, Call: agent.NotedCall{Name: "returns_stats", Arguments: `{"symbol":"AAPL"}`}}
	chain := "- Formula: `(last / first) ^ (1 / years) - 1`\n- From: first 1447.16; last 2874.56\n" +
		"- Call: `returns_stats {\"symbol\":\"AAPL\"}`\n- Source: sample \\*data\\*\n- As of: 2020-04-17\n\n"
	for _, row := range []struct {
		name string
		r    agent.FiguresReport
		want string
	}{
		{
			"traced", agent.FiguresReport{Notes: []agent.Note{note}, Numbers: []figures.Matched{{Text: "5.7%", Status: figures.Traced, Note: 1}}},
			"`5.7%` states AAPL annual return **5.74 %**\n\n" + chain,
		},
		{
			"contradicted", agent.FiguresReport{Notes: []agent.Note{note}, Numbers: []figures.Matched{{Text: "7.5%", Status: figures.Contradicted, Note: 1}}},
			"`7.5%` is **not** what the tool gave: AAPL annual return **5.74 %**\n\n" + chain,
		},
		{
			"invented", agent.FiguresReport{Numbers: []figures.Matched{{Text: "7.5%", Status: figures.Untraced}}},
			"`7.5%` goes back to no tool: it is the model's own.\n\n",
		},
	} {
		if diff := cmp.Diff(row.want, whyThese(row.r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

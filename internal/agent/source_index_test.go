package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// counts returns a report without its lists of numbers.
func counts(r agent.FiguresReport) agent.FiguresReport {
	r.Numbers, r.Notes = nil, nil
	return r
}

// figuresOf returns figures without a unit, as calculate does.
func figuresOf(values ...string) []tool.Figure {
	var out []tool.Figure
	for _, v := range values {
		out = append(out, tool.Figure{Value: decimal.RequireFromString(v)})
	}
	return out
}

func TestCheckFigures_MatchesInTheRoundingShown(t *testing.T) {
	known := figuresOf("0.9863", "-53.25", "1447.16", "383285000000", "3095", "6.13")
	for _, row := range []struct {
		name, answer string
		total        int
		untraced     []string
	}{
		{"fraction as per cent", "It rose 98.6%.", 1, nil},
		{"more digits", "It rose 98.63 %.", 1, nil},
		{"wrongly rounded", "It rose 98.7%.", 1, []string{"98.7%"}},
		{"a fall without its sign", "The worst fall was 53.3%.", 1, nil},
		{"separators", "It closed at 1,447.16.", 1, nil},
		{"scale word", "Revenue was 383.3 billion.", 1, nil},
		{"short scale", "Revenue was $383bn.", 1, nil},
		{"whole number", "There were 3,095 bars.", 1, nil},
		{"invented", "The price is 184.25 USD.", 1, []string{"184.25 USD"}},
		{"some of each", "EPS 6.13 and a P/E of 31.2.", 2, []string{"31.2"}},
		{"between code", "`a`: it costs 77.7 in `b`.", 1, []string{"77.7"}},
		{"in code", "Apple costs `123.45` USD, up `98.6%`.", 2, []string{"123.45"}},
		{"part of a longer number that was said", "It is 5 or 250.", 2, []string{"5", "250"}},
		{"negative with a true minus sign", "−53.25 %", 1, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := agent.CheckFigures(row.answer, known, "12.5% of 1,250.75")
			want := agent.FiguresReport{Total: row.total, Traced: row.total - len(row.untraced), Untraced: append([]string{}, row.untraced...)}
			if diff := cmp.Diff(want, counts(got)); diff != "" {
				t.Fatalf("CheckFigures(%q) (-want +got):\n%s", row.answer, diff)
			}
		})
	}
}

func TestCheckFigures_WhatIsNoFigureNeedsNoSource(t *testing.T) {
	known := []tool.Figure{{Value: decimal.RequireFromString("5.7"), Formula: "365.25-day years, x sqrt(252)", Source: "vega-datasets 3.2.1 sp500-2000.csv"}}
	for name, answer := range map[string]string{
		"dates":               "From 2008-01-02 to 2020-04-17.",
		"years":               "Since 2008, and in the 1990s.",
		"times":               "Closed at 16:00.",
		"list numbers":        "1. First\n2. Second\n",
		"headings":            "## 3 things to know\n",
		"names":               "The S&P 500, Q4, 10-K and F-16.",
		"said by the user":    "You hold 250 shares.",
		"words with digits":   "Over 10-year periods, the 12th month, 365.25-day years.",
		"convention":          "Annualised with sqrt(252).",
		"example question":    "- `calculate`: exact. Ask `What is 12.5% of 3,400?`.",
		"no numbers at all":   "It fell, then it rose.",
		"version in a source": "SAMPLE vega-datasets 3.2.1",
	} {
		t.Run(name, func(t *testing.T) {
			if got := agent.CheckFigures(answer, known, "How has the S&P 500 done? I hold 250 shares."); got.Total != 0 {
				t.Fatalf("CheckFigures(%q) = %+v, want no figure", answer, got)
			}
		})
	}
}

func FuzzCheckFigures(f *testing.F) {
	f.Add("It rose 98.6% to 1,447.16 (−3.2 bn), 2008-01-02.")
	f.Add("٣٫٥ 1e9 99999999999999999999999999999999.9k %")
	known := figuresOf("0.986", "1447.16")
	f.Fuzz(func(t *testing.T, answer string) {
		got := agent.CheckFigures(answer, known, "")
		if got.Traced+len(got.Untraced) != got.Total {
			t.Fatalf("%+v does not add up", got)
		}
	})
}

func BenchmarkCheckFigures_LongAnswer(b *testing.B) {
	known := figuresOf(strings.Fields(strings.Repeat("98.63 5.74 21.19 ", 30))...)
	for _, sentences := range []int{50, 100, 200} {
		b.Run(fmt.Sprintf("sentences=%d", sentences), func(b *testing.B) {
			answer := strings.Repeat("From 2008-01-02 it rose 98.6% in all, 5.7% a year, with volatility of 21.2% and 42.0 of nothing. ", sentences)
			b.ReportAllocs()
			for b.Loop() {
				agent.CheckFigures(answer, known, "since 2008")
			}
		})
	}
}

func TestRun_TheReportOnItsFiguresIsRecordedWithTheAnswer(t *testing.T) {
	w := newFixture(t,
		llmtest.Turn{Text: []string{"I look at 3 things."}, Calls: []llm.ToolCall{callFor("c1", "price", `{"symbol":"AAPL"}`)}},
		llmtest.Say("It costs 12.50 USD, ", "7.5% more."), llmtest.Say("You are welcome."),
	)
	c := w.agent.Start()
	_, done, err := turnOf(t, c, "price of AAPL?")
	if err != nil {
		t.Fatal(err)
	}
	price := figuresOf("12.50")[0]
	price.Source = "price" // a figure without a source is its tool's
	want := agent.FiguresReport{
		Total: 2, Traced: 1, Untraced: []string{"7.5%"},
		Numbers: []trace.MatchedNumber{
			{Start: 9, End: 18, Text: "12.50 USD", Status: trace.Traced, Note: 1},
			{Start: 20, End: 24, Text: "7.5%", Status: trace.Untraced},
		},
		Notes: []agent.Note{{
			Number: 1, Figure: price, Call: agent.NotedCall{ID: "c1", Name: "price", Arguments: `{"symbol":"AAPL"}`},
		}},
	}
	if diff := cmp.Diff(want, done.Figures); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
	if _, _, err := turnOf(t, c, "thank you"); err != nil {
		t.Fatal(err)
	}
	var recorded []*agent.FiguresReport
	for _, e := range w.entries(t, c) {
		if e.Kind == session.KindAssistant {
			recorded = append(recorded, agent.DisplayOf(e).Report)
		}
	}
	// A step that only calls a tool is not an answer, and thanks contain no figures.
	want.Notes = nil // kept with the results
	if diff := cmp.Diff([]*agent.FiguresReport{nil, &want, nil}, recorded); diff != "" {
		t.Errorf("recorded with the messages (-want +got):\n%s", diff)
	}
}

func TestRun_NumbersOfAToolsOwnProseNeedNoFigure(t *testing.T) {
	noted := tool.New("noted", "Has a note.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "{}", ForUser: "| 77.5 |\n\nThat month is about 10 % too low."}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{noted}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Call(callFor("a", "noted", "{}")), llmtest.Say("It is 10 % too low, so 77.5.")}}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: model, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	_, done, err := turnOf(t, a.Start(), "go")
	if diff := cmp.Diff(agent.FiguresReport{Total: 1, Untraced: []string{"77.5"}}, counts(done.Figures)); diff != "" || err != nil {
		t.Fatalf("figures, %v (-want +got):\n%s", err, diff)
	}
}

func TestRun_TheNumbersOfASkillNeedNoSource(t *testing.T) {
	w := newFixture(t, llmtest.Say("It trades at 999.99."))
	var done agent.TurnDone
	for e := range w.agent.Start().Run(t.Context(), agent.Input{Text: "/x", ForModel: "for example 999.99", Skill: "x"}) {
		if d, ok := e.(agent.TurnDone); ok {
			done = d
		}
	}
	if diff := cmp.Diff([]string{}, done.Figures.Untraced); diff != "" {
		t.Fatalf("untraced (-want +got):\n%s", diff)
	}
}

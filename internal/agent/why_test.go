package agent_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// returns returns a tool that returns two computed figures.
func returns() tool.Tool {
	return tool.New("returns", "Returns.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		f := func(id, label, value string) tool.Figure {
			return tool.Figure{
				ID: id, Label: label, Value: decimal.RequireFromString(value), Unit: "%", Source: "sample",
				Formula: "last / first - 1", Inputs: []string{"first close 1447.16 on 2008-01-02"},
			}
		}
		return tool.Result{ForModel: "{}", Figures: []tool.Figure{f("total", "VTI total return", "98.63"), f("annual", "VTI annual return", "5.74")}}, nil
	})
}

// talk runs a conversation that calls returns and then says each text.
func talk(t *testing.T, texts ...string) (*agent.Conversation, *agent.Agent) {
	t.Helper()
	router, err := tool.NewRouter([]tool.Tool{returns()}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	turns := []llmtest.Turn{llmtest.Call(callFor("r1", "returns", `{}`))}
	for _, text := range texts {
		turns = append(turns, llmtest.Say(text))
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: &llmtest.Script{Turns: turns}, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	for range texts {
		if _, _, err := turnOf(t, c, "and then?"); err != nil {
			t.Fatal(err)
		}
	}
	return c, a
}

// explained returns what Why selects, all figures for "", in short: each with its status and the ID of
// its source.
func explained(t *testing.T, c *agent.Conversation, query string) []string {
	t.Helper()
	e, err := c.Why(query)
	if err != nil {
		t.Fatalf("Why(%q): %v", query, err)
	}
	out := []string{}
	for i, f := range e.Figures {
		if query != "" && i != e.Selected {
			continue
		}
		text := f.Text + " " + string(f.Status)
		if f.Source != nil {
			text += " " + f.Source.Figure.ID + " of " + f.Source.Call.Name + " " + f.Source.Call.Arguments
		}
		out = append(out, text)
	}
	return out
}

func TestWhy_ExplainsANoteOrANumber(t *testing.T) {
	c, a := talk(t,
		"It rose 98.6% in all, 5.7% a year and 12% by luck; 98.63% in full, from 1,447.16.",
		"The VTI annual return is 7.5%.", "You are welcome.")
	for name, c := range map[string]*agent.Conversation{"as it ran": c, "resumed": resumed(t, a, c.ID())} {
		for _, row := range []struct {
			asked string
			want  []string
		}{
			{"", []string{"7.5% contradicted annual of returns {}"}},
			{"1", []string{"7.5% contradicted annual of returns {}"}},
			{"7.5 %", []string{"7.5% contradicted annual of returns {}"}},
			{"98.6%", []string{"98.6% traced total of returns {}"}},
			{"1447.16", []string{"1,447.16 traced annual of returns {}"}},
			{"12%", []string{"12% untraced"}},
			{"99%", []string{"99% traced total of returns {}"}}, // in no answer, but in a result
			{"42%", []string{}},
			{"2", []string{}},
			{"the return", []string{}},
		} {
			if diff := cmp.Diff(row.want, explained(t, c, row.asked)); diff != "" {
				t.Errorf("%s: Why(%q) (-want +got):\n%s", name, row.asked, diff)
			}
		}
	}
}

func resumed(t *testing.T, a *agent.Agent, id string) *agent.Conversation {
	t.Helper()
	c, _, err := a.Resume(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhy_NotesAreThoseOfTheLastAnswerWithFigures(t *testing.T) {
	c, _ := talk(t, "It rose 98.6% in all, 5.7% a year.", "You are welcome.")
	if diff := cmp.Diff([]string{"5.7% traced annual of returns {}"}, explained(t, c, "2")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhy_WithoutAnyFiguresThereIsNothingToExplain(t *testing.T) {
	c, _ := talk(t, "Nothing to say.")
	if _, err := c.Why("1"); !errors.Is(err, agent.ErrNoFigures) {
		t.Errorf("Why = %v, want ErrNoFigures", err)
	}
}

func TestWhy_WaitsForNoTurn(t *testing.T) {
	c, _ := talk(t, "It rose 98.6%.")
	for e := range c.Run(t.Context(), agent.Input{Text: "more"}) {
		if _, ok := e.(agent.TurnDone); ok {
			break
		}
		if _, err := c.Why("1"); !errors.Is(err, agent.ErrBusy) {
			t.Fatalf("Why while a turn runs = %v, want ErrBusy", err)
		}
	}
}

func TestFiguresReport_SummaryNamesWhatIsNotTraced(t *testing.T) {
	number := func(text string, s trace.Status) trace.MatchedNumber {
		return trace.MatchedNumber{Text: text, Status: s}
	}
	list := func(count int, noData bool, lookedUp ...trace.MatchedNumber) agent.FiguresReport {
		r := agent.FiguresReport{NoData: noData, Numbers: lookedUp}
		for i := range count {
			r.Numbers = append(r.Numbers, number(fmt.Sprintf("%d.5%%", i), trace.Untraced), number("0.5%", trace.Untraced))
		}
		return r
	}
	differs := agent.FiguresReport{
		Numbers: []trace.MatchedNumber{number("5%", trace.Traced), {Text: "31.2", Status: trace.Contradicted, Note: 1}},
		Notes:   []agent.Note{{Number: 1, Figure: tool.Figure{Label: "P/E", Value: decimal.RequireFromString("28.4"), Unit: "x"}, Call: agent.NotedCall{Name: "key_ratios"}}},
	}
	for _, row := range []struct {
		name string
		r    agent.FiguresReport
		want string
	}{
		{"all traced", agent.FiguresReport{Total: 1, Traced: 1, Numbers: []trace.MatchedNumber{number("5%", trace.Traced)}}, ""},
		{"one", list(1, false), "1 figure could not be traced: 0.5% (/why)"},
		{"two", list(2, false), "2 figures could not be traced: 0.5%, 1.5% (/why)"},
		{"sixteen of eighteen", list(16, false), "16 figures could not be traced: 0.5%, 1.5%, 2.5%, 3.5%, 4.5%, +11 (/why)"},
		{"without a tool", list(16, true), "No data was looked up: the model wrote all 16 figures (/why)"},
		{"one without a tool", list(1, true), "No data was looked up: the figure 0.5% was written by the model (/why)"},
		{"contradicted", differs, "1 figure differs from its source: P/E 31.2, key_ratios has 28.4 (/why)"},
	} {
		if got := row.r.Summary(); got != row.want {
			t.Errorf("%s: Summary = %q, want %q", row.name, got, row.want)
		}
	}
}

// The view has the key figures that the program draws, the other figures of the text, and the user's own
// numbers.
func TestWhy_HasTheKeyFiguresAndTheUsersNumbers(t *testing.T) {
	keyed := tool.New("returns", "Returns.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		f := func(id, label, value string) tool.Figure {
			return tool.Figure{ID: id, Label: label, Value: decimal.RequireFromString(value), Unit: "%", Source: "sample"}
		}
		return tool.Result{
			ForModel: "{}", About: tool.KeyAbout{Subject: "VTI"}, Notes: []tool.Note{{Code: "n", Text: "Prices are monthly."}},
			Keys:    []tool.KeyFigure{{Label: "total return", Text: "+98.6%", Sign: 1}, {Label: "drawdown", Text: "-53.3%", Sign: -1}},
			Figures: []tool.Figure{f("total", "VTI total return", "98.63"), f("drawdown", "VTI drawdown", "-53.25"), f("annual", "VTI annual return", "5.74")},
		}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{keyed}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Router: router, Model: &llmtest.Script{Turns: []llmtest.Turn{
		llmtest.Call(callFor("r1", "returns", `{}`)), llmtest.Say("With 10,000 USD: 98.6% in all, 5.7% a year, and 12% by luck."),
	}}}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	if _, _, err := turnOf(t, c, "What became of 10,000 USD in VTI?"); err != nil {
		t.Fatal(err)
	}
	want := []string{"12% untraced", "+98.6% traced total of returns {}", "-53.3% traced drawdown of returns {}", "5.7% traced annual of returns {}", "10,000 USD yours"}
	for name, c := range map[string]*agent.Conversation{"as it ran": c, "resumed": resumed(t, a, c.ID())} {
		if diff := cmp.Diff(want, explained(t, c, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		e, err := c.WhyTurn(1)
		if err != nil || len(e.Notes) != 1 || e.Count(trace.Traced) != 3 {
			t.Errorf("%s: WhyTurn(1) = %+v, %v", name, e, err)
		}
		if _, err := c.WhyTurn(2); !errors.Is(err, agent.ErrNoFigures) {
			t.Errorf("%s: WhyTurn(2) = %v, want ErrNoFigures", name, err)
		}
	}
}

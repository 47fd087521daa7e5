package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

func noted() tool.Tool {
	return tool.New("noted", "A number.", tool.Reads, func(_ context.Context, in struct {
		N int `json:"n"`
	}) (tool.Result, error) {
		return tool.Result{
			Value: in, ForUser: "A number.\n", Headline: "The number is 1.", Keys: []tool.KeyFigure{{Label: "number", Text: "+1.0%", Sign: 1}},
			Notes: []tool.Note{{Code: "stale", Text: "Prices are old.", Warning: true, Public: "Prices are old."}, {Code: "basis", Text: "Closes are adjusted."}},
		}, nil
	})
}

func TestNotes_ASessionShowsEachOnce(t *testing.T) {
	w := newFixtureOf(t, noted(),
		llmtest.Call(callFor("c1", "noted", `{"n":1}`), callFor("c2", "noted", `{"n":2}`)), llmtest.Say("One."),
		llmtest.Call(callFor("c3", "noted", `{"n":3}`)), llmtest.Say("Again."))
	a := w.agent
	c := a.Start()
	events, _, err := turnOf(t, c, "first")
	if err != nil {
		t.Fatal(err)
	}
	resumed, _, err := a.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	more, _, err := turnOf(t, resumed, "second")
	if err != nil {
		t.Fatal(err)
	}
	var shown, recorded []string
	for _, e := range append(events, more...) {
		if f, ok := e.(agent.ToolFinished); ok {
			shown = append(shown, f.Outcome.Result.ForUser)
		}
	}
	for _, e := range w.entries(t, c) {
		if d := agent.DisplayOf(e); e.Kind == session.KindTool {
			recorded = append(recorded, d.ForUser)
			if len(d.Notes) != 2 || d.Headline != "The number is 1." || len(d.Keys) != 1 {
				t.Errorf("recorded %+v, want the headline, the key figure and both notes", d)
			}
		}
	}
	for what, texts := range map[string][]string{"shown": shown, "recorded": recorded} {
		all := strings.Join(texts, "")
		if len(texts) != 3 || strings.Count(all, "- ! Prices are old.") != 1 || strings.Count(all, "- Closes are adjusted.") != 1 {
			t.Errorf("%s %q, want each note once in three results", what, texts)
		}
	}
}

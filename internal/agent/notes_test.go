package agent_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

func noted() tool.Tool {
	return tool.New("noted", "A number.", tool.Reads, func(_ context.Context, in struct {
		N int `json:"n"`
	}) (tool.Result, error) {
		subject := map[int]string{1: "A", 2: "B", 3: "C"}[in.N]
		return tool.Result{
			Value: in, ForUser: "A number.\n", Headline: "The number is 1.", Keys: []tool.KeyFigure{{Label: "number", Text: "+1.0%", Sign: 1}},
			Notes:  []tool.Note{{Code: "stale", Subject: subject, Text: subject + ": Prices are old.", Warning: true}, {Code: "basis", Text: "Closes are adjusted."}},
			Source: tool.Source{Sample: true, Names: []string{"vega-datasets"}, To: "2020-04-17", Close: true},
		}, nil
	})
}

func TestAttribution_ASessionShowsAWarningOnce(t *testing.T) {
	w := newFixtureOf(t, noted(),
		llmtest.Call(callFor("c1", "noted", `{"n":1}`), callFor("c2", "noted", `{"n":2}`)), llmtest.Say("One."),
		llmtest.Call(callFor("c3", "noted", `{"n":3}`)), llmtest.Say("Again."))
	a := w.agent
	c := a.Start()
	first, done, err := turnOf(t, c, "first")
	if err != nil {
		t.Fatal(err)
	}
	resumed, _, err := a.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	second, again, err := turnOf(t, resumed, "second")
	if err != nil {
		t.Fatal(err)
	}
	line := "SAMPLE · vega-datasets · 2020-04-17 close · 1 figure traced · 1 note"
	want := agent.Attribution{Line: line, Warnings: []string{"A and B: Prices are old."}}
	if diff := cmp.Diff(want, done.Attribution, cmpopts.IgnoreFields(agent.Attribution{}, "Notes")); diff != "" {
		t.Errorf("around the first answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(agent.Attribution{Line: line}, again.Attribution, cmpopts.IgnoreFields(agent.Attribution{}, "Notes")); diff != "" {
		t.Errorf("around the second (-want +got):\n%s", diff)
	}
	var notices []string
	for _, e := range append(first, second...) {
		if f, ok := e.(agent.ToolFinished); ok && f.SampleNotice != "" {
			notices = append(notices, f.SampleNotice)
		}
	}
	if want := []string{"SAMPLE DATA to 2020-04-17: old prices built into nfa, not today's market. Live data: /setup"}; !slices.Equal(notices, want) {
		t.Errorf("notices %q, want %q", notices, want)
	}
	recorded := 0
	for _, e := range w.entries(t, c) {
		d := agent.DisplayOf(e)
		if e.Kind == session.KindTool && (len(d.Notes) != 2 || d.Headline != "The number is 1." || len(d.Keys) != 1 || d.Source == nil || d.About == nil || d.Label != "Noted") {
			t.Errorf("recorded %+v, want the headline, the key figure, both notes and the source", d)
		}
		if d.Attribution != nil {
			recorded++
		}
	}
	if recorded != 2 {
		t.Errorf("recorded what is around %d answers, want 2", recorded)
	}
}

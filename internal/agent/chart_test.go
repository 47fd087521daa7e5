package agent_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

func plot() tool.Tool {
	return tool.New("plot", "A chart.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		line := chart.Series{Name: "canary-series"}
		for i := range 2000 {
			line.Times = append(line.Times, time.Date(2010, time.January, 1+i, 0, 0, 0, 0, time.UTC))
			line.Values = append(line.Values, 4321.5+math.Sin(float64(i)))
		}
		line.Values[7] = math.NaN()
		spec := &chart.Spec{Kind: chart.KindLine, Title: "canary-title", Series: []chart.Series{line}}
		return tool.Result{ForModel: "drawn", Chart: spec, Opened: true, Private: true}, nil
	})
}

// The chart on the screen is the recorded one. The model receives nothing of it, neither at once nor after
// the session is resumed.
func TestRun_AChartIsRecordedAsItWasShownAndNeverSent(t *testing.T) {
	w := newFixtureOf(t, plot(),
		llmtest.Call(callFor("c1", "plot", `{}`)), llmtest.Say("There it is."), llmtest.Say("As before."))
	a := w.agent
	c := a.Start()
	events, _, err := turnOf(t, c, "draw it")
	if err != nil {
		t.Fatal(err)
	}
	var shown *chart.Spec
	for _, e := range events {
		if f, ok := e.(agent.ToolFinished); ok {
			shown = f.Outcome.Result.Chart
		}
	}
	var kept agent.Display
	for _, e := range w.entries(t, c) {
		if e.Kind == session.KindTool {
			kept = agent.DisplayOf(e)
		}
	}
	if shown == nil || kept.Chart == nil || !kept.Opened {
		t.Fatalf("shown %v, recorded %v, opened %t; want a chart in both, opened", shown, kept.Chart, kept.Opened)
	}
	if diff := cmp.Diff(shown, kept.Chart, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("recorded chart (-shown +recorded):\n%s", diff)
	}
	again, _, err := a.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := turnOf(t, again, "and now?"); err != nil {
		t.Fatal(err)
	}
	for i, request := range w.model.Requests() {
		sent, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		for _, canary := range []string{"canary", "4321", "4322"} {
			if strings.Contains(string(sent), canary) {
				t.Errorf("request %d holds %q of a chart", i+1, canary)
			}
		}
	}
}

package agent_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// positionTool returns a tool that keeps the amounts from the model: it returns only the weight, with two
// decimals.
func positionTool() tool.Tool {
	return tool.New("holding", "Holding.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		figure := func(id, value, unit string, inputs ...string) tool.Figure {
			return tool.Figure{ID: id, Label: id, Value: decimal.RequireFromString(value), Unit: unit, Source: "the book", Inputs: inputs}
		}
		return tool.Result{
			Private: true, ForModel: `{"weight_pct":"17.62","price":"137.44","day":"2024-06-28","lot":"t2019"}`, ForUser: "It is worth 824640 USD.",
			Figures: []tool.Figure{
				figure("weight", "17.6184", "%", "value 824640 USD", "closes of the exchange"), figure("value", "824640", "USD"), figure("gain", "-17.62", "%"),
				figure("price", "137.44", "USD"), figure("units", "2024", "units"), figure("spare", "2019", "units"),
			},
		}, nil
	})
}

// The model can read a report file, and a traced number in it would confirm a guess.
func TestRun_APrivateResultIsQuotedAsFarAsTheModelSawIt(t *testing.T) {
	var got [][]string
	traced := tool.New("traced", "Traces.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		numbers, notes := tool.TracerOf(ctx)("The weight is 17.62 %, 17.6184 % or 17.6 %, the price 137.44 USD, the value 824,640 USD, of 2,024 or 2,019 units.")
		var lines []string
		for _, n := range numbers {
			line := n.Text + " " + string(n.Status)
			if n.Note > 0 {
				f := notes[n.Note-1].Figure
				line += " " + f.ID + " " + f.Value.String()
				for _, input := range f.Inputs {
					line += " (" + input + ")"
				}
			}
			lines = append(lines, line)
		}
		got = append(got, lines)
		return tool.Result{ForModel: "{}"}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{positionTool(), traced}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Store: &sessiontest.Memory{}, Setup: setup(agent.Setup{Router: router, Model: &llmtest.Script{Turns: []llmtest.Turn{
		llmtest.Call(callFor("h1", "holding", `{}`)), llmtest.Call(callFor("t1", "traced", `{}`)), llmtest.Say("Done."),
		llmtest.Call(callFor("t2", "traced", `{}`)), llmtest.Say("Done."),
	}}})})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	if _, _, err := turnOf(t, c, "go"); err != nil {
		t.Fatal(err)
	}
	again, _, err := a.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := turnOf(t, again, "once more"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"17.62 % traced weight 17.62 (closes of the exchange)", "17.6184 % untraced", "17.6 % traced weight 17.62 (closes of the exchange)",
		"137.44 USD traced price 137.44", "824,640 USD untraced", "2,024 untraced", "2,019 untraced",
	}
	if diff := cmp.Diff([][]string{want, want}, got); diff != "" {
		t.Errorf("traced at once and after the conversation was resumed (-want +got):\n%s", diff)
	}
}

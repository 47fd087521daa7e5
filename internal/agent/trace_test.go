package agent_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// traces returns a tool that traces a text and keeps the result.
func traces(text string, out *[]string) tool.Tool {
	return tool.New("traces", "Traces.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		trace := tool.TracerOf(ctx)
		if trace == nil {
			return tool.Errorf("there is nothing to trace to")
		}
		numbers, notes := trace(text)
		for _, n := range numbers {
			line := n.Text + " " + string(n.Status)
			if n.Note > 0 {
				note := notes[n.Note-1]
				line += " " + note.Figure.ID + " of " + note.Call.Name + " " + note.Call.Arguments
			}
			*out = append(*out, line)
		}
		return tool.Result{ForModel: "{}"}, nil
	})
}

func runWith(t *testing.T, tools []tool.Tool, input string, turns ...llmtest.Turn) {
	t.Helper()
	router, err := tool.NewRouter(tools, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: &llmtest.Script{Turns: turns}, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := turnOf(t, a.Start(), input); err != nil {
		t.Fatal(err)
	}
}

func TestRun_ToolsTraceWhatTheyWriteToTheConversation(t *testing.T) {
	var got []string
	tools := []tool.Tool{returns(), traces("The VTI annual return is 5.7%, not 9.9%, of $10,000.", &got)}
	runWith(t, tools, "I have $10,000", llmtest.Call(callFor("r1", "returns", `{}`)), llmtest.Call(callFor("t1", "traces", `{}`)), llmtest.Say("Done."))
	want := []string{"5.7% traced annual of returns {}", "9.9% untraced"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("traced (-want +got):\n%s", diff)
	}
}

func TestRun_AStepTracesToTheStepBeforeIt(t *testing.T) {
	var got []string
	steps := []tool.Tool{returns(), traces("It rose 98.63%.", &got)}
	inner, err := tool.NewRouter(steps, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	both := tool.New("both", "Both.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		for _, name := range []string{"returns", "traces"} {
			if _, err := inner.Step(ctx, name, name, []byte(`{}`)); err != nil {
				return tool.Result{}, err
			}
		}
		return tool.Result{ForModel: "{}"}, nil
	})
	runWith(t, []tool.Tool{both}, "go", llmtest.Call(callFor("b1", "both", `{}`)), llmtest.Say("Done."))
	if diff := cmp.Diff([]string{"98.63% traced total of returns {}"}, got); diff != "" {
		t.Errorf("traced (-want +got):\n%s", diff)
	}
}

// TestRun_TracingWhileResultsComeInIsSafe is for the race detector: tools that read run concurrently.
func TestRun_TracingWhileResultsComeInIsSafe(t *testing.T) {
	figure := tool.Figure{ID: "x", Label: "x", Value: decimal.New(5, 0), Unit: "%"}
	var inner *tool.Router
	step := tool.New("step", "Step.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "{}", Figures: []tool.Figure{figure}}, nil
	})
	busy := tool.New("busy", "Busy.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				tool.TracerOf(ctx)("It is 5%.")
				_, _ = inner.Step(ctx, "s", "step", []byte(`{}`))
			})
		}
		wg.Wait()
		return tool.Result{ForModel: "{}"}, nil
	})
	inner, err := tool.NewRouter([]tool.Tool{step}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runWith(t, []tool.Tool{busy}, "go", llmtest.Call(callFor("a", "busy", `{}`), callFor("b", "busy", `{}`)), llmtest.Say("5%"))
}

func TestTracerOf_ACallMadeByHandHasNone(t *testing.T) {
	if tool.TracerOf(t.Context()) != nil {
		t.Error("a context of no conversation has a tracer")
	}
}

package eval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/skill"
)

// live returns a runner of these tests and a model that plays these turns.
func live(t *testing.T, evals string, turns ...llmtest.Turn) (*eval.Runner, *llmtest.Script) {
	t.Helper()
	model := &llmtest.Script{Turns: turns}
	r := runnerOf(t, evals)
	r.Live = &eval.LiveModel{
		Setup:          agent.Setup{Model: model, ModelName: "test/model", Router: r.Router, Prompt: "The catalogue."},
		WithheldReason: func(skill.Skill) string { return "" },
	}
	return r, model
}

func loads(name string) llmtest.Turn {
	return llmtest.Call(llm.ToolCall{ID: "c", Name: "Skill", Arguments: `{"name":"` + name + `"}`})
}

func calls(name, arguments string) llmtest.Turn {
	return llmtest.Call(llm.ToolCall{ID: "c", Name: name, Arguments: arguments})
}

func TestLive_TheFirstStepDecides(t *testing.T) {
	for _, tc := range []struct {
		name         string
		turn         llmtest.Turn
		did          string
		sel, avoided eval.Verdict
	}{
		{"loads it", loads("pricer"), "loaded pricer", eval.Pass, eval.Fail},
		{"loads nothing", llmtest.Say("Apple costs much."), "loaded no skill", eval.Fail, eval.Pass},
		{"calls a tool at once", calls("quote", `{"symbols":["AAPL"]}`), "loaded no skill; called quote", eval.Fail, eval.Pass},
		{"asks for one that is not there", loads("pricing"), "loaded no skill; refused: Skill 'pricing' not found", eval.Fail, eval.Pass},
		{"loads it among others", llmtest.Call(
			llm.ToolCall{ID: "a", Name: "quote", Arguments: `{}`}, llm.ToolCall{ID: "b", Name: "Skill", Arguments: `{"name":"pricer"}`},
		), "loaded pricer; called quote", eval.Pass, eval.Fail},
	} {
		t.Run(tc.name, func(t *testing.T) {
			turn := tc.turn
			turn.Usage = llm.Usage{InputTokens: 900, OutputTokens: 20}
			runner, model := live(t, "prompts: {select: [\"What does Apple cost?\"], avoid: [Hello]}\ncases: []\n", turn, turn)
			got := resultsOf(t, runner.Test(t.Context(), "pricer"))[1:] // the first result is about the missing cases
			row := func(kind eval.Kind, text string, v eval.Verdict) eval.Result {
				return eval.Result{
					Skill: "pricer", Kind: kind, Line: 1, Text: text, Verdict: v, Reasons: []string{tc.did},
					Model: "test/model", Usage: &llm.Usage{InputTokens: 900, OutputTokens: 20},
				}
			}
			want := []eval.Result{row(eval.KindSelect, "What does Apple cost?", tc.sel), row(eval.KindAvoid, "Hello", tc.avoided)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			sent := model.Requests()[0]
			if len(model.Requests()) != 2 || sent.Messages[0].Content != "The catalogue." || sent.Messages[1].Content != "What does Apple cost?" {
				t.Errorf("sent %d requests, %+v; want the prompt under the real one", len(model.Requests()), sent.Messages)
			}
			if len(sent.Tools) != len(runner.Router.Tools()) {
				t.Errorf("%d tools were offered, want all %d", len(sent.Tools), len(runner.Router.Tools()))
			}
		})
	}
}

func TestLive_WhatIsNotOfferedIsNotAskedFor(t *testing.T) {
	runner, model := live(t, "prompts: {select: [a]}\n")
	runner.Live.WithheldReason = func(s skill.Skill) string { return "disabled " + s.Name }
	got := resultsOf(t, runner.Test(t.Context(), "pricer"))
	if last := got[len(got)-1]; last.Verdict != eval.NotRun || last.Reasons[0] != "not offered to the model: disabled pricer" || last.Usage != nil {
		t.Errorf("result = %+v, want not run", last)
	}
	if n := len(model.Requests()); n != 0 {
		t.Errorf("%d requests, want none", n)
	}
}

func TestLive_HalfAnAnswerIsNoVerdict(t *testing.T) {
	refused := &llm.Error{Kind: llm.KindAuth, Message: "no such key"}
	for _, tc := range []struct {
		name string
		turn llmtest.Turn
		want llm.Kind
	}{
		{"a server that refuses", llmtest.Fail(refused), llm.KindAuth},
		{"an answer cut by length", llmtest.Turn{Text: []string{"I would"}, Finish: llm.FinishLength}, llm.KindTruncated},
		{"an answer cut by a filter", llmtest.Turn{Text: []string{"I would"}, Finish: llm.FinishContentFilter}, llm.KindRefused},
		{"an empty answer", llmtest.Say(" "), llm.KindServer},
	} {
		t.Run(tc.name, func(t *testing.T) {
			runner, model := live(t, "prompts: {avoid: [a, b]}\n", tc.turn, tc.turn)
			var got []eval.Result
			var err error
			for r, e := range runner.Test(t.Context(), "pricer") {
				got, err = append(got, r), e
			}
			var failure *llm.Error
			if !errors.As(err, &failure) || failure.Kind != tc.want || !strings.HasPrefix(err.Error(), `asking test/model "a": `) {
				t.Errorf("Test() = %v, want %s of the prompt", err, tc.want)
			}
			if len(got) != 2 || len(model.Requests()) != 1 {
				t.Errorf("%d results, %d requests; want the test to end there", len(got), len(model.Requests()))
			}
		})
	}
}

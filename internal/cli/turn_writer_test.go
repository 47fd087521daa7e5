package cli_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

func TestRemedy_EveryMeaningOfAnErrorHasItsOwn(t *testing.T) {
	remedies := map[string]llm.Kind{}
	for _, kind := range []llm.Kind{
		llm.KindAuth, llm.KindQuota, llm.KindRateLimit, llm.KindContextLength, llm.KindModelUnknown, llm.KindRefused,
		llm.KindBadRequest, llm.KindServer, llm.KindNetwork, llm.KindTimeout, llm.KindTruncated,
	} {
		err := &llm.Error{Kind: kind, Provider: "home", Message: "in its own words"}
		text := cli.Remedy(err)
		if other, taken := remedies[text]; text == "" || taken {
			t.Errorf("of %s the remedy is %q, which is that of %q", kind, text, other)
		}
		remedies[text] = kind
	}
	if text := cli.Remedy(errors.New("another")); text != "" {
		t.Errorf("of an error of no model the remedy is %q", text)
	}
}

func TestFinish_EveryReasonToStopShortIsSaid(t *testing.T) {
	messages := map[string]agent.StopReason{}
	for _, reason := range []agent.StopReason{
		agent.StopCancelled, agent.StopStepLimit, agent.StopRepeatedCall, agent.StopTimeLimit, agent.StopCostLimit,
		agent.StopSessionSteps, agent.StopSessionTime, agent.StopSessionCost,
	} {
		err := finishTurn(t, agent.TurnDone{Reason: reason, Steps: 3})
		if err == nil || err.Error() == "" {
			t.Errorf("nothing is said of %s", reason)
			continue
		}
		if other, taken := messages[err.Error()]; taken {
			t.Errorf("%s and %s are both said as %q", reason, other, err)
		}
		messages[err.Error()] = reason
		if ended := (*cli.TurnError)(nil); !errors.As(err, &ended) || ended.Reason != reason || ended.Refused {
			t.Errorf("of %s the error is %#v", reason, err)
		}
	}
	if err := finishTurn(t, agent.TurnDone{Reason: agent.StopAnswered}); err != nil {
		t.Errorf("an answer is said to be %v", err)
	}
}

// finishTurn returns the error of a finished turn.
func finishTurn(t *testing.T, done agent.TurnDone) error {
	t.Helper()
	w, err := cli.NewTurnWriter(cli.FormatText, cli.Streams{Out: io.Discard, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return w.Finish(done, nil)
}

// TestFinish_ARefusalIsReportedOnce checks that a refused call always changes the
// exit code, because scripts depend on it.
func TestFinish_ARefusalIsReportedOnce(t *testing.T) {
	for _, form := range []string{cli.FormatText, cli.FormatJSON, cli.FormatStreamJSON} {
		w, err := cli.NewTurnWriter(form, cli.Streams{Out: io.Discard, Err: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		w.Decision(tool.Approval{}, tool.Answer{Allowed: true})
		w.Decision(tool.Approval{}, tool.Answer{Reason: "no"})
		err = w.Finish(agent.TurnDone{Reason: agent.StopAnswered}, nil)
		if ended := (*cli.TurnError)(nil); !errors.As(err, &ended) || !ended.Refused || err.Error() != "" {
			t.Errorf("%s: an answer with a refusal ends with %#v", form, err)
		}
	}
}

func TestFinish_AQuestionWithoutAnAnswerIsAnError(t *testing.T) {
	failed := func(code string) agent.Event {
		return agent.ToolFinished{Outcome: tool.Outcome{Result: tool.Result{IsError: true, Code: code}}}
	}
	worked := agent.ToolFinished{}
	for _, row := range []struct {
		name    string
		outcome llm.OutcomeKind
		events  []agent.Event
		want    *cli.TurnError
	}{
		{"answered", llm.OutcomeAnswered, []agent.Event{worked}, nil},
		{"answered by a model", "", []agent.Event{failed(""), worked}, nil},
		{"asked", llm.OutcomeAsked, nil, &cli.TurnError{NothingFound: true}},
		{"declined", llm.OutcomeDeclined, nil, &cli.TurnError{NothingFound: true}},
		{"no source", llm.OutcomeFailed, nil, &cli.TurnError{ToolsFailed: true}},
		{"no data", llm.OutcomeFailed, []agent.Event{failed(tool.CodeNoData)}, &cli.TurnError{NothingFound: true}},
		{"every tool failed", "", []agent.Event{failed(tool.CodeNoData), failed("")}, &cli.TurnError{ToolsFailed: true}},
	} {
		for _, form := range []string{cli.FormatText, cli.FormatJSON, cli.FormatStreamJSON} {
			finish := func(out io.Writer) error {
				w, err := cli.NewTurnWriter(form, cli.Streams{Out: out, Err: io.Discard})
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range row.events {
					w.Event(e)
				}
				w.Event(agent.TextDelta{Text: "x"})
				done := agent.TurnDone{Reason: agent.StopAnswered}
				if row.outcome != "" {
					done.Outcome = &llm.Outcome{Kind: row.outcome}
				}
				return w.Finish(done, nil)
			}
			var got *cli.TurnError
			err := finish(io.Discard)
			errors.As(err, &got)
			if (got == nil) != (row.want == nil) || got != nil && (got.NothingFound != row.want.NothingFound || got.ToolsFailed != row.want.ToolsFailed) {
				t.Errorf("%s, %s: %#v, want %#v", row.name, form, err, row.want)
			}
			err = finish(brokenWriter{})
			if ended := (*cli.TurnError)(nil); !errors.Is(err, errBroken) || errors.As(err, &ended) {
				t.Errorf("%s, %s: output that cannot be written ends with %#v", row.name, form, err)
			}
		}
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestTextWriter_DrawsTheChartThatWasAskedFor(t *testing.T) {
	for _, opened := range []bool{true, false} {
		var out strings.Builder
		w, err := cli.NewTurnWriter(cli.FormatText, cli.Streams{Out: &out, Err: io.Discard, Painter: &cli.Painter{Chart: func(*chart.Spec) string { return "a line" }}})
		if err != nil {
			t.Fatal(err)
		}
		w.Begin(cli.TurnStart{BuiltIn: true})
		w.Event(agent.ToolFinished{Outcome: tool.Outcome{Result: tool.Result{
			Chart: &chart.Spec{}, Opened: opened, Headline: "Up.", ForUser: "Up.",
		}}})
		w.Event(agent.TextDelta{Text: "Up."})
		w.Event(agent.StepDone{})
		want := "Up.\n\nSAMPLE · a source\n"
		if opened {
			want = "a line\n\n" + want
		}
		if err := w.Finish(agent.TurnDone{Reason: agent.StopAnswered, Attribution: agent.Attribution{Line: "SAMPLE · a source"}}, nil); err != nil || out.String() != want {
			t.Errorf("opened %v: %v, %q, want %q", opened, err, out.String(), want)
		}
	}
}

func TestNewTurnWriter_AnUnknownFormatIsAUsageError(t *testing.T) {
	var mistake *usage.Error
	if _, err := cli.NewTurnWriter("yaml", cli.Streams{}); !errors.As(err, &mistake) {
		t.Errorf("New(yaml) = %v, want a misuse", err)
	}
}

func TestTextWriter_SaysHowLongItWaitsToAskAgain(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		200 * time.Millisecond:  "nfa: down; retrying\n",
		1700 * time.Millisecond: "nfa: down; retrying in 2s\n",
	} {
		var output strings.Builder
		a, err := cli.NewTurnWriter(cli.FormatText, cli.Streams{Err: &output})
		if err != nil {
			t.Fatal(err)
		}
		a.Event(agent.Retrying{Err: errors.New("down"), Wait: wait})
		if output.String() != want {
			t.Errorf("of a wait of %s is said %q, want %q", wait, output.String(), want)
		}
	}
}

func TestWriter_ASummaryThatTheModelDidNotWriteIsAWarning(t *testing.T) {
	for _, form := range []string{cli.FormatText, cli.FormatJSON, cli.FormatStreamJSON} {
		for _, outline := range []bool{true, false} {
			var out strings.Builder
			w, err := cli.NewTurnWriter(form, cli.Streams{Out: &out, Err: &out})
			if err != nil {
				t.Fatal(err)
			}
			w.Event(agent.Compacted{Summarised: true, Outline: outline})
			if err := w.Finish(agent.TurnDone{Reason: agent.StopAnswered}, nil); err != nil || strings.Contains(out.String(), "without a summary") != outline {
				t.Errorf("%s, outline %v: %v, %q", form, outline, err, out.String())
			}
		}
	}
}

package cli_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
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
			if err := w.Finish(agent.TurnDone{Reason: agent.StopAnswered}, nil); err != nil || strings.Contains(out.String(), "wrote no summary") != outline {
				t.Errorf("%s, outline %v: %v, %q", form, outline, err, out.String())
			}
		}
	}
}

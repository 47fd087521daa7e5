package answer_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestRemedy_EveryMeaningOfAnErrorHasItsOwn(t *testing.T) {
	said := map[string]llm.Kind{}
	for _, kind := range []llm.Kind{
		llm.KindAuth, llm.KindQuota, llm.KindRateLimit, llm.KindContextLength, llm.KindModelUnknown, llm.KindRefused,
		llm.KindBadRequest, llm.KindServer, llm.KindNetwork, llm.KindTimeout, llm.KindTruncated,
	} {
		err := &llm.Error{Kind: kind, Provider: "home", Message: "in its own words"}
		text := answer.Remedy(err)
		if other, taken := said[text]; text == "" || taken {
			t.Errorf("of %s the remedy is %q, which is that of %q", kind, text, other)
		}
		said[text] = kind
	}
	if text := answer.Remedy(errors.New("another")); text != "" {
		t.Errorf("of an error of no model the remedy is %q", text)
	}
}

func TestFinish_EveryReasonToStopShortIsSaid(t *testing.T) {
	said := map[string]agent.StopReason{}
	for _, reason := range []agent.StopReason{
		agent.StopCancelled, agent.StopStepLimit, agent.StopRepeatedCall, agent.StopTimeLimit, agent.StopCostLimit,
		agent.StopSessionSteps, agent.StopSessionTime, agent.StopSessionCost,
	} {
		err := finished(t, agent.TurnDone{Reason: reason, Steps: 3})
		if err == nil || err.Error() == "" {
			t.Errorf("nothing is said of %s", reason)
			continue
		}
		if other, taken := said[err.Error()]; taken {
			t.Errorf("%s and %s are both said as %q", reason, other, err)
		}
		said[err.Error()] = reason
		if ended := (*answer.Ended)(nil); !errors.As(err, &ended) || ended.Reason != reason || ended.Refused {
			t.Errorf("of %s the error is %#v", reason, err)
		}
	}
	if err := finished(t, agent.TurnDone{Reason: agent.StopAnswered}); err != nil {
		t.Errorf("an answer is said to be %v", err)
	}
}

// finished is the error that a turn ends with.
func finished(t *testing.T, done agent.TurnDone) error {
	t.Helper()
	w, err := answer.New(answer.Text, answer.Streams{Out: io.Discard, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return w.Finish(done, nil)
}

// Scripts branch on whether something was refused, whatever was answered then.
func TestFinish_ARefusalIsToldAndSaysNoMoreThanWasSaid(t *testing.T) {
	for _, form := range []string{answer.Text, answer.JSON, answer.StreamJSON} {
		w, err := answer.New(form, answer.Streams{Out: io.Discard, Err: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		w.Decided(tool.Approval{}, tool.Answer{Allowed: true})
		w.Decided(tool.Approval{}, tool.Answer{Reason: "no"})
		err = w.Finish(agent.TurnDone{Reason: agent.StopAnswered}, nil)
		if ended := (*answer.Ended)(nil); !errors.As(err, &ended) || !ended.Refused || err.Error() != "" {
			t.Errorf("%s: an answer with a refusal ends with %#v", form, err)
		}
	}
}

func TestNew_AFormThatIsNoneIsAMisuse(t *testing.T) {
	var mistake *misuse.Error
	if _, err := answer.New("yaml", answer.Streams{}); !errors.As(err, &mistake) {
		t.Errorf("New(yaml) = %v, want a misuse", err)
	}
}

func TestTextAnswer_SaysHowLongItWaitsToAskAgain(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		200 * time.Millisecond:  "nfa: down; asking again\n",
		1700 * time.Millisecond: "nfa: down; asking again in 2s\n",
	} {
		var said strings.Builder
		a, err := answer.New(answer.Text, answer.Streams{Err: &said})
		if err != nil {
			t.Fatal(err)
		}
		a.Event(agent.Retrying{Err: errors.New("down"), Wait: wait})
		if said.String() != want {
			t.Errorf("of a wait of %s is said %q, want %q", wait, said.String(), want)
		}
	}
}

func TestWriter_ASummaryThatTheModelDidNotWriteIsAWarning(t *testing.T) {
	for _, form := range []string{answer.Text, answer.JSON, answer.StreamJSON} {
		for _, outline := range []bool{true, false} {
			var out strings.Builder
			w, err := answer.New(form, answer.Streams{Out: &out, Err: &out})
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

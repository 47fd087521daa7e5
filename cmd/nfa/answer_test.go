package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
)

func TestRemedy_EveryMeaningOfAnErrorHasItsOwn(t *testing.T) {
	said := map[string]llm.Kind{}
	for _, kind := range []llm.Kind{
		llm.KindAuth, llm.KindQuota, llm.KindRateLimit, llm.KindContextLength, llm.KindModelUnknown, llm.KindRefused,
		llm.KindBadRequest, llm.KindServer, llm.KindNetwork, llm.KindTimeout, llm.KindTruncated,
	} {
		err := &llm.Error{Kind: kind, Provider: "home", Message: "in its own words"}
		text := remedy(err)
		if other, taken := said[text]; text == "" || taken {
			t.Errorf("of %s the remedy is %q, which is that of %q", kind, text, other)
		}
		said[text] = kind
		if code := exitCode(context.Background(), err); code != exitProvider {
			t.Errorf("%s exits with %d, want %d", kind, code, exitProvider)
		}
	}
	if text := remedy(errors.New("another")); text != "" {
		t.Errorf("of an error of no model the remedy is %q", text)
	}
}

func TestTurnError_EveryReasonToStopShortIsSaid(t *testing.T) {
	said := map[string]agent.StopReason{}
	for _, reason := range []agent.StopReason{
		agent.StopCancelled, agent.StopStepLimit, agent.StopRepeatedCall, agent.StopTimeLimit, agent.StopCostLimit,
		agent.StopSessionSteps, agent.StopSessionTime, agent.StopSessionCost,
	} {
		err := turnError(agent.TurnDone{Reason: reason, Steps: 3}, nil)
		if err == nil {
			t.Errorf("nothing is said of %s", reason)
			continue
		}
		if other, taken := said[err.Error()]; taken {
			t.Errorf("%s and %s are both said as %q", reason, other, err)
		}
		said[err.Error()] = reason
		if code := exitOfTurn(reason); code == exitOK {
			t.Errorf("%s exits with %d", reason, code)
		}
	}
	if err := turnError(agent.TurnDone{Reason: agent.StopAnswered}, nil); err != nil {
		t.Errorf("an answer is said to be %v", err)
	}
}

func TestTextAnswer_SaysHowLongItWaitsToAskAgain(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		200 * time.Millisecond:  "nfa: down; asking again\n",
		1700 * time.Millisecond: "nfa: down; asking again in 2s\n",
	} {
		var said strings.Builder
		a := &textAnswer{err: &said}
		a.event(agent.Retrying{Err: errors.New("down"), Wait: wait})
		if said.String() != want {
			t.Errorf("of a wait of %s is said %q, want %q", wait, said.String(), want)
		}
	}
}

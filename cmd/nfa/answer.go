package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// answerWriter prints a turn as it happens, or its sum when it is done. decided
// may come from another goroutine than the rest.
type answerWriter interface {
	begin(session, model string)
	// pricedBy is told what tokens cost, before finish.
	pricedBy(cost func(llm.Usage) usageJSON)
	warning(text string)
	// decided is told what the policy said to a call that writes or executes.
	decided(a tool.Approval, answer tool.Answer)
	event(e agent.Event)
	// finish prints what is left and gives the error to exit with.
	finish(done agent.TurnDone, err error) error
}

func newAnswerWriter(form string, t terminal) (answerWriter, error) {
	switch form {
	case outputText:
		return &orderly{to: &textAnswer{out: t.out, err: t.err, live: isTerminal(t.out)}}, nil
	case outputJSON:
		return &orderly{to: &jsonAnswer{out: t.out}}, nil
	case outputStreamJSON:
		return &orderly{to: &streamAnswer{out: t.out}}, nil
	}
	return nil, usagef("--output %s: must be text, json or stream-json", form)
}

// orderly has one say at a time: calls that read are decided on side by side, and
// while the answer is being written.
type orderly struct {
	mu sync.Mutex
	to answerWriter
}

func (o *orderly) one(say func(answerWriter)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	say(o.to)
}

func (o *orderly) begin(session, model string) {
	o.one(func(to answerWriter) { to.begin(session, model) })
}

func (o *orderly) pricedBy(cost func(llm.Usage) usageJSON) {
	o.one(func(to answerWriter) { to.pricedBy(cost) })
}

func (o *orderly) warning(text string) { o.one(func(to answerWriter) { to.warning(text) }) }

func (o *orderly) decided(a tool.Approval, answer tool.Answer) {
	o.one(func(to answerWriter) { to.decided(a, answer) })
}

func (o *orderly) event(e agent.Event) { o.one(func(to answerWriter) { to.event(e) }) }

func (o *orderly) finish(done agent.TurnDone, err error) (exit error) {
	o.one(func(to answerWriter) { exit = to.finish(done, err) })
	return exit
}

// priced knows what tokens cost.
type priced struct{ cost func(llm.Usage) usageJSON }

func (p *priced) pricedBy(cost func(llm.Usage) usageJSON) { p.cost = cost }

// refusals counts calls that the policy refused: they decide the exit code.
type refusals struct {
	mu    sync.Mutex
	count int
}

func (r *refusals) decided(_ tool.Approval, answer tool.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !answer.Allowed {
		r.count++
	}
}

// exit is the error that a finished turn ends the program with.
func (r *refusals) exit(done agent.TurnDone, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	code := exitOfTurn(done.Reason)
	if code == exitOK && r.count > 0 {
		code = exitRefused
	}
	if code == exitOK {
		return nil
	}
	return &exitError{code, turnError(done, err)}
}

// turnError says in words why a turn stopped short, with what to do.
func turnError(done agent.TurnDone, err error) error {
	switch {
	case err != nil:
		return err
	case done.Reason == agent.StopStepLimit:
		return fmt.Errorf("stopped after %d steps; raise the limit with --max-steps", done.Steps)
	case done.Reason == agent.StopTimeLimit:
		return errors.New("stopped at the time limit; what came is kept in the session. Raise it with --timeout")
	case done.Reason == agent.StopCostLimit:
		return errors.New("stopped at the cost limit; raise it with --max-cost")
	case done.Reason == agent.StopSessionSteps:
		return errors.New("the session has met its limit of steps; raise max_session_steps in the settings, or start another session")
	case done.Reason == agent.StopSessionTime:
		return errors.New("the session has met its limit of time; what came is kept. Raise max_session_time in the settings, or start another session")
	case done.Reason == agent.StopSessionCost:
		return errors.New("the session has met its limit of cost; raise max_session_cost in the settings, or start another session")
	case done.Reason == agent.StopRepeatedCall:
		return errors.New("stopped: the model asked for the same call again and again")
	case done.Reason == agent.StopCancelled:
		return errors.New("interrupted; what came is kept in the session")
	default:
		return nil
	}
}

// remedy is what the user can do about a model's error, or "".
func remedy(err error) string {
	switch llm.KindOf(err) {
	case llm.KindAuth:
		return "check the key, which NFA_API_KEY, a provider's variable or nfa auth set gave: nfa doctor says which"
	case llm.KindQuota:
		return "the account is out of credit; top it up or use another model"
	case llm.KindRateLimit:
		return "wait a moment and ask again"
	case llm.KindContextLength:
		return "start a new conversation or ask for less"
	case llm.KindRefused:
		return "put the question differently, or use another model"
	case llm.KindBadRequest:
		return "check the model and its address with nfa doctor; a new conversation may help"
	case llm.KindModelUnknown:
		return "check the model's name in NFA_MODEL or --model"
	case llm.KindServer:
		return "ask again; if it lasts, use another model with --model, or --offline"
	case llm.KindNetwork:
		return "check the address in NFA_BASE_URL and the network, or use --offline"
	case llm.KindTimeout:
		return "ask again, or use --offline"
	case llm.KindTruncated:
		return "the answer is incomplete; ask again"
	}
	return ""
}

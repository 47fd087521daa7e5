package agent

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// ErrNestedSubsession means that a session which is itself a subsession started another.
var ErrNestedSubsession = errors.New("a session started by a skill cannot start another one")

// Subsession is the result of RunSubsession.
type Subsession struct {
	TurnDone
	// Numbers are the figures of the answer, traced to the sources of the session that made the call. Notes
	// are the figures that they are traced to; MatchedNumber.Note counts them from 1.
	Numbers []trace.MatchedNumber
	Notes   []tool.TracedFigure
	// Data is the private data that the calls may have returned.
	Data string
}

// RunSubsession runs one turn in a new session that is not saved, for the call that runs in ctx. The calls
// of the subsession pass the policy of the session that made the call and are steps of that call. The cost
// counts toward the limits of that session. Subsessions of one turn run one after the other.
func (a *Agent) RunSubsession(ctx context.Context, setup Setup, in Input) (Subsession, error) {
	all, _ := ctx.Value(subsessionsKey{}).(*subsessions)
	if all == nil {
		return Subsession{}, ErrNestedSubsession
	}
	all.running.Lock()
	defer all.running.Unlock()
	limits, err := all.remaining()
	if err != nil {
		return Subsession{}, err
	}
	cfg := a.cfg
	cfg.Setup = func() (Setup, error) { return setup, nil }
	cfg.Store, cfg.Limits = session.Discard{}, limits
	c := (&Agent{cfg}).Start()
	c.isSubsession, c.exposure = true, tool.ExposureOf(ctx)

	var out Subsession
	parent, observer := tool.ParentCall(ctx)
	steps := stepIDs{parent: parent.ID, numbers: map[string]string{}}
	// The model makes these calls, even if the user's command started the turn.
	for event, runErr := range c.Run(tool.WithAskedBy(ctx, ""), in) {
		switch e := event.(type) {
		case ToolStarted:
			e.Call.ID = steps.begin(e.Call.ID)
			if observer.Started != nil {
				observer.Started(e.Call)
			}
		case ToolFinished:
			o := e.Outcome
			o.Call.ID = steps.of(o.Call.ID)
			if data := o.Result.Data; data != tool.PublicData && out.Data == "" {
				out.Data = data
			}
			// The session that made the call has not loaded the skill.
			o.Result.Skill, o.Result.Fence, o.Result.Activates = "", nil, nil
			if observer.Finished != nil {
				observer.Finished(o)
			}
		case TurnDone:
			out.TurnDone, err = e, runErr
		}
	}
	all.charge(parent.ID, subsessionUse{c.UsageSummary().Turn, c.spent.usd})
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if trace := tool.TracerOf(ctx); trace != nil {
		out.Numbers, out.Notes = trace(out.Answer)
	}
	return out, err
}

// stepIDs numbers the calls of a subsession, because a server may use an ID more than once.
type stepIDs struct {
	parent  string
	numbers map[string]string // by the ID of the newest call
	last    int
}

func (s *stepIDs) begin(id string) string {
	if tool.StepName(id) == "" {
		delete(s.numbers, id)
	}
	return s.of(id)
}

// of returns the ID of a call, or of a step of one, in the parent session.
func (s *stepIDs) of(id string) string {
	call := tool.ParentCallID(id)
	if s.numbers[call] == "" {
		s.last++
		s.numbers[call] = strconv.Itoa(s.last)
	}
	return tool.StepID(s.parent, s.numbers[call]+strings.TrimPrefix(id, call))
}

// subsessions are the subsessions of a turn. A nil value allows none.
type subsessions struct {
	running sync.Mutex // held while one runs, so that calls that write do not run at the same time

	mu     sync.Mutex
	limits Limits // for all remaining ones together
	err    error  // why no further one may start
	used   map[string]subsessionUse
}

// subsessionUse is what a subsession used.
type subsessionUse struct {
	Usage
	estimatedUSD decimal.Decimal // CostUSD with what servers have not counted
}

type subsessionsKey struct{}

// withSubsessions lets the calls of a turn run subsessions, unless it is in one itself.
func (t *turn) withSubsessions(ctx context.Context) context.Context {
	if !t.isSubsession {
		t.subsessions = &subsessions{used: map[string]subsessionUse{}}
	}
	return context.WithValue(ctx, subsessionsKey{}, t.subsessions)
}

// remainingLimits returns what the session may still use in this turn, or an error if nothing.
func (t *turn) remainingLimits() (Limits, error) {
	left := t.cfg.Limits
	spent := decimal.Zero
	if cost := t.estimatedCost(); cost != nil {
		spent = *cost
	}
	left.SessionSteps -= t.spent.answers
	left.Cost, left.SessionCost = left.Cost.Sub(spent), left.SessionCost.Sub(t.spent.usd.Add(spent))
	return left.ofSubsession(t.cfg.Limits)
}

// ofSubsession returns the limits of a subsession. l is what is left of all, the limits of its session. It
// returns ErrLimitReached if a limit has been reached. A limit that is not set in all is not positive in l,
// so it is not set in the subsession either.
func (l Limits) ofSubsession(all Limits) (Limits, error) {
	if all.Cost.IsPositive() && !l.Cost.IsPositive() || all.SessionCost.IsPositive() && !l.SessionCost.IsPositive() || all.SessionSteps > 0 && l.SessionSteps <= 0 {
		return Limits{}, ErrLimitReached
	}
	return Limits{Steps: all.Steps, Cost: l.Cost, SessionCost: l.SessionCost, SessionSteps: l.SessionSteps}, nil
}

// allow sets what the next subsessions may use together.
func (s *subsessions) allow(limits Limits, err error) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits, s.err = limits, err
}

func (s *subsessions) remaining() (Limits, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limits, s.err
}

// charge records what the subsession of a call used.
func (s *subsessions) charge(call string, use subsessionUse) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[call] = use
	left := s.limits
	left.SessionSteps -= use.Answers
	left.Cost, left.SessionCost = left.Cost.Sub(use.estimatedUSD), left.SessionCost.Sub(use.estimatedUSD)
	if s.err == nil {
		s.limits, s.err = left.ofSubsession(s.limits)
	}
}

// usedBy returns what the subsession of a call used; zero if it had none.
func (s *subsessions) usedBy(call string) subsessionUse {
	if s == nil {
		return subsessionUse{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used[call]
}

// chargeSubsession adds what the subsession of a call used to the turn.
func (t *turn) chargeSubsession(call string) {
	use := t.subsessions.usedBy(call)
	if use.Answers == 0 {
		return
	}
	t.subsession.add(use.Usage)
	t.subsessionUSD = t.subsessionUSD.Add(use.estimatedUSD)
	t.spent.answers += use.Answers
	t.charge(use.Usage)
}

// describe adds the usage of a subsession to the entry of its call.
func (u subsessionUse) describe(d *Display) {
	if u.Answers == 0 {
		return
	}
	d.Answers, d.Usage = u.Answers, countedOrNil(u.Tokens)
	if !u.Unpriced {
		d.CostUSD = &u.CostUSD
	}
	if rest := u.estimatedUSD.Sub(u.CostUSD); rest.IsPositive() {
		d.UncountedUSD = &rest
	}
}

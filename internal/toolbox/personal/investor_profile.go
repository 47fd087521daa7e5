package personal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
)

const investorProfileDescription = `Gives what the user has said of themself as an investor, asks for the rest, and keeps their answers: nine factors (age, financial situation, tax status, objectives, experience, horizon, liquidity needs, risk tolerance, other investments) and limits that suggestions are held against.
Use it before any suggestion for this user, and when they tell you something of themself. action show (the standard) gives the answers, what is unknown, answers that contradict each other, and for each kind of suggestion whether advice may be personal: where personal is false, say its sentence and stay general.
action questions gives the next unanswered questions, two unless count says otherwise, with for only those that a suggestion of that kind rests on. Interview with them: ask one or two at a time in your own words, say why it is asked, accept "I'd rather not say", and never guess or suggest an answer.
action answer keeps what the user said: answers by the id of the question, in their words as far as they fit ("10 years", "60k EUR", "25 %", none). The user is asked first and sees each old and new answer. It gives contradictions back, and what is left. action clear forgets the answers of ids, or the whole profile.
Parts and rates are per cents of the whole portfolio with its cash, years are calendar years, sums have a currency. What is unknown stays unknown: take no standard for it.`

type investorProfileInput struct {
	Action  string         `json:"action,omitempty" jsonschema:"show (the standard), questions, answer or clear"`
	Answers map[string]any `json:"answers,omitempty" jsonschema:"with answer: what the user said by the id of the question, such as horizon: 10 years; an empty text makes it unknown again"`
	IDs     []string       `json:"ids,omitempty" jsonschema:"with clear: the questions whose answers to forget, all when left out; with questions: these questions, answered or not"`
	For     string         `json:"for,omitempty" jsonschema:"with questions: only what a suggestion of this kind rests on: rebalance, optimize or size"`
	Count   int            `json:"count,omitempty" jsonschema:"with questions: how many at most, 2 when left out"`
}

// UnmarshalJSON keeps numbers among the answers as they were written.
func (in *investorProfileInput) UnmarshalJSON(raw []byte) error {
	type plain investorProfileInput
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode((*plain)(in))
}

// profiles is the tool of the investor profile.
type profiles struct {
	Deps
	// saving keeps calls of one step from taking back each other's answers: the store
	// keeps a profile whole.
	saving sync.Mutex
}

func newInvestorProfile(d Deps) tool.Tool {
	p := &profiles{Deps: d}
	return act.New("investor_profile", investorProfileDescription, p.ready)
}

func (p *profiles) ready(ctx context.Context, in investorProfileInput) act.Act {
	if err := in.check(); err != nil {
		return act.Refusing(err)
	}
	switch in.Action {
	case "answer":
		return p.readyAnswer(ctx, in)
	case "clear":
		return p.readyClear(ctx, in)
	case "questions":
		return act.Reading(func(ctx context.Context) (tool.Result, error) { return p.questions(ctx, in) })
	}
	return act.Reading(p.show)
}

// check refuses what belongs to another action: it was meant to do something.
func (in investorProfileInput) check() error {
	switch {
	case !slices.Contains([]string{"", "show", "questions", "answer", "clear"}, in.Action):
		return act.Invalidf("action %.40q: give show, questions, answer or clear", in.Action)
	case in.Answers != nil && in.Action != "answer":
		return act.Invalidf(`answers are kept with action answer: {"action": "answer", "answers": {…}}`)
	case in.Action == "answer" && len(in.Answers) == 0:
		return act.Invalidf(`no answers; give them by the id of the question: {"action": "answer", "answers": {"horizon": "10 years"}}; action questions gives the ids`)
	case in.IDs != nil && in.Action != "clear" && in.Action != "questions":
		return act.Invalidf("ids belong to action clear or questions")
	case (in.For != "" || in.Count != 0) && in.Action != "questions":
		return act.Invalidf("for and count belong to action questions")
	case in.For != "" && !slices.Contains(investor.SuggestionKinds(), investor.SuggestionKind(in.For)):
		return act.Invalidf("for %.40q: give rebalance, optimize or size", in.For)
	case in.For != "" && in.IDs != nil:
		return act.Invalidf("give either for or ids")
	case in.Count < 0:
		return act.Invalidf("count is above zero")
	}
	return nil
}

// known is a profile as of the clock.
type known struct {
	investor.Profile
	saved bool
	// later tells that a profile was saved only after the clock, which is not shown.
	later bool
}

// load reads the profile. One that was saved after the clock was not known then.
func (d Deps) load(ctx context.Context) (known, error) {
	profile, saved, err := d.Investor.Profile(ctx)
	switch {
	case errors.Is(err, investor.ErrNewer):
		return known{}, act.Invalid(err)
	case errors.Is(err, investor.ErrDocument) && d.HideAmounts:
		// What is wrong with an answer is said with the answer.
		return known{}, act.Invalidf("%w: nfa profile says why", investor.ErrDocument)
	case errors.Is(err, investor.ErrDocument):
		return known{}, act.Invalid(err)
	case err != nil:
		return known{}, fmt.Errorf("loading the investor profile: %w", err)
	case saved && d.Replay && !d.Known(profile.UpdatedAt):
		return known{later: true}, nil
	}
	return known{Profile: profile, saved: saved}, nil
}

func (d Deps) interview() investor.Interview { return investor.NewInterview(d.Today()) }

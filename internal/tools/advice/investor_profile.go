package advice

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
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
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

// profileTool is the tool of the investor profile.
type profileTool struct {
	ProfileDeps
	// saving keeps calls of one step from taking back each other's answers: the store
	// keeps a profile whole.
	saving sync.Mutex
}

func newInvestorProfile(d ProfileDeps) tool.Tool {
	p := &profileTool{ProfileDeps: d}
	return toolkit.NewMutationTool("investor_profile", investorProfileDescription, p.plan)
}

func (p *profileTool) plan(ctx context.Context, in investorProfileInput) toolkit.MutationPlan {
	if err := in.check(); err != nil {
		return toolkit.RefusedPlan(err)
	}
	switch in.Action {
	case "answer":
		return p.planAnswer(ctx, in)
	case "clear":
		return p.planClear(ctx, in)
	case "questions":
		return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return p.questionsResult(ctx, in) })
	}
	return toolkit.ReadOnlyPlan(p.showResult)
}

// check refuses what belongs to another action: it was meant to do something.
func (in investorProfileInput) check() error {
	switch {
	case !slices.Contains([]string{"", "show", "questions", "answer", "clear"}, in.Action):
		return toolkit.InvalidArgsf("action %.40q: give show, questions, answer or clear", in.Action)
	case in.Answers != nil && in.Action != "answer":
		return toolkit.InvalidArgsf(`answers are kept with action answer: {"action": "answer", "answers": {…}}`)
	case in.Action == "answer" && len(in.Answers) == 0:
		return toolkit.InvalidArgsf(`no answers; give them by the id of the question: {"action": "answer", "answers": {"horizon": "10 years"}}; action questions gives the ids`)
	case in.IDs != nil && in.Action != "clear" && in.Action != "questions":
		return toolkit.InvalidArgsf("ids belong to action clear or questions")
	case (in.For != "" || in.Count != 0) && in.Action != "questions":
		return toolkit.InvalidArgsf("for and count belong to action questions")
	case in.For != "" && !slices.Contains(investor.SuggestionKinds(), investor.SuggestionKind(in.For)):
		return toolkit.InvalidArgsf("for %.40q: give rebalance, optimize or size", in.For)
	case in.For != "" && in.IDs != nil:
		return toolkit.InvalidArgsf("give either for or ids")
	case in.Count < 0:
		return toolkit.InvalidArgsf("count is above zero")
	}
	return nil
}

// loadedProfile is a profile as of the clock.
type loadedProfile struct {
	investor.Profile
	saved bool
	// savedLater tells that a profile was saved only after the clock, which is not shown.
	savedLater bool
}

// load reads the profile. One that was saved after the clock was not known then.
func (d ProfileDeps) load(ctx context.Context) (loadedProfile, error) {
	profile, saved, err := d.Investor.Profile(ctx)
	switch {
	case errors.Is(err, investor.ErrNewerVersion):
		return loadedProfile{}, toolkit.InvalidArgs(err)
	case errors.Is(err, investor.ErrInvalidDocument) && d.HideAmounts:
		// What is wrong with an answer is said with the answer.
		return loadedProfile{}, toolkit.InvalidArgsf("%w: nfa profile says why", investor.ErrInvalidDocument)
	case errors.Is(err, investor.ErrInvalidDocument):
		return loadedProfile{}, toolkit.InvalidArgs(err)
	case err != nil:
		return loadedProfile{}, fmt.Errorf("loading the investor profile: %w", err)
	case saved && d.Replay && !d.Known(profile.UpdatedAt):
		return loadedProfile{savedLater: true}, nil
	}
	return loadedProfile{Profile: profile, saved: saved}, nil
}

func (d ProfileDeps) interview() investor.Interview { return investor.NewInterview(d.Today()) }

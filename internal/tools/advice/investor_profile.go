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

const investorProfileDescription = `The user's investor profile: answers, open questions, contradictions, and whether advice may be personal. Use before any suggestion and when users describe themselves. If personal is false, stay general. Ask one or two questions at a time; never guess answers.`

const investorProfileDetails = `The profile has nine factors (age, financial situation, tax status, objectives, experience, horizon, liquidity needs, risk tolerance, other investments) and limits that suggestions are checked against.
show returns the answers, unknown answers, contradictions, and for each kind of suggestion whether advice may be personal, with the sentence to say if not.
questions returns the next unanswered questions (default 2). for limits them to a kind of suggestion; ids names questions, answered or not. In an interview, ask in your own words, say why, and accept "I'd rather not say".
answer saves what the user said by question id, in their words where possible ("10 years", "60k EUR", "25%", none); an empty text makes it unknown again. The confirmation shows each old and new answer. The result has contradictions and unanswered questions. clear removes the answers of ids, or the whole profile.
Shares and rates are in percent of the total portfolio including cash, years are calendar years, amounts have a currency. An unknown answer has no default.`

const investorProfileKeywords = "profile investor risk tolerance appetite horizon age income goals objectives experience suitability questionnaire limits about me personal conservative aggressive 风险 偏好 风险承受 投资者 画像 年龄 收入 期限 问卷"

var investorProfilePhrasings = []string{
	"what do you have in my investor profile",
	"I am <num> years old and retire in <num> years",
	"ask me about my risk tolerance",
	"I am a conservative investor",
	"never put more than <pct> into one stock",
	"forget what I told you about myself",
	"我的风险偏好是什么",
	"我今年<num>岁，风险承受能力低",
}

type investorProfileInput struct {
	Action  string         `json:"action,omitempty" jsonschema:"show, questions, answer or clear. Default show."`
	Answers map[string]any `json:"answers,omitempty" jsonschema:"For answer, by question id: {\"horizon\": \"10 years\"}."`
	IDs     []string       `json:"ids,omitempty" arg:"rare" jsonschema:"For clear and questions: question ids. Default: all."`
	For     string         `json:"for,omitempty" arg:"rare" jsonschema:"For questions: rebalance, optimize or size."`
	Count   int            `json:"count,omitempty" arg:"rare" jsonschema:"For questions: how many. Default 2."`
}

// UnmarshalJSON keeps the original digits of numeric answers.
func (in *investorProfileInput) UnmarshalJSON(raw []byte) error {
	type plain investorProfileInput
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode((*plain)(in))
}

// profileTool is the investor profile tool.
type profileTool struct {
	ProfileDeps
	// saving serializes writes, because the store saves the whole profile and parallel calls would
	// overwrite each other's answers.
	saving sync.Mutex
}

func newInvestorProfile(d ProfileDeps) tool.Tool {
	p := &profileTool{ProfileDeps: d}
	return toolkit.NewMutationTool("investor_profile", investorProfileDescription, tool.Reads, p.plan).Asks("Change your investor profile?").WithDetails(investorProfileDetails).Find("ledger", investorProfileKeywords, investorProfilePhrasings...)
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

// check rejects fields that belong to another action, because the caller expects them to have an
// effect.
func (in investorProfileInput) check() error {
	switch {
	case !slices.Contains([]string{"", "show", "questions", "answer", "clear"}, in.Action):
		return toolkit.InvalidArgsf("unknown action %.40q; use show, questions, answer or clear", in.Action)
	case in.Answers != nil && in.Action != "answer":
		return toolkit.InvalidArgsf(`to save answers, use action answer: {"action": "answer", "answers": {…}}`)
	case in.Action == "answer" && len(in.Answers) == 0:
		return toolkit.InvalidArgsf(`answers is required, by question id: {"action": "answer", "answers": {"horizon": "10 years"}}; find ids with action questions`)
	case in.IDs != nil && in.Action != "clear" && in.Action != "questions":
		return toolkit.InvalidArgsf("ids is only for actions clear and questions")
	case (in.For != "" || in.Count != 0) && in.Action != "questions":
		return toolkit.InvalidArgsf("for and count are only for action questions")
	case in.For != "" && !slices.Contains(investor.SuggestionKinds(), investor.SuggestionKind(in.For)):
		return toolkit.InvalidArgsf("for: unknown value %.40q; use rebalance, optimize or size", in.For)
	case in.For != "" && in.IDs != nil:
		return toolkit.InvalidArgsf("use either for or ids, not both")
	case in.Count < 0:
		return toolkit.InvalidArgsf("count must be above zero")
	}
	return nil
}

// loadedProfile is a profile as of the clock.
type loadedProfile struct {
	investor.Profile
	// savedLater is true if a profile exists but was saved after the clock.
	savedLater bool
}

// load reads the profile. One saved after the clock is treated as missing.
func (d ProfileDeps) load(ctx context.Context) (loadedProfile, error) {
	profile, saved, err := d.Investor.Profile(ctx)
	switch {
	case errors.Is(err, investor.ErrNewerVersion):
		return loadedProfile{}, toolkit.InvalidArgs(err)
	case errors.Is(err, investor.ErrInvalidDocument):
		// The error quotes the invalid answer.
		return loadedProfile{}, toolkit.InvalidArgs(toolkit.RedactError(err, investor.ErrInvalidDocument.Error()+"; for details run nfa profile"))
	case err != nil:
		return loadedProfile{}, fmt.Errorf("load investor profile: %w", err)
	case saved && d.Replay && !d.Known(profile.UpdatedAt):
		return loadedProfile{savedLater: true}, nil
	}
	return loadedProfile{Profile: profile}, nil
}

func (d ProfileDeps) interview() investor.Interview { return investor.NewInterview(d.Today()) }

// ProfileDeps holds the investor profile, the watchlist and the price sources.
type ProfileDeps struct {
	toolkit.LatestPrices
	// Investor stores the profile. If nil, there is no profile tool.
	Investor investor.ProfileStore
	// Watchlist stores the watched symbols. If nil, there is no watchlist tool.
	Watchlist investor.Watchlist
	// SyncTargets makes the alert rules of a symbol follow its target prices; nil has no rules.
	SyncTargets func(ctx context.Context, before, after investor.WatchedSymbol) error
}

// ProfileTools returns the tools that read and change the profile and the watchlist.
func ProfileTools(d ProfileDeps) []tool.Tool {
	var tools []tool.Tool
	if d.Investor != nil {
		tools = append(tools, newInvestorProfile(d))
	}
	if d.Watchlist != nil {
		tools = append(tools, newWatchlist(d))
	}
	return tools
}

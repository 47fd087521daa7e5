package advice_test

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestInvestorProfile_OfNobodyIsUnknownAndAdviceGeneral(t *testing.T) {
	w := newProfileFixture(t)
	res, got := w.mustCall(t, "investor_profile", args{})
	toolstest.WantFields(t, got, map[string]any{"known": false, "advice_may_be_personal": false, "risk_tolerance": nil, "inconsistencies": []any{}})
	if n := len(got["unknown_factors"].([]any)); n != 10 {
		t.Errorf("%d unknown factors, want the nine and the limits", n)
	}
	if factors := got["factors"].([]any); factors[len(factors)-1].(map[string]any)["factor"] != "limits" {
		t.Errorf("factors = %v, want the limits last", factors)
	}
	toolstest.WantParts(t, "text", res.UserText(), "Not answered: birth_year, income,", "nfa profile edit", "general information, not personal advice")
	if len(w.Approvals) != 0 || len(res.Figures) != 0 {
		t.Errorf("asked %d times, %d figures; want none of both", len(w.Approvals), len(res.Figures))
	}
}

func TestInvestorProfile_QuestionsComeInOrderAFewAtATime(t *testing.T) {
	w := newProfileFixture(t)
	ids := func(in args) (ids []string, left any) {
		_, got := w.mustCall(t, "investor_profile", in)
		for _, q := range got["questions"].([]any) {
			ids = append(ids, q.(map[string]any)["id"].(string))
		}
		return ids, got["left"]
	}
	got, left := ids(args{"action": "questions"})
	if diff := cmp.Diff([]string{"birth_year", "base_currency"}, got); diff != "" || left != 27.0 {
		t.Errorf("first questions (-want +got), %v left:\n%s", left, diff)
	}
	answer(t, w, args{"birth_year": 1985})
	got, left = ids(args{"action": "questions", "count": 1})
	if diff := cmp.Diff([]string{"base_currency"}, got); diff != "" || left != 26.0 {
		t.Errorf("after an answer (-want +got), %v left:\n%s", left, diff)
	}
	got, left = ids(args{"action": "questions", "for": "size", "count": 9})
	if diff := cmp.Diff([]string{"liquid_assets", "liquidity_needs", "loss_capacity", "largest_holding"}, got); diff != "" || left != 4.0 {
		t.Errorf("for size (-want +got), %v left:\n%s", left, diff)
	}
	got, _ = ids(args{"action": "questions", "ids": []string{"risk_news", "birth_year", "horizon"}})
	if diff := cmp.Diff([]string{"risk_news", "birth_year", "horizon"}, got); diff != "" {
		t.Errorf("named ones (-want +got):\n%s", diff)
	}
	res, _ := w.mustCall(t, "investor_profile", args{"action": "questions", "ids": []string{"risk_fall"}})
	toolstest.WantParts(t, "text", res.UserText(), "`sell_all`: sell all of it", "Your reaction to the last large loss")
}

func TestInvestorProfile_AnswersAreAskedForLineByLineAndKept(t *testing.T) {
	w := newProfileFixture(t)
	answer(t, w, args{"horizon": "10 years", "loss_capacity": "30%", "objectives": []string{"retirement, 2050", "home, 2030, 80000 EUR"}})
	if diff := cmp.Diff([]string{
		"objectives: retirement, 2050; home, 2030, 80000 EUR (was unknown)",
		`horizon: 2034, from "10 years" (was unknown)`,
		"loss_capacity: 30% (was unknown)",
	}, w.Approvals[0].Plan); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if a := w.Approvals[0]; a.Effect != tool.Writes || a.Question != "Change your investor profile?" {
		t.Errorf("asked %q, which %s; want a change", a.Question, a.Effect)
	}
	res, got := answer(t, w, args{"horizon": "", "income": "60k EUR"})
	toolstest.WantParts(t, "plan", w.Plan(t), "income: 60000 EUR, from \"60k EUR\" (was unknown)", "horizon: unknown (was 2034)")
	toolstest.WantFields(t, got, map[string]any{"left": 24.0, "as_of": fridayEvening, "source": "investor profile, answered by the user"})
	toolstest.WantParts(t, "text", res.UserText(), "| horizon | unknown | 2034 |")
	p, ok, err := w.Profile(t.Context())
	if !ok || err != nil || p.HorizonYear != 0 || p.Finances.Income.String() != "60000 EUR" || len(p.Objectives) != 2 || !p.UpdatedAt.Equal(w.Now()) {
		t.Errorf("profile = %+v, %v, %v", p, ok, err)
	}
}

func TestInvestorProfile_RefusedChangesNothing(t *testing.T) {
	w := newProfileFixture(t)
	w.Allow = false
	res := w.call(t, "investor_profile", args{"action": "answer", "answers": args{"horizon": "10 years"}})
	toolstest.WantError(t, res, tool.CodeRefused, "refused")
	if w.Saves != 0 {
		t.Errorf("saved %d times after a refusal", w.Saves)
	}
}

func TestInvestorProfile_WhatCannotBeIsNotAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		in   args
		says string
	}{
		"no such action":       {args{"action": "delete"}, "show, questions, answer or clear"},
		"no such question":     {args{"action": "answer", "answers": args{"horizont": "10 years"}}, "did you mean horizon?"},
		"no such one to clear": {args{"action": "clear", "ids": []string{"agee"}}, "unknown question"},
		"no such one to ask":   {args{"action": "questions", "ids": []string{"hello"}}, "unknown question"},
		"no answers":           {args{"action": "answer"}, "by question id"},
		"answers to nothing":   {args{"answers": args{"horizon": "10 years"}}, `"action": "answer"`},
		"a horizon of before":  {args{"action": "answer", "answers": args{"horizon": "1990"}}, "the year is in the past"},
		"half of them fits":    {args{"action": "answer", "answers": args{"birth_year": 1985, "income": "much"}}, "such as 80000 EUR"},
		"not text":             {args{"action": "answer", "answers": args{"income": args{"sum": 5}}}, "as text"},
		"a list of numbers":    {args{"action": "answer", "answers": args{"objectives": []int{5}}}, "separated by semicolons"},
		"an unclear fraction":  {args{"action": "answer", "answers": args{"loss_capacity": 0.3}}, "write 0.3% or 30%"},
		"no such suggestion":   {args{"action": "questions", "for": "sell"}, "rebalance, optimize or size"},
		"two of one":           {args{"action": "questions", "for": "size", "ids": []string{"horizon"}}, "not both"},
		"ids to show":          {args{"ids": []string{"horizon"}}, "clear and questions"},
		"count to show":        {args{"count": 3}, "questions"},
		"below zero":           {args{"action": "questions", "count": -1}, "above zero"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newProfileFixture(t)
			toolstest.WantError(t, w.call(t, "investor_profile", c.in), tool.CodeValidation, c.says)
			if len(w.Approvals) != 0 || w.Saves != 0 {
				t.Errorf("asked %d times, saved %d times", len(w.Approvals), w.Saves)
			}
		})
	}
}

func TestInvestorProfile_AnApprovalForTheSessionHoldsForWhatIsUnknownAlone(t *testing.T) {
	w := newProfileFixture(t)
	router := w.router(t, tool.Session)
	for i, c := range []struct {
		in    args
		asked int
	}{
		{args{"action": "answer", "answers": args{"birth_year": "1985"}}, 1},
		{args{"action": "answer", "answers": args{"loss_capacity": "10 %"}}, 1},
		{args{"action": "answer", "answers": args{"loss_capacity": "90 %"}}, 2}, // replaces an answer
		{args{"action": "answer", "answers": args{"loss_capacity": "90 %"}}, 2}, // nothing new
		{args{"action": "clear", "ids": []string{"loss_capacity"}}, 3},
		{args{"action": "clear"}, 4},
	} {
		if res := toolstest.CallRouter(t, router, "investor_profile", c.in); res.IsError || len(w.Approvals) != c.asked {
			t.Fatalf("call %d: %s, asked %d times in all, want %d", i, res.ErrorText(), len(w.Approvals), c.asked)
		}
	}
	if p, _, err := w.Profile(t.Context()); err != nil || len(p.Answers()) != 0 {
		t.Errorf("after clear = %v, %v; want nothing", p.Answers(), err)
	}
}

func TestInvestorProfile_ContradictionsAreSaidAtOnce(t *testing.T) {
	w := newProfileFixture(t)
	_, got := answer(t, w, args{"liquid_assets": "10000 EUR", "liquidity_needs": "30000 EUR, 2027, roof"})
	found := got["inconsistencies"].([]any)
	if len(found) != 1 || !strings.Contains(found[0].(map[string]any)["says"].(string), "30000 EUR but have 10000 EUR") {
		t.Errorf("inconsistencies = %v", found)
	}
	if !strings.Contains(got["next"].(string), "contradict each other") {
		t.Errorf("next = %v", got["next"])
	}
}

func TestInvestorProfile_FiguresHaveTheirSourceAndFormula(t *testing.T) {
	w := newProfileFixture(t)
	answer(t, w, completeAnswers())
	res, got := w.mustCall(t, "investor_profile", args{})
	toolstest.WantParts(t, "text", res.UserText(), "| risk tolerance, medium | 53 of 100 |", "| years until the horizon | 24 |", "| advice may be personal | yes |",
		"| financial situation | income | 60,000.00 EUR |", "| limits | class_limits | equity min 40.0% max 70.0% |", "- rebalance, optimize, size: This is based on your profile")
	if want := "27 of 27 questions answered, risk tolerance medium (53 of 100); advice may be personal."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	score := toolstest.Figure(t, res, "risk_tolerance.score")
	// wait, moderate, quarter, loss, fine count 2 + 1 + 2 + 1 + 2 = 8 of 15: 53.
	if !score.Value.Equal(toolstest.MustDecimal("53")) || score.Label != "risk tolerance, medium" || len(score.Inputs) != 5 || score.Formula == "" {
		t.Errorf("risk tolerance = %+v, want 53 of five answers", score)
	}
	if age := toolstest.Figure(t, res, "age_this_year"); !age.Value.Equal(toolstest.MustDecimal("39")) || len(age.Inputs) != 2 {
		t.Errorf("age = %+v, want 39 = 2024 - 1985", age)
	}
	for id, want := range map[string]string{
		"income": "60000 EUR", "loss_capacity": "35 %", "objectives.0.amount": "600000 EUR", "objectives.0.year": "2050 year",
		"liquidity_needs.0": "30000 EUR", "other_investments.0": "300000 EUR", "class_limits.equity.max": "70 %", "cash_minimum": "10000 EUR",
		"horizon_years": "24 years", "tax_short_gains": "26.375 %",
	} {
		f := toolstest.Figure(t, res, id)
		if f.Value.String()+" "+f.Unit != want || !f.AsOf.Equal(w.Now()) || f.Source == "" {
			t.Errorf("%s = %s %s as of %s, want %s", id, f.Value, f.Unit, f.AsOf, want)
		}
	}
	toolstest.WantFields(t, got, map[string]any{"advice_may_be_personal": true, "unknown_factors": []any{}, "risk_tolerance": map[string]any{"score": "53", "level": "medium"}})
}

func TestInvestorProfile_AReplayKnowsNothingOfLater(t *testing.T) {
	w := newProfileFixture(t)
	answer(t, w, args{"birth_year": "1985"})
	w.Now, w.Replay = toolstest.Clock(t, "2024-06-25T20:00:00Z"), true
	res, got := w.mustCall(t, "investor_profile", args{})
	if got["known"] != false || strings.Contains(res.UserText()+res.ModelText(), "1985") || !strings.Contains(got["next"].(string), "after the --as-of date") {
		t.Errorf("before it was saved = %s", res.ModelText())
	}
	toolstest.WantError(t, w.call(t, "investor_profile", args{"action": "answer", "answers": args{"birth_year": "1990"}}), tool.CodeValidation, "--as-of sets the date")
	w.Now = toolstest.Clock(t, fridayEvening)
	if _, got = w.mustCall(t, "investor_profile", args{}); got["known"] != true {
		t.Errorf("on the day that it was saved known = %v", got["known"])
	}
}

// Only the answers that were shown to the user are saved.
func TestInvestorProfile_AProfileThatChangedMeanwhileIsLeftAlone(t *testing.T) {
	w := newProfileFixture(t)
	answer(t, w, args{"horizon": "2040"})
	change := func(_ []tool.Approval) {
		var p investor.Profile
		if err := investor.NewInterview(w.Now()).Set(&p, "horizon", "2050"); err != nil {
			t.Fatal(err)
		}
		if err := w.SaveProfile(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	w.BeforeAnswer = change
	router := w.router(t, tool.Once)
	res := toolstest.CallRouter(t, router, "investor_profile", args{"action": "answer", "answers": args{"horizon": "2045"}})
	toolstest.WantError(t, res, tool.CodeValidation, "horizon has changed since")
	res = toolstest.CallRouter(t, router, "investor_profile", args{"action": "answer", "answers": args{"birth_year": "1985"}})
	p, _, err := w.Profile(t.Context())
	if res.IsError || err != nil || p.HorizonYear != 2050 || p.BirthYear != 1985 {
		t.Errorf("another answer = %s; profile %+v, want 1985 beside 2050", res.ErrorText(), p)
	}
}

func TestInvestorProfile_CallsOfOneStepKeepEachOthersAnswers(t *testing.T) {
	w := newProfileFixture(t)
	router := w.router(t, tool.Once)
	w.AfterLoad = func() {
		for range 1000 { // let the others load the same profile
			runtime.Gosched()
		}
	}
	var calls []llm.ToolCall
	for i, one := range []string{`"birth_year": 1985`, `"experience": "some"`, `"horizon": "24 years"`, `"income": "60k EUR"`} {
		calls = append(calls, llm.ToolCall{ID: strconv.Itoa(i), Name: "investor_profile", Arguments: `{"action": "answer", "answers": {` + one + `}}`})
	}
	outcomes, err := router.Dispatch(t.Context(), calls, tool.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Result.IsError {
			t.Errorf("%s = %s", o.Call.Arguments, o.Result.ErrorText())
		}
	}
	p, _, err := w.Profile(t.Context())
	if err != nil || len(p.Answers()) != 4 {
		t.Errorf("kept %v, %v; want four answers", p.Answers(), err)
	}
}

func TestInvestorProfile_WhatANewerProgramWroteIsNotTouched(t *testing.T) {
	w := newProfileFixture(t)
	w.ProfileJSON = []byte(`{"version": 9}`)
	toolstest.WantError(t, w.call(t, "investor_profile", args{}), tool.CodeValidation, "update nfa")
	w.ProfileJSON = []byte(`{"version": 1, "colour": "blue"}`)
	toolstest.WantError(t, w.call(t, "investor_profile", args{"action": "clear"}), tool.CodeValidation, "colour")
	w.Err = errors.New("disk is gone")
	if out := w.call(t, "investor_profile", args{}); !out.IsError || !strings.Contains(out.ErrorText(), "load investor profile: disk is gone") {
		t.Errorf("without a disk = %s", out.ErrorText())
	}
}

// completeAnswers answers every question.
func completeAnswers() args {
	return args{
		"birth_year": "1985", "base_currency": "eur", "income": "60k EUR", "net_worth": "250 000 EUR", "liquid_assets": "40'000.50 eur",
		"tax_country": "de", "tax_jurisdiction": "us", "tax_short_gains": "26.375 %", "tax_long_gains": "0", "tax_income": "26.4 %",
		"objectives": "retirement, 2050, 600000 EUR", "experience": "some", "horizon": "24 years", "liquidity_needs": "30000 EUR, 2027-06, new roof",
		"risk_fall": "wait", "risk_range": "moderate", "risk_loss": "quarter", "risk_regret": "loss", "risk_news": "fine",
		"other_investments": "apartment, 300000 EUR; state pension", "loss_capacity": "35 %", "largest_holding": "10",
		"class_limits": "equity min 40 % max 70 %", "cash_minimum": "10000 EUR", "cash_minimum_part": "5 %", "excluded_symbols": "mo; PM", "excluded_classes": "none",
	}
}

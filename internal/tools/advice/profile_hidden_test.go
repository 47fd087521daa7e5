package advice_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// profileCanary is in every amount and in the user's own words.
const profileCanary = "77777"

// canaryArgs returns answers with the canary in every amount. Their amounts contradict each
// other.
func canaryArgs() args {
	in := completeAnswers()
	for id, text := range map[string]string{
		"income": "77777 EUR", "net_worth": "77777.7 EUR", "liquid_assets": "77777 EUR", "cash_minimum": "77777 EUR",
		"objectives": "retirement, 2050, 77777 EUR, that is 77777 in all", "other_investments": "flat for 77777, 77777 EUR; pension of 77777 CHF",
		"liquidity_needs": "777770 EUR, 2027-06, new roof for 777'770",
	} {
		in[id] = text
	}
	return in
}

// modelOutput returns everything of a result that a model may read, with all digits joined.
func modelOutput(res tool.Result) string {
	return strings.NewReplacer("'", "", ",", "").Replace(toolstest.ModelOutput(res))
}

func TestInvestorProfile_HiddenAmountsReachNoModel(t *testing.T) {
	w := newProfileFixture(t)
	w.HideFromModel = true
	kept, value := answer(t, w, canaryArgs())
	toolstest.WantParts(t, "plan", w.Plan(t), "income: 77777 EUR (was unknown)")
	again, _ := answer(t, w, args{"income": "77777.5 EUR", "other_investments": "none"})
	shown, whole := w.mustCall(t, "investor_profile", args{})
	requests, _ := w.mustCall(t, "investor_profile", args{"action": "questions"})
	for name, res := range map[string]tool.Result{"answer": kept, "answer again": again, "show": shown, "questions": requests} {
		if output := modelOutput(res); strings.Contains(output, profileCanary) {
			t.Errorf("%s tells a model of %s:\n%s", name, profileCanary, output)
		}
	}
	toolstest.WantParts(t, "what a model reads", shown.ModelText(), "hidden from you by the user's setting share_amounts", `"answer":"35%"`, `"answer":"2048"`,
		`"retirement, 2050, (hidden), that is (hidden) in all"`, `"(hidden), 2027-06-01, new roof for (hidden)"`, "liquid_assets and liquidity_needs contradict each other",
		"because answers in your profile contradict each other.")
	for what, text := range map[string]string{"text": shown.UserText(), "value": toolstest.JSON(t, whole), "text of answer": kept.ForUser, "value of answer": toolstest.JSON(t, value)} {
		toolstest.WantParts(t, what, text, profileCanary)
	}
	toolstest.Figure(t, shown, "loss_capacity")
}

func TestInvestorProfile_AnErrorRepeatsNoHiddenSum(t *testing.T) {
	w := newProfileFixture(t)
	w.HideFromModel = true
	for _, answers := range []args{{"income": "77777"}, {"objectives": "77777 EUR"}, {"liquidity_needs": "roof 77777"}, {"cash_minimum": 77777}} {
		res := w.call(t, "investor_profile", args{"action": "answer", "answers": answers})
		toolstest.WantError(t, res, tool.CodeValidation, "invalid answer")
		if output := modelOutput(res); strings.Contains(output, profileCanary) || !strings.Contains(output, "; for example: ") {
			t.Errorf("%v = %s; want an example and not the sum", answers, output)
		}
	}
	w.ProfileJSON = []byte(`{"version": 1, "finances": {"income": {"amount": "5", "currency": "77777"}}}`)
	if res := w.call(t, "investor_profile", args{}); !res.IsError || strings.Contains(modelOutput(res), profileCanary) {
		t.Errorf("a damaged profile = %s", res.ErrorText())
	}
}

func TestWatchlist_HiddenAmountsStandInNoWordsOfTheUser(t *testing.T) {
	w := newProfileFixture(t)
	w.HideFromModel = true
	res, _ := w.mustCall(t, "watchlist", args{"action": "add", "symbol": "VTI", "note": "have 77777 shares, 12.5% of all", "below": 99})
	if output := modelOutput(res); strings.Contains(output, profileCanary) {
		t.Errorf("a model is told of %s:\n%s", profileCanary, output)
	}
	toolstest.WantParts(t, "what a model reads", res.ModelText(), "hidden from you", "have (hidden) shares, 12.5% of all", `"price":"99"`)
	toolstest.WantParts(t, "what the user reads", res.UserText(), profileCanary)
}

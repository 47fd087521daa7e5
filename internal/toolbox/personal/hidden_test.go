package personal_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// canary stands in every sum and in the user's own words.
const canary = "77777"

// canaried is a profile with the canary wherever a sum can stand, and answers that
// contradict each other by their sums.
func canaried() args {
	in := complete()
	for id, text := range map[string]string{
		"income": "77777 EUR", "net_worth": "77777.7 EUR", "liquid_assets": "77777 EUR", "cash_minimum": "77777 EUR",
		"objectives": "retirement, 2050, 77777 EUR, that is 77777 in all", "other_investments": "flat for 77777, 77777 EUR; pension of 77777 CHF",
		"liquidity_needs": "777770 EUR, 2027-06, new roof for 777'770",
	} {
		in[id] = text
	}
	return in
}

// toldToModel is all of a result that a model may come to read, its digits together.
func toldToModel(res tool.Result) string {
	return strings.NewReplacer("'", "", ",", "").Replace(toolboxtest.Told(res))
}

func TestInvestorProfile_HiddenAmountsReachNoModel(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	kept, value := answer(t, w, canaried())
	toolboxtest.WantParts(t, "plan", w.Plan(t), "income: 77777 EUR (was unknown)")
	again, _ := answer(t, w, args{"income": "77777.5 EUR", "other_investments": "none"})
	shown, whole := w.done(t, "investor_profile", args{})
	asked, _ := w.done(t, "investor_profile", args{"action": "questions"})
	for name, res := range map[string]tool.Result{"answer": kept, "answer again": again, "show": shown, "questions": asked} {
		if said := toldToModel(res); strings.Contains(said, canary) {
			t.Errorf("%s tells a model of %s:\n%s", name, canary, said)
		}
	}
	toolboxtest.WantParts(t, "what a model reads", shown.ModelText(), "hidden from you by the user's setting share_amounts", `"answer":"35 %"`, `"answer":"2048"`,
		`"retirement, 2050, (hidden), that is (hidden) in all"`, `"(hidden), 2027-06-01, new roof for (hidden)"`, "liquid_assets and liquidity_needs do not go together",
		"because answers in your profile contradict each other.")
	for what, text := range map[string]string{"text": shown.ForUser, "value": encoded(t, whole), "text of answer": kept.ForUser, "value of answer": encoded(t, value)} {
		toolboxtest.WantParts(t, what, text, canary)
	}
	toolboxtest.Figure(t, shown, "profile.loss_capacity")
}

func TestInvestorProfile_AnErrorRepeatsNoHiddenSum(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	for _, answers := range []args{{"income": "77777"}, {"objectives": "77777 EUR"}, {"liquidity_needs": "roof 77777"}, {"cash_minimum": 77777}} {
		res := w.ask(t, "investor_profile", args{"action": "answer", "answers": answers})
		toolboxtest.WantError(t, res, tool.CodeValidation, "it looks like this")
		if strings.Contains(toldToModel(res), canary) {
			t.Errorf("%v = %s, which repeats the sum", answers, res.ErrorText())
		}
	}
	w.profile = []byte(`{"version": 1, "finances": {"income": {"amount": "5", "currency": "77777"}}}`)
	if res := w.ask(t, "investor_profile", args{}); !res.IsError || strings.Contains(toldToModel(res), canary) {
		t.Errorf("a damaged profile = %s", res.ErrorText())
	}
}

func TestWatchlist_HiddenAmountsStandInNoWordsOfTheUser(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	res, _ := w.done(t, "watchlist", args{"action": "add", "symbol": "VTI", "note": "have 77777 shares, 12.5 % of all", "below": 99})
	if said := toldToModel(res); strings.Contains(said, canary) {
		t.Errorf("a model is told of %s:\n%s", canary, said)
	}
	toolboxtest.WantParts(t, "what a model reads", res.ModelText(), "hidden from you", "have (hidden) shares, 12.5 % of all", `"price":"99"`)
	toolboxtest.WantParts(t, "what the user reads", res.ForUser, canary)
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

package personal_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

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

// toldToModel is all of a result that a model may come to read.
func toldToModel(res tool.Result) string {
	text := res.ModelText() + "\n" + res.Title + "\n" + res.Summary
	for _, f := range res.Figures {
		text += "\n" + f.ID + " " + f.Label + " " + f.Value.String() + " " + strings.Join(f.Inputs, " ")
	}
	return strings.NewReplacer("'", "", ",", "").Replace(text)
}

func TestInvestorProfile_HiddenAmountsReachNoModel(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	kept, value := answer(t, w, canaried())
	wantParts(t, "plan", w.plan(t), "income: 77777 EUR (was unknown)")
	again, _ := answer(t, w, args{"income": "77777.5 EUR", "other_investments": "none"})
	shown, whole := w.done(t, "investor_profile", args{})
	asked, _ := w.done(t, "investor_profile", args{"action": "questions"})
	for name, res := range map[string]tool.Result{"answer": kept, "answer again": again, "show": shown, "questions": asked} {
		if said := toldToModel(res); strings.Contains(said, canary) {
			t.Errorf("%s tells a model of %s:\n%s", name, canary, said)
		}
	}
	wantParts(t, "what a model reads", shown.ModelText(), "hidden from you by the user's setting share_amounts", `"answer":"35 %"`, `"answer":"2048"`,
		`"retirement, 2050, (hidden), that is … in all"`, `"(hidden), 2027-06-01, new roof for …"`, "liquid_assets and liquidity_needs do not go together",
		"because answers in your profile contradict each other.")
	for what, text := range map[string]string{"text": shown.ForUser, "value": encoded(t, whole), "text of answer": kept.ForUser, "value of answer": encoded(t, value)} {
		wantParts(t, what, text, canary)
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

func TestJournal_HiddenAmountsStandInNoWordsOfTheUser(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	watched, _ := w.done(t, "watchlist", args{"action": "add", "symbol": "VTI", "note": "have 77777 shares, 12.5 % of all", "below": 99})
	recorded, _ := w.done(t, "decision_journal", args{
		"action": "record", "decision": "buy", "symbol": "VTI", "thesis": "for 77,777 EUR", "disproof": "below 77 777 in sales", "benchmark": "BND", "review_on": "2024-06-29",
	})
	w.Now = toolboxtest.Clock(t, "2024-06-29T20:00:00Z")
	listed, _ := w.done(t, "decision_journal", args{})
	reviewed, _ := w.done(t, "decision_journal", args{"action": "review"})
	closed, _ := w.done(t, "decision_journal", args{"action": "close", "id": "d1", "outcome": "lost 77777"})
	for name, res := range map[string]tool.Result{"watch": watched, "record": recorded, "list": listed, "review": reviewed, "close": closed} {
		if said := strings.ReplaceAll(toldToModel(res), " ", ""); strings.Contains(said, canary) {
			t.Errorf("%s tells a model of %s:\n%s", name, canary, said)
		}
		if !strings.Contains(res.ModelText(), "hidden from you") || !strings.Contains(strings.NewReplacer(",", "", " ", "").Replace(res.ForUser), canary) {
			t.Errorf("%s does not say that amounts are hidden, or hides them from the user:\n%s", name, res.ModelText())
		}
	}
	wantParts(t, "what a model reads", watched.ModelText(), "have … shares, 12.5 % of all", `"price":"99"`)
}

// Whatever the user writes, a model reads no number of it but per cents.
func FuzzHiddenWords(f *testing.F) {
	for _, text := range []string{"", "7", "77 777,50 EUR", "up 5 %, down 6%", "７７ shares", "½ of ٣٤٥", "a\u00a01\u00a0000", "1e6 \xff", "5 5 %", "x<7>\n8"} {
		f.Add(text)
	}
	w := newWorld(f)
	w.HideAmounts = true
	f.Fuzz(func(t *testing.T, note string) {
		raw, err := json.Marshal(note)
		if err != nil || !json.Valid(raw) {
			return
		}
		res := w.ask(t, "watchlist", args{"action": "add", "symbol": "VTI", "note": note})
		if res.IsError {
			return // it cannot be kept at all
		}
		line := toolboxtest.Object(t, res.ModelText())["watches"].([]any)[0].(map[string]any)
		read, _ := line["watch_note"].(string)
		runes := []rune(read)
		for i, r := range runes {
			if !unicode.IsNumber(r) {
				continue
			}
			// What stands before the next thing that is no part of a number.
			rest := runes[i:]
			end := slices.IndexFunc(rest, func(r rune) bool { return !unicode.IsNumber(r) && !strings.ContainsRune(".,'’_ \u00a0\u202f", r) })
			if end < 0 || rest[end] != '%' && !unicode.IsSpace(rest[end]) {
				t.Fatalf("of %q a model reads %q", note, read)
			}
		}
	})
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

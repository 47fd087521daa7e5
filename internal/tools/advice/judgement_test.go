package advice_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestJudgeMix_JudgesWeightsWithWhatTheBookKnowsOfThem(t *testing.T) {
	w := newRebalanceFixture()
	w.Securities = []portfolio.Security{{Symbol: "BBB", Class: portfolio.ClassCrypto}}
	w.profile = newProfile(t, investor.QuestionLargestHolding, "60 %", investor.QuestionClassLimits, "crypto max 5 %", investor.QuestionExcludedSymbols, "CCC", investor.QuestionCashMinimum, "777 USD")
	d := w.deps(t)
	for _, tt := range []struct {
		name    string
		weights map[market.Symbol]decimal.Decimal
		refused bool
		want    string
	}{
		{"within", map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("0.6"), "NEW": toolstest.MustDecimal("0.4")}, false, "not judged: class:crypto"},
		{"with every digit of a quotient", map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("0.3333333333333333"), "NEW": toolstest.MustDecimal("0.6666666666666666")}, true, "fail: largest_holding: The largest position, NEW, is 66.67%"},
		{"too much of one", map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("0.7"), "NEW": toolstest.MustDecimal("0.3")}, true, "fail: largest_holding: The largest position, AAA, is 70%"},
		{"a class", map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("0.5"), "BBB": toolstest.MustDecimal("0.5")}, true, "fail: class:crypto: crypto is 50%"},
		{"more than the whole", map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("0.6"), "NEW": toolstest.MustDecimal("0.6")}, true, "fail: weights: The weights with cash add up to 120%"},
		{"excluded", map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("0.5"), "CCC": toolstest.MustDecimal("0.5")}, true, "fail: excluded_symbols: You excluded CCC."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines, refused, err := d.JudgeMix(t.Context(), tt.weights)
			text := strings.Join(lines, "\n")
			if err != nil || refused != tt.refused || !strings.Contains(text, tt.want) {
				t.Fatalf("JudgeMix(%v) = refused %v, %v:\n%s\nwant refused %v with %q", tt.weights, refused, err, text, tt.refused, tt.want)
			}
			if strings.HasPrefix(lines[0], "NO") != tt.refused || !strings.Contains(text, "general information") || strings.Contains(text, "777") {
				t.Errorf("lines:\n%s\nwant the no first, whom it is for, and no sum", text)
			}
		})
	}
}

func TestJudgeSize_JudgesOnePurchaseAndNothingOfTheRest(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t, investor.QuestionLargestHolding, "10 %", investor.QuestionExcludedSymbols, "CCC")
	d := w.deps(t)
	for _, tt := range []struct {
		name    string
		symbol  string
		part    string
		refused bool
		want    string
	}{
		{"within", "AAA", "0.05", false, "not judged: weights"},
		{"too large", "AAA", "0.2", true, "AAA, is 20%; your limit is 10%"},
		{"in any case", "ccc", "0.05", true, "You excluded CCC."},
		{"no symbol", "", "0.05", false, "not judged: excluded_symbols: The symbol is unknown."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines, refused, err := d.JudgeSize(t.Context(), tt.symbol, toolstest.MustDecimal(tt.part))
			if text := strings.Join(lines, "\n"); err != nil || refused != tt.refused || !strings.Contains(text, tt.want) {
				t.Errorf("JudgeSize(%q, %s) = refused %v, %v:\n%s\nwant refused %v with %q", tt.symbol, tt.part, refused, err, text, tt.refused, tt.want)
			}
		})
	}
}

func TestJudge_WithoutAProfileRefusesNothingAndSaysSo(t *testing.T) {
	d := newRebalanceFixture().deps(t)
	d.Profiles = nil
	j, err := d.Judge(t.Context(), investor.Suggestion{Kind: investor.SuggestRebalance, AsOf: d.Now(), Weights: map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("1")}, Cash: optionalPart("0")})
	if text := strings.Join(j.Lines(), "\n"); err != nil || j.Refused() || j.Basis.Personal || !strings.Contains(text, "no investor profile is saved") || !strings.Contains(text, "missing from your profile:") {
		t.Errorf("Judge = %v, refused %v:\n%s\nwant general information that names what is open", err, j.Refused(), text)
	}
}

// Only messages with amounts are shortened; a model may read the others in full.
func TestJudgeSize_ContradictionsAreToldWithoutTheirSums(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers []string
		want    string
	}{
		{"of sums", []string{investor.QuestionLiquidAssets, "777 EUR", investor.QuestionLiquidityNeeds, "1777 EUR"}, "answers in your profile contradict each other.\n"},
		{"of per cents", []string{investor.QuestionLiquidAssets, "777 EUR", investor.QuestionClassLimits, "equity max 90 %"}, "contradict each other. With up to 90% in stocks"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newRebalanceFixture()
			w.profile = newProfile(t, append(tt.answers, investor.QuestionLargestHolding, "60 %")...)
			lines, _, err := w.deps(t).JudgeSize(t.Context(), "AAA", toolstest.MustDecimal("0.05"))
			if text := strings.Join(lines, "\n") + "\n"; err != nil || strings.Contains(text, "777") || !strings.Contains(text, tt.want) {
				t.Errorf("JudgeSize = %v:\n%s\nwant %q and no sum", err, text, tt.want)
			}
		})
	}
}

package investor_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func fraction(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

func today() time.Time { return time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC) }

// completeAnswers answers every question, in typical spelling.
func completeAnswers() map[string]string {
	return map[string]string{
		investor.QuestionBirthYear: "1985", investor.QuestionBaseCurrency: "eur", investor.QuestionIncome: "60k EUR", investor.QuestionNetWorth: "250 000 EUR",
		investor.QuestionLiquidAssets: "40'000.50 eur", investor.QuestionCountry: "de", investor.QuestionJurisdiction: "US", investor.QuestionShortGains: "26.375%",
		investor.QuestionLongGains: "0", investor.QuestionIncomeRate: "26,4%", investor.QuestionObjectives: "retirement, 2050, 600000 EUR; home, 80000 EUR; growth, , , slowly, but surely",
		investor.QuestionExperience: "2", investor.QuestionHorizon: "24 years", investor.QuestionLiquidityNeeds: "30000 EUR, 2027-06, new roof\n5k CHF",
		investor.QuestionRiskFall: "wait", investor.QuestionRiskRange: "moderate", investor.QuestionRiskLoss: "quarter", investor.QuestionRiskRegret: "LOSS", investor.QuestionRiskNews: "fine",
		investor.QuestionOthers: "apartment, 300000 EUR; state pension", investor.QuestionLossCapacity: "35%", investor.QuestionLargestHolding: "10",
		investor.QuestionClassLimits: "equity min 40% max 70%; crypto max 5%", investor.QuestionCashMinimum: "10000 EUR", investor.QuestionCashPart: "5%",
		investor.QuestionExcludedSymbols: "mo; PM", investor.QuestionExcludedClasses: "None",
	}
}

func profileOf(t testing.TB, answers map[string]string) investor.Profile {
	t.Helper()
	var p investor.Profile
	interview := investor.NewInterview(today())
	for _, q := range interview.Questions() {
		if answer, ok := answers[q.ID]; ok {
			if err := interview.Set(&p, q.ID, answer); err != nil {
				t.Fatalf("Set(%s, %q) = %v", q.ID, answer, err)
			}
		}
	}
	return p
}

// riskTakingAnswers returns the answers with the highest risk tolerance.
func riskTakingAnswers() map[string]string {
	return map[string]string{
		investor.QuestionRiskFall: "buy", investor.QuestionRiskRange: "widest", investor.QuestionRiskLoss: "half",
		investor.QuestionRiskRegret: "missed_much", investor.QuestionRiskNews: "right",
	}
}

func withAnswers(answers map[string]string, more ...string) map[string]string {
	for i := 0; i+1 < len(more); i += 2 {
		answers[more[i]] = more[i+1]
	}
	return answers
}

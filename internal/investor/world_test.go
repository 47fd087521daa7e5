package investor_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func part(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

func today() time.Time { return time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC) }

// complete answers every question, in words that people use.
func complete() map[string]string {
	return map[string]string{
		investor.AskBirthYear: "1985", investor.AskBaseCurrency: "eur", investor.AskIncome: "60k EUR", investor.AskNetWorth: "250 000 EUR",
		investor.AskLiquidAssets: "40'000.50 eur", investor.AskCountry: "de", investor.AskJurisdiction: "US", investor.AskShortGains: "26.375 %",
		investor.AskLongGains: "0", investor.AskIncomeRate: "26,4%", investor.AskObjectives: "retirement, 2050, 600000 EUR; home, 80000 EUR; growth, , , slowly, but surely",
		investor.AskExperience: "2", investor.AskHorizon: "24 years", investor.AskLiquidityNeeds: "30000 EUR, 2027-06, new roof\n5k CHF",
		investor.AskRiskFall: "wait", investor.AskRiskRange: "moderate", investor.AskRiskLoss: "quarter", investor.AskRiskRegret: "LOSS", investor.AskRiskNews: "fine",
		investor.AskOthers: "flat, 300000 EUR; pension of the state", investor.AskLossCapacity: "35 %", investor.AskLargestHolding: "10",
		investor.AskClassLimits: "equity min 40 % max 70%; crypto max 5 %", investor.AskCashMinimum: "10000 EUR", investor.AskCashPart: "5 %",
		investor.AskExcludedSymbols: "mo; PM", investor.AskExcludedClasses: "None",
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

// bold is somebody who dares everything.
func bold() map[string]string {
	return map[string]string{
		investor.AskRiskFall: "buy", investor.AskRiskRange: "widest", investor.AskRiskLoss: "half",
		investor.AskRiskRegret: "missed_much", investor.AskRiskNews: "right",
	}
}

func with(answers map[string]string, more ...string) map[string]string {
	for i := 0; i+1 < len(more); i += 2 {
		answers[more[i]] = more[i+1]
	}
	return answers
}

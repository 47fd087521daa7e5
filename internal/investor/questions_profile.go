package investor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
	"golang.org/x/text/language"
)

func personalQuestions() []questionEntry {
	return []questionEntry{
		yearEntry(Question{ID: QuestionBirthYear, Factor: FactorAge, Text: "What year were you born?",
			Why: "Your age affects how long money can stay invested and how you spend it later.", Example: "1985"},
			checkBirthYear, func(p *Profile) *int { return &p.BirthYear }),
		textEntry(Question{ID: QuestionBaseCurrency, Factor: FactorLimits, Kind: KindCurrency, Text: "What is your base currency?",
			Why: "Totals, limits and gains are shown in this currency.", Example: "EUR"},
			readCurrency, func(p *Profile) *string { return &p.Limits.BaseCurrency }),
		moneyEntry(Question{ID: QuestionIncome, Factor: FactorFinances, Text: "What is your yearly income before tax?",
			Why: "A steady income can make up for losses; without one, the portfolio must last.", Example: "60000 EUR"},
			readNonNegative, func(p *Profile) *Money { return &p.Finances.Income }),
		moneyEntry(Question{ID: QuestionNetWorth, Factor: FactorFinances, Text: "What is your net worth: everything you own, less all debts?",
			Why:     "Shows how much a loss matters. Negative if your debts are larger.",
			Example: "250000 EUR"},
			readMoney, func(p *Profile) *Money { return &p.Finances.NetWorth }),
		moneyEntry(Question{ID: QuestionLiquidAssets, Factor: FactorFinances, Text: "How much of your net worth could you get within a few days, without loss?",
			Why:     "You should not have to sell in a falling market to get emergency money.",
			Example: "40000 EUR"},
			readNonNegative, func(p *Profile) *Money { return &p.Finances.Liquid }),
	}
}

func checkBirthYear(year int, today time.Time) error {
	const oldest = 120
	switch age := today.Year() - year; {
	case age < 0:
		return errors.New("the year is in the future")
	case age > oldest:
		return fmt.Errorf("an age of %d years is not possible", age)
	}
	return nil
}

func taxQuestions() []questionEntry {
	return []questionEntry{
		textEntry(Question{ID: QuestionCountry, Factor: FactorTax, Kind: KindCountry, Text: "In which country do you pay tax?",
			Why: "It determines the tax on gains, and the accounts and funds available to you.", Example: "DE"},
			readCountry, func(p *Profile) *string { return &p.Tax.Country }),
		textEntry(Question{ID: QuestionJurisdiction, Factor: FactorTax, Kind: KindText, Text: "Which tax rules should be used for gains?",
			Why: "nfa applies only rules it knows by name; without one, no tax is computed.", Example: "us"},
			readJurisdiction, func(p *Profile) *string { return &p.Tax.Jurisdiction }),
		percentEntry(Question{ID: QuestionShortGains, Factor: FactorTax, Text: "What is your tax rate on short-term gains?",
			Why: "Which lots are best to sell depends on tax. If your country has one rate for all gains, enter it twice."},
			func(p *Profile) *decimal.NullDecimal { return &p.Tax.ShortGains }),
		percentEntry(Question{ID: QuestionLongGains, Factor: FactorTax, Text: "What is your tax rate on long-term gains?",
			Why: "If this rate is lower, it can be better to wait than to sell today."},
			func(p *Profile) *decimal.NullDecimal { return &p.Tax.LongGains }),
		percentEntry(Question{ID: QuestionIncomeRate, Factor: FactorTax, Text: "What is your tax rate on dividends and interest?",
			Why: "Income is taxed each year; gains are taxed when you sell."},
			func(p *Profile) *decimal.NullDecimal { return &p.Tax.Income }),
	}
}

// readCountry reads an ISO 3166 code, or a common variant such as UK.
func readCountry(text string) (string, error) {
	region, err := language.ParseRegion(strings.ToUpper(text))
	if err != nil || len(text) != 2 || !region.IsCountry() {
		return "", fmt.Errorf("%q is not a country; write a two-letter code, such as DE or US", clip(text))
	}
	return region.Canonicalize().String(), nil
}

func readJurisdiction(text string) (string, error) {
	const longest = 20
	name := strings.ToLower(text)
	outside := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	if len(name) > longest || strings.ContainsFunc(name, outside) {
		return "", fmt.Errorf("%q is not a rule name; write letters and digits, such as us", clip(text))
	}
	return name, nil
}

func objectiveQuestions() []questionEntry {
	return []questionEntry{
		listEntry(Question{ID: QuestionObjectives, Factor: FactorObjectives,
			Text:    "What is the money for? For each objective, add the year and the amount if you know them.",
			Why:     "A date and an amount show how much risk you need, and how much is too much. Objectives: " + joinValues(Aims()) + ".",
			Example: "retirement, 2045, 600000 EUR; home, 2030, 80000 EUR"},
			objectiveItem(), func(p *Profile) *[]Objective { return &p.Objectives }),
		choiceEntry(Question{ID: QuestionExperience, Factor: FactorExperience, Text: "How much investment experience do you have?",
			Why: "Nobody knows how a loss feels until they have had one.",
			Choices: []Choice{
				{string(ExperienceNone), "none yet"},
				{string(ExperienceSome), "some: savings plans, funds, a few trades"},
				{string(ExperienceMuch), "a lot: years of investing, with at least one large loss"},
				{string(ExperienceProfessional), "professional: investing is or was my job"},
			}},
			func(p *Profile) *Experience { return &p.Experience }),
		yearEntry(Question{ID: QuestionHorizon, Factor: FactorHorizon, Text: "Until what year does most of the money stay invested?",
			Why: "Stocks have taken between months and more than ten years to recover from large losses.", Example: "2045", AllowsSpans: true},
			checkNotPast, func(p *Profile) *int { return &p.HorizonYear }),
		listEntry(Question{ID: QuestionLiquidityNeeds, Factor: FactorLiquidity,
			Text:    "Which amounts will you need, and by when? Enter none if there are none.",
			Why:     "Money you need soon should not be in investments that can lose value.",
			Example: "30000 EUR, 2027-06-30, new roof", AllowsNone: true},
			needItem(), func(p *Profile) *[]Need { return &p.Needs }),
		listEntry(Question{ID: QuestionOthers, Factor: FactorOthers,
			Text:    "What do you own outside the portfolio? Enter none if there is nothing.",
			Why:     "A house, a pension or shares of your employer are part of your overall risk.",
			Example: "apartment, 300000 EUR; state pension", AllowsNone: true},
			assetItem(), func(p *Profile) *[]Asset { return &p.OtherInvestments }),
	}
}

func checkNotPast(year int, today time.Time) error {
	if year < today.Year() {
		return errors.New("the year is in the past")
	}
	return nil
}

func limitQuestions() []questionEntry {
	limits := []questionEntry{
		percentEntry(Question{ID: QuestionLossCapacity, Text: "How large a loss of the portfolio could you afford without changing how you live?",
			Why: "This limits the risk, even if you would accept more.", Example: "30%"},
			func(p *Profile) *decimal.NullDecimal { return &p.Limits.LossCapacity }),
		percentEntry(Question{ID: QuestionLargestHolding, Text: "How large may a single position be?",
			Why: "If one company fails, the rest of the portfolio should not. A broad fund counts as one position.", Example: "10%"},
			func(p *Profile) *decimal.NullDecimal { return &p.Limits.LargestPosition }),
		listEntry(Question{ID: QuestionClassLimits, Text: "What are the minimum and maximum for each asset class? Enter none for no limits.",
			Why:     "These limits keep your allocation close to your choice. Classes: " + joinValues(portfolio.Classes()) + ".",
			Example: "equity min 40% max 70%; crypto max 5%", AllowsNone: true},
			classLimitItem(), func(p *Profile) *[]ClassLimit { return &p.Limits.Classes }),
		moneyEntry(Question{ID: QuestionCashMinimum, Text: "What amount should always stay in cash?",
			Why: "No suggestion may spend this reserve.", Example: "10000 EUR"},
			readNonNegative, func(p *Profile) *Money { return &p.Limits.CashAmount }),
		percentEntry(Question{ID: QuestionCashPart, Text: "What percentage of the portfolio should always stay in cash?",
			Why: "Like the amount above, but it grows with the portfolio.", Example: "5%"},
			func(p *Profile) *decimal.NullDecimal { return &p.Limits.CashShare }),
		listEntry(Question{ID: QuestionExcludedSymbols, Text: "Which symbols should never be bought? Enter none if there are none.",
			Why: "For example, shares of your employer, or companies you do not want to own.", Example: "MO; PM", AllowsNone: true},
			symbolItem(), func(p *Profile) *[]string { return &p.Limits.ExcludedSymbols }),
		listEntry(Question{ID: QuestionExcludedClasses, Text: "Which asset classes should never be bought? Enter none if there are none.",
			Why: "Classes: " + joinValues(portfolio.Classes()) + ".", Example: "crypto", AllowsNone: true},
			classItem(), func(p *Profile) *[]portfolio.Class { return &p.Limits.ExcludedClasses }),
	}
	for i := range limits {
		limits[i].Factor = FactorLimits
	}
	return slices.Clip(limits)
}

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
		yearEntry(Question{ID: QuestionBirthYear, Factor: FactorAge, Text: "In which year were you born?",
			Why: "How long money can stay invested, and how it is drawn later, depends on age.", Example: "1985"},
			checkBirthYear, func(p *Profile) *int { return &p.BirthYear }),
		textEntry(Question{ID: QuestionBaseCurrency, Factor: FactorLimits, Kind: KindCurrency, Text: "In which currency do you reckon?",
			Why: "Totals, limits and gains are given in it.", Example: "EUR"},
			readCurrency, func(p *Profile) *string { return &p.Limits.BaseCurrency }),
		moneyEntry(Question{ID: QuestionIncome, Factor: FactorFinances, Text: "What is your income a year, before tax?",
			Why: "Income that is steady can make good what a portfolio loses; without it the portfolio must last.", Example: "60000 EUR"},
			readNonNegative, func(p *Profile) *Money { return &p.Finances.Income }),
		moneyEntry(Question{ID: QuestionNetWorth, Factor: FactorFinances, Text: "What do you own altogether, less all debts?",
			Why:     "A loss weighs by what part of everything it is. It is below zero where debts are larger.",
			Example: "250000 EUR"},
			readMoney, func(p *Profile) *Money { return &p.Finances.NetWorth }),
		moneyEntry(Question{ID: QuestionLiquidAssets, Factor: FactorFinances, Text: "How much of it could you have in hand within a few days, without loss?",
			Why:     "Money for emergencies should not have to be taken out of the market on a bad day.",
			Example: "40000 EUR"},
			readNonNegative, func(p *Profile) *Money { return &p.Finances.Liquid }),
	}
}

func checkBirthYear(year int, today time.Time) error {
	const oldest = 120
	switch age := today.Year() - year; {
	case age < 0:
		return errors.New("the year is still to come")
	case age > oldest:
		return fmt.Errorf("nobody lives %d years", age)
	}
	return nil
}

func taxQuestions() []questionEntry {
	return []questionEntry{
		textEntry(Question{ID: QuestionCountry, Factor: FactorTax, Kind: KindCountry, Text: "In which country do you pay tax?",
			Why: "What a gain leaves after tax, and which accounts and funds are open to you, depends on it.", Example: "DE"},
			readCountry, func(p *Profile) *string { return &p.Tax.Country }),
		textEntry(Question{ID: QuestionJurisdiction, Factor: FactorTax, Kind: KindText, Text: "By which tax rules should gains be computed?",
			Why: "Only rules that nfa knows by name are applied; without one no tax is computed.", Example: "us"},
			readJurisdiction, func(p *Profile) *string { return &p.Tax.Jurisdiction }),
		percentEntry(Question{ID: QuestionShortGains, Factor: FactorTax, Text: "At which rate is your next short-term gain taxed?",
			Why: "Which lots to sell is decided after tax. Some countries have one rate for all gains: give it twice."},
			func(p *Profile) *decimal.NullDecimal { return &p.Tax.ShortGains }),
		percentEntry(Question{ID: QuestionLongGains, Factor: FactorTax, Text: "At which rate is your next long-term gain taxed?",
			Why: "Waiting can be worth more than selling today."},
			func(p *Profile) *decimal.NullDecimal { return &p.Tax.LongGains }),
		percentEntry(Question{ID: QuestionIncomeRate, Factor: FactorTax, Text: "At which rate are your dividends and interest taxed?",
			Why: "Income is taxed each year, and gains when they are taken."},
			func(p *Profile) *decimal.NullDecimal { return &p.Tax.Income }),
	}
}

// readCountry reads a code of ISO 3166, and those in daily use such as UK.
func readCountry(text string) (string, error) {
	region, err := language.ParseRegion(strings.ToUpper(text))
	if err != nil || len(text) != 2 || !region.IsCountry() {
		return "", fmt.Errorf("%q is not a country; write its two letters, such as DE or US", clip(text))
	}
	return region.Canonicalize().String(), nil
}

func readJurisdiction(text string) (string, error) {
	const longest = 20
	name := strings.ToLower(text)
	outside := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	if len(name) > longest || strings.ContainsFunc(name, outside) {
		return "", fmt.Errorf("%q is not a name of rules; write letters and digits, such as us", clip(text))
	}
	return name, nil
}

func objectiveQuestions() []questionEntry {
	return []questionEntry{
		listEntry(Question{ID: QuestionObjectives, Factor: FactorObjectives,
			Text:    "What is the money for? For each aim: the year and the amount, if you know them.",
			Why:     "An aim with a date and a sum says how much risk is needed, and how much is too much. Aims: " + joinValues(Aims()) + ".",
			Example: "retirement, 2045, 600000 EUR; home, 2030, 80000 EUR"},
			objectiveItem(), func(p *Profile) *[]Objective { return &p.Objectives }),
		choiceEntry(Question{ID: QuestionExperience, Factor: FactorExperience, Text: "How much investing have you done?",
			Why: "Who has not yet sat through a fall does not know what it is like.",
			Choices: []Choice{
				{string(ExperienceNone), "none yet"},
				{string(ExperienceSome), "some: savings plans, funds, a few trades"},
				{string(ExperienceMuch), "much: years of it, through at least one large fall"},
				{string(ExperienceProfessional), "it is or was my work"},
			}},
			func(p *Profile) *Experience { return &p.Experience }),
		yearEntry(Question{ID: QuestionHorizon, Factor: FactorHorizon, Text: "Until which year does most of the money stay invested?",
			Why: "Large falls of shares have taken from months to more than ten years to make good.", Example: "2045", AllowsSpans: true},
			checkNotPast, func(p *Profile) *int { return &p.HorizonYear }),
		listEntry(Question{ID: QuestionLiquidityNeeds, Factor: FactorLiquidity,
			Text:    "Which sums will you need, and by when? Say none if there are none.",
			Why:     "What is needed soon does not belong in what can fall.",
			Example: "30000 EUR, 2027-06-30, new roof", AllowsNone: true},
			needItem(), func(p *Profile) *[]Need { return &p.Needs }),
		listEntry(Question{ID: QuestionOthers, Factor: FactorOthers,
			Text:    "What else do you own that is not in the book? Say none if there is nothing.",
			Why:     "A house, a pension or shares of your employer are part of the risk that you bear.",
			Example: "flat, 300000 EUR; pension of the state", AllowsNone: true},
			assetItem(), func(p *Profile) *[]Asset { return &p.OtherInvestments }),
	}
}

func checkNotPast(year int, today time.Time) error {
	if year < today.Year() {
		return errors.New("the year is past")
	}
	return nil
}

func limitQuestions() []questionEntry {
	limits := []questionEntry{
		percentEntry(Question{ID: QuestionLossCapacity, Text: "Which fall of the portfolio could you bear without changing how you live?",
			Why: "It bounds risk whatever you would dare: capacity comes before courage.", Example: "30 %"},
			func(p *Profile) *decimal.NullDecimal { return &p.Limits.LossCapacity }),
		percentEntry(Question{ID: QuestionLargestHolding, Text: "How large may a single holding be?",
			Why: "One company can fail; the rest should not fall with it. A broad fund counts as a holding too.", Example: "10 %"},
			func(p *Profile) *decimal.NullDecimal { return &p.Limits.LargestPosition }),
		listEntry(Question{ID: QuestionClassLimits, Text: "How much of the portfolio may each class be, at least and at most? Say none for no limits.",
			Why:     "They keep the mix near what you chose. Classes: " + joinValues(portfolio.Classes()) + ".",
			Example: "equity min 40 % max 70 %; crypto max 5 %", AllowsNone: true},
			classLimitItem(), func(p *Profile) *[]ClassLimit { return &p.Limits.Classes }),
		moneyEntry(Question{ID: QuestionCashMinimum, Text: "Which sum should always stay in cash?",
			Why: "A reserve that no suggestion may spend.", Example: "10000 EUR"},
			readNonNegative, func(p *Profile) *Money { return &p.Limits.CashAmount }),
		percentEntry(Question{ID: QuestionCashPart, Text: "Which part of the portfolio should always stay in cash?",
			Why: "As the sum above, but it grows with the portfolio.", Example: "5 %"},
			func(p *Profile) *decimal.NullDecimal { return &p.Limits.CashShare }),
		listEntry(Question{ID: QuestionExcludedSymbols, Text: "Which symbols should never be bought? Say none if there are none.",
			Why: "Such as shares of your employer, or what you do not want to own.", Example: "MO; PM", AllowsNone: true},
			symbolItem(), func(p *Profile) *[]string { return &p.Limits.ExcludedSymbols }),
		listEntry(Question{ID: QuestionExcludedClasses, Text: "Which classes should never be bought? Say none if there are none.",
			Why: "Classes: " + joinValues(portfolio.Classes()) + ".", Example: "crypto", AllowsNone: true},
			classItem(), func(p *Profile) *[]portfolio.Class { return &p.Limits.ExcludedClasses }),
	}
	for i := range limits {
		limits[i].Factor = FactorLimits
	}
	return slices.Clip(limits)
}

package investor

import (
	"strings"

	"github.com/shopspring/decimal"
)

// AnswerKind is the format of an answer.
type AnswerKind string

// Answer kinds.
const (
	KindChoice   AnswerKind = "choice"   // the Value of one of the Choices
	KindYear     AnswerKind = "year"     // four digits, or "10 years" if AllowsSpans is set
	KindMoney    AnswerKind = "money"    // "80000 EUR"
	KindPercent  AnswerKind = "percent"  // "25%"
	KindCountry  AnswerKind = "country"  // two letters
	KindCurrency AnswerKind = "currency" // three letters
	KindText     AnswerKind = "text"     // one line
	KindList     AnswerKind = "list"     // items separated by semicolons or lines
)

// Question is one step of the interview, with everything a chat, form or editor needs to ask it.
type Question struct {
	ID      string     `json:"id"`
	Factor  Factor     `json:"factor"`
	Text    string     `json:"text"`
	Why     string     `json:"why"`
	Kind    AnswerKind `json:"kind"`
	Choices []Choice   `json:"choices,omitempty"`
	Example string     `json:"example,omitempty"`
	// Min and Max limit a number: a percentage, a year, or an amount in any currency.
	Min decimal.NullDecimal `json:"least,omitzero"`
	Max decimal.NullDecimal `json:"most,omitzero"`
	// AllowsNone reports whether "none" is a valid answer, which differs from no answer.
	AllowsNone bool `json:"none,omitempty"`
	// AllowsSpans reports whether a year may be entered as a number of years from now.
	AllowsSpans bool `json:"spans,omitempty"`
}

// Choice is one possible answer.
type Choice struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// IDs of the questions, in order.
const (
	QuestionBirthYear       = "birth_year"
	QuestionBaseCurrency    = "base_currency"
	QuestionIncome          = "income"
	QuestionNetWorth        = "net_worth"
	QuestionLiquidAssets    = "liquid_assets"
	QuestionCountry         = "tax_country"
	QuestionJurisdiction    = "tax_jurisdiction"
	QuestionShortGains      = "tax_short_gains"
	QuestionLongGains       = "tax_long_gains"
	QuestionIncomeRate      = "tax_income"
	QuestionObjectives      = "objectives"
	QuestionExperience      = "experience"
	QuestionHorizon         = "horizon"
	QuestionLiquidityNeeds  = "liquidity_needs"
	QuestionRiskFall        = "risk_fall"
	QuestionRiskRange       = "risk_range"
	QuestionRiskLoss        = "risk_loss"
	QuestionRiskRegret      = "risk_regret"
	QuestionRiskNews        = "risk_news"
	QuestionOthers          = "other_investments"
	QuestionLossCapacity    = "loss_capacity"
	QuestionLargestHolding  = "largest_holding"
	QuestionClassLimits     = "class_limits"
	QuestionCashMinimum     = "cash_minimum"
	QuestionCashPart        = "cash_minimum_part"
	QuestionExcludedSymbols = "excluded_symbols"
	QuestionExcludedClasses = "excluded_classes"
)

const (
	earliestYear = 1900
	latestYear   = 2200
)

func joinValues[W ~string](values []W) string {
	texts := make([]string, len(values))
	for i, w := range values {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}

// Aim is the purpose of money.
type Aim string

// Investment aims.
const (
	AimGrowth       Aim = "growth"
	AimIncome       Aim = "income"
	AimPreservation Aim = "preservation"
	AimRetirement   Aim = "retirement"
	AimHome         Aim = "home"
	AimEducation    Aim = "education"
	AimReserve      Aim = "reserve"
	AimOther        Aim = "other"
)

// Aims returns all aims.
func Aims() []Aim {
	return []Aim{AimGrowth, AimIncome, AimPreservation, AimRetirement, AimHome, AimEducation, AimReserve, AimOther}
}

// Experience is the user's investment experience.
type Experience string

// Experience levels. Empty is unknown.
const (
	ExperienceNone         Experience = "none"
	ExperienceSome         Experience = "some"
	ExperienceMuch         Experience = "much"
	ExperienceProfessional Experience = "professional"
)

// Factor groups questions: one of the nine factors of suitability, or the limits.
type Factor string

// Factors, in order.
const (
	FactorAge        Factor = "age"
	FactorFinances   Factor = "financial situation"
	FactorTax        Factor = "tax status"
	FactorObjectives Factor = "objectives"
	FactorExperience Factor = "experience"
	FactorHorizon    Factor = "horizon"
	FactorLiquidity  Factor = "liquidity needs"
	FactorTolerance  Factor = "risk tolerance"
	FactorOthers     Factor = "other investments"
	FactorLimits     Factor = "limits"
)

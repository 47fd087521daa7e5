package investor

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Kind is what an answer looks like.
type Kind string

// Kinds of answer.
const (
	KindChoice   Kind = "choice"   // the Value of one of the Choices
	KindYear     Kind = "year"     // four digits, or "10 years" where Spans is set
	KindMoney    Kind = "money"    // "80000 EUR"
	KindPercent  Kind = "percent"  // "25 %"
	KindCountry  Kind = "country"  // two letters
	KindCurrency Kind = "currency" // three letters
	KindText     Kind = "text"     // one line
	KindList     Kind = "list"     // items divided by semicolons or lines
)

// Question is one step of the interview. It has all that a chat, a form and an
// editor need to ask it.
type Question struct {
	ID      string   `json:"id"`
	Factor  Factor   `json:"factor"`
	Text    string   `json:"text"`
	Why     string   `json:"why"`
	Kind    Kind     `json:"kind"`
	Choices []Choice `json:"choices,omitempty"`
	Example string   `json:"example,omitempty"`
	// Least and Most bound a number: per cent, a year, or a sum in any currency.
	Least decimal.NullDecimal `json:"least,omitzero"`
	Most  decimal.NullDecimal `json:"most,omitzero"`
	// None tells whether "none" is an answer, which differs from no answer.
	None bool `json:"none,omitempty"`
	// Spans tells whether a year may be said as a number of years from now.
	Spans bool `json:"spans,omitempty"`
}

// Choice is one possible answer.
type Choice struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// IDs of the questions, in the order in which they are asked.
const (
	AskBirthYear       = "birth_year"
	AskBaseCurrency    = "base_currency"
	AskIncome          = "income"
	AskNetWorth        = "net_worth"
	AskLiquidAssets    = "liquid_assets"
	AskCountry         = "tax_country"
	AskJurisdiction    = "tax_jurisdiction"
	AskShortGains      = "tax_short_gains"
	AskLongGains       = "tax_long_gains"
	AskIncomeRate      = "tax_income"
	AskObjectives      = "objectives"
	AskExperience      = "experience"
	AskHorizon         = "horizon"
	AskLiquidityNeeds  = "liquidity_needs"
	AskRiskFall        = "risk_fall"
	AskRiskRange       = "risk_range"
	AskRiskLoss        = "risk_loss"
	AskRiskRegret      = "risk_regret"
	AskRiskNews        = "risk_news"
	AskOthers          = "other_investments"
	AskLossCapacity    = "loss_capacity"
	AskLargestHolding  = "largest_holding"
	AskClassLimits     = "class_limits"
	AskCashMinimum     = "cash_minimum"
	AskCashPart        = "cash_minimum_part"
	AskExcludedSymbols = "excluded_symbols"
	AskExcludedClasses = "excluded_classes"
)

const (
	earliestYear = 1900
	latestYear   = 2200
)

func wordsOf[W ~string](words []W) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}

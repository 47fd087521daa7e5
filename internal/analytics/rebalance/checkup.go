package rebalance

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Check judges the portfolio by every rule and returns a row for each, always in the same order.
func (b Portfolio) Check(l Limits) []CheckResult {
	rows := []CheckResult{b.checkPriced(), b.checkPriceAge(l)}
	weighed := []CheckResult{b.checkLargest(l), b.checkTopFive(l), b.checkEffectiveNumber(l)}
	weighed = append(weighed, b.checkClasses(l)...)
	weighed = append(weighed, b.checkForeign(l), b.checkRegion(l), b.checkFee(l), b.checkReserve(), b.checkIdleCash(l), b.checkDrift(l))
	for i, r := range weighed {
		weighed[i] = b.withholdPartial(r)
	}
	rows = append(append(rows, weighed...), b.checkOverlap(l), b.withholdPartial(b.checkIncomeSource(l)), b.withholdPartial(b.checkYield(l)))
	for i := range rows {
		rows[i].Inputs = shortenInputs(rows[i].Inputs)
	}
	return rows
}

// maxInputs limits the inputs of a row.
const maxInputs = 12

func shortenInputs(inputs []string) []string {
	if len(inputs) <= maxInputs {
		return inputs
	}
	return append(inputs[:maxInputs:maxInputs], fmt.Sprintf("and %d more", len(inputs)-maxInputs))
}

// withholdPartial withdraws a judgment if the weights cover only part of the portfolio, or if there are
// none.
func (b Portfolio) withholdPartial(r CheckResult) CheckResult {
	switch {
	case b.NoWeightsReason != "":
		r.Number.Valid = false
		return r.notJudged(b.NoWeightsReason, "")
	case len(b.Unpriced) > 0 && r.Outcome != NotJudged:
		return r.notJudged("the number covers only part of the portfolio; there is no market value for "+joinReasons(b.Unpriced), "see the rule "+string(RulePriced))
	}
	return r
}

// CountOutcome returns how many rows have an outcome.
func CountOutcome(rows []CheckResult, o Outcome) int {
	n := 0
	for _, r := range rows {
		if r.Outcome == o {
			n++
		}
	}
	return n
}

// Rule names a rule.
type Rule string

// Rules, in display order. Class rules are RuleClass followed by the class.
const (
	RulePriced       Rule = "priced"
	RulePriceAge     Rule = "fresh_prices"
	RuleLargest      Rule = "largest_holding"
	RuleTopFive      Rule = "five_largest"
	RuleEffective    Rule = "effective_holdings"
	RuleClass        Rule = "class:"
	RuleForeign      Rule = "foreign_currency"
	RuleRegion       Rule = "largest_region"
	RuleFee          Rule = "fund_fees"
	RuleReserve      Rule = "cash_reserve"
	RuleCash         Rule = "idle_cash"
	RuleDrift        Rule = "drift"
	RuleOverlap      Rule = "overlap"
	RuleIncomeSource Rule = "largest_payer"
	RuleYield        Rule = "income_yield"
)

// Outcome is the result of a rule.
type Outcome string

// Outcomes.
const (
	Pass      Outcome = "pass"
	Fail      Outcome = "fail"
	NotJudged Outcome = "not judged"
)

// Units of a number.
const (
	UnitFraction  = "fraction"
	UnitPositions = "holdings"
	UnitRatio     = "ratio"
)

// Bound states on which side of its threshold a number must be.
type Bound string

// Bounds.
const (
	AtMost  Bound = "at most"
	AtLeast Bound = "at least"
)

// CheckResult is the result of one rule.
type CheckResult struct {
	Rule     Rule    `json:"rule"`
	Measures string  `json:"measures"`
	Outcome  Outcome `json:"outcome"`
	// Number and Threshold are in Unit; invalid if unknown.
	Number    decimal.NullDecimal `json:"number,omitzero"`
	Threshold decimal.NullDecimal `json:"threshold,omitzero"`
	Bound     Bound               `json:"bound,omitempty"`
	Unit      string              `json:"unit"`
	Reason    string              `json:"threshold_from,omitempty"` // why this threshold
	Formula   string              `json:"formula"`
	Inputs    []string            `json:"inputs,omitempty"`
	// Meaning is one sentence on what a failure means: facts, not advice.
	Meaning string `json:"meaning,omitempty"`
	// Missing is why a rule is not judged, and Fix how to change it.
	Missing string `json:"missing,omitempty"`
	Fix     string `json:"mend,omitempty"`
}

// withThreshold sets the threshold.
func (r CheckResult) withThreshold(l Limit, bound Bound) CheckResult {
	r.Threshold, r.Reason, r.Bound = l.Value, l.Reason, bound
	return r
}

// judgeRange judges by the lowest and highest possible number: the outcome is decided only if both
// agree.
func (r CheckResult) judgeRange(low, high decimal.Decimal) CheckResult {
	t := r.Threshold.Decimal
	switch {
	case r.Bound == AtMost && low.GreaterThan(t), r.Bound == AtLeast && high.LessThan(t):
		r.Outcome = Fail
	case r.Bound == AtMost && !high.GreaterThan(t), r.Bound == AtLeast && !low.LessThan(t):
		r.Outcome = Pass
	default:
		r.Outcome = NotJudged
	}
	return r
}

// judge works like judgeRange for a number that is known.
func (r CheckResult) judge(number decimal.Decimal) CheckResult {
	r.Number = decimal.NewNullDecimal(number)
	return r.judgeRange(number, number)
}

// notJudged keeps the number and adds the reason why it cannot be judged.
func (r CheckResult) notJudged(missing, fix string) CheckResult {
	r.Outcome, r.Missing, r.Fix, r.Meaning = NotJudged, missing, fix, ""
	return r
}

// explain adds what is missing if the row is not judged, and the meaning only if it failed.
func (r CheckResult) explain(meaning, missing, fix string) CheckResult {
	switch r.Outcome {
	case Fail:
		r.Meaning = meaning
	case NotJudged:
		r.Missing, r.Fix = missing, fix
	}
	return r
}

// weightPlaces is the number of decimals of a quotient.
const weightPlaces = 16

// formatPercent writes a fraction as a percentage: "-6.25%".
func formatPercent(part decimal.Decimal) string { return part.Shift(2).Round(2).String() + "%" }

// maxListed is the maximum number of entries listed in a sentence.
const maxListed = 5

// joinNames lists the first names and the number of others.
func joinNames(all []string) string { return joinFirst(all, ", ") }

// joinReasons lists the first sentences and the number of others.
func joinReasons(all []string) string { return joinFirst(all, "; ") }

func joinFirst(all []string, between string) string {
	if len(all) > maxListed {
		return strings.Join(all[:maxListed], between) + fmt.Sprintf(" and %d more", len(all)-maxListed)
	}
	return strings.Join(all, between)
}

// Limits are the user's thresholds. Zero means the default of the rule.
type Limits struct {
	Largest     Limit // maximum weight of a position
	TopFive     Limit // maximum total weight of the five largest positions
	Effective   Limit // minimum effective number of positions
	Foreign     Limit // maximum weight outside the base currency
	Region      Limit // maximum weight of one region, as a fraction of the securities
	Fee         Limit // maximum annual fee of funds
	MaxCash     Limit
	Drift       Limit // maximum distance from a target weight
	Relative    Limit // the same as a fraction of the target; the smaller band applies
	Correlation Limit // maximum correlation of two positions
	Payer       Limit // maximum fraction of income from one payer
	Yield       Limit // minimum annual income; no default
	PriceDays   Limit // maximum age of a price in days
	// Classes are limits of classes; nil means unknown, empty means none.
	Classes []ClassLimit
}

// Limit is a threshold and its origin, such as "your profile".
type Limit struct {
	Value  decimal.NullDecimal
	Reason string
}

// ClassLimit bounds the weight of a class. One bound may be unset.
type ClassLimit struct {
	Class    portfolio.Class
	Min, Max decimal.NullDecimal
	Reason   string
}

// isSet reports whether the user set the limit.
func (l Limit) isSet() bool { return l.Value.Valid }

// orDefault returns the limit, or the default if it is not set.
func (l Limit) orDefault(value, reason string) Limit {
	if l.isSet() {
		return l
	}
	return Limit{Value: decimal.NewNullDecimal(decimal.RequireFromString(value)), Reason: reason}
}

// Portfolio is the input of the rules. Weights are fractions of the total market value including
// cash; negative for short positions and debt.
type Portfolio struct {
	Day  market.Date
	Base string // ISO 4217
	// Positions has one entry for each priced security.
	Positions []CheckedPosition
	// Cash is the balance of each currency.
	Cash []CashWeight
	// Unpriced lists positions without a price, with the reason. Rules about weights are then not
	// judged, because they would cover only part of the portfolio.
	Unpriced []string
	// NoWeightsReason is why there are no weights: the portfolio owes more than it has. Empty if there are.
	NoWeightsReason string
	// UntrackedCash are accounts whose cash is not tracked.
	UntrackedCash []string
	// Reserve is the cash needed within a year; invalid if unknown.
	Reserve decimal.NullDecimal
	// Targets are the user's targets, if any.
	Targets []portfolio.Target
	// Pairs are the known correlations. Uncorrelated names the positions without one, with the reason.
	Pairs        []CorrelatedPair
	Uncorrelated []string
	// IncomeSources are the sources of income in the twelve months up to Day; UnvaluedIncome lists
	// income of unknown value.
	IncomeSources  []IncomeSource
	UnvaluedIncome []string
}

// CheckedPosition is one security.
type CheckedPosition struct {
	Symbol   market.Symbol
	Weight   decimal.Decimal
	Form     AssetForm
	Class    portfolio.Class // empty if unknown
	Region   string          // in the user's words; "" if unknown
	Currency string          // of its price; empty if unknown
	Fee      decimal.NullDecimal
	PricedOn market.Date
	// PriceWarning is why the price is not a market price, such as "sample"; empty if it is one.
	PriceWarning string
}

// AssetForm is whether a position is a single security or a fund.
type AssetForm string

// Forms.
const (
	FormUnknown AssetForm = ""
	FormSingle  AssetForm = "single" // one company, one issuer, one coin
	FormFund    AssetForm = "fund"   // spread over many
)

// CashWeight is a balance.
type CashWeight struct {
	Currency string
	Weight   decimal.Decimal
}

// CorrelatedPair is a pair of positions with the correlation of their weekly returns.
type CorrelatedPair struct {
	A, B        market.Symbol
	Correlation float64
	Weeks       int // number of returns
}

// IncomeSource is a payer of income.
type IncomeSource struct {
	Name  string // a symbol, or "cash"
	Share decimal.Decimal
}

// cash returns the weight known to be cash, and the weight that may be: securities of unknown class. Debt
// is subtracted.
func (b Portfolio) cash() (known, possible decimal.Decimal, unknown []string) {
	for _, c := range b.Cash {
		known = known.Add(c.Weight)
	}
	for _, h := range b.Positions {
		switch h.Class {
		case portfolio.ClassCash:
			known = known.Add(h.Weight)
		case "", portfolio.ClassMixed:
			possible = possible.Add(decimal.Max(h.Weight, decimal.Zero))
			unknown = append(unknown, string(h.Symbol))
		}
	}
	return known, possible, unknown
}

// grossWeight returns the sum of all positions, with short ones counted as positive.
func (b Portfolio) grossWeight() decimal.Decimal {
	sum := decimal.Zero
	for _, h := range b.Positions {
		sum = sum.Add(h.Weight.Abs())
	}
	return sum
}

const (
	defaultPriceDays = "5"
	reasonDays       = "convention: exchanges are rarely closed for longer"
)

// checkPriced counts positions without a price.
func (b Portfolio) checkPriced() CheckResult {
	row := CheckResult{Rule: RulePriced, Measures: "positions without a price", Unit: UnitPositions, Formula: "count", Inputs: b.Unpriced}.
		withThreshold(Limit{decimal.NewNullDecimal(decimal.Zero), "positions without a price have no weight"}, AtMost)
	return row.judge(decimal.NewFromInt(int64(len(b.Unpriced)))).
		explain("All weights cover only part of the portfolio, so rules about weights are not checked.", "", "")
}

// checkPriceAge counts prices that are old, or not market prices.
func (b Portfolio) checkPriceAge(l Limits) CheckResult {
	limit := l.PriceDays.orDefault(defaultPriceDays, reasonDays)
	row := CheckResult{Rule: RulePriceAge, Measures: "stale or flagged prices", Unit: UnitPositions, Formula: fmt.Sprintf("number of prices that are flagged or older than %s days", limit.Value.Decimal)}.
		withThreshold(Limit{decimal.NewNullDecimal(decimal.Zero), limit.Reason}, AtMost)
	for _, h := range b.Positions {
		if why := h.priceWarning(b.Day, limit.Value.Decimal); why != "" {
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, why))
		}
	}
	return row.judge(decimal.NewFromInt(int64(len(row.Inputs)))).
		explain("The weights do not reflect current market prices: "+joinNames(row.Inputs)+".", "", "")
}

// priceWarning returns why a price is unreliable, or "".
func (h CheckedPosition) priceWarning(day market.Date, maxDays decimal.Decimal) string {
	const hours = 24
	switch {
	case h.PriceWarning != "":
		return h.PriceWarning
	case h.PricedOn.IsZero():
		return "of unknown date"
	}
	if age := int64(day.Sub(h.PricedOn).Hours()) / hours; decimal.NewFromInt(age).GreaterThan(maxDays) {
		return fmt.Sprintf("%d days old", age)
	}
	return ""
}

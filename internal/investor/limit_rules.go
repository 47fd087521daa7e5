package investor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Names of the rules; those of classes are RuleClass followed by the class.
const (
	RuleTotalWeight     = "weights"
	RuleLargest         = "largest_holding"
	RuleClass           = "class:"
	RuleCashAmount      = "cash_minimum"
	RuleCashShare       = "cash_minimum_part"
	RuleLossCapacity    = "loss_capacity"
	RuleExcludedSymbols = "excluded_symbols"
	RuleExcludedClasses = "excluded_classes"
	RuleHorizon         = "horizon"
)

const (
	unitFraction = "fraction"
	unitYears    = "years"

	reasonNoWeights = "The suggestion has no weights."
)

// CheckSuggestion holds a suggestion against the limits. Every rule has a row, in the same
// order each time. A rule passes only where all that it needs is known; it fails as
// soon as what is known is enough for it.
func (p Profile) CheckSuggestion(s Suggestion) Verdict {
	v := Verdict{Kind: s.Kind, Basis: p.Basis(s.Kind, s.AsOf)}
	if !s.hasBoundedNumbers() {
		v.Rows = []RuleResult{{Rule: RuleTotalWeight, Outcome: Fail, Sentence: "A number of the suggestion has more digits than any portfolio; nothing else was judged."}}
		return v
	}
	e := exposureOf(s)
	v.Rows = append(v.Rows, e.checkTotalWeight(), e.checkLargest(p.Limits))
	v.Rows = append(v.Rows, e.checkClasses(p.Limits)...)
	v.Rows = append(v.Rows, s.checkCashAmount(p.Limits), e.checkCashShare(p.Limits), s.checkLossCapacity(p.Limits),
		e.checkExcludedSymbols(p.Limits), e.checkExcludedClasses(p.Limits), s.checkHorizon(p.HorizonYear))
	return v
}

func (s Suggestion) hasBoundedNumbers() bool {
	for _, weight := range s.Weights {
		if !hasBoundedDigits(weight) {
			return false
		}
	}
	return hasBoundedDigits(s.Cash.Decimal) && hasBoundedDigits(s.CashAmount.Amount) && hasBoundedDigits(s.MaxLoss.Fraction.Decimal)
}

func knownNumber(n decimal.Decimal) decimal.NullDecimal { return decimal.NewNullDecimal(n) }

func formatShare(part decimal.Decimal) string { return part.Shift(2).Round(2).String() + "%" }

func notJudged(rule, why string) RuleResult {
	return RuleResult{Rule: rule, Outcome: NotJudged, Sentence: why}
}

func outcomeOf(pass bool) Outcome {
	if pass {
		return Pass
	}
	return Fail
}

// checkTotalWeight tells whether the weights are of one portfolio. Each may be rounded to a
// tenth of a per cent, and all together may be wrong by one per cent.
func (e exposure) checkTotalWeight() RuleResult {
	sum := e.Cash.Decimal
	for _, symbol := range e.symbols {
		sum = sum.Add(e.weights[symbol])
	}
	whole := decimal.NewFromInt(1)
	slack := decimal.Min(decimal.New(int64(len(e.symbols)+1)*5, -4), decimal.New(1, -2))
	row := RuleResult{Rule: RuleTotalWeight, Number: knownNumber(sum), Threshold: knownNumber(whole), Unit: unitFraction}
	switch {
	case len(e.symbols) == 0 && !e.Cash.Valid:
		return notJudged(RuleTotalWeight, reasonNoWeights)
	case !e.Cash.Valid && sum.LessThanOrEqual(whole.Add(slack)):
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("The weights add up to %s; how much is cash was not said.", formatShare(sum))
	default:
		row.Outcome = outcomeOf(sum.Sub(whole).Abs().LessThanOrEqual(slack))
		row.Sentence = fmt.Sprintf("The weights with cash add up to %s; they should be 100%%.", formatShare(sum))
	}
	return row
}

func (e exposure) checkLargest(l Limits) RuleResult {
	symbol, weight := e.largest()
	row := RuleResult{Rule: RuleLargest, Number: knownNumber(weight), Threshold: l.LargestPosition, Unit: unitFraction}
	switch {
	case len(e.symbols) == 0 && !e.Cash.Valid:
		return notJudged(RuleLargest, reasonNoWeights)
	case !l.LargestPosition.Valid:
		row.Outcome, row.Sentence = NotJudged, "You set no limit for a single holding."
	case symbol == "":
		row.Outcome, row.Sentence = Pass, "The suggestion holds nothing but cash."
	default:
		row.Outcome = outcomeOf(weight.LessThanOrEqual(l.LargestPosition.Decimal))
		row.Sentence = fmt.Sprintf("The largest holding, %s, is %s; your limit is %s.", symbol, formatShare(weight), formatShare(l.LargestPosition.Decimal))
	}
	return row
}

func (s Suggestion) checkCashAmount(l Limits) RuleResult {
	minimum := l.CashAmount
	row := RuleResult{Rule: RuleCashAmount, Threshold: decimal.NullDecimal{Decimal: minimum.Amount, Valid: !minimum.IsZero()}, Unit: minimum.Currency}
	switch {
	case minimum.IsZero():
		return notJudged(RuleCashAmount, "You set no least sum of cash.")
	case s.CashAmount.IsZero():
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("Your least cash is %s; how much the suggestion leaves is not known.", minimum)
	case s.CashAmount.Currency != minimum.Currency:
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("Your least cash is %s and the suggestion leaves %s: it needs an exchange rate.", minimum, s.CashAmount)
	default:
		row.Number = knownNumber(s.CashAmount.Amount)
		row.Outcome = outcomeOf(s.CashAmount.Amount.GreaterThanOrEqual(minimum.Amount))
		row.Sentence = fmt.Sprintf("The suggestion leaves %s in cash; your least is %s.", s.CashAmount, minimum)
	}
	return row
}

func (e exposure) checkCashShare(l Limits) RuleResult {
	row := RuleResult{Rule: RuleCashShare, Number: e.Cash, Threshold: l.CashShare, Unit: unitFraction}
	switch {
	case !l.CashShare.Valid:
		row.Outcome, row.Sentence = NotJudged, "You set no least part of cash."
	case !e.Cash.Valid:
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("Your least part of cash is %s; that of the suggestion was not said.", formatShare(l.CashShare.Decimal))
	default:
		row.Outcome = outcomeOf(e.Cash.Decimal.GreaterThanOrEqual(l.CashShare.Decimal))
		row.Sentence = fmt.Sprintf("Cash is %s; your least is %s.", formatShare(e.Cash.Decimal), formatShare(l.CashShare.Decimal))
	}
	return row
}

func (s Suggestion) checkLossCapacity(l Limits) RuleResult {
	row := RuleResult{Rule: RuleLossCapacity, Threshold: l.LossCapacity, Unit: unitFraction}
	if s.MaxLoss.Fraction.Valid {
		row.Number = knownNumber(s.MaxLoss.Fraction.Decimal.Abs())
	}
	switch {
	case !l.LossCapacity.Valid:
		row.Outcome, row.Sentence = NotJudged, "You did not say which fall you can bear."
	case !row.Number.Valid:
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("You can bear a fall of %s; what the suggestion may lose was not computed.", formatShare(l.LossCapacity.Decimal))
	default:
		row.Outcome = outcomeOf(row.Number.Decimal.LessThanOrEqual(l.LossCapacity.Decimal))
		row.Sentence = fmt.Sprintf("It may fall by %s (%s); you can bear %s.", formatShare(row.Number.Decimal), cmp.Or(s.MaxLoss.Source, "source not said"), formatShare(l.LossCapacity.Decimal))
	}
	return row
}

func (e exposure) checkExcludedSymbols(l Limits) RuleResult {
	if l.ExcludedSymbols == nil {
		return notJudged(RuleExcludedSymbols, "You did not say whether any symbol is excluded.")
	}
	if len(e.symbols) == 0 && !e.Cash.Valid {
		return notJudged(RuleExcludedSymbols, reasonNoWeights)
	}
	var held []string
	for _, symbol := range e.symbols {
		if slices.Contains(l.ExcludedSymbols, symbol) {
			held = append(held, symbol)
		}
	}
	if held != nil {
		return RuleResult{Rule: RuleExcludedSymbols, Outcome: Fail, Sentence: fmt.Sprintf("You excluded %s.", joinList(held))}
	}
	return RuleResult{Rule: RuleExcludedSymbols, Outcome: Pass, Sentence: "No symbol that you excluded is in it."}
}

// checkHorizon holds how long the money has to stay against the horizon.
func (s Suggestion) checkHorizon(horizonYear int) RuleResult {
	switch {
	case horizonYear == 0:
		return notJudged(RuleHorizon, "You did not say how long the money stays invested.")
	case s.Years <= 0:
		return notJudged(RuleHorizon, "How long the money should stay for the suggestion was not said.")
	case s.AsOf.IsZero():
		return notJudged(RuleHorizon, "The suggestion has no date.")
	}
	left := horizonYear - s.AsOf.Year()
	return RuleResult{Rule: RuleHorizon, Outcome: outcomeOf(s.Years <= left), Unit: unitYears,
		Number: knownNumber(decimal.NewFromInt(int64(s.Years))), Threshold: knownNumber(decimal.NewFromInt(int64(left))),
		Sentence: fmt.Sprintf("The money should stay for %d years; your horizon is %d, %d years from now.", s.Years, horizonYear, left)}
}

func joinSymbols(symbols []string) string {
	const most = 5
	if len(symbols) > most {
		return strings.Join(symbols[:most], ", ") + fmt.Sprintf(" and %d more", len(symbols)-most)
	}
	return joinList(symbols)
}

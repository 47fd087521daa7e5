package investor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Names of the rules; those of classes are RuleClass followed by the class.
const (
	RuleWhole           = "weights"
	RuleLargest         = "largest_holding"
	RuleClass           = "class:"
	RuleCashAmount      = "cash_minimum"
	RuleCashPart        = "cash_minimum_part"
	RuleLossCapacity    = "loss_capacity"
	RuleExcludedSymbols = "excluded_symbols"
	RuleExcludedClasses = "excluded_classes"
	RuleHorizon         = "horizon"
)

const (
	fraction = "fraction"
	years    = "years"

	noWeights = "The suggestion has no weights."
)

// Judge holds a suggestion against the limits. Every rule has a row, in the same
// order each time. A rule passes only where all that it needs is known; it fails as
// soon as what is known is enough for it.
func (p Profile) Judge(s Suggestion) Verdict {
	v := Verdict{Kind: s.Kind, Basis: p.Basis(s.Kind, s.AsOf)}
	if !s.bounded() {
		v.Rows = []Row{{Rule: RuleWhole, Outcome: Fail, Sentence: "A number of the suggestion has more digits than any portfolio; nothing else was judged."}}
		return v
	}
	e := exposureOf(s)
	v.Rows = append(v.Rows, e.whole(), e.largestWithin(p.Limits))
	v.Rows = append(v.Rows, e.classesWithin(p.Limits)...)
	v.Rows = append(v.Rows, s.cashAmount(p.Limits), e.cashPart(p.Limits), s.fallWithin(p.Limits),
		e.withoutSymbols(p.Limits), e.withoutClasses(p.Limits), s.within(p.HorizonYear))
	return v
}

func (s Suggestion) bounded() bool {
	for _, weight := range s.Weights {
		if !bounded(weight) {
			return false
		}
	}
	return bounded(s.Cash.Decimal) && bounded(s.CashAmount.Amount) && bounded(s.WorstFall.Part.Decimal)
}

func known(n decimal.Decimal) decimal.NullDecimal { return decimal.NewNullDecimal(n) }

func shown(part decimal.Decimal) string { return part.Shift(2).Round(2).String() + " %" }

func unjudged(rule, why string) Row {
	return Row{Rule: rule, Outcome: NotJudged, Sentence: why}
}

func outcome(pass bool) Outcome {
	if pass {
		return Pass
	}
	return Fail
}

// whole tells whether the weights are of one portfolio. Each may be rounded to a
// tenth of a per cent, and all together may be wrong by one per cent.
func (e exposure) whole() Row {
	sum := e.Cash.Decimal
	for _, symbol := range e.symbols {
		sum = sum.Add(e.weights[symbol])
	}
	whole := decimal.NewFromInt(1)
	slack := decimal.Min(decimal.New(int64(len(e.symbols)+1)*5, -4), decimal.New(1, -2))
	row := Row{Rule: RuleWhole, Number: known(sum), Threshold: known(whole), Unit: fraction}
	switch {
	case len(e.symbols) == 0 && !e.Cash.Valid:
		return unjudged(RuleWhole, noWeights)
	case !e.Cash.Valid && sum.LessThanOrEqual(whole.Add(slack)):
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("The weights add up to %s; how much is cash was not said.", shown(sum))
	default:
		row.Outcome = outcome(sum.Sub(whole).Abs().LessThanOrEqual(slack))
		row.Sentence = fmt.Sprintf("The weights with cash add up to %s; they should be 100 %%.", shown(sum))
	}
	return row
}

func (e exposure) largestWithin(l Limits) Row {
	symbol, weight := e.largest()
	row := Row{Rule: RuleLargest, Number: known(weight), Threshold: l.LargestHolding, Unit: fraction}
	switch {
	case len(e.symbols) == 0 && !e.Cash.Valid:
		return unjudged(RuleLargest, noWeights)
	case !l.LargestHolding.Valid:
		row.Outcome, row.Sentence = NotJudged, "You set no limit for a single holding."
	case symbol == "":
		row.Outcome, row.Sentence = Pass, "The suggestion holds nothing but cash."
	default:
		row.Outcome = outcome(weight.LessThanOrEqual(l.LargestHolding.Decimal))
		row.Sentence = fmt.Sprintf("The largest holding, %s, is %s; your limit is %s.", symbol, shown(weight), shown(l.LargestHolding.Decimal))
	}
	return row
}

func (s Suggestion) cashAmount(l Limits) Row {
	least := l.CashAmount
	row := Row{Rule: RuleCashAmount, Threshold: decimal.NullDecimal{Decimal: least.Amount, Valid: !least.IsZero()}, Unit: least.Currency}
	switch {
	case least.IsZero():
		return unjudged(RuleCashAmount, "You set no least sum of cash.")
	case s.CashAmount.IsZero():
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("Your least cash is %s; how much the suggestion leaves is not known.", least)
	case s.CashAmount.Currency != least.Currency:
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("Your least cash is %s and the suggestion leaves %s: it needs an exchange rate.", least, s.CashAmount)
	default:
		row.Number = known(s.CashAmount.Amount)
		row.Outcome = outcome(s.CashAmount.Amount.GreaterThanOrEqual(least.Amount))
		row.Sentence = fmt.Sprintf("The suggestion leaves %s in cash; your least is %s.", s.CashAmount, least)
	}
	return row
}

func (e exposure) cashPart(l Limits) Row {
	row := Row{Rule: RuleCashPart, Number: e.Cash, Threshold: l.CashPart, Unit: fraction}
	switch {
	case !l.CashPart.Valid:
		row.Outcome, row.Sentence = NotJudged, "You set no least part of cash."
	case !e.Cash.Valid:
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("Your least part of cash is %s; that of the suggestion was not said.", shown(l.CashPart.Decimal))
	default:
		row.Outcome = outcome(e.Cash.Decimal.GreaterThanOrEqual(l.CashPart.Decimal))
		row.Sentence = fmt.Sprintf("Cash is %s; your least is %s.", shown(e.Cash.Decimal), shown(l.CashPart.Decimal))
	}
	return row
}

func (s Suggestion) fallWithin(l Limits) Row {
	row := Row{Rule: RuleLossCapacity, Threshold: l.LossCapacity, Unit: fraction}
	if s.WorstFall.Part.Valid {
		row.Number = known(s.WorstFall.Part.Decimal.Abs())
	}
	switch {
	case !l.LossCapacity.Valid:
		row.Outcome, row.Sentence = NotJudged, "You did not say which fall you can bear."
	case !row.Number.Valid:
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("You can bear a fall of %s; what the suggestion may lose was not computed.", shown(l.LossCapacity.Decimal))
	default:
		row.Outcome = outcome(row.Number.Decimal.LessThanOrEqual(l.LossCapacity.Decimal))
		row.Sentence = fmt.Sprintf("It may fall by %s (%s); you can bear %s.", shown(row.Number.Decimal), or(s.WorstFall.Source, "source not said"), shown(l.LossCapacity.Decimal))
	}
	return row
}

func (e exposure) withoutSymbols(l Limits) Row {
	if l.NoSymbols == nil {
		return unjudged(RuleExcludedSymbols, "You did not say whether any symbol is excluded.")
	}
	if len(e.symbols) == 0 && !e.Cash.Valid {
		return unjudged(RuleExcludedSymbols, noWeights)
	}
	var held []string
	for _, symbol := range e.symbols {
		if slices.Contains(l.NoSymbols, symbol) {
			held = append(held, symbol)
		}
	}
	if held != nil {
		return Row{Rule: RuleExcludedSymbols, Outcome: Fail, Sentence: fmt.Sprintf("You excluded %s.", list(held))}
	}
	return Row{Rule: RuleExcludedSymbols, Outcome: Pass, Sentence: "No symbol that you excluded is in it."}
}

// within holds how long the money has to stay against the horizon.
func (s Suggestion) within(horizonYear int) Row {
	switch {
	case horizonYear == 0:
		return unjudged(RuleHorizon, "You did not say how long the money stays invested.")
	case s.Years <= 0:
		return unjudged(RuleHorizon, "How long the money should stay for the suggestion was not said.")
	case s.AsOf.IsZero():
		return unjudged(RuleHorizon, "The suggestion has no date.")
	}
	left := horizonYear - s.AsOf.Year()
	return Row{Rule: RuleHorizon, Outcome: outcome(s.Years <= left), Unit: years,
		Number: known(decimal.NewFromInt(int64(s.Years))), Threshold: known(decimal.NewFromInt(int64(left))),
		Sentence: fmt.Sprintf("The money should stay for %d years; your horizon is %d, %d years from now.", s.Years, horizonYear, left)}
}

func clipList(symbols []string) string {
	const most = 5
	if len(symbols) > most {
		return strings.Join(symbols[:most], ", ") + fmt.Sprintf(" and %d more", len(symbols)-most)
	}
	return list(symbols)
}

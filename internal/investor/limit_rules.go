package investor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
)

// Names of the rules; class rules are RuleClass followed by the class.
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

	reasonNoWeights = "The suggestion has no weights."
)

// CheckSuggestion checks a suggestion against the limits. Every rule has a row, always in the same order. A
// rule passes only if everything it needs is known; it fails as soon as the known values violate it.
func (p Profile) CheckSuggestion(s Suggestion) Verdict {
	v := Verdict{Basis: p.Basis(s.Kind, s.AsOf), Rows: []RuleResult{s.checkTotalWeight(), s.checkLargest(p.Limits)}}
	v.Rows = append(v.Rows, s.checkClasses(p.Limits)...)
	v.Rows = append(v.Rows, s.checkCashAmount(p.Limits), s.checkCashShare(p.Limits), p.Limits.checkLossCapacity(),
		s.checkExcludedSymbols(p.Limits), s.checkExcludedClasses(p.Limits), checkHorizon(p.HorizonYear))
	return v
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

// checkTotalWeight checks that the weights add up to one portfolio. Each may be rounded to a tenth
// of a percent, and the total may be off by one percent.
func (s Suggestion) checkTotalWeight() RuleResult {
	sum := s.Cash.Decimal
	for _, symbol := range s.symbols() {
		sum = sum.Add(s.Weights[symbol])
	}
	whole := decimal.NewFromInt(1)
	slack := decimal.Min(decimal.New(int64(len(s.symbols())+1)*5, -4), decimal.New(1, -2))
	row := RuleResult{Rule: RuleTotalWeight, Number: knownNumber(sum), Threshold: knownNumber(whole), Unit: unitFraction}
	switch {
	case s.isEmpty():
		return notJudged(RuleTotalWeight, reasonNoWeights)
	case !s.Cash.Valid && sum.LessThanOrEqual(whole.Add(slack)):
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("The weights add up to %s; the cash weight is unknown.", formatShare(sum))
	default:
		row.Outcome = outcomeOf(sum.Sub(whole).Abs().LessThanOrEqual(slack))
		row.Sentence = fmt.Sprintf("The weights with cash add up to %s; they should be 100%%.", formatShare(sum))
	}
	return row
}

func (s Suggestion) checkLargest(l Limits) RuleResult {
	symbol, weight := s.largest()
	row := RuleResult{Rule: RuleLargest, Number: knownNumber(weight), Threshold: l.LargestPosition, Unit: unitFraction}
	switch {
	case s.isEmpty():
		return notJudged(RuleLargest, reasonNoWeights)
	case !l.LargestPosition.Valid:
		row.Outcome, row.Sentence = NotJudged, "You set no limit for a single position."
	case symbol == "":
		row.Outcome, row.Sentence = Pass, "The suggestion holds only cash."
	default:
		row.Outcome = outcomeOf(weight.LessThanOrEqual(l.LargestPosition.Decimal))
		row.Sentence = fmt.Sprintf("The largest position, %s, is %s; your limit is %s.", symbol, formatShare(weight), formatShare(l.LargestPosition.Decimal))
	}
	return row
}

// checkClasses returns a row for each limited class, in the order of Classes.
func (s Suggestion) checkClasses(l Limits) []RuleResult {
	if l.Classes == nil {
		return []RuleResult{notJudged(RuleClass+"all", "You did not say whether you limit asset classes.")}
	}
	if len(l.Classes) == 0 {
		return []RuleResult{{Rule: RuleClass + "all", Outcome: Pass, Sentence: "You set no limits for asset classes."}}
	}
	var rows []RuleResult
	for _, class := range portfolio.Classes() {
		if limit, ok := l.classLimit(class); ok {
			rows = append(rows, s.checkClass(limit))
		}
	}
	return rows
}

// checkClass checks the weight of a class. If some positions have no known class, the rule fails only if it
// fails whatever their class is, and never passes.
func (s Suggestion) checkClass(limit ClassLimit) RuleResult {
	rule, p := RuleClass+string(limit.Class), s.classTotals(limit.Class)
	row := RuleResult{Rule: rule, Number: knownNumber(p.net), Threshold: limit.Min, Unit: unitFraction, Outcome: Pass}
	if limit.Max.Valid {
		row.Number, row.Threshold = knownNumber(p.gross), limit.Max
	}
	cashUnknown := limit.Class == portfolio.ClassCash && !s.Cash.Valid
	switch {
	case s.isEmpty():
		return notJudged(rule, reasonNoWeights)
	case limit.Max.Valid && p.gross.GreaterThan(limit.Max.Decimal):
		row.Outcome = Fail
		row.Sentence = fmt.Sprintf("%s is %s; your maximum is %s.", limit.Class, formatShare(p.gross), formatShare(limit.Max.Decimal))
	case limit.Min.Valid && !cashUnknown && p.net.Add(p.possible).LessThan(limit.Min.Decimal):
		row.Outcome, row.Number, row.Threshold = Fail, knownNumber(p.net), limit.Min
		row.Sentence = fmt.Sprintf("%s is %s; your minimum is %s.", limit.Class, formatShare(p.net), formatShare(limit.Min.Decimal))
	case len(p.unknown) > 0:
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("%s is %s, without %s (class unknown).", limit.Class, formatShare(p.net), joinSymbols(p.unknown))
	case cashUnknown:
		row.Outcome, row.Sentence = NotJudged, "The cash weight is unknown."
	default:
		row.Sentence = fmt.Sprintf("%s is %s; your limit is %s.", limit.Class, formatShare(row.Number.Decimal), limit.describeRange())
	}
	return row
}

// describeRange returns "20% to 60%", "at least 20%" or "at most 60%".
func (l ClassLimit) describeRange() string {
	switch {
	case l.Min.Valid && l.Max.Valid:
		return formatShare(l.Min.Decimal) + " to " + formatShare(l.Max.Decimal)
	case l.Min.Valid:
		return "at least " + formatShare(l.Min.Decimal)
	}
	return "at most " + formatShare(l.Max.Decimal)
}

func (s Suggestion) checkExcludedClasses(l Limits) RuleResult {
	if l.ExcludedClasses == nil {
		return notJudged(RuleExcludedClasses, "You did not say whether you exclude any asset class.")
	}
	if s.isEmpty() {
		return notJudged(RuleExcludedClasses, reasonNoWeights)
	}
	if len(l.ExcludedClasses) == 0 {
		return RuleResult{Rule: RuleExcludedClasses, Outcome: Pass, Sentence: "You did not exclude any asset class."}
	}
	var held, unknown []string
	for _, class := range l.ExcludedClasses {
		p := s.classTotals(class)
		if p.gross.IsPositive() {
			held = append(held, fmt.Sprintf("%s (%s)", class, formatShare(p.gross)))
		}
		for _, symbol := range p.unknown {
			if !slices.Contains(unknown, symbol) {
				unknown = append(unknown, symbol)
			}
		}
	}
	switch {
	case held != nil:
		return RuleResult{Rule: RuleExcludedClasses, Outcome: Fail, Threshold: knownNumber(decimal.Zero), Unit: unitFraction,
			Sentence: fmt.Sprintf("You excluded %s.", humanize.JoinAnd(held))}
	case !s.Cash.Valid && slices.Contains(l.ExcludedClasses, portfolio.ClassCash):
		return notJudged(RuleExcludedClasses, "You excluded cash, but the cash weight is unknown.")
	case unknown != nil:
		return RuleResult{Rule: RuleExcludedClasses, Outcome: NotJudged,
			Sentence: fmt.Sprintf("The class of %s is unknown.", joinSymbols(unknown))}
	}
	return RuleResult{Rule: RuleExcludedClasses, Outcome: Pass, Sentence: "The suggestion contains no excluded class."}
}

func (s Suggestion) checkCashAmount(l Limits) RuleResult {
	minimum := l.CashAmount
	row := RuleResult{Rule: RuleCashAmount, Threshold: decimal.NullDecimal{Decimal: minimum.Amount, Valid: !minimum.IsZero()}, Unit: minimum.Currency}
	switch {
	case minimum.IsZero():
		return notJudged(RuleCashAmount, "You set no minimum cash amount.")
	case s.CashAmount.IsZero():
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("Your minimum cash is %s; the cash left by the suggestion is unknown.", minimum)
	case s.CashAmount.Currency != minimum.Currency:
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("Your minimum cash is %s and the suggestion leaves %s; comparing them needs an exchange rate.", minimum, s.CashAmount)
	default:
		row.Number = knownNumber(s.CashAmount.Amount)
		row.Outcome = outcomeOf(s.CashAmount.Amount.GreaterThanOrEqual(minimum.Amount))
		row.Sentence = fmt.Sprintf("The suggestion leaves %s in cash; your minimum is %s.", s.CashAmount, minimum)
	}
	return row
}

func (s Suggestion) checkCashShare(l Limits) RuleResult {
	row := RuleResult{Rule: RuleCashShare, Number: s.Cash, Threshold: l.CashShare, Unit: unitFraction}
	switch {
	case !l.CashShare.Valid:
		row.Outcome, row.Sentence = NotJudged, "You set no minimum cash weight."
	case !s.Cash.Valid:
		row.Outcome, row.Sentence = NotJudged, fmt.Sprintf("Your minimum cash weight is %s; the cash weight of the suggestion is unknown.", formatShare(l.CashShare.Decimal))
	default:
		row.Outcome = outcomeOf(s.Cash.Decimal.GreaterThanOrEqual(l.CashShare.Decimal))
		row.Sentence = fmt.Sprintf("Cash is %s; your minimum is %s.", formatShare(s.Cash.Decimal), formatShare(l.CashShare.Decimal))
	}
	return row
}

// checkLossCapacity returns a rule that is never judged, because the possible loss of a suggestion is not computed.
func (l Limits) checkLossCapacity() RuleResult {
	if !l.LossCapacity.Valid {
		return notJudged(RuleLossCapacity, "You did not say how large a loss you can afford.")
	}
	return RuleResult{Rule: RuleLossCapacity, Outcome: NotJudged, Threshold: l.LossCapacity, Unit: unitFraction,
		Sentence: fmt.Sprintf("You can afford a loss of %s; the possible loss of the suggestion was not computed.", formatShare(l.LossCapacity.Decimal))}
}

func (s Suggestion) checkExcludedSymbols(l Limits) RuleResult {
	if l.ExcludedSymbols == nil {
		return notJudged(RuleExcludedSymbols, "You did not say whether you exclude any symbol.")
	}
	if s.isEmpty() {
		return notJudged(RuleExcludedSymbols, reasonNoWeights)
	}
	var held []string
	for _, symbol := range s.symbols() {
		if slices.Contains(l.ExcludedSymbols, string(symbol)) {
			held = append(held, string(symbol))
		}
	}
	if held != nil {
		return RuleResult{Rule: RuleExcludedSymbols, Outcome: Fail, Sentence: fmt.Sprintf("You excluded %s.", humanize.JoinAnd(held))}
	}
	return RuleResult{Rule: RuleExcludedSymbols, Outcome: Pass, Sentence: "The suggestion contains no excluded symbol."}
}

// checkHorizon returns a rule that is never judged, because suggestions have no holding period.
func checkHorizon(horizonYear int) RuleResult {
	if horizonYear == 0 {
		return notJudged(RuleHorizon, "You did not say how long the money stays invested.")
	}
	return notJudged(RuleHorizon, "The suggestion has no holding period.")
}

func joinSymbols(symbols []string) string {
	const most = 5
	if len(symbols) > most {
		return strings.Join(symbols[:most], ", ") + fmt.Sprintf(" and %d more", len(symbols)-most)
	}
	return humanize.JoinAnd(symbols)
}

package investor

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// checkClasses has a row for each class that is limited, in the order of Classes.
func (e exposure) checkClasses(l Limits) []RuleResult {
	if l.Classes == nil {
		return []RuleResult{notJudged(RuleClass+"all", "You did not say whether classes are limited.")}
	}
	if len(l.Classes) == 0 {
		return []RuleResult{{Rule: RuleClass + "all", Outcome: Pass, Sentence: "You limited no class."}}
	}
	var rows []RuleResult
	for _, class := range Classes() {
		if limit, ok := l.classLimit(class); ok {
			rows = append(rows, e.checkClass(limit))
		}
	}
	return rows
}

// checkClass judges by the nearer end. What may be of the class or not lets the
// rule fail where it fails in either case, and never pass.
func (e exposure) checkClass(limit ClassLimit) RuleResult {
	rule, p := RuleClass+string(limit.Class), e.classTotals(limit.Class)
	row := RuleResult{Rule: rule, Number: knownNumber(p.net), Threshold: limit.Min, Unit: unitFraction, Outcome: Pass}
	if limit.Max.Valid {
		row.Number, row.Threshold = knownNumber(p.gross), limit.Max
	}
	cashUnknown := limit.Class == ClassCash && !e.Cash.Valid
	switch {
	case len(e.symbols) == 0 && !e.Cash.Valid:
		return notJudged(rule, reasonNoWeights)
	case limit.Max.Valid && p.gross.GreaterThan(limit.Max.Decimal):
		row.Outcome = Fail
		row.Sentence = fmt.Sprintf("%s is %s; your most is %s.", limit.Class, formatShare(p.gross), formatShare(limit.Max.Decimal))
	case limit.Min.Valid && !cashUnknown && p.net.Add(p.possible).LessThan(limit.Min.Decimal):
		row.Outcome, row.Number, row.Threshold = Fail, knownNumber(p.net), limit.Min
		row.Sentence = fmt.Sprintf("%s is %s; your least is %s.", limit.Class, formatShare(p.net), formatShare(limit.Min.Decimal))
	case len(p.unknown) > 0:
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("%s is %s as far as classes are known; that of %s is not.", limit.Class, formatShare(p.net), joinSymbols(p.unknown))
	case cashUnknown:
		row.Outcome, row.Sentence = NotJudged, "How much is cash was not said."
	default:
		row.Sentence = fmt.Sprintf("%s is %s; your limit is %s.", limit.Class, formatShare(row.Number.Decimal), limit.describeRange())
	}
	return row
}

// describeRange is "20% to 60%", "at least 20%" or "at most 60%".
func (l ClassLimit) describeRange() string {
	switch {
	case l.Min.Valid && l.Max.Valid:
		return formatShare(l.Min.Decimal) + " to " + formatShare(l.Max.Decimal)
	case l.Min.Valid:
		return "at least " + formatShare(l.Min.Decimal)
	}
	return "at most " + formatShare(l.Max.Decimal)
}

func (e exposure) checkExcludedClasses(l Limits) RuleResult {
	if l.ExcludedClasses == nil {
		return notJudged(RuleExcludedClasses, "You did not say whether any class is excluded.")
	}
	if len(e.symbols) == 0 && !e.Cash.Valid {
		return notJudged(RuleExcludedClasses, reasonNoWeights)
	}
	if len(l.ExcludedClasses) == 0 {
		return RuleResult{Rule: RuleExcludedClasses, Outcome: Pass, Sentence: "You excluded no class."}
	}
	var held, unknown []string
	for _, class := range l.ExcludedClasses {
		p := e.classTotals(class)
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
			Sentence: fmt.Sprintf("You excluded %s.", joinList(held))}
	case !e.Cash.Valid && slices.Contains(l.ExcludedClasses, ClassCash):
		return notJudged(RuleExcludedClasses, "You excluded cash, and how much is cash was not said.")
	case unknown != nil:
		return RuleResult{Rule: RuleExcludedClasses, Outcome: NotJudged,
			Sentence: fmt.Sprintf("The class of %s is not known.", joinSymbols(unknown))}
	}
	return RuleResult{Rule: RuleExcludedClasses, Outcome: Pass, Sentence: "No class that you excluded is in it."}
}

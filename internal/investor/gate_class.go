package investor

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// classesWithin has a row for each class that is limited, in the order of Classes.
func (e exposure) classesWithin(l Limits) []Row {
	if l.Classes == nil {
		return []Row{unjudged(RuleClass+"all", "You did not say whether classes are limited.")}
	}
	if len(l.Classes) == 0 {
		return []Row{{Rule: RuleClass + "all", Outcome: Pass, Sentence: "You limited no class."}}
	}
	var rows []Row
	for _, class := range Classes() {
		if limit, ok := l.class(class); ok {
			rows = append(rows, e.classWithin(limit))
		}
	}
	return rows
}

// classWithin judges by the nearer end. What may be of the class or not lets the
// rule fail where it fails in either case, and never pass.
func (e exposure) classWithin(limit ClassLimit) Row {
	rule, p := RuleClass+string(limit.Class), e.parts(limit.Class)
	row := Row{Rule: rule, Number: known(p.net), Threshold: limit.Min, Unit: fraction, Outcome: Pass}
	if limit.Max.Valid {
		row.Number, row.Threshold = known(p.gross), limit.Max
	}
	cashUnknown := limit.Class == ClassCash && !e.Cash.Valid
	switch {
	case len(e.symbols) == 0 && !e.Cash.Valid:
		return unjudged(rule, noWeights)
	case limit.Max.Valid && p.gross.GreaterThan(limit.Max.Decimal):
		row.Outcome = Fail
		row.Sentence = fmt.Sprintf("%s is %s; your most is %s.", limit.Class, shown(p.gross), shown(limit.Max.Decimal))
	case limit.Min.Valid && !cashUnknown && p.net.Add(p.over).LessThan(limit.Min.Decimal):
		row.Outcome, row.Number, row.Threshold = Fail, known(p.net), limit.Min
		row.Sentence = fmt.Sprintf("%s is %s; your least is %s.", limit.Class, shown(p.net), shown(limit.Min.Decimal))
	case len(p.unknown) > 0:
		row.Outcome = NotJudged
		row.Sentence = fmt.Sprintf("%s is %s as far as classes are known; that of %s is not.", limit.Class, shown(p.net), clipList(p.unknown))
	case cashUnknown:
		row.Outcome, row.Sentence = NotJudged, "How much is cash was not said."
	default:
		row.Sentence = fmt.Sprintf("%s is %s; your limit is %s.", limit.Class, shown(row.Number.Decimal), limit.span())
	}
	return row
}

// span is "20 % to 60 %", "at least 20 %" or "at most 60 %".
func (l ClassLimit) span() string {
	switch {
	case l.Min.Valid && l.Max.Valid:
		return shown(l.Min.Decimal) + " to " + shown(l.Max.Decimal)
	case l.Min.Valid:
		return "at least " + shown(l.Min.Decimal)
	}
	return "at most " + shown(l.Max.Decimal)
}

func (e exposure) withoutClasses(l Limits) Row {
	if l.NoClasses == nil {
		return unjudged(RuleExcludedClasses, "You did not say whether any class is excluded.")
	}
	if len(e.symbols) == 0 && !e.Cash.Valid {
		return unjudged(RuleExcludedClasses, noWeights)
	}
	if len(l.NoClasses) == 0 {
		return Row{Rule: RuleExcludedClasses, Outcome: Pass, Sentence: "You excluded no class."}
	}
	var held, unknown []string
	for _, class := range l.NoClasses {
		p := e.parts(class)
		if p.gross.IsPositive() {
			held = append(held, fmt.Sprintf("%s (%s)", class, shown(p.gross)))
		}
		for _, symbol := range p.unknown {
			if !slices.Contains(unknown, symbol) {
				unknown = append(unknown, symbol)
			}
		}
	}
	switch {
	case held != nil:
		return Row{Rule: RuleExcludedClasses, Outcome: Fail, Threshold: known(decimal.Zero), Unit: fraction,
			Sentence: fmt.Sprintf("You excluded %s.", list(held))}
	case !e.Cash.Valid && slices.Contains(l.NoClasses, ClassCash):
		return unjudged(RuleExcludedClasses, "You excluded cash, and how much is cash was not said.")
	case unknown != nil:
		return Row{Rule: RuleExcludedClasses, Outcome: NotJudged,
			Sentence: fmt.Sprintf("The class of %s is not known.", clipList(unknown))}
	}
	return Row{Rule: RuleExcludedClasses, Outcome: Pass, Sentence: "No class that you excluded is in it."}
}

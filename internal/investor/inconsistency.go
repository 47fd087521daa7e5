package investor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
)

// Inconsistency is a set of answers that cannot all be meant.
type Inconsistency struct {
	Fields  []string `json:"fields"`   // IDs of the questions
	Message string   `json:"says"`     // what the answers say together
	Advice  string   `json:"suggests"` // what to look at again, or which answer counts
	// Public is Message without sums of money, for readers from whom amounts are hidden.
	Public string `json:"-"`
}

// EquityDrawdown is the fall of a broad portfolio of shares that the checks reckon
// with: American shares lost about half in 2000 to 2002 and again in 2007 to 2009,
// measured by the S&P 500 without dividends.
func EquityDrawdown() decimal.Decimal { return decimal.New(5, -1) }

const (
	shortHorizon     = 3 // years in which a fall may well not be made good
	maxPlanningAge   = 100
	minRetirementAge = 35 // ages between which people retire
	maxRetirementAge = 85
)

// Inconsistencies finds the answers that contradict each other as of a day, in the
// order of the questions. Answers that are open contradict nothing.
func (p Profile) Inconsistencies(today time.Time) []Inconsistency {
	var out []Inconsistency
	for _, check := range []func(Profile, time.Time) []Inconsistency{
		horizonWithinLifetime, retirementAge, liquidityConflicts, riskToleranceConflicts, experienceConflicts, horizonConflicts, lossCapacityConflicts, minimumConflicts, exclusionConflicts,
	} {
		out = append(out, check(p, today)...)
	}
	return out
}

func newInconsistency(fields []string, suggests, message string, args ...any) []Inconsistency {
	text := fmt.Sprintf(message, args...)
	return []Inconsistency{{Fields: fields, Message: text, Advice: suggests, Public: text}}
}

// newAmountInconsistency is one whose message has sums in it.
func newAmountInconsistency(fields []string, suggests, message string, args ...any) []Inconsistency {
	out := newInconsistency(fields, suggests, message, args...)
	out[0].Public = fmt.Sprintf("The answers to %s do not go together; the user sees how.", joinList(fields))
	return out
}

func horizonWithinLifetime(p Profile, _ time.Time) []Inconsistency {
	age := p.HorizonYear - p.BirthYear
	if p.BirthYear == 0 || p.HorizonYear == 0 || age <= maxPlanningAge {
		return nil
	}
	return newInconsistency([]string{QuestionBirthYear, QuestionHorizon}, "Look at the year of birth and the horizon again, unless the money is meant for heirs.",
		"Born in %d and invested until %d: you would then be %d.", p.BirthYear, p.HorizonYear, age)
}

func retirementAge(p Profile, today time.Time) (out []Inconsistency) {
	for _, o := range p.Objectives {
		age := o.Year - p.BirthYear
		switch {
		case o.Year == 0:
		case o.Year < today.Year():
			out = append(out, newInconsistency([]string{QuestionObjectives}, "Take the aim out, or give it a new year.",
				"The aim %s was for %d, which is past.", o.Aim, o.Year)...)
		case o.Aim == AimRetirement && p.BirthYear != 0 && (age < minRetirementAge || age > maxRetirementAge):
			out = append(out, newInconsistency([]string{QuestionBirthYear, QuestionObjectives}, "Look at the year of birth and the year of retirement again.",
				"Born in %d and retired in %d: you would then be %d.", p.BirthYear, o.Year, age)...)
		}
	}
	return out
}

func liquidityConflicts(p Profile, today time.Time) (out []Inconsistency) {
	liquid, sum := p.Finances.Liquid, decimal.Zero
	for _, n := range p.Needs {
		if !n.By.IsZero() && n.By.Before(startOfDay(today)) {
			out = append(out, newAmountInconsistency([]string{QuestionLiquidityNeeds}, "Take the need out if it was met, or give it a new date.",
				"%s were needed by %s, which is past.", n.Amount, n.By.Format(time.DateOnly))...)
			continue
		}
		// Sums in other currencies would need a rate, which is not known here.
		if n.Amount.Currency == liquid.Currency {
			sum = sum.Add(n.Amount.Amount)
		}
	}
	if !liquid.IsZero() && sum.GreaterThan(liquid.Amount) {
		out = append(out, newAmountInconsistency([]string{QuestionLiquidAssets, QuestionLiquidityNeeds}, "Say what else the needs are paid from, or plan to sell for them in time.",
			"You need %s %s and have %s at hand.", sum, liquid.Currency, liquid)...)
	}
	return out
}

func startOfDay(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func riskToleranceConflicts(p Profile, _ time.Time) []Inconsistency {
	smallCapacity := decimal.New(15, -2)
	_, level, ok := p.Score()
	if !ok || level != ToleranceHigh || !p.Limits.LossCapacity.Valid || p.Limits.LossCapacity.Decimal.GreaterThan(smallCapacity) {
		return nil
	}
	return newInconsistency(append(riskFields(), QuestionLossCapacity), "The loss that you can bear counts, and not the one that you would dare.",
		"Your risk tolerance is high, but you can bear a fall of no more than %s.", formatPercent(p.Limits.LossCapacity))
}

func experienceConflicts(p Profile, _ time.Time) []Inconsistency {
	if _, level, ok := p.Score(); !ok || level != ToleranceHigh || p.Experience != ExperienceNone {
		return nil
	}
	return newInconsistency(append([]string{QuestionExperience}, riskFields()...), "Begin with less risk: nobody knows beforehand how a fall feels.",
		"Your risk tolerance is high, but you have not invested yet.")
}

func riskFields() []string {
	entries := riskQuestions()
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

func horizonConflicts(p Profile, today time.Time) (out []Inconsistency) {
	years := p.HorizonYear - today.Year()
	if p.HorizonYear == 0 {
		return nil
	}
	if years < 0 {
		return newInconsistency([]string{QuestionHorizon}, "Give the horizon a new year.", "Your horizon was %d, which is past.", p.HorizonYear)
	}
	if years > shortHorizon {
		return nil
	}
	if _, level, ok := p.Score(); ok && level == ToleranceHigh {
		out = append(out, newInconsistency(append([]string{QuestionHorizon}, riskFields()...), "The short horizon counts: take less risk with this money.",
			"Your risk tolerance is high, but the money stays invested until %d only.", p.HorizonYear)...)
	}
	if limit, ok := p.Limits.classLimit(portfolio.ClassEquity); ok && limit.Min.Valid && limit.Min.Decimal.GreaterThanOrEqual(EquityDrawdown()) {
		out = append(out, newInconsistency([]string{QuestionHorizon, QuestionClassLimits}, "Lower the least part of shares, or name a later year.",
			"At least %s in shares, but the money stays invested until %d only.", formatPercent(limit.Min), p.HorizonYear)...)
	}
	return out
}

// lossCapacityConflicts holds what the limits on shares allow against the loss that can be borne.
func lossCapacityConflicts(p Profile, _ time.Time) []Inconsistency {
	limit, ok := p.Limits.classLimit(portfolio.ClassEquity)
	bearable := p.Limits.LossCapacity
	if !ok || !bearable.Valid {
		return nil
	}
	fields := []string{QuestionLossCapacity, QuestionClassLimits}
	for _, end := range []struct {
		part           decimal.NullDecimal
		word, suggests string
	}{
		{limit.Min, "at least", "Both cannot hold: lower the least part of shares."},
		{limit.Max, "up to", "The loss that you can bear counts: lower the most part of shares."},
	} {
		if fall := end.part.Decimal.Mul(EquityDrawdown()); end.part.Valid && fall.GreaterThan(bearable.Decimal) {
			return newInconsistency(fields, end.suggests, "With %s %s in shares, which have lost half before, a fall of %s is possible; you can bear %s.",
				end.word, formatPercent(end.part), formatPercent(decimal.NewNullDecimal(fall)), formatPercent(bearable))
		}
	}
	return nil
}

func (l Limits) classLimit(class portfolio.Class) (ClassLimit, bool) {
	for _, limit := range l.Classes {
		if limit.Class == class {
			return limit, true
		}
	}
	return ClassLimit{}, false
}

// minimumConflicts finds limits that no portfolio can meet.
func minimumConflicts(p Profile, _ time.Time) (out []Inconsistency) {
	whole, least, most := decimal.NewFromInt(1), decimal.Zero, decimal.Zero
	bounded := len(p.Limits.Classes) == len(portfolio.Classes())
	for _, limit := range p.Limits.Classes {
		low := limit.Min.Decimal
		if limit.Class == portfolio.ClassCash && p.Limits.CashShare.Valid {
			low = decimal.Max(low, p.Limits.CashShare.Decimal)
		}
		least, most = least.Add(low), most.Add(limit.Max.Decimal)
		bounded = bounded && limit.Max.Valid
	}
	cash, limited := p.Limits.classLimit(portfolio.ClassCash)
	if !limited {
		least = least.Add(p.Limits.CashShare.Decimal)
	}
	if least.GreaterThan(whole) {
		out = append(out, newInconsistency([]string{QuestionClassLimits, QuestionCashPart}, "Lower one of them.",
			"The least parts of all classes and of cash add up to %s.", formatPercent(decimal.NewNullDecimal(least)))...)
	}
	if bounded && most.LessThan(whole) {
		out = append(out, newInconsistency([]string{QuestionClassLimits}, "Raise one of them.",
			"The most parts of all classes add up to %s only.", formatPercent(decimal.NewNullDecimal(most)))...)
	}
	if cash.Max.Valid && p.Limits.CashShare.Valid && cash.Max.Decimal.LessThan(p.Limits.CashShare.Decimal) {
		out = append(out, newInconsistency([]string{QuestionClassLimits, QuestionCashPart}, "Raise the one or lower the other.",
			"Cash is to be at most %s and at least %s.", formatPercent(cash.Max), formatPercent(p.Limits.CashShare))...)
	}
	return out
}

func exclusionConflicts(p Profile, _ time.Time) []Inconsistency {
	var both []string
	for _, limit := range p.Limits.Classes {
		if limit.Min.Decimal.IsPositive() && slices.Contains(p.Limits.ExcludedClasses, limit.Class) {
			both = append(both, string(limit.Class))
		}
	}
	if slices.Contains(p.Limits.ExcludedClasses, portfolio.ClassCash) && p.Limits.CashShare.Decimal.IsPositive() {
		both = append(both, "cash in reserve")
	}
	if both == nil {
		return nil
	}
	return newInconsistency([]string{QuestionClassLimits, QuestionExcludedClasses}, "Take it out of one of the two lists.",
		"Excluded, and yet with a least part: %s.", strings.Join(both, ", "))
}

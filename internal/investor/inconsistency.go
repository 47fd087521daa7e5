package investor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/shopspring/decimal"
)

// Inconsistency is a set of contradictory answers.
type Inconsistency struct {
	Fields  []string `json:"fields"`   // IDs of the questions
	Message string   `json:"says"`     // the contradiction
	Advice  string   `json:"suggests"` // what to check, or which answer counts
	// Public is Message without amounts of money, for readers who must not see them.
	Public string `json:"-"`
}

// EquityDrawdown returns the drawdown of a broad stock portfolio that the checks assume. US stocks lost
// about half in 2000 to 2002 and again in 2007 to 2009, measured by the S&P 500 without dividends.
func EquityDrawdown() decimal.Decimal { return decimal.New(5, -1) }

const (
	shortHorizon     = 3 // years within which a loss may not be recovered
	maxPlanningAge   = 100
	minRetirementAge = 35 // youngest usual retirement age
	maxRetirementAge = 85
)

// Inconsistencies returns the contradictory answers as of a date, in the order of the questions.
// Unanswered questions contradict nothing.
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

// newAmountInconsistency works like newInconsistency for a message with amounts of money.
func newAmountInconsistency(fields []string, suggests, message string, args ...any) []Inconsistency {
	out := newInconsistency(fields, suggests, message, args...)
	out[0].Public = fmt.Sprintf("The answers to %s contradict each other; only the user can see the details.", humanize.JoinAnd(fields))
	return out
}

func horizonWithinLifetime(p Profile, _ time.Time) []Inconsistency {
	age := p.HorizonYear - p.BirthYear
	if p.BirthYear == 0 || p.HorizonYear == 0 || age <= maxPlanningAge {
		return nil
	}
	return newInconsistency([]string{QuestionBirthYear, QuestionHorizon}, "Check the year of birth and the horizon, unless the money is meant for heirs.",
		"Born in %d and invested until %d: you would then be %d.", p.BirthYear, p.HorizonYear, age)
}

func retirementAge(p Profile, today time.Time) (out []Inconsistency) {
	for _, o := range p.Objectives {
		age := o.Year - p.BirthYear
		switch {
		case o.Year == 0:
		case o.Year < today.Year():
			out = append(out, newInconsistency([]string{QuestionObjectives}, "Remove the objective, or give it a new year.",
				"The objective %s was for %d, which is in the past.", o.Aim, o.Year)...)
		case o.Aim == AimRetirement && p.BirthYear != 0 && (age < minRetirementAge || age > maxRetirementAge):
			out = append(out, newInconsistency([]string{QuestionBirthYear, QuestionObjectives}, "Check the year of birth and the year of retirement.",
				"Born in %d and retired in %d: you would then be %d.", p.BirthYear, o.Year, age)...)
		}
	}
	return out
}

func liquidityConflicts(p Profile, today time.Time) (out []Inconsistency) {
	liquid, sum := p.Finances.Liquid, decimal.Zero
	for _, n := range p.Needs {
		if !n.By.IsZero() && n.By.Before(startOfDay(today)) {
			out = append(out, newAmountInconsistency([]string{QuestionLiquidityNeeds}, "Remove the need if it has been met, or give it a new date.",
				"%s was needed by %s, which is in the past.", n.Amount, n.By.Format(time.DateOnly))...)
			continue
		}
		// Amounts in other currencies would need an exchange rate, which is unknown here.
		if n.Amount.Currency == liquid.Currency {
			sum = sum.Add(n.Amount.Amount)
		}
	}
	if !liquid.IsZero() && sum.GreaterThan(liquid.Amount) {
		out = append(out, newAmountInconsistency([]string{QuestionLiquidAssets, QuestionLiquidityNeeds}, "Decide how to pay for these needs, or plan to sell investments in time.",
			"You need %s %s but have %s in liquid assets.", sum, liquid.Currency, liquid)...)
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
	return newInconsistency(append(riskFields(), QuestionLossCapacity), "nfa uses the loss you can afford, not the loss you would accept.",
		"Your risk tolerance is high, but you can afford a loss of at most %s.", formatPercent(p.Limits.LossCapacity))
}

func experienceConflicts(p Profile, _ time.Time) []Inconsistency {
	if _, level, ok := p.Score(); !ok || level != ToleranceHigh || p.Experience != ExperienceNone {
		return nil
	}
	return newInconsistency(append([]string{QuestionExperience}, riskFields()...), "Start with less risk: nobody knows in advance how a loss feels.",
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
		return newInconsistency([]string{QuestionHorizon}, "Enter a new year for the horizon.", "Your horizon was %d, which is in the past.", p.HorizonYear)
	}
	if years > shortHorizon {
		return nil
	}
	if _, level, ok := p.Score(); ok && level == ToleranceHigh {
		out = append(out, newInconsistency(append([]string{QuestionHorizon}, riskFields()...), "The short horizon decides: take less risk with this money.",
			"Your risk tolerance is high, but the money stays invested only until %d.", p.HorizonYear)...)
	}
	if limit, ok := p.Limits.classLimit(portfolio.ClassEquity); ok && limit.Min.Valid && limit.Min.Decimal.GreaterThanOrEqual(EquityDrawdown()) {
		out = append(out, newInconsistency([]string{QuestionHorizon, QuestionClassLimits}, "Lower the minimum for stocks, or choose a later year.",
			"At least %s in stocks, but the money stays invested only until %d.", formatPercent(limit.Min), p.HorizonYear)...)
	}
	return out
}

// lossCapacityConflicts compares the limits for stocks with the loss capacity.
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
		{limit.Min, "at least", "These contradict each other: lower the minimum for stocks."},
		{limit.Max, "up to", "The loss you can afford decides: lower the maximum for stocks."},
	} {
		if fall := end.part.Decimal.Mul(EquityDrawdown()); end.part.Valid && fall.GreaterThan(bearable.Decimal) {
			return newInconsistency(fields, end.suggests, "With %s %s in stocks, which have halved before, a loss of %s is possible; you can afford %s.",
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
			"The minimums of all classes and cash add up to %s.", formatPercent(decimal.NewNullDecimal(least)))...)
	}
	if bounded && most.LessThan(whole) {
		out = append(out, newInconsistency([]string{QuestionClassLimits}, "Raise one of them.",
			"The maximums of all classes add up to only %s.", formatPercent(decimal.NewNullDecimal(most)))...)
	}
	if cash.Max.Valid && p.Limits.CashShare.Valid && cash.Max.Decimal.LessThan(p.Limits.CashShare.Decimal) {
		out = append(out, newInconsistency([]string{QuestionClassLimits, QuestionCashPart}, "Raise the maximum or lower the minimum.",
			"The limit for cash is at most %s, but the cash reserve is at least %s.", formatPercent(cash.Max), formatPercent(p.Limits.CashShare))...)
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
		both = append(both, "cash reserve")
	}
	if both == nil {
		return nil
	}
	return newInconsistency([]string{QuestionClassLimits, QuestionExcludedClasses}, "Remove it from one of the two lists.",
		"Excluded, but with a minimum: %s.", strings.Join(both, ", "))
}

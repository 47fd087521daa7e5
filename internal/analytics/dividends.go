package analytics

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ExpectedDividend is a dividend per share of the coming year. Paid is zero if the payment date is
// unknown.
type ExpectedDividend struct {
	ExDate, Paid market.Date
	Amount       decimal.Decimal
	Rule         DividendRule
}

// DividendRule is the basis of an expected dividend's amount.
type DividendRule string

// Rules, as shown to the user.
const (
	Declared    DividendRule = "declared"
	LastPayment DividendRule = "last payment, on the dates of the previous year"
	YearBefore  DividendRule = "same payment as in the previous year"
	Interval    DividendRule = "last payment, at the same interval"
)

// Reasons why a payer's dividends are not estimated.
const (
	NoDividends     = "no dividends in the last two years"
	OneDividend     = "only one dividend is known"
	DividendStopped = "the last dividend is older than usual"
)

// specialDividend is how many times the median a dividend must be to count as special.
const specialDividend = 3

// On returns the payment date, or the ex-dividend date if that is unknown.
func (e ExpectedDividend) On() market.Date {
	if e.Paid.IsZero() {
		return e.ExDate
	}
	return e.Paid
}

// ExpectDividends estimates the dividends paid in the year after day, oldest first. Dividends that are
// announced but not paid yet are Declared and replace the estimate for their date.
//
// A payer that never lowered its dividend, or whose last two are equal, is expected to repeat the last one
// on the dates of the year before. Others, such as funds and companies with an interim and a final
// dividend, are expected to repeat each payment of the year before. A payer with less than a year of
// history is expected to repeat the last one at the same interval. A special dividend is not repeated. If
// there is no estimate, reason says why.
func ExpectDividends(actions []market.Action, day market.Date) (expected []ExpectedDividend, reason string) {
	var past, declared []market.Action
	for _, a := range actions {
		if a.Kind != market.ActionDividend || !a.Amount.IsPositive() {
			continue
		}
		if e := (ExpectedDividend{ExDate: a.Date, Paid: a.Paid, Amount: a.Amount, Rule: Declared}); e.On().After(day) {
			expected = append(expected, e)
		}
		switch {
		case a.Date.After(day):
			declared = append(declared, a)
		case a.Date.After(day.AddDate(-2, -2, 0)):
			past = append(past, a)
		}
	}
	known := slices.Concat(regularDividends(past), declared)
	gap := medianGap(known)
	switch {
	case len(known) == 0:
		return expected, NoDividends
	case len(known) == 1:
		return expected, OneDividend
	case days(known[len(known)-1].Date, day) > gap+gap/2:
		return expected, DividendStopped
	}
	last := known[len(known)-1]
	end := day.AddDate(1, 0, 0)
	lag := 0
	for _, a := range known {
		if !a.Paid.IsZero() {
			lag = days(a.Date, a.Paid)
		}
	}
	add := func(date market.Date, amount decimal.Decimal, rule DividendRule) {
		if days(last.Date, date) <= gap/2 {
			return // already paid or declared
		}
		if !date.After(day) {
			date = day.AddDate(0, 0, 1) // overdue
		}
		e := ExpectedDividend{ExDate: date, Amount: amount, Rule: rule}
		if lag > 0 {
			e.Paid = date.AddDate(0, 0, lag)
		}
		if !e.On().After(end) {
			expected = append(expected, e)
		}
	}
	if days(known[0].Date, end) < 2*365-gap/2 { // less than a year of history
		for date := last.Date.AddDate(0, 0, gap); !date.After(end); date = date.AddDate(0, 0, gap) {
			add(date, last.Amount, Interval)
		}
		return expected, ""
	}
	level := isLevel(known)
	for _, a := range known {
		switch date := a.Date.AddDate(1, 0, 0); {
		case days(date, day) > gap/2:
		case level:
			add(date, last.Amount, LastPayment)
		default:
			add(date, a.Amount, YearBefore)
		}
	}
	return expected, ""
}

func days(from, to market.Date) int { return int(to.Sub(from).Hours() / 24) }

// regularDividends omits special dividends. One that follows a similar payment a year earlier is not
// special: many funds pay most at the end of a year.
func regularDividends(past []market.Action) []market.Action {
	if len(past) < 4 {
		return past
	}
	amounts := make([]decimal.Decimal, len(past))
	for i, a := range past {
		amounts[i] = a.Amount
	}
	slices.SortFunc(amounts, decimal.Decimal.Compare)
	limit := amounts[len(amounts)/2].Mul(decimal.NewFromInt(specialDividend))
	isLarge := func(a market.Action) bool { return a.Amount.GreaterThan(limit) }
	return slices.DeleteFunc(slices.Clone(past), func(a market.Action) bool {
		return isLarge(a) && !slices.ContainsFunc(past, func(b market.Action) bool {
			distance := max(days(b.Date, a.Date), days(a.Date, b.Date))
			return isLarge(b) && distance > 320 && distance < 410
		})
	})
}

// medianGap returns the usual number of days between two dividends, or 0.
func medianGap(known []market.Action) int {
	var gaps []int
	for i := 1; i < len(known); i++ {
		if n := days(known[i-1].Date, known[i].Date); n > 0 {
			gaps = append(gaps, n)
		}
	}
	if gaps == nil {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// isLevel reports whether the last dividend is the best estimate of the next: it equals the one before, or
// no dividend was lower than the previous one.
func isLevel(known []market.Action) bool {
	n := len(known)
	return known[n-1].Amount.Equal(known[n-2].Amount) ||
		slices.IsSortedFunc(known, func(a, b market.Action) int { return a.Amount.Compare(b.Amount) })
}

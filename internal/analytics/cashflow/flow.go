package cashflow

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Errors of what cannot be solved. Their messages say what is wrong with the
// numbers, for whoever gave them.
var (
	ErrInput  = errors.New("impossible input")
	ErrNoRate = errors.New("no rate solves it")
)

// Flow is a payment on a day: negative is paid in, positive is received.
type Flow struct {
	Date   time.Time
	Amount float64
}

// daysPerYear is fixed in the definition of XIRR, leap years or not.
const daysPerYear = 365

// PresentValue is the sum of amount / (1 + rate)^(days/365), days counted from the
// earliest flow: net present value in the convention of XNPV, except that the
// earliest day stands for today whatever the order of the flows.
func PresentValue(flows []Flow, rate float64) float64 {
	e, total := sumOf(merged(flows)), 0.0
	for i, a := range e.amounts {
		total += a * math.Pow(1+rate, -e.years[i])
	}
	return total
}

// Returns are the rates at which a run of payments is worth nothing.
type Returns struct {
	// Rates solve it, ascending. More than one means that no single rate
	// describes the flows.
	Rates []float64
	// SignChanges is how often the amounts change their sign in order of date: by
	// Descartes' rule there are no more rates than that.
	SignChanges int
	Days        int // from the first flow to the last
}

// XIRR solves sum(amount / (1 + r)^(days/365)) = 0 for every rate r between
// -99.9999 % and one hundred million per cent: the money-weighted return a year,
// actual/365, as spreadsheets define XIRR. Flows of the same day are added up
// first. Without a flow of each sign, or with all on one day, it is ErrInput; where
// the flows allow no rate at all it is ErrNoRate.
//
// Source: Microsoft, XIRR function; Descartes' rule of signs for the number of
// roots.
func XIRR(flows []Flow) (Returns, error) {
	for _, f := range flows {
		if math.IsNaN(f.Amount) || math.IsInf(f.Amount, 0) {
			return Returns{}, fmt.Errorf("%w: the amount of %s is not a number", ErrInput, f.Date.Format(time.DateOnly))
		}
	}
	days := merged(flows)
	found := Returns{SignChanges: signChanges(days)}
	switch {
	case len(days) < 2:
		return found, fmt.Errorf("%w: a rate needs payments on two days at least", ErrInput)
	case found.SignChanges == 0:
		return found, fmt.Errorf("%w: all payments have one sign; what is paid in is negative, what is received positive", ErrInput)
	}
	found.Days = int(days[len(days)-1].Date.Sub(days[0].Date).Hours() / 24)
	for _, x := range roots(sumOf(days).at, lowestLog, highestLog) {
		found.Rates = append(found.Rates, math.Expm1(x))
	}
	if len(found.Rates) == 0 {
		return found, fmt.Errorf("%w: the payments are worth more than nothing, or less, at every rate", ErrNoRate)
	}
	return found, nil
}

// Bounds of ln(1 + r).
var (
	lowestLog  = math.Log(1e-6)
	highestLog = math.Log(1e6)
)

// merged adds up the flows of a day, in order of date; days that come to nothing
// are left out.
func merged(flows []Flow) []Flow {
	byDate := slices.Clone(flows)
	slices.SortStableFunc(byDate, func(a, b Flow) int { return cmp.Compare(a.Date.Unix(), b.Date.Unix()) })
	var out []Flow
	for _, f := range byDate {
		if n := len(out); n > 0 && out[n-1].Date.Equal(f.Date) {
			out[n-1].Amount += f.Amount
			continue
		}
		out = append(out, f)
	}
	return slices.DeleteFunc(out, func(f Flow) bool { return f.Amount == 0 })
}

func signChanges(flows []Flow) int {
	n := 0
	for i := 1; i < len(flows); i++ {
		if flows[i].Amount < 0 != (flows[i-1].Amount < 0) {
			n++
		}
	}
	return n
}

// exponentials is sum(amount * e^(-x * years)).
type exponentials struct{ amounts, years []float64 }

func sumOf(flows []Flow) exponentials {
	var e exponentials
	for _, f := range flows {
		e.amounts = append(e.amounts, f.Amount)
		e.years = append(e.years, f.Date.Sub(flows[0].Date).Hours()/24/daysPerYear)
	}
	return e
}

// at is the sum at x, or for negative x its value on the last day, which has the
// same sign and cannot overflow.
func (e exponentials) at(x float64) float64 {
	base := 0.0
	if x < 0 && len(e.years) > 0 {
		base = e.years[len(e.years)-1]
	}
	total := 0.0
	for i, a := range e.amounts {
		total += a * math.Exp(-x*(e.years[i]-base))
	}
	return total
}

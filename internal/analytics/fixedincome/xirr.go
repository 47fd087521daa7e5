package fixedincome

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Errors of unsolvable inputs. Their messages explain what is wrong with the numbers.
var (
	ErrInvalidCashFlow = errors.New("invalid input")
	ErrNoRate          = errors.New("no rate solves the equation")
)

// CashFlow is a payment on a day: negative is paid in, positive is received.
type CashFlow struct {
	Date   time.Time
	Amount float64
}

// daysPerYear is fixed in the definition of XIRR, leap years or not.
const daysPerYear = 365

// InternalRates are the rates at which the net present value of the payments is zero.
type InternalRates struct {
	// Rates are the solutions, ascending. More than one means that no single rate describes the cash flows.
	Rates []float64
	// SignChanges is how often the amounts change sign in order of date. By Descartes' rule there are at
	// most as many rates.
	SignChanges int
	From, To    time.Time // first and last date with a payment
	Days        int       // between them
}

// largestAmount exceeds any real amount and stays far below what float64 can add up.
const largestAmount = 1e18

func checkFlows(flows []CashFlow) error {
	for _, f := range flows {
		if !(math.Abs(f.Amount) <= largestAmount) {
			return fmt.Errorf("%w: the amount on %s is not a number or too large", ErrInvalidCashFlow, f.Date.Format(time.DateOnly))
		}
	}
	return nil
}

// XIRR returns every rate r between -99.9999% and one hundred million percent that solves sum(amount / (1 +
// r)^(days/365)) = 0: the annual money-weighted return, actual/365, as spreadsheets define XIRR. Flows on
// the same day are added up first. If the flows have only one sign, or are all on one day, the error is
// ErrInvalidCashFlow; if no rate solves the equation, it is ErrNoRate.
//
// Source: Microsoft, XIRR function; Descartes' rule of signs for the number of roots.
func XIRR(flows []CashFlow) (InternalRates, error) {
	if err := checkFlows(flows); err != nil {
		return InternalRates{}, err
	}
	days := mergeByDay(flows)
	found := InternalRates{SignChanges: signChanges(days)}
	switch {
	case len(days) < 2:
		return found, fmt.Errorf("%w: payments on at least two days are needed", ErrInvalidCashFlow)
	case found.SignChanges == 0:
		return found, fmt.Errorf("%w: all payments have the same sign; payments must be negative, receipts positive (if nothing was received, the return is -100%%)", ErrInvalidCashFlow)
	}
	found.From, found.To = days[0].Date, days[len(days)-1].Date
	found.Days = int(found.To.Sub(found.From).Hours() / 24)
	found.Rates = findRates(discountSum(days), found.SignChanges)
	if len(found.Rates) == 0 {
		return found, fmt.Errorf("%w: no rate between -99.9999%% and 100,000,000%% a year fits; over a few days, an annual rate is not meaningful", ErrNoRate)
	}
	return found, nil
}

// findRates returns the rates at which f, a function of ln(1 + r), is zero.
func findRates(f func(float64) float64, signChanges int) []float64 {
	// One change of sign allows only one root.
	if signChanges == 1 {
		if f(lowestLog) < 0 == (f(highestLog) < 0) {
			return nil
		}
		return []float64{rateFromLog(bisect(f, lowestLog, highestLog))}
	}
	var rates []float64
	for _, x := range roots(f, lowestLog, highestLog) {
		rates = append(rates, rateFromLog(x))
	}
	return rates
}

// rateFromLog returns r for x = ln(1 + r). A value that differs from zero only by rounding becomes zero.
func rateFromLog(x float64) float64 {
	if math.Abs(x) < 1e-12 {
		return 0
	}
	return math.Expm1(x)
}

// Bounds of ln(1 + r).
var (
	lowestLog  = math.Log(1e-6)
	highestLog = math.Log(1e6)
)

// mergeByDay adds up the flows of each day, sorted by date. Days whose sum is zero except for
// rounding are omitted: 0.1 + 0.2 - 0.3 is not a payment and would create an extra rate.
func mergeByDay(flows []CashFlow) []CashFlow {
	byDate := slices.Clone(flows)
	slices.SortStableFunc(byDate, func(a, b CashFlow) int { return cmp.Compare(a.Date.Unix(), b.Date.Unix()) })
	var out []CashFlow
	for i := 0; i < len(byDate); {
		day, moved := CashFlow{Date: byDate[i].Date}, 0.0
		for ; i < len(byDate) && byDate[i].Date.Equal(day.Date); i++ {
			day.Amount += byDate[i].Amount
			moved += math.Abs(byDate[i].Amount)
		}
		if math.Abs(day.Amount) > 1e-13*moved {
			out = append(out, day)
		}
	}
	return out
}

func signChanges(flows []CashFlow) int {
	n := 0
	for i := 1; i < len(flows); i++ {
		if flows[i].Amount < 0 != (flows[i-1].Amount < 0) {
			n++
		}
	}
	return n
}

// discountSum returns the function sum(amount * e^(-x * years)). For negative x it returns the value on the
// last day, which has the same sign and cannot overflow.
func discountSum(flows []CashFlow) func(x float64) float64 {
	years := make([]float64, len(flows))
	for i, f := range flows {
		years[i] = f.Date.Sub(flows[0].Date).Hours() / 24 / daysPerYear
	}
	return func(x float64) float64 {
		since := 0.0
		if x < 0 {
			since = years[len(years)-1]
		}
		total := 0.0
		for i, f := range flows {
			total += f.Amount * math.Exp(-x*(years[i]-since))
		}
		return total
	}
}

const (
	gridSteps     = 4000 // of a scan for roots
	maxHalvings   = 200  // more than a float64 can resolve
	maxNarrowings = 80   // of a search for an extremum, by 0.618 each
	// touchTolerance is how close to zero an extremum must be to count as a root, relative to the values
	// one step away. A root that only touches zero cannot be located more precisely, because rounding moves
	// it by that much. Two roots within a ten-thousandth of a percent count as one.
	touchTolerance = 1e-9
)

// roots returns every place between low and high where f is zero, ascending. Between two steps
// of the grid it finds a change of sign, or an extremum that touches zero. It also finds two
// roots that are closer than a step, because it looks at the extremum between them.
func roots(f func(float64) float64, low, high float64) []float64 {
	step := (high - low) / gridSteps
	var found []float64
	add := func(x float64) {
		if n := len(found); n == 0 || x-found[n-1] > 1e-9 {
			found = append(found, x)
		}
	}
	before, at := math.NaN(), f(low)
	for i := 1; i <= gridSteps; i++ {
		x := low + float64(i)*step
		next := f(x)
		switch {
		case at == 0:
			add(x - step)
		case at < 0 != (next < 0) && next != 0:
			add(bisect(f, x-step, x))
		case isExtremum(before, at, next):
			for _, r := range rootsNearExtremum(f, x-2*step, x, at) {
				add(r)
			}
		}
		before, at = at, next
	}
	if at == 0 {
		add(high)
	}
	return found
}

// isExtremum reports whether the middle of three values with the same sign is the closest to zero.
func isExtremum(before, at, next float64) bool {
	return before < 0 == (at < 0) && math.Abs(at) <= math.Abs(before) && math.Abs(at) <= math.Abs(next)
}

// rootsNearExtremum looks for roots around an extremum between low and high, where f has
// the sign of outside at both ends.
func rootsNearExtremum(f func(float64) float64, low, high, outside float64) []float64 {
	toward := func(x float64) float64 { return math.Copysign(1, outside) * f(x) }
	a, b := low, high
	for range maxNarrowings {
		left, right := a+(b-a)*0.382, a+(b-a)*0.618
		if toward(left) < toward(right) {
			b = right
		} else {
			a = left
		}
	}
	turn := (a + b) / 2
	scale := math.Max(math.Abs(f(low)), math.Abs(f(high)))
	switch depth := toward(turn); {
	case math.Abs(depth) <= touchTolerance*scale:
		return []float64{turn}
	case depth < 0:
		return []float64{bisect(f, low, turn), bisect(f, turn, high)}
	}
	return nil
}

// bisect finds the zero of f between two points of different sign.
func bisect(f func(float64) float64, low, high float64) float64 {
	negative := f(low) < 0
	for range maxHalvings {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if f(middle) < 0 == negative {
			low = middle
		} else {
			high = middle
		}
	}
	return low + (high-low)/2
}

package performance

import (
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ValueSeries holds daily values with the external cash flows. It is immutable.
type ValueSeries struct {
	First  market.Date           // the day of index 0
	Base   string                // the currency of all amounts
	Values []decimal.NullDecimal // at the close of each day; invalid if unknown
	Flows  []decimal.Decimal     // net, of each day
	// UnvaluedReason returns why a day has no value; it is called only for such days.
	// UnknownFlowReason returns why a flow after the close of a span's first day is unknown, or ""
	// if all are known.
	UnvaluedReason    func(day int) string
	UnknownFlowReason func(s Span) string
}

// Span is a period between the closes of two days, as indexes of a ValueSeries.
type Span struct{ From, To int }

// Days returns the length of the period in days.
func (s Span) Days() int { return s.To - s.From }

const dayLength = 24 * time.Hour

func (c ValueSeries) date(i int) market.Date { return c.First.AddDate(0, 0, i) }

// formatDay formats the day of an index for a message.
func (c ValueSeries) formatDay(i int) string { return c.date(i).Format(time.DateOnly) }

// Ends returns the values at both ends, or why one is unknown.
func (c ValueSeries) Ends(s Span) (start, end decimal.Decimal, why string) {
	for _, i := range []int{s.From, s.To} {
		if !c.Values[i].Valid {
			return start, end, c.UnvaluedReason(i)
		}
	}
	return c.Values[s.From].Decimal, c.Values[s.To].Decimal, ""
}

// NetFlow adds up the flows after the close of the first day.
func (c ValueSeries) NetFlow(s Span) decimal.Decimal {
	sum := decimal.Zero
	for _, f := range c.Flows[s.From+1 : s.To+1] {
		if !f.IsZero() {
			sum = sum.Add(f)
		}
	}
	return sum
}

// Formulas, as shown next to the figures.
const (
	FormulaTimeWeighted = "product over days of (end + out) / (start + in) - 1; deposits count from the start of their day, withdrawals until its end"
	FormulaDietz        = "(end - start - net flow) / (start + sum of flow * w); w = part of the period the flow was invested: (days - d + 1) / days for a deposit on day d, (days - d) / days for a withdrawal"
	FormulaLinkedDietz  = "product over calendar months of 1 + Modified Dietz of the month, less 1"
	FormulaMoney        = "r with sum of flow / (1 + r)^(days since the start / 365) = 0; start value and flows are payments, the end value is a receipt"
	FormulaMoneyShort   = "r with sum of flow / (1 + r)^(days since the first payment / days of the period) = 0: for the period, not per year"
	FormulaSeries       = "close * rate at the end / close * rate at the start - 1; closes include reinvested dividends"
	FormulaAnnual       = "(1 + return)^(365 / days) - 1"
)

// ReturnInput is a figure that went into another.
type ReturnInput struct {
	Name  string
	Value decimal.Decimal
	Unit  string      // currency, "days"; empty for a count
	Date  market.Date // date of the value; zero if it covers the period
}

// Return is a return and how it was computed. If Value is nil, Reason explains why.
type Return struct {
	Value *float64 // over the period, a fraction
	// Annual is the annual rate, actual/365; nil for periods of less than a year, which are never
	// annualized.
	Annual  *float64
	Formula string
	Inputs  []ReturnInput
	Reason  string
	Notes   []string // sentences
}

func absentReturn(formula, reason string) Return { return Return{Formula: formula, Reason: reason} }

// daysPerYear is as in XIRR, so that all annual rates are comparable.
const daysPerYear = 365

// isFullYear reports whether the period is at least a calendar year.
func (c ValueSeries) isFullYear(s Span) bool {
	return !c.date(s.To).Before(c.date(s.From).AddDate(1, 0, 0))
}

// newMeasure returns a return over the period, with its annual rate if it has one.
func (c ValueSeries) newMeasure(formula string, r float64, s Span) Return {
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return absentReturn(formula, "the result is out of range")
	}
	m := Return{Value: &r, Formula: formula}
	if c.isFullYear(s) && r > -1 {
		annual := math.Pow(1+r, daysPerYear/float64(s.Days())) - 1
		m.Annual = &annual
	}
	m.Inputs = []ReturnInput{{Name: "days", Value: decimal.NewFromInt(int64(s.Days())), Unit: "days"}}
	return m
}

// windowInput returns an input for the whole period, not for one day.
func (c ValueSeries) windowInput(name string, value decimal.Decimal) ReturnInput {
	return ReturnInput{Name: name, Value: value, Unit: c.Base}
}

func (c ValueSeries) dayInput(name string, value decimal.Decimal, i int) ReturnInput {
	return ReturnInput{Name: name, Value: value, Unit: c.Base, Date: c.date(i)}
}

// Series returns the return from the first to the last close, ignoring flows.
func (c ValueSeries) Series(s Span) Return {
	first, last, why := c.Ends(s)
	if why != "" {
		return absentReturn(FormulaSeries, why)
	}
	m := c.newMeasure(FormulaSeries, last.InexactFloat64()/first.InexactFloat64()-1, s)
	m.Inputs = append(m.Inputs, c.dayInput("first close", first, s.From), c.dayInput("last close", last, s.To))
	return m
}

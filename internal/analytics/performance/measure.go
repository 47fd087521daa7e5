package performance

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Formulas, as they stand beside the figures.
const (
	FormulaValue        = "sum of quantity * price * rate over all that is held, plus cash * rate, at the close"
	FormulaNetFlow      = "sum of what came from outside less what went there, at the rate of each day"
	FormulaGain         = "end - start - net flow = price + income + currency + fees + taxes"
	FormulaTimeWeighted = "product over days of (end + out) / (start + in) - 1; what came in counts from the start of its day, what went out until its end"
	FormulaDietz        = "(end - start - net flow) / (start + sum of flow * w); w = part of the window that the flow was in: (days - d + 1) / days for one that came in on day d, (days - d) / days for one that went out"
	FormulaLinkedDietz  = "product over calendar months of 1 + Modified Dietz of the month, less 1"
	FormulaMoney        = "r with sum of flow / (1 + r)^(days since the start / 365) = 0; the start value and flows are paid in, the end value is received"
	FormulaMoneyShort   = "r with sum of flow / (1 + r)^(part of the window gone by) = 0: for the window, not for a year; what came in counts from the start of its day"
	FormulaAnnual       = "(1 + return)^(365 / days) - 1"
	FormulaContribution = "gain / (start + sum of flow * w), which add up to the Modified Dietz return"
)

// Input is a figure that went into another.
type Input struct {
	Name  string
	Value decimal.Decimal
	Unit  string      // currency, "days"; empty for a number of things
	Date  market.Date // of which it is; zero where it is of the window
}

// Measure is one return with how it was computed. Value is nil where it is absent,
// and Why then says the reason.
type Measure struct {
	Value *float64 // over the window, a fraction
	// Annual is the rate a year, actual/365; nil for windows of less than a year,
	// which are never made into years.
	Annual  *float64
	Formula string
	Inputs  []Input
	Why     string
	Notes   []string // sentences
}

func absent(formula, why string) Measure { return Measure{Formula: formula, Why: why} }

// daysPerYear is that of XIRR, so that all annual rates are of one kind.
const daysPerYear = 365

// span is a window by days of the grid: the closes of both.
type span struct{ from, to int }

func (s span) days() int { return s.to - s.from }

// wholeYear reports whether the window is a year or more by the calendar.
func (h *History) wholeYear(s span) bool {
	return !h.grid.date(s.to).Before(h.grid.date(s.from).AddDate(1, 0, 0))
}

// measured is a return of the window, with its annual rate where it has one.
func (h *History) measured(formula string, r float64, s span) Measure {
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return absent(formula, "the result is no number that can be held")
	}
	m := Measure{Value: &r, Formula: formula}
	if h.wholeYear(s) && r > -1 {
		annual := math.Pow(1+r, daysPerYear/float64(s.days())) - 1
		m.Annual = &annual
	}
	m.Inputs = []Input{{Name: "days", Value: decimal.NewFromInt(int64(s.days())), Unit: "days"}}
	return m
}

func (h *History) input(name string, value decimal.Decimal, i int) Input {
	in := Input{Name: name, Value: value, Unit: h.base}
	if i != none {
		in.Date = h.grid.date(i)
	}
	return in
}

// ends are the values at both ends, or why one is not known.
func (h *History) ends(s span) (start, end decimal.Decimal, why string) {
	for _, i := range []int{s.from, s.to} {
		if !h.values[i].Valid {
			return start, end, h.unvaluedOn(i)
		}
	}
	return h.values[s.from].Decimal, h.values[s.to].Decimal, ""
}

// unvaluedOn says why a day has no value.
func (h *History) unvaluedOn(i int) string {
	d := h.grid.date(i)
	for _, g := range h.gaps {
		if !d.Before(g.From) && !d.After(g.To) {
			what := string(g.Symbol)
			if what == "" {
				what = g.Currency
			}
			return fmt.Sprintf("%s has no value on %s: %s", what, text(d), g.Why)
		}
	}
	return "no value on " + text(d)
}

// unknownFlow says why a flow of the window is not known, if one is not.
func (h *History) unknownFlow(s span) string {
	for _, b := range h.unpriced {
		if b.flow && b.day > s.from && b.day <= s.to {
			return b.why
		}
	}
	return ""
}

// netFlow adds up the flows after the close of from.
func (h *History) netFlow(s span) decimal.Decimal {
	sum := decimal.Zero
	for _, f := range h.flows[s.from+1 : s.to+1] {
		if !f.IsZero() {
			sum = sum.Add(f)
		}
	}
	return sum
}

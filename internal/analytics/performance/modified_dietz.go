package performance

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"
)

// dietzParts holds the parts of a Modified Dietz return.
type dietzParts struct {
	gain    decimal.Decimal
	capital float64 // average over the period
}

// dietzParts returns the parts of the return, or why they are unknown. It needs a known value at both ends,
// and known flows.
//
// Source: GIPS 2020, Modified Dietz with flows weighted by days.
func (c ValueSeries) dietzParts(s Span) (dietzParts, string) {
	start, end, why := c.Ends(s)
	if why == "" {
		why = c.UnknownFlowReason(s)
	}
	if why != "" {
		return dietzParts{}, why
	}
	d := dietzParts{gain: end.Sub(start), capital: start.InexactFloat64()}
	for i := s.From + 1; i <= s.To; i++ {
		flow := c.Flows[i]
		if flow.IsZero() {
			continue
		}
		left := s.To - i
		if flow.IsPositive() {
			left++
		}
		d.gain = d.gain.Sub(flow)
		d.capital += flow.InexactFloat64() * float64(left) / float64(s.Days())
	}
	return d, ""
}

// ModifiedDietz returns the gain divided by the average capital of the period.
func (c ValueSeries) ModifiedDietz(s Span) Return {
	d, why := c.dietzParts(s)
	if why == "" && (!(d.capital > 0) || math.IsInf(d.capital, 0)) {
		why = "the average capital of the period is zero or negative"
	}
	if why != "" {
		return absentReturn(FormulaDietz, why)
	}
	m := c.newMeasure(FormulaDietz, d.gain.InexactFloat64()/d.capital, s)
	m.Inputs = append(m.Inputs, c.windowInput("gain", d.gain), c.windowInput("average capital", decimal.NewFromFloat(d.capital)))
	return m
}

// AverageCapital returns the divisor of a Modified Dietz return. ok is false if it is unknown or not
// positive.
func (c ValueSeries) AverageCapital(s Span) (capital float64, ok bool) {
	d, why := c.dietzParts(s)
	return d.capital, why == "" && d.capital > 0
}

// LinkedDietz links the Modified Dietz returns of calendar months. The first and last month may be partial.
func (c ValueSeries) LinkedDietz(s Span) Return {
	product, months := 1.0, 0
	for from := s.From; from < s.To; {
		to := min(c.monthEnd(from), s.To)
		d, why := c.dietzParts(Span{from, to})
		r := d.gain.InexactFloat64() / d.capital
		switch {
		case why != "":
			return absentReturn(FormulaLinkedDietz, why)
		case d.capital == 0 && d.gain.IsZero():
		case !(d.capital > 0):
			return absentReturn(FormulaLinkedDietz, fmt.Sprintf("the average capital between %s and %s is zero or negative", c.formatDay(from), c.formatDay(to)))
		case r < -1 || math.IsInf(r, 0):
			return absentReturn(FormulaLinkedDietz, fmt.Sprintf("the loss between %s and %s exceeds 100%%", c.formatDay(from), c.formatDay(to)))
		default:
			product *= 1 + r
			months++
		}
		from = to
	}
	if months == 0 {
		return absentReturn(FormulaLinkedDietz, reasonNothingInvested)
	}
	m := c.newMeasure(FormulaLinkedDietz, product-1, s)
	m.Inputs = append(m.Inputs, ReturnInput{Name: "months linked", Value: decimal.NewFromInt(int64(months))})
	return m
}

// monthEnd returns the last day of the month that contains the day after i.
func (c ValueSeries) monthEnd(i int) int {
	next := c.date(i + 1)
	return i + 1 + next.AddDate(0, 1, -next.Day()).Day() - next.Day()
}

package performance

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"
)

// returnChain links daily returns.
type returnChain struct {
	product         float64
	days            int // days linked
	idle            int // days with nothing invested
	unattributed    decimal.Decimal
	unattributedDay int // first day on which a value appeared without capital
	skippedDays     int // days without a value
}

// TimeWeighted returns the true daily time-weighted return: the growth of one unit from the first to the
// last day, independent of flows. Days with nothing invested are excluded. Days without a value are skipped
// if they have no flows.
//
// Source: GIPS 2020, time-weighted return with valuation at every large cash flow.
func (c ValueSeries) TimeWeighted(s Span) Return {
	l, why := c.linkDays(s, func(int, float64) {})
	if why != "" {
		return absentReturn(FormulaTimeWeighted, why)
	}
	m := c.newMeasure(FormulaTimeWeighted, l.product-1, s)
	m.Inputs = append(m.Inputs,
		c.dayInput("start", c.Values[s.From].Decimal, s.From), c.dayInput("end", c.Values[s.To].Decimal, s.To), c.windowInput("net flow", c.NetFlow(s)),
		ReturnInput{Name: "days linked", Value: decimal.NewFromInt(int64(l.days)), Unit: "days"})
	if l.idle > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("Nothing was invested on %d of %d days; those days are omitted.", l.idle, s.Days()))
	}
	if !l.unattributed.IsZero() {
		m.Notes = append(m.Notes, fmt.Sprintf("A gain of %s %s is from days on which nothing was invested (first: %s); the return excludes it.", l.unattributed, c.Base, c.formatDay(l.unattributedDay)))
	}
	if l.skippedDays > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%d days without a value or flows were skipped.", l.skippedDays))
	}
	return m
}

// Path returns the value of an initial 100 at the close of each day, as in TimeWeighted; NaN on days
// without a value. If there is no path, why gives the reason.
func (c ValueSeries) Path(s Span) (path []float64, why string) {
	path = make([]float64, s.Days()+1)
	for i := range path {
		path[i] = math.NaN()
	}
	path[0] = 100
	_, why = c.linkDays(s, func(i int, product float64) { path[i-s.From] = 100 * product })
	return path, why
}

const reasonNothingInvested = "nothing was invested"

// linkDays reports the growth of one unit up to the close of each day with a value.
func (c ValueSeries) linkDays(s Span, report func(i int, product float64)) (returnChain, string) {
	l := returnChain{product: 1}
	before, _, why := c.Ends(s)
	if why == "" {
		why = c.UnknownFlowReason(s)
	}
	if why != "" {
		return l, why
	}
	worth := before.InexactFloat64()
	for i := s.From + 1; i <= s.To; i++ {
		flow := c.Flows[i]
		if !c.Values[i].Valid {
			if !flow.IsZero() {
				return l, fmt.Sprintf("there was a cash flow of %s %s on %s, but %s", flow, c.Base, c.formatDay(i), c.UnvaluedReason(i))
			}
			l.skippedDays++
			continue
		}
		after := c.Values[i].Decimal
		now := after.InexactFloat64()
		if owed := l.add(i, before, after, flow, worth, now); owed != "" {
			return l, fmt.Sprintf("the portfolio had a negative value at the %s of %s", owed, c.formatDay(i))
		}
		report(i, l.product)
		before, worth = after, now
	}
	if l.days == 0 {
		return l, reasonNothingInvested
	}
	return l, ""
}

// add links a day, or returns at which end of it the value was negative. Decimal sums are checked
// only on days with flows.
func (l *returnChain) add(i int, before, after, flow decimal.Decimal, start, end float64) (owed string) {
	switch flow.Sign() {
	case 1:
		before = before.Add(flow)
		start = before.InexactFloat64()
	case -1:
		after = after.Sub(flow)
		end = after.InexactFloat64()
	}
	switch {
	case before.IsZero() && after.IsZero():
		l.idle++
		return ""
	case before.IsZero():
		if l.unattributed.IsZero() {
			l.unattributedDay = i
		}
		l.idle++
		l.unattributed = l.unattributed.Add(after)
		return ""
	case before.IsNegative():
		return "start"
	case after.IsNegative():
		return "end"
	}
	l.days++
	l.product *= end / start
	return ""
}

package performance

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
)

// MoneyWeighted returns the internal rate of return of start value, flows and end value. If there are
// several solutions, or none, it is missing with a reason.
func (c ValueSeries) MoneyWeighted(s Span) Return {
	formula, year := FormulaMoney, c.isFullYear(s)
	if !year {
		formula = FormulaMoneyShort
	}
	if why := c.UnknownFlowReason(s); why != "" {
		return absentReturn(formula, why)
	}
	start, end, why := c.Ends(s)
	if why != "" {
		return absentReturn(formula, why)
	}
	flows := c.payments(start, end, s, year)
	solutions, err := fixedincome.XIRR(flows)
	switch {
	case err != nil:
		return absentReturn(formula, err.Error())
	case len(solutions.Rates) > 1:
		return absentReturn(formula, fmt.Sprintf("%d rates fit these flows (%s), so there is no single return", len(solutions.Rates), formatRates(solutions.Rates)))
	}
	m := c.moneyWeightedMeasure(formula, solutions, s, year)
	m.Inputs = append(m.Inputs, c.dayInput("start", start, s.From), c.dayInput("end", end, s.To),
		ReturnInput{Name: "payments", Value: decimal.NewFromInt(int64(len(flows)))},
		ReturnInput{Name: "sign changes", Value: decimal.NewFromInt(int64(solutions.SignChanges))})
	return m
}

// moneyWeightedMeasure returns the rate over the period and, for a year or more, per year. The period runs
// from the first payment to the last.
func (c ValueSeries) moneyWeightedMeasure(formula string, solutions fixedincome.InternalRates, s Span, year bool) Return {
	rate := solutions.Rates[0]
	window := rate
	if year {
		window = math.Pow(1+rate, float64(solutions.Days)/daysPerYear) - 1
	}
	m := c.newMeasure(formula, window, s)
	if m.Value != nil && year {
		m.Annual = &rate
	}
	return m
}

// payments returns the cash flows, each on its calendar day, as XIRR in spreadsheets does. A period shorter
// than a year is stretched so that the time from the first payment to its end is a year; the rate that
// solves it is then the return over the period.
func (c ValueSeries) payments(start, end decimal.Decimal, s Span, year bool) []fixedincome.CashFlow {
	first, stretch := s.From, 1.0
	for start.IsZero() && first < s.To && c.Flows[first].IsZero() {
		first++
	}
	if !year {
		stretch = daysPerYear / float64(max(s.To-first, 1))
	}
	at := func(i int) time.Time {
		return c.date(s.From).Add(time.Duration(float64(i-s.From) * float64(dayLength) * stretch))
	}
	flows := []fixedincome.CashFlow{{Date: at(s.From), Amount: -start.InexactFloat64()}}
	for i := s.From + 1; i <= s.To; i++ {
		f := c.Flows[i]
		switch {
		case f.IsZero():
		case i == s.To && first == s.To: // all money came on the last day, which is then the whole period
			flows = append(flows, fixedincome.CashFlow{Date: at(i - 1), Amount: -f.InexactFloat64()})
		default:
			flows = append(flows, fixedincome.CashFlow{Date: at(i), Amount: -f.InexactFloat64()})
		}
	}
	return append(flows, fixedincome.CashFlow{Date: at(s.To), Amount: end.InexactFloat64()})
}

func formatRates(rates []float64) string {
	texts := make([]string, len(rates))
	for i, r := range rates {
		texts[i] = fmt.Sprintf("%.2f%%", 100*r)
	}
	return strings.Join(texts, ", ")
}

package returns

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/cashflow"
)

// MoneyWeighted is the internal rate of return of start, flows and end. Where several
// rates solve it, or none, it is absent and says so.
func (c Course) MoneyWeighted(s Span) Measure {
	formula, year := FormulaMoney, c.wholeYear(s)
	if !year {
		formula = FormulaMoneyShort
	}
	if why := c.UnknownFlow(s); why != "" {
		return absent(formula, why)
	}
	start, end, why := c.Ends(s)
	if why != "" {
		return absent(formula, why)
	}
	flows := c.payments(start, end, s, year)
	found, err := cashflow.XIRR(flows)
	switch {
	case err != nil:
		return absent(formula, err.Error())
	case len(found.Rates) > 1:
		return absent(formula, fmt.Sprintf("%d rates solve it (%s): no single one describes these flows", len(found.Rates), percents(found.Rates)))
	}
	m := c.moneyMeasure(formula, found, s, year)
	m.Inputs = append(m.Inputs, c.ofDay("start", start, s.From), c.ofDay("end", end, s.To),
		Input{Name: "payments", Value: decimal.NewFromInt(int64(len(flows)))},
		Input{Name: "changes of sign", Value: decimal.NewFromInt(int64(found.SignChanges))})
	return m
}

// moneyMeasure has the rate of the window and, where it is long enough, of a year. The
// money worked from the first payment to the last.
func (c Course) moneyMeasure(formula string, found cashflow.Returns, s Span, year bool) Measure {
	rate := found.Rates[0]
	window := rate
	if year {
		window = math.Pow(1+rate, float64(found.Days)/daysPerYear) - 1
	}
	m := c.measured(formula, window, s)
	if m.Value != nil && year {
		m.Annual = &rate
	}
	return m
}

// payments are dated by the calendar for a year or more, as spreadsheets have it. A
// shorter window is stretched to a year, so that the rate that solves them is its own;
// there what came in counts from the start of its day, or a book of two days would
// have half of its life left out.
func (c Course) payments(start, end decimal.Decimal, s Span, year bool) []cashflow.Flow {
	first := c.date(s.From)
	at := func(i int) time.Time { return first.Add(time.Duration(i-s.From) * day) }
	if !year {
		at = func(i int) time.Time {
			return first.Add(time.Duration(float64(i-s.From) * float64(day) * daysPerYear / float64(s.Days())))
		}
	}
	flows := []cashflow.Flow{{Date: first, Amount: -start.InexactFloat64()}}
	for i := s.From + 1; i <= s.To; i++ {
		f := c.Flows[i]
		switch {
		case f.IsZero():
		case !year && f.IsPositive():
			flows = append(flows, cashflow.Flow{Date: at(i - 1), Amount: -f.InexactFloat64()})
		default:
			flows = append(flows, cashflow.Flow{Date: at(i), Amount: -f.InexactFloat64()})
		}
	}
	return append(flows, cashflow.Flow{Date: at(s.To), Amount: end.InexactFloat64()})
}

func percents(rates []float64) string {
	words := make([]string, len(rates))
	for i, r := range rates {
		words[i] = fmt.Sprintf("%.2f %%", 100*r)
	}
	return strings.Join(words, ", ")
}

package performance

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ValueSeries is what something was worth day by day, and what came to it from outside or
// went there. It is not changed by what is asked of it.
type ValueSeries struct {
	First  market.Date           // the day of index 0
	Base   string                // the currency of all amounts
	Values []decimal.NullDecimal // at the close of each day; invalid where not known
	Flows  []decimal.Decimal     // net, of each day
	// UnvaluedReason says why a day has no value; it is not called for a day that has one.
	// UnknownFlowReason says why a flow after the close of a span's first day is not known, and
	// is empty if all are.
	UnvaluedReason    func(day int) string
	UnknownFlowReason func(s Span) string
}

// Span is a window by days of a course: the closes of both.
type Span struct{ From, To int }

// Days is how long the window is.
func (s Span) Days() int { return s.To - s.From }

const dayLength = 24 * time.Hour

func (c ValueSeries) date(i int) market.Date { return c.First.AddDate(0, 0, i) }

// formatDay is the day of an index as sentences have it.
func (c ValueSeries) formatDay(i int) string { return c.date(i).Format(time.DateOnly) }

// Ends are the values at both ends, or why one is not known.
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

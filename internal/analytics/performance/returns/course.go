// Package returns measures what money earned, given what it was worth at the close of
// each day and what came or went: by time, by money, and on the average capital. It
// knows no book, no prices and no rates; all of that is in the Course that comes in.
//
// A Course is asked for a return over a Span and answers with a Measure, which says how
// it was computed, or why there is none.
package returns

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Course is what something was worth day by day, and what came to it from outside or
// went there. It is not changed by what is asked of it.
type Course struct {
	First  market.Date           // the day of index 0
	Base   string                // the currency of all amounts
	Values []decimal.NullDecimal // at the close of each day; invalid where not known
	Flows  []decimal.Decimal     // net, of each day
	// Unvalued says why a day has no value; it is asked for none that has one.
	// UnknownFlow says why a flow after the close of a span's first day is not known,
	// and is empty where all are.
	Unvalued    func(day int) string
	UnknownFlow func(s Span) string
}

// Span is a window by days of a course: the closes of both.
type Span struct{ From, To int }

// Days is how long the window is.
func (s Span) Days() int { return s.To - s.From }

const day = 24 * time.Hour

func (c Course) date(i int) market.Date { return c.First.AddDate(0, 0, i) }

// text is the day of an index as sentences have it.
func (c Course) text(i int) string { return c.date(i).Format(time.DateOnly) }

// Ends are the values at both ends, or why one is not known.
func (c Course) Ends(s Span) (start, end decimal.Decimal, why string) {
	for _, i := range []int{s.From, s.To} {
		if !c.Values[i].Valid {
			return start, end, c.Unvalued(i)
		}
	}
	return c.Values[s.From].Decimal, c.Values[s.To].Decimal, ""
}

// NetFlow adds up the flows after the close of the first day.
func (c Course) NetFlow(s Span) decimal.Decimal {
	sum := decimal.Zero
	for _, f := range c.Flows[s.From+1 : s.To+1] {
		if !f.IsZero() {
			sum = sum.Add(f)
		}
	}
	return sum
}

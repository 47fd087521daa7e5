package fundamental

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Statements are a company's statements from one source, each newest first. Annual ones are
// required, the others optional.
type Statements struct {
	Annual, Quarterly, Trailing []market.Statement
}

// Tolerances in days for period ends that mean the same period: years have 52 or 53 weeks.
const (
	sameEndDays  = 6
	sameYearDays = 16
)

// NewCompany selects the period of a span and the balances around it. SpanTrailing is the last four
// quarters, SpanAnnual the last fiscal year; "" is the later of them. It reports false if there is
// no such period. Statements of different sources or currencies are never combined.
func NewCompany(s Statements, span market.Span) (Company, bool) {
	var c Company
	switch period, ok := s.periodOf(span); {
	case !ok:
		return c, false
	default:
		c.Period = period
	}
	all := slices.Concat(s.Annual, s.Trailing, s.Quarterly)
	all = slices.DeleteFunc(all, func(one market.Statement) bool { return !canCombine(c.Period, one) })
	c.End = mergeAround(all, c.Period.PeriodEnd, sameEndDays)
	c.Begin = mergeAround(all, c.Period.PeriodEnd.AddDate(-1, 0, 0), sameYearDays)
	for _, one := range all {
		_, counts := one.Items[market.ItemSharesOutstanding]
		if counts && one.PeriodEnd.After(c.ShareCount.PeriodEnd) {
			c.ShareCount = one
		}
	}
	for _, one := range s.Annual {
		if canCombine(c.Period, one) {
			c.Years = append(c.Years, one)
		}
	}
	return c, true
}

func (s Statements) periodOf(span market.Span) (market.Statement, bool) {
	switch {
	case span == market.SpanTrailing && len(s.Trailing) > 0:
		return s.Trailing[0], true
	case span == market.SpanAnnual && len(s.Annual) > 0:
		return s.Annual[0], true
	case span != "" || len(s.Annual) == 0 && len(s.Trailing) == 0:
		return market.Statement{}, false
	case len(s.Annual) == 0:
		return s.Trailing[0], true
	case len(s.Trailing) > 0 && isNewer(s.Trailing[0], s.Annual[0]):
		return s.Trailing[0], true
	}
	return s.Annual[0], true
}

// isNewer reports whether four quarters are later than a year and as complete.
func isNewer(quarters, year market.Statement) bool {
	return quarters.PeriodEnd.After(year.PeriodEnd.AddDate(0, 0, sameEndDays)) && canCombine(quarters, year) && isMoreComplete(quarters, year)
}

// isMoreComplete reports whether a has the essential lines that b has: four quarters cannot be
// added if the company changed what it reports.
func isMoreComplete(a, b market.Statement) bool {
	for _, item := range []string{market.ItemRevenue, market.ItemNetIncome} {
		_, have := a.Items[item]
		if _, had := b.Items[item]; had && !have {
			return false
		}
	}
	return true
}

func canCombine(a, b market.Statement) bool {
	return provider(a) == provider(b) && a.Provenance.Currency == b.Provenance.Currency
}

// provider returns the name of a source without the filing that some add to it.
func provider(s market.Statement) string {
	name, _, _ := strings.Cut(s.Provenance.Source, ",")
	return name
}

// mergeAround merges the statements that end around a day: the balance sheet at year end may be in
// the annual statement, the last quarter or both. The result has no items if none match.
func mergeAround(all []market.Statement, end market.Date, slack int) market.Statement {
	var out market.Statement
	for _, one := range all {
		if !withinDays(one.PeriodEnd, end, slack) || !out.PeriodEnd.IsZero() && !withinDays(one.PeriodEnd, out.PeriodEnd, sameEndDays) {
			continue
		}
		if out.PeriodEnd.IsZero() {
			out = one
			out.Items, out.Warnings = maps.Clone(one.Items), slices.Clone(one.Warnings)
			continue
		}
		for name, item := range one.Items {
			if _, have := out.Items[name]; !have {
				out.Items[name] = item
			}
		}
		out.Warnings = append(out.Warnings, one.Warnings...)
	}
	return out
}

func withinDays(a, b time.Time, days int) bool {
	return a.Sub(b).Abs() <= time.Duration(days)*24*time.Hour
}

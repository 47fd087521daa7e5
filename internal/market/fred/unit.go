package fred

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// describe is what the API says a series is, as of the day that its values are of:
// base years move. Of the best known series its unit is taken alone. Where that is
// another than the table has, FRED's wins, since the values are of it, and the note says
// what the table has; where FRED does not tell, the table stands in, and the note says
// that, and of a past day that the table does not go by it.
func (s *Source) describe(ctx context.Context, op string, id market.SeriesID, known market.Date) (describedSeries, error) {
	entry, listed := s.findKnown(id)
	fetched, err := s.fetchInfo(ctx, op, id, known)
	if errors.Is(err, market.ErrNoData) && !known.IsZero() && !listed {
		fetched, err = s.fetchInfo(ctx, op, id, market.Date{})
		fetched.note = "The unit is that of the newest values; FRED does not report the unit for this date."
	}
	switch {
	case !listed || err != nil && ctx.Err() != nil:
		return fetched, err
	case err != nil:
		entry.note = "The unit comes from nfa's own table; FRED did not report it."
		if !known.IsZero() && hasBase(entry.Unit) {
			entry.note += " It is that of the newest values; earlier values may use another base year."
		}
		return entry, nil
	case canonicalUnit(fetched.Unit) == canonicalUnit(entry.Unit):
		return entry, nil
	}
	entry.note = fmt.Sprintf("The unit is as reported by FRED; nfa's own table has %q for the newest values.", entry.Unit)
	entry.Unit = fetched.Unit
	return entry, nil
}

// hasBase reports whether a unit counts from a year that is moved now and then.
func hasBase(unit string) bool {
	return strings.Contains(unit, "chained") || strings.Contains(unit, "=100")
}

// normalizeUnit is a unit in nfa's spelling, where that has a meaning to others: differences of
// per cents are in points.
func normalizeUnit(unit string) string {
	if strings.EqualFold(unit, "percent") {
		return "percent"
	}
	return unit
}

// canonicalUnit is a unit without what FRED words now one way, now another: whose dollars,
// and whether the per cent of a difference is a point.
func canonicalUnit(unit string) string {
	words := strings.Join(strings.Fields(strings.ToLower(unit)), " ")
	return strings.NewReplacer("u.s. ", "", "us ", "", "u.k. ", "", "level in ", "", "percentage points", "percent").Replace(words)
}

package fred

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// describe returns the description of a series as of the day of its values, because base years
// change. For well-known series only the unit is taken from FRED. If FRED's unit differs from the
// table, FRED's is used and the note reports the other. If FRED reports none, the table's is used
// and the note says so and, for a past day, that the table describes the newest values.
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
			entry.note += " The unit is that of the newest values; earlier values may use another base year."
		}
		return entry, nil
	case canonicalUnit(fetched.Unit) == canonicalUnit(entry.Unit):
		return entry, nil
	}
	entry.note = fmt.Sprintf("The unit is as reported by FRED; nfa's own table has %q for the newest values.", entry.Unit)
	entry.Unit = fetched.Unit
	return entry, nil
}

// hasBase reports whether a unit has a base year, which is sometimes changed.
func hasBase(unit string) bool {
	return strings.Contains(unit, "chained") || strings.Contains(unit, "=100")
}

// normalizeUnit returns nfa's spelling of a unit that other code compares: the difference of a series in
// "percent" is in percentage points.
func normalizeUnit(unit string) string {
	if strings.EqualFold(unit, "percent") {
		return "percent"
	}
	return unit
}

// canonicalUnit removes wording that varies at FRED: which country's dollars, and percent or percentage
// points.
func canonicalUnit(unit string) string {
	words := strings.Join(strings.Fields(strings.ToLower(unit)), " ")
	return strings.NewReplacer("u.s. ", "", "us ", "", "u.k. ", "", "level in ", "", "percentage points", "percent").Replace(words)
}

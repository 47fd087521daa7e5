package fred

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// describedOn is what the API says a series is, as of the day that its values are of:
// base years move. Of the best known series its unit is taken alone. Where that is
// another than the table has, FRED's wins, since the values are of it, and the note says
// what the table has; where FRED does not tell, the table stands in, and the note says
// that, and of a past day that the table does not go by it.
func (s *Source) describedOn(ctx context.Context, doing string, id market.SeriesID, known market.Date) (described, error) {
	own, listed := s.described(id)
	told, err := s.info(ctx, doing, id, known)
	if errors.Is(err, market.ErrNoData) && !known.IsZero() && !listed {
		told, err = s.info(ctx, doing, id, market.Date{})
		told.note = "The unit is that of the newest values: of the day of these FRED does not tell it."
	}
	switch {
	case !listed || err != nil && ctx.Err() != nil:
		return told, err
	case err != nil:
		own.note = "The unit is of the program's own table: FRED did not tell it."
		if !known.IsZero() && hasBase(own.Unit) {
			own.note += " It is that of the newest values: those of this day may count in another base year."
		}
		return own, nil
	case meaning(told.Unit) == meaning(own.Unit):
		return own, nil
	}
	own.note = fmt.Sprintf("The unit is as FRED states it; the program's own table has %q, of the newest values that it knows.", own.Unit)
	own.Unit = told.Unit
	return own, nil
}

// hasBase reports whether a unit counts from a year that is moved now and then.
func hasBase(unit string) bool {
	return strings.Contains(unit, "chained") || strings.Contains(unit, "=100")
}

// spelt is a unit in nfa's spelling, where that has a meaning to others: differences of
// per cents are in points.
func spelt(unit string) string {
	if strings.EqualFold(unit, "percent") {
		return "percent"
	}
	return unit
}

// meaning is a unit without what FRED words now one way, now another: whose dollars,
// and whether the per cent of a difference is a point.
func meaning(unit string) string {
	words := strings.Join(strings.Fields(strings.ToLower(unit)), " ")
	return strings.NewReplacer("u.s. ", "", "us ", "", "u.k. ", "", "level in ", "", "percentage points", "percent").Replace(words)
}

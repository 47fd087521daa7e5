package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrDay means that a text is not a date or time in the expected format.
var ErrDay = errors.New("not a date")

// ParseDay parses a date in one of the layouts of package time and returns its midnight in UTC,
// ignoring the time of day. A text that two layouts read as different dates, such as 01/02/2024, is
// an error: the caller must know the order of day and month.
func ParseDay(text string, layouts ...string) (time.Time, error) {
	t, err := ParseTime(text, time.UTC, layouts...)
	if err != nil {
		return time.Time{}, err
	}
	return DayOf(t), nil
}

// DayOf returns the date of a time in its own zone, as midnight in UTC.
func DayOf(moment time.Time) time.Time {
	return time.Date(moment.Year(), moment.Month(), moment.Day(), 0, 0, 0, 0, time.UTC)
}

// ParseTime parses a date and time. A zone in the text applies; otherwise the time is in zone,
// where nil means UTC. A zone abbreviation is accepted only if it is UTC or one of zone's own. The
// result is in zone.
func ParseTime(text string, zone *time.Location, layouts ...string) (time.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	text = trimCell(text)
	var found time.Time
	for _, layout := range layouts {
		t, err := time.ParseInLocation(layout, text, zone)
		if err != nil && strings.Contains(layout, "Jan") {
			t, err = time.ParseInLocation(layout, englishMonth(text), zone)
		}
		if err != nil || t.Year() < 1900 || t.Year() > 2200 || strings.Contains(layout, "MST") && isUnknownZone(t, zone) {
			continue
		}
		if !found.IsZero() && !found.Equal(t) {
			return time.Time{}, fmt.Errorf("%w: %q is ambiguous: day and month can be swapped", ErrDay, Shorten(text))
		}
		found = t
	}
	if found.IsZero() {
		return time.Time{}, fmt.Errorf("%w: %q, expected a date such as %s", ErrDay, Shorten(text), layoutExamples(layouts))
	}
	return found.In(zone), nil
}

// englishMonth replaces the abbreviation of a month in Dutch, German or Danish.
func englishMonth(text string) string {
	return strings.NewReplacer("mrt", "Mar", "mei", "May", "okt", "Oct", "mär", "Mar", "mai", "May", "dez", "Dec", "maj", "May").Replace(strings.ToLower(text))
}

// isUnknownZone reports whether t has a zone abbreviation that package time does not know. It would read
// EST as UTC, five hours off and often on the wrong day.
func isUnknownZone(t time.Time, zone *time.Location) bool {
	name, _ := t.Zone()
	return t.Location() != zone && t.Location() != time.UTC && name != "GMT"
}

// layoutExamples formats an example date in each layout, for errors.
func layoutExamples(layouts []string) string {
	shown := make([]string, len(layouts))
	for i, layout := range layouts {
		shown[i] = time.Date(2026, 11, 30, 17, 45, 0, 0, time.UTC).Format(layout)
		if day, _, _ := strings.Cut(layout, " "); !strings.HasPrefix(day, "2006") && !strings.HasPrefix(day, "15") { // the order of day and month is ambiguous
			shown[i] += " (" + strings.NewReplacer("2006", "year", "06", "year", "January", "month", "Jan", "month", "01", "month", "02", "day", "1", "month", "2", "day").Replace(day) + ")"
		}
	}
	return strings.Join(shown, " or ")
}

// dayPart returns the part of a text or layout before the time of day.
func dayPart(text string) string {
	text = trimCell(text)
	if i := strings.IndexAny(text, " T,;"); i >= 0 {
		text = text[:i]
	}
	return text
}

// GuessDayOrder finds the date layout of cells. It ignores text after a space, comma, semicolon or T. The
// result is sure if exactly one layout fits all cells: the year comes first, dots separate the numbers, or
// a cell has a day above 12. With two-digit years, a cell must also have a number that can only be the
// year.
func GuessDayOrder(cells []string) (layout string, sure bool) {
	layouts := []string{"20060102"}
	for _, mark := range []string{"/", ".", "-"} {
		layouts = append(layouts, "2006"+mark+"1"+mark+"2", "2"+mark+"1"+mark+"2006", "1"+mark+"2"+mark+"2006",
			"06"+mark+"1"+mark+"2", "2"+mark+"1"+mark+"06", "1"+mark+"2"+mark+"06")
	}
	fit := slices.DeleteFunc(layouts, func(layout string) bool {
		return slices.ContainsFunc(cells, func(cell string) bool {
			_, err := time.Parse(layout, dayPart(cell))
			return err != nil && dayPart(cell) != ""
		})
	})
	// No locale uses dots and puts the month first.
	if slices.Equal(fit, []string{"2.1.2006", "1.2.2006"}) {
		fit = fit[:1]
	}
	if len(fit) != 1 {
		return "", false
	}
	return fit[0], true
}

package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrDay means that a text is not a day, or moment, in the form that it has to have.
var ErrDay = errors.New("not a date")

// ParseDay reads a day in one of the layouts of package time and gives its midnight in
// UTC; hours in the layout are read and left out. Where two layouts read different
// days, as 01/02/2024 is two, it is an error: the order of day and month is the
// caller's to say.
func ParseDay(text string, layouts ...string) (time.Time, error) {
	t, err := ParseTime(text, time.UTC, layouts...)
	if err != nil {
		return time.Time{}, err
	}
	return DayOf(t), nil
}

// DayOf is the day of a moment in the zone that it is in, as midnight in UTC.
func DayOf(moment time.Time) time.Time {
	return time.Date(moment.Year(), moment.Month(), moment.Day(), 0, 0, 0, 0, time.UTC)
}

// ParseTime reads a day and time. A zone in the text holds; without one the time is
// that of zone, and nil is UTC. A zone by letters is read where it is UTC or one of
// zone's own. The result is in zone.
func ParseTime(text string, zone *time.Location, layouts ...string) (time.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	text = trimCell(text)
	var found time.Time
	for _, layout := range layouts {
		t, err := time.ParseInLocation(layout, text, zone)
		if err != nil || t.Year() < 1900 || t.Year() > 2200 || strings.Contains(layout, "MST") && isUnknownZone(t, zone) {
			continue
		}
		if !found.IsZero() && !found.Equal(t) {
			return time.Time{}, fmt.Errorf("%w: %q is more than one day, by the order of day and month", ErrDay, Shorten(text))
		}
		found = t
	}
	if found.IsZero() {
		return time.Time{}, fmt.Errorf("%w: %q is not written as a date such as %s", ErrDay, Shorten(text), layoutExamples(layouts))
	}
	return found.In(zone), nil
}

// isUnknownZone tells a zone of letters that package time does not know: it takes EST for
// the time of Greenwich by that name, five hours off and often a day.
func isUnknownZone(t time.Time, zone *time.Location) bool {
	name, _ := t.Zone()
	return t.Location() != zone && t.Location() != time.UTC && name != "GMT"
}

// layoutExamples shows how a date is written in each of the layouts, for people.
func layoutExamples(layouts []string) string {
	shown := make([]string, len(layouts))
	for i, layout := range layouts {
		shown[i] = time.Date(2026, 11, 30, 17, 45, 0, 0, time.UTC).Format(layout)
		if day, _, _ := strings.Cut(layout, " "); !strings.HasPrefix(day, "2006") { // the order is not plain
			shown[i] += " (" + strings.NewReplacer("2006", "year", "06", "year", "January", "month", "Jan", "month", "01", "month", "02", "day", "1", "month", "2", "day").Replace(day) + ")"
		}
	}
	return strings.Join(shown, " or ")
}

// dayPart is a text, or a layout, up to the time of day.
func dayPart(text string) string {
	text = trimCell(text)
	if i := strings.IndexAny(text, " T,;"); i >= 0 {
		text = text[:i]
	}
	return text
}

// GuessDayOrder finds the layout of cells that begin with a day; what follows a
// blank, comma, semicolon or T is not looked at. It is sure where one alone fits all: the year comes
// first, or a cell has a day above 12. Years of two digits are never sure.
func GuessDayOrder(cells []string) (layout string, sure bool) {
	layouts := []string{"20060102"}
	for _, mark := range []string{"/", ".", "-"} {
		layouts = append(layouts, "2006"+mark+"1"+mark+"2", "2"+mark+"1"+mark+"2006", "1"+mark+"2"+mark+"2006")
	}
	fit := slices.DeleteFunc(layouts, func(layout string) bool {
		return slices.ContainsFunc(cells, func(cell string) bool {
			_, err := time.Parse(layout, dayPart(cell))
			return err != nil && dayPart(cell) != ""
		})
	})
	if len(fit) != 1 {
		return "", false
	}
	return fit[0], true
}

package importer

import (
	"errors"
	"fmt"
	"strconv"
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

// GuessDayOrder finds the layout of cells that begin with a day; what follows a
// blank, comma, semicolon or T is not looked at. It is sure where the year comes
// first, and else only where a cell has a day above 12 and none contradicts. Years
// of two digits are never sure.
func GuessDayOrder(cells []string) (string, bool) {
	layout := ""
	for _, cell := range cells {
		switch readings := dayLayout(cell); {
		case readings == "":
		case readings == "?":
			return "", false
		case layout == "" || isUndecided(layout) && sameExceptOrder(layout, readings):
			layout = readings
		case layout != readings && !(isUndecided(readings) && sameExceptOrder(layout, readings)):
			return "", false
		}
	}
	if layout == "" || isUndecided(layout) {
		return "", false
	}
	return layout, true
}

// HasSwappedDayOrder reports whether a cell shows the days of its file to be written in the other
// order of day and month than a layout has them: 04/13/2024 where the day is said to
// stand first. Days up to the twelfth would be read as others, without an error. A cell
// with other marks than those of the layout proves nothing.
func HasSwappedDayOrder(cell, layout string) bool {
	mark := max(strings.IndexAny(layout, "/.-"), 0)
	var other string
	switch layout[:mark] {
	case "02", "2":
		other = "1" + layout[mark:mark+1] + "2"
	case "01", "1":
		other = "2" + layout[mark:mark+1] + "1"
	default: // the year stands first
		return false
	}
	return strings.HasPrefix(dayLayout(cell), other)
}

// dayLayout is what one cell says: a layout, one with X for day and month that
// either may be, "?" for what is no day, and nothing for an empty cell.
func dayLayout(cell string) string {
	text := trimCell(cell)
	if i := strings.IndexAny(text, " T,;"); i >= 0 {
		text = text[:i]
	}
	if text == "" {
		return ""
	}
	if len(text) == 8 && onlyDigits(text) {
		return isoOrLayout("20060102", text)
	}
	i := strings.IndexAny(text, "/.-")
	if i < 0 {
		return "?"
	}
	mark := text[i : i+1]
	parts := strings.Split(text, mark)
	if len(parts) != 3 || !onlyDigits(parts[0]+parts[1]+parts[2]) {
		return "?"
	}
	if len(parts[0]) == 4 {
		return isoOrLayout("2006"+mark+"1"+mark+"2", text)
	}
	first, _ := strconv.Atoi(parts[0])
	second, _ := strconv.Atoi(parts[1])
	switch {
	case len(parts[2]) != 4 || first < 1 || second < 1 || first > 31 || second > 31 || first > 12 && second > 12:
		return "?"
	case first > 12:
		return "2" + mark + "1" + mark + "2006"
	case second > 12:
		return "1" + mark + "2" + mark + "2006"
	default:
		return "X" + mark + "X" + mark + "2006"
	}
}

func isoOrLayout(layout, text string) string {
	if _, err := time.Parse(layout, text); err != nil {
		return "?"
	}
	return layout
}

func isUndecided(layout string) bool { return strings.HasPrefix(layout, "X") }

// sameExceptOrder compares layouts by their separator, with the year at the end.
func sameExceptOrder(a, b string) bool { return len(a) == len(b) && a[1:2] == b[1:2] && a[3:] == b[3:] }

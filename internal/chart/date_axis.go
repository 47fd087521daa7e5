package chart

import (
	"time"
)

// maxTicks bounds the number of ticks for a period without a usable end.
const maxTicks = 400

// dateTick is a labeled time and the format of its label. ContextLayout formats what Layout leaves
// out, such as the year of a day; it is needed if that differs from the tick before. Among times
// of day only the first has its day, because a time after midnight shows that it belongs to the
// next day.
type dateTick struct {
	At                    time.Time
	Layout, ContextLayout string
}

// tickInterval is a step of a time axis: its minimum length and the format of its labels.
type tickInterval struct {
	minSeconds    float64
	layout        string
	contextLayout string // the layout of the context
	contextOnce   bool   // only the first label shows the context
	width         int
	// first returns the first tick at or after t, and next the following one.
	first func(t time.Time) time.Time
	next  func(t time.Time) time.Time
}

const (
	secondsPerMinute = 60.0
	secondsPerHour   = 60 * secondsPerMinute
	secondsPerDay    = 24 * secondsPerHour
)

// Ticks returns starts of minutes, hours, days, months, quarters or years, as many as fit into
// width cells; if fewer than two fit, the ends of the period.
func (p Period) Ticks(width int) []dateTick {
	length := unixSeconds(p.To) - unixSeconds(p.From)
	for _, c := range tickIntervals(length, p.intraday) {
		if length/c.minSeconds*float64(c.width+3) > float64(width) {
			continue
		}
		var out []dateTick
		for t := c.first(p.From); !t.After(p.To) && hasPrintableYear(t) && len(out) < maxTicks; t = c.next(t) {
			out = append(out, dateTick{t, c.layout, c.contextLayout})
			if c.contextOnce {
				c.contextLayout = ""
			}
		}
		if len(out) > 1 {
			return out
		}
		break
	}
	layout := timeLayout(p.intraday && length < 2*secondsPerDay)
	ends := []dateTick{{At: p.From, Layout: layout}}
	if length > 0 {
		ends = append(ends, dateTick{At: p.To, Layout: layout})
	}
	return ends
}

// tickIntervals returns the intervals suitable for a period of this many seconds, finest first.
// Times of day are not suitable for periods of several days or for daily values.
func tickIntervals(length float64, hourly bool) []tickInterval {
	var out []tickInterval
	if hourly && length <= 1.5*secondsPerDay {
		for _, minutes := range []int{1, 2, 5, 10, 15, 30, 60, 120, 180, 360} {
			out = append(out, everyMinutes(minutes))
		}
	}
	for _, days := range []int{1, 2, 7, 14} {
		out = append(out, everyDays(days))
	}
	for _, months := range []int{1, 3, 6} {
		out = append(out, everyMonths(months))
	}
	for _, years := range []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000} {
		out = append(out, everyYears(years))
	}
	return out
}

func everyMinutes(minutes int) tickInterval {
	step := time.Duration(minutes) * time.Minute
	next := func(t time.Time) time.Time { return t.Add(step) }
	return tickInterval{
		minSeconds: float64(minutes) * secondsPerMinute, layout: "15:04", contextLayout: "2006-01-02", contextOnce: true, width: 5, next: next,
		first: func(t time.Time) time.Time {
			today := startOfDay(t.Year(), t.Month(), t.Day(), t.Location())
			return firstNotBefore(t, today.Add(t.Sub(today).Truncate(step)), next)
		},
	}
}

// everyDays counts from a Monday, so that weeks start on Mondays in every period.
func everyDays(days int) tickInterval {
	next := func(t time.Time) time.Time { return startOfDay(t.Year(), t.Month(), t.Day()+days, t.Location()) }
	return tickInterval{
		minSeconds: float64(days) * secondsPerDay, layout: "Jan 2", contextLayout: "2006", width: 6, next: next,
		first: func(t time.Time) time.Time {
			monday := time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
			today := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
			since := int((today.Unix() - monday.Unix()) / (24 * 60 * 60))
			return firstNotBefore(t, startOfDay(t.Year(), t.Month(), t.Day()-since%days, t.Location()), next)
		},
	}
}

func everyMonths(months int) tickInterval {
	next := func(t time.Time) time.Time {
		return startOfDay(t.Year(), t.Month()+time.Month(months), 1, t.Location())
	}
	return tickInterval{
		minSeconds: float64(months) * 30.4 * secondsPerDay, layout: "2006-01", width: 7, next: next,
		first: func(t time.Time) time.Time {
			month := t.Month() - (t.Month()-1)%time.Month(months)
			return firstNotBefore(t, startOfDay(t.Year(), month, 1, t.Location()), next)
		},
	}
}

func everyYears(years int) tickInterval {
	next := func(t time.Time) time.Time { return startOfDay(t.Year()+years, time.January, 1, t.Location()) }
	return tickInterval{
		minSeconds: float64(years) * 365.2 * secondsPerDay, layout: "2006", width: 4, next: next,
		first: func(t time.Time) time.Time {
			return firstNotBefore(t, startOfDay(t.Year()-t.Year()%years, time.January, 1, t.Location()), next)
		},
	}
}

// startOfDay returns the start of a day. If clocks go forward at midnight, it starts at one, not on
// the previous evening, which time.Date may return.
func startOfDay(year int, month time.Month, day int, loc *time.Location) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, loc)
	if t.Hour() > 12 {
		_, before := t.Zone()
		_, after := t.Add(12 * time.Hour).Zone()
		return t.Add(time.Duration(after-before) * time.Second)
	}
	return t
}

// firstNotBefore returns start, or the following tick if start is before t.
func firstNotBefore(t, start time.Time, next func(time.Time) time.Time) time.Time {
	if start.Before(t) {
		return next(start)
	}
	return start
}

// formatTime formats a day, with the time of day for intraday data.
func formatTime(t time.Time, intraday bool) string { return t.Format(timeLayout(intraday)) }

func timeLayout(intraday bool) string {
	if intraday {
		return "2006-01-02 15:04"
	}
	return "2006-01-02"
}

// isIntraday reports whether there are several points on one day.
func isIntraday(times []time.Time) bool {
	for i := 1; i < len(times); i++ {
		if times[i].Sub(times[i-1]) < 12*time.Hour && !times[i].Equal(times[i-1]) {
			return true
		}
	}
	return false
}

// hasPrintableYear reports whether t is of a year that can be written.
func hasPrintableYear(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

// Period is the time range of a chart. The zero Period is empty.
type Period struct {
	From, To time.Time
	nonEmpty bool
	// intraday reports several points on one day, so that the axis must show the time of day.
	intraday bool
}

// Add widens p to include times, which are sorted.
func (p *Period) Add(times []time.Time) {
	if len(times) == 0 {
		return
	}
	first, last := times[0], times[len(times)-1]
	if !p.nonEmpty || first.Before(p.From) {
		p.From = first
	}
	if !p.nonEmpty || last.After(p.To) {
		p.To = last
	}
	p.nonEmpty, p.intraday = true, p.intraday || isIntraday(times)
}

// Position returns the position of t between 0 (start) and 1 (end). In a period of a single moment
// it is the middle.
func (p Period) Position(t time.Time) float64 {
	length := unixSeconds(p.To) - unixSeconds(p.From)
	if length <= 0 {
		return 0.5
	}
	return min(max((unixSeconds(t)-unixSeconds(p.From))/length, 0), 1)
}

// unixSeconds returns the seconds since 1970, for distances of any length: a time.Duration ends
// after 292 years.
func unixSeconds(t time.Time) float64 {
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9
}

package chart

import "time"

// Period is the time range of a chart. The zero Period is empty.
type Period struct {
	From, To time.Time
	nonEmpty bool
	// intraday says that a day has several points, so that the time of day has to be shown.
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
	p.nonEmpty, p.intraday = true, p.intraday || IsIntraday(times)
}

// Position returns where t is between 0, the start, and 1, the end. In a period of a single moment
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

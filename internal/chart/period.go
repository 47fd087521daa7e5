package chart

import "time"

// Period is what is seen of time. The zero Period sees nothing yet.
type Period struct {
	From, To time.Time
	nonEmpty bool
	// intraday says that there are several points on one day, so that the time of day
	// tells them apart.
	intraday bool
}

// Add widens p to times, the oldest first.
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

// Position is from 0, the beginning, to 1; a period of one moment stands in the
// middle.
func (p Period) Position(t time.Time) float64 {
	length := unixSeconds(p.To) - unixSeconds(p.From)
	if length <= 0 {
		return 0.5
	}
	return min(max((unixSeconds(t)-unixSeconds(p.From))/length, 0), 1)
}

// unixSeconds since 1970, for distances of any length: a time.Duration ends after 292
// years.
func unixSeconds(t time.Time) float64 {
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9
}

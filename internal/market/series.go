package market

import (
	"slices"
	"sort"
)

// Contains reports whether d lies in the range, both ends included.
func (r Range) Contains(d Date) bool {
	return (r.From.IsZero() || !d.Before(r.From)) && (r.To.IsZero() || !d.After(r.To))
}

// Within returns the part of the series that lies in r, dated as of its last
// bar. The bars are shared with s, not copied; there may be none.
func (s Series) Within(r Range) Series {
	from, to := 0, len(s.Bars)
	if !r.From.IsZero() {
		from = sort.Search(len(s.Bars), func(i int) bool { return !s.Bars[i].Date.Before(r.From) })
	}
	if !r.To.IsZero() {
		to = sort.Search(len(s.Bars), func(i int) bool { return s.Bars[i].Date.After(r.To) })
	}
	s.Bars = slices.Clip(s.Bars[from:max(from, to)])
	if n := len(s.Bars); n > 0 {
		s.Provenance.AsOf = s.Bars[n-1].Date
	}
	return s
}

// Latest returns the last close as a quote, with the close before it as the previous price. For
// prices as traded the previous close is restated if a known split lies between the two. It
// reports false for a series without bars.
func (s Series) Latest() (Quote, bool) {
	n := len(s.Bars)
	if n == 0 {
		return Quote{}, false
	}
	last := s.Bars[n-1]
	quote := Quote{Instrument: s.Instrument, Price: last.Close, Provenance: s.Provenance}
	quote.Provenance.AsOf = last.Date
	if n > 1 {
		before := s
		before.Bars = s.Bars[n-2:]
		if one, err := before.SplitAdjusted(); err == nil {
			before = one
		}
		quote.Previous.Decimal, quote.Previous.Valid = before.Bars[0].Close, true
		quote.PreviousAsOf = s.Bars[n-2].Date
	}
	return quote, true
}

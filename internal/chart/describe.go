package chart

import (
	"fmt"
	"strings"
)

// mostNamed is how many parts a sentence names.
const mostNamed = 12

// Describe says in one sentence what the chart shows, for those who do not see it:
// in plain text, for a screen reader, or beside the chart. Like [Render] it takes any
// Spec. Figures are rounded as in the chart.
func Describe(s Spec) string {
	g := glyphsOf(Block)
	text := ""
	switch s.Kind {
	case KindLine:
		text = describeLines(g, s, ordering(s.Series))
	case KindCompare:
		text = describeCompared(g, s, s.compared())
	case KindDrawdown:
		text = describeDrawdown(s)
	case KindFan:
		text = describeFan(s)
	case KindCandles:
		text = describeCandles(s)
	case KindHistogram:
		text = describeHistogram(s)
	case KindBars:
		text = describeBars(g, s)
	}
	if text == "" {
		text = "no data"
	}
	if heading := joined(s.heading(g)); heading != "" {
		text = heading + ": " + text
	}
	return text + "."
}

func describeLines(g *glyphs, s Spec, series []Series) string {
	var said []string
	for i, one := range series {
		text := course(one, s.Unit)
		if name := g.clean(one.Name); name != "" && (len(series) > 1 || s.Title != "") && text != "" {
			text = name + " " + text
		} else if len(series) > 1 && text != "" {
			text = fmt.Sprintf("series %d %s", i+1, text)
		}
		if text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, "; ")
}

// course tells a series from its first value to its last, with the extremes and how
// many values are missing.
func course(s Series, unit string) string {
	first, from, ok := firstKnown(s)
	if !ok {
		return ""
	}
	last, to, _ := lastKnown(s)
	daily := !intraday(s.Times)
	at := func(i int) string { return stamp(s.Times[i], !daily) }
	value := func(v float64) string { return figure(v, unit) }
	if from == to {
		return fmt.Sprintf("%s on %s", value(first), at(from)) + missing(s)
	}
	low, high := from, from
	for i, v := range s.Values {
		if known(v) && v < s.Values[low] {
			low = i
		}
		if known(v) && v > s.Values[high] {
			high = i
		}
	}
	return fmt.Sprintf("%s on %s to %s on %s, low %s on %s, high %s on %s",
		value(first), at(from), value(last), at(to), value(s.Values[low]), at(low), value(s.Values[high]), at(high)) + missing(s)
}

func missing(s Series) string {
	n := s.Values.missing() + max(s.Missing, 0)
	switch n {
	case 0:
		return ""
	case 1:
		return ", 1 value missing"
	}
	return fmt.Sprintf(", %s values missing", grouped(float64(n), 0))
}

func describeCompared(g *glyphs, s Spec, series []Series) string {
	if len(series) == 0 {
		return ""
	}
	var ends []string
	var when period
	for i, one := range series {
		when.add(one.Times)
		v, at, ok := lastKnown(one)
		if !ok {
			continue
		}
		name := g.clean(one.Name)
		if name == "" {
			name = fmt.Sprintf("series %d", i+1)
		}
		ends = append(ends, fmt.Sprintf("%s %s on %s", name, figure(v, ""), stamp(one.Times[at], false)))
	}
	if len(ends) == 0 {
		return ""
	}
	return fmt.Sprintf("from 100 on %s to %s", stamp(when.from, false), strings.Join(ends, ", "))
}

func describeDrawdown(s Spec) string {
	if len(s.Series) == 0 {
		return ""
	}
	fall := ordered(s.Series[0])
	last, to, ok := lastKnown(fall)
	if !ok {
		return ""
	}
	_, from, _ := firstKnown(fall)
	deepest := from
	for i, v := range fall.Values {
		if known(v) && v < fall.Values[deepest] {
			deepest = i
		}
	}
	return fmt.Sprintf("%s to %s, deepest %s on %s, last %s", stamp(fall.Times[from], false), stamp(fall.Times[to], false),
		figure(fall.Values[deepest], s.Unit), stamp(fall.Times[deepest], false), figure(last, s.Unit)) + missing(fall)
}

func describeFan(s Spec) string {
	var ends []string
	when := ""
	for _, b := range s.Fan.Percentiles[:min(len(s.Fan.Percentiles), maxBands)] {
		one := ordered(Series{Times: s.Fan.Times, Values: b.Values})
		if v, at, ok := lastKnown(one); ok {
			ends = append(ends, percentile(b.At)+" "+figure(v, s.Unit))
			when = stamp(one.Times[at], false)
		}
	}
	if when == "" {
		return ""
	}
	return fmt.Sprintf("percentiles on %s are %s", when, strings.Join(ends, ", "))
}

func describeCandles(s Spec) string {
	sticks := s.Candles.sticks()
	var all stick
	var low, high, from, to stick
	n := 0
	daily := !intraday(s.Candles.Times)
	for _, one := range sticks {
		if !one.known {
			continue
		}
		if n++; !all.known {
			low, high, from = one, one, one
		}
		if one.low < low.low {
			low = one
		}
		if one.high > high.high {
			high = one
		}
		all.take(&one)
		to = one
	}
	if n == 0 {
		return ""
	}
	at := func(s stick) string { return stamp(s.at, !daily) }
	value := func(v float64) string { return figure(v, s.Unit) }
	counted, on := grouped(float64(n), 0)+" candles", "on"
	if s.Candles.Bars > n {
		// Of several bars in a candle it is not known on which day of them.
		counted, on = grouped(float64(s.Candles.Bars), 0)+" bars in "+counted, "about"
	}
	return fmt.Sprintf("%s, open %s on %s, close %s %s %s, low %s %s %s, high %s %s %s", counted,
		value(all.open), at(from), value(all.close), on, at(to), value(all.low), on, at(low), value(all.high), on, at(high))
}

func describeHistogram(s Spec) string {
	c, ok := s.counted()
	if !ok {
		return ""
	}
	value := func(v float64) string { return figure(v, s.Unit) }
	return fmt.Sprintf("%s values from %s to %s, mean %s, median %s", grouped(c.total(), 0),
		value(c.Low), value(c.High), value(c.Mean), value(c.Median)) + missing(Series{Missing: c.Missing})
}

func describeBars(g *glyphs, s Spec) string {
	p := plot{g: g, unit: g.clean(s.Unit)}
	var said []string
	for _, b := range p.measured(gathered(knownParts(s.Parts), mostNamed)) {
		text := strings.TrimSpace(b.label + " " + b.value)
		switch {
		case b.share != "" && b.value != "":
			text += " (" + b.share + ")"
		case b.share != "":
			text += " " + b.share
		}
		said = append(said, text)
	}
	return strings.Join(said, ", ")
}

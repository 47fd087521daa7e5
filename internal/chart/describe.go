package chart

import (
	"fmt"
	"strings"
)

// maxDescribed is the maximum number of parts that a sentence lists.
const maxDescribed = 12

// Describe describes the chart in one sentence of plain text, for screen readers or next to the
// chart. Like [Render] it accepts any Spec. Figures are rounded as in the chart.
func Describe(s Spec) string {
	text := ""
	switch s.Kind {
	case KindLine:
		text = describeLines(s, orderSeries(s.Series))
	case KindCompare:
		text = describeCompared(s, s.comparedSeries())
	case KindDrawdown:
		text = describeDrawdown(s)
	case KindFan:
		text = describeFan(s)
	case KindCandles:
		text = describeCandles(s)
	case KindHistogram:
		text = describeHistogram(s)
	case KindBars:
		text = describeBars(s)
	}
	if text == "" {
		text = "no data"
	}
	if heading := joinNonEmpty(s.Heading()); heading != "" {
		text = heading + ": " + text
	}
	return text + "."
}

func describeLines(s Spec, series []Series) string {
	var sentence []string
	for i, one := range series {
		text := describeSeries(one, s.Unit)
		if name := cleanText(one.Name); name != "" && (len(series) > 1 || s.Title != "") && text != "" {
			text = name + " " + text
		} else if len(series) > 1 && text != "" {
			text = fmt.Sprintf("series %d %s", i+1, text)
		}
		if text != "" {
			sentence = append(sentence, text)
		}
	}
	return strings.Join(sentence, "; ")
}

// describeSeries describes a series by its first and last value, its extremes and how many values
// are missing.
func describeSeries(s Series, unit string) string {
	first, from, ok := firstKnown(s)
	if !ok {
		return ""
	}
	last, to, _ := s.Last()
	daily := !isIntraday(s.Times)
	at := func(i int) string { return formatTime(s.Times[i], !daily) }
	value := func(v float64) string { return formatFigure(v, unit) }
	if from == to {
		return fmt.Sprintf("%s on %s", value(first), at(from)) + missingNote(s)
	}
	low, high := from, from
	for i, v := range s.Values {
		if isDrawable(v) && v < s.Values[low] {
			low = i
		}
		if isDrawable(v) && v > s.Values[high] {
			high = i
		}
	}
	return fmt.Sprintf("%s on %s to %s on %s, low %s on %s, high %s on %s",
		value(first), at(from), value(last), at(to), value(s.Values[low]), at(low), value(s.Values[high]), at(high)) + missingNote(s)
}

func missingNote(s Series) string {
	n := s.Values.countMissing() + max(s.Missing, 0)
	switch n {
	case 0:
		return ""
	case 1:
		return ", 1 value missing"
	}
	return fmt.Sprintf(", %s values missing", formatGrouped(float64(n), 0))
}

func describeCompared(s Spec, series []Series) string {
	if len(series) == 0 {
		return ""
	}
	var ends []string
	var timeRange Period
	for i, one := range series {
		timeRange.Add(one.Times)
		v, at, ok := one.Last()
		if !ok {
			continue
		}
		name := cleanText(one.Name)
		if name == "" {
			name = fmt.Sprintf("series %d", i+1)
		}
		ends = append(ends, fmt.Sprintf("%s %s on %s", name, formatFigure(v, ""), formatTime(one.Times[at], false)))
	}
	if len(ends) == 0 {
		return ""
	}
	return fmt.Sprintf("from 100 on %s to %s", formatTime(timeRange.From, false), strings.Join(ends, ", "))
}

func describeDrawdown(s Spec) string {
	if len(s.Series) == 0 {
		return ""
	}
	fall := orderByTime(s.Series[0])
	last, to, ok := fall.Last()
	if !ok {
		return ""
	}
	_, from, _ := firstKnown(fall)
	deepest := from
	for i, v := range fall.Values {
		if isDrawable(v) && v < fall.Values[deepest] {
			deepest = i
		}
	}
	return fmt.Sprintf("%s to %s, deepest %s on %s, last %s", formatTime(fall.Times[from], false), formatTime(fall.Times[to], false),
		formatFigure(fall.Values[deepest], s.Unit), formatTime(fall.Times[deepest], false), formatFigure(last, s.Unit)) + missingNote(fall)
}

func describeFan(s Spec) string {
	var ends []string
	endDate := ""
	for _, b := range s.Fan.Percentiles[:min(len(s.Fan.Percentiles), maxBands)] {
		one := orderByTime(Series{Times: s.Fan.Times, Values: b.Values})
		if v, at, ok := one.Last(); ok {
			ends = append(ends, b.Name()+" "+formatFigure(v, s.Unit))
			endDate = formatTime(one.Times[at], false)
		}
	}
	if endDate == "" {
		return ""
	}
	return fmt.Sprintf("percentiles on %s are %s", endDate, strings.Join(ends, ", "))
}

func describeCandles(s Spec) string {
	candles := s.Candles.Sorted()
	var all candle
	var low, high, from, to candle
	n := 0
	daily := !isIntraday(s.Candles.Times)
	for _, one := range candles {
		if !one.Known {
			continue
		}
		if n++; !all.Known {
			low, high, from = one, one, one
		}
		if one.Low < low.Low {
			low = one
		}
		if one.High > high.High {
			high = one
		}
		all.extend(&one)
		to = one
	}
	if n == 0 {
		return ""
	}
	at := func(s candle) string { return formatTime(s.At, !daily) }
	value := func(v float64) string { return formatFigure(v, s.Unit) }
	counted, on := formatGrouped(float64(n), 0)+" candles", "on"
	if s.Candles.Bars > n {
		// The day within a candle of several bars is not known.
		counted, on = formatGrouped(float64(s.Candles.Bars), 0)+" bars in "+counted, "about"
	}
	return fmt.Sprintf("%s, open %s on %s, close %s %s %s, low %s %s %s, high %s %s %s", counted,
		value(all.Open), at(from), value(all.Close), on, at(to), value(all.Low), on, at(low), value(all.High), on, at(high))
}

func describeHistogram(s Spec) string {
	c, ok := s.distribution()
	if !ok {
		return ""
	}
	value := func(v float64) string { return formatFigure(v, s.Unit) }
	return fmt.Sprintf("%s values from %s to %s, mean %s, median %s", formatGrouped(c.Total(), 0),
		value(c.Low), value(c.High), value(c.Mean), value(c.Median)) + missingNote(Series{Missing: c.Missing})
}

func describeBars(s Spec) string {
	var sentence []string
	for _, b := range s.Bars(maxDescribed) {
		text := strings.TrimSpace(b.Label + " " + b.Figure)
		switch {
		case b.Share != "" && b.Figure != "":
			text += " (" + b.Share + ")"
		case b.Share != "":
			text += " " + b.Share
		}
		sentence = append(sentence, text)
	}
	return strings.Join(sentence, ", ")
}

package chart

import (
	"fmt"
	"math"
)

// plotSeries sets up lines over time. It reports whether there is anything to draw.
func (p *plot) plotSeries(s Spec, series []Series) bool {
	var values ValueRange
	var timeRange Period
	for _, one := range series {
		values.Add(one.Values...)
		timeRange.Add(one.Times)
	}
	if !values.NonEmpty {
		return false
	}
	p.setScale(values, s.Log)
	p.columnLabels = func(cols int) []columnLabel { return dateLabels(timeRange, cols, cols) }
	p.labelSeries(series)
	p.draw = func(c *canvas, rows int) {
		c.useLetters = p.g.letters != "" && len(series) > 1
		c.drawReference(p.y, rows, referenceValue(s.Kind))
		// The first series is the subject: it is drawn last, above the others.
		for i := len(series) - 1; i >= 0; i-- {
			c.drawLine(bucketSeries(series[i], timeRange, p.y, c.cols*p.g.across), rows, seriesStyle(i))
		}
	}
	return true
}

// setScale sets the scale, and says in the title which kind it is.
func (p *plot) setScale(values ValueRange, log bool) {
	p.y = values.Scale(log)
	if p.y.Log {
		p.about = joinHeading(p.about, "log scale")
	}
}

// referenceValue returns the value that the series are compared with.
func referenceValue(k Kind) float64 {
	if k == KindCompare {
		return 100
	}
	return 0
}

// drawReference draws a thin line across at v, if it is within the scale.
func (c *canvas) drawReference(y Scale, rows int, v float64) {
	if v < y.Low || v > y.High || math.IsNaN(y.Position(v)) {
		return
	}
	row := c.dotRow(y.Position(v), rows) / c.g.down
	for col := range c.cols {
		c.set(col, row, c.g.reference, StyleAxis)
	}
}

// labelSeries marks where each series ended, and names it in the legend if there are
// several.
func (p *plot) labelSeries(series []Series) {
	for i, one := range series {
		v, _, ok := one.Last()
		if !ok {
			continue
		}
		text := formatFigure(v, p.unit)
		if len(series) == 1 {
			p.marks = append(p.marks, mark{p.y.Position(v), p.g.pointer + text, StyleLabel})
			continue
		}
		name := p.g.clean(one.Name)
		if name == "" {
			name = fmt.Sprintf("series %d", i+1)
		}
		// With colors, the name has the color of its line; without colors, it is at the end of the
		// line.
		p.marks = append(p.marks, mark{p.y.Position(v), p.g.pointer + p.g.truncate(name, max(p.width*3/10, 9)-1), seriesStyle(i)})
		p.legend = append(p.legend, legendEntry{p.seriesGlyph(i), name, text, seriesStyle(i)})
	}
}

// seriesGlyph returns the character for the line of the i-th series.
func (p *plot) seriesGlyph(i int) string {
	if p.g.letters != "" {
		return p.g.letters[i%len(p.g.letters) : i%len(p.g.letters)+1]
	}
	return p.g.stroke
}

// compare sets up series that are rebased to 100 on their first day in common.
func (p *plot) compare(s Spec) bool {
	s.Unit, p.unit = "", ""
	return p.plotSeries(s, s.timeSeries())
}

func columnOf(position float64, n int) int { return int(math.Round(position * float64(n-1))) }

// bucket is the part of a series in one column, in positions on the scale.
type bucket struct {
	first, last, low, high float64
	filled                 bool
	connected              bool // to the column before
}

// bucketSeries reduces a series to n columns. A column spans the lowest to the highest of its values;
// columns between two points lie on the line that joins them. Missing values are not joined.
func bucketSeries(s Series, p Period, y Scale, n int) []bucket {
	out := make([]bucket, n)
	before, broken := 0, true
	for i, t := range s.Times {
		v := y.Position(s.Values[i])
		if math.IsNaN(v) {
			broken = true
			continue
		}
		x := columnOf(p.Position(t), n)
		b := &out[x]
		if b.filled {
			b.last, b.low, b.high = v, min(b.low, v), max(b.high, v)
		} else {
			*b = bucket{v, v, v, v, true, !broken}
			if !broken {
				connectBuckets(out, before, x)
			}
		}
		before, broken = x, false
	}
	return out
}

// connectBuckets fills the columns between from and to.
func connectBuckets(out []bucket, from, to int) {
	start, end := out[from].last, out[to].first
	for x := from + 1; x < to; x++ {
		v := start + (end-start)*float64(x-from)/float64(to-from)
		out[x] = bucket{v, v, v, v, true, true}
	}
}

// drawdown sets up drawdowns as an area below the zero line.
func (p *plot) drawdown(s Spec) bool {
	if len(s.Series) == 0 {
		return false
	}
	fall := s.timeSeries()[0]
	var values ValueRange
	var timeRange Period
	values.Add(fall.Values...)
	timeRange.Add(fall.Times)
	if !values.NonEmpty {
		return false
	}
	values.Add(0)
	p.y = values.Scale(false)
	p.columnLabels = func(cols int) []columnLabel { return dateLabels(timeRange, cols, cols) }
	p.labelSeries([]Series{fall})
	p.draw = func(c *canvas, rows int) {
		zero := c.dotRow(p.y.Position(0), rows)
		for x, b := range bucketSeries(fall, timeRange, p.y, c.cols*p.g.across) {
			if b.filled {
				c.column(x, zero, c.dotRow(b.low, rows), StyleDown)
				c.column(x, zero, c.dotRow(b.high, rows), StyleDown)
			}
		}
		c.drawReference(p.y, rows, 0)
	}
	return true
}

// fan sets up bands between percentiles, the outermost first, and a line for the one
// in the middle.
func (p *plot) fan(s Spec) bool {
	bands := s.timeSeries()
	var values ValueRange
	var timeRange Period
	for i := range bands {
		values.Add(bands[i].Values...)
		timeRange.Add(bands[i].Times)
	}
	if !values.NonEmpty {
		return false
	}
	p.setScale(values, s.Log)
	p.columnLabels = func(cols int) []columnLabel { return dateLabels(timeRange, cols, cols) }
	p.labelPercentiles(s.Fan.Percentiles, bands)
	p.draw = func(c *canvas, rows int) {
		c.useLetters = p.g.ascii
		for i := range len(bands) / 2 {
			glyph, style := p.g.outer, StyleBand
			if i > 0 {
				glyph, style = p.g.inner, StyleInnerBand
			}
			c.fillBand(bucketSeries(bands[i], timeRange, p.y, c.cols), bucketSeries(bands[len(bands)-1-i], timeRange, p.y, c.cols), rows, cell{glyph, style})
		}
		c.drawLine(bucketSeries(bands[len(bands)/2], timeRange, p.y, c.cols*p.g.across), rows, StyleSeries1)
	}
	return true
}

// fillBand fills the cells between two percentiles where both are known.
func (c *canvas) fillBand(lower, upper []bucket, rows int, fill cell) {
	for col := range c.cols {
		if !lower[col].filled || !upper[col].filled {
			continue
		}
		from, to := c.dotRow(upper[col].high, rows)/c.g.down, c.dotRow(lower[col].low, rows)/c.g.down
		for row := min(from, to); row <= max(from, to); row++ {
			c.set(col, row, fill.glyph, fill.style)
		}
	}
}

// labelPercentiles marks the last value of each percentile: the middle one first, then the
// outermost, then the inner ones.
func (p *plot) labelPercentiles(bands []Percentile, series []Series) {
	add := func(i int, style Style) {
		if v, _, ok := series[i].Last(); ok && !math.IsNaN(p.y.Position(v)) {
			text := p.g.pointer + bands[i].Name() + " " + formatFigure(v, p.unit)
			p.marks = append(p.marks, mark{p.y.Position(v), text, style})
		}
	}
	middle := len(series) / 2
	add(middle, StyleSeries1)
	for i := range middle {
		style := StyleBand
		if i > 0 {
			style = StyleInnerBand
		}
		add(len(series)-1-i, style)
		add(i, style)
	}
}

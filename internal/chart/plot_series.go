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

// referenceValue is the value that the series are compared with.
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
		text := FormatFigure(v, p.unit)
		if len(series) == 1 {
			p.marks = append(p.marks, mark{p.y.Position(v), p.g.pointer + text, StyleLabel})
			continue
		}
		name := p.g.clean(one.Name)
		if name == "" {
			name = fmt.Sprintf("series %d", i+1)
		}
		// With colors, the name has the color of its line; without, it is where the line ends.
		p.marks = append(p.marks, mark{p.y.Position(v), p.g.pointer + p.g.truncate(name, max(p.width*3/10, 9)-1), seriesStyle(i)})
		p.legend = append(p.legend, legendEntry{p.seriesGlyph(i), name, text, seriesStyle(i)})
	}
}

// seriesGlyph is how the line of the i-th series looks.
func (p *plot) seriesGlyph(i int) string {
	if p.g.letters != "" {
		return p.g.letters[i%len(p.g.letters) : i%len(p.g.letters)+1]
	}
	return p.g.stroke
}

// compare sets up series that are rebased to 100 on their first day in common.
func (p *plot) compare(s Spec) bool {
	s.Unit, p.unit = "", ""
	return p.plotSeries(s, s.TimeSeries())
}

package chart

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Render draws s in at most o.Height lines of at most o.Width cells each. It draws any Spec and
// leaves out what [Spec.Validate] would reject; if nothing remains, it says that there is no data.
// A negative width or height gives no lines.
func Render(s Spec, o RenderOptions) []TextLine {
	o = o.withDefaults()
	if o.Width < 1 || o.Height < 1 {
		return nil
	}
	g := glyphsOf(o.Charset)
	g.unicodeNames = o.UnicodeNames
	if o.MarkLines {
		g.letters = seriesLetters
	}
	p := plot{g: g, width: o.Width, height: o.Height, unit: s.Unit}
	p.title, p.about = s.Heading()
	p.title, p.about = g.clean(p.title), g.clean(p.about)
	if o.Width < minAxesWidth || o.Height < 3 {
		return p.renderSmall(s, o)
	}
	ok := false
	switch s.Kind {
	case KindLine:
		ok = p.plotSeries(s, s.TimeSeries())
	case KindCompare:
		ok = p.compare(s)
	case KindDrawdown:
		ok = p.drawdown(s)
	case KindFan:
		ok = p.fan(s)
	case KindCandles:
		ok = p.candles(s)
	case KindHistogram:
		ok = p.histogram(s)
	case KindBars:
		if lines := p.bars(s); len(lines) > 0 {
			return lines
		}
	}
	if !ok {
		return p.empty()
	}
	return p.renderLines()
}

func joinHeading(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// heading returns the first line. If both parts do not fit, the title is cut; if even the unit
// does not fit, it is left out.
func (p *plot) heading() TextLine {
	about := p.about
	if displaywidth.String(about)+8 > p.width && p.title != "" {
		about = ""
	}
	title := p.title
	if about != "" {
		title = p.g.truncate(title, p.width-displaywidth.String(about)-2)
	}
	return p.textLine(joinHeading(title, about), StyleLabel)
}

func (p *plot) empty() []TextLine {
	lines := []TextLine{p.textLine("no data", StyleLabel)}
	if p.title+p.about != "" && p.height > 1 {
		lines = append([]TextLine{p.heading()}, lines...)
	}
	return lines
}

// renderSmall draws a chart that is too small for a frame: a sparkline, below its title if there
// are two lines.
func (p *plot) renderSmall(s Spec, o RenderOptions) []TextLine {
	spark := strings.TrimRight(Sparkline(mainValues(s), o.Width, o.Charset), " ")
	if spark == "" {
		return p.empty()[:1]
	}
	lines := []TextLine{p.textLine(spark, StyleSeries1)}
	if p.title+p.about != "" && p.height > 1 {
		lines = append([]TextLine{p.heading()}, lines...)
	}
	return lines
}

// mainValues are the values that represent the chart in a sparkline.
func mainValues(s Spec) []float64 {
	switch {
	case s.Kind == KindCandles:
		return s.Candles.Close
	case s.Kind == KindFan && len(s.Fan.Percentiles) > 0:
		return s.Fan.Percentiles[len(s.Fan.Percentiles)/2].Values
	case s.Kind == KindHistogram && len(s.Distribution.Counts) > 0:
		values := make([]float64, len(s.Distribution.Counts))
		for i := range values {
			values[i] = float64(s.Distribution.Counts[i])
		}
		return values
	case s.Kind == KindBars:
		values := make([]float64, len(s.Parts))
		for i, part := range s.Parts {
			values[i] = part.Value
		}
		return values
	case len(s.Series) > 0:
		return s.Series[0].Values
	}
	return nil
}

package chart

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Render draws s in at most o.Height lines of at most o.Width cells each. It draws
// any Spec, and leaves out what [Spec.Validate] would refuse; where nothing is left,
// it says that there is no data. A negative width or height has no lines.
func Render(s Spec, o Options) []Line {
	o = o.normal()
	if o.Width < 1 || o.Height < 1 {
		return nil
	}
	g := glyphsOf(o.Charset)
	g.names = o.Names
	if o.Letters {
		g.letters = seriesLetters
	}
	p := plot{g: g, width: o.Width, height: o.Height, unit: s.Unit}
	p.title, p.about = s.heading(g)
	if o.Width < leastWidth || o.Height < 3 {
		return p.small(s, o)
	}
	ok := false
	switch s.Kind {
	case KindLine:
		ok = p.overTime(s, ordering(s.Series))
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
		if lines := p.bars(s.Parts); len(lines) > 0 {
			return lines
		}
	}
	if !ok {
		return p.empty()
	}
	return p.lines()
}

// heading is the title, and what the figures are in.
func (s Spec) heading(g *glyphs) (title, about string) {
	title = g.clean(s.Title)
	if title == "" && len(s.Series) == 1 {
		title = g.clean(s.Series[0].Name)
	}
	if s.Kind == KindCompare {
		return title, "rebased to 100"
	}
	return title, g.clean(s.Unit)
}

func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// heading is the first line. Where there is no room for both, the title is cut; where
// there is not even room for what the figures are in, that is left out.
func (p *plot) heading() Line {
	about := p.about
	if displaywidth.String(about)+8 > p.width && p.title != "" {
		about = ""
	}
	title := p.title
	if about != "" {
		title = p.g.cut(title, p.width-displaywidth.String(about)-2)
	}
	return p.single(joined(title, about), Label)
}

func (p *plot) empty() []Line {
	lines := []Line{p.single("no data", Label)}
	if p.title+p.about != "" && p.height > 1 {
		lines = append([]Line{p.heading()}, lines...)
	}
	return lines
}

// small is what there is room for where a frame has none: a sparkline, below its
// title if there are two lines.
func (p *plot) small(s Spec, o Options) []Line {
	spark := strings.TrimRight(Sparkline(s.main(), o.Width, o.Charset), " ")
	if spark == "" {
		return p.empty()[:1]
	}
	lines := []Line{p.single(spark, Series1)}
	if p.title+p.about != "" && p.height > 1 {
		lines = append([]Line{p.heading()}, lines...)
	}
	return lines
}

// main are the values that stand for all of the chart.
func (s Spec) main() []float64 {
	switch {
	case s.Kind == KindCandles:
		return s.Candles.Close
	case s.Kind == KindFan && len(s.Fan.Percentiles) > 0:
		return s.Fan.Percentiles[len(s.Fan.Percentiles)/2].Values
	case s.Kind == KindHistogram && len(s.Counted.Counts) > 0:
		values := make([]float64, min(len(s.Counted.Counts), mostClasses))
		for i := range values {
			values[i] = float64(s.Counted.Counts[i])
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

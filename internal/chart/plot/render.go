package plot

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/chart"
)

// Render draws s in at most o.Height lines of at most o.Width cells each. It draws
// any Spec, and leaves out what [chart.Spec.Validate] would refuse; where nothing is left,
// it says that there is no data. A negative width or height has no lines.
func Render(s chart.Spec, o Options) []Line {
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
	p.title, p.about = s.Heading()
	p.title, p.about = g.clean(p.title), g.clean(p.about)
	if o.Width < leastWidth || o.Height < 3 {
		return p.small(s, o)
	}
	ok := false
	switch s.Kind {
	case chart.KindLine:
		ok = p.overTime(s, s.Lines())
	case chart.KindCompare:
		ok = p.compare(s)
	case chart.KindDrawdown:
		ok = p.drawdown(s)
	case chart.KindFan:
		ok = p.fan(s)
	case chart.KindCandles:
		ok = p.candles(s)
	case chart.KindHistogram:
		ok = p.histogram(s)
	case chart.KindBars:
		if lines := p.bars(s); len(lines) > 0 {
			return lines
		}
	}
	if !ok {
		return p.empty()
	}
	return p.lines()
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
func (p *plot) small(s chart.Spec, o Options) []Line {
	spark := strings.TrimRight(Sparkline(mainOf(s), o.Width, o.Charset), " ")
	if spark == "" {
		return p.empty()[:1]
	}
	lines := []Line{p.single(spark, Series1)}
	if p.title+p.about != "" && p.height > 1 {
		lines = append([]Line{p.heading()}, lines...)
	}
	return lines
}

// mainOf are the values that stand for all of the chart.
func mainOf(s chart.Spec) []float64 {
	switch {
	case s.Kind == chart.KindCandles:
		return s.Candles.Close
	case s.Kind == chart.KindFan && len(s.Fan.Percentiles) > 0:
		return s.Fan.Percentiles[len(s.Fan.Percentiles)/2].Values
	case s.Kind == chart.KindHistogram && len(s.Counted.Counts) > 0:
		values := make([]float64, len(s.Counted.Counts))
		for i := range values {
			values[i] = float64(s.Counted.Counts[i])
		}
		return values
	case s.Kind == chart.KindBars:
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

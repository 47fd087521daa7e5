package chart

import "strings"

// Render draws s in at most o.Height lines of at most o.Width cells each. It draws
// any Spec, and leaves out what [Spec.Validate] would refuse; where nothing is left,
// it says that there is no data. A negative width or height has no lines.
func Render(s Spec, o Options) []Line {
	o = o.normal()
	if o.Width < 1 || o.Height < 1 {
		return nil
	}
	g := glyphsOf(o.Charset)
	p := plot{g: g, width: o.Width, height: o.Height, unit: s.Unit, title: s.heading(g)}
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

// heading is the title with what the figures are in.
func (s Spec) heading(g *glyphs) string {
	title := g.clean(s.Title)
	if title == "" && len(s.Series) == 1 {
		title = g.clean(s.Series[0].Name)
	}
	parts := []string{title, g.clean(s.Unit)}
	if s.Kind == KindCompare {
		parts[1] = "rebased to 100"
	}
	var b strings.Builder
	for _, part := range parts {
		if b.Len() > 0 && part != "" {
			b.WriteString(", ")
		}
		b.WriteString(part)
	}
	return b.String()
}

func (p *plot) empty() []Line {
	lines := []Line{p.single("no data", Label)}
	if p.title != "" && p.height > 1 {
		lines = append([]Line{p.single(p.title, Label)}, lines...)
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
	if p.title != "" && p.height > 1 {
		lines = append([]Line{p.single(p.title, Label)}, lines...)
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

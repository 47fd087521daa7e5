package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Charset is the set of characters that a chart is drawn with.
type Charset uint8

const (
	// CharsetBraille draws lines with eight dots to a cell. It needs a font that has them.
	CharsetBraille Charset = iota
	// CharsetBlock draws lines with the quarters of a cell.
	CharsetBlock
	// CharsetASCII draws only ASCII. Other characters in a name become question marks, unless
	// RenderOptions.UnicodeNames is set.
	CharsetASCII
)

// RenderOptions say how a chart is drawn. The zero RenderOptions are 80 by 20 cells of Braille.
type RenderOptions struct {
	// Width is the maximum number of cells in a line, up to 400. Below 10 only a sparkline is
	// drawn.
	Width int
	// Height is the maximum number of lines, up to 200.
	Height  int
	Charset Charset
	// MarkLines marks lines with letters if there are several, for users who see no colors. ASCII
	// charts always have them.
	MarkLines bool
	// UnicodeNames keeps the letters of names in ASCII: the terminal has them, only its font lacks
	// the characters of charts.
	UnicodeNames bool
}

const (
	defaultWidth, defaultHeight = 80, 20
	maxWidth, maxHeight         = 400, 200
	minAxesWidth                = 10 // of a chart with axes
)

func (o RenderOptions) withDefaults() RenderOptions {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	if o.Height == 0 {
		o.Height = defaultHeight
	}
	o.Width, o.Height = min(o.Width, maxWidth), min(o.Height, maxHeight)
	if o.Charset > CharsetASCII {
		o.Charset = CharsetASCII
	}
	return o
}

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
		ok = p.plotSeries(s, s.timeSeries())
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

// heading returns the first line. If it does not fit, the title is truncated; if even the unit does
// not fit, it is dropped.
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

// mainValues returns the values that represent the chart in a sparkline.
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

// Sparkline draws values in one line of at most width cells, one for each value: from ▁, the
// lowest, to █, or in ASCII from "." to "#". A missing value is a blank. If there are more values
// than cells, a cell shows the value that is farthest from the middle of the range, so that peaks
// are kept.
func Sparkline(values []float64, width int, c Charset) string {
	var e ValueRange
	e.Add(values...)
	width = min(width, maxWidth, len(values))
	if !e.NonEmpty || width < 1 {
		return ""
	}
	y, levels := e.Scale(false), glyphsOf(min(c, CharsetASCII)).spark
	var b strings.Builder
	for i := range width {
		from, to := i*len(values)/width, (i+1)*len(values)/width
		p := farthestFromMiddle(values[from:to], y)
		if math.IsNaN(p) {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(levels[int(math.Round(p*float64(len(levels)-1)))])
	}
	return b.String()
}

// farthestFromMiddle returns the position farthest from the middle (the higher of two), or NaN if
// there is none.
func farthestFromMiddle(values []float64, y Scale) float64 {
	found := math.NaN()
	for _, v := range values {
		p := y.Position(v)
		d, most := math.Abs(p-0.5), math.Abs(found-0.5)
		if math.IsNaN(found) || d > most || d == most && p > found {
			found = p
		}
	}
	return found
}

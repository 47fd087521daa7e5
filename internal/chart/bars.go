package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Bar is one line of a bar chart: a part with its formatted figures. Share and Figure may be "".
type Bar struct {
	Label, Share, Figure string
	Value                float64
}

// Bars returns the parts to draw in at most n lines. If there are more, the smallest are merged into the last
// line, so that the total stays the same. Share is set if the values are percentages or their sum is
// positive.
func (s Spec) Bars(n int) []Bar {
	parts := mergeSmallest(knownParts(s.Parts), n)
	shares := roundedShares(parts, s.Unit)
	out := make([]Bar, len(parts))
	for i, one := range parts {
		out[i] = Bar{Label: cleanText(one.Label), Value: one.Value}
		if s.Unit != "%" {
			out[i].Figure = formatFigure(one.Value, s.Unit)
		}
		if shares != nil {
			out[i].Share = formatGrouped(shares[i], 1) + "%"
		}
	}
	return out
}

// knownParts returns the parts that can be drawn.
func knownParts(parts []Part) []Part {
	return slices.DeleteFunc(slices.Clone(parts), func(one Part) bool { return !isDrawable(one.Value) })
}

// mergeSmallest returns at most n parts in order; the last is the sum of the smallest and of
// previous sums.
func mergeSmallest(parts []Part, n int) []Part {
	if len(parts) <= n {
		return parts
	}
	bySize := make([]int, len(parts))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(parts[a].count(), parts[b].count()),
			cmp.Compare(math.Abs(parts[b].Value), math.Abs(parts[a].Value)),
		)
	})
	slices.Sort(bySize[:n-1])
	out := make([]Part, 0, n)
	for _, i := range bySize[:n-1] {
		out = append(out, parts[i])
	}
	var rest Part
	for _, i := range bySize[n-1:] {
		rest.Value += parts[i].Value
		rest.MergedCount += parts[i].count()
	}
	rest.Label = fmt.Sprintf("%d others", rest.MergedCount)
	return append(out, rest)
}

// count returns the number of original parts in p.
func (p Part) count() int { return max(p.MergedCount, 1) }

// roundedShares returns percentages with one decimal that add up to 100.0 or, if values are
// percentages, to their sum. The rounding remainder goes to the parts that lost most (largest
// remainder method, Hamilton 1792). Nil if the sum is not positive.
func roundedShares(parts []Part, unit string) []float64 {
	total := 0.0
	for _, one := range parts {
		total += one.Value
	}
	factor := 10.0
	if unit != "%" {
		if total < MinMagnitude {
			return nil
		}
		factor = 1000 / total
	}
	tenths := make([]float64, len(parts))
	order := make([]int, len(parts))
	left := math.Round(total * factor)
	for i, one := range parts {
		tenths[i], order[i] = math.Floor(one.Value*factor), i
		left -= tenths[i]
	}
	remainder := func(i int) float64 { return parts[i].Value*factor - tenths[i] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for _, i := range order[:min(max(int(left), 0), len(order))] {
		tenths[i]++
	}
	for i := range tenths {
		tenths[i] /= 10
	}
	return tenths
}

// bars draws the parts, at most one per line. If there are more, the smallest are merged into the
// last line, so that the total stays the same.
func (p *plot) bars(s Spec) []TextLine {
	width := p.height
	var out []TextLine
	if p.title+p.about != "" {
		width--
		out = append(out, p.heading())
	}
	bars := s.Bars(width)
	if len(bars) == 0 {
		return nil
	}
	for i := range bars {
		bars[i].Label = p.g.clean(bars[i].Label)
	}
	columns := p.measureColumns(bars)
	f := newBarArea(bars, p.width-columns.label-1-withGap(columns.share)-withGap(columns.value))
	for _, b := range bars {
		r := p.newLine()
		r.addText(p.g.truncate(b.Label, columns.label), StyleLabel)
		r.pad(columns.label + 1)
		p.drawBar(r, b.Value, f)
		end := columns.label + 1 + f.width
		if columns.share > 0 {
			end += 1 + columns.share
			r.pad(end - len(b.Share))
			r.addText(b.Share, StyleLabel)
		}
		if columns.value > 0 {
			r.pad(end + 1 + columns.value - len(b.Figure))
			r.addText(b.Figure, StyleLabel)
		}
		out = append(out, r.finish())
	}
	return out
}

// barColumns are the widths of the text around the bars; zero for none.
type barColumns struct{ label, share, value int }

// measureColumns drops the values first if there is too little space, then the shares.
func (p *plot) measureColumns(bars []Bar) barColumns {
	var c barColumns
	for _, b := range bars {
		c.label = max(c.label, displaywidth.String(b.Label))
		c.share, c.value = max(c.share, len(b.Share)), max(c.value, len(b.Figure))
	}
	c.label = min(c.label, max(p.width/3, 4))
	if c.label+c.share+c.value+12 > p.width {
		c.value = 0
	}
	if c.label+c.share+5 > p.width {
		c.share = 0
	}
	return c
}

func withGap(width int) int {
	if width == 0 {
		return 0
	}
	return width + 1
}

// barArea is the area of the bars.
type barArea struct {
	width int
	zero  int     // the cell at which bars start
	unit  float64 // cells for a value of one
}

func newBarArea(bars []Bar, width int) barArea {
	e := ValueRange{NonEmpty: true} // zero is always visible
	for _, b := range bars {
		e.Add(b.Value)
	}
	if e.High-e.Low < MinMagnitude {
		return barArea{width: width}
	}
	unit := float64(width) / (e.High - e.Low)
	return barArea{width, min(int(math.Ceil(-e.Low*unit)), width-1), unit}
}

// drawBar draws a bar from zero, to the left for negative values. Nonzero values are always
// visible.
func (p *plot) drawBar(r *lineBuilder, size float64, f barArea) {
	if size == 0 || f.unit == 0 {
		return
	}
	if size < 0 {
		cells := min(max(int(math.Round(-size*f.unit)), 1), f.zero)
		r.pad(r.width + f.zero - cells)
		r.add(strings.Repeat(string(p.g.leftward), cells), cells, StyleDown)
		return
	}
	r.pad(r.width + f.zero)
	steps := len(p.g.bars)
	length := min(max(int(math.Round(size*f.unit*float64(steps))), 1), (f.width-f.zero)*steps)
	text := strings.Repeat(string(p.g.bars[steps-1]), length/steps)
	if rest := length % steps; rest > 0 {
		text += string(p.g.bars[rest-1])
	}
	r.add(text, (length+steps-1)/steps, StyleSeries1)
}

package plot

import (
	"math"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// bars draws parts, as many as there are lines; the smallest of those that have none
// are taken together in the last, so that the whole stays whole.
func (p *plot) bars(s chart.Spec) []Line {
	room := p.height
	var out []Line
	if p.title+p.about != "" {
		room--
		out = append(out, p.heading())
	}
	bars := s.Bars(room)
	if len(bars) == 0 {
		return nil
	}
	for i := range bars {
		bars[i].Label = p.g.clean(bars[i].Label)
	}
	columns := p.columnsOf(bars)
	f := fieldOf(bars, p.width-columns.label-1-gapped(columns.share)-gapped(columns.value))
	for _, b := range bars {
		r := p.row()
		r.text(p.g.cut(b.Label, columns.label), Label)
		r.pad(columns.label + 1)
		p.stripe(r, b.Value, f)
		end := columns.label + 1 + f.width
		if columns.share > 0 {
			end += 1 + columns.share
			r.pad(end - len(b.Share))
			r.text(b.Share, Label)
		}
		if columns.value > 0 {
			r.pad(end + 1 + columns.value - len(b.Figure))
			r.text(b.Figure, Label)
		}
		out = append(out, r.done())
	}
	return out
}

// columns are the widths of what stands around the bars. None is zero.
type columns struct{ label, share, value int }

// columnsOf gives up the values first where there is no room, then the shares.
func (p *plot) columnsOf(bars []chart.Bar) columns {
	var c columns
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

func gapped(width int) int {
	if width == 0 {
		return 0
	}
	return width + 1
}

// field is where bars are drawn.
type field struct {
	width int
	zero  int     // the cell at which bars begin
	unit  float64 // cells for a value of one
}

func fieldOf(bars []chart.Bar, width int) field {
	e := axis.Extent{Any: true} // zero is always seen
	for _, b := range bars {
		e.Add(b.Value)
	}
	if e.High-e.Low < axis.Least {
		return field{width: width}
	}
	unit := float64(width) / (e.High - e.Low)
	return field{width, min(int(math.Ceil(-e.Low*unit)), width-1), unit}
}

// stripe draws a bar from zero, to the left if it is below. What is not zero is never
// invisible.
func (p *plot) stripe(r *row, size float64, f field) {
	if size == 0 || f.unit == 0 {
		return
	}
	if size < 0 {
		cells := min(max(int(math.Round(-size*f.unit)), 1), f.zero)
		r.pad(r.width + f.zero - cells)
		r.add(strings.Repeat(string(p.g.leftward), cells), cells, Down)
		return
	}
	r.pad(r.width + f.zero)
	steps := len(p.g.bars)
	length := min(max(int(math.Round(size*f.unit*float64(steps))), 1), (f.width-f.zero)*steps)
	text := strings.Repeat(string(p.g.bars[steps-1]), length/steps)
	if rest := length % steps; rest > 0 {
		text += string(p.g.bars[rest-1])
	}
	r.add(text, (length+steps-1)/steps, Series1)
}

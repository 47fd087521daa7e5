package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// bar is one line of a bar chart.
type bar struct {
	label, share, value string
	size                float64
}

// bars draws parts, as many as there are lines; the smallest of those that have none
// are taken together in the last, so that the whole stays whole.
func (p *plot) bars(parts []Part) []Line {
	parts = knownParts(parts)
	if len(parts) == 0 {
		return nil
	}
	room := p.height
	var out []Line
	if p.title+p.about != "" {
		room--
		out = append(out, p.heading())
	}
	bars := p.measured(gathered(parts, room))
	columns := p.columnsOf(bars)
	f := fieldOf(bars, p.width-columns.label-1-gapped(columns.share)-gapped(columns.value))
	for _, b := range bars {
		r := p.row()
		r.text(p.g.cut(b.label, columns.label), Label)
		r.pad(columns.label + 1)
		p.stripe(r, b.size, f)
		end := columns.label + 1 + f.width
		if columns.share > 0 {
			end += 1 + columns.share
			r.pad(end - len(b.share))
			r.text(b.share, Label)
		}
		if columns.value > 0 {
			r.pad(end + 1 + columns.value - len(b.value))
			r.text(b.value, Label)
		}
		out = append(out, r.done())
	}
	return out
}

// knownParts are those that can be drawn.
func knownParts(parts []Part) []Part {
	return slices.DeleteFunc(slices.Clone(parts), func(one Part) bool { return !known(one.Value) })
}

// columns are the widths of what stands around the bars. None is zero.
type columns struct{ label, share, value int }

// columnsOf gives up the values first where there is no room, then the shares.
func (p *plot) columnsOf(bars []bar) columns {
	var c columns
	for _, b := range bars {
		c.label = max(c.label, displaywidth.String(b.label))
		c.share, c.value = max(c.share, len(b.share)), max(c.value, len(b.value))
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

// gathered are at most n parts in their order, the last of them the sum of the
// smallest, and of those that are sums already.
func gathered(parts []Part, n int) []Part {
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
		rest.Of += parts[i].count()
	}
	rest.Label = fmt.Sprintf("%d others", rest.Of)
	return append(out, rest)
}

// count is how many parts there were before some were taken together.
func (p Part) count() int { return max(p.Of, 1) }

// measured writes the figures of parts. Per cents are given, or are the shares of a
// sum above zero; where there is no such sum there are none.
func (p *plot) measured(parts []Part) []bar {
	shares := shares(parts, p.unit)
	out := make([]bar, len(parts))
	for i, one := range parts {
		out[i] = bar{label: p.g.clean(one.Label), size: one.Value, value: figure(one.Value, p.unit)}
		if p.unit == "%" {
			out[i].value = ""
		}
		if shares != nil {
			out[i].share = grouped(shares[i], 1) + "%"
		}
	}
	return out
}

// field is where bars are drawn.
type field struct {
	width int
	zero  int     // the cell at which bars begin
	unit  float64 // cells for a value of one
}

func fieldOf(bars []bar, width int) field {
	e := extent{any: true} // zero is always seen
	for _, b := range bars {
		e.add(b.size)
	}
	if e.high-e.low < minMagnitude {
		return field{width: width}
	}
	unit := float64(width) / (e.high - e.low)
	return field{width, min(int(math.Ceil(-e.low*unit)), width-1), unit}
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

package plot

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// plot is a drawing with a scale at its left, marks at its right, dates below.
type plot struct {
	g             *glyphs
	width, height int
	// about is what the figures are in; a title that is too long is cut before it.
	title, about, unit string
	y                  axis.Scale
	// marks name places on the scale, the most important first: where two would
	// stand in one row, the later one moves or is left out.
	marks  []mark
	legend []entry
	// below is how many of so many rows lie under the scale, for a second drawing
	// that belowLabel names.
	below      func(rows int) int
	belowLabel string
	// pins are marks in the line below the drawing.
	pins func(cols int) []pin
	// bottom are the labels under columns, for so many of them.
	bottom func(cols int) []place
	draw   func(c *canvas, rows int)
}

type mark struct {
	position float64
	text     string
	style    Style
}

// pin is a character under a column.
type pin struct {
	col  int
	sign string
}

// entry is a name in the legend, with its figure.
type entry struct {
	sign, name, figure string
	style              Style
}

// place is a label under a column.
type place struct {
	col   int
	label string
	above string // what the label leaves out unless it was not said before it
	lead  int    // how much of the label is that, where it says so
}

// whole is the place with what its label leaves out, or as it is where a line of the
// width has no room for that.
func (at place) whole(width int) place {
	if whole := at.above + " " + at.label; at.above != "" && len(whole) <= width {
		at.label, at.lead = whole, len(at.above)+1
	}
	return at
}

// room is how a plot's height is shared out. The rows of the drawing come first,
// then the parts that explain most.
type room struct {
	rows, legend        int
	title, bottom, rule bool
}

func (p *plot) share(legend int) room {
	left := p.height - 2
	take := func(wanted bool) bool {
		if !wanted || left <= 0 {
			return false
		}
		left--
		return true
	}
	var r room
	r.bottom = take(p.bottom != nil)
	r.title = take(p.title+p.about != "")
	r.rule = take(true)
	for left > 2 && r.legend < legend && take(r.legend < max(p.height/5, 1)) {
		r.legend++
	}
	r.rows = 2 + left
	return r
}

// lines draws all of it.
func (p *plot) lines() []Line {
	legend := p.names()
	share := p.share(len(legend))
	below := 0
	if p.below != nil {
		below = p.below(share.rows)
	}
	rows := share.rows - below
	labels, left := p.labels(rows)
	if below > 0 {
		if w := len(p.belowLabel); w <= p.width/4 {
			labels[rows], left = p.belowLabel, max(left, w)
		}
	}
	marks, right := p.placed(rows)
	c := newCanvas(p.g, p.width-left-1-right, share.rows)
	p.draw(c, rows)
	var places []place
	if p.bottom != nil {
		places = fitted(p.bottom(c.cols), left+1, p.width)
	}
	var out []Line
	if share.title {
		out = append(out, p.heading())
	}
	for i := range share.rows {
		r := p.row()
		p.axis(r, labels[i], left, i < rows)
		c.write(r, i)
		if m, ok := marks[i]; ok {
			r.text(m.text, m.style)
		}
		out = append(out, r.done())
	}
	if share.rule {
		out = append(out, p.rule(left, c.cols, places))
	}
	if share.bottom {
		out = append(out, p.written(left, places))
	}
	return append(out, legend[:share.legend]...)
}

func (p *plot) row() *row { return &row{room: p.width, glyph: p.g} }

func (p *plot) single(text string, style Style) Line {
	r := p.row()
	r.text(text, style)
	return r.done()
}

// labels of the scale by row, and how wide they are. Where they would take half of
// the width there are none: a figure that is cut is another figure.
func (p *plot) labels(rows int) (map[int]string, int) {
	out, left := map[int]string{}, 0
	for _, t := range p.y.Ticks(min(max(rows/2, 2), 12), p.unit) {
		at := rowOf(t.Position, rows*p.g.down) / p.g.down
		if out[at] == "" && len(t.Label) <= p.width/2 {
			out[at] = t.Label
			left = max(left, len(t.Label))
		}
	}
	return out, left
}

func (p *plot) axis(r *row, label string, left int, scaled bool) {
	r.pad(left - len(label))
	r.text(label, Label)
	wall := p.g.wall
	if label != "" && scaled {
		wall = p.g.wallTick
	}
	r.text(string(wall), Axis)
}

// placed are the marks by row, and how wide they are. A figure is left out rather
// than cut.
func (p *plot) placed(rows int) (map[int]mark, int) {
	out, right := map[int]mark{}, 0
	most := max(p.width*3/10, 9)
	if p.width < 30 {
		return out, 0
	}
	for _, m := range p.marks {
		width := displaywidth.String(m.text)
		at := rowOf(m.position, rows*p.g.down) / p.g.down
		if at = free(out, at, rows); at < 0 || width > most {
			continue
		}
		out[at] = m
		right = max(right, width)
	}
	return out, right
}

// free is the row nearest to at, no more than one away, that has no mark; or -1.
func free(taken map[int]mark, at, rows int) int {
	for _, row := range []int{at, at - 1, at + 1} {
		if _, ok := taken[row]; !ok && row >= 0 && row < rows {
			return row
		}
	}
	return -1
}

// fitted moves labels into the line and leaves out those that would touch one before
// them. A label says what stands above it where that was not said before; it goes before
// those that say nothing of the kind.
func fitted(places []place, offset, width int) []place {
	var out []place
	said, saying := "", 0 // what was, and how many of out stand up to the label that says it
	for _, at := range places {
		n, least := len(out), len(out)
		tells := at.above != "" && at.above != said
		if tells {
			at, least = at.whole(width), saying
		}
		start, length := at.span(offset, width)
		for n > least && out[n-1].touches(start, offset, width) {
			n--
		}
		if length > width || n > 0 && out[n-1].touches(start, offset, width) {
			continue
		}
		if out = append(out[:n], at); tells {
			said, saying = at.above, len(out)
		}
	}
	return out
}

// touches reports whether less than two blanks stand between a label and one that
// begins at start.
func (at place) touches(start, offset, width int) bool {
	from, length := at.span(offset, width)
	return start < from+length+2
}

// span is where a label begins and how long it is: under its column, but within the
// line. What stands above it leads it, at the side of the labels before, where the first
// has room.
func (at place) span(offset, width int) (start, length int) {
	length = len(at.label)
	return min(max(offset+at.col-(length-at.lead)/2-at.lead, 0), width-length), length
}

func (p *plot) rule(left, cols int, places []place) Line {
	line := []rune(strings.Repeat(string(p.g.rule), cols))
	for _, at := range places {
		if at.col >= 0 && at.col < cols {
			line[at.col] = p.g.ruleTick
		}
	}
	if p.pins != nil {
		for _, at := range p.pins(cols) {
			line[at.col] = []rune(at.sign)[0]
		}
	}
	r := p.row()
	r.pad(left)
	r.text(string(p.g.corner), Axis)
	r.add(string(line), len(line), Axis)
	return r.done()
}

func (p *plot) written(left int, places []place) Line {
	r := p.row()
	for _, at := range places {
		start, _ := at.span(left+1, p.width)
		r.pad(start)
		r.text(at.label, Label)
	}
	return r.done()
}

// names are the lines of the legend. Names are cut where they have to be, figures are
// not.
func (p *plot) names() []Line {
	var out []Line
	r := p.row()
	for _, e := range p.legend {
		label := " " + e.figure
		if e.name != "" {
			label = " " + p.g.cut(e.name, p.width-displaywidth.String(e.sign)-2-len(e.figure)) + label
		}
		width := displaywidth.String(e.sign) + displaywidth.String(label)
		if r.width > 0 && r.width+2+width > p.width {
			out = append(out, r.done())
			r = p.row()
		}
		if r.width > 0 {
			r.text("  ", Blank)
		}
		r.text(e.sign, e.style)
		r.text(label, Label)
	}
	if r.width > 0 {
		out = append(out, r.done())
	}
	return out
}

// dated are the labels of a period under columns that show it evenly.
func dated(p axis.Period, cols, width int) []place {
	var out []place
	for _, t := range p.Ticks(width) {
		out = append(out, place{col: columnOf(p.Position(t.At), cols), label: t.At.Format(t.Layout), above: t.At.Format(t.Above)})
	}
	return out
}

package chart

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// plot is a drawing with a scale on its left, marks on its right, and labels below.
type plot struct {
	g             *glyphs
	width, height int
	// about describes the figures; a long title is truncated before it.
	title, about, unit string
	y                  Scale
	// marks name positions on the scale, the most important first. If two need the same row, the
	// later one moves or is dropped.
	marks  []mark
	legend []legendEntry
	// volumeRows returns how many of the rows are below the scale, for the volumes, which volumeLabel names.
	volumeRows  func(rows int) int
	volumeLabel string
	// markers returns the markers in the line below a drawing of cols columns.
	markers func(cols int) []marker
	// columnLabels returns the labels below a drawing of cols columns.
	columnLabels func(cols int) []columnLabel
	draw         func(c *canvas, rows int)
}

type mark struct {
	position float64
	text     string
	style    Style
}

// marker is a character under a column.
type marker struct {
	col  int
	sign string
}

// legendEntry is a name in the legend, with its figure.
type legendEntry struct {
	sign, name, figure string
	style              Style
}

// columnLabel is a label under a column.
type columnLabel struct {
	col        int
	label      string
	context    string // shown only if the previous label has another context
	contextLen int    // length of the context in the label, if shown
}

// withContext returns the label together with its context, or unchanged if they do not fit into
// width.
func (label columnLabel) withContext(width int) columnLabel {
	if whole := label.context + " " + label.label; label.context != "" && len(whole) <= width {
		label.label, label.contextLen = whole, len(label.context)+1
	}
	return label
}

// plotLayout divides the height of a plot. The drawing gets its rows first, then the parts that explain most.
type plotLayout struct {
	rows, legend        int
	title, bottom, rule bool
}

func (p *plot) layout(legend int) plotLayout {
	left := p.height - 2
	take := func(wanted bool) bool {
		if !wanted || left <= 0 {
			return false
		}
		left--
		return true
	}
	var r plotLayout
	r.bottom = take(p.columnLabels != nil)
	r.title = take(p.title+p.about != "")
	r.rule = take(true)
	for left > 2 && r.legend < legend && take(r.legend < max(p.height/5, 1)) {
		r.legend++
	}
	r.rows = 2 + left
	return r
}

// renderLines draws the plot with its title, scale, labels and legend.
func (p *plot) renderLines() []TextLine {
	legend := p.legendLines()
	share := p.layout(len(legend))
	below := 0
	if p.volumeRows != nil {
		below = p.volumeRows(share.rows)
	}
	rows := share.rows - below
	labels, left := p.scaleLabels(rows)
	if below > 0 {
		if w := len(p.volumeLabel); w <= p.width/4 {
			labels[rows], left = p.volumeLabel, max(left, w)
		}
	}
	marks, right := p.placeMarks(rows)
	c := newCanvas(p.g, p.width-left-1-right, share.rows)
	p.draw(c, rows)
	var places []columnLabel
	if p.columnLabels != nil {
		places = fitLabels(p.columnLabels(c.cols), left+1, p.width)
	}
	var out []TextLine
	if share.title {
		out = append(out, p.heading())
	}
	for i := range share.rows {
		r := p.newLine()
		p.axis(r, labels[i], left, i < rows)
		c.appendRow(r, i)
		if m, ok := marks[i]; ok {
			r.addText(m.text, m.style)
		}
		out = append(out, r.finish())
	}
	if share.rule {
		out = append(out, p.ruleLine(left, c.cols, places))
	}
	if share.bottom {
		out = append(out, p.labelLine(left, places))
	}
	return append(out, legend[:share.legend]...)
}

func (p *plot) newLine() *lineBuilder { return &lineBuilder{maxWidth: p.width, glyph: p.g} }

func (p *plot) textLine(text string, style Style) TextLine {
	r := p.newLine()
	r.addText(text, style)
	return r.finish()
}

// scaleLabels returns the labels of the scale by row, and their width. If they would take half of
// the width, there are none, because a truncated figure would be wrong.
func (p *plot) scaleLabels(rows int) (map[int]string, int) {
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

func (p *plot) axis(r *lineBuilder, label string, left int, scaled bool) {
	r.pad(left - len(label))
	r.addText(label, StyleLabel)
	wall := p.g.wall
	if label != "" && scaled {
		wall = p.g.wallTick
	}
	r.addText(string(wall), StyleAxis)
}

// placeMarks returns the marks by row, and their width. A figure that does not fit is dropped, not
// truncated.
func (p *plot) placeMarks(rows int) (map[int]mark, int) {
	out, right := map[int]mark{}, 0
	most := max(p.width*3/10, 9)
	if p.width < 30 {
		return out, 0
	}
	for _, m := range p.marks {
		width := displaywidth.String(m.text)
		at := rowOf(m.position, rows*p.g.down) / p.g.down
		if at = freeRow(out, at, rows); at < 0 || width > most {
			continue
		}
		out[at] = m
		right = max(right, width)
	}
	return out, right
}

// freeRow returns the row nearest to at, at most one away, that has no mark; or -1.
func freeRow(taken map[int]mark, at, rows int) int {
	for _, row := range []int{at, at - 1, at + 1} {
		if _, ok := taken[row]; !ok && row >= 0 && row < rows {
			return row
		}
	}
	return -1
}

// fitLabels moves labels into the line and drops those that would touch another. A label shows its
// context if the previous one has another; such a label replaces earlier ones without context.
func fitLabels(places []columnLabel, offset, width int) []columnLabel {
	var out []columnLabel
	context, minKept := "", 0 // the latest context, and how many labels of out precede the label that shows it
	for _, next := range places {
		n, least := len(out), len(out)
		hasContext := next.context != "" && next.context != context
		if hasContext {
			next, least = next.withContext(width), minKept
		}
		start, length := next.bounds(offset, width)
		for n > least && out[n-1].overlaps(start, offset, width) {
			n--
		}
		if length > width || n > 0 && out[n-1].overlaps(start, offset, width) {
			continue
		}
		if out = append(out[:n], next); hasContext {
			context, minKept = next.context, len(out)
		}
	}
	return out
}

// overlaps reports whether there are fewer than two blanks between a label and one that starts at
// start.
func (label columnLabel) overlaps(start, offset, width int) bool {
	from, length := label.bounds(offset, width)
	return start < from+length+2
}

// bounds returns where a label begins and how long it is. The label is under its column, but
// within the line; its context is drawn before it.
func (label columnLabel) bounds(offset, width int) (start, length int) {
	length = len(label.label)
	return min(max(offset+label.col-(length-label.contextLen)/2-label.contextLen, 0), width-length), length
}

func (p *plot) ruleLine(left, cols int, places []columnLabel) TextLine {
	line := []rune(strings.Repeat(string(p.g.rule), cols))
	for _, label := range places {
		if label.col >= 0 && label.col < cols {
			line[label.col] = p.g.ruleTick
		}
	}
	if p.markers != nil {
		for _, label := range p.markers(cols) {
			line[label.col] = []rune(label.sign)[0]
		}
	}
	r := p.newLine()
	r.pad(left)
	r.addText(string(p.g.corner), StyleAxis)
	r.add(string(line), len(line), StyleAxis)
	return r.finish()
}

func (p *plot) labelLine(left int, places []columnLabel) TextLine {
	r := p.newLine()
	for _, label := range places {
		start, _ := label.bounds(left+1, p.width)
		r.pad(start)
		r.addText(label.label, StyleLabel)
	}
	return r.finish()
}

// legendLines returns the lines of the legend. It truncates names if necessary, but never figures.
func (p *plot) legendLines() []TextLine {
	var out []TextLine
	r := p.newLine()
	for _, e := range p.legend {
		label := " " + e.figure
		if e.name != "" {
			label = " " + p.g.truncate(e.name, p.width-displaywidth.String(e.sign)-2-len(e.figure)) + label
		}
		width := displaywidth.String(e.sign) + displaywidth.String(label)
		if r.width > 0 && r.width+2+width > p.width {
			out = append(out, r.finish())
			r = p.newLine()
		}
		if r.width > 0 {
			r.addText("  ", StyleBlank)
		}
		r.addText(e.sign, e.style)
		r.addText(label, StyleLabel)
	}
	if r.width > 0 {
		out = append(out, r.finish())
	}
	return out
}

// dateLabels returns the date labels for a period that spans cols columns.
func dateLabels(p Period, cols, width int) []columnLabel {
	var out []columnLabel
	for _, t := range p.Ticks(width) {
		out = append(out, columnLabel{col: columnOf(p.Position(t.At), cols), label: t.At.Format(t.Layout), context: t.At.Format(t.ContextLayout)})
	}
	return out
}

package markdown

import (
	"slices"
	"strconv"
	"strings"
)

// tableHead draws the header and the rule below it; as label: value lines a
// table has none.
func (p *painter) tableHead(g *grid, lay layout) {
	if lay.visible == nil {
		if len(g.rows) == 0 {
			for i := range g.header {
				p.paragraph(&g.header[i])
			}
		}
		return
	}
	p.windowMarks(lay)
	p.columns(lay, g.header)
	p.buf = p.buf[:0]
	for i, width := range lay.widths {
		if i > 0 {
			p.buf = append(p.buf, "  "...)
		}
		p.buf = append(p.buf, p.opt.Theme.TableRule.Apply(strings.Repeat("─", width))...)
	}
	p.emit()
}

// windowMarks says above a table how many of its columns are left out.
func (p *painter) windowMarks(lay layout) {
	var marks []string
	if lay.before > 0 {
		marks = append(marks, "‹ "+strconv.Itoa(lay.before)+" more")
	}
	if lay.after > 0 {
		marks = append(marks, strconv.Itoa(lay.after)+" more ›")
	}
	if len(marks) > 0 {
		p.scratch.reset()
		p.scratch.writeString(strings.Join(marks, " · "), attr{style: p.frame.base.With(p.opt.Theme.Dim)})
		p.paragraph(&p.scratch)
	}
}

func (p *painter) tableRow(g *grid, lay layout, cells []rich, first bool) {
	if lay.visible != nil {
		p.columns(lay, cells)
		return
	}
	if !first {
		p.wantGap()
	}
	p.labelled(g, cells)
}

// columns draws one row, as many lines as its tallest cell takes.
func (p *painter) columns(lay layout, cells []rich) {
	n := len(lay.visible)
	wrapped, spans, height := make([][]segment, n), make([]int, n), 1
	for i, at := range lay.visible {
		wrapped[i] = slices.Clone(p.wrapper.wrap(&cells[at], lay.widths[i]))
		height = max(height, len(wrapped[i]))
	}
	for row := range height {
		p.buf = p.buf[:0]
		owed := 0 // spaces that are drawn only if something follows them
		for i, at := range lay.visible {
			if i > 0 {
				owed += columnGap
			}
			if row >= len(wrapped[i]) || wrapped[i][row].start == wrapped[i][row].end {
				owed += lay.widths[i]
				continue
			}
			line := wrapped[i][row]
			before, after := lay.pad(at, lay.widths[i]-line.width)
			p.buf = appendSpaces(p.buf, owed+before)
			p.buf, spans[i] = cells[at].appendRange(p.buf, line.start, line.end, spans[i])
			owed = after
		}
		p.emit()
	}
}

// pad says where the free cells of a column go.
func (lay layout) pad(column, free int) (before, after int) {
	free = max(free, 0)
	switch {
	case lay.right[column]:
		return free, 0
	case lay.center[column]:
		return free / 2, free - free/2
	}
	return 0, free
}

// labelled draws one row as lines of "label: value".
func (p *painter) labelled(g *grid, cells []rich) {
	drawn := len(p.lines)
	outer := p.frame
	for i := range cells {
		if len(cells[i].text) == 0 {
			continue
		}
		r := &p.scratch
		r.reset()
		if label := &g.header[i]; len(label.text) > 0 {
			r.join(label)
			r.writeString(": ", attr{style: p.frame.base.With(p.opt.Theme.TableHeader)})
		}
		r.join(&cells[i])
		if p.availableWidth()-columnGap >= minTextWidth {
			p.enter("", "  ", columnGap)
		}
		p.paragraph(r)
		p.frame = outer
	}
	if len(p.lines) == drawn {
		p.buf = p.buf[:0]
		p.emit()
	}
}

// join appends the text of other with its attributes.
func (r *rich) join(other *rich) {
	from := 0
	for _, s := range other.spans {
		r.write(other.text[from:s.end], s.attr)
		from = s.end
	}
}

func appendSpaces(buf []byte, n int) []byte {
	for range n {
		buf = append(buf, ' ')
	}
	return buf
}

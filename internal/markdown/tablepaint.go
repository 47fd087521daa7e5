package markdown

import (
	"slices"
	"strings"
)

// tableHead draws the header and the rule below it; as label: value lines a
// table has none.
func (p *painter) tableHead(g *grid, lay layout) {
	if lay.widths == nil {
		if len(g.rows) == 0 {
			for i := range g.header {
				p.paragraph(&g.header[i])
			}
		}
		return
	}
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

func (p *painter) tableRow(g *grid, lay layout, cells []rich, first bool) {
	if lay.widths != nil {
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
	wrapped := make([][]segment, len(cells))
	spans := make([]int, len(cells))
	height := 1
	for i := range cells {
		wrapped[i] = slices.Clone(p.wrapper.wrap(&cells[i], lay.widths[i]))
		height = max(height, len(wrapped[i]))
	}
	for row := range height {
		p.buf = p.buf[:0]
		owed := 0 // spaces that are drawn only if something follows them
		for i := range cells {
			if i > 0 {
				owed += columnGap
			}
			if row >= len(wrapped[i]) || wrapped[i][row].start == wrapped[i][row].end {
				owed += lay.widths[i]
				continue
			}
			line := wrapped[i][row]
			before, after := lay.pad(i, line.width)
			p.buf = appendSpaces(p.buf, owed+before)
			p.buf, spans[i] = cells[i].appendRange(p.buf, line.start, line.end, spans[i])
			owed = after
		}
		p.emit()
	}
}

func (lay layout) pad(i, width int) (before, after int) {
	free := max(lay.widths[i]-width, 0)
	switch {
	case lay.right[i]:
		return free, 0
	case lay.centre[i]:
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
		if p.room()-columnGap >= minRoom {
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

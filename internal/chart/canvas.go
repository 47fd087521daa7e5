package chart

import "math"

// cell is a character of a drawing.
type cell struct {
	glyph rune
	style Style
}

// canvas is a drawing of cells, each of several dots. Dots are drawn over glyphs; the later of two
// in a cell sets its style.
type canvas struct {
	g          *glyphs
	cols, rows int
	cells      []cell
	mask       []uint8
	// useLetters draws cells that have dots as the letter of their series: every cell in ASCII,
	// some cells of a finer line, whose dots show more than a letter.
	useLetters bool
}

func newCanvas(g *glyphs, cols, rows int) *canvas {
	c := &canvas{g: g, cols: cols, rows: rows, cells: make([]cell, cols*rows), mask: make([]uint8, cols*rows)}
	for i := range c.cells {
		c.cells[i].glyph = ' '
	}
	return c
}

// set puts a glyph at a column and row, counted from the upper left.
func (c *canvas) set(col, row int, glyph rune, style Style) {
	if col >= 0 && col < c.cols && row >= 0 && row < c.rows {
		c.cells[row*c.cols+col] = cell{glyph, style}
	}
}

func (c *canvas) dot(x, y int, style Style) {
	if x < 0 || y < 0 || x >= c.cols*c.g.across || y >= c.rows*c.g.down {
		return
	}
	i := y/c.g.down*c.cols + x/c.g.across
	c.mask[i] |= 1 << (y%c.g.down*c.g.across + x%c.g.across)
	c.cells[i].style = style
}

// column draws the dots of column x from y to y2, both included.
func (c *canvas) column(x, y, y2 int, style Style) {
	for y, y2 = min(y, y2), max(y, y2); y <= y2; y++ {
		c.dot(x, y, style)
	}
}

// drawLine draws a series over the upper rows of the canvas.
func (c *canvas) drawLine(trace []bucket, rows int, style Style) {
	for x, b := range trace {
		if !b.filled {
			continue
		}
		c.column(x, c.dotRow(b.high, rows), c.dotRow(b.low, rows), style)
		if !b.connected {
			continue
		}
		// The line that leads here from the previous column belongs to this column, except for the
		// dot that exists already.
		from, to := c.dotRow(trace[x-1].last, rows), c.dotRow(b.first, rows)
		switch {
		case from < to:
			c.column(x, from+1, to, style)
		case from > to:
			c.column(x, from-1, to, style)
		}
	}
}

// dotRow returns the row of dots for a position on the scale, from 0 (bottom) to 1 (top).
func (c *canvas) dotRow(position float64, rows int) int {
	return rowOf(position, rows*c.g.down)
}

// letterSpacing is the distance between letters on a fine line, in columns.
const letterSpacing = 8

// visibleCell returns the character that is seen in a cell.
func (c *canvas) visibleCell(col, row int) cell {
	i := row*c.cols + col
	seen := c.cells[i]
	switch {
	case c.mask[i] == 0:
	case c.useLetters && seen.style >= StyleSeries1 && (c.g.ascii || col%letterSpacing == int(seen.style-StyleSeries1)):
		seen.glyph = rune(c.g.letters[int(seen.style-StyleSeries1)%len(c.g.letters)])
	default:
		seen.glyph = c.g.dots(c.mask[i])
	}
	return seen
}

// appendRow appends a row of the drawing to a line.
func (c *canvas) appendRow(r *lineBuilder, at int) {
	run := make([]rune, 0, c.cols)
	style := StyleBlank
	flush := func() {
		r.add(string(run), len(run), style)
		run = run[:0]
	}
	for col := range c.cols {
		seen := c.visibleCell(col, at)
		if seen.glyph == ' ' {
			seen.style = StyleBlank
		}
		if seen.style != style {
			flush()
			style = seen.style
		}
		run = append(run, seen.glyph)
	}
	flush()
}

// rowOf returns the row, counted from the top, of a position on n rows.
func rowOf(position float64, n int) int {
	return int(math.Round((1 - position) * float64(n-1)))
}

package markdown

import (
	"slices"

	east "github.com/yuin/goldmark/extension/ast"
)

const (
	// minTableWidth is the width below which a table is read more easily as
	// "label: value" lines.
	minTableWidth = 44
	columnGap     = 2
)

// layout is what the drawing of one row depends on besides its cells.
type layout struct {
	visible []int // the columns that are drawn; nil for label: value lines
	widths  []int // of the columns that are drawn
	right   []bool
	center  []bool
	before  int // columns left out between the first and the window ...
	after   int // ... and after it
	scroll  int // the most columns that can be left out before it
}

// layout fits the table into the available width: all columns if they can be shrunk to it, else a
// window onto them if that is enabled, else "label: value" lines.
func (p *painter) layout(g *grid) layout {
	n := len(g.columns)
	lay := layout{right: make([]bool, n), center: make([]bool, n)}
	for i := range g.columns {
		c := &g.columns[i]
		lay.right[i] = c.align == east.AlignRight || c.align == east.AlignNone && c.numeric()
		lay.center[i] = c.align == east.AlignCenter
	}
	if width := p.availableWidth(); width >= minTableWidth {
		if lay.scroll = g.hidden(width); lay.scroll == 0 {
			lay.window(g, 0, width)
		} else if p.opt.ScrollTables && g.canScroll(width) {
			lay.window(g, min(max(p.opt.TableOffset, 0), lay.scroll), width)
		}
	}
	if lay.visible == nil {
		lay.scroll = 0
	}
	p.scroll = max(p.scroll, lay.scroll)
	return lay
}

// hidden is how many columns after the first have to be left out for the last
// ones to fit into width.
func (g *grid) hidden(width int) int {
	width -= g.columns[0].minimum()
	for i := len(g.columns) - 1; i > 0; i-- {
		if width -= columnGap + g.columns[i].minimum(); width < 0 {
			return i
		}
	}
	if width < 0 {
		return 1
	}
	return 0
}

// canScroll reports whether each column fits into width beside the first.
func (g *grid) canScroll(width int) bool {
	for i := range g.columns[1:] {
		if g.columns[0].minimum()+columnGap+g.columns[i+1].minimum() > width {
			return false
		}
	}
	return len(g.columns) > 1
}

// window shows the first column and those that fit after leaving out some.
func (lay *layout) window(g *grid, before, width int) {
	lay.visible = []int{0}
	free := width - g.columns[0].minimum()
	for i := 1 + before; i < len(g.columns); i++ {
		if free -= columnGap + g.columns[i].minimum(); free < 0 {
			break
		}
		lay.visible = append(lay.visible, i)
	}
	lay.before = before
	lay.after = len(g.columns) - before - len(lay.visible)
	lay.widths = g.share(lay.visible, width-columnGap*(len(lay.visible)-1))
}

// numeric reports a column of numbers, which are read from the right.
func (c *column) numeric() bool { return c.numbers > 0 && c.words == 0 }

// minimum is the least width of the column: that of its widest number, which
// is never broken, and of its words.
func (c *column) minimum() int {
	return max(c.unbreakable, min(c.natural, max(c.minWidth, wrapMinimum)), 1)
}

// share gives each column what it needs if that fits into free cells, else the
// widest give way first, down to their minimum: it finds the highest ceiling
// under which they fit.
func (g *grid) share(shown []int, free int) []int {
	widths := make([]int, len(shown))
	fill := func(ceiling int) int {
		sum := 0
		for i, at := range shown {
			c := &g.columns[at]
			widths[i] = max(c.minimum(), min(c.natural, ceiling))
			sum += widths[i]
		}
		return sum
	}
	low, high := 1, free
	for low < high {
		mid := (low + high + 1) / 2
		if fill(mid) <= free {
			low = mid
		} else {
			high = mid - 1
		}
	}
	sum := fill(low)
	// What the ceiling leaves over goes to those it cut, from the left.
	for i, at := range shown {
		if sum < free && widths[i] < g.columns[at].natural {
			widths[i]++
			sum++
		}
	}
	return widths
}

func (lay layout) equal(b layout) bool {
	return lay.before == b.before && lay.after == b.after &&
		slices.Equal(lay.visible, b.visible) && slices.Equal(lay.widths, b.widths) &&
		(lay.visible == nil) == (b.visible == nil) && slices.Equal(lay.right, b.right)
}

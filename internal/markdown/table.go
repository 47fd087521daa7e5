package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	// narrowest is the width below which a table is read more easily as
	// "label: value" lines.
	narrowest = 44
	columnGap = 2
	// longestWord bounds what a column keeps together: a longer word (a URL,
	// an identifier) is cut before the other columns are starved for it.
	longestWord = 16
	wrapMinimum = 6
)

// grid is a table's content, measured as it is added so that rows can follow
// while the table is still being written.
type grid struct {
	columns []column
	header  []rich
	rows    [][]rich
}

type column struct {
	align   east.Alignment
	natural int // widest line of a cell
	least   int // widest word, bounded
	numbers int
	words   int // cells of the body that are neither numbers nor empty
}

// layout is what the drawing of one row depends on besides its cells.
type layout struct {
	widths []int // nil for label: value lines
	right  []bool
	centre []bool
}

func (p *painter) table(n *east.Table) {
	g := p.newGrid(n)
	p.addRows(g, n)
	lay := g.layout(p.room())
	p.tableHead(g, lay)
	for i := range g.rows {
		p.tableRow(g, lay, g.rows[i], i == 0)
	}
}

func (p *painter) newGrid(n *east.Table) *grid {
	g := &grid{columns: make([]column, len(n.Alignments))}
	for i, a := range n.Alignments {
		g.columns[i].align = a
	}
	g.header = p.cells(n.FirstChild(), len(g.columns), p.opt.Theme.TableHeader)
	for i := range g.header {
		g.columns[i].measure(&p.wrapper, &g.header[i])
	}
	return g
}

func (p *painter) addRows(g *grid, n *east.Table) {
	for row := n.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		cells := p.cells(row, len(g.columns), "")
		for i := range cells {
			g.columns[i].add(&p.wrapper, &cells[i])
		}
		g.rows = append(g.rows, cells)
	}
}

func (p *painter) cells(row ast.Node, n int, style Style) []rich {
	cells := make([]rich, n)
	i := 0
	for c := row.FirstChild(); c != nil && i < n; c = c.NextSibling() {
		p.inlineInto(&cells[i], c, style)
		i++
	}
	return cells
}

func (c *column) add(w *wrapper, cell *rich) {
	c.measure(w, cell)
	switch text := strings.TrimSpace(string(cell.text)); {
	case isNumber(text):
		c.numbers++
	case !standsForNothing(text):
		c.words++
	}
}

// measure widens the column for a cell.
func (c *column) measure(w *wrapper, cell *rich) {
	width := 0
	for _, line := range w.wrap(cell, unbounded) {
		width = max(width, line.width)
	}
	c.natural = max(c.natural, width)
	if width > c.least {
		c.least = max(c.least, longestRun(w, cell))
	}
}

const unbounded = 1 << 20

// longestRun is the width of the widest stretch a line cannot break in.
func longestRun(w *wrapper, cell *rich) int {
	longest := 0
	for _, line := range w.wrap(cell, longestWord) {
		if line.end < len(cell.text) && !isBreak(cell.text[line.end]) {
			return longestWord
		}
		for _, word := range strings.Fields(string(cell.text[line.start:line.end])) {
			longest = max(longest, textWidth(word))
		}
	}
	return min(longest, longestWord)
}

func isBreak(b byte) bool { return b == ' ' || b == '\n' || b >= utf8.RuneSelf }

// numeric reports a column of numbers, which are read from the right and must
// not be broken.
func (c *column) numeric() bool { return c.numbers > 0 && c.words == 0 }

func (c *column) minimum() int {
	if c.numeric() {
		return c.natural
	}
	return min(c.natural, max(c.least, wrapMinimum))
}

// layout fits the columns into width: each gets what it needs if that fits,
// else the widest give way first, down to their longest word.
func (g *grid) layout(width int) layout {
	n := len(g.columns)
	lay := layout{right: make([]bool, n), centre: make([]bool, n)}
	free := width - columnGap*(n-1)
	least := 0
	for i := range g.columns {
		c := &g.columns[i]
		lay.right[i] = c.align == east.AlignRight || c.align == east.AlignNone && c.numeric()
		lay.centre[i] = c.align == east.AlignCenter
		least += max(c.minimum(), 1)
	}
	if width < narrowest || least > free {
		return lay
	}
	lay.widths = g.share(free)
	return lay
}

// share finds the highest ceiling under which the columns fit into free cells.
func (g *grid) share(free int) []int {
	at := func(ceiling int) ([]int, int) {
		widths, sum := make([]int, len(g.columns)), 0
		for i := range g.columns {
			c := &g.columns[i]
			widths[i] = max(c.minimum(), min(c.natural, ceiling), 1)
			sum += widths[i]
		}
		return widths, sum
	}
	low, high := 1, free
	for low < high {
		mid := (low + high + 1) / 2
		if _, sum := at(mid); sum <= free {
			low = mid
		} else {
			high = mid - 1
		}
	}
	widths, sum := at(low)
	// What the ceiling leaves over goes to those it cut, from the left.
	for i := range widths {
		if sum < free && widths[i] < g.columns[i].natural {
			widths[i]++
			sum++
		}
	}
	return widths
}

func (lay layout) equal(b layout) bool {
	if (lay.widths == nil) != (b.widths == nil) {
		return false
	}
	for i := range lay.right {
		if lay.right[i] != b.right[i] || lay.widths != nil && lay.widths[i] != b.widths[i] {
			return false
		}
	}
	return true
}

// isNumber reports an amount as people write it: sign, currency, digits with
// separators, then a percent sign, a magnitude or a short unit.
func isNumber(s string) bool {
	s = strings.TrimRight(strings.TrimLeft(s, "`+-−–~≈<>=($€£¥₹ \u00a0"), "`)%‰¹²³⁴⁵⁶⁷⁸⁹⁰*! \u00a0")
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || s[end] == ',' || s[end] == '\'') {
		end++
	}
	switch strings.TrimLeft(s[end:], " \u00a0") {
	case "", "x", "×", "k", "K", "M", "B", "T", "m", "bn", "mn", "tn", "bp", "bps", "pp",
		"USD", "EUR", "GBP", "GBp", "CHF", "JPY", "CNY", "HKD", "y", "yr", "d", "h", "ms", "s", "€", "£", "¥":
		return true
	}
	return false
}

// standsForNothing reports the marks that fill a cell without a value.
func standsForNothing(s string) bool {
	switch s {
	case "", "-", "–", "—", "−", "n/a", "N/A", "NA", "?", "…":
		return true
	}
	return false
}

package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	// maxUnbrokenWord bounds what a column keeps together: a longer word (a URL,
	// an identifier) is cut before the other columns are starved for it.
	maxUnbrokenWord = 16
	wrapMinimum     = 6
)

// grid is a table's content, measured as it is added so that rows can follow
// while the table is still being written.
type grid struct {
	columns []column
	header  []rich
	rows    [][]rich
}

type column struct {
	align       east.Alignment
	natural     int // widest line of a cell
	minWidth    int // widest word, bounded
	unbreakable int // widest number
	numbers     int
	words       int // cells of the body that are neither numbers nor empty
}

func (p *painter) table(n *east.Table) {
	g := p.newGrid(n)
	p.addRows(g, n)
	lay := p.layout(g)
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
	width := c.measure(w, cell)
	switch text := strings.TrimSpace(string(cell.text)); {
	case isNumber(text):
		c.numbers++
		c.unbreakable = max(c.unbreakable, width)
	case !isPlaceholder(text):
		c.words++
	}
}

// measure widens the column for a cell and returns what the cell would take.
func (c *column) measure(w *wrapper, cell *rich) int {
	width := 0
	for _, line := range w.wrap(cell, unbounded) {
		width = max(width, line.width)
	}
	c.natural = max(c.natural, width)
	if width > c.minWidth {
		c.minWidth = max(c.minWidth, longestRun(w, cell))
	}
	return width
}

const unbounded = 1 << 20

// longestRun is the width of the widest stretch a line cannot break in.
func longestRun(w *wrapper, cell *rich) int {
	longest := 0
	for _, line := range w.wrap(cell, maxUnbrokenWord) {
		if line.end < len(cell.text) && !isBreak(cell.text[line.end]) {
			return maxUnbrokenWord
		}
		for _, word := range strings.Fields(string(cell.text[line.start:line.end])) {
			longest = max(longest, textWidth(word))
		}
	}
	return min(longest, maxUnbrokenWord)
}

func isBreak(b byte) bool { return b == ' ' || b == '\n' || b >= utf8.RuneSelf }

const numberPrefixes = "`+-−–~≈<>=($€£¥₹ \u00a0"

// isNumber reports an amount as people write it: sign, currency, digits with
// separators, then a percent sign, a magnitude or a short unit.
func isNumber(s string) bool {
	s = strings.TrimRight(strings.TrimLeft(s, numberPrefixes), "`)%‰¹²³⁴⁵⁶⁷⁸⁹⁰*! \u00a0")
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || s[end] == ',' || s[end] == '\'') {
		end++
		if gap := len(s[end:]) - len(strings.TrimLeft(s[end:], " \u00a0\u2009\u202f")); gap > 0 && startsThousand(s[end+gap:]) {
			end += gap
		}
	}
	unit := strings.TrimLeft(s[end:], " \u00a0")
	if unit != "" && s[end-1] == '.' {
		return false // a symbol, as 0700.HK or 7203.T
	}
	switch unit {
	case "", "x", "×", "k", "K", "M", "B", "T", "m", "bn", "mn", "tn", "bp", "bps", "pp",
		"USD", "EUR", "GBP", "GBp", "CHF", "JPY", "CNY", "HKD", "y", "yr", "d", "h", "ms", "s", "€", "£", "¥":
		return true
	// How these begin, so that a column being written does not change sides.
	case "b", "t", "p", "U", "US", "E", "EU", "G", "GB", "C", "CH", "J", "JP", "CN", "H", "HK":
		return true
	}
	return false
}

// startsThousand reports three digits, as they follow a space in a number.
func startsThousand(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	return digits == 3
}

// isPlaceholder reports the marks that fill a cell without a value, and
// those a number begins with.
func isPlaceholder(s string) bool {
	switch s {
	case "n", "n/", "n/a", "N", "N/", "N/A", "NA", "?", "…", "—":
		return true
	}
	return utf8.RuneCountInString(s) <= 2 && strings.TrimLeft(s, numberPrefixes) == ""
}

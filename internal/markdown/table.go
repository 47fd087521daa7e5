package markdown

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

const (
	// maxUnbrokenWord is the maximum width of a word that a column does not break. Longer words (URLs,
	// identifiers) are broken, so that the other columns keep their width.
	maxUnbrokenWord = 16
	wrapMinimum     = 6
)

// grid is the content of a table. Rows are measured when they are added, so that a table can be drawn while
// it is being written.
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
			p.colorChange(&cells[i], &g.header[i])
			g.columns[i].add(&p.wrapper, &cells[i])
		}
		g.rows = append(g.rows, cells)
	}
}

// colorChange draws a gain or a loss in its color: "+5.7%", "-1.27 (-0.47%)", or "-1.27" below a
// heading with a currency. A negative number without a unit, such as a correlation, is neither.
func (p *painter) colorChange(cell, heading *rich) {
	text := strings.TrimSpace(string(cell.text))
	if rest, ok := strings.CutPrefix(text, "−"); ok {
		text = "-" + rest
	}
	if len(text) < 2 || text[1] < '0' || text[1] > '9' {
		return
	}
	style := p.opt.Theme.Gain
	switch {
	case text[0] == '-' && (strings.Contains(text, "%") || currencyPattern().MatchString(text) || currencyPattern().Match(heading.text)):
		style = p.opt.Theme.Loss
	case text[0] != '+' || strings.Trim(text[1:], "0.,%") == "":
		return
	}
	for i := range cell.spans {
		cell.spans[i].attr.style = cell.spans[i].attr.style.With(style)
	}
}

// currencyPattern matches a currency after a number or in a heading: "-1.27 USD", "gain (USD)".
var currencyPattern = lazyregexp.New(`[ (][A-Z]{3}\b`)

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

// measure widens the column for a cell and returns the natural width of the cell.
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

// longestRun returns the width of the widest word.
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

// isNumber reports whether s is a number as people write it: sign, currency, digits with separators, then
// a percent sign, a magnitude or a short unit.
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
	// Prefixes of these units, so that a column keeps its alignment while it is being written.
	case "b", "t", "p", "U", "US", "E", "EU", "G", "GB", "C", "CH", "J", "JP", "CN", "H", "HK":
		return true
	}
	return false
}

// startsThousand reports whether s starts with a group of three digits.
func startsThousand(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	return digits == 3
}

// isPlaceholder reports whether s marks a cell without a value, or is the start of a number.
func isPlaceholder(s string) bool {
	switch s {
	case "n", "n/", "n/a", "N", "N/", "N/A", "NA", "?", "…", "—":
		return true
	}
	return utf8.RuneCountInString(s) <= 2 && strings.TrimLeft(s, numberPrefixes) == ""
}

const (
	// minTableWidth is the minimum width of a table. On narrower screens, "label: value" lines are easier
	// to read.
	minTableWidth = 44
	columnGap     = 2
)

// layout holds the parameters of all rows.
type layout struct {
	visible []int // indexes of the visible columns; nil for "label: value" lines
	widths  []int // of the visible columns
	right   []bool
	center  []bool
	before  int // hidden columns after the first
	after   int // hidden columns at the end
	scroll  int // maximum of before
}

// layout fits the table into the available width: all columns if they can be narrow enough, else some
// columns if scrolling is enabled, else "label: value" lines.
func (p *painter) layout(g *grid) layout {
	n := len(g.columns)
	lay := layout{right: make([]bool, n), center: make([]bool, n)}
	for i := range g.columns {
		c := &g.columns[i]
		lay.right[i] = c.align == east.AlignRight || c.align == east.AlignNone && c.numeric()
		lay.center[i] = c.align == east.AlignCenter
	}
	if width := p.availableWidth(); width >= minTableWidth && (p.opt.MaxColumns == 0 || n <= p.opt.MaxColumns) {
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

// hidden returns the number of columns after the first that must be hidden so that the last ones fit into
// width.
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

// canScroll reports whether each column fits into width next to the first.
func (g *grid) canScroll(width int) bool {
	for i := range g.columns[1:] {
		if g.columns[0].minimum()+columnGap+g.columns[i+1].minimum() > width {
			return false
		}
	}
	return len(g.columns) > 1
}

// window shows the first column and, after before hidden ones, as many others as fit.
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

// numeric reports whether the column contains only numbers, which are right-aligned.
func (c *column) numeric() bool { return c.numbers > 0 && c.words == 0 }

// minimum returns the minimum width of the column: the widest of its numbers, which are never broken, and
// of its words.
func (c *column) minimum() int {
	return max(c.unbreakable, min(c.natural, max(c.minWidth, wrapMinimum)), 1)
}

// share divides free cells among columns. If their natural widths do not fit, it finds the largest limit
// for all of them that does, so that the widest columns shrink first, down to their minimum.
func (g *grid) share(shown []int, free int) []int {
	widths := make([]int, len(shown))
	fill := func(limit int) int {
		sum := 0
		for i, at := range shown {
			c := &g.columns[at]
			widths[i] = max(c.minimum(), min(c.natural, limit))
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
	// Give the remaining cells to columns that were limited, from the left.
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

// tableHead draws the header and the rule below it. "label: value" lines have no header.
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

// windowMarks draws the line that counts the hidden columns.
func (p *painter) windowMarks(lay layout) {
	if hidden := lay.before + lay.after; hidden > 0 {
		p.scratch.reset()
		p.scratch.writeString("← → "+moreColumns(hidden), attr{style: p.frame.base.With(p.opt.Theme.Dim)})
		p.paragraph(&p.scratch)
	}
}

func moreColumns(n int) string {
	if n == 1 {
		return "1 more column"
	}
	return strconv.Itoa(n) + " more columns"
}

func (p *painter) tableRow(g *grid, lay layout, cells []rich, first bool) {
	if lay.visible != nil {
		p.columns(lay, cells)
		return
	}
	if !first {
		p.wantGap()
	}
	p.labeled(g, cells)
}

// columns draws one row, with as many lines as its tallest cell.
func (p *painter) columns(lay layout, cells []rich) {
	n := len(lay.visible)
	wrapped, spans, height := make([][]segment, n), make([]int, n), 1
	for i, at := range lay.visible {
		wrapped[i] = slices.Clone(p.wrapper.wrap(&cells[at], lay.widths[i]))
		height = max(height, len(wrapped[i]))
	}
	for row := range height {
		p.buf = p.buf[:0]
		owed := 0 // spaces to draw before the next text
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

// pad returns the spaces before and after the text of a cell with free cells.
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

// labeled draws one row as "label: value" pairs, as many on a line as fit.
func (p *painter) labeled(g *grid, cells []rich) {
	drawn := len(p.lines)
	outer := p.frame
	var line rich
	used, limit, indent := 0, p.availableWidth(), "" // indent is that of lines after the first
	hanging := limit-columnGap >= minTextWidth
	if hanging {
		limit -= columnGap
	}
	flush := func() {
		if used == 0 {
			return
		}
		if hanging {
			p.enter(indent, "  ", columnGap)
			if !p.opt.LabelsApart {
				indent = "  "
			}
		}
		p.paragraph(&line)
		p.frame, used = outer, 0
		line.reset()
	}
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
		width := 0
		for _, segment := range p.wrapper.wrap(r, unbounded) {
			width = max(width, segment.width)
		}
		if used > 0 && (used+columnGap+width > limit || p.opt.LabelsApart) {
			flush()
		}
		if used > 0 {
			line.writeString("  ", attr{style: p.frame.base})
			used += columnGap
		}
		line.join(r)
		used += max(width, 1)
	}
	flush()
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

package edgar

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// Limits of a table. Larger tables are written before they end, with the columns known so far.
const (
	maxCells = 1 << 16 // per table
	maxRow   = 1 << 12 // per row
)

// htmlTable is an open table. Its rows are buffered until it closes, because only all of them show
// which columns have figures.
type htmlTable struct {
	text    []byte // of all cells
	rows    []tableRow
	cells   int // number of cells in rows
	row     tableRow
	column  int       // start of the next cell
	cell    tableCell // open, if inCell
	inCell  bool
	spanned bool // a cell spans several rows
}

type tableRow struct {
	cells []tableCell
	marks pendingMarks
}

// tableCell is the text of a cell and its columns (end exclusive).
type tableCell struct {
	text    byteRange
	columns byteRange
}

// table returns the innermost open table, or nil outside of tables.
func (w *textWriter) table() *htmlTable {
	if len(w.tables) == 0 {
		return nil
	}
	return w.tables[len(w.tables)-1]
}

// openTable starts a table. A table that contains another is for layout: its content so far becomes
// lines.
func (w *textWriter) openTable() {
	if len(w.tables) >= maxTables {
		w.tooManyTables++
		return
	}
	if w.table() == nil {
		w.breakLine()
	} else {
		w.endRow()
		w.flush()
	}
	w.tables = append(w.tables, &htmlTable{})
}

func (w *textWriter) closeTable() {
	if w.tooManyTables > 0 {
		w.tooManyTables--
		return
	}
	if len(w.tables) == 0 {
		return
	}
	w.endRow()
	w.flush()
	left := w.table().row.marks // from a last row without text
	w.tables = w.tables[:len(w.tables)-1]
	around := w.currentMarks()
	around.ids, around.links = append(around.ids, left.ids...), append(around.links, left.links...)
}

func (w *textWriter) openCell(columns, rows int) {
	t := w.table()
	if t == nil {
		w.breakLine()
		return
	}
	w.endCell()
	t.cell.columns = byteRange{t.column, t.column + columns}
	t.column += columns
	t.inCell = true
	t.spanned = t.spanned || rows > 1
}

// endCell stores the text since the cell began. Text between cells is also stored as a cell. A row
// with too many cells ends here.
func (w *textWriter) endCell() {
	t := w.table()
	if t == nil {
		w.breakLine()
		return
	}
	w.keepCell(t)
	if len(t.row.cells) >= maxRow {
		w.endRow()
	}
}

func (w *textWriter) keepCell(t *htmlTable) {
	w.blank = false
	if text := bytes.TrimSpace(w.current); len(text) > 0 {
		from := len(t.text)
		t.text = append(t.text, text...)
		if !t.inCell {
			t.cell.columns = byteRange{t.column, t.column}
		}
		t.cell.text = byteRange{from, len(t.text)}
		t.row.cells = append(t.row.cells, t.cell)
	}
	w.clear()
	t.inCell = false
}

func (w *textWriter) endRow() {
	t := w.table()
	if t == nil {
		w.breakLine()
		return
	}
	w.keepCell(t)
	t.column = 0
	if len(t.row.cells) > 0 {
		t.rows = append(t.rows, t.row)
		t.cells += len(t.row.cells)
		t.row = tableRow{}
	}
	if t.cells >= maxCells {
		w.flush()
	}
}

// flush turns the rows of the innermost table into lines.
func (w *textWriter) flush() {
	t := w.table()
	for i := range t.rows {
		t.rows[i].cells = t.joined(t.rows[i].cells)
	}
	figures := t.figureColumns()
	var line []byte
	for _, r := range t.rows {
		w.pending.ids = append(w.pending.ids, r.marks.ids...)
		w.pending.links = append(w.pending.links, r.marks.links...)
		if len(r.cells) == 1 {
			for paragraph := range bytes.SplitSeq(t.at(r.cells[0]), []byte("\n")) {
				w.writeLine(paragraph)
			}
			continue
		}
		line = t.line(line[:0], r, figures)
		w.writeLine(line)
	}
	t.rows, t.text, t.cells = t.rows[:0], t.text[:0], 0
}

func (t *htmlTable) at(c tableCell) []byte { return t.text[c.text.from:c.text.to] }

// line appends a row with its cells separated. A missing figure leaves an empty cell, because otherwise last
// year's figure would appear in this year's column.
func (t *htmlTable) line(line []byte, r tableRow, figures []byteRange) []byte {
	next := 0 // column of figures
	for i, c := range r.cells {
		if i > 0 {
			line = append(line, " | "...)
		}
		for at := next; at < len(figures) && figures[at].from < c.columns.to; at++ {
			if figures[at].to > c.columns.from {
				for ; next < at; next++ {
					line = append(line, "| "...)
				}
				break
			}
		}
		for next < len(figures) && figures[next].from < c.columns.to {
			next++
		}
		text := t.at(c)
		for paragraph := range bytes.SplitSeq(text, []byte("\n")) {
			line = append(append(line, paragraph...), ' ')
		}
		line = line[:len(line)-1]
	}
	return line
}

// figureColumns returns the ranges of columns with figures, in order. It is empty if cells span
// rows, which shifts the other cells.
func (t *htmlTable) figureColumns() []byteRange {
	if t.spanned {
		return nil
	}
	var all []byteRange
	for _, r := range t.rows {
		for _, c := range r.cells {
			if len(r.cells) > 1 && isFigure(t.at(c)) {
				all = append(all, c.columns)
			}
		}
	}
	slices.SortFunc(all, func(a, b byteRange) int { return cmp.Compare(a.from, b.from) })
	var merged []byteRange
	for _, column := range all {
		if last := len(merged) - 1; last >= 0 && column.from < merged[last].to {
			merged[last].to = max(merged[last].to, column.to)
			continue
		}
		merged = append(merged, column)
	}
	return merged
}

// maxFigureCell is longer, in bytes, than any figure with its signs.
const maxFigureCell = 64

// joined merges text that filers split into several cells for alignment: "$", "(1,234" and ")" are
// one figure, and so are "12" and "%". A bullet or item label is merged with the text next to it.
func (t *htmlTable) joined(cells []tableCell) []tableCell {
	out := cells[:0]
	for _, c := range cells {
		if len(out) == 0 {
			out = append(out, c)
			continue
		}
		last := &out[len(out)-1]
		before, text := t.at(*last), t.at(c)
		switch {
		case opensFigure(before) || closesFigure(text) && len(before) <= maxFigureCell && endsFigure(before):
			last.text = t.join(*last, c, "")
			last.columns.to = c.columns.to
		case isLabelCell(before):
			last.text = t.join(*last, c, " ")
			last.columns.to = c.columns.to
		default:
			out = append(out, c)
		}
	}
	return out
}

// join appends one text to another. The texts of a row are contiguous, so the result is rewritten
// at the end only if there is other text between them.
func (t *htmlTable) join(a, b tableCell, between string) byteRange {
	if between == "" && a.text.to == b.text.from {
		return byteRange{a.text.from, b.text.to}
	}
	from := len(t.text)
	t.text = append(t.text, t.at(a)...)
	t.text = append(t.text, between...)
	t.text = append(t.text, t.at(b)...)
	return byteRange{from, len(t.text)}
}

// opensFigure reports whether a cell contains only the prefix of a figure.
func opensFigure(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("("))
	if len(text) == 0 {
		return true
	}
	return slices.Contains(currencySigns(), string(text))
}

func currencySigns() []string {
	return []string{"$", "€", "£", "¥", "US$", "R$", "C$", "A$", "NT$", "HK$", "RMB", "₩", "₹", "-$", "$-"}
}

// closesFigure reports whether a cell contains only the suffix of a figure.
func closesFigure(text []byte) bool {
	return len(text) <= 3 && len(bytes.Trim(text, ")% ")) == 0
}

func endsFigure(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return r >= '0' && r <= '9' || r == ')' || r == '—' || r == '–' || r == '-'
}

// isLabelCell reports whether a cell is a bullet, or the label of a heading in its own cell.
func isLabelCell(text []byte) bool {
	switch string(text) {
	case "•", "●", "○", "◦", "▪", "■", "·", "*", "-", "–", "o":
		return true
	}
	if len(text) > 12 || len(text) < 5 || !bytes.EqualFold(text[:4], []byte("item")) {
		return false
	}
	h, ok := headingOf(string(text))
	return ok && len(h.numbers) == 1 && h.title == ""
}

// isFigure reports whether a cell contains a number, or a dash for a missing one.
func isFigure(text []byte) bool {
	text = bytes.TrimLeft(text, "$€£¥(-+ ")
	if len(text) == 0 {
		return false
	}
	if r, _ := utf8.DecodeRune(text); r == '—' || r == '–' || r == '−' {
		return len(text) <= 6
	}
	return text[0] >= '0' && text[0] <= '9' || text[0] == '.' && len(text) > 1
}

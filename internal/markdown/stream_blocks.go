package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// longTable is the minimum size of a table that is drawn row by row.
const longTable = 1 << 10

// finalize draws the blocks that are final and returns the rest. It uses only complete lines, because an
// incomplete line may turn out to start another kind of block.
func (s *Stream) finalize(blocks []ast.Node) []ast.Node {
	src, base := s.painter.src, s.done
	complete := bytes.LastIndexByte(src, '\n') + 1
	final, reached := 0, 0
	for i := 1; i < len(blocks); i++ {
		start := lineStart(src, blocks[i])
		if start <= reached {
			// If the blocks are not in order, nothing is known to be final.
			final = 0
			break
		}
		if reached = start; start < complete && isSeparateBlock(src, start, blocks[i-1], blocks[i]) {
			final = i
		}
	}
	for _, b := range blocks[:final] {
		s.draw(b)
		s.list = listTail{}
		if ref, ok := b.(*ast.LinkReferenceDefinition); ok {
			s.define(ref)
		}
	}
	blocks = blocks[final:]
	if final > 0 {
		s.commit(base + lineStart(src, blocks[0]))
	}
	if len(blocks) != 1 {
		return blocks
	}
	switch b := blocks[0].(type) {
	case *ast.List:
		s.finalizeItems(b, base, complete)
	case *ast.FencedCodeBlock:
		s.openFence(src[s.done-base : complete])
	case *east.Table:
		// Both lines of the header must be complete: before that, the second may turn out not to be a
		// delimiter row.
		if text := src[s.done-base : complete]; len(text) > longTable && bytes.Count(text, []byte{'\n'}) > 1 {
			s.openTable(b, text)
		}
	}
	return blocks
}

// isSeparateBlock reports whether the block at start is separate from the block before it, no matter what
// follows. Paragraphs, tables and definitions start with the same kind of lines, so only their end shows
// which one it is.
func isSeparateBlock(src []byte, start int, before, block ast.Node) bool {
	switch before.(type) {
	case *ast.Paragraph, *ast.LinkReferenceDefinition, *east.Table:
	default:
		return true
	}
	switch block.(type) {
	case *ast.FencedCodeBlock, *ast.List, *ast.Blockquote, *ast.ThematicBreak, *ast.HTMLBlock:
		return true
	}
	previous := src[:max(start-1, 0)]
	return len(bytes.TrimSpace(previous[bytes.LastIndexByte(previous, '\n')+1:])) == 0
}

// lineStart returns the offset of the first line of block n, or -1 if it is unknown.
func lineStart(src []byte, n ast.Node) int {
	pos := n.Pos()
	if table, ok := n.(*east.Table); ok {
		pos = table.FirstChild().Pos()
	} else if n.Lines().Len() > 0 {
		if first := n.Lines().At(0).Start; pos < 0 || first < pos {
			pos = first
		}
	}
	if pos < 0 {
		return -1
	}
	return bytes.LastIndexByte(src[:pos], '\n') + 1
}

// finalizeItems draws all items before the last one whose first line is complete, and marks them as final.
// The list then continues with that item.
func (s *Stream) finalizeItems(list *ast.List, base, complete int) {
	src, last := s.painter.src, list.LastChild()
	start := lineStart(src, last)
	for last != list.FirstChild() && start >= complete {
		last = last.PreviousSibling()
		start = lineStart(src, last)
	}
	if last == list.FirstChild() || start < 0 {
		return
	}
	number := s.drawItems(list, last)
	s.list = listTail{active: true, number: number, gap: last.HasBlankPreviousLines()}
	s.commit(base + start)
	for c := list.FirstChild(); c != last; c = list.FirstChild() {
		list.RemoveChild(list, c)
	}
}

// draw draws a top-level block after the other lines.
func (s *Stream) draw(n ast.Node) {
	if list, ok := n.(*ast.List); ok && s.list.active {
		s.drawItems(list, nil)
		return
	}
	if len(s.painter.lines) > 0 {
		s.painter.wantGap()
	}
	s.painter.block(n)
}

// drawItems draws the items of a top-level list up to end and returns the
// number of the next one.
func (s *Stream) drawItems(list *ast.List, end ast.Node) int {
	p, number, gap := s.painter, list.Start, len(s.painter.lines) > 0
	if s.list.active {
		number, gap = s.list.number, s.list.gap
	}
	for c := list.FirstChild(); c != end; c = c.NextSibling() {
		if gap {
			p.wantGap()
		}
		p.item(list, c, number)
		number++
		if next := c.NextSibling(); next != nil {
			gap = next.HasBlankPreviousLines()
		}
	}
	return number
}

// fence is an open code block at the left margin.
type fence struct {
	mark    byte
	length  int
	started bool
	code    Highlighter // after the last complete line
}

// openFence switches to drawing line by line if text starts with a complete opening fence at the left
// margin. The parser handles indented fences.
func (s *Stream) openFence(text []byte) {
	end := bytes.IndexByte(text, '\n')
	if end < 0 || text[0] != '`' && text[0] != '~' {
		return
	}
	info := bytes.TrimLeft(text[:end], string(text[:1]))
	s.open = &fence{mark: text[0], length: end - len(info), code: s.painter.highlighted(info)}
	s.list = listTail{}
	s.commit(s.done + end + 1)
}

func (f *fence) head() int { return 0 }

func (f *fence) advance(s *Stream) bool {
	for {
		end := bytes.IndexByte(s.text[s.done:], '\n')
		if end < 0 {
			return true
		}
		line := s.text[s.done : s.done+end]
		s.done += end + 1
		if f.closedBy(line) {
			return false
		}
		f.draw(s, line, &f.code)
		f.started = true
	}
}

func (f *fence) tail(s *Stream) {
	if line := s.text[s.done:]; len(line) > 0 && !f.closedBy(line) {
		code := f.code
		f.draw(s, line, &code)
	}
}

func (f *fence) draw(s *Stream, line []byte, code *Highlighter) {
	if !f.started && len(s.painter.lines) > 0 {
		s.painter.wantGap()
	}
	s.painter.codeLine(line, code)
}

func (f *fence) closedBy(line []byte) bool {
	marks := bytes.TrimLeft(line, " ")
	if len(line)-len(marks) > 3 {
		return false
	}
	rest := bytes.TrimLeft(marks, string(f.mark))
	return len(marks)-len(rest) >= f.length && len(bytes.TrimSpace(rest)) == 0
}

// streamingTable is a table that has not ended. Its rows are parsed once, and drawn again only when a new
// row changes the layout.
type streamingTable struct {
	lines  []byte // its first two, which precede rows to be parsed
	from   int    // index of its first line in painter.lines
	grid   *grid
	layout layout
	drawn  int  // rows that are drawn with layout
	stale  bool // an incomplete row changed the drawn layout
}

// openTable switches to drawing row by row.
func (s *Stream) openTable(n *east.Table, text []byte) {
	end := bytes.IndexByte(text, '\n') + 1
	end += bytes.IndexByte(text[end:], '\n') + 1
	s.open = &streamingTable{lines: bytes.Clone(text[:end]), from: len(s.painter.lines), grid: s.painter.newGrid(n)}
	s.list = listTail{}
	s.commit(s.done + end)
}

// parseUnder parses lines as rows of the table.
func (t *streamingTable) parseUnder(s *Stream, lines []byte) (*east.Table, []ast.Node) {
	blocks := s.parse(slices.Concat(t.lines, lines))
	return blocks[0].(*east.Table), blocks[1:]
}

func (t *streamingTable) head() int { return len(t.lines) }

func (t *streamingTable) advance(s *Stream) bool {
	rest := s.text[s.done:]
	lines := rest[:bytes.LastIndexByte(rest, '\n')+1]
	ended := false
	if len(lines) > 0 {
		table, after := t.parseUnder(s, lines)
		s.painter.addRows(t.grid, table)
		ended = len(after) > 0 || table.ChildCount()-1 < bytes.Count(lines, []byte{'\n'})
		for range table.ChildCount() - 1 {
			s.done += bytes.IndexByte(s.text[s.done:], '\n') + 1
		}
	}
	lay := s.painter.layout(t.grid)
	if t.stale || t.drawn == 0 || !lay.equal(t.layout) {
		t.drawAll(s, lay)
	}
	t.layout, t.stale = lay, false
	for ; t.drawn < len(t.grid.rows); t.drawn++ {
		s.painter.tableRow(t.grid, lay, t.grid.rows[t.drawn], t.drawn == 0)
	}
	return !ended
}

// drawAll draws the header and all rows again in another layout.
func (t *streamingTable) drawAll(s *Stream, lay layout) {
	p := s.painter
	p.lines = p.lines[:t.from]
	if p.hasGap = false; t.from > 0 {
		p.wantGap()
	}
	p.tableHead(t.grid, lay)
	for i, row := range t.grid.rows {
		p.tableRow(t.grid, lay, row, i == 0)
	}
	t.drawn = len(t.grid.rows)
}

// tail draws an incomplete row, which affects the layout like any other.
func (t *streamingTable) tail(s *Stream) {
	if len(s.text) == s.done {
		return
	}
	table, after := t.parseUnder(s, s.text[s.done:])
	if table.ChildCount() > 1 {
		rows, columns := t.grid.rows, slices.Clone(t.grid.columns)
		s.painter.addRows(t.grid, table)
		if lay := s.painter.layout(t.grid); !lay.equal(t.layout) || len(rows) == 0 {
			t.drawAll(s, lay)
			t.stale = true
		} else {
			s.painter.tableRow(t.grid, lay, t.grid.rows[len(rows)], false)
		}
		t.grid.rows, t.grid.columns, t.drawn = rows, columns, len(rows)
	}
	s.drawOpen(after)
}

package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// fence is a code fence at the left margin that has not been closed.
type fence struct {
	mark    byte
	length  int
	started bool
	code    Highlighter // as it stands after the last complete line
}

// openFence goes over to line by line if text begins with the whole opening
// line of a fence at the left margin; an indented one is left to the parser.
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

// streamingTable is a table that has not ended. Its rows are parsed once; they are
// drawn again only when a new row changes the layout of all.
type streamingTable struct {
	lines  []byte // its first two, under which any row can be parsed
	from   int    // where in the painter's lines it begins
	grid   *grid
	layout layout
	drawn  int  // rows that are drawn with lay
	stale  bool // an incomplete row has drawn them otherwise
}

// openTable goes over to row by row.
func (s *Stream) openTable(n *east.Table, text []byte) {
	end := bytes.IndexByte(text, '\n') + 1
	end += bytes.IndexByte(text[end:], '\n') + 1
	s.open = &streamingTable{lines: bytes.Clone(text[:end]), from: len(s.painter.lines), grid: s.painter.newGrid(n)}
	s.list = listTail{}
	s.commit(s.done + end)
}

// parseUnder reads lines as if they stood below the head of the table.
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

// drawAll draws head and rows again in another layout.
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

// tail draws an incomplete row, which counts for the layout like any other.
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

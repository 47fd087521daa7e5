package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// longTable is the size from which a table is drawn row by row.
const longTable = 1 << 10

// finalize draws for good what of the blocks can no longer change and returns
// the rest. Only complete lines count: what an incomplete one opens may turn
// out to be something else.
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
		// Both lines of the head have to be complete: what lies below a long one
		// may go on as something that makes no table.
		if text := src[s.done-base : complete]; len(text) > longTable && bytes.Count(text, []byte{'\n'}) > 1 {
			s.openTable(b, text)
		}
	}
	return blocks
}

// isSeparateBlock reports whether a block that begins at start is another one than the block
// before it, whatever follows. Paragraph, table and definition consist of the same lines, and only
// their end shows which one it is.
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

// lineStart is the offset of the line block n begins on, -1 if it is unknown.
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

// finalizeItems draws for good all items before the last one whose first line is
// complete; the list then goes on with that one as if it began there.
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

// draw draws a top-level block after what stands.
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

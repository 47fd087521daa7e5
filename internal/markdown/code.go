package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

const (
	tabStop          = 4
	codeIndent       = "  "
	codeContinuation = "↳ " // starts the rest of a code line that was too long
)

// highlighted returns a Highlighter for the language that the info string of a fence names, or the zero
// Highlighter if the theme has no styles for code.
func (p *painter) highlighted(info []byte) Highlighter {
	t := &p.opt.Theme
	if t.CodeKeyword == "" && t.CodeLiteral == "" && t.CodeComment == "" {
		return Highlighter{}
	}
	p.roles[CodeKeyword] = t.CodeBlock.With(t.CodeKeyword)
	p.roles[CodeLiteral] = t.CodeBlock.With(t.CodeLiteral)
	p.roles[CodeComment] = t.CodeBlock.With(t.CodeComment)
	return NewHighlighter(info)
}

func (p *painter) code(n ast.Node, h Highlighter) {
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		p.codeLine(seg.Value(p.src), &h)
	}
}

// codeLine draws one line of code, indented. It does not wrap at words: the rest of a long line continues
// below after a mark.
func (p *painter) codeLine(line []byte, h *Highlighter) {
	r := &p.scratch
	r.reset()
	h.HighlightLine(trimMarks(expandTabs(bytes.TrimRight(line, " \t\n"))), func(text []byte, role CodeRole) {
		r.write(text, attr{style: p.roles[role]})
	})
	p.ellipsizeCell(r)
	prefix, next, limit := codeIndent, codeIndent+p.opt.Theme.Dim.Apply("↳")+" ", p.availableWidth()-len(codeIndent)
	fold := limit - textWidth(codeContinuation)
	if limit-2 < minTextWidth {
		prefix, next, limit, fold = "", "", p.availableWidth(), p.availableWidth()
	}
	c := clustersOf(r.text)
	start, used, at, painted := 0, 0, 0, 0
	for c.next() {
		if !c.ascii {
			at = snap(r.spans, at, c.start, c.end)
		}
		if used+c.width > limit && c.start > start {
			painted = p.codePiece(r, prefix, start, c.start, painted)
			prefix, limit, start, used = next, fold, c.start, 0
		}
		used += c.width
	}
	p.codePiece(r, prefix, start, len(r.text), painted)
}

// codePiece draws a part of r as a line and returns the span in which it ended.
func (p *painter) codePiece(r *rich, prefix string, from, to, at int) int {
	p.buf = p.buf[:0]
	if from < to {
		p.buf = append(p.buf, prefix...)
		p.buf, at = r.appendRange(p.buf, from, to, at)
	}
	p.emit()
	return at
}

// trimMarks drops leading combining marks, see joinsBefore.
func trimMarks(line []byte) []byte {
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		if !joinsBefore(r) {
			break
		}
		line = line[n:]
	}
	return line
}

func expandTabs(line []byte) []byte {
	if bytes.IndexByte(line, '\t') < 0 {
		return line
	}
	var out []byte
	column := 0
	c := clustersOf(line)
	for c.next() {
		if line[c.start] != '\t' {
			out = append(out, line[c.start:c.end]...)
			column += c.width
			continue
		}
		n := tabStop - column%tabStop
		out = append(out, "    "[:n]...)
		column += n
	}
	return out
}

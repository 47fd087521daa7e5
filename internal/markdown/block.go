package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	// minRoom is the least room a container leaves its content: below it the
	// indentation is given up, not the text.
	minRoom  = 6
	tabStop  = 4
	codeLead = "  "
	codeFold = "↳ " // begins what is left of a code line that was too long
)

func (p *painter) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		p.paragraph(p.inline(n, ""))
	case *ast.Heading:
		p.heading(n)
	case *ast.List:
		p.list(n)
	case *ast.Blockquote:
		p.quote(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			p.codeLine(seg.Value(p.src))
		}
	case *ast.HTMLBlock:
		p.html(n)
	case *ast.ThematicBreak:
		p.rule()
	case *east.Table:
		p.table(n)
	case *ast.LinkReferenceDefinition:
	default:
		p.children(n, true)
	}
}

func (p *painter) heading(n *ast.Heading) {
	r := p.inline(n, p.opt.Theme.Heading)
	if p.plain {
		marks := strings.Repeat("#", n.Level) + " "
		marked := rich{}
		marked.writeString(marks, attr{})
		marked.write(r.text, attr{})
		r = &marked
	}
	p.paragraph(r)
}

func (p *painter) rule() {
	p.buf = append(p.buf[:0], p.opt.Theme.Rule.Apply(strings.Repeat("─", p.room()))...)
	p.emit()
}

func (p *painter) quote(n *ast.Blockquote) {
	outer, first, hasFirst, before := p.frame, p.first, p.hasFirst, len(p.lines)
	if p.room()-2 >= minRoom {
		bar := p.opt.Theme.QuoteBar.Apply("│") + " "
		p.enter(bar, bar, 2)
	}
	p.frame.base = p.frame.base.With(p.opt.Theme.Quote)
	p.children(n, true)
	p.frame = outer
	if len(p.lines) == before {
		// An empty quote must not leave its bar to the block after it.
		p.first, p.hasFirst = first, hasFirst
	}
}

// enter narrows the frame: the next line begins with first, those after it
// with rest, both of the given width.
func (p *painter) enter(first, rest string, width int) {
	lead := p.frame.rest
	if p.hasFirst {
		lead = p.first
	}
	p.first, p.hasFirst = lead+first, true
	p.frame.rest += rest
	p.frame.used += width
	p.frame.blank = trimSpaces(p.frame.rest)
}

func (p *painter) list(n *ast.List) {
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() && c.HasBlankPreviousLines() {
			p.wantGap()
		}
		p.item(n, c, number)
		number++
	}
}

// item draws one item with a hanging indent the width of its own marker, which
// is also what lets a list be drawn before its end is known.
func (p *painter) item(list *ast.List, n ast.Node, number int) {
	outer := p.frame
	marker := p.marker(list, n, number)
	width := textWidth(marker)
	styled := p.opt.Theme.Marker.Apply(strings.TrimRight(marker, " ")) + " "
	if p.room()-width >= minRoom {
		p.enter(styled, strings.Repeat(" ", width), width)
	} else {
		p.scratch.reset()
		p.scratch.writeString(strings.TrimRight(marker, " "), attr{style: p.opt.Theme.Marker})
		p.paragraph(&p.scratch)
	}
	p.frame.depth++
	p.children(n, false)
	if p.hasFirst && p.frame.used > outer.used {
		p.buf = p.buf[:0]
		p.emit()
	}
	p.frame = outer
}

func (p *painter) marker(list *ast.List, item ast.Node, number int) string {
	if block := item.FirstChild(); block != nil {
		if box, ok := block.FirstChild().(*east.TaskCheckBox); ok {
			if box.IsChecked {
				return "[x] "
			}
			return "[ ] "
		}
	}
	if list.IsOrdered() {
		return strconv.Itoa(number) + string(list.Marker) + " "
	}
	if p.frame.depth%2 == 1 {
		return "◦ "
	}
	return "• "
}

// html draws markup as the text it is.
func (p *painter) html(n *ast.HTMLBlock) {
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		p.htmlLine(seg.Value(p.src))
	}
	if n.HasClosure() {
		p.htmlLine(n.ClosureLine.Value(p.src))
	}
}

func (p *painter) htmlLine(line []byte) {
	p.scratch.reset()
	p.scratch.write(bytes.ReplaceAll(bytes.TrimSpace(line), []byte("\t"), []byte(" ")),
		attr{style: p.frame.base.With(p.opt.Theme.Dim)})
	p.paragraph(&p.scratch)
}

// codeLine draws one line of code, indented, as it is: nothing is wrapped at
// words, and what does not fit goes on below after a mark.
func (p *painter) codeLine(line []byte) {
	lead, fold := codeLead, codeFold
	if p.room()-len(codeLead)-2 < minRoom {
		lead, fold = "", ""
	}
	style := p.opt.Theme.CodeBlock
	line = trimMarks(expandTabs(bytes.TrimRight(line, " \t\n")))
	if len(line) == 0 {
		p.buf = p.buf[:0]
		p.emit()
		return
	}
	prefix, limit := lead, p.room()-len(lead)
	for len(line) > 0 {
		n := fit(line, limit)
		p.buf = append(p.buf[:0], prefix...)
		p.buf = attr{style: style}.append(p.buf, line[:n])
		p.emit()
		if line = line[n:]; prefix == lead && fold != "" {
			prefix = lead + p.opt.Theme.Dim.Apply("↳") + " "
			limit -= textWidth(fold)
		}
	}
}

// fit returns the length of the longest prefix of line that takes at most
// width cells, at least one cluster.
func fit(line []byte, width int) int {
	c := clustersOf(line)
	used := 0
	for c.next() {
		if used += c.width; used > width && c.start > 0 {
			return c.start
		}
	}
	return len(line)
}

// trimMarks drops the marks line begins with, see joinsBefore.
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

func trimSpaces(s string) string { return strings.TrimRight(s, " ") }

package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// minTextWidth is the minimum width of a container's content: below it the indentation is dropped,
// not the text.
const minTextWidth = 6

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
	case *ast.FencedCodeBlock:
		p.code(n, p.highlighted(n.Language(p.src)))
	case *ast.CodeBlock:
		p.code(n, Highlighter{})
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
	p.buf = append(p.buf[:0], p.opt.Theme.Rule.Apply(strings.Repeat("─", p.availableWidth()))...)
	p.emit()
}

func (p *painter) quote(n *ast.Blockquote) {
	outer, first, hasFirst, before := p.frame, p.first, p.hasFirst, len(p.lines)
	if p.availableWidth()-2 >= minTextWidth {
		bar := p.opt.Theme.QuoteBar.Apply("│") + " "
		p.enter(bar, bar, 2)
	}
	p.frame.base = p.frame.base.With(p.opt.Theme.Quote)
	p.children(n, true)
	p.frame = outer
	if len(p.lines) == before {
		// An empty quote must not pass its bar to the next block.
		p.first, p.hasFirst = first, hasFirst
	}
}

// enter narrows the frame: the next line starts with first, later lines with rest, both of the given
// width.
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

// item draws one item with a hanging indent of the width of its marker. The width does not depend on other
// items, so a list can be drawn before its end is known.
func (p *painter) item(list *ast.List, n ast.Node, number int) {
	outer := p.frame
	marker := p.marker(list, n, number)
	width := textWidth(marker)
	styled := p.opt.Theme.Marker.Apply(strings.TrimRight(marker, " ")) + " "
	if p.availableWidth()-width >= minTextWidth {
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

// html draws markup as text.
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

func trimSpaces(s string) string { return strings.TrimRight(s, " ") }

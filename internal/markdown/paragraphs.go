package markdown

import "strings"

// Paragraphs splits streamed Markdown into blocks that later text cannot change. A block ends at a blank
// line outside of code, if the next line is not indented.
type Paragraphs struct {
	lines   strings.Builder // complete lines of the block
	partial strings.Builder // the incomplete line
	fence   string          // the marks that close the open code block, or ""
	blank   bool            // the last complete line was blank
}

// Write adds text and returns the completed blocks.
func (p *Paragraphs) Write(text string) (settled []string) {
	for text != "" {
		end := strings.IndexByte(text, '\n')
		piece := text
		if end >= 0 {
			piece = text[:end]
		}
		if p.blank && p.partial.Len() == 0 && piece != "" && piece[0] != ' ' && piece[0] != '\t' {
			settled = p.cut(settled)
		}
		p.partial.WriteString(piece)
		if end < 0 {
			break
		}
		p.line()
		text = text[end+1:]
	}
	return settled
}

// line completes the partial line.
func (p *Paragraphs) line() {
	text := p.partial.String()
	p.partial.Reset()
	p.lines.WriteString(text + "\n")
	p.blank = p.fence == "" && strings.TrimSpace(text) == ""
	marks := fenceOf(text)
	switch {
	case p.fence == "":
		p.fence = marks
	case strings.HasPrefix(marks, p.fence) && strings.Trim(strings.TrimSpace(text), marks[:1]) == "":
		p.fence = ""
	}
}

// fenceOf returns the marks with which a line opens or closes code, or "".
func fenceOf(text string) string {
	inner := strings.TrimLeft(text, " ")
	for _, mark := range []string{"`", "~"} {
		run := len(inner) - len(strings.TrimLeft(inner, mark))
		if run >= 3 {
			return inner[:run]
		}
	}
	return ""
}

// End returns the rest and resets p.
func (p *Paragraphs) End() (settled []string) {
	if p.partial.Len() > 0 {
		p.line()
	}
	settled = p.cut(nil)
	*p = Paragraphs{}
	return settled
}

func (p *Paragraphs) cut(settled []string) []string {
	if text := strings.Trim(p.lines.String(), "\n"); strings.TrimSpace(text) != "" {
		settled = append(settled, text)
	}
	p.lines.Reset()
	p.blank = false
	return settled
}

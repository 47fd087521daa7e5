package repl

import "strings"

// paragraphs cuts Markdown that comes in pieces into blocks that nothing to come
// can change: it is at a blank line, outside of code, that one ends, when what
// follows is not set in under it.
type paragraphs struct {
	whole   strings.Builder // complete lines of the block
	partial strings.Builder // the line that is coming
	fence   string          // what closes the code that is open, or ""
	blank   bool            // the last complete line was blank
}

// write takes more text, and gives what has settled.
func (p *paragraphs) write(text string) (settled []string) {
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

// line takes in the line that has come to its end.
func (p *paragraphs) line() {
	text := p.partial.String()
	p.partial.Reset()
	p.whole.WriteString(text + "\n")
	p.blank = p.fence == "" && strings.TrimSpace(text) == ""
	marks := fenceOf(text)
	switch {
	case p.fence == "":
		p.fence = marks
	case strings.HasPrefix(marks, p.fence) && strings.Trim(strings.TrimSpace(text), marks[:1]) == "":
		p.fence = ""
	}
}

// fenceOf is the run of marks that opens or closes code, or "".
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

// end gives what is left.
func (p *paragraphs) end() (settled []string) {
	if p.partial.Len() > 0 {
		p.line()
	}
	settled = p.cut(nil)
	*p = paragraphs{}
	return settled
}

func (p *paragraphs) cut(settled []string) []string {
	if text := strings.Trim(p.whole.String(), "\n"); strings.TrimSpace(text) != "" {
		settled = append(settled, text)
	}
	p.whole.Reset()
	p.blank = false
	return settled
}

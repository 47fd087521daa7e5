package markdown

import "bytes"

// preview is how far text that is not parsed yet is drawn as it is: text[:done],
// in the painter's lines[:n]. Only the last line is drawn again as it grows.
type preview struct{ done, n int }

// drawPreview adds what is new since all was parsed as it is.
func (s *Stream) drawPreview() {
	p := s.painter
	p.lines = p.lines[:s.preview.n]
	p.hasGap, p.hasFirst = false, false
	for s.preview.done < len(s.text) {
		line, _, complete := bytes.Cut(s.text[s.preview.done:], []byte{'\n'})
		last := p.previewLine(line)
		if complete {
			s.preview = preview{s.preview.done + len(line) + 1, len(p.lines)}
			continue
		}
		if last > 0 {
			s.preview = preview{s.preview.done + last, len(p.lines) - 1}
		}
		break
	}
	s.fullyParsed = false
}

// previewLine draws a line of text and returns where in it the last line that was
// drawn begins, 0 if that is not known.
func (p *painter) previewLine(line []byte) int {
	r := &p.scratch
	r.reset()
	r.write(bytes.ReplaceAll(line, []byte{'\t'}, []byte{' '}), attr{})
	p.ellipsizeCell(r)
	at, last := 0, 0
	for _, seg := range p.wrapper.wrap(r, p.proseWidth()) {
		if seg.start == seg.end {
			continue
		}
		p.buf, at = r.appendRange(p.buf[:0], seg.start, seg.end, at)
		p.emit()
		last = seg.start
	}
	if len(r.text) != len(line) {
		return 0
	}
	return last
}

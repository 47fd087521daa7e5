package markdown

import "bytes"

// rough is how far text that is not parsed yet is drawn as it is: text[:done],
// in the painter's lines[:n]. Only the last line is drawn again as it grows.
type rough struct{ done, n int }

// drawRough adds what is new since all was parsed as it is.
func (s *Stream) drawRough() {
	p := s.painter
	p.lines = p.lines[:s.rough.n]
	p.hasGap, p.hasFirst = false, false
	for s.rough.done < len(s.text) {
		line, _, complete := bytes.Cut(s.text[s.rough.done:], []byte{'\n'})
		last := p.roughLine(line)
		if complete {
			s.rough = rough{s.rough.done + len(line) + 1, len(p.lines)}
			continue
		}
		if last > 0 {
			s.rough = rough{s.rough.done + last, len(p.lines) - 1}
		}
		break
	}
	s.exact = false
}

// roughLine draws a line of text and returns where in it the last line that was
// drawn begins, 0 if that is not known.
func (p *painter) roughLine(line []byte) int {
	r := &p.scratch
	r.reset()
	r.write(bytes.ReplaceAll(line, []byte{'\t'}, []byte{' '}), attr{})
	p.narrow(r)
	at, last := 0, 0
	for _, seg := range p.wrapper.wrap(r, p.proseRoom()) {
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
